r"""What leads up to an option as the one that is chosen: "the answer is (B)", "so, option B", a mark.

The words before the option are read backwards: its bracket and its noun, an article or two, signs, and then what
chooses it. Separate from choice_claims.py, which says what becomes of the option.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from hybridverify.answers.choice_flat import ANNOUNCED
from hybridverify.language.languages import CHOOSING, COPULAS, OPTION_NOUNS
from hybridverify.language.lexicon import entries
from hybridverify.language.scripts import is_in_word, is_unspaced

_BRACKETS = ("(", "[", "（")
_SIGNS = f" \t\n:：,\"'“—–([-{ANNOUNCED}"
_COPULA_SIGNS = ":：=—–"
_NOUNS = tuple(noun for noun in OPTION_NOUNS if noun != "options")
_COPULA_WORDS = (*COPULAS, *entries("announcing", "stating"))
_LEADING = (
    *(entry for entry in CHOOSING if " " not in entry or entry.split()[-1] not in OPTION_NOUNS),
    *COPULAS,
)
_ARTICLES = entries("announcing", "presenting")
_MAX_ARTICLES, _MAX_WORDS, _MAX_LETTERS, _MAX_GAP = 3, 8, 12, 4


class Lead(NamedTuple):
    """Where it begins, and whether it chooses whatever follows the option."""

    start: int
    firm: bool


def lead_of(before: str) -> Lead | None:
    """What leads up to an option at the end of the text before it: of several, what begins first.

    >>> lead_of("So the answer to this is ("), lead_of("It's "), lead_of("The options: ")
    (Lead(start=7, firm=True), Lead(start=0, firm=False), None)
    """
    low = before.lower()
    low = low if len(low) == len(before) else before
    found = [lead for rest in _rests(low) for lead in _leads_at(rest)]
    return min(found, key=lambda lead: (lead.start, not lead.firm), default=None)


def _rests(low: str) -> Iterator[str]:
    """The text without the option's bracket, then without its noun, then without articles."""
    rest = low[:-1] if low.endswith(_BRACKETS) else low
    yield rest
    noun = _noun_at(rest.rstrip(" "))
    if noun >= 0:
        rest = rest[:noun]
        yield rest
    for _ in range(_MAX_ARTICLES):
        article = start_of(rest.rstrip(), _ARTICLES) if rest[-1:].isspace() else -1
        if article < 0:
            return
        rest = rest[:article]
        yield rest


def _leads_at(rest: str) -> Iterator[Lead]:
    bare = rest.rstrip(_SIGNS)
    tail = rest[len(bare) :]
    if ANNOUNCED in tail:
        yield Lead(len(bare) + tail.index(ANNOUNCED), True)
    for head, is_colon in _heads(rest, bare, tail):
        if (noun := _noun_before(head, is_colon)) >= 0:
            yield Lead(noun, True)
    if (start := start_of(bare, _LEADING)) >= 0:
        yield Lead(start, False)


def _heads(rest: str, bare: str, tail: str) -> Iterator[tuple[str, bool]]:
    """The text before each copula on which a text ends, and whether that is a colon."""
    for at, char in enumerate(tail, len(bare)):
        if char in _COPULA_SIGNS:
            yield rest[:at], char in ":："
    if bare.endswith("="):
        yield bare[:-1], False
    if (copula := start_of(bare, _COPULA_WORDS)) >= 0:
        yield bare[:copula], False


def _noun_before(head: str, is_colon: bool) -> int:
    """Where the first noun begins that a few words part from the end of a text; -1 without one. "Options:" is none."""
    found = -1
    for words in range(_MAX_WORDS + 1):
        named = _without_gap(head)
        noun = _noun_at(named)
        if noun < 0 and not (is_colon and not words):
            noun = _noun_at(named.removesuffix("s"))
        found = noun if noun >= 0 else found
        word = head[:-1].rstrip("abcdefghijklmnopqrstuvwxyz")
        if not head[-1:].isspace() or not 0 < len(head) - 1 - len(word) <= _MAX_LETTERS:
            break
        head = word
    return found


def _without_gap(head: str) -> str:
    """Without up to four signs at its end, but what ends a sentence or a line."""
    for _ in range(_MAX_GAP):
        if not head or head[-1].isalnum() or head[-1] in "_.:：=\n":
            break
        head = head[:-1]
    return head


def start_of(text: str, words: tuple[str, ...]) -> int:
    """Where the longest of the words begins on which a text ends, -1 if it ends on none. No letter may stand before it,
    but in scripts that set no blanks."""
    starts = _starts(text, words)
    return min((at for at in starts if _is_free(text[max(0, at - 1) : at])), default=-1)


def _noun_at(text: str) -> int:
    """Where the noun of an option begins on which a text ends, -1 if it ends on none; "BAnswer" ends on one."""
    return min(_starts(text, _NOUNS), default=-1)


def _starts(text: str, words: tuple[str, ...]) -> list[int]:
    return [len(text) - len(word) for word in words if text.endswith(word)] if text.endswith(words) else []


def _is_free(before: str) -> bool:
    return not before or not is_in_word(before) or is_unspaced(before)
