r"""Arithmetic that comes to an amount: `3 x $4 = $12`, `3 apples + 4 apples = 7 apples`, `1/4 = 25\%`.

The last side is the value, with its unit. What stands before it only has to come to the same number: signs of money and
words are left out there.
"""

from __future__ import annotations

from collections.abc import Sequence

from hybridverify.maths.algebra.equality import Same, same_expression
from hybridverify.maths.algebra.nodes import Mul, Node, Num, Pow, symbols
from hybridverify.maths.limits import Unread
from hybridverify.maths.notation.tokenlists import Tokens
from hybridverify.maths.notation.tokens import Token
from hybridverify.maths.parsing.expressions import parse, spells_word
from hybridverify.maths.values.kinds import Percent, Scalar, Value

_HUNDREDTH = Pow(Num(100), Num(-1))


def comes_to_amount(sides: Sequence[Tokens]) -> bool:
    """Whether a side has a unit or a sign of money, or an x stands between two numbers."""
    return any(_arithmetic(side) != list(side) for side in sides)


def check_amount(sides: Sequence[Tokens], value: Value, named: bool = False) -> None:
    """All sides but the last must come to the number of the last, whose value is given. Raises Unread.

    A chain that gives a name its value may hold formulas in letters and in words: `A = \\pi r^2 = 25 \\pi cm^2`.
    """
    numbers = _numbers_of(value)
    formulas = named and not any(map(symbols, numbers))
    for side in sides[:-1]:
        if _is_condition(side):
            raise Unread("a condition within a chain")
        if named and all(token.kind == "word" for token in side):
            continue  # `length times width`
        node = parse(_arithmetic(side))
        if not (formulas and symbols(node)) and not _is_one_of(node, numbers):
            raise Unread("a false equation")


def _numbers_of(value: Value) -> list[Node]:
    """The number of an amount, of a percentage also as a part of one. Raises Unread."""
    if isinstance(value, Scalar):
        return [value.measured.value.node if value.measured else value.node]
    amount = getattr(value, "value", None)
    if not isinstance(amount, Scalar):
        raise Unread("a chain to no amount")
    return [amount.node, Mul((amount.node, _HUNDREDTH))] if isinstance(value, Percent) else [amount.node]


def _is_condition(side: Tokens) -> bool:
    """`5 at x`, before `= 2`."""
    return len(side) > 1 and side[-1].kind == "let" and side[-2].kind == "word"


def _is_one_of(node: Node, numbers: list[Node]) -> bool:
    return any(same_expression(node, number) is Same.EQUAL for number in numbers)


def _arithmetic(side: Tokens) -> list[Token]:
    """The numbers of a side and the signs between them, without what they count; `3 x 4` is a product."""
    bare: list[Token] = []
    counted = False
    for token in side:
        counted = spells_word(token) and (counted or (bool(bare) and bare[-1].kind in ("num", "close")))
        if token.text == "%":
            bare += [Token("op", "/"), Token("num", "100")]
        elif token.kind != "money" and not counted:
            bare.append(token)
    return _with_products(bare)


def _with_products(bare: list[Token]) -> list[Token]:
    """The tokens, an x between two numbers made the sign of a product."""
    kinds = [token.kind for token in bare]
    for place in range(1, len(bare) - 1):
        if bare[place].text in ("x", "X") and kinds[place - 1 : place + 2] == ["num", "let", "num"]:
            bare[place] = Token("op", "*")
    return bare
