"""Whether a pair is mathematical. Then the embedded judge is not asked, because it cannot compute.

On a hard set of mathematical answers it agrees with people hardly better than chance, while the rules are right nine
times in ten.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from hybridverify.conventions import Conventions
from hybridverify.judges.embedded.alternatives import alternatives
from hybridverify.language import expressions as re
from hybridverify.language.patterns import WORD
from hybridverify.language.pieces import runs
from hybridverify.maths import Unreadable, read
from hybridverify.maths.values.kinds import Date, Listing, Scalar, Text

_CONVENTIONS = Conventions()
_MAX_READ = 400  # a longer text is prose, whatever it quotes
_MAX_REFERENCES = 8
_SIGNS = re.compile(r"\\[a-zA-Z]+|[=^_<>≤≥∈∪∩√π∞±]|\d\s*[-+*/]\s*\d|\b[a-z]\([a-z]\)")
LEAST_WORD = 3
"""A shorter word may be the name of a value."""
_TIMES = frozenset(("when", "year", "date", "decade", "century", "season"))


def is_mathematical(question: str, references: Sequence[str], answer: str) -> bool:
    """Whether every spelling of the reference is a number, a quantity or a formula, or the answer is a formula.

    >>> is_mathematical("", ["Marie Curie"], "It was Marie Curie."), is_mathematical("", ["3x + 1"], "1 + 3x")
    (False, True)
    >>> is_mathematical("How many?", ["42"], "about forty"), is_mathematical("When was it?", ["1966"], "in 1967")
    (True, False)
    """
    return asks_for_mathematics(question, tuple(references)) or is_formula(answer)


@lru_cache(maxsize=1024)  # a group shares them
def asks_for_mathematics(question: str, references: tuple[str, ...]) -> bool:
    """Whether every spelling of the reference is a number, a quantity or a formula."""
    texts = alternatives(references)[:_MAX_REFERENCES] or references[:1]
    return bool(texts) and all(_is_number_or_formula(text, question) for text in texts)


def _is_number_or_formula(text: str, question: str) -> bool:
    if len(text) > _MAX_READ:
        return False
    if _is_year(text.strip()) and not _TIMES.isdisjoint(runs(question.lower())):
        return False
    value = _value(text)
    if isinstance(value, (Text, Date)):
        return False
    if isinstance(value, Unreadable):
        return is_formula(text)
    return not (isinstance(value, Listing) and all(isinstance(item, (Text, Date)) for item in value.items))


def _is_year(text: str) -> bool:
    return len(text) == 4 and text.isascii() and text.isdecimal() and int(text) // 100 in range(10, 21)


def is_formula(text: str) -> bool:
    """Whether the text has signs of mathematics and no more words than signs, or reads as a value other than a
    number."""
    if len(text) > _MAX_READ:
        return False
    signs, words = len(_SIGNS.findall(text)), sum(len(word) >= LEAST_WORD for word in WORD.findall(text))
    if signs or not words:
        return signs >= words and not isinstance(_value(text), (Text, Date, Scalar))
    return False


@lru_cache(maxsize=4096)
def _value(text: str) -> object:
    return read(text, _CONVENTIONS)
