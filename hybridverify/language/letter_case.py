"""Where the case of a letter says nothing, and where it makes another symbol: Paris is paris, Co is not CO."""

from __future__ import annotations

from collections.abc import Sequence

from hybridverify.language.asked import read_question
from hybridverify.language.patterns import WORD

_SYMBOL = 2
"""So long are symbols of elements, of units and of two genes; longer runs in one case are words."""
_YES_NO = frozenset(("yes", "no", "true", "false"))
_CAPITALIZED = frozenset(map(str.capitalize, _YES_NO))


def fold_case(tokens: Sequence[str]) -> tuple[str, ...]:
    """The words without the case that only a style sets: at the start of a word, or throughout.

    Capitals inside a word stay (mW), so do genotypes (Aa) and, where nothing stands beside them, symbols (Co).

    >>> fold_case(["The", "Seine"]), fold_case(["PARIS"]), fold_case(["CO"]), fold_case(["AaBB"])
    (('the', 'seine'), ('paris',), ('CO',), ('AaBB',))
    """
    if len(tokens) > 1 and all(map(str.isupper, tokens)) and any(len(token) > _SYMBOL for token in tokens):
        return tuple(map(str.casefold, tokens))
    alone = len(tokens) == 1
    return tuple(_folded(token, alone) for token in tokens)


def _folded(token: str, alone: bool) -> str:
    if token.islower() or _is_usual(token) or (alone and token in _CAPITALIZED):
        return token.casefold()
    alone = alone or not token.isalpha()
    kept = any(_tells(run, alone) for run in WORD.findall(token))
    return token if kept else token.casefold()


def _is_usual(token: str) -> bool:
    """A word with a capital at its beginning, and no pair of genes."""
    return len(token) > _SYMBOL and token.isalpha() and token[1:].islower() and token[0].lower() != token[1]


def _tells(run: str, alone: bool) -> bool:
    """Does the case of these letters tell one symbol from another?"""
    if len(run) == 1 or run.islower():
        return False
    if not (run[1:].islower() or run.isupper()):
        return all(len(part) <= _SYMBOL for part in _symbols(run))  # NaCl and mW, but not McNulty
    if len(run) <= _SYMBOL:
        return alone or run.isupper()
    pairs = zip(run[::2].casefold(), run[1::2].casefold(), strict=False)
    return len(run) % 2 == 0 and all(one == other for one, other in pairs)


def _symbols(run: str) -> list[str]:
    """The symbols of letters in a row: each capital begins one."""
    return "".join(char if "a" <= char <= "z" else f" {char}" for char in run).split()


def says_yes_or_no(one: str, other: str, question: str) -> bool:
    """Two spellings of one yes or no, where the question can mean nothing else by them: NO is also a gas.

    >>> says_yes_or_no("NO", "no", "Is 9 prime?"), says_yes_or_no("NO", "no", "Which gas is it?")
    (True, False)
    """
    low = one.casefold()
    if low != other.casefold() or low not in _YES_NO:
        return False
    return not question or read_question(question).decides
