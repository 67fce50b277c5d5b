"""Reading one number or expression with what stands around it: sign of money, percent, degrees, unit, ordinal."""

from __future__ import annotations

from hybridverify.conventions import Conventions
from hybridverify.maths.algebra.nodes import (
    Call,
    Const,
    Mul,
    Node,
    Num,
    Pow,
    Sym,
    coarse,
    negative,
    symbols,
    walk,
)
from hybridverify.maths.algebra.unfinished import OF_ANGLES
from hybridverify.maths.limits import Unread
from hybridverify.maths.notation.magnitudes import magnitude_before
from hybridverify.maths.notation.tokenlists import Tokens, without_group
from hybridverify.maths.notation.tokens import Token
from hybridverify.maths.parsing.expressions import Parser
from hybridverify.maths.parsing.texts import number_word
from hybridverify.maths.units.compound import read_compound
from hybridverify.maths.units.reading import read_unit
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
_ORDINALS = frozenset(("st", "nd", "rd", "th"))
_DEGREE_WORDS = frozenset(("degree", "degrees", "deg"))
_TEMPERATURES = ("c", "f", "celsius", "fahrenheit")
_DIVIDING = frozenset(("per", "/"))
_DEGREE = Const("deg")
_MAX_MEASURED = 16
_MAX_WORDS = 12
"""The longest number in words that is looked for."""


def read_scalar(tokens: Tokens, conventions: Conventions) -> Value:
    """A scalar, percentage, amount, angle or quantity; raises Unread."""
    tokens = without_group(tokens)
    if not tokens:
        raise Unread("empty")
    value = _by_its_words(tokens, conventions)
    if value is not None:
        return value
    tokens = _without_ordinal(_units_named_like_functions(tokens), conventions)
    parser = Parser(tokens, conventions.mixed_number == "sum")
    try:
        node = parser.whole()
    except Unread:
        told = _measured(tokens) if _holds_words(tokens) else None
        if told is None:
            raise
        return told
    grouped = "grouped" in {token.note for token in tokens}
    rest = list(parser.tokens[parser.at :])
    if not rest:
        _check_settled(tokens)
        measured = _measured(tokens)
        return measured if measured and _DEGREE in walk(node) else _plain(node, grouped, measured)
    if type(node) is Sym and tokens[0].text == "(":  # `(C) Rome` is an option and what it says
        raise Unread("letter in brackets")
    told = _measured(tokens) if _divides_by_unit(tokens) else None
    return told or with_suffix(node, rest, grouped, conventions)


def _divides_by_unit(tokens: Tokens) -> bool:
    """`2.7 g cm^{-3}`: the letter behind a blank is a unit like the one that has a negative exponent."""
    spaced = tokens[0].kind == "num" and tokens[1].kind == "let" and tokens[1].gap
    texts = {one.text.lower() for one in tokens[2:]}
    return spaced and "-" in texts and _DIVIDING.isdisjoint(texts)


def _by_its_words(tokens: Tokens, conventions: Conventions) -> Value | None:
    """An amount of money, a compound quantity or a number in words; None for an expression."""
    return _money(tokens, conventions) or read_compound(tokens) or _spoken(tokens, conventions)


def _holds_words(tokens: Tokens) -> bool:
    """Words or upright letters, which may be a unit."""
    return any(token.note == "roman" or token.kind == "word" for token in tokens)


def _check_settled(tokens: Tokens) -> None:
    if "bmod" in {token.text for token in tokens}:
        raise Unread("a remainder that is left open")


def _spoken(tokens: Tokens, conventions: Conventions) -> Value | None:
    """`seven`, `seven apples`: the longest number in words, and what stands behind it."""
    if tokens[0].kind != "word" or not conventions.number_words:
        return None
    words = next((i for i, token in enumerate(tokens) if token.kind != "word"), len(tokens))
    for end in range(min(words, _MAX_WORDS), 0, -1):
        value = number_word(" ".join(token.text for token in tokens[:end]))
        if value is not None:
            rest = tokens[end:]
            return with_suffix(value, rest, False, conventions) if rest else Scalar(value)
    return None


def _measured(tokens: Tokens) -> Quantity | None:
    """The quantity that the tokens are where their letters spell a unit."""
    number = 1 + (tokens[0].text == "-")
    if not number < len(tokens) <= _MAX_MEASURED or tokens[number - 1].kind != "num":
        return None
    start = _start_of_letters(tokens)
    if start < number or any(token.kind in ("fun", "const", "cmd") for token in tokens[start + 1 :]):
        return None
    unit = read_unit(tokens[start:])
    if unit is None or not unit.known:
        return None
    try:
        amount = _plain(Parser(tokens[:start]).whole(), False)
    except Unread:
        return None
    if isinstance(amount, Degrees) and unit.words[0] in _TEMPERATURES:
        amount = amount.value  # the degrees of `25 °C` belong to its unit
    return Quantity(amount, unit) if isinstance(amount, Scalar) else None


