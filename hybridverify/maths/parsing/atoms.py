"""The atoms of expressions: letters with indices, functions, roots, fractions, groups, bars."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from hybridverify.maths.algebra.literals import number
from hybridverify.maths.algebra.nodes import Add, Call, Const, Mul, Node, Num, Pow, Sym, quotient
from hybridverify.maths.limits import MAX_ITEMS, Limit, Undefined, Unread
from hybridverify.maths.parsing import operators
from hybridverify.maths.parsing.cursor import Cursor
from hybridverify.maths.parsing.letters import MARKS, absolute, arguments, letter, marked_letters

_INVERSE = {
    name: "arc" + name for name in ("sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "coth")
}
_SEVERAL = frozenset(("max", "min", "gcd", "lcm", "binom"))
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_LONGEST = 4


def atom(parser: Cursor) -> Node:
    """The atom at the parser's place; raises Unread where none begins."""
    token = parser.peek()
    read = _ATOMS.get(token.kind)
    if read is not None and token.text != "\\{":
        return read(parser)
    if token.kind == "bar" and token.text == "|" and parser.bars == 0:
        return absolute(parser)
    if token.kind == "word" and parser.starts_atom(token):
        raise Unread("x^ab is read in two ways")
    if token.text == "!" and parser.peek(1).text.isdecimal() and not parser.peek(1).gap:
        return _subfactorial(parser)
    raise Unread(f"unexpected {token.text[:20]!r}" if token.text else "unfinished")


def _subfactorial(parser: Cursor) -> Node:
    """`!5`, the number of arrangements that leave nothing in its place."""
    parser.take()
    count = int(parser.take().text[:_LONGEST])
    if count > MAX_ITEMS:
        raise Limit("limit")
    before, found = 0, 1
    for size in range(1, count + 1):
        before, found = found, (size - 1) * (found + before)
    return Num(found)


def _constant(parser: Cursor) -> Node:
    """A constant; `e` may carry an index as letters do."""
    return letter(parser) if parser.peek().text == "e" else Const(parser.take().text)


def _bracketed(parser: Cursor) -> Node:
    opening = parser.take().text
    bars, parser.bars = parser.bars, 0
    node = parser.whole() if opening == "{" else parser.expression()
    if opening in ("floor(", "ceil("):
        parser.expect(opening[:-1] + ")")
        node = Call(opening[:-1], (node,))
    elif opening in _CLOSING:
        parser.expect(_CLOSING[opening])
    else:
        raise Unread(f"bracket {opening!r}")
    parser.bars = bars
    return node


def _function(parser: Cursor) -> Node:
    name = parser.take().text
    if name in operators.PROGRAMS:
        return operators.read_program(parser, name)
    base = None
    exponent = None
    while parser.peek().text in ("^", "_"):
        if parser.take().text == "_":
            base = _single(parser)
        elif exponent is None:
            exponent = _single(parser, signed=True)
        else:
            raise Unread("two exponents")
    if exponent == Num(-1):
        if name not in _INVERSE:
            raise Unread("inverse function")
        name, exponent = _INVERSE[name], None
    if name == "log" and base is None:
        base = _written_base(parser)
    args = _function_arguments(parser, name)
    node = _call(name, args, base)
    return node if exponent is None else Pow(node, exponent)


def _written_base(parser: Cursor) -> Node | None:
    """The base of `log2(8)` and `log10(8)`."""
    token, following = parser.peek(), parser.peek(1)
    if token.kind != "num" or token.gap or following.text != "(" or following.gap:
        return None
    if token.text not in ("2", "10"):
        raise Unread("base of a logarithm")
    return Num(int(parser.take().text))


def _call(name: str, args: tuple[Node, ...], base: Node | None) -> Node:
    if base is not None:
        if name != "log" or len(args) != 1:
            raise Unread("index of a function")
        return Call("log", (args[0], base))
    if name == "lg":
        return Call("log", (args[0], Num(10)))
    if name == "exp":
        return Pow(Const("e"), args[0])
    if name == "cis":
        return Add((Call("cos", args), Mul((Sym("i"), Call("sin", args)))))
    if name == "cbrt":
        return Pow(args[0], Num(Fraction(1, 3)))
    return Call(name, args)


