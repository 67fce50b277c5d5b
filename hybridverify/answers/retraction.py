"""What takes back an answer that a response has just given: a correction, a "wait, no", a denial behind it.

A chain that is not sure which answer stands pays none: the tiers above see "no answer" and leave it open.
"""

from __future__ import annotations

import re

from hybridverify.language.patterns import LONG_WORD

_WRONG = (
    r"(?:that|this|which|it|i)(?:'s|\s(?:is|was|must be|looks|seems|made))\s"
    r"(?:wrong|incorrect|not right|not correct|(?:a|an)\s(?:\w+\s)?(?:mistake|error))\b"
)
_CORRECTION = r"(?:correction|corrigendum|erratum|edit)[*_ ]{0,4}:"
TAKEN_BACK = re.compile(
    rf"[\s$*)\]\\.…]{{0,8}}(?:{_CORRECTION}|(?:\.\.|…|\?)[\s*_]{{0,4}}no\b[,:]?\s|scratch that\b"
    rf"|(?:(?:but|no|however|well|hmm|wait|oops),? )?{_WRONG})",
    re.IGNORECASE,
)
"""What takes back the box or other mark before it. A "wait" alone does not: many check an answer and keep it."""
_MORE = re.compile(r"[ \t]{0,4}[^\s.]")
_TITLE_WORDS = 2


def is_left_open(content: str, body: str, end: int) -> bool:
    """Whether the sentence that ends at `end` asks ("7? 8?") or breaks off and goes on ("7 ... 8").

    >>> is_left_open("7", "It is 7? 8?", 7), is_left_open("Who's Afraid of Virginia Woolf", "Who .. Woolf?", 12)
    (True, False)
    """
    if body[end : end + 1] in ("?", "？"):  # a text of several words may be a title
        return len(LONG_WORD.findall(content)) < _TITLE_WORDS or any(map(str.isdigit, content))
    return body.startswith("...", max(0, end - 2)) and _MORE.match(body, end + 1) is not None
