r"""Equations and their roots, `t^2 = 9` and `t = \pm 3`; residues and progressions, `x = 7k + 3`.

An equation that is still to be solved is no answer to a question that asks for its roots. Where the reference is an
equation, its roots tell what it tells if the question is to solve something.
"""

from __future__ import annotations

import math

from hybridverify.maths.algebra.nodes import Add, Node, Sym, negative, rational_value, symbols
from hybridverify.maths.algebra.roots import coefficients, real_roots
from hybridverify.maths.comparing.list_rules import finite_sets, unnamed
from hybridverify.maths.comparing.renaming import mentions
from hybridverify.maths.comparing.rules import Case, Comparison, different, equal, undecided
from hybridverify.maths.values import real_sets
from hybridverify.maths.values.kinds import Congruence, FiniteSet, Listing, Named, Relation, Scalar, Value

_COUNTING = frozenset("jklmnqst")
_SOLVING = ("solve", "roots of", "solutions of", "solutions to", "values of")


def equation_and_roots(left: Relation, right: Value, case: Case) -> Comparison:
    """The reference is an equation, the answer its solutions."""
    if not case.asks(*_SOLVING) or case.asks("complex"):
        return undecided("solutions")
    return _same_roots(left, right, case)


def _same_roots(equation: Relation, told: Value, case: Case) -> Comparison:
    name, items = _listed(told)
    names = symbols(equation.sides[0]) | symbols(equation.sides[-1])
    if equation.operators != ("=",) or len(names) != 1 or not names <= {name or next(iter(names))}:
        return undecided("solutions")
    poly = coefficients(Add((equation.sides[0], negative(equation.sides[1]))), next(iter(names)))
    roots = real_roots(poly) if poly and len(poly) > 1 else None
    if not roots:
        return undecided("solutions")
    result = finite_sets(FiniteSet(tuple(map(Scalar, roots))), FiniteSet(items), case)
    return equal("solutions") if result.equal else undecided("solutions")


def _listed(told: Value) -> tuple[str, tuple[Value, ...]]:
    """The one name of several values, "" for none, and the values."""
    if isinstance(told, FiniteSet):
        return "", told.items
    if isinstance(told, Named):
        return told.name, (told.value,)
    if not isinstance(told, Listing):
        return "", ()
    names = {item.name for item in told.items if isinstance(item, Named)}
    return (next(iter(names)) if len(names) == 1 else ""), tuple(unnamed(told))


def congruence_and_progression(left: Congruence, right: Named, case: Case) -> Comparison:
    """`x = 7k + 3`, the letter k of nobody else, runs through the residue class."""
    return _same_class(left, right, case)


def progression_and_congruence(left: Named, right: Congruence, case: Case) -> Comparison:
    """As above, the reference a progression."""
    return _same_class(right, left, case)


def _of_one_letter(left: Node, name: str, case: Case) -> bool:
    """The same letter, or one that the question does not name: words were read with a letter of our own."""
    if type(left) is not Sym:
        return False
    return left.name == name or not (mentions(case.question, left.name) and mentions(case.question, name))


def _same_class(residue: Congruence, named: Named, case: Case) -> Comparison:
    value = named.value
    if (
        named.parameters
        or not isinstance(value, Scalar)
        or not _of_one_letter(residue.left, named.name, case)
    ):
        return undecided("congruence")
    return _class_of(residue, value.node, named.name, case)


def congruence_and_formula(left: Congruence, right: Scalar, case: Case) -> Comparison:
    """`7k + 3` alone, by a letter that usually counts."""
    return (
        _class_of(left, right.node, "", case) if symbols(right.node) <= _COUNTING else undecided("congruence")
    )


def _class_of(residue: Congruence, node: Node, name: str, case: Case) -> Comparison:
    """The values of a progression against a residue class; two that have none in common differ."""
    letter = _running_letter(node, name, case)
    numbers = _whole_numbers(node, letter, residue) if letter else None
    if numbers is None:
        return undecided("congruence")
    slope, shift, rest, modulus = numbers
    if abs(slope) == abs(modulus) and (shift - rest) % modulus == 0:
        return equal("congruence")
    return different("congruence") if (shift - rest) % math.gcd(slope, modulus) else undecided("congruence")


def _running_letter(node: Node, name: str, case: Case) -> str:
    """The one letter of a progression, "" where it is the name itself or a letter of the question."""
    letters = symbols(node)
    if len(letters) != 1:
        return ""
    letter = next(iter(letters))
    return "" if letter == name or mentions(case.question, letter) else letter


def _whole_numbers(node: Node, letter: str, residue: Congruence) -> list[int] | None:
    """Of `7k + 3` beside a residue class: 7, 3, the residue and the modulus; None where one is no whole number, or the
    modulus is none."""
    line = real_sets.linear(node, Sym(letter))
    if line is None:
        return None
    numbers = [rational_value(part) for part in (*line, residue.residue, residue.modulus)]
    whole = [int(number) for number in numbers if number is not None and number.denominator == 1]
    return whole if len(whole) == len(numbers) and whole[0] and whole[3] else None
