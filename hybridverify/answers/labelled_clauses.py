"""A sentence that gives several things their values: "The mean is 4 and the mode is 3.", 最小值为1，最大值为3。"""

from __future__ import annotations

from hybridverify.language import claims
from hybridverify.language.patterns import LONG_WORD
from hybridverify.language.pieces import outer_pieces

_JOINTS = (", and ", " and ", ", ", "，", "；", "; ")
_COPULAS = (" is ", " are ", "为", "是")
_ARTICLES = ("the ", "its ", "their ")
_MAX_NAME, _MAX_WORDS = 40, 3
_DOUBTS = claims.DENIED | claims.kinds("unsure supposed or")


def clauses(text: str) -> dict[str, str]:
    r"""The values by their names in small letters; nothing where a part of the text gives none.

    >>> clauses("The quotient is $x+2$ and the remainder is 3.")
    {'quotient': 'x+2', 'remainder': '3'}
    >>> clauses("The radius is 3 and it is round."), clauses("最小值为1，最大值为3。")
    ({}, {'最小值': '1', '最大值': '3'})
    """
    if not any(map(text.__contains__, _COPULAS)) or claims.holds(text, _DOUBTS):
        return {}
    found: dict[str, str] = {}
    parts = [part for part in outer_pieces(text.strip(" .。"), _JOINTS) if part.strip()]
    for part in parts:
        name, value = _clause(part.strip().removeprefix("and "))
        if not name or name in found:
            return {}
        found[name] = value
    return found


def _clause(part: str) -> tuple[str, str]:
    """The name and the value; nothing for a part that tells no value in figures or a formula."""
    copula = next((copula for copula in _COPULAS if copula in part), "")
    name, _, value = part.partition(copula) if copula else ("", "", "")
    name, value = name.strip(" $*").lower(), value.strip(" $*")
    for article in _ARTICLES:
        name = name.removeprefix(article)
    plain = name.replace(" ", "").isalpha() and len(name) <= _MAX_NAME and name.count(" ") < _MAX_WORDS
    return (name, value) if plain and value and not LONG_WORD.search(value) else ("", "")
