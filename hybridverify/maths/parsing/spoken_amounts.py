"""Amounts in words: `two and a half hours`, `half an hour`, `an hour and a half`, `three quarters of an hour`.

Numbers are read by number_words.py and units by units.py; here stands only how English puts them together. An `and`
inside a number joins no list.
"""

from __future__ import annotations

from fractions import Fraction

from hybridverify.conventions import Conventions
from hybridverify.maths.algebra.nodes import Num, rational_value, whole
from hybridverify.maths.limits import Unread
from hybridverify.maths.notation.tokenlists import Tokens
from hybridverify.maths.notation.tokens import Token
from hybridverify.maths.parsing.scalars import with_suffix
from hybridverify.maths.parsing.texts import number_word
from hybridverify.maths.units.measures import is_measured
from hybridverify.maths.values.kinds import Value

_MAX_TOKENS = 16
_ARTICLES = frozenset(("a", "an"))
_JOINING = _ARTICLES | {"and", "of"}
_KINDS = frozenset(("word", "let", "num", "fun"))
_SIGNS = frozenset(("and", "-", "/"))
_ONE = Token("num", "1")


def read_spoken_amount(tokens: Tokens, conventions: Conventions) -> Value | None:
    """The one amount that the tokens spell in words, None for anything else."""
    if not conventions.number_words or not 3 <= len(tokens) <= _MAX_TOKENS or not _may_be_amount(tokens):
        return None
    return (
        _counted(tokens, conventions) or _part_of_one(tokens, conventions) or _and_a_part(tokens, conventions)
    )


def _may_be_amount(tokens: Tokens) -> bool:
    """Words and numbers alone, and one of the words that join them."""
    if tokens[0].kind not in _KINDS or _JOINING.isdisjoint(token.text.lower() for token in tokens):
        return False
    return all(token.kind in _KINDS or (token.text in _SIGNS and not token.note) for token in tokens)


def one_for_article(tokens: Tokens, conventions: Conventions) -> Tokens:
    """`an hour and ten minutes` with a number before its hour."""
    opened = len(tokens) > 3 and tokens[0].text.lower() in _ARTICLES and tokens[2].text == "and"
    return [_ONE, *tokens[1:]] if opened and _measured(Num(1), tokens[1:2], conventions) else tokens


def _counted(tokens: Tokens, conventions: Conventions) -> Value | None:
    """`two and a half hours`, `a half hour`: the longest number, and what it counts."""
    for end in range(len(tokens) - 1, 1, -1):
        value = _number(tokens[:end])
        if value is not None:
            amount = _amount(value, tokens[end:], conventions)
            joined = any(token.text == "and" for token in tokens[:end])
            return amount if joined or is_measured(amount) else None  # `a third person` counts nobody
    return None


def _part_of_one(tokens: Tokens, conventions: Conventions) -> Value | None:
    """`half an hour`, `three quarters of an hour`."""
    place = next((i for i, token in enumerate(tokens) if i and token.text.lower() in _ARTICLES), 0)
    before = tokens[: place - 1] if place and tokens[place - 1].text.lower() == "of" else tokens[:place]
    share = _share(before)
    return None if share is None else _measured(share, tokens[place + 1 :], conventions)


def _and_a_part(tokens: Tokens, conventions: Conventions) -> Value | None:
    """`an hour and a half`, `two hours and a quarter`."""
    place = next((i for i, token in enumerate(tokens) if token.text == "and"), 0)
    share = _share(tokens[place + 1 :]) if 2 <= place < len(tokens) - 2 else None
    if share is None:
        return None
    for end in range(1, place):
        count = _whole_number(tokens[:end])
        if count > 0:
            total = Num(whole(count + Fraction(share.value)))
            measured = _measured(total, tokens[end:place], conventions)
            if measured is not None:
                return measured
    return None


def _whole_number(tokens: Tokens) -> int:
    """The integer at the start, which may be an article; 0 for any other number or none."""
    if tokens[0].text.lower() in _ARTICLES:
        return 1
    number = _number(tokens)
    amount = None if number is None else rational_value(number)
    return amount if isinstance(amount, int) else 0


def _number(tokens: Tokens) -> Num | None:
    if tokens[0].kind != "num":
        return number_word(" ".join(token.text for token in tokens if token.text != "-"))
    return _in_figures(tokens) if tokens[0].text.isdecimal() else None


def _in_figures(tokens: Tokens) -> Num | None:
    """`2`, `2/3`, `2 and a half`."""
    count = int(tokens[0].text)
    if len(tokens) == 1:
        return Num(count)
    if tokens[1].text == "/" and len(tokens) == 3:
        bottom = int(tokens[2].text) if tokens[2].text.isdecimal() else 0
        return Num(whole(Fraction(count, bottom))) if bottom else None
    share = _share(tokens[2:]) if tokens[1].text == "and" and tokens[-1].kind == "word" else None
    return Num(count + Fraction(share.value)) if share else None


def _share(tokens: Tokens) -> Num | None:
    """A part of one: `half`, `a quarter`, `quarter`, `two thirds`, `2/3`."""
    if not tokens:
        return None
    value = _number(tokens)
    if value is None and len(tokens) == 1:
        value = number_word("a " + tokens[0].text)
    return value if value is not None and 0 < value.value < 1 else None


def _measured(value: Num, rest: Tokens, conventions: Conventions) -> Value | None:
    amount = _amount(value, rest, conventions) if rest else None
    return amount if is_measured(amount) else None


def _amount(value: Num, rest: Tokens, conventions: Conventions) -> Value | None:
    if any(token.kind not in ("word", "let", "fun") for token in rest):
        return None
    try:
        return with_suffix(value, rest, False, conventions)
    except Unread:
        return None
