r"""Formulas of substances, ions and isotopes, and equations of reactions: `SO_4^{2-}`, `2H2 + O2 -> 2H2O`."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from hybridverify.language import expressions as re
from hybridverify.maths.parsing.elements import NAMES, SYMBOLS
from hybridverify.maths.parsing.texts import without_commands

_MAX, _MAX_TERMS = 200, 12
_BOTH_WAYS = ("\\rightleftharpoons", "\\leftrightarrow", "<=>", "⇌")
_ARROWS = (*_BOTH_WAYS, "\\longrightarrow", "\\rightarrow", "-->", "->", "\\to")
_BLANKS = ("\\left", "\\right", "\\,", "\\;", "\\ ", "~")
_TERM = re.compile(
    r"\s*(?P<count>\d{1,3}(?:/\d{1,2})?)?\s?(?:\{\})?(?P<nucleus>(?:[_^]\{?\d{1,3}\}?){1,2})?"
    r"(?P<body>(?=[A-Z(\[])(?:[A-Z][a-z]?|[()\[\]]|_?\{?\d{1,3}(?!\d)\}?|[.]\s?){1,40}?)"
    r"(?P<charge>\^\{?\s?\d?\s?[-+]\s?\d?\s?\}?|[-+](?=\s|$|\())?(?:-(?P<mass>\d{1,3}))?"
    r"(?:\s?_?\{?\((?P<state>s|l|g|aq)\)\}?)?\s*(?P<sign>\+|$)"
)
_JOINING = frozenset("+\\>(·→")
"""What stands in a formula of several words."""
_CLOSES = {"(": ")", "[": "]"}


class Substance(NamedTuple):
    """A formula: its signs in order, what it is made of, its charge, and what else is told of it."""

    parts: tuple[str, ...]
    atoms: frozenset[tuple[str, int]]
    charge: int
    mass: int
    number: int
    state: str
    raised: bool
    """Its mass stands before it, not after a hyphen as the numbers of many names do."""

    @property
    def marked(self) -> bool:
        """Does it show that it is no product of letters, and no abbreviation?"""
        hydrate = "." in self.parts and any(map(str.isdecimal, self.parts))
        return bool(self.charge or self.raised or hydrate or (self.state and len(self.parts) > 1))


Side: TypeAlias = "tuple[tuple[Fraction, Substance], ...]"
"""Substances with their counts."""


class Reaction(NamedTuple):
    """The two sides of an equation, one side for a formula alone."""

    sides: tuple[Side, ...]
    reversible: bool


def reaction(text: str) -> Reaction | None:
    """The formula or equation that the text writes, None for any other text.

    >>> reaction("SO4^2-") == reaction("SO_4^{2-}"), reaction("radon-222") == reaction("Rn-222"), reaction("xy")
    (True, True, None)
    """
    text = _by_symbol(text)
    if len(text) > _MAX or (" " in text and _JOINING.isdisjoint(text)) or text == text.lower():
        return None
    plain = without_commands(text).replace("\\cdot", ".").replace("·", ".")
    plain = plain.replace(" .", ".")
    told = plain
    for arrow in _ARROWS:
        plain = plain.replace(arrow, "→")
    for blank in _BLANKS:
        plain = plain.replace(blank, "")
    sides = tuple(tuple(_terms(side.strip())) for side in plain.split("→"))
    if len(sides) > 2 or not all(sides):
        return None
    return Reaction(sides, any(map(told.__contains__, _BOTH_WAYS)))


def _by_symbol(text: str) -> str:
    """`thorium-234` with the symbol of the element."""
    name, _, mass = text.rpartition("-")
    symbol = SYMBOLS.get(name.lower(), "") if mass.isdecimal() else ""
    return f"{symbol}-{mass}" if symbol else text


def _terms(side: str) -> list[tuple[Fraction, Substance]]:
    """The substances of a side; none where something else stands there."""
    terms: list[tuple[Fraction, Substance]] = []
    at = 0
    while len(terms) < _MAX_TERMS:
        found = _TERM.match(side, at)
        substance = _substance(found) if found else None
        if found is None or substance is None:
            return []
        terms.append((Fraction(found["count"] or 1), substance))
        at = found.end()
        if not found["sign"]:
            return terms
    return []


def _substance(match: re.Match[str]) -> Substance | None:
    found = match.groupdict("")
    body, charge = found["body"], found["charge"]
    if "(I" in body or "(V" in body:
        return None  # a Roman number, `Fe(II)`
    if charge and "^" not in charge:
        body, charge = _with_charge(body, charge)
    parts = _parts(body)
    if [*parts[:1], *parts[-1:]] == ["[", "]"]:
        parts = parts[1:-1]
    atoms = _atoms(parts)
    if atoms is None:
        return None
    mass, number = _nucleus(found["nucleus"])
    return Substance(
        tuple(parts),
        frozenset(atoms.items()),
        _charge(charge),
        mass or int(found["mass"] or 0),
        number,
        found["state"],
        mass > 0,
    )


def _with_charge(body: str, sign: str) -> tuple[str, str]:
    """`Ca2` and `+`, `SO42` and `-`: the digit of the charge stands before its sign."""
    digits = len(body) - len(body.rstrip("0123456789"))
    before = body[: len(body) - digits]
    alone = before in NAMES
    if digits and "_" not in before[-2:] and (digits == 2 or alone or before.endswith("]")):
        return body[:-1], body[-1] + sign
    return body, sign


def _charge(text: str) -> int:
    digits = "".join(filter(str.isdecimal, text)) or "1"
    return int(digits) * (1 if "+" in text else -1 if "-" in text else 0)


def _nucleus(text: str) -> tuple[int, int]:
    """Mass and atomic number, 0 where one is not told."""
    told = {"^": 0, "_": 0}
    for mark in told:
        rest = text.partition(mark)[2].lstrip("{")
        told[mark] = int("".join(_leading_digits(rest)) or 0)
    return told["^"], told["_"]


def _leading_digits(text: str) -> str:
    return text[: len(text) - len(text.lstrip("0123456789"))]


def _parts(body: str) -> list[str]:
    """Symbols, counts, brackets and points, one after the other."""
    parts: list[str] = []
    for char in body:
        if char in "_{} ":
            continue
        goes_on = parts and (
            (char.islower() and parts[-1].isalpha()) or (char.isdigit() and parts[-1].isdigit())
        )
        if goes_on:
            parts[-1] += char
        else:
            parts.append(char)
    return parts


def _atoms(parts: list[str]) -> Counter[str] | None:
    """How many atoms of each element there are; None where one is no element, or a bracket stays open."""
    stack, brackets, factor = [Counter[str]()], [""], 1
    last: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    for part in parts:
        if part.isdigit():
            if last:
                _add(stack[-1], last, int(part) - 1)
                last = Counter()
            else:
                factor = int(part)
        elif part == ".":
            _add(totals, stack[-1], factor)
            stack[-1], last, factor = Counter(), Counter(), 1
        elif part in _CLOSES:
            stack.append(Counter())
            brackets.append(_CLOSES[part])
        elif part in NAMES:
            last = Counter({part: 1})
            _add(stack[-1], last, 1)
        elif len(stack) > 1 and part == brackets.pop():
            last = stack.pop()
            _add(stack[-1], last, 1)
        else:
            return None
    if len(stack) > 1:
        return None
    _add(totals, stack[-1], factor)
    return totals if totals else None


def _add(to: Counter[str], atoms: Counter[str], times: int) -> None:
    for name, count in atoms.items():
        to[name] += count * times
