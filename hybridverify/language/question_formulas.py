"""The expressions that a question writes out: in mathematical marks, in plain text, and amounts with their units.

Separate from asked.py, which says whether one of them is to be worked out.
"""

from __future__ import annotations

from collections.abc import Iterable

from hybridverify.language import expressions as re
from hybridverify.language.patterns import COMMAND, FORMULA

_MAX_FORMULAS = 12
_MAX_FORMULA = 300
_FUNCTIONS = ("sin", "cos", "tan", "log", "ln", "sqrt", "exp", "gcd", "lcm")
_PLAIN = re.compile(
    r"(?:(?<![^\W\d_])[b-hj-zB-HJ-Z](?![^\W\d_])|[\d.,]*\d[a-z]?(?![^\W\d_])|[-+*/^=<>()|!√×÷·≤≥%°_,\[\]]"
    rf"|\\[A-Za-z]+|[{{}}]|\b(?:{'|'.join(_FUNCTIONS)}|mod|degrees?)\b|\s){{3,300}}"
)
"""A run of what expressions are written with, outside of mathematical marks."""
_SIGNS = frozenset("-+*/^=<>!√×÷·≤≥%(")
_LOOKED_FOR = (*_SIGNS, *_FUNCTIONS)
"""Without one of these a text outside of mathematical marks writes no expression."""
_AMOUNT = re.compile(r"(?<![\w.,])(\d[\d.,]*)(\s?\\?[%°]|\s\\?[A-Za-zµ²³/^]{1,14})?(?![\w])")


def written(text: str) -> list[str]:
    """The formulas of a text, then what is written like one without marks.

    >>> written("Is $x^2$ more than 3 + 4 here?")
    ['x^2', '3 + 4']
    """
    found: list[str] = []

    def taken(formula: re.Match[str]) -> str:
        found.append("".join(filter(None, formula.groups())))
        return "\n"

    outside = FORMULA.sub(taken, text)
    if "\\" in outside or any(map(outside.__contains__, _LOOKED_FOR)):  # most stories have none
        found += filter(_is_signed, map(_trimmed, _PLAIN.findall(outside)))
    return [one for one in found if any(map(str.isalnum, one)) and (len(one.strip()) > 2 or "!" in one)]


def amounts(text: str, alone: bool) -> list[str]:
    """Quantities with their units; numbers alone too, where `alone` is true.

    >>> amounts("Convert 5 km.", alone=True), amounts("Of 3 runs one is 5 km.", alone=False)
    (['5 km', '5'], ['3 runs', '5 km'])
    """
    found = _AMOUNT.finditer(text)
    if alone:
        return [part for amount in found for part in amount.group(0, 1)]
    return [amount[0] for amount in found if amount[2]]


def shortened(found: Iterable[str]) -> tuple[str, ...]:
    """The first few different ones that are not too long, without the signs that end a sentence."""
    short = (one.strip().rstrip(".,;:?") for one in found if len(one) <= _MAX_FORMULA)
    return tuple(dict.fromkeys(filter(None, short)))[:_MAX_FORMULAS]


def _is_signed(run: str) -> bool:
    """Whether it has a sign of an operation, or a function before a number."""
    if not _SIGNS.isdisjoint(run) or COMMAND.search(run):
        return True
    return any(map(run.__contains__, _FUNCTIONS)) and any(map(str.isdigit, run))


def _trimmed(run: str) -> str:
    return run.strip(" \t\n,.;:_=")
