"""What stands before the word "answer" and makes its sentence no answer: "if", "one might think", "in part (b)".

Separate from stated.py because these are words of doubt and of speech, and nothing of them is read as a value.
"""

from __future__ import annotations

from hybridverify.language import expressions as re

_SAYS = "think|say|believe|claim|guess|assume|argue|suppose"
_DOUBT = re.compile(
    r"(?:\b(?:if|whether|suppose|assume|unless|without(?! loss)|why|how|verify|check|for example|alternatively)\b"
    r"[^.!?\n]{0,25}|\bat first (?:glance|sight)[^.!?\n]{0,25}|\b(?:naively|intuitively),?\s(?:the\s)?"
    r"|\b(?:wrong|incorrect|previous|initial|first|earlier|old|other|alternative|tempting|possible|no|naive|obvious"
    r"|backup|another|so-called|common|popular|frequent)\s"
    r"|\b(?:not|n't)\s(?:the|an|my|our)\s"
    r"|\b(?:thought|believed|assumed|guessed|supposed|claims|claimed|says|said|argues|argued|wrote|writes|insists)"
    r"[\s:]+(?:that\s)?[\"'“]?(?:(?:the|my|an?|our)\s)?(?:\w+\s)?"
    rf"|\b(?:might|may|could|students|people|some|many|others) (?:\w+ )?(?:{_SAYS})\s(?:that\s)?(?:(?:the|an?)\s)?"
    r"(?:\w+\s)?)$",
    re.IGNORECASE,
)
_PART = re.compile(
    r"\b(?:part|case|sub-?problem|scenario)\s?\(?(?:[b-h]|[2-9]|i[iv]+)\b|(?<![\w^}])\((?:[b-h]|i[iv]+|[2-9])\)[^.\n]{0,20}$"
    r"|\bsecond (?:part|case|question)\b|(?:^|[\s*])[b-h]\)[^.\n]{0,20}$",
    re.IGNORECASE,
)


def is_doubted(before: str) -> bool:
    """Whether the words right before a label deny, doubt or quote what it announces.

    >>> is_doubted("One might think that the "), is_doubted("I think that the ")
    (True, False)
    """
    return _DOUBT.search(before) is not None


def is_later_part(text: str) -> bool:
    """Whether the words around a label name one of several parts, and not the first.

    >>> is_later_part(" to part (b) is "), is_later_part("(ii) The "), is_later_part("as f(2) = 4, the ")
    (True, True, False)
    """
    return _PART.search(text) is not None
