"""Comparing equations: up to a factor, with swapped sides, or solved for one variable."""

from __future__ import annotations

from hybridverify.checkers.reader.equality import Same, same_expression
from hybridverify.checkers.reader.limits import Unread
from hybridverify.checkers.reader.nodes import Add, Call, Mul, Node, Sym, negative, rename, symbols
from hybridverify.checkers.reader.normal import Normal
from hybridverify.checkers.reader.polynomials import Poly, common_monomial, inverse_monomial
from hybridverify.checkers.reader.products import reordered
from hybridverify.checkers.reader.rules import Case, Comparison, equal, undecided
from hybridverify.checkers.reader.values import Named, Relation, Scalar


def named_and_relation(left: Named, right: Relation, case: Case) -> Comparison:
    """`y = 2x` against an equation."""
    equation = as_equation(left)
    return undecided() if equation is None else relations(equation, right, case)


def relation_and_named(left: Relation, right: Named, case: Case) -> Comparison:
    """As above."""
    equation = as_equation(right)
    return undecided() if equation is None else relations(left, equation, case)


def as_equation(value: Named) -> Relation | None:
    """`y = 2x` as an equation."""
    if value.node is None or not isinstance(value.value, Scalar):
        return None
    return Relation((value.node, value.value.node), ("=",))


def relations(left: Relation, right: Relation, case: Case) -> Comparison:
    """Equations up to a factor and swapped sides; chains side by side."""
    if reordered(left.sides, right.sides, case.setting.capitals, case.setting.vectors):
        return undecided("order of a product")
    if left.operators == right.operators == ("=",):
        if _proportional(left, right, case):
            return equal("equation_scale")
        return _same_values(left, right, case)
    if left.operators == right.operators and len(left.sides) == len(right.sides):
        pairs = zip(left.sides, right.sides, strict=True)
        if all(same_expression(one, other, case.setting) is Same.EQUAL for one, other in pairs):
            return equal()
    if right.operators == tuple(_turned(sign) for sign in reversed(left.operators)):
        pairs = zip(left.sides, reversed(right.sides), strict=True)
        if all(same_expression(one, other, case.setting) is Same.EQUAL for one, other in pairs):
            return equal()
    return undecided("relation_form")


def _same_values(left: Relation, right: Relation, case: Case) -> Comparison:
    """`a - b = 1.73` and `a - b = \\sqrt3`: the same left side, and numbers that compare by the rule of rounding."""
    numbers = [relation.sides[1] for relation in (left, right) if len(relation.sides) == 2]
    if len(numbers) < 2 or any(symbols(number) for number in numbers):
        return undecided("equation_scale")
    if same_expression(left.sides[0], right.sides[0], case.setting) is not Same.EQUAL:
        return undecided("equation_scale")
    result = case.same(Scalar(numbers[0]), Scalar(numbers[1]))
    return result if result.equal else undecided("equation_scale")


def _turned(sign: str) -> str:
    return {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(sign, sign)


def _proportional(left: Relation, right: Relation, case: Case) -> bool:
    normal = Normal(case.setting.imaginary)
    try:
        mine, theirs = (_cleared(normal, relation) for relation in (left, right))
        return _multiple(mine, theirs, case.conventions.equation_scale == "any")
    except (Unread, RecursionError):
        return False


def _cleared(normal: Normal, relation: Relation) -> Poly:
    """The numerator of left - right, without a monomial denominator."""
    gap = normal.of(Add((relation.sides[0], negative(relation.sides[1]))))
    if not gap.num:
        raise Unread("an equation without content")
    low = tuple(item for item in common_monomial(gap.num) if item[1] < 0)
    return normal.algebra.multiply(gap.num, {inverse_monomial(low): 1}) if low else gap.num


def _multiple(mine: Poly, theirs: Poly, any_factor: bool) -> bool:
    if mine.keys() != theirs.keys():
        return False
    first = next(iter(mine))
    if not any_factor and abs(mine[first]) != abs(theirs[first]):
        return False
    return all(mine[mono] * theirs[first] == theirs[mono] * mine[first] for mono in mine)


def relation_and_scalar(left: Relation, right: Scalar, case: Case) -> Comparison:
    """`xy = 6` answered by 6/x, `cos A = 1/2` answered by 1/2 where the question asks for cos A."""
    if left.operators != ("=",) or case.conventions.variable_name == "strict":
        return undecided()
    free = (symbols(left.sides[0]) | symbols(left.sides[1])) - symbols(right.node)
    if len(free) == 1 and symbols(right.node) and _solves(left, next(iter(free)), right, case):
        return equal("variable_name")
    if not symbols(left.sides[1]) and _asked_for(left, case):
        return case.same(Scalar(left.sides[1]), right)
    if _points_only(left.sides[0]) and not symbols(left.sides[1]):
        return case.same(Scalar(left.sides[1]), right)
    return undecided("variable_name")


def scalar_and_relation(left: Scalar, right: Relation, case: Case) -> Comparison:
    """7 answered by `x + y = 7` where the question asks for x + y."""
    if right.operators != ("=",) or symbols(right.sides[1]) or not _asked_for(right, case):
        return undecided()
    result = case.same(left, Scalar(right.sides[1]))
    return equal("variable_name") if result.equal else undecided()


def _asked_for(relation: Relation, case: Case) -> bool:
    """Does the question hold the left side, spaces and braces aside?"""
    asked = "".join(char for char in case.question if char not in " {}$\\")
    written = "".join(char for char in relation.written if char not in " {}")
    return len(written) > 2 and written in asked


def _solves(relation: Relation, name: str, value: Scalar, case: Case) -> bool:
    """Is `name = value` the one solution of a relation that is linear in the name?"""
    solution = Relation((Sym(name), value.node), ("=",))
    if _proportional(relation, solution, case):
        return True
    left, right = (rename(side, {name: value.node}) for side in relation.sides)
    if same_expression(left, right, case.setting) is not Same.EQUAL:
        return False
    return sum(_degree(side, name) for side in relation.sides) == 1


def _degree(node: Node, name: str) -> int:
    """1 where the name is a factor of the node, 0 where it is absent, 2 for anything else."""
    if name not in symbols(node):
        return 0
    if node == Sym(name):
        return 1
    if type(node) is Mul:
        return sum(_degree(factor, name) for factor in node.factors)
    return 2


def _points_only(node: Node) -> bool:
    """A quotient of segments: capital letters alone."""
    names = symbols(node)
    return (
        bool(names) and all(name.isupper() and len(name) == 1 for name in names) and type(node) in (Mul, Call)
    )
