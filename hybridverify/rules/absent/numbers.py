"""The numbers that tokens state, each with all values it may have, and the unit beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import factorial

from hybridverify.language.number_words import NUMBER_WORDS, read_words
from hybridverify.maths.algebra.literals import number
from hybridverify.maths.limits import Limit, Unread
from hybridverify.maths.notation.tokens import Token
from hybridverify.maths.units.measures import is_physical
from hybridverify.maths.units.reading import read_unit
from hybridverify.maths.values.kinds import Unit
from hybridverify.rules.absent import words as known

_MAX_WORDS = 12
"""The longest number in words; it is read in all its parts."""
_MAX_FACTORIAL = 30
_JOINING = frozenset(("and", "a", "point", "-"))
_SIGNS = frozenset(("plus", "minus", "negative"))
_NUMERALS = NUMBER_WORDS - _JOINING - _SIGNS
_ARTICLES = frozenset(("a", "an"))
_PERCENT = frozenset(("%", "percent"))
_UNIT_KINDS = ("word", "let", "fun")
_SHORT_UNITS = frozenset(("in", "a"))
_BEFORE = 3
"""So many words before a number may say that it is not meant to the digit."""


@dataclass(frozen=True)
class Stated:
    """One number: where its tokens begin and end, what it may be, what it measures.

    `implied` is the one of `an hour`. `rough`: it is said to be about so much. `ordinal`:
    `first`, which is a number behind tens alone.
    """

    start: int
    end: int
    values: tuple[Fraction, ...]
    unit: Unit | None = None
    implied: bool = False
    rough: bool = False
    ordinal: bool = False


def stated_numbers(tokens: Sequence[Token]) -> list[Stated]:
    """All numbers in order. Raises Unread where one is beyond the bounds."""
    found: list[Stated] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.kind == "num":
            found.append(_of_digits(tokens, at))
        elif token.kind == "word" and token.text.lower() in _NUMERALS:
            found.append(_of_words(tokens, at))
        elif token.kind == "word" and token.text.lower() in known.FACTORS:
            value = Fraction(known.FACTORS[token.text.lower()])
            found.append(Stated(at, at + 1, (value, 1 / value)))
        elif token.text.lower() in known.ORDINALS:
            found.append(Stated(at, at + 1, (Fraction(known.ORDINALS[token.text.lower()]),), ordinal=True))
        elif (
            token.text.lower() == "point"
            and at + 1 < len(tokens)
            and tokens[at + 1].text.lower() in _NUMERALS
        ):
            raise Unread("a decimal in words")
        elif token.text.lower() in _ARTICLES or token.kind == "word":
            found += _of_unit(tokens, at, counted=bool(found) and found[-1].end == at)
        at = max(at + 1, found[-1].end if found else 0)
    return found


def physical_unit(token: Token) -> Unit | None:
    """The unit of the table that a word is, None for a counted noun."""
    if token.kind not in _UNIT_KINDS or token.text in _SHORT_UNITS:
        return None
    unit = read_unit([token])
    return unit if unit is not None and unit.known and is_physical(unit) else None


def _of_digits(tokens: Sequence[Token], at: int) -> Stated:
    value = Fraction(number(tokens[at]).value)
    values = [value]
    end = at + 1
    following = tokens[end].text if end < len(tokens) else ""
    if following == "!" and value.denominator == 1:
        if value > _MAX_FACTORIAL:
            raise Limit("limit")
        values.append(Fraction(factorial(int(value))))
    return _completed(tokens, at, end, values)


def _of_words(tokens: Sequence[Token], at: int) -> Stated:
    """The longest number in words that begins here, and what each part of it says."""
    end = at
    while end < len(tokens) and (
        tokens[end].text.lower() in NUMBER_WORDS - _SIGNS or tokens[end].text == "-"
    ):
        end += 1
    if end - at > 2 * _MAX_WORDS:
        raise Limit("limit")
    while end > at + 1 and not _values(_words(tokens[at:end])):
        end -= 1
    while end > at + 1 and tokens[end - 1].text.lower() in _JOINING:
        end -= 1
    spoken = _words(tokens[at:end])
    values: list[Fraction] = []
    for first in range(len(spoken)):
        for last in range(first + 1, len(spoken) + 1):
            values += _values(spoken[first:last])
    if not values:
        raise Unread("a number in words")
    return _completed(tokens, at, end, values)


def _words(tokens: Sequence[Token]) -> list[str]:
    return [token.text.lower() for token in tokens if token.text != "-"]


def _values(spoken: list[str]) -> list[Fraction]:
    """A number in words; of `third` the place and the part, of `thousand` one of it."""
    told = read_words(" ".join(spoken))
    if told:
        return [Fraction(told)]
    if len(spoken) > 1:
        return []
    part = read_words("a " + ("half" if spoken[0] == "halves" else spoken[0].removesuffix("s")))
    if part:
        return [Fraction(part), 1 / Fraction(part)]
    scale = read_words("one " + spoken[0])
    return [Fraction(scale)] if scale else []


def _completed(tokens: Sequence[Token], at: int, end: int, values: list[Fraction]) -> Stated:
    """With what stands around: a percent sign, a power in words, a unit, `about`."""
    behind = [token.text.lower() for token in tokens[end : end + 2]]
    if (behind and behind[0] in _PERCENT) or behind == ["per", "cent"]:
        values += [value / 100 for value in values]
    if behind and behind[0] in known.POWERS:
        values += [value ** known.POWERS[behind[0]] for value in values if _is_small(value)]
    unit = physical_unit(tokens[end]) if end < len(tokens) else None
    if unit is None and end < len(tokens) and tokens[end].text == "-":  # `a 3-hour walk`
        unit = physical_unit(tokens[end + 1]) if end + 1 < len(tokens) else None
    rough = _is_rough(tokens[max(0, at - _BEFORE) : at])
    return Stated(at, end, tuple(dict.fromkeys(map(abs, values))), unit, rough=rough)


def _is_rough(before: Sequence[Token]) -> bool:
    """`about`, `nearly`; `more than 8`, but not the `4 more than 8` that is a sum."""
    texts = [token.text.lower() for token in before]
    if not known.ABOUT.isdisjoint(texts[-2:]):
        return True
    bound = texts[-1:] == ["than"] and not known.BOUNDS.isdisjoint(texts[-2:-1])
    return bound and not (len(texts) == _BEFORE and (before[0].kind == "num" or texts[0] in _NUMERALS))


def _is_small(value: Fraction) -> bool:
    return value.numerator.bit_length() < 200 and value.denominator.bit_length() < 200


def _of_unit(tokens: Sequence[Token], at: int, counted: bool) -> list[Stated]:
    """`an hour`, and a unit without a number, as in `all week`: one of it."""
    place = at + 1 if tokens[at].text.lower() in _ARTICLES else at
    unit = physical_unit(tokens[place]) if place < len(tokens) and len(tokens[place].text) > 2 else None
    if unit is None or (counted and place == at):
        return []
    return [Stated(at, place + 1, (Fraction(1),), unit, implied=True)]
