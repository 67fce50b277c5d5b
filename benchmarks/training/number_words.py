"""Numbers in digits and words, read from left to right: `1 1/2`, `twenty-four`, `half a dozen`, `two thirds`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from training.measures import ONES, PARTS, SCALES, TENS, UNITS

MAX_DIGITS = 15


class Numbers:
    """A place in a row of tokens, and what stands there."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens, self.at = tokens, 0

    def peek(self, ahead: int = 0) -> str:
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ""

    def take(self, *words: str) -> bool:
        """Step over these words where they come next."""
        if all(self.peek(i) == word for i, word in enumerate(words)):
            self.at += len(words)
            return True
        return False

    def number(self) -> Fraction | None:
        """Digits or words, with a fraction behind them or alone."""
        negative = self.peek() == "-" and self.peek(1)[:1].isdigit() and self.take("-")
        whole = self._digits() if self.peek()[:1].isdigit() or self.peek()[:1] == "." else self._spelled()
        if whole is None:
            return None
        if self.take("out", "of"):
            of = self._digits() if self.peek()[:1].isdigit() else self._spelled()
            return whole / of if of else None
        value = whole + (self.and_part() if whole >= 1 and whole.denominator == 1 else 0)
        return -value if negative else value

    def _digits(self) -> Fraction | None:
        """`1,200`, `2.5`, `3/4`, `1 1/2`, `2 dozen`, `3 quarters`."""
        value = _fraction(self.peek())
        if value is None:
            return None
        self.at += 1
        below = _fraction(self.peek(1)) if self.peek() == "/" else None
        if below:
            self.at += 2
            return value / below
        over, under = _fraction(self.peek()), _fraction(self.peek(2))
        if self.peek(1) == "/" and over is not None and under and over < under and value.denominator == 1:
            self.at += 3
            return value + over / under
        if self.peek() in SCALES:
            return value * SCALES[self._advance()]
        if self.peek() in PARTS:
            return value / PARTS[self._advance()]
        return value

    def _spelled(self) -> Fraction | None:
        """`twenty-four`, `one hundred and five`, `a dozen`, `half`, `two thirds`; `a` or `an` before a unit."""
        if self.peek() in ("a", "an", "one") and self.peek(1) in PARTS:
            self.at += 1
            return Fraction(1, PARTS[self._advance()])
        if self.peek() in ("half", "quarter"):
            return Fraction(1, PARTS[self._advance()])
        if self.peek() in ("a", "an"):
            if self.peek(1) in SCALES:
                self.at += 1
                return self._cardinal(1)
            if self.peek(1) in UNITS:
                self.at += 1
                return Fraction(1)
            return None
        if self.peek() not in ONES and self.peek() not in TENS:
            return None
        value = self._cardinal(self._small())
        if self.peek() in PARTS and value.denominator == 1:
            return value / PARTS[self._advance()]
        return value

    def _cardinal(self, value: int) -> Fraction:
        """Hundreds and thousands behind the first small number."""
        total = 0
        while True:
            if self.take("thousand"):
                total, value = total + value * 1000, 0
            elif self.peek() in SCALES:
                value *= SCALES[self._advance()]
            else:
                return Fraction(total + value)
            ahead = 1 if self.peek() == "and" else 0
            if self.peek(ahead) in ONES or self.peek(ahead) in TENS:
                if self.peek(ahead + 1) in PARTS:
                    return Fraction(total + value)
                self.at += ahead
                value += self._small()

    def _small(self) -> int:
        """`seven`, `twenty`, `twenty seven`."""
        word = self._advance()
        if word in ONES:
            return ONES[word]
        return TENS[word] + (ONES[self._advance()] if 0 < ONES.get(self.peek(), 0) < 10 else 0)

    def and_part(self) -> Fraction:
        """`and a half`, `and three quarters`; 0 where nothing of the kind comes next."""
        if self.peek() != "and":
            return Fraction(0)
        start = self.at
        self.at += 1
        part = self._digits() if self.peek()[:1].isdigit() and self.peek(1) == "/" else self._spelled()
        if part is not None and 0 < part < 1 and self.peek() != "of" and self.peek() not in ("a", "an"):
            return part
        self.at = start
        return Fraction(0)

    def _advance(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]


def _fraction(token: str) -> Fraction | None:
    digits = token.replace(",", "")
    if (
        not digits
        or not digits.isascii()
        or len(digits) > MAX_DIGITS
        or not digits.replace(".", "", 1).isdigit()
    ):
        return None
    return Fraction(digits)
