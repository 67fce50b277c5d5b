"""What the rules of comparison share: the case at hand, the outcome, and how outcomes combine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from hybridverify.conventions import Conventions
from hybridverify.language.asked import read_question
from hybridverify.maths.algebra.equality import Setting
from hybridverify.maths.algebra.nodes import Exact, Num
from hybridverify.maths.limits import Limit
from hybridverify.maths.values.kinds import Scalar, Value

_MAX_PAIRS = 2_000


@dataclass(frozen=True)
class Comparison:
    """`equal` and `different` are sure; `reason` names the option or rule that decided."""

    outcome: Literal["equal", "different", "undecided"]
    reason: str

    @property
    def equal(self) -> bool:
        """True when the outcome is `equal`."""
        return self.outcome == "equal"


@lru_cache(maxsize=256)  # there are few reasons, and many pairs
def equal(reason: str = "same value") -> Comparison:
    """A sure yes."""
    return Comparison("equal", reason)


@lru_cache(maxsize=256)
def different(reason: str = "other value") -> Comparison:
    """A sure no."""
    return Comparison("different", reason)


@lru_cache(maxsize=256)
def undecided(reason: str = "not proved") -> Comparison:
    """Neither."""
    return Comparison("undecided", reason)


def softened(result: Comparison, reason: str) -> Comparison:
    """An equal part stays equal; a different one is no sure reject here."""
    return equal(reason) if result.equal else undecided(reason)


@dataclass
class Case:
    """One comparison: what the question and the options say, and how many pairs may still be compared."""

    question: str
    conventions: Conventions
    setting: Setting
    compare: Callable[[Value, Value, Case], Comparison]
    pairs: int = field(default=_MAX_PAIRS)
    names: dict[str, str] = field(default_factory=dict)
    """What the names of the answer are called in the reference, the same in all parts of one value."""

    parameters: frozenset[str] = frozenset()
    """Those of the functions at hand: any other letter in their terms is a constant."""

    def same(self, left: Value, right: Value) -> Comparison:
        """Compare two parts of the values at hand, the reference's first."""
        self.pairs -= 1
        if self.pairs < 0:
            raise Limit("limit")
        return self.compare(left, right, self)

    def keeps(self, names: dict[str, str]) -> bool:
        """Fix these names for the rest of the comparison; false where they clash with earlier parts."""
        merged = {**self.names, **names}
        clash = any(self.names.get(old, new) != new for old, new in names.items())
        if clash or len(set(merged.values())) < len(merged):  # one to one
            return False
        self.names = merged
        return True

    def asks(self, *words: str) -> bool:
        """Does the question hold one of these words?"""
        return bool(self.question) and _has_one(self.question, words)

    def speaks_of(self, kind: str) -> bool:
        """Does the question have words of a kind of `lexicon/questions.toml`?"""
        return bool(self.question) and read_question(self.question).speaks_of(kind)


@lru_cache(maxsize=2048)  # every pair of items asks the same of the question
def _has_one(question: str, words: tuple[str, ...]) -> bool:
    folded = _folded(question)
    return any(word in folded for word in words)


@lru_cache(maxsize=64)
def _folded(question: str) -> str:
    return question.casefold()


def all_of(results: Iterable[Comparison], reason: str) -> Comparison:
    """Equal when every part is; different when a part is sure to be."""
    outcome = equal(reason)
    for result in results:
        if result.outcome == "different":
            return result
        if result.outcome == "undecided":
            outcome = result
        elif outcome.equal and result.reason not in ("same value", "same text"):
            outcome = equal(result.reason)
    return outcome


def in_order(left: Iterable[Value], right: Iterable[Value], case: Case, reason: str) -> Comparison:
    """Part by part."""
    results = []
    for one, other in zip(left, right, strict=True):
        results.append(case.same(one, other))
        if results[-1].outcome == "different":
            break
    return all_of(results, reason)


def in_any_order(left: Iterable[Value], right: Iterable[Value], case: Case) -> bool:
    """Does every part find its own equal part?"""
    mine, theirs = [*left], [*right]
    numbers, others = _exact_numbers(mine), _exact_numbers(theirs)
    if numbers is not None and others is not None:
        return Counter(numbers) == Counter(others)
    rest = theirs
    for value in mine:
        place = next((i for i, other in enumerate(rest) if case.same(value, other).equal), -1)
        if place < 0:
            return False
        del rest[place]
    return not rest


def _exact_numbers(values: Iterable[Value]) -> list[Exact] | None:
    """The numbers, where all the values are plain exact ones."""
    numbers: list[Exact] = []
    for value in values:
        if not isinstance(value, Scalar) or value.grouped or type(value.node) is not Num:
            return None
        if value.node.digits != -1:
            return None
        numbers.append(value.node.value)
    return numbers
