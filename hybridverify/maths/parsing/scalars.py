"""Reading one number or expression with what stands around it: sign of money, percent, degrees, unit, ordinal."""

from __future__ import annotations

from hybridverify.conventions import Conventions
from hybridverify.maths.algebra.nodes import Const, Mul, Node, Num, Sym, coarse, negative
from hybridverify.maths.limits import Unread
from hybridverify.maths.notation.tokenlists import Tokens, without_group
from hybridverify.maths.notation.tokens import Token
from hybridverify.maths.parsing.expressions import Parser
from hybridverify.maths.parsing.texts import number_word
from hybridverify.maths.units.compound import read_compound
from hybridverify.maths.units.measures import read_unit
from hybridverify.maths.values.kinds import Degrees, Money, Percent, Quantity, Scalar, Value

_CURRENCIES = {
    "dollar": "$",
    "dollars": "$",
    "bucks": "$",
    "usd": "$",
    "euro": "€",
    "euros": "€",
    "eur": "€",
    "gbp": "£",
    "yen": "¥",
    "jpy": "¥",
    "rupee": "₹",
    "rupees": "₹",
    "inr": "₹",
}
_SCALES = {
    "hundred": 100,
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
    "dozen": 12,
}
_ORDINALS = frozenset(("st", "nd", "rd", "th"))
_DEGREE_WORDS = frozenset(("degree", "degrees", "deg"))
_DEGREE = Const("deg")
_MAX_WORDS = 12
"""The longest number in words that is looked for."""


def read_scalar(tokens: Tokens, conventions: Conventions) -> Value:
    """A scalar, percentage, amount, angle or quantity; raises Unread."""
    tokens = without_group(tokens)
    if not tokens:
        raise Unread("empty")
    if any(token.kind == "money" for token in (tokens[0], tokens[-1])) or tokens[0].text == "-":
        money = _money(tokens, conventions)
        if money is not None:
            return money
    compound = read_compound(tokens)
    if compound is not None:
        return compound
    if tokens[0].kind == "word" and conventions.number_words:
        spoken = _spoken(tokens, conventions)
        if spoken is not None:
            return spoken
    tokens = _without_ordinal(_units_named_like_functions(tokens), conventions)
    parser = Parser(tokens, conventions.mixed_number == "sum")
    node = parser.whole()
    grouped = any(token.note == "grouped" for token in tokens)
    rest = list(parser.tokens[parser.at :])
    if not rest:
        return _plain(node, grouped)
    if type(node) is Sym and tokens[0].text == "(":  # `(C) Rome` is an option and what it says
        raise Unread("letter in brackets")
    return with_suffix(node, rest, grouped, conventions)


def _spoken(tokens: Tokens, conventions: Conventions) -> Value | None:
    """`seven`, `seven apples`: the longest number in words, and what stands behind it."""
    words = next((i for i, token in enumerate(tokens) if token.kind != "word"), len(tokens))
    for end in range(min(words, _MAX_WORDS), 0, -1):
        value = number_word(" ".join(token.text for token in tokens[:end]))
        if value is not None:
            rest = tokens[end:]
            return with_suffix(value, rest, False, conventions) if rest else Scalar(value)
    return None


def _plain(node: Node, grouped: bool) -> Value:
    if type(node) is Mul and len(node.factors) == 2:
        first, second = node.factors
        if second == _DEGREE:
            return Degrees(Scalar(first))
        turned = type(second) is Mul and len(second.factors) == 2 and second.factors[1] == _DEGREE
        if turned and type(second) is Mul and first == Num(-1):
            return Degrees(Scalar(negative(second.factors[0])))
    return Scalar(node, grouped)


def with_suffix(node: Node, rest: Tokens, grouped: bool, conventions: Conventions) -> Value:
    """A number with what stands behind it: percent, degrees, money or a unit; raises Unread."""
    first = rest[0].text.lower()
    scalar = Scalar(node, grouped)
    if len(rest) == 1 and (first in ("%", "percent")):
        return Percent(scalar)
    if len(rest) == 1 and first in _DEGREE_WORDS:
        return Degrees(scalar)
    if len(rest) == 1 and first in _CURRENCIES:
        return Money(scalar, _CURRENCIES[first])
    if first in _SCALES and type(node) is Num:
        scaled = _scaled(node, _SCALES[first])
        return with_suffix(scaled, rest[1:], grouped, conventions) if rest[1:] else Scalar(scaled)
    plain = _plain(node, grouped)
    if isinstance(plain, Degrees):
        if len(rest) == 1 and first in ("c", "f"):
            node = plain.value.node
        else:
            raise Unread("words after degrees")
    unit = read_unit(rest)
    if unit is None:
        raise Unread(f"unexpected {rest[0].text[:20]!r}")
    return Quantity(Scalar(node, grouped), unit)


def _scaled(node: Num, scale: int) -> Num:
    """`4.5 million` is rounded to a hundred thousand; a dozen is counted."""
    zeros = len(str(scale)) - 1
    exact = scale != 10**zeros or node.digits < -1 or (node.value.denominator != 1 and node.digits < 0)
    return Num(node.value * scale, -1 if exact else coarse(max(node.digits, 0) - zeros))


def _without_ordinal(tokens: Tokens, conventions: Conventions) -> Tokens:
    """`7th` and `7^{\\text{th}}` are 7."""
    if tokens[0].kind != "num" or not conventions.ordinals or not 2 <= len(tokens) <= 5:
        return tokens
    texts = [token.text.lower() for token in tokens[1:] if token.text not in ("^", "{", "}")]
    return tokens[:1] if len(texts) == 1 and texts[0] in _ORDINALS else tokens


def _money(tokens: Tokens, conventions: Conventions) -> Value | None:
    minus = tokens[0].text == "-" and tokens[0].kind == "op"
    body = tokens[1:] if minus else tokens
    if body and body[0].kind == "money":
        sign, body = body[0].text, body[1:]
    elif body and body[-1].kind == "money" and not minus:
        sign, body = body[-1].text, body[:-1]
    else:
        return None
    value = read_scalar(body, conventions)
    if isinstance(value, Money) and value.sign == sign:
        value = value.value
    if not isinstance(value, Scalar):
        raise Unread("amount of money")
    return Money(Scalar(negative(value.node) if minus else value.node, value.grouped), sign)


def _units_named_like_functions(tokens: Tokens) -> Tokens:
    last = tokens[-1]
    if last.kind == "fun" and last.text in ("min", "sec") and len(tokens) > 1:
        return [*tokens[:-1], Token("word", last.text, last.gap)]
    return tokens
