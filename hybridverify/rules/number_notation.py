r"""How a number is written: as a numeral, fraction, mixed number, percentage, with a power of ten, in prime factors.

Told from the signs of the notation, since the value is the same in all of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from hybridverify.maths import Reading
from hybridverify.maths.algebra.nodes import Num
from hybridverify.maths.values.kinds import Percent, Scalar

NUMERAL, PERCENT, WORDS, PRIMES = "numeral", "percentage", "number words", "prime factors"
_SHAPES = {"n": NUMERAL, "n/n": "fraction", "Fnn": "fraction", "Fn": "fraction"} | dict.fromkeys(
    ("nFnn", "nFn", "nn/n"), "mixed number"
)
"""By the kinds of signs: n for a number, F for the command of a fraction, which may stand before two digits."""
_IDLE = frozenset("{}()$+-")
_MAX_SIGNS, _MAX_BASE = 40, 10_000


def is_otherwise(answer: Reading, references: Sequence[Reading]) -> bool:
    r"""Whether an answer is written in another of these notations than every reference. The sign of a percentage may be
    left out.

    >>> from hybridverify.conventions import DEFAULT
    >>> from hybridverify.maths import reading_of
    >>> told = [reading_of("75%", DEFAULT)]
    >>> [is_otherwise(reading_of(text, DEFAULT), told) for text in ("0.75", "3/4", "75", "x")]
    [True, True, False, False]
    """
    said, wanted = notation_of(answer), {notation_of(one) for one in references}
    if wanted == {PRIMES} and isinstance(answer.value, Scalar):
        return said != PRIMES
    if not said or said in wanted or not wanted.isdisjoint(("", WORDS)):
        return False
    if wanted | {said} == {NUMERAL, PERCENT}:
        return all(_numbers(answer)[:1] != _numbers(one)[:1] for one in references)
    return True


def is_rounded_otherwise(answer: Reading, references: Sequence[Reading]) -> bool:
    """Whether an answer is a number with another value than every reference, as a number rounded to other digits is.

    >>> from hybridverify.conventions import DEFAULT
    >>> from hybridverify.maths import reading_of
    >>> told = [reading_of("2.72", DEFAULT)]
    >>> [is_rounded_otherwise(reading_of(text, DEFAULT), told) for text in ("2.718", "e", "2.720")]
    [True, True, False]
    """
    if not isinstance(answer.value, Scalar):
        return False
    return all(isinstance(one.value, Scalar) and one.value.exact != answer.value.exact for one in references)


def notation_of(reading: Reading) -> str:
    r"""The name of the notation, "" for any other.

    >>> from hybridverify.conventions import DEFAULT
    >>> from hybridverify.maths import reading_of
    >>> [notation_of(reading_of(text, DEFAULT)) for text in ("0.5", r"\frac12", "1 1/2", r"5 \cdot 10^{-1}", "2^2*3")]
    ['numeral', 'fraction', 'mixed number', 'scientific', 'prime factors']
    """
    if isinstance(reading.value, Percent):
        return PERCENT
    signs = _signs(reading)
    if not isinstance(reading.value, Scalar) or not 0 < len(signs) <= _MAX_SIGNS:
        return ""
    if isinstance(reading.value.node, Num) and reading.value.digits > 0 and not reading.tokens:
        return NUMERAL  # "zero point three five"
    if isinstance(reading.value.node, Num) and signs[-1].isalpha() and "word" in dict(reading.tokens):
        return WORDS
    return _notation(signs, "".join(map(_kind, signs)))


def _notation(signs: Sequence[str], shape: str) -> str:
    if "e" in signs[0].lower() and shape == "n":
        return "scientific"
    if shape in _SHAPES:
        return _SHAPES[shape]
    if shape == "n*n^n" and signs[2] == "10":
        return "scientific" if 1 <= abs(float(signs[0])) < 10 else "power of ten"
    if len(signs) > 1 and set(shape) <= set("n*^"):
        return PRIMES if _are_prime(signs) else "product"
    return ""


def _signs(reading: Reading) -> list[str]:
    texts = [text for _, text in reading.tokens] or [reading.text]
    return [text for text in texts if text not in _IDLE]


def _numbers(reading: Reading) -> list[str]:
    return [text for text in _signs(reading) if _kind(text) == "n"]


def _kind(text: str) -> str:
    if text == "frac":
        return "F"
    return "n" if text[:1].isdigit() or text[:1] == "." else text


def _are_prime(signs: Sequence[str]) -> bool:
    """Whether all factors but the exponents are prime."""
    bases = [
        one for before, one in zip(["", *signs], signs, strict=False) if one[0].isdigit() and before != "^"
    ]
    return all(one.isdigit() and _is_prime(int(one)) for one in bases)


def _is_prime(number: int) -> bool:
    if number > _MAX_BASE:
        return False
    return number > 1 and all(number % divisor for divisor in range(2, int(number**0.5) + 1))
