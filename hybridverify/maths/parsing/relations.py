"""Reading what holds a relation sign: named values, equations, inequalities, memberships, congruences."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from hybridverify.maths.algebra.equality import Same, same_expression
from hybridverify.maths.algebra.nodes import Call, Node, Sym, symbols
from hybridverify.maths.algebra.numeric import constant
from hybridverify.maths.limits import Unread
from hybridverify.maths.notation.tokenlists import Tokens, kinds_of, spelled, split
from hybridverify.maths.notation.tokens import Token
from hybridverify.maths.parsing.arithmetic import check_amount, comes_to_amount
from hybridverify.maths.parsing.claims import check_between, is_claim, side_of
from hybridverify.maths.parsing.expressions import parse
from hybridverify.maths.parsing.names import name_of
from hybridverify.maths.values import real_sets
from hybridverify.maths.values.conversion import to_real_set
from hybridverify.maths.values.kinds import (
    TURNED,
    Congruence,
    FiniteSet,
    Listing,
    Named,
    NumberSet,
    Quantity,
    RealSet,
    Relation,
    Rough,
    Scalar,
    SetExpression,
    Tuple,
    Value,
)

Reader = Callable[[Tokens], Value]
_ORDER = frozenset(("<", "<=", ">", ">="))


def has_relation(tokens: Tokens) -> bool:
    """True when a relation sign stands outside brackets."""
    return "rel" in kinds_of(tokens) and len(split(tokens, _is_relation)[0]) > 1


def _is_relation(token: Token) -> bool:
    return token.kind == "rel"


def read_relation(tokens: Tokens, read: Reader) -> Value:
    """The value of a relation; `read` reads the sides."""
    sides, signs = split(tokens, _is_relation)
    kinds = set(signs)
    if signs == ["~"] and not sides[0]:
        return _rough(read(sides[1]))
    if not all(sides):
        raise Unread("relation without a side")
    if kinds <= {"=", "~"}:
        return _approximate(sides, signs, read) if "~" in kinds else _equation(sides, read)
    if signs == ["in"]:
        return _membership(sides, read)
    if signs == ["mod="]:
        return _congruence(sides)
    if kinds <= _ORDER or signs == ["!="]:
        return _restriction(sides, signs)
    raise Unread("relation")


def _restriction(sides: list[list[Token]], signs: list[str]) -> Value:
    """The set of the numbers that it allows, where it can be solved."""
    nodes = [parse(side) for side in sides]
    solved = _solved(nodes, signs)
    return solved if solved is not None else Relation(tuple(nodes), tuple(signs))


def _equation(sides: list[list[Token]], read: Reader) -> Value:
    if len(sides) > 2 and all(map(_is_letter, sides[:-1])):
        return _shared_value(sides, read)
    label = name_of(sides[0])
    if label is None:
        return _turned_equation(sides, read) or _without_name(sides, read)
    value = read(sides[-1])
    if len(sides) > 2:
        _check_chain(sides[1:], value)
    elif label.node is not None and isinstance(value, Scalar) and label.name in symbols(value.node):
        return Relation((label.node, value.node), ("=",))  # x = 2x + 1 gives no value to x
    return Named(label.name, label.parameters, value, label.node, label.word)


def _check_chain(sides: list[list[Token]], value: Value) -> None:
    """What stands between a name and its value must agree with the value. Raises Unread."""
    bare = isinstance(value, Scalar) and value.measured is None
    if not bare or comes_to_amount(sides):
        check_amount(sides, value, named=True)
    else:
        check_between(sides[:-1], value)


def _is_letter(side: list[Token]) -> bool:
    return len(side) == 1 and side[0].kind == "let"


def _turned_equation(sides: list[list[Token]], read: Reader) -> Value | None:
    """`7 = w` gives the value 7 to w, `(1, 2) = (x, y)` two values."""
    last = sides[1]
    if len(sides) != 2 or any(token.kind == "let" for token in sides[0]):
        return None
    if _is_letter(last):
        return Named(last[0].text, (), read(sides[0]), Sym(last[0].text))
    label = name_of(last) if last[0].text == "(" else None
    return label and Named(label.name, label.parameters, read(sides[0]))


def _without_name(sides: list[list[Token]], read: Reader) -> Value:
    """An equation between expressions, a stated value, or a computation where no letter is in it."""
    if is_claim(sides[0]):
        value = read(sides[-1])
        check_between(sides[1:-1], value) if len(sides) > 2 else None
        return Named(spelled(sides[0]), (), value)
    try:
        nodes = tuple(side_of(side) for side in sides)
    except Unread:
        if not comes_to_amount(sides):
            raise
        value = read(sides[-1])
        check_amount(sides, value)
        return value
    if any(symbols(node) for node in nodes):
        return Relation(nodes, ("=",) * (len(nodes) - 1), spelled(sides[0]))
    return _computed(nodes, {spelled(side) for side in sides})


def _shared_value(sides: list[list[Token]], read: Reader) -> Value:
    """`x = y = 1` names two values."""
    value = read(sides[-1])
    names = [side[0].text for side in sides[:-1]]
    return Listing(tuple(Named(name, (), value, Sym(name)) for name in names), frozenset(("=",)))


def _computed(nodes: tuple[Node, ...], written: set[str]) -> Value:
    """`35 + 70 = 105` states the value 105; `2 = 2` states nothing."""
    if len(written) == 1:
        raise Unread("an equation without content")
    if any(same_expression(node, nodes[-1]) is not Same.EQUAL for node in nodes[:-1]):
        raise Unread("a false equation")
    return Scalar(nodes[-1])


def _approximate(sides: list[list[Token]], signs: list[str], read: Reader) -> Value:
    if len(sides) > 2:
        return _chain_with_estimate(sides, signs, read)
    label = name_of(sides[0])
    if label is None:
        return _with_estimate(read(sides[0]), read(sides[1]))
    return Named(label.name, label.parameters, _rough(read(sides[1])), None, label.word)


def _chain_with_estimate(sides: list[list[Token]], signs: list[str], read: Reader) -> Value:
    """`x = \\frac53 \\approx 1.67` is x = 5/3."""
    if signs.index("~") < len(signs) - 1:
        raise Unread("approximation")
    stated = _equation(sides[:-1], read)
    exact = stated.value if isinstance(stated, Named) else stated
    _with_estimate(exact, read(sides[-1]))
    return stated


def _with_estimate(exact: Value, estimate: Value) -> Value:
    """`\\sqrt{2} \\approx 1.41` is the root: the estimate behind it must only agree."""
    if isinstance(exact, Scalar) and isinstance(estimate, Quantity):
        return Quantity(_checked(exact, estimate.value), estimate.unit)
    if isinstance(exact, Quantity) and isinstance(estimate, (Scalar, Quantity)):
        near = estimate.value if isinstance(estimate, Quantity) else estimate
        if not isinstance(estimate, Quantity) or estimate.unit == exact.unit:
            return Quantity(_checked(exact.value, near), exact.unit)
    if isinstance(exact, Scalar) and isinstance(estimate, Scalar):
        return _checked(exact, estimate)
    raise Unread("approximation")


def _checked(exact: Scalar, estimate: Scalar) -> Scalar:
    """The exact number, if the estimate is near. Raises Unread."""
    first, second = constant(exact.node), constant(estimate.node)
    if first is not None and second is not None and abs(first - second) <= 0.01 * abs(first):
        return exact
    raise Unread("approximation")


def _rough(value: Value) -> Value:
    """`\\approx 5.2` is the decimal 5.2; an exact number behind the sign is only near."""
    return value if isinstance(value, Scalar) and value.digits > 0 else Rough(value)


def _membership(sides: list[list[Token]], read: Reader) -> Value:
    value = read(sides[1])
    label = name_of(sides[0])
    if label is None or not isinstance(value, (RealSet, NumberSet, FiniteSet, SetExpression, Tuple)):
        raise Unread("membership")
    if isinstance(value, Tuple) and _is_letter(sides[0]):
        value = to_real_set(value)  # one number lies in an interval, never in a pair
    return Named(label.name, label.parameters, value, None)


def _congruence(sides: list[list[Token]]) -> Value:
    right = sides[1]
    places = [i for i, token in enumerate(right) if token.text in ("pmod", "bmod")]
    if len(places) != 1:
        raise Unread("congruence without a modulus")
    modulus = right[places[0] + 1 :]
    residue = right[: places[0]]
    if residue and residue[-1].text == "(" and modulus and modulus[-1].text == ")":
        residue, modulus = residue[:-1], modulus[:-1]
    return Congruence(parse(sides[0]), parse(residue), parse(modulus))


def _solved(nodes: list[Node], signs: list[str]) -> RealSet | None:
    """The set of the one variable that the chain restricts, None where it is no such chain."""
    moving = _with_variable(nodes)
    if len(moving) != 1:
        return None
    place, variable = moving[0]
    side, bounds = nodes[place], [*nodes[:place], *nodes[place + 1 :]]
    if not _is_chain_around(place, signs) or not _are_bounds(bounds, side, variable):
        return None
    parts = [real_sets.solve(side, variable, sign, end) for sign, end in _ends(nodes, signs, place)]
    solved = [part for part in parts if part is not None]
    if len(solved) < len(parts):
        return None
    polynomial = type(variable) is Sym and real_sets.is_polynomial(side, variable)
    return RealSet(reduce(real_sets.intersect, solved), variable.name, side == variable, polynomial)


def _with_variable(nodes: list[Node]) -> list[tuple[int, Sym | Call]]:
    """The places of the sides with a variable, and it."""
    return [(i, name) for i, node in enumerate(nodes) if (name := _variable(node)) is not None]


def _is_chain_around(place: int, signs: list[str]) -> bool:
    """`x < 3`, or `1 < x <= 3` with the variable in the middle and both signs one way."""
    return (len(signs) == 1 or (len(signs) == 2 and place == 1)) and _one_way(signs)


def _are_bounds(bounds: list[Node], side: Node, variable: Sym | Call) -> bool:
    """Are they numbers, or letters that bound the variable where it stands alone?"""
    letters = frozenset().union(*map(symbols, bounds))
    return not letters or (side == variable and variable.name not in letters)


def _ends(nodes: list[Node], signs: list[str], place: int) -> list[tuple[str, Node]]:
    """Each sign with the bound beside it, turned so that the variable stands on its left."""
    return [
        (sign, nodes[i + 1]) if i == place else (TURNED.get(sign, sign), nodes[i])
        for i, sign in enumerate(signs)
    ]


def _one_way(signs: list[str]) -> bool:
    return all(sign[0] == signs[0][0] for sign in signs)


def _variable(node: Node) -> Sym | Call | None:
    """The variable of a side: its one symbol, or an applied function `f(x)` standing alone."""
    if type(node) is Call and node.name in ("f", "g", "h"):
        return node
    names = symbols(node)
    return Sym(next(iter(names))) if len(names) == 1 else None
