"""Reading what holds a relation sign: named values, equations, inequalities, memberships, congruences."""

from __future__ import annotations

from collections.abc import Callable

from hybridverify.maths.algebra.equality import Same, same_expression
from hybridverify.maths.algebra.nodes import Call, Const, Node, Sym, symbols
from hybridverify.maths.algebra.numeric import constant
from hybridverify.maths.limits import Unread
from hybridverify.maths.notation.tokenlists import Tokens, spelled, split, whole_bracket
from hybridverify.maths.notation.tokens import Token
from hybridverify.maths.parsing.expressions import parse
from hybridverify.maths.values import real_sets
from hybridverify.maths.values.kinds import (
    Congruence,
    FiniteSet,
    Listing,
    Named,
    NumberSet,
    Piece,
    RealSet,
    Relation,
    Rough,
    Scalar,
    SetExpression,
    Tuple,
    Value,
)

Reader = Callable[[Tokens], Value]
_DERIVATIVES = ("frac { dy } { dx }", "frac { d y } { d x }", "dy / dx", "y '", "y ^ { prime }", "y ^ prime")
_ORDER = frozenset(("<", "<=", ">", ">="))


def has_relation(tokens: Tokens) -> bool:
    """True when a relation sign stands outside brackets."""
    return any(token.kind == "rel" for token in tokens) and len(split(tokens, _is_relation)[0]) > 1


def _is_relation(token: Token) -> bool:
    return token.kind == "rel"


def read_relation(tokens: Tokens, read: Reader) -> Value:
    """The value of a relation; `read` reads the sides."""
    sides, signs = split(tokens, _is_relation)
    kinds = set(signs)
    if signs == ["~"] and not sides[0]:
        return _rough(read(sides[1]))
    if any(not side for side in sides):
        raise Unread("relation without a side")
    if kinds == {"="}:
        return _equation(sides, read)
    if kinds <= {"=", "~"}:
        return _approximate(sides, signs, read)
    if signs == ["in"]:
        return _membership(sides, read)
    if signs == ["mod="]:
        return _congruence(sides)
    if kinds <= _ORDER or signs == ["!="]:
        nodes = [parse(side) for side in sides]
        solved = _solved(nodes, signs)
        return solved if solved is not None else Relation(tuple(nodes), tuple(signs))
    raise Unread("relation")


def _equation(sides: list[list[Token]], read: Reader) -> Value:
    if len(sides) > 2 and all(len(side) == 1 and side[0].kind == "let" for side in sides[:-1]):
        return _shared_value(sides, read)
    label = name_of(sides[0])
    if label is None:
        nodes = tuple(parse(side) for side in sides)
        if not any(symbols(node) for node in nodes):
            return _computed(nodes, {spelled(side) for side in sides})
        return Relation(nodes, ("=",) * (len(nodes) - 1), spelled(sides[0]))
    value = read(sides[-1])
    if len(sides) > 2:
        _check_chain(sides[1:-1], value)
    elif label.node is not None and isinstance(value, Scalar) and label.name in symbols(value.node):
        return Relation((label.node, value.node), ("=",))  # x = 2x + 1 gives no value to x
    return Named(label.name, label.parameters, value, label.node, label.word)


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


def _check_chain(middle: list[list[Token]], value: Value) -> None:
    """`x = 5 + 5 = 10` is x = 10 if the middle agrees."""
    if not isinstance(value, Scalar):
        raise Unread("chain of equations")
    for side in middle:
        if same_expression(parse(side), value.node) is not Same.EQUAL:
            raise Unread("chain of equations")


def _approximate(sides: list[list[Token]], signs: list[str], read: Reader) -> Value:
    label = name_of(sides[0])
    if len(sides) != 2:
        raise Unread("approximation")
    if label is None:
        return _with_estimate(read(sides[0]), read(sides[1]))
    return Named(label.name, label.parameters, _rough(read(sides[1])), None, label.word)


def _with_estimate(exact: Value, estimate: Value) -> Value:
    """`\\sqrt{2} \\approx 1.41` is the root: the estimate behind it must only agree."""
    if isinstance(exact, Scalar) and isinstance(estimate, Scalar):
        first, second = constant(exact.node), constant(estimate.node)
        if first is not None and second is not None and abs(first - second) <= 0.01 * abs(first):
            return exact
    raise Unread("approximation")


