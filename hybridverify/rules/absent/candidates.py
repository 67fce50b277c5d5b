"""All that a response may mean by its numbers, and what widens the comparison with a reference."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise, product, starmap
from operator import mul
from typing import NamedTuple

from hybridverify.language import expressions as re
from hybridverify.language.asked import read_question
from hybridverify.language.number_words import NUMBER_WORDS
from hybridverify.language.patterns import WORD
from hybridverify.maths.limits import Limit, Unread
from hybridverify.maths.notation.tokens import Token
from hybridverify.rules.absent import words as known
from hybridverify.rules.absent.matching import Scope
from hybridverify.rules.absent.measures import Measure, compounds, factors, named_units, shifts
from hybridverify.rules.absent.numbers import Stated, stated_numbers
from hybridverify.rules.absent.screen import tokens_of
from hybridverify.rules.absent.sums import MAX_VALUES, as_float, results
from hybridverify.rules.absent.wanted import Wanted

_DIGITS = re.compile(r"\d+(?:(?:[.,'] ?|\\[,;:! ]|\{,\}|[\u2009\u202f\xa0 ])\d+)*")
_MAX_DIGITS = 60
_RANGE = frozenset(("-", "to", "through", "until", "till"))
_MAX_QUESTION = 4_000
_TO_COMPUTE_WITH = 2
_MAX_FACTORS = 4
_MAX_SHARES = 8
_MAX_ASKED = 60
_MAX_SYMBOL = 3
_IDLE_WORDS = frozenset(("and", "a", "point", "one"))
_MOST_BETWEEN = 3
_HALF = Fraction(1, 2)


class Candidates(NamedTuple):
    """The numbers as `stated`, `written` in all spellings, and the `values` that they may come to.

    `named`: the units that are named. `percent`, `shifts`: as in `Scope`. `rough`: numbers that are said to be about
    so much. `ones`: one of a unit is named, as in `an hour`. `roughly`: an estimate is asked. `ranges`: from where to
    where. `shared`: numbers of the question that words of the response may name. `calendar`: as far as the number of a
    month or day may go.
    """

    stated: tuple[Fraction, ...]
    written: frozenset[Fraction]
    values: frozenset[float]
    named: frozenset[Measure]
    percent: bool
    shifts: bool
    rough: tuple[Fraction, ...]
    ones: bool
    roughly: bool
    ranges: tuple[tuple[Fraction, Fraction], ...]
    shared: frozenset[float]
    calendar: int


@lru_cache(maxsize=64)  # the values of one reference make the same candidates
def candidates(body: str, question: str) -> Candidates:
    """Everything that a response may state. Raises Unread.

    >>> found = candidates("It takes 2 hours 30 minutes.", "")
    >>> 150.0 in found.values, 2.5 in found.values, 170.0 in found.values
    (True, True, False)
    """
    question = question[:_MAX_QUESTION]
    texts, tokens = f"{question} {body}", tokens_of(body)
    numbers = stated_numbers(tokens)
    told = _told(numbers)
    spelled, parts_of_them = _spelled(body)
    written = spelled.union(told)
    plain = set(map(as_float, written | parts_of_them))
    parts = known.PARTS.search(texts) is not None
    scales = _scales(tokens)
    values = plain | results(numbers, tokens, parts) | compounds(numbers, tokens) | _changed(plain)
    ranges = tuple(_ranges(numbers, tokens))
    if ranges and not known.SERIES.isdisjoint(token.text.lower() for token in tokens):
        raise Unread("a sum over a range")
    named = frozenset(named_units(tokens, numbers) | named_units(_plain_words(question)))
    return Candidates(
        stated=tuple(dict.fromkeys(told)),
        written=frozenset(written),
        values=_scaled(values, scales),
        named=named,
        percent=known.SHARES.search(texts) is not None,
        shifts=shifts(named) or _holds_symbol(tokens, numbers) or known.is_scaled(texts),
        rough=_rough(numbers),
        ones=any(one.implied for one in numbers),
        roughly=read_question(question).roughly,
        ranges=ranges,
        shared=_shared(question, tokens, plain, scales),
        calendar=max((known.CALENDAR.get(token.text, 0) for token in tokens), default=0),
    )


def scope_of(found: Candidates, reference: Wanted, question: str) -> Scope:
    """What else may hold between these numbers and a reference. Raises Unread."""
    said = f"{reference.text} {question[:_MAX_QUESTION]}".lower()
    counted = {Fraction(known.COUNTED_IN[word]) for word in WORD.findall(said) if word in known.COUNTED_IN}
    return Scope(
        factors=tuple(map(float, factors(found.named, reference.unit, question) | counted)),
        percent=found.percent or known.SHARES.search(reference.text) is not None,
        shifts=found.shifts or known.is_scaled(reference.text),
    )


def _holds_symbol(tokens: Sequence[Token], numbers: Sequence[Stated]) -> bool:
    """Is there a number before a short word with a capital that is no unit we know? It may count any power of ten."""
    behind = (tokens[one.end].text for one in numbers if one.unit is None and one.end < len(tokens))
    return any(len(word) <= _MAX_SYMBOL and not word.islower() and word.isalpha() for word in behind)


def _told(numbers: Sequence[Stated]) -> list[Fraction]:
    """What is stated as a number. Raises Unread where nothing is."""
    told = [value for one in numbers if not (one.implied or one.ordinal) for value in one.values]
    if not told:
        raise Unread("no number")
    return told


def _scaled(values: set[float], scales: set[Fraction]) -> frozenset[float]:
    """The values, and each of them times each scale."""
    found = values | {value * float(scale) for value in values for scale in scales}
    if len(found) > MAX_VALUES:
        raise Limit("limit")
    return frozenset(found)


def commits(shown: str) -> bool:
    """Does the text that is taken for the answer hold a number?

    >>> commits("So it is 4."), commits("So it is four."), commits("I do not know.")
    (True, True, False)
    """
    if any(map(str.isdecimal, shown)):
        return True
    return not (NUMBER_WORDS - _IDLE_WORDS).isdisjoint(word.lower() for word in WORD.findall(shown[-2_000:]))


def gives_numbers(question: str) -> bool:
    """Does a question state at least two numbers, to compute with?

    >>> gives_numbers("What is 5 times four?"), gives_numbers("Who won in 1998?")
    (True, False)
    """
    text = question[:_MAX_QUESTION]
    spoken = [word for word in WORD.findall(text.lower()) if word in NUMBER_WORDS - _IDLE_WORDS]
    return len(_DIGITS.findall(text)) + len(spoken) >= _TO_COMPUTE_WITH


def _spelled(text: str) -> tuple[set[Fraction], set[Fraction]]:
    """Runs of digits with separators, in all ways to read them as one number (`1.200,50`, `1 200`), and their parts."""
    whole: set[Fraction] = set()
    parts: set[Fraction] = set()
    for match in _DIGITS.finditer(text):
        if len(match[0]) > _MAX_DIGITS:
            raise Limit("limit")
        groups = "".join(char if char.isdecimal() else " " for char in match[0]).split()
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
    spoken = _spoken(tokens)
    found = {Fraction(known.FACTORS[word]) for word in spoken & known.FACTORS.keys()}
    found |= {_HALF} if not spoken.isdisjoint(("half", "halves", "halved", "halve")) else set()
    if len(found) > _MAX_FACTORS:
        raise Limit("limit")
    return found


def _shared(
    question: str, tokens: Sequence[Token], values: set[float], scales: set[Fraction]
) -> frozenset[float]:
    """Numbers of the question, where words of the response may name one: `all of them`, `a third of them`."""
    spoken, smallest = _spoken(tokens), sorted(values)[:_MAX_SHARES]
    factors = set(map(float, scales))
    for value in smallest:
        if 0 < value < 1:
            factors |= {value, 1 - value, 1 + value}
    if spoken >= {"times", "as"}:
        factors |= set(smallest)
    if not spoken.isdisjoint(known.SHARED):
        factors.add(1.0)
    asked = _numbers_in(question) if factors else ()
    return frozenset(starmap(mul, product(asked, factors)))


def _spoken(tokens: Sequence[Token]) -> set[str]:
    return {token.text.lower() for token in tokens if token.kind == "word"}


def _numbers_in(question: str) -> list[float]:
    found = [float(digits) for digits in re.findall(r"\d{1,15}(?:\.\d{1,9})?", question)]
    try:
        spoken = [float(value) for one in stated_numbers(_plain_words(question)) for value in one.values]
    except Unread:
        spoken = []
    return [*found, *spoken][:_MAX_ASKED]


def _plain_words(text: str) -> list[Token]:
    return [Token("word", word, True) for word in WORD.findall(text)]


def _ranges(numbers: Sequence[Stated], tokens: Sequence[Token]) -> list[tuple[Fraction, Fraction]]:
    """`3 to 5`, `1990-1998`, `between 3 and 5`."""
    found = []
    for first, second in pairwise([one for one in numbers if not one.implied]):
        values = (*first.values, *second.values)
        if min(first.values) < max(second.values) and _is_range(first, second, tokens):
            found.append((min(values), max(values)))
    return found


def _is_range(first: Stated, second: Stated, tokens: Sequence[Token]) -> bool:
    """Whether what stands before and between two numbers makes a range of them."""
    between = tokens[first.end : second.start]
    texts = {token.text.lower() for token in between}
    if "and" in texts and first.start and tokens[first.start - 1].text.lower() == "between":
        return True
    if texts.isdisjoint(_RANGE) or len(between) > _MOST_BETWEEN:
        return False
    digits = tokens[first.start].kind == tokens[second.start].kind == "num"
    gaps = any(token.gap for token in (*between, tokens[second.start]))
    return "-" not in texts or (digits and not gaps)
