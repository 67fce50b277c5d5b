"""Comparing elements, formulas of substances and equations of reactions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from hybridverify.language.asked import read_question
from hybridverify.language.patterns import WORD
from hybridverify.maths.comparing.rules import Comparison, different, equal, undecided
from hybridverify.maths.parsing.elements import SYMBOLS, element_of
from hybridverify.maths.parsing.substances import Reaction, Side, Substance, reaction


def substances(reference: str, answer: str, question: str) -> Comparison | None:
    """The outcome where both are formulas or equations, None where one is something else."""
    mine = reaction(reference)
    theirs = reaction(answer) if mine else None
    if mine is None or theirs is None or not _are_chemical(mine, theirs, question):
        return None
    if len(mine.sides) != len(theirs.sides):
        return undecided("substances")
    if all(_same_side(one, other) for one, other in zip(mine.sides, theirs.sides, strict=True)):
        return equal("substances")
    if mine.reversible and theirs.reversible and not _differ(mine.sides[::-1], theirs.sides):
        return undecided("substances")
    slip = reference.lower() == answer.lower()  # `CU` for Cu
    return (
        different("substances") if not slip and _differ(mine.sides, theirs.sides) else undecided("substances")
    )


def _are_chemical(mine: Reaction, theirs: Reaction, question: str) -> bool:
    """A formula without a charge or the like may be a product of letters, unless the question is about chemistry."""
    told = [one for side in (*mine.sides, *theirs.sides) for _, one in side]
    shown = len(mine.sides) == len(theirs.sides) == 2 or any(one.marked for one in told)
    return shown or _asks_chemistry(question)


def elements(
    reference: str, answer: str, question: str, _same: Callable[[str, str], Comparison]
) -> Comparison | None:
    """By symbol or by name; none that the question itself tells, as in "What is the symbol of sodium?"."""
    mine, theirs = element_of(reference), element_of(answer)
    if not mine or not theirs or not _asks_chemistry(question):
        return None
    if mine != theirs:
        return different("another element")
    low = question.lower()
    told = any(word in low for word in f"{reference} {answer}".lower().split() if word in SYMBOLS)
    told = told or set(WORD.findall(answer)) <= set(
        WORD.findall(question)
    )  # `Au` for "What does Au stand for?"
    unsigned = "symbol" in low and theirs not in answer
    return undecided("element") if told or unsigned else equal("element")


def _asks_chemistry(question: str) -> bool:
    return read_question(question).speaks_of("chemistry", "elements")


def _same_side(one: Side, other: Side) -> bool:
    """Each substance has its own equal one, in whatever order."""
    rest = [*other]
    for count, substance in one:
        place = next((i for i, (n, found) in enumerate(rest) if n == count and _same(substance, found)), -1)
        if place < 0:
            return False
        del rest[place]
    return not rest


def _same(mine: Substance, theirs: Substance) -> bool:
    """Written with the same signs; the reference may leave out a state, each side an atomic number."""
    if (mine.parts, mine.charge, mine.mass) != (theirs.parts, theirs.charge, theirs.mass):
        return False
    one_number = mine.number == theirs.number or 0 in (mine.number, theirs.number)
    return mine.state in ("", theirs.state) and one_number


def _differ(mine: tuple[Side, ...], theirs: tuple[Side, ...]) -> bool:
    """Are they made of other atoms, in whatever multiple an equation is told, or is what both tell another?"""
    pairs = [*zip(mine, theirs, strict=True)]
    if any(_amounts(one) != _amounts(other) for one, other in pairs):
        return True
    (_, first), (_, second) = mine[0][0], theirs[0][0]
    told = (first.mass, second.mass), (first.state, second.state)
    return len(pairs) == len(mine[0]) == 1 and any(all(pair) and pair[0] != pair[1] for pair in told)


def _amounts(side: Side) -> dict[object, Fraction]:
    """How much of each kind of substance there is, in parts of the smallest amount."""
    least = min(count for count, _ in side)
    return {(one.atoms, one.charge): count / least for count, one in side}