def _function_arguments(parser: Cursor, name: str) -> tuple[Node, ...]:
    opening = parser.peek()
    if opening.text in ("(", "[") and opening.kind == "open":
        return _bracketed_arguments(parser, name)
    if opening.text == "\\{" and name in _SEVERAL:
        parser.take()
        return arguments(parser, "\\}")
    return (_bare_argument(parser),)


def _bracketed_arguments(parser: Cursor, name: str) -> tuple[Node, ...]:
    closing = _CLOSING[parser.take().text]
    bars, parser.bars = parser.bars, 0
    args = arguments(parser, closing)
    parser.bars = bars
    if name == "binom" and len(args) != 2:
        raise Unread("number of arguments")
    if len(args) > 1 and name not in _SEVERAL and not (name == "log" and len(args) == 2):
        raise Unread("number of arguments")
    return args


def _bare_argument(parser: Cursor) -> Node:
    """`\\sin 2x`: the factors up to a sign, another function or a number that may be a new factor."""
    factors = [parser.power()]
    while parser.starts_atom(parser.peek()) and parser.peek().kind not in ("fun", "bar"):
        if parser.peek().kind == "num" and type(factors[-1]) in (Num, Sym):
            break
        factors.append(parser.power())
    return factors[0] if len(factors) == 1 else Mul(tuple(factors))


def _single(parser: Cursor, signed: bool = False) -> Node:
    """One token or one group, as TeX takes after `^` and `_`."""
    if signed and parser.peek().text == "-":
        parser.take()
        inner = _single(parser)
        return Num(-inner.value) if type(inner) is Num else Mul((Num(-1), inner))
    if parser.peek().kind == "num":
        text = parser.take().text
        if not text.isdigit():
            raise Unread("exponent of a function")
        return Num(int(text))
    return atom(parser)


def _command(parser: Cursor) -> Node:
    name = parser.take().text
    if name in operators.NAMES:
        return operators.read_operator(parser, name)
    if name == "frac":
        derivative = operators.read_derivative(parser)
        if derivative is not None:
            return derivative
        return divided(fraction_argument(parser, first=True), fraction_argument(parser))
    if name == "sqrt":
        return _root(parser)
    if name == "binom":
        if parser.peek().text == "(":
            parser.take()
            args = arguments(parser, ")")
        else:
            args = (fraction_argument(parser, first=True), fraction_argument(parser))
        if len(args) != 2:
            raise Unread("number of arguments")
        return Call("binom", args)
    if name in MARKS:
        return marked_letters(parser, name)
    raise Unread(f"command {name!r}")


def fraction_argument(parser: Cursor, first: bool = False) -> Node:
    """A group, or one digit: `\\frac12` is one half."""
    token = parser.peek()
    if token.kind != "num":
        return atom(parser)
    digits = token.text
    if not digits.isdigit() or len(digits) > 1 + first:
        raise Unread("digits after a command")
    if len(digits) == 2:  # the second digit is the next argument
        halves = [token._replace(text=digits[0]), token._replace(text=digits[1])]
        parser.tokens = [*parser.tokens[: parser.at], *halves, *parser.tokens[parser.at + 1 :]]
    parser.take()
    return Num(int(digits[0]))


def divided(top: Node, bottom: Node) -> Node:
    """A quotient; `dy/dx` is a derivative, no quotient."""
    if _leads_with_d(top) and _leads_with_d(bottom):
        raise Unread("derivative")
    return quotient(top, bottom)


def _leads_with_d(node: Node) -> bool:
    first = node.factors[0] if type(node) is Mul else node
    return first == Sym("d")


def _root(parser: Cursor) -> Node:
    degree: Node = Num(2)
    if parser.peek().text == "[":
        parser.take()
        degree = parser.expression()
        parser.expect("]")
    if parser.peek().kind == "num":
        node: Node = number(parser.take())
    else:
        node = atom(parser)
    if type(degree) is not Num or degree.value.denominator != 1:
        return Pow(node, Pow(degree, Num(-1)))
    if degree.value < 1:
        raise Undefined("root")
    return Pow(node, Num(Fraction(1, int(degree.value))))


_ATOMS: dict[str, Callable[[Cursor], Node]] = {
    "let": letter,
    "const": _constant,
    "open": _bracketed,
    "fun": _function,
    "cmd": _command,
}
"""What begins with a token of each kind; a brace of a set begins no expression."""