def _rough(value: Value) -> Value:
    """`\\approx 5.2` is the decimal 5.2; an exact number behind the sign is only near."""
    return value if isinstance(value, Scalar) and value.digits > 0 else Rough(value)


def name_of(tokens: Tokens) -> Named | None:
    """The name on a left side: a letter, `f(x)`, a word, or a bracket of names. Its value is empty."""
    empty = Scalar(Const("inf"))
    if (
        all(token.kind == "word" for token in tokens)
        and tokens
        and (tokens[0].note or len(tokens[0].text) > 2)
    ):
        return Named(spelled(tokens).casefold(), (), empty, None, word=True)
    applied = tokens[0].kind == "let" and len(tokens) > 1 and tokens[1].text == "(" and not tokens[1].gap
    if applied and whole_bracket(tokens[1:]):
        inner, _ = split(tokens[2:-1], lambda token: token.text == ",")
        if all(len(part) == 1 and part[0].kind in ("let", "num") for part in inner):
            return Named(tokens[0].text, tuple(part[0].text for part in inner), empty, None)
    inverse = len(tokens) > 5 and "".join(token.text for token in tokens[1:6]) == "^{-1}"
    if spelled(tokens) in _DERIVATIVES:
        return Named("y'", (), empty, None)
    if tokens[0].text in ("f", "g", "h") and len(tokens) > 3 and tokens[1].text in ("'", "prime"):
        label = name_of([tokens[0], *tokens[2:]])
        return label and Named(label.name + "'", label.parameters, empty, None)
    if inverse and tokens[0].kind == "let" and tokens[0].text in "fgh":
        label = name_of([tokens[0], *tokens[6:]])
        return label and Named(label.name + "^{-1}", label.parameters, empty, None)
    if len(tokens) == 3 and tokens[1].text == ":" and tokens[0].kind == tokens[2].kind == "let":
        return Named(spelled(tokens), (), empty, None)
    if whole_bracket(tokens) and tokens[0].text == "(":
        parts, _ = split(tokens[1:-1], lambda token: token.text == ",")
        labels = [name_of(part) if part else None for part in parts]
        if len(parts) > 1 and all(labels):
            return Named("(", tuple(label.name for label in labels if label), empty, None)
        return None
    try:
        node = parse(tokens)
    except Unread:
        return None
    if len(tokens) == 1 and tokens[0].text.isupper():  # a segment such as AB
        return Named(tokens[0].text, (), empty, node)
    if type(node) is Sym:
        return Named(node.name, (), empty, node)
    if type(node) is Call and node.name in ("f", "g", "h"):
        return Named(spelled(tokens), (), empty, None)
    return None


def _membership(sides: list[list[Token]], read: Reader) -> Value:
    value = read(sides[1])
    label = name_of(sides[0])
    if label is None or not isinstance(value, (RealSet, NumberSet, FiniteSet, SetExpression, Tuple)):
        raise Unread("membership")
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
    places = [i for i, node in enumerate(nodes) if _variable(node) is not None]
    if len(places) != 1:
        return None
    place = places[0]
    variable = _variable(nodes[place])
    assert variable is not None
    others = [node for i, node in enumerate(nodes) if i != place]
    name = variable.name if type(variable) in (Sym, Call) else ""
    isolated = nodes[place] == variable
    if any(symbols(node) for node in others) and not (
        isolated and all(name not in symbols(o) for o in others)
    ):
        return None
    if len(nodes) > 3 or (len(nodes) == 3 and place != 1) or not _one_way(signs):
        return None
    pieces: tuple[Piece, ...] | None = None
    for i, sign in enumerate(signs):
        left, right = nodes[i], nodes[i + 1]
        bound, sign = (right, sign) if i == place else (left, _turned(sign))
        part = real_sets.solve(nodes[place], variable, sign, bound)
        if part is None:
            return None
        pieces = part if pieces is None else real_sets.intersect(pieces, part)
        if pieces is None:
            return None
    return RealSet(pieces or (), name)


def _one_way(signs: list[str]) -> bool:
    return all(sign[0] == signs[0][0] for sign in signs)


def _turned(sign: str) -> str:
    return {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(sign, sign)


def _variable(node: Node) -> Sym | Call | None:
    """The variable of a side: its one symbol, or an applied function `f(x)` standing alone."""
    if type(node) is Call and node.name in ("f", "g", "h"):
        return node
    names = symbols(node)
    return Sym(next(iter(names))) if len(names) == 1 else None
