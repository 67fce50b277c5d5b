"""What an answer is made of (one expression, a relation, a list, a bracketed group, a union), and equality of
two such shapes with sympy at the leaves.

Apart from the reader's own comparison because this one may be slow and only ever says yes: whatever it does
not understand to the last token raises `Unread`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hybridverify.checkers.conventions import Conventions
from hybridverify.checkers.reader.clean import clean
from hybridverify.checkers.reader.expressions import parse
from hybridverify.checkers.reader.limits import Limit, Unread
from hybridverify.checkers.reader.nodes import Add, Call, Node, Sym, negative, symbols
from hybridverify.checkers.reader.tokens import Token, tokenize
from hybridverify.checkers.symbolic_bounds import check_bounds

MAX_ITEMS = 12
"""Longest list that is matched element by element: each pair may cost a proof."""
MIRRORED = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


@dataclass(frozen=True)
class Relation:
    """`sides` with an operator between each two."""

    operators: tuple[str, ...]
    sides: tuple[Node, ...]


@dataclass(frozen=True)
class Items:
    """Several parts. `brackets`: `()`, `[)` .., "" for a bare list, `cup` for a union. `joiner`: `or` or `,`."""

    brackets: str
    joiner: str
    parts: tuple[Shape, ...]


Shape = Node | Relation | Items
Equal = Callable[[Node, Node], bool]


def shape_of(text: str, conventions: Conventions) -> tuple[Shape, tuple[str, ...]]:
    """The shape of a text and its words, sorted: `abc` may be a word, `ab` is a product. Raises Unread."""
    tokens = tokenize(clean(text, conventions), conventions.e_notation, conventions.thousands == "groups")
    words = sorted(token.text for token in tokens if token.kind == "word")
    if len(words) == len(tokens):
        raise Unread("words alone")  # `ate` is no product
    return _shape(tokens, conventions.mixed_number == "sum"), tuple(word for word in words if len(word) > 2)


def _shape(tokens: Sequence[Token], mixed: bool) -> Shape:
    parts, between = _split(tokens, lambda token: token.kind == "sep")
    if between:
        return _items("", {token.text for token in between}, parts, mixed)
    parts, between = _split(tokens, lambda token: token.text == "cup" and token.kind == "cmd")
    if between:
        return _items("cup", {","}, parts, mixed)
    if tokens and tokens[0].kind == "open" and _closing(tokens, 0) == len(tokens) - 1:
        parts, between = _split(tokens[1:-1], lambda token: token.kind == "sep")
        if between or tokens[0].text in ("[", "\\{"):
            brackets = tokens[0].text + tokens[-1].text
            return _items(brackets, {token.text for token in between}, parts, mixed)
    parts, between = _split(tokens, lambda token: token.kind == "rel")
    if between:
        return _relation([token.text for token in between], parts, mixed)
    return _leaf(tokens, mixed)


def _leaf(tokens: Sequence[Token], mixed: bool) -> Node:
    node = parse(tokens, mixed)
    check_bounds(node)
    return node


def _items(brackets: str, joiners: set[str], parts: list[Sequence[Token]], mixed: bool) -> Items:
    if not joiners <= {",", "and", "or"} and joiners != {";"}:
        raise Unread("separators")
    if len(parts) > MAX_ITEMS:
        raise Limit("limit")
    return Items(brackets, "or" if "or" in joiners else ",", tuple(_shape(part, mixed) for part in parts))


def _relation(operators: list[str], parts: list[Sequence[Token]], mixed: bool) -> Relation:
    if not set(operators) <= set(MIRRORED):
        raise Unread("relation")
    return Relation(tuple(operators), tuple(_leaf(part, mixed) for part in parts))


def _split(
    tokens: Sequence[Token], wanted: Callable[[Token], bool]
) -> tuple[list[Sequence[Token]], list[Token]]:
    """The stretches between wanted tokens outside all brackets, and those tokens."""
    parts, between, start, at = [], [], 0, 0
    while at < len(tokens):
        if wanted(tokens[at]):
            parts.append(tokens[start:at])
            between.append(tokens[at])
            start = at + 1
        at = _closing(tokens, at) + 1
    return [*parts, tokens[start:]], between


def _closing(tokens: Sequence[Token], at: int) -> int:
    """Where the bracket or environment that opens at `at` closes; `at` itself for any other token."""
    depth = 0
    for place in range(at, len(tokens)):
        token = tokens[place]
        depth += token.kind == "open" or token.text.startswith("begin ")
        depth -= token.kind == "close" or token.text.startswith("end ")
        if depth <= 0:
            return place
    raise Unread("open bracket")


def same_shape(left: Shape, right: Shape, equal: Equal, scaled: Equal, conventions: Conventions) -> bool:
    """True when the two are proved to be the same answer. `scaled(a, b)`: a is b times a positive constant."""
    return _Comparison(equal, scaled, conventions).same(left, right)


@dataclass(frozen=True)
class _Comparison:
    equal: Equal
    scaled: Equal
    conventions: Conventions

    def same(self, left: Shape, right: Shape) -> bool:
        if isinstance(left, Items) and isinstance(right, Items):
            return self._items(left, right)
        if isinstance(left, Relation) and isinstance(right, Relation):
            return self._relations(left, right)
        left, right = self._value(left, right), self._value(right, left)
        if isinstance(left, (Items, Relation)) or isinstance(right, (Items, Relation)):
            return False
        return self.equal(left, right)

    def _value(self, shape: Shape, other: Shape) -> Shape:
        """`x = 5` is 5, and `f(x) = e` is e, beside a bare value."""
        if self.conventions.variable_name != "drop" or not isinstance(shape, Relation):
            return shape
        if shape.operators != ("=",) or isinstance(other, (Items, Relation)):
            return shape
        name, value = shape.sides
        named = isinstance(name, Sym) or (isinstance(name, Call) and len(name.name) == 1)
        return value if named and not (isinstance(name, Sym) and name.name in symbols(value)) else shape

    def _items(self, left: Items, right: Items) -> bool:
        if left.brackets != right.brackets and self.conventions.brackets == "strict":
            return False
        related = any(isinstance(part, Relation) for part in left.parts)
        if related and left.joiner != right.joiner:
            return False
        if self._ordered(left.brackets):
            pairs = zip(left.parts, right.parts, strict=False)
            return len(left.parts) == len(right.parts) and all(self.same(*pair) for pair in pairs)
        if left.brackets == "\\{\\}" and self.conventions.set_repeats == "collapse":
            return self._covers(left.parts, right.parts) and self._covers(right.parts, left.parts)
        return self._match(left.parts, right.parts)

    def _ordered(self, brackets: str) -> bool:
        if not brackets:
            return self.conventions.list_order == "ordered"
        return brackets not in ("cup", "\\{\\}")

    def _covers(self, parts: Sequence[Shape], by: Sequence[Shape]) -> bool:
        return all(any(self.same(part, other) for other in by) for part in parts)

    def _match(self, left: Sequence[Shape], right: Sequence[Shape]) -> bool:
        """One to one; first come, first served will do, because equality is transitive."""
        rest = list(right)
        for part in left:
            found = next((i for i, other in enumerate(rest) if self.same(part, other)), -1)
            if found < 0:
                return False
            del rest[found]
        return not rest

    def _relations(self, left: Relation, right: Relation) -> bool:
        turned = Relation(tuple(MIRRORED[o] for o in reversed(right.operators)), right.sides[::-1])
        return any(
            self._same_sides(left, other) or self._same_difference(left, other) for other in (right, turned)
        )

    def _same_sides(self, left: Relation, right: Relation) -> bool:
        pairs = zip(left.sides, right.sides, strict=False)
        return left.operators == right.operators and all(self.equal(*pair) for pair in pairs)

    def _same_difference(self, left: Relation, right: Relation) -> bool:
        """`2x < 6` is `x < 3`: left minus right side agree up to a positive factor."""
        if self.conventions.equation_scale != "any" or left.operators != right.operators:
            return False
        return len(left.operators) == 1 and self.scaled(_difference(left), _difference(right))


def _difference(relation: Relation) -> Node:
    return Add((relation.sides[0], negative(relation.sides[1])))
