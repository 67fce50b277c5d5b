r"""Sums, products, integrals and limits, which our own reader does not know, through math-verify's LaTeX parser.

That parser drops what it does not expect (base suffixes, primes, degree signs, words as products of letters), so
only texts made of a short list of commands get to it. And an operator in an answer counts only against a reference
that has it too: else a question of the kind "evaluate \int .." would pay for its own input.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hybridverify.language import expressions as re
from hybridverify.maths.limits import Limit, Unread

if TYPE_CHECKING:
    import sympy

OPERATORS = frozenset(("sum", "prod", "int", "lim"))
MAX_NUMBER = 1_000
"""Largest integer in such a text: bounds, exponents and factorials are computed in full."""
MAX_PLAIN_NUMBER = 10**18
"""As above, in a text where nothing is computed from it."""
_FUNCTIONS = frozenset(("sin", "cos", "tan", "ln", "exp"))
_GREEK = frozenset(("alpha", "beta", "gamma", "theta", "lambda", "mu", "phi"))
_COMMANDS = OPERATORS | _FUNCTIONS | _GREEK | {"frac", "sqrt", "binom", "cdot", "times", "pi", "infty", "to"}
_TOKEN = re.compile(r"\\[a-zA-Z]+|\\[,;:! ]|\d+|[a-zA-Z]+|\s+|[-+*/^_=(){}!]")
_SPACES = ("\\,", "\\;", "\\:", "\\!", "\\ ", "\\left", "\\right", "\\limits")
_COMPUTING = frozenset(("^", "!", "\\binom", *("\\" + name for name in OPERATORS)))
_ENDS_ARGUMENT = ("", "}", ")", "+", "-", "=")
_FRACTIONS = ("\\dfrac", "\\tfrac")


def operators_of(text: str) -> tuple[str, ...]:
    r"""The operators of a text in their order.

    >>> operators_of(r"\sum_{k=1}^{n} \int_0^k x dx")
    ('sum', 'int')
    """
    return tuple(name for name in re.findall(r"\\([a-z]+)", text) if name in OPERATORS)


def plain_latex(text: str) -> str:
    """The text with one spelling for each thing, if that parser reads all of it as we do. Raises Unread."""
    tokens = _with_arguments(_tokens(text))
    largest = MAX_PLAIN_NUMBER if _COMPUTING.isdisjoint(tokens) else MAX_NUMBER
    before, openers = "", [""]
    for token in tokens:
        _check(token, largest)
        if _doubtful(before, token):
            raise Unread("read in two ways")
        if token == "{":
            openers.append(before)
        if token == "}" and len(openers) == 1:
            raise Unread("a closing brace too many")
        raised = token == "}" and openers.pop() in ("^", "_")
        before = "raised group" if raised else token
    if any(_is_power_and_number(tokens[at:]) for at, token in enumerate(tokens) if token == "e"):
        raise Unread("read in two ways")
    return " ".join(tokens)


def _is_power_and_number(tokens: list[str]) -> bool:
    """`e^{0} 2` was read as a mixed number."""
    exponent = tokens[2:] if tokens[1:2] == ["^"] else []
    end = exponent.index("}") + 1 if exponent[:1] == ["{"] and "}" in exponent else 1
    return any(map(str.isdigit, exponent[end : end + 1]))


def _check(token: str, largest: int) -> None:
    """Raises Unread for a word, an unknown command, and a number that is too large."""
    if token.isdigit() and int(token[:19]) > largest:
        raise Limit("limit")
    if token.isalpha() and len(token) > 1 and not _is_differential(token):
        raise Unread("words")
    if token[0] == "\\" and token[1:] not in _COMMANDS:
        raise Unread("command")


def _with_arguments(tokens: list[str]) -> list[str]:
    r"""`\sin x` and `\frac12` with their brackets, where one letter or two digits are all they may take."""
    out = [""]
    for token, following in zip(tokens, [*tokens[1:], ""], strict=True):
        before = out[-1]
        if before.isdigit() and token == "e" and out[-2] not in ("^", "_"):
            out += ["\\cdot", token]
        elif before[1:] in _FUNCTIONS and _is_whole_argument(token, following):
            out += ["(", token, ")"]
        elif before == "\\frac" and len(token) == 2 and token.isdigit():
            out += ["{", token[0], "}", "{", token[1], "}"]
        else:
            out.append(token)
    return out[1:]


def _is_whole_argument(token: str, following: str) -> bool:
    """One letter, with nothing behind it that could belong to the argument too."""
    if len(token) != 1 or not token.isalpha():
        return False
    return following in _ENDS_ARGUMENT or _is_differential(following)


def _is_differential(token: str) -> bool:
    return len(token) == 2 and token[0] == "d" and token[1].islower()


def _doubtful(before: str, token: str) -> bool:
    """Neighbours that this parser takes for a mixed number, an argument or nothing at all."""
    if before[:1] == "\\" and before[1:] in _FUNCTIONS:
        return token not in ("(", "{")
    if before in (")", "}"):
        return token in ("(", "\\frac") or token.isdigit()
    return before.isdigit() and token in ("_", "(", "\\frac", "e")  # `6e^0` was read as 6 and 1


def _tokens(text: str) -> list[str]:
    tokens: list[str] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or (tokens and tokens[-1].isdigit() and match[0].isdigit()):
            raise Unread("character")
        at = match.end()
        token = match[0]
        if token in _FRACTIONS:
            token = "\\frac"
        if not token.isspace() and token not in _SPACES:
            tokens.append("\\cdot" if token == "*" else token)
    return tokens


def parsed(latex: str) -> sympy.Expr:
    """The value of a text from `plain_latex`. Raises Unread."""
    import sympy
    from latex2sympy2_extended.latex2sympy2 import ConversionConfig, latex2sympy

    config = ConversionConfig(lowercase_symbols=False)
    try:
        found: Any = latex2sympy(latex, is_real=True, normalization_config=None, conversion_config=config)
    except Exception as error:  # that parser raises bare Exception
        raise Unread("math-verify cannot parse it") from error
    if not isinstance(found, sympy.Expr):
        raise Unread("no expression")
    return found.xreplace(_whole_numbers(found)).doit()


def alike(left: sympy.Expr, right: sympy.Expr) -> tuple[sympy.Expr, sympy.Expr]:
    """Both with the same letters for natural numbers: the bound of a sum may occur in a closed form too."""
    whole = {
        symbol.name: symbol for side in (left, right) for symbol in side.free_symbols if symbol.is_integer
    }
    first, second = (
        side.xreplace({symbol: whole.get(symbol.name, symbol) for symbol in side.free_symbols})
        for side in (left, right)
    )
    return first, second


def _whole_numbers(found: sympy.Expr) -> dict[sympy.Symbol, sympy.Symbol]:
    """Letters in the bounds of a sum or product stand for natural numbers."""
    import sympy

    counted: Sequence[sympy.Symbol] = sorted(
        {
            symbol
            for part in found.atoms(sympy.Sum, sympy.Product)
            for limit in part.limits
            for bound in limit
            for symbol in bound.free_symbols
        },
        key=lambda symbol: symbol.name,
    )
    return {symbol: sympy.Symbol(symbol.name, integer=True, positive=True) for symbol in counted}
