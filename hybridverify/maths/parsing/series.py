r"""Sums with an ellipsis: `1 + 2 + \dots + n` and `a_k + a_{k-1} + \dots + a_0` are sums over one letter.

What changes from the first term to the second must be numbers or indices that rise or fall by one; the last term must
have the same form. A letter with an index is a function of the index wherever the index is bound.
"""

from __future__ import annotations

from collections.abc import Sequence

from hybridverify.language import expressions as re
from hybridverify.maths.algebra.equality import Same, same_expression
from hybridverify.maths.algebra.nodes import Add, Call, Exact, Mul, Node, Num, Pow, Sym, rename, walk
from hybridverify.maths.algebra.operators import binding
from hybridverify.maths.limits import Unread

_INDEX = re.compile(r"(\d*)([a-z]|[a-z]+)?([+-]\d+)?")
_INDEXED = "index "
_STEP = "\x03"
"""The name of the running letter until it is bound."""


def with_index(node: Node, variable: str = "") -> Node:
    """The node with `a_k` as a function of k; without a variable, every such letter. Raises Unread for an index that
    holds the letter in another way."""
    names: dict[str, Node] = {}
    for part in walk(node):
        if type(part) is Sym and "_" in part.name:
            base, _, index = part.name.partition("_")
            if not variable or variable in index:
                names[part.name] = Call(_INDEXED + base, (_index_node(index),))
    return rename(node, names) if names else node


def _index_node(index: str) -> Node:
    found = _INDEX.fullmatch(index)
    if found is None or not index or len(found[2] or "") > 1:
        raise Unread("index of a letter")
    factor, letter, shift = found.groups()
    if letter is None:
        if shift:
            raise Unread("index of a letter")
        return Num(int(factor))
    node: Node = Sym(letter) if not factor else Mul((Num(int(factor)), Sym(letter)))
    return Add((node, Num(int(shift)))) if shift else node


def series(before: Sequence[Node], last: Node) -> Node:
    """The sum of the terms before the dots up to the last one."""
    terms = [with_index(term) for term in before]
    end = with_index(last)
    general = _General()
    body = general.of(*terms[:2]) if len(terms) > 1 else general.of_indices(terms[0], end)
    if general.start is None or general.step not in (1, -1):
        raise Unread("a sum with dots")
    for place, term in enumerate(terms):
        _check(body, general.at(place), term)
    high = _value_in(body, end)
    _check(body, high, end)
    low = general.at(0)
    if general.step < 0:
        low, high = high, low
    return binding("sum", body, _STEP, low, high)


def _check(body: Node, value: Node, term: Node) -> None:
    if same_expression(rename(body, {_STEP: value}), term) is not Same.EQUAL:
        raise Unread("a sum with dots")


class _General:
    """The form that two terms share: the first place where they differ is the running letter."""

    def __init__(self) -> None:
        self.start: tuple[Node | None, Exact] | None = None
        self.step: Exact = 0

    def at(self, place: int) -> Node:
        """The running letter in that term."""
        assert self.start is not None
        base, shift = self.start
        return _shifted(base, shift + self.step * place)

    def of(self, one: Node, other: Node) -> Node:
        """Both terms with what differs as a letter; raises Unread where they have no common form."""
        if one == other:
            return one
        first, second = _place(one), _place(other)
        if first is not None and second is not None and first[0] == second[0]:
            return self._running(first, second[1] - first[1])
        if not _same_form(one, other):
            raise Unread("a sum with dots")
        return _rebuilt(one, tuple(map(self.of, _parts(one), _parts(other))))

    def _running(self, first: tuple[Node | None, Exact], step: Exact) -> Node:
        if self.start is None:
            self.start, self.step = first, step
            return Sym(_STEP)
        if step != self.step or first[0] != self.start[0]:
            raise Unread("a sum with dots")
        gap = first[1] - self.start[1]
        return Add((Sym(_STEP), Num(gap))) if gap else Sym(_STEP)

    def of_indices(self, first: Node, last: Node) -> Node:
        """`a_1 + \\dots + a_n`: one letter with an index, which rises by one."""
        if type(first) is not Call or not first.name.startswith(_INDEXED):
            raise Unread("a sum with dots")
        start = _place(first.args[0])
        if type(last) is not Call or last.name != first.name or start is None or start[0] is not None:
            raise Unread("a sum with dots")
        self.start, self.step = start, 1
        return Call(first.name, (Sym(_STEP),))


def _place(node: Node) -> tuple[Node | None, Exact] | None:
    """A number, or a letter with a number added."""
    if type(node) is Num and node.value.denominator == 1:
        return None, node.value
    if type(node) is Sym:
        return node, 0
    if type(node) is Add and len(node.terms) == 2:
        base, shift = node.terms
        if type(shift) is Num and shift.value.denominator == 1 and type(base) is Sym:
            return base, shift.value
    return None


def _shifted(base: Node | None, shift: Exact) -> Node:
    if base is None:
        return Num(shift)
    return Add((base, Num(shift))) if shift else base


def _value_in(body: Node, term: Node) -> Node:
    """What the running letter is in a term of this form."""
    found = _found(body, term)
    if found is None:
        raise Unread("a sum with dots")
    return found


def _found(body: Node, term: Node) -> Node | None:
    if body == Sym(_STEP):
        return term
    if type(body) is not type(term):
        return None
    pairs = zip(_parts(body), _parts(term), strict=False)
    return next((value for one, other in pairs if (value := _found(one, other)) is not None), None)


def _same_form(one: Node, other: Node) -> bool:
    """Two sums, products, powers or calls of one function with as many parts."""
    if type(one) is Call and type(other) is Call and one.name != other.name:
        return False
    if type(one) is not type(other) or type(one) not in (Add, Mul, Pow, Call):
        return False
    return len(_parts(one)) == len(_parts(other))


def _rebuilt(node: Node, parts: tuple[Node, ...]) -> Node:
    """The node with other parts."""
    if type(node) is Add:
        return Add(parts)
    if type(node) is Mul:
        return Mul(parts)
    if type(node) is Pow:
        return Pow(*parts)
    assert type(node) is Call
    return Call(node.name, parts)


def _parts(node: Node) -> tuple[Node, ...]:
    if type(node) is Add:
        return node.terms
    if type(node) is Mul:
        return node.factors
    if type(node) is Pow:
        return node.base, node.exponent
    return node.args if type(node) is Call else ()
