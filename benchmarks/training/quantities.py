"""One quantity out of a short text: `90 minutes`, `\\frac{3}{2} \\text{ hours}`, `an hour and a half`, `75%`.

A reader for a closed world: the answers of our own task. It shares nothing with the library that it helps to
measure. What it cannot read whole it does not read.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from training.measures import UNITS, words
from training.number_words import Numbers

MAX_CHARACTERS = 200
"""A final answer is short; a longer text is not read, which also bounds the work."""


BEFORE = frozenset(
    words(
        "a about after all also altogether answer approx approximately are around be costs ends equals equivalent "
        "exactly final has in is it its just lasts of precisely rough roughly rounded so takes that the there they "
        "this to total totals was we weighs were will"
    )
)
"""Words that may stand around a quantity and change nothing."""

_GLYPHS = {
    "¼": "1/4",
    "½": "1/2",
    "¾": "3/4",
    "⅓": "1/3",
    "⅔": "2/3",
    "⅕": "1/5",
    "⅛": "1/8",
    "−": "-",
    "–": "-",
}
_FRACTION = re.compile(r"\\[dtc]?frac\s*(?:\{\s*(\d{1,15})\s*\}|(\d))\s*(?:\{\s*(\d{1,15})\s*\}|(\d))")
_SPACES = words(r"\, \; \: \! ~ * \( \) \[ \] \quad \left \right \displaystyle")
_STYLED = re.compile(r"\\(?:text|boxed|textbf|textit|textrm|mathrm|mathbf|mbox|operatorname|boldsymbol)\s*\{")
_TOKEN = re.compile(r"\d+(?:,\d{3})+(?![\d,])(?:\.\d+)?|\d*\.\d+|\d+|[a-z]+|\S")
_POINT = re.compile(r"(?<=\d)\.(?!\d)")
_JOINT = re.compile(r"(?<=[a-z])-(?=[a-z])")


@dataclass(frozen=True)
class Quantity:
    """A value in its dimension's measure; `bare` when no unit was said; `strange` holds words that say something
    else besides."""

    value: Fraction
    kind: str = ""
    strange: tuple[str, ...] = ()

    @property
    def bare(self) -> bool:
        return not self.kind


def plain(text: str) -> str:
    """The text without LaTeX's dress.

    >>> plain(r"1\\frac{1}{2}\\text{ hours}")
    '1 1/2   hours '
    """
    text = text.strip().strip("$").strip() if _wrapped(text.strip()) else text
    text = text.replace("\\$", "$").replace("\\%", "%").replace("{,}", ",").replace("\\ ", " ")
    for space in _SPACES:
        text = text.replace(space, " ")
    for glyph, written in _GLYPHS.items():
        text = text.replace(glyph, f" {written} " if len(written) > 1 else written)
    text = _FRACTION.sub(lambda m: f" {m[1] or m[2]}/{m[3] or m[4]} ", text)
    return _STYLED.sub(" ", text).replace("{", "").replace("}", " ")


def quantity(text: str, known: Container[str] = ()) -> Quantity | None:
    """The one quantity that the text is, or None. Words of `known` (the question's) may stand beside it.

    >>> quantity("an hour and a half"), quantity("24 or 25")
    (Quantity(value=Fraction(5400, 1), kind='time', strange=()), None)
    """
    if len(text) > MAX_CHARACTERS:
        return None
    tokens = _TOKEN.findall(
        _JOINT.sub(" ", _POINT.sub(" ", plain(text).casefold().replace("'s", ""))).strip(" .!")
    )
    return _Reader(tokens, known).whole()


def _wrapped(text: str) -> bool:
    """Whether dollar signs are brackets here, and not money."""
    return len(text) > 2 and text.startswith("$") and text.endswith("$")


class _Reader(Numbers):
    """Reads tokens from left to right, each once or twice."""

    def __init__(self, tokens: Sequence[str], known: Container[str]) -> None:
        super().__init__(tokens)
        self.known = known

    def whole(self) -> Quantity | None:
        """Words, one quantity in one or more terms (`1 hour 30 minutes`), words."""
        strange = self._words()
        terms: list[tuple[Fraction, str, Fraction]] = []
        while (term := self._term()) is not None:
            terms.append(term)
            self.take("and") or self.take(",")
        strange += self._words()
        if self.at < len(self.tokens) or not terms:
            return None
        total = _sum(terms)
        return None if total is None else Quantity(*total, strange=tuple(strange))

    def _words(self) -> list[str]:
        """Skip what is no quantity; the words that say something are returned."""
        strange = []
        while self.at < len(self.tokens):
            start = self.at
            if self._term() is not None:
                self.at = start
                break
            word = self.tokens[self.at]
            if not word.isalpha() and word not in ",.:;-'≈":
                break
            if word.isalpha() and word not in BEFORE and not among(word, self.known):
                strange.append(word)
            self.at += 1
        return strange

    def _term(self) -> tuple[Fraction, str, Fraction] | None:
        """A number with its unit: value, kind, size of the unit."""
        start = self.at
        dollars = self.take("$")
        value = self.number()
        if value is None:
            self.at = start
            return None
        if dollars and self.take("$"):
            dollars = False  # brackets of a formula
        if dollars:
            self.take("dollars") or self.take("usd")
            return value, "money", Fraction(1)
        if self.take("%"):
            return value / 100, "percent", Fraction(1)
        if value.denominator > 1 and (
            self.take("of", "a") or self.take("of", "an") or self.take("of", "one")
        ):
            pass  # three quarters of an hour
        elif value.denominator > 1 and self.peek() in ("a", "an") and self.peek(1) in (*UNITS, "dozen"):
            self.at += 1  # half an hour
        if value.denominator > 1 and self.take("dozen"):
            value *= 12
        if self.take("per", "cent"):
            return value / 100, "percent", Fraction(1)
        kind, size = UNITS.get(self.peek(), ("", Fraction(1)))
        if kind:
            self.at += 1
            value += self.and_part()  # an hour and a half
        elif self.take("$"):
            kind = "money"
        return value * size, kind, size


def among(word: str, known: Container[str]) -> bool:
    """Whether the question says the word, in the singular or the plural."""
    return (
        word in known
        or f"{word}s" in known
        or word.removesuffix("s") in known
        or word.removesuffix("es") in known
    )


def _sum(terms: Sequence[tuple[Fraction, str, Fraction]]) -> tuple[Fraction, str] | None:
    """One term, or several of one dimension from the largest unit to the smallest."""
    if len(terms) == 1:
        return terms[0][:2]
    falling = all(first[2] > second[2] for first, second in pairwise(terms))
    kinds = {kind for _, kind, _ in terms}
    if falling and len(kinds) == 1 and "" not in kinds and "percent" not in kinds:
        return sum((value for value, _, _ in terms), Fraction(0)), terms[0][1]
    return None
