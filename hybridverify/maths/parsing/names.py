"""Reading the left side of a definition as a name: `x`, `f(x)`, `f'(x)`, `AB`, `(x, y)`, `Minimum`."""

from __future__ import annotations

from hybridverify.maths.algebra.nodes import Call, Const, Mul, Sym
from hybridverify.maths.limits import Unread
from hybridverify.maths.notation.tokenlists import Tokens, spelled, split, whole_bracket
from hybridverify.maths.notation.tokens import Token
from hybridverify.maths.parsing.expressions import parse
from hybridverify.maths.values.kinds import Named, Scalar

_NO_VALUE = Scalar(Const("inf"))
"""The value of a name whose right side is not read yet."""
_FUNCTIONS = frozenset("fgh")
_SOUGHT = frozenset(("gcd", "lcm", "max", "min", "det", "deg", "dim", "rank"))
"""Functions that, alone on a side, name what is sought."""
_DERIVATIVES = ("frac { dy } { dx }", "frac { d y } { d x }", "dy / dx", "y '", "y ^ { prime }", "y ^ prime")


def name_of(tokens: Tokens) -> Named | None:
    """The name on a left side, its value still empty; None where the side is no name."""
    for read in (_in_words, _applied, _derivative, _proportion):
        label = read(tokens)
        if label is not None:
            return label
    mark, unmarked = _mark_of_function(tokens)
    if mark:
        label = name_of(unmarked)
        return label and Named(label.name + mark, label.parameters, _NO_VALUE)
    if tokens[0].text == "(" and whole_bracket(tokens):
        return _bracket_of_names(tokens)
    return _expression(tokens)


def _in_words(tokens: Tokens) -> Named | None:
    """`Minimum`, `total cost`, `Area of \\triangle ABC`; a short word is more likely a product of letters."""
    tokens = _without_figure(tokens)
    if (tokens[0].note or len(tokens[0].text) > 2) and all(token.kind == "word" for token in tokens):
        return Named(spelled(tokens).casefold(), (), _NO_VALUE, word=True)
    if len(tokens) == 1 and tokens[0].text in _SOUGHT:
        return Named(tokens[0].text, (), _NO_VALUE, word=True)
    return None


def _without_figure(tokens: Tokens) -> Tokens:
    """Words without the name of a figure behind them."""
    end = next((place for place, token in enumerate(tokens) if token.kind == "cmd"), 0)
    figure = tokens[end:]
    if not end or figure[0].text not in ("triangle", "angle", "overline") or tokens[0].note != "text":
        return tokens
    named = all(token.text.isupper() or token.text in "{}" for token in figure[1:])
    return tokens[:end] if named else tokens


def _applied(tokens: Tokens) -> Named | None:
    """`f(x)`, `P(2, n)`, `k_{\\max}(n)`: a letter with letters or numbers in brackets right behind it."""
    if tokens[0].kind != "let" or len(tokens) < 2:
        return None
    opening = _behind_index(tokens)
    if not _is_bracket_beside(tokens[opening:]):
        return None
    inner, _ = split(tokens[opening + 1 : -1], _is_comma)
    if not all(len(part) == 1 and part[0].kind in ("let", "num") for part in inner):
        return None
    name = "".join(token.text for token in tokens[:opening] if token.text not in "{}")
    return Named(name, tuple(part[0].text for part in inner), _NO_VALUE)


def _is_bracket_beside(tokens: Tokens) -> bool:
    """One bracket, right behind what stands before it."""
    if not tokens or tokens[0].text != "(" or tokens[0].gap:
        return False
    return whole_bracket(tokens)


def _behind_index(tokens: Tokens) -> int:
    """The place behind the first letter and its index."""
    if tokens[1].text != "_" or len(tokens) < 4:
        return 1
    if tokens[2].text != "{":
        return 3
    return next((place + 1 for place, token in enumerate(tokens) if token.text == "}"), len(tokens))


def _derivative(tokens: Tokens) -> Named | None:
    """`y'` and `dy/dx` are one name."""
    return Named("y'", (), _NO_VALUE) if spelled(tokens) in _DERIVATIVES else None


def _proportion(tokens: Tokens) -> Named | None:
    """`a : b`."""
    if len(tokens) == 3 and tokens[1].text == ":" and tokens[0].kind == tokens[2].kind == "let":
        return Named(spelled(tokens), (), _NO_VALUE)
    return None


def _mark_of_function(tokens: Tokens) -> tuple[str, Tokens]:
    """The mark of a derivative or an inverse, `f'(x)` or `f^{-1}(x)`, and the side without it; "" for none."""
    function = tokens[0].text in _FUNCTIONS
    if function and len(tokens) > 3 and tokens[1].text in ("'", "prime"):
        return "'", [tokens[0], *tokens[2:]]
    if function and len(tokens) > 5 and "".join(token.text for token in tokens[1:6]) == "^{-1}":
        return "^{-1}", [tokens[0], *tokens[6:]]
    return "", tokens


def _bracket_of_names(tokens: Tokens) -> Named | None:
    """`(x, y)`: the name is the bracket, the names in it are its parameters."""
    parts, _ = split(tokens[1:-1], _is_comma)
    labels = [name_of(part) if part else None for part in parts]
    names = tuple(label.name for label in labels if label)
    return Named("(", names, _NO_VALUE) if len(names) == len(parts) > 1 else None


def _is_comma(token: Token) -> bool:
    return token.text == ","


def _expression(tokens: Tokens) -> Named | None:
    """A letter, a segment such as `AB`, or a function of something."""
    try:
        node = parse(tokens)
    except Unread:
        return None
    if len(tokens) == 1 and tokens[0].text.isupper():
        return Named(tokens[0].text, (), _NO_VALUE, node)
    if type(node) is Sym:
        return Named(node.name, (), _NO_VALUE, node)
    if tokens[0].text == "Delta" and type(node) is Mul and all(type(part) is Sym for part in node.factors):
        return Named(spelled(tokens), (), _NO_VALUE, node) if len(node.factors) == 2 else None
    if type(node) is Call and node.name in _FUNCTIONS:
        return Named(spelled(tokens), (), _NO_VALUE)
    return None
