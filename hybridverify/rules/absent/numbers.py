"""The numbers that tokens state, each with all values it may have, and the unit beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
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
_IN_NUMBERS = NUMBER_WORDS - _SIGNS | {"-"}
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
        found += _stated_at(tokens, at, counted=bool(found) and found[-1].end == at)
        at = max(at + 1, found[-1].end if found else 0)
    return found


def _stated_at(tokens: Sequence[Token], at: int, counted: bool) -> list[Stated]:
    """The number that begins here, or none. `counted`: another one ends here."""
    kind, word = tokens[at].kind, tokens[at].text.lower()
    if kind == "num":
        return [_of_digits(tokens, at)]
    if kind == "word" and word in _NUMERALS:
        return [_of_words(tokens, at)]
    if kind == "word" and word in known.FACTORS:
        value = Fraction(known.FACTORS[word])
        return [Stated(at, at + 1, (value, 1 / value))]
    if word in known.ORDINALS:
        return [Stated(at, at + 1, (Fraction(known.ORDINALS[word]),), ordinal=True)]
    _check_point(tokens[at : at + 2])
    return _of_unit(tokens, at, counted) if kind == "word" or word in _ARTICLES else []


def _check_point(following: Sequence[Token]) -> None:
    words = [token.text.lower() for token in following]
    if words[0] == "point" and not _NUMERALS.isdisjoint(words[1:]):
        raise Unread("a decimal in words")


def physical_unit(token: Token) -> Unit | None:
    """The unit of the table that a word is, None for a counted noun."""
    if token.kind not in _UNIT_KINDS or token.text in _SHORT_UNITS:
        return None
    return _physical(token.kind, token.text)


@lru_cache(maxsize=2048)  # the words of a response come again in the next one
def _physical(kind: str, text: str) -> Unit | None:
    unit = read_unit([Token(kind, text)])
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
    end = _end_of_words(tokens, at)
    spoken = _words(tokens[at:end])
    values = [
        value
        for first, last in combinations(range(len(spoken) + 1), 2)
        for value in _values(spoken[first:last])
    ]
    if not values:
        raise Unread("a number in words")
    return _completed(tokens, at, end, values)


def _end_of_words(tokens: Sequence[Token], at: int) -> int:
    end = at
    while end < len(tokens) and tokens[end].text.lower() in _IN_NUMBERS:
        end += 1
    if end - at > 2 * _MAX_WORDS:
        raise Limit("limit")
    while end > at + 1 and not _values(_words(tokens[at:end])):
        end -= 1
    while end > at + 1 and tokens[end - 1].text.lower() in _JOINING:
        end -= 1
    return end


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
    following = tokens[end : end + 2]
    behind = [token.text.lower() for token in following]
    if not _PERCENT.isdisjoint(behind[:1]) or behind == ["per", "cent"]:
        values += [value / 100 for value in values]
    power = known.POWERS.get(behind[0], 1) if behind else 1
    if power > 1:
        values += [value**power for value in values if _is_small(value)]
    rough = _is_rough(tokens[max(0, at - _BEFORE) : at])
    return Stated(at, end, tuple(dict.fromkeys(map(abs, values))), _unit_in(following), rough=rough)


def _unit_in(following: Sequence[Token]) -> Unit | None:
    """The unit that comes first, or behind a hyphen: `a 3-hour walk`."""
    unit = physical_unit(following[0]) if following else None
    if unit is None and len(following) > 1 and following[0].text == "-":
        return physical_unit(following[1])
    return unit


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
