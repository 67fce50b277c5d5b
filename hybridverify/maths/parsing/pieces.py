"""Functions in pieces, `\\begin{cases} x & x > 0 \\\\ -x & x \\le 0 \\end{cases}`: each value with its condition."""

from __future__ import annotations

from hybridverify.maths.limits import Unread
from hybridverify.maths.notation.tokenlists import Tokens, spelled, split
from hybridverify.maths.notation.vocabulary import words
from hybridverify.maths.parsing.relations import Reader, has_relation
from hybridverify.maths.values.kinds import Text, Value

_IDLE = words("if when for where whenever is")
_OTHERWISE = words("otherwise else")


def read_piece(line: Tokens, read: Reader) -> tuple[Value, Value | None]:
    """The value of a piece and its condition."""
    cells, _ = split(line, lambda token: token.text == "&")
    if len(cells) != 2 or not all(cells):
        raise Unread("cases")
    value, condition = cells
    while value and value[-1].text in (",", ";"):
        value = value[:-1]
    return read(value), _condition(condition, read)


def _condition(tokens: Tokens, read: Reader) -> Value | None:
    """A set of one variable, or words; None for `otherwise`."""
    kept = [token for token in tokens if token.text.lower() not in _IDLE]
    while kept and kept[-1].text in (",", ";", "."):
        kept.pop()
    if len(kept) == 1 and kept[0].text.lower() in _OTHERWISE:
        return None
    if not kept:
        raise Unread("cases")
    return read(kept) if has_relation(kept) else Text(spelled(kept).casefold())
