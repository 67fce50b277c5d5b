"""When two formulas surely differ: they do at points of every region where both have a value.

A question may restrict its letters, to positive values or to integers, so one region where they differ is not enough
where the formulas have branches. Letters that stand for nothing of their own, and letters that the question ties to
one another, prove nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from hybridverify.language import expressions as re
from hybridverify.maths.algebra import numeric
from hybridverify.maths.algebra.equality import Same, apart_at, branches, same_expression
from hybridverify.maths.algebra.nodes import Call, Const, Node, Sym, has_decimals, rename, symbols, walk
from hybridverify.maths.algebra.remembered import remembered
from hybridverify.maths.comparing.growth import may_be_one_order
from hybridverify.maths.comparing.primitives import asks_primitive, has_free_term, primitives_apart
from hybridverify.maths.comparing.renaming import VARIABLES, letters_in, may_be_constant, mentions
from hybridverify.maths.comparing.rules import Case
from hybridverify.maths.comparing.ties import differ_under_any_tie
from hybridverify.maths.comparing.unspoken_letters import may_be_unspoken_choice

_MAX_LETTERS = 12
_MAX_QUESTION = 20_000
_NEAR = 0.01
"""Formulas with decimals may be roundings of one another within one percent."""
_TIED = ("triangle", "hypotenuse", "inscribed", "circumscribed", "cyclic", "constraint")
_TIES = 3
_INDICES = frozenset("nkmlj")
_MARKS = ("\\(", "\\)", "\\[", "\\]")
_LINES = str.maketrans(".,;:?!$", "\n" * 7)
"""Signs between which an equation stands."""
_NUMBERS: dict[str, Node] = {"I": Sym("i"), "E": Const("e")}
"""Letters that programs use for numbers."""
_PRIMES = (2.0, 3.0, 5.0, 7.0, 11.0, 13.0)
_CLOSE = 1e-4


def expressions_apart(left: Node, right: Node, case: Case, known: bool = False) -> bool:
    """Do two expressions with letters surely differ? `known`: they do where `same_expression` looks, at fractions."""
    mine, theirs = symbols(left), symbols(right)
    if may_be_rounded(left, right):
        return False
    if _may_have_constant(left, right, case):
        return primitives_apart(left, right, case)
    if not _is_settled(mine, theirs, case):
        return False
    if _needs_more(mine, theirs, case) and not differ_under_any_tie(left, right):
        return False
    if not (mine | theirs).isdisjoint(_NUMBERS) and not _differ_as_numbers(left, right, case):
        return False
    if may_be_one_order(left, right) or _may_be_one_progression(left, right, case):
        return False
    if may_be_unspoken_choice(left, right, case):
        return False
    return _differ_in_regions(left, right, case, known)


def _differ_in_regions(left: Node, right: Node, case: Case, known: bool) -> bool:
    """Do they differ in each region in which they have values?"""
    differ = known
    for region in _regions(left, right, known):
        found = _region_differs(left, right, region, case)
        if found is False:
            return False
        differ = differ or found is True
    return differ


def _may_have_constant(left: Node, right: Node, case: Case) -> bool:
    """May a constant be added to either, as to an antiderivative?"""
    return has_free_term(left, case.question) or asks_primitive(case.question)


def _needs_more(mine: frozenset[str], theirs: frozenset[str], case: Case) -> bool:
    """May a tie of the letters make the two one? Nobody knows it where there is no question."""
    if not case.question:
        return mine != theirs
    return len(mine | theirs) > 1 and _are_tied(mine | theirs, case)


def _regions(left: Node, right: Node, known: bool) -> Iterator[list[dict[str, float]]]:
    """Points of the regions that a question may mean, those of each sign where the formulas have branches."""
    names = symbols(left) | symbols(right)
    if not known:
        yield _fractional(names)
    yield _whole(names)
    if any(map(branches, (left, right))) or any(map(_has_steps, (left, right))):
        yield from _signed(names)


def _region_differs(left: Node, right: Node, points: list[dict[str, float]], case: Case) -> bool | None:
    """Do they differ somewhere in a region? None where they have no value there."""
    told = None
    for apart in apart_at(left, right, points, case.setting):
        if apart:
            return True
        told = told if apart is None else False
    return told


def _is_settled(mine: frozenset[str], theirs: frozenset[str], case: Case) -> bool:
    """Are the letters names of the question, free of one another and of any choice?"""
    names = mine | theirs
    own = names - case.parameters - ({"i"} if case.setting.imaginary else set())
    if not 0 < len(names) <= _MAX_LETTERS or _have_constants(own):
        return False
    if not _have_settled_letters(mine, theirs, case):
        return False
    if not case.question:
        return not has_constant(own) and (mine - theirs).isdisjoint(_INDICES)
    unspoken = frozenset(name for name in own if not mentions(case.question, name))
    return not unspoken or (mine == theirs and not _may_hold_constant(unspoken, names))


def has_constant(letters: frozenset[str]) -> bool:
    """May a letter be a free constant?"""
    return "k" in letters or any(map(may_be_constant, letters))


def _have_constants(letters: frozenset[str]) -> bool:
    """May a letter stand for a number of its own, as i does, or the i of a sum?"""
    return any(name[0] == "i" for name in letters)


def _may_hold_constant(unspoken: frozenset[str], names: frozenset[str]) -> bool:
    """May one of them be a free constant, in a function of a variable?"""
    return has_constant(unspoken) and not names.isdisjoint(VARIABLES)


def _differ_as_numbers(left: Node, right: Node, case: Case) -> bool:
    """Do they differ as well if their letters are what programs call i and e?"""
    one, other = rename(left, _NUMBERS), rename(right, _NUMBERS)
    return same_expression(one, other, replace(case.setting, imaginary=True)) is Same.DIFFERENT


def _have_settled_letters(mine: frozenset[str], theirs: frozenset[str], case: Case) -> bool:
    """Is neither side's letter another name for one of the other side, nor a constant that may be added?"""
    if not case.question:
        return theirs <= mine
    return mine == theirs or ((mine < theirs or theirs < mine) and _is_free(mine ^ theirs, case))


