"""What stands before the word "answer" and makes its sentence no answer: "if", "one might think", "in part (b)".

Separate from stated.py because these are words of doubt and of speech, and nothing of them is read as a value.
"""

from __future__ import annotations

from hybridverify.language import expressions as re
from hybridverify.language.lexicon.phrases import phrases

_DOUBTING = phrases("phrases", "doubting", after=r"[^.!?\n]{0,25}$")
_HEDGED = phrases("phrases", "hedged", after="$")
_NO_DOUBT = "without loss"
_OPENERS = tuple(' \t\n"“')
_BLANKS = str.maketrans(dict.fromkeys(':"“', " "))
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
    plain = before.translate(_BLANKS)
    if _DOUBTING.search(plain) and _NO_DOUBT not in plain.lower():
        return True
    return before[-1:] in _OPENERS and _HEDGED.search(" ".join(plain.split())) is not None


def is_later_part(text: str) -> bool:
    """Whether the words around a label name one of several parts, and not the first.

    >>> is_later_part(" to part (b) is "), is_later_part("(ii) The "), is_later_part("as f(2) = 4, the ")
    (True, True, False)
    """
    return _PART.search(text) is not None
