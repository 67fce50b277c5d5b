"""Comparing equations: up to a factor, with swapped sides, or solved for one variable."""

from __future__ import annotations

from hybridverify.maths.algebra.equality import Same, same_expression
from hybridverify.maths.algebra.nodes import Call, Mul, Node, Num, Pow, Sym, rename, symbols, walk
from hybridverify.maths.algebra.numeric import constant
from hybridverify.maths.algebra.products import reordered
from hybridverify.maths.comparing.rules import Case, Comparison, equal, undecided
from hybridverify.maths.comparing.scaling import proportional
from hybridverify.maths.values.kinds import TURNED, Named, Relation, Scalar


def named_and_relation(left: Named, right: Relation, case: Case) -> Comparison:
    """`y = 2x` against an equation. `x = 4` is matched by `4 = x`, not by an equation that is still to be solved."""
    if _gives_value(left) and Sym(left.name) not in right.sides:
        return undecided("unsolved")
    return _equation_and_named(right, left, case, named_first=True)


def _gives_value(named: Named) -> bool:
    return isinstance(named.value, Scalar) and not symbols(named.value.node)


def relation_and_named(left: Relation, right: Named, case: Case) -> Comparison:
    """As above."""
    return _equation_and_named(left, right, case, named_first=False)


def _equation_and_named(relation: Relation, value: Named, case: Case, named_first: bool) -> Comparison:
    equation = as_equation(value)
    if equation is None:
        return undecided()
    result = relations(equation, relation, case) if named_first else relations(relation, equation, case)
    inner = value.value
    solved = relation.operators == ("=",) and type(value.node) is Sym and isinstance(inner, Scalar)
    if result.equal or not solved or not isinstance(inner, Scalar) or result.reason == "order of a product":
        return result
    return equal("equation_scale") if _solves(relation, value.name, inner, case) else result


def as_equation(value: Named) -> Relation | None:
    """`y = 2x` as an equation."""
    if value.node is None or not isinstance(value.value, Scalar):
        return None
    return Relation((value.node, value.value.node), ("=",))


def solved_for_the_other(relation: Relation, value: Scalar, case: Case) -> Relation | None:
    """`y = value` for an equation in x and y and a value in x alone; None for any other pair, and for a value that is
    a side of the equation: `4x` may be what is asked for of `y^2 = 4x`."""
    names = symbols(relation.sides[0]) | symbols(relation.sides[-1])
    free = names - symbols(value.node)
    if relation.operators != ("=",) or len(names) != 2 or len(free) != 1 or not symbols(value.node) < names:
        return None
    if any(same_expression(side, value.node, case.setting) is Same.EQUAL for side in relation.sides):
        return None
    return Relation((Sym(next(iter(free))), value.node), ("=",))


def relations(left: Relation, right: Relation, case: Case) -> Comparison:
    """Equations up to a factor and swapped sides; chains side by side."""
    if reordered(left.sides, right.sides, case.setting.capitals, case.setting.vectors):
        return undecided("order of a product")
    if left.operators == right.operators == ("=",):
        return equal("equation_scale") if proportional(left, right, case) else _same_values(left, right, case)
    if left.operators == right.operators and _same_sides(left.sides, right.sides, case):
        return equal()
    turned = tuple(TURNED.get(sign, sign) for sign in reversed(left.operators))
    if right.operators == turned and _same_sides(left.sides, right.sides[::-1], case):
        return equal()
    return undecided("relation_form")


def _same_sides(left: tuple[Node, ...], right: tuple[Node, ...], case: Case) -> bool:
    if len(left) != len(right):
        return False
    pairs = zip(left, right, strict=True)
    return all(same_expression(one, other, case.setting) is Same.EQUAL for one, other in pairs)


def _same_values(left: Relation, right: Relation, case: Case) -> Comparison:
    """`a - b = 1.73` and `a - b = \\sqrt3`: the same left side, and numbers that compare by the rule of rounding."""
    numbers = [relation.sides[1] for relation in (left, right) if len(relation.sides) == 2]
    if len(numbers) < 2 or any(symbols(number) for number in numbers):
        return undecided("equation_scale")
    if same_expression(left.sides[0], right.sides[0], case.setting) is not Same.EQUAL:
        return undecided("equation_scale")
    result = case.same(Scalar(numbers[0]), Scalar(numbers[1]))
    return result if result.equal else undecided("equation_scale")


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
    """Does the question hold the left side, spaces and braces aside, and give it no value?"""
    asked = "".join(char for char in case.question if char not in " {}$\\")
    written = "".join(char for char in relation.written if char not in " {}")
    _, found, rest = asked.partition(written)
    given = rest[:1] == "=" and rest[1:].lstrip("-")[:1].isdigit()
    return len(written) > 2 and bool(found) and not given


def _solves(relation: Relation, name: str, value: Scalar, case: Case) -> bool:
    """Is `name = value` the one solution of a relation that is linear in the name?"""
    solution = Relation((Sym(name), value.node), ("=",))
    if proportional(relation, solution, case):
        return True
    product, number = relation.sides if name in symbols(relation.sides[0]) else relation.sides[::-1]
    if symbols(number) or not constant(number) or not _is_factor(product, name) or not _is_total(product):
        return False  # what stands before the name may be zero, or have no value
    return same_expression(rename(product, {name: value.node}), number, case.setting) is Same.EQUAL


def _is_total(node: Node) -> bool:
    """Has the node a value wherever its letters have one?"""
    for part in walk(node):
        if type(part) is Call and part.name not in ("sin", "cos"):
            return False
        if type(part) is Pow and symbols(part.base):
            count = part.exponent.value if type(part.exponent) is Num else 0
            if count <= 0 or count.denominator != 1:
                return False
    return True


def _is_factor(node: Node, name: str) -> bool:
    """Is the name one factor of the node, and no part of another?"""
    if node == Sym(name):
        return True
    if type(node) is not Mul:
        return False
    holding = [factor for factor in node.factors if name in symbols(factor)]
    return len(holding) == 1 and _is_factor(holding[0], name)


def _points_only(node: Node) -> bool:
    """A quotient of segments: capital letters alone."""
    names = symbols(node)
    return (
        bool(names) and all(name.isupper() and len(name) == 1 for name in names) and type(node) in (Mul, Call)
    )