def _may_be_one_progression(left: Node, right: Node, case: Case) -> bool:
    """`2n + 1` and `2n - 1` run over the same numbers where n is any integer."""
    names = symbols(left) | symbols(right)
    name = next(iter(names), "")
    if len(names) != 1 or not _is_any_integer(name, case):
        return False
    try:
        mine, theirs = [
            [numeric.evaluate(node, {name: place}) for place in (1.0, 2.0, 4.0)] for node in (left, right)
        ]
    except numeric.NoValue:
        return False
    return _is_even(mine) and _is_even(theirs) and _run_alike(mine, theirs)


def _is_any_integer(name: str, case: Case) -> bool:
    """Is the letter an index of which the question says nothing?"""
    return name in _INDICES and name not in case.parameters and not mentions(case.question, name)


def _is_even(values: list[numeric.Value]) -> bool:
    """Do the values at 1, 2 and 4 grow by the same step?"""
    one, two, four = values
    return abs(four - one - 3 * (two - one)) <= _CLOSE


def _run_alike(mine: list[numeric.Value], theirs: list[numeric.Value]) -> bool:
    """Do two progressions have steps of one size, and starts that are whole steps apart?"""
    step, other = mine[1] - mine[0], theirs[1] - theirs[0]
    if abs(abs(step) - abs(other)) > _CLOSE or abs(step) < _CLOSE:
        return False
    turns = abs((mine[0] - theirs[0]) / step)
    return abs(turns - round(turns)) < _CLOSE


def _is_free(extra: frozenset[str], case: Case) -> bool:
    """Are the letters of one side alone variables whose value nobody tells?"""
    if extra <= case.parameters:
        return True
    question = case.question[:_MAX_QUESTION]
    return bool(question) and not any(
        re.search(rf"(?<![A-Za-z\\]){re.escape(name)}\s?=", question) for name in extra
    )


def _are_tied(names: frozenset[str], case: Case) -> bool:
    """Does the question tie two of the letters to one another, so that different formulas may be one?"""
    if len(names) >= _TIES and case.asks(*_TIED):
        return True
    return any(letters <= names for letters in _tied_letters(case.question))


@lru_cache(maxsize=256)
def _tied_letters(question: str) -> tuple[frozenset[str], ...]:
    """The letters of each equation in the question that has several."""
    if "=" not in question:
        return ()
    text = question[:_MAX_QUESTION]
    for mark in _MARKS:
        text = text.replace(mark, "\n")
    found = (letters_in(line) for line in text.translate(_LINES).split("\n") if "=" in line)
    return tuple(letters for letters in found if len(letters) > 1)


def may_be_rounded(left: Node, right: Node) -> bool:
    """Do decimals in two formulas explain the little by which their values differ?"""
    if not has_decimals(left) and not has_decimals(right):
        return False
    try:
        point = numeric.point_for(symbols(left) | symbols(right), 0)
        first, second = numeric.evaluate(left, point), numeric.evaluate(right, point)
    except numeric.NoValue:
        return True
    return abs(first - second) <= _NEAR * max(abs(first), abs(second))


@remembered
def _has_steps(node: Node) -> bool:
    return any(
        type(part) is Call and part.name in ("max", "min", "floor", "ceil", "sgn", "sign")
        for part in walk(node)
    )


def _fractional(names: frozenset[str]) -> list[dict[str, float]]:
    points = [numeric.point_for(names, number) for number in range(2)]
    return [
        *points,
        {name: value / 2.4 for name, value in points[0].items()},
    ]  # within the domain of an arc sine


def _whole(names: frozenset[str]) -> list[dict[str, float]]:
    """Whole numbers, odd and even: formulas in n need not agree between them."""
    order = sorted(names)
    return [
        {name: _PRIMES[(place + turn) % len(_PRIMES)] for place, name in enumerate(order)}
        for turn in range(3)
    ] + [{name: 4.0 + 2 * place for place, name in enumerate(order)}]


def _signed(names: frozenset[str]) -> list[list[dict[str, float]]]:
    """Small and large values, and the other signs, each a region of its own."""
    every = 2 ** len(names) - 1
    small = [{name: value / 2.4 for name, value in numeric.point_for(names, n).items()} for n in (2, 3)]
    large = [{name: 3 + 5 * value for name, value in numeric.point_for(names, n).items()} for n in (2, 3)]
    turned = [
        [numeric.point_for(names, n, signs) for n in (4, 5)] for signs in sorted({every, 1, every - 1} - {0})
    ]
    return [small, large, *turned]
