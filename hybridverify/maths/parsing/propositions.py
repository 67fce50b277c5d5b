r"""Formulas of propositional logic: `\neg Q \to \neg P`, `~Q -> ~P`, and in a question on circuits `A'B + C`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from hybridverify.language.patterns import DIGIT

_SIGNS = {
    "iff": ("\\Leftrightarrow", "\\leftrightarrow", "\\iff", "<->", "<=>", "↔", "⇔"),
    "implies": ("\\Rightarrow", "\\rightarrow", "\\implies", "\\to", "->", "=>", "→", "⇒"),
    "xor": ("\\oplus", "⊕", "XOR"),
    "and": ("\\land", "\\wedge", "∧", "&&", "&", "AND"),
    "or": ("\\lor", "\\vee", "∨", "||", "OR"),
    "not": ("\\neg", "\\lnot", "¬", "~", "NOT", "!"),
}
_BARS = ("\\overline", "\\bar")
_OF_CIRCUITS = {"or": ("+",), "and": ("\\cdot", "·", "*")}
_OF_SETS = ("\\cap", "\\cup", "∩", "∪")
_SET_SIGNS = {
    "\\cap": "\\land ",
    "∩": "\\land ",
    "\\cup": "\\lor ",
    "∪": "\\lor ",
    **dict.fromkeys(("^{c}", "^{C}", "^c", "^C"), "'"),
}
_FIRST = frozenset(one[0] for spellings in (*_SIGNS.values(), *_OF_CIRCUITS.values()) for one in spellings)
"""On what the signs begin: a quick look."""
_WORDS = frozenset(one for spellings in _SIGNS.values() for one in spellings if one.isalpha())
_LOOSEST_FIRST = ("iff", "implies", "or", "xor", "and")
_MAX, _MAX_LETTERS, _MAX_DEPTH = 120, 6, 30
_BRACKETS = {"(": "(", ")": ")", "[": "(", "]": ")", "{": "(", "}": ")"}


class Proposition(NamedTuple):
    """The formula with the parts of its sums and products in order, and its value for each choice of the letters."""

    tree: object
    letters: tuple[str, ...]
    shown: bool
    """Has it a connective, not letters side by side alone, which may be a word?"""

    def values(self, letters: tuple[str, ...]) -> tuple[bool, ...]:
        """Its truth table over these letters."""
        rows = product((False, True), repeat=len(letters))
        return tuple(_value(self.tree, dict(zip(letters, row, strict=True))) for row in rows)


def proposition(text: str, circuit: bool = False) -> Proposition | None:
    r"""The formula that the text writes, None for any other text. `circuit`: a plus is an "or".

    >>> proposition(r"\neg Q \to P") == proposition("~Q -> P"), proposition("A'B + C"), proposition("P")
    (True, None, None)
    >>> proposition("A + B", circuit=True) == proposition(r"B \lor A")
    True
    """
    tokens = _tokens(text, circuit) if len(text) <= _MAX and not DIGIT.search(text) else None
    letters = sorted({token for token in tokens or () if len(token) == 1 and token.isalpha()})
    if not tokens or not 0 < len(letters) <= _MAX_LETTERS or len(tokens) < 2:
        return None
    tree = _tree(tokens, 0)
    shown = not circuit or not text.replace(" ", "").strip("$()[]{}").isalpha()
    shown = shown or not _WORDS.isdisjoint(text.split())
    return None if tree is None else Proposition(tree, tuple(letters), shown)


def set_formula(text: str) -> Proposition | None:
    r"""A formula of sets as the one of what is in them, None for any other text.

    >>> set_formula(r"A^c \cap B") == set_formula(r"B \cap \overline{A}"), set_formula("A"), set_formula("x^c")
    (True, None, None)
    """
    told = text.replace("\\complement", "c") if len(text) <= _MAX else ""
    if not any(sign in told for sign in _OF_SETS):
        return None
    for sign, other in _SET_SIGNS.items():
        told = told.replace(sign, other)
    found = proposition(told, circuit=True) if "=" not in told else None
    return found if found is not None and all(map(str.isupper, found.letters)) else None


def _tokens(text: str, circuit: bool) -> list[str] | None:
    """Letters, brackets and names of connectives; None where something else stands in the text."""
    rest = text.replace("\\left", "").replace("\\right", "").replace("$", "") if "\\lef" in text else text
    rest, tokens = rest.strip("$ "), list[str]()
    while rest:
        sign, length = _sign_at(rest, circuit)
        if not length:
            return None
        if sign and circuit and tokens and _ends(tokens[-1]) and _begins(sign):
            tokens.append("and")
        tokens += [sign] * bool(sign)
        rest = rest[length:].lstrip()
    return tokens


def _sign_at(rest: str, circuit: bool) -> tuple[str, int]:
    """The sign with which a text begins, and its length; 0 for none."""
    first = rest[0]
    for kind, spellings in _SIGNS.items() if first in _FIRST else ():
        told = spellings + (_OF_CIRCUITS.get(kind, ()) if circuit else ())
        if length := _length_of_one(told, rest):
            return kind, length
    if circuit and (length := _length_of_one(_BARS, rest)):
        return "not", length
    if first in _BRACKETS:
        return _BRACKETS[first], 1
    alone = first.isalpha() and first.isascii() and (circuit or not rest[1:2].isalpha())
    return (first, 1) if alone else ("after", 1) if circuit and first == "'" else ("", 0)


def _length_of_one(spellings: Sequence[str], rest: str) -> int:
    """The length of the spelling with which a text begins, 0 for none. A word or a command ends where no letter
    follows."""
    spelled = next((one for one in spellings if rest.startswith(one)), "")
    goes_on = spelled[-1:].isalpha() and rest[len(spelled) : len(spelled) + 1].isalpha()
    return 0 if goes_on else len(spelled)


def _ends(token: str) -> bool:
    return token in (")", "after") or (len(token) == 1 and token.isalpha())


def _begins(token: str) -> bool:
    return token in ("(", "not") or (len(token) == 1 and token.isalpha())


def _tree(tokens: list[str], depth: int) -> object | None:
    """By the loosest connective outside of brackets."""
    if not tokens or depth > _MAX_DEPTH:
        return None
    for kind in _LOOSEST_FIRST:
        parts = _split(tokens, kind)
        if parts is None:
            return None
        if len(parts) > 1:
            return _joined(kind, [_tree(part, depth + 1) for part in parts])
    if tokens[-1] == "after":
        return _negated(_tree(tokens[:-1], depth + 1))
    if tokens[0] == "not":
        return _negated(_tree(tokens[1:], depth + 1))
    if tokens[0] == "(" and tokens[-1] == ")":
        return _tree(tokens[1:-1], depth + 1)
    return tokens[0] if len(tokens) == 1 and tokens[0].isalpha() and len(tokens[0]) == 1 else None


def _negated(tree: object | None) -> object | None:
    return None if tree is None else ("not", tree)


def _joined(kind: str, parts: list[object | None]) -> object | None:
    if any(part is None for part in parts) or (kind == "implies" and len(parts) > 2):
        return None  # `P -> Q -> R` has two readings
    return (kind, *(parts if kind == "implies" else sorted(parts, key=repr)))


def _split(tokens: list[str], kind: str) -> list[list[str]] | None:
    """The parts between the connectives of a kind outside of brackets; None for brackets that do not close."""
    parts: list[list[str]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token == "(") - (token == ")")
        if depth < 0:
            return None
        if token == kind and not depth:
            parts.append([])
        else:
            parts[-1].append(token)
    return None if depth else parts


def _value(tree: object, chosen: dict[str, bool]) -> bool:
    if isinstance(tree, str):
        return chosen[tree]
    assert isinstance(tree, tuple)
    kind, *parts = tree
    values = [_value(part, chosen) for part in parts]
    if kind == "not":
        return not values[0]
    if kind == "implies":
        return not values[0] or values[1]
    if kind in ("and", "or"):
        return all(values) if kind == "and" else any(values)
    odd = sum(values) % 2 == 1
    return odd if kind == "xor" else sum(not value for value in values) % 2 == 0
