"""All that a response may mean by its numbers, and what widens the comparison with a reference."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import NamedTuple

from hybridverify.language.number_words import NUMBER_WORDS
from hybridverify.maths.limits import Limit, Unread
from hybridverify.maths.notation.tokens import Token
from hybridverify.rules.absent import words as known
from hybridverify.rules.absent.matching import Scope
from hybridverify.rules.absent.measures import compounds, factors, named_units, shifts
from hybridverify.rules.absent.numbers import Stated, stated_numbers
from hybridverify.rules.absent.screen import tokens_of
from hybridverify.rules.absent.sums import MAX_VALUES, as_float, results
from hybridverify.rules.absent.wanted import Wanted

_DIGITS = re.compile(r"\d+(?:(?:[.,'] ?|\\[,;:! ]|\{,\}|[\u2009\u202f\xa0 ])\d+)*")
_SEPARATOR = re.compile(r"\D+")
_MAX_DIGITS = 60
_WORD = re.compile(r"[A-Za-z]+")
_RANGE = frozenset(("-", "to", "through", "until", "till"))
_MAX_QUESTION = 4_000
_TO_COMPUTE_WITH = 2
_MAX_FACTORS = 4
_MAX_SHARES = 8
_MAX_ASKED = 60
_IDLE_WORDS = frozenset(("and", "a", "point", "one"))
_HALF = Fraction(1, 2)


class Candidates(NamedTuple):
    """The numbers as `stated`, `written` in all spellings, and the `values` that they may come to.

    `scope`: by the units that are named. `rough`: numbers that are said to be about so much. `ones`: one of a unit
    is named, as in `an hour`. `roughly`: an estimate is asked. `ranges`: from where to where. `shared`: numbers of
    the question that words of the response may name. `calendar`: as far as the number of a month or day may go.
    """

    stated: tuple[Fraction, ...]
    written: frozenset[Fraction]
    values: frozenset[float]
    scope: Scope
    rough: tuple[Fraction, ...]
    ones: bool
    roughly: bool
    ranges: tuple[tuple[Fraction, Fraction], ...]
    shared: frozenset[float]
    calendar: int


def candidates(body: str, question: str, reference: Wanted) -> Candidates:
    """Everything that a response may state. Raises Unread.

    >>> found = candidates("It takes 2 hours 30 minutes.", "", Wanted(Fraction(150)))
    >>> 150.0 in found.values, 2.5 in found.values, 170.0 in found.values
    (True, True, False)
    """
    tokens = tokens_of(body)
    numbers = stated_numbers(tokens)
    told = [value for one in numbers if not (one.implied or one.ordinal) for value in one.values]
    if not told:
        raise Unread("no number")
    spelled, parts_of_them = _spelled(body)
    written = spelled.union(told)
    plain = set(map(as_float, written | parts_of_them))
    parts = known.PARTS.search(f"{question[:_MAX_QUESTION]} {body}") is not None
    values = plain | results(numbers, tokens, parts) | compounds(numbers, tokens) | _changed(plain)
    scales = _scales(tokens)
    values |= {value * float(scale) for value in values for scale in scales}
    if len(values) > MAX_VALUES:
        raise Limit("limit")
    ranges = tuple(_ranges(numbers, tokens))
    if ranges and not known.SERIES.isdisjoint(token.text.lower() for token in tokens):
        raise Unread("a sum over a range")
    return Candidates(
        stated=tuple(dict.fromkeys(told)),
        written=frozenset(written),
        values=frozenset(values),
        scope=_scope(tokens, numbers, body, question[:_MAX_QUESTION], reference),
        rough=_rough(numbers),
        ones=any(one.implied for one in numbers),
        roughly=known.ROUGHLY_ASKED.search(question[:_MAX_QUESTION]) is not None,
        ranges=ranges,
        shared=_shared(question, tokens, plain, scales),
        calendar=max((known.CALENDAR.get(token.text, 0) for token in tokens), default=0),
    )


def _scope(
    tokens: Sequence[Token], numbers: Sequence[Stated], body: str, question: str, reference: Wanted
) -> Scope:
    named = named_units(tokens, numbers) | named_units(_plain_words(question))
    counted = {
        Fraction(known.COUNTED_IN[word])
        for word in _WORD.findall(f"{reference.text} {question}".lower())
        if word in known.COUNTED_IN
    }
    texts = f"{reference.text} {question} {body}"
    return Scope(
        factors=tuple(map(float, factors(named, reference.unit, question) | counted)),
        percent=known.SHARES.search(texts) is not None,
        shifts=shifts(named) or known.SCALED.search(texts) is not None,
    )


def commits(shown: str) -> bool:
    """Does the text that is taken for the answer hold a number?

    >>> commits("So it is 4."), commits("So it is four."), commits("I do not know.")
    (True, True, False)
    """
    if any(map(str.isdecimal, shown)):
        return True
    return not (NUMBER_WORDS - _IDLE_WORDS).isdisjoint(word.lower() for word in _WORD.findall(shown[-2_000:]))


def gives_numbers(question: str) -> bool:
    """Does a question state at least two numbers, to compute with?

    >>> gives_numbers("What is 5 times four?"), gives_numbers("Who won in 1998?")
    (True, False)
    """
    text = question[:_MAX_QUESTION]
    spoken = [word for word in _WORD.findall(text.lower()) if word in NUMBER_WORDS - _IDLE_WORDS]
    return len(_DIGITS.findall(text)) + len(spoken) >= _TO_COMPUTE_WITH


def _spelled(text: str) -> tuple[set[Fraction], set[Fraction]]:
    """Runs of digits with separators, in all ways to read them as one number (`1.200,50`, `1 200`), and their parts."""
    whole: set[Fraction] = set()
    parts: set[Fraction] = set()
    for match in _DIGITS.finditer(text):
        if len(match[0]) > _MAX_DIGITS:
            raise Limit("limit")
        groups = _SEPARATOR.split(match[0])
        for first in range(len(groups)):
            for last in range(first + 1, min(len(groups), first + 6) + 1):
                digits = int("".join(groups[first:last]))
                behind = accumulate(map(len, reversed(groups[first + 1 : last])))
                found = {Fraction(digits, 10**places) for places in (0, *behind)}
                (whole if last - first == len(groups) else parts).update(found)
    return whole, parts


def _changed(values: set[float]) -> set[float]:
    """Each number increased and decreased by each share: `100 less 20%`, `half as much again`."""
    shares = [value for value in values if 0 < value < 1][:_MAX_SHARES]
    return {value * (1 + sign * share) for value in values for share in shares for sign in (1, -1)}


def _rough(numbers: Sequence[Stated]) -> tuple[Fraction, ...]:
    """`about 8`, `over 8 million`."""
    found: list[Fraction] = []
    for one, behind in zip(numbers, [*numbers[1:], None], strict=True):
        if one.rough:
            found += one.values
            if behind is not None and behind.start == one.end:
                found += [value * scale for value in one.values for scale in behind.values]
    return tuple(found)


def _scales(tokens: Sequence[Token]) -> set[Fraction]:
    """What a word such as `twice` or `half` may do to any number, stated near or far."""
    spoken = {token.text.lower() for token in tokens if token.kind == "word"}
    found = {Fraction(known.FACTORS[word]) for word in spoken & known.FACTORS.keys()}
    found |= {_HALF} if not spoken.isdisjoint(("half", "halves", "halved", "halve")) else set()
    if len(found) > _MAX_FACTORS:
        raise Limit("limit")
    return found


def _shared(
    question: str, tokens: Sequence[Token], values: set[float], scales: set[Fraction]
) -> frozenset[float]:
    """Numbers of the question, where words of the response may name one: `all of them`, `a third of them`."""
    spoken = {token.text.lower() for token in tokens if token.kind == "word"}
    factors = {float(scale) for scale in scales}
    factors |= {
        part
        for value in sorted(values)[:_MAX_SHARES]
        if 0 < value < 1
        for part in (value, 1 - value, 1 + value)
    }
    if "times" in spoken and "as" in spoken:
        factors |= set(sorted(values)[:_MAX_SHARES])
    if not spoken.isdisjoint(known.SHARED):
        factors.add(1.0)
    return (
        frozenset(number * factor for number in _numbers_in(question) for factor in factors)
        if factors
        else frozenset()
    )


def _numbers_in(question: str) -> list[float]:
    text = question[:_MAX_QUESTION]
    found = [float(digits) for digits in re.findall(r"\d{1,15}(?:\.\d{1,9})?", text)]
    try:
        spoken = [float(value) for one in stated_numbers(_plain_words(text)) for value in one.values]
    except Unread:
        spoken = []
    return [*found, *spoken][:_MAX_ASKED]


def _plain_words(text: str) -> list[Token]:
    return [Token("word", word, True) for word in _WORD.findall(text[:_MAX_QUESTION])]


def _ranges(numbers: Sequence[Stated], tokens: Sequence[Token]) -> list[tuple[Fraction, Fraction]]:
    """`3 to 5`, `1990-1998`, `between 3 and 5`."""
    found = []
    for first, second in pairwise([one for one in numbers if not one.implied]):
        between = tokens[first.end : second.start]
        texts = {token.text.lower() for token in between}
        digits = tokens[first.start].kind == tokens[second.start].kind == "num"
        gaps = any(token.gap for token in (*between, tokens[second.start]))
        tight = "-" not in texts or (digits and not gaps)
        opened = first.start and tokens[first.start - 1].text.lower() == "between"
        rising = min(first.values) < max(second.values)
        if rising and ((texts & _RANGE and tight and len(between) <= 3) or (opened and "and" in texts)):
            found.append((min(*first.values, *second.values), max(*first.values, *second.values)))
    return found
