"""Notations that are read where both sides are written in them: quotients with remainders, cycles, figures and what
holds between them, amounts with a direction, orders, matchings, values with labels, mappings, names with initials,
formulas of sets, propositions, elements, substances, values of programs, truth values, electrons, charges.

Asked only about what the rules for values do not find equal. Which of them a reference is written in is found out once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from hybridverify.language.patterns import WORD
from hybridverify.maths.comparing.direction_rules import directions
from hybridverify.maths.comparing.labelled_text_rules import labelled
from hybridverify.maths.comparing.notation_rules import charge_of, charges, electrons, truth_values
from hybridverify.maths.comparing.order_rules import matchings, sequences
from hybridverify.maths.comparing.program_rules import asks_program, program_values
from hybridverify.maths.comparing.rules import Comparison, all_of, different, equal, undecided
from hybridverify.maths.comparing.substance_rules import elements, substances
from hybridverify.maths.parsing.cycles import permutation
from hybridverify.maths.parsing.directed_amounts import directed
from hybridverify.maths.parsing.divisions import division
from hybridverify.maths.parsing.elements import element_of
from hybridverify.maths.parsing.figure_relations import figure_relation
from hybridverify.maths.parsing.figures import figure, named_as
from hybridverify.maths.parsing.labelled_texts import labelled_texts
from hybridverify.maths.parsing.mappings import mapping, numbers_apart, written
from hybridverify.maths.parsing.orbitals import orbitals
from hybridverify.maths.parsing.program_values import program_value
from hybridverify.maths.parsing.propositions import proposition, set_formula
from hybridverify.maths.parsing.sequences import matching, sequence
from hybridverify.maths.parsing.substances import reaction
from hybridverify.maths.parsing.texts import with_initials
from hybridverify.maths.parsing.truths import truths

Compare: TypeAlias = Callable[[str, str], Comparison]
Rule: TypeAlias = Callable[[str, str, str, Compare], "Comparison | None"]
_CYCLES = frozenset(("cycle", "cycles"))
_ONE_OF_SEVERAL = (" a ", " an ", " one of", "another", "equal")
"""In a question that more than one figure may answer."""
_OF_CIRCUITS = ("boolean", "circuit", "logic", "karnaugh", "gate")
_MAX_LETTERS = 8
_CORRESPONDING = ("congruent", "similar", "\\cong", "\\sim", "correspond", "≅", "∽")


def in_own_notation(reference: str, answer: str, question: str, same: Compare) -> Comparison | None:
    """The outcome where both are written in one of these notations, else None. `same` compares two texts."""
    for rule in _rules_for(reference):
        found = rule(reference, answer, question, same)
        if found is not None:
            return found
    return _by_name(reference, answer, same) if answer.endswith(")") else None


@lru_cache(maxsize=4096)
def _rules_for(reference: str) -> tuple[Rule, ...]:
    return tuple(rule for read, rule in _NOTATIONS if read(reference))


def _divisions(reference: str, answer: str, _question: str, same: Compare) -> Comparison | None:
    mine, theirs = division(reference), division(answer)
    if mine is None or theirs is None:
        return None
    return all_of(
        (same(one, other) for one, other in zip(mine, theirs, strict=True)), "quotient and remainder"
    )


def _mappings(reference: str, answer: str, question: str, same: Compare) -> Comparison | None:
    mine, theirs = mapping(reference), mapping(answer)
    if mine is None or theirs is None:
        return None
    if written(mine) == written(theirs):
        return equal("mapping")
    if numbers_apart(mine, theirs):
        return different("mapping")
    if not asks_program(question):
        return undecided("mapping")
    return program_values(_in_braces(reference), _in_braces(answer), question, same) or undecided("mapping")


def _in_braces(text: str) -> str:
    """A mapping without its braces is still one."""
    plain = text.replace("\\{", "{").replace("\\}", "}")
    return plain if plain.startswith("{") else f"{{{plain}}}"


def _by_either_name(reference: str, answer: str, _question: str, same: Compare) -> Comparison | None:
    """`World Trade Organization (WTO)` by either of its two names."""
    mine, theirs = with_initials(reference), with_initials(answer)
    if not mine:
        return None
    name = theirs[0] if theirs else answer
    return equal("initials") if answer == mine[1] or same(mine[0], name).equal else None


def _by_name(reference: str, answer: str, same: Compare) -> Comparison | None:
    """The name alone counts in an answer with its initials."""
    told = with_initials(answer)
    return equal("initials") if told and same(reference, told[0]).equal else None


def _permutations(reference: str, answer: str, question: str, _same: Compare) -> Comparison | None:
    mine, theirs = permutation(reference), permutation(answer)
    if mine is None or theirs is None:
        return None
    several = mine.cycles > 1 and theirs.cycles > 1 and "permutation" in question
    if not several and _CYCLES.isdisjoint(WORD.findall(question.lower())):
        return None  # the numbers may stand in a row: `(1, 3, 2)` of three numbers, or a point
    if mine.moves == theirs.moves:
        return equal("cycles")
    sure = "disjoint" in question or "cycle notation" in question
    return different("cycles") if sure else undecided("cycles")


def _figures(reference: str, answer: str, question: str, _same: Compare) -> Comparison | None:
    mine = figure(reference)
    theirs = None if mine is None else figure(answer) or named_as(mine, answer, question)
    if mine is None or theirs is None or mine.kind != theirs.kind:
        return None
    placed = any(word in question for word in _CORRESPONDING)
    if theirs.corners in mine.turned(any_order=not placed):
        return equal("figure")
    several = any(word in f" {question.lower()}" for word in _ONE_OF_SEVERAL)
    sure = not several and mine.is_surely_other(theirs)
    return different("another figure") if sure else undecided("figure")


def _figure_relations(reference: str, answer: str, _question: str, _same: Compare) -> Comparison | None:
    """Two lines cannot be both parallel and perpendicular; other corners may be another true statement."""
    mine, theirs = figure_relation(reference), figure_relation(answer)
    if mine is None or theirs is None:
        return None
    if mine == theirs:
        return equal("figures")
    return (
        different("figures") if mine.pairs == theirs.pairs and mine.excludes(theirs) else undecided("figures")
    )


def _set_formulas(reference: str, answer: str, _question: str, _same: Compare) -> Comparison | None:
    """Formulas of sets by what is in them: an intersection is an "and", a complement a "not"."""
    mine, theirs = set_formula(reference), set_formula(answer)
    if mine is None or theirs is None:
        return None
    if mine.tree == theirs.tree:
        return equal("set formula")
    letters = tuple(sorted({*mine.letters, *theirs.letters}))
    apart = len(letters) <= _MAX_LETTERS and mine.values(letters) != theirs.values(letters)
    return different("other sets") if apart else undecided("set formula")


def _propositions(reference: str, answer: str, question: str, _same: Compare) -> Comparison | None:
    circuit = any(word in question.lower() for word in _OF_CIRCUITS)
    mine, theirs = proposition(reference, circuit), proposition(answer, circuit)
    if mine is None or theirs is None or not mine.shown:
        return None
    if mine.tree == theirs.tree:
        return equal("proposition")
    letters = tuple(sorted({*mine.letters, *theirs.letters}))
    apart = len(letters) <= _MAX_LETTERS and mine.values(letters) != theirs.values(letters)
    return different("another truth table") if apart else undecided("proposition")


def _as_circuit(reference: str) -> object:
    """What a circuit may be is more than what any other proposition may be."""
    return proposition(reference, circuit=True)


def _substances(reference: str, answer: str, question: str, _same: Compare) -> Comparison | None:
    return substances(reference, answer, question)


_NOTATIONS: tuple[tuple[Callable[[str], object], Rule], ...] = (
    (division, _divisions),
    (permutation, _permutations),
    (figure, _figures),
    (figure_relation, _figure_relations),
    (directed, directions),
    (sequence, sequences),
    (matching, matchings),
    (set_formula, _set_formulas),
    (labelled_texts, labelled),
    (mapping, _mappings),
    (program_value, program_values),
    (truths, truth_values),
    (orbitals, electrons),
    (charge_of, charges),
    (with_initials, _by_either_name),
    (_as_circuit, _propositions),
    (element_of, elements),
    (reaction, _substances),
)
"""What reads each notation, and its rule."""