def _start_of_letters(tokens: Tokens) -> int:
    """The place of the first letter or word, with the signs that join it to a number; 0 for none."""
    start = next((i for i, token in enumerate(tokens) if token.kind in ("let", "word")), 0)
    while start and tokens[start - 1].text in ("{", "*", "frac"):
        start -= 1
    return start


def _plain(node: Node, grouped: bool, measured: Quantity | None = None) -> Value:
    if type(node) is Mul and len(node.factors) == 2:
        first, second = node.factors
        if second == _DEGREE:
            return Degrees(Scalar(first))
        turned = type(second) is Mul and len(second.factors) == 2 and second.factors[1] == _DEGREE
        if turned and type(second) is Mul and first == Num(-1):
            return Degrees(Scalar(negative(second.factors[0])))
    return Scalar(node, grouped, measured)


def with_suffix(node: Node, rest: Tokens, grouped: bool, conventions: Conventions) -> Value:
    """A number with what stands behind it: percent, degrees, money or a unit; raises Unread."""
    first = rest[0].text.lower()
    marked = _with_word(Scalar(node, grouped), first) if len(rest) == 1 else None
    if marked is not None:
        return marked
    scale, behind = magnitude_before(rest) if type(node) is Num else (1, rest)
    if scale > 1 and type(node) is Num:
        scaled = _scaled(node, scale)
        return with_suffix(scaled, behind, grouped, conventions) if behind else Scalar(scaled)
    plain = _plain(node, grouped)
    if isinstance(plain, Degrees):
        if len(rest) > 1 or first not in ("c", "f"):
            raise Unread("words after degrees")
        node = plain.value.node
    unit = read_unit(rest)
    if unit is None or (type(node) is Mul and not unit.known and _is_spelled(node)):  # `I am sure`
        raise Unread(f"unexpected {rest[0].text[:20]!r}")
    return Quantity(Scalar(node, grouped), unit)


def _is_spelled(node: Mul) -> bool:
    return all(type(factor) is Sym for factor in node.factors)


def _with_word(scalar: Scalar, word: str) -> Value | None:
    """A number whose one word makes it another kind of value; None for other words."""
    if word in ("%", "percent", "pct", "percentage"):
        return Percent(scalar)
    if word in _DEGREE_WORDS:
        turned = _of_degrees(scalar.node)
        return Scalar(turned) if turned else Degrees(scalar)
    return Money(scalar, _CURRENCIES[word]) if word in _CURRENCIES else None


def _of_degrees(node: Node) -> Node | None:
    """`sin 30 degrees`: what stands last counts the angle of a function. None for any other number of degrees."""
    if type(node) is Mul:
        last = _of_degrees(node.factors[-1])
        return last and Mul((*node.factors[:-1], last))
    if type(node) is Pow:
        base = _of_degrees(node.base)
        return base and Pow(base, node.exponent)
    if type(node) is Call and node.name in OF_ANGLES and not symbols(node):
        return Call(node.name, (Mul((*node.args, _DEGREE)),))
    return None


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
    """`$5`, `5$` or `-$5`; None where no sign of money stands at an end."""
    tokens = _with_sign(tokens)
    minus = tokens[0].text == "-" and tokens[0].kind == "op"
    sign, body = _without_sign(tokens[1:]) if minus else _without_either_sign(tokens)
    if not sign:
        return None
    value = read_scalar(body, conventions)
    if isinstance(value, Money) and value.sign == sign:
        value = value.value
    if not isinstance(value, Scalar):
        raise Unread("amount of money")
    return Money(Scalar(negative(value.node) if minus else value.node, value.grouped), sign)


def _with_sign(tokens: Tokens) -> Tokens:
    """`USD 5` with the sign of the currency."""
    sign = _CURRENCIES.get(tokens[0].text.lower()) if tokens[0].text.isupper() and len(tokens) > 1 else None
    return [Token("money", sign), *tokens[1:]] if sign and tokens[1].kind == "num" else tokens


def _without_sign(tokens: Tokens) -> tuple[str, Tokens]:
    """The sign of money at the start, "" for none, and what stands behind it."""
    return (tokens[0].text, tokens[1:]) if tokens and tokens[0].kind == "money" else ("", tokens)


def _without_either_sign(tokens: Tokens) -> tuple[str, Tokens]:
    """As above, or the sign at the end."""
    if tokens[0].kind != "money" and tokens[-1].kind == "money":
        return tokens[-1].text, tokens[:-1]
    return _without_sign(tokens)


def _units_named_like_functions(tokens: Tokens) -> Tokens:
    places = [place for place, token in enumerate(tokens) if place and token.text in ("min", "sec")]
    if len(places) != 1 or tokens[places[0]].kind != "fun":
        return tokens
    place = places[0]
    ends = [token.text for token in tokens[place + 1 :] if token.text not in "{}"]
    if ends and ends != ["^", "-", "1"]:
        return tokens
    word = Token("word", tokens[place].text, tokens[place].gap)
    return [*tokens[:place], word, *tokens[place + 1 :]]
