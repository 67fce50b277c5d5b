"""Equations of the question that an answer gives back in another spelling, still to be solved."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from hybridverify.conventions import Conventions
from hybridverify.maths import Reading, answer_reading, compare, reference_reading
from hybridverify.maths.values.kinds import FiniteSet, Listing, Named, Quantity, RealSet, Relation, Scalar

_TWO = 2
_VALUES = (Scalar, Quantity, Listing, FiniteSet)
"""References that give the solutions themselves."""


@lru_cache(maxsize=1024)
def is_left_unsolved(
    formulas: tuple[str, ...],
    answer: str,
    references: tuple[str, ...],
    question: str,
    conventions: Conventions,
) -> bool:
    """Whether the reference is solved, and the answer is an equation of the question that is not: it has the same
    solutions, and no letter stands alone.

    >>> from hybridverify.conventions import DEFAULT
    >>> is_left_unsolved(("2x+3y=6",), "3y=6-2x", ("y=2-2x/3",), "Solve 2x+3y=6 for y.", DEFAULT)
    True
    >>> is_left_unsolved(("y=2x+3",), "x=2y+3", ("y=(x-3)/2",), "Find the inverse of y=2x+3.", DEFAULT)
    True
    >>> [is_left_unsolved(("2x+5=17",), one, ("6",), "Solve 2x+5=17.", DEFAULT) for one in ("2x=12", "x=6")]
    [True, False]
    """
    known = [reference_reading(one, conventions).value for one in references]
    solved = {value.name for value in known if isinstance(value, Named) and not value.parameters}
    if not solved and not all(isinstance(value, _VALUES) for value in known):
        return False
    if not _may_be_unsolved(answer_reading(answer, conventions), solved):
        return False
    spellings = [answer, _with_letters_swapped(answer)] if "inverse" in question else [answer]
    relations = [one for one in formulas if is_relation(reference_reading(one, conventions))]
    return any(compare(*pair, "", conventions).equal for pair in product(relations, spellings))


def _may_be_unsolved(said: Reading, solved: set[str]) -> bool:
    """Whether it is a relation, and does not give the value of what was to be solved for: of any letter, if no
    reference names one."""
    if isinstance(said.value, Named) and (not solved or said.value.name in solved):
        return False
    return is_relation(said)


def is_relation(reading: Reading) -> bool:
    """Whether it is an equation, an inequality or a named value."""
    return isinstance(reading.value, (Relation, Named, RealSet))


def _with_letters_swapped(text: str) -> str:
    """The text with its two letters in each other's place."""
    letters = sorted(set(filter(str.isalpha, text)))
    if len(letters) != _TWO:
        return text
    return text.translate(str.maketrans("".join(letters), "".join(letters[::-1])))
