"""Answers that name the reference only to deny it: "not Ulm", "anyone but Ada Holm", "after 1945", "Ada Holm's wife".
Judges see the reference word for word in such a text and say yes.

Only the words beside the reference are read, and only if no other part of the reference stands in the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from hybridverify.answers.conflict import places
from hybridverify.answers.frame import is_refuted, may_refute
from hybridverify.judges.embedded.alternatives import alternatives
from hybridverify.judges.embedded.overlap import plain_words
from hybridverify.language import expressions as re
from hybridverify.language.lexicon import entries
from hybridverify.language.patterns import TYPESETTING
from hybridverify.language.word_forms import month_of

_MAX_TEXT = 400
"""A longer text argues: it may deny first and affirm later."""
_CONTRACTED = ("n't", "n’t", "nʼt", "n`t")
_NEGATIONS = frozenset((*entries("signals", "not"), *entries("naming", "not")))
_NO_DENIAL = frozenset(entries("naming", "no_denial"))
_PASSING_OVER = frozenset(tuple(entry.split()) for entry in entries("naming", "passing_over"))
_NONE_OTHER = frozenset(entries("naming", "none_other"))
_BETWEEN = frozenset(entries("naming", "between"))
_MOST_BETWEEN = 3
_AUXILIARIES = frozenset(entries("questions", "polar"))
_TURNING = entries("naming", "turning")
"""A question with a word that begins so may want what the answer denies."""
_LEAST_TELLING = 4
"""The least letters of a word that says something by itself."""
_YEAR = (3, 4)
"""Digits of a year."""
_OF_A_DAY = frozenset(entries("naming", "of_a_day"))
_ERAS, _SIDES = frozenset(entries("naming", "era")), frozenset(entries("naming", "side"))
_REFUSED = frozenset(entries("naming", "refused"))
_STRUCK = re.compile(
    r"(?:.[\u0335-\u0338\u20e0])+|~~[^~]{0,200}~~|<(del|s|strike)>[^<>]{0,200}</\1>|\\(?:cancel|sout|st)\{[^{}]{0,200}\}"
)
"""Text that was struck out does not count."""
_RELATIVES = frozenset(entries("naming", "relative"))
_ASKED_ROUND = _NEGATIONS | {"than"}
"""A question with such a word asks what something is not."""
_REFUSALS = (("no",), ("false",), ("incorrect",), ("wrong",))
"""References that say themselves what a sign for "wrong" says."""
_CUES = _NEGATIONS | _SIDES | _ERAS | _REFUSED | {"to", "with", "for", "than", "of", "but", "s"}
"""Without one of these words nothing is denied. Most answers end here."""


def denies(answer: str, references: Sequence[str], question: str = "") -> bool:
    """Whether the answer denies the reference in every place where it names it.

    >>> denies("It wasn't in Ulm.", ["Ulm"]), denies("Bonn rather than Ulm", ["Ulm"]), denies("before 1945", ["1945"])
    (True, True, True)
    >>> denies("Not Bonn but Ulm", ["Ulm"]), denies("not only Ulm", ["Ulm"]), denies("In Bonn.", ["Ulm"])
    (False, False, False)
    >>> denies("Ada Holm's wife", ["Ada Holm"], "Who built it?"), denies("Ada Holm's", ["Ada Holm"], "Whose is it?")
    (True, False)
    >>> denies("Ada Holm did not build the mill.", ["Ada Holm"], "Who built the mill?")
    True
    """
    if len(answer) > _MAX_TEXT or len(question) > 4 * _MAX_TEXT:
        return False
    kept = _STRUCK.sub(" ", answer)
    said = _words(kept)
    if kept == answer and _CUES.isdisjoint(said):
        return False
    asked = _words(question)
    if not _ASKED_ROUND.isdisjoint(asked) or said in map(_words, references):
        return False
    spellings = _spellings(tuple(references))
    places = _places(said, spellings)
    if not places:
        return kept != answer and bool(_places(_words(answer), spellings))
    return _denied_everywhere(said, places, asked) and not _named_elsewhere(said, places, spellings)


def refutes(reply: str, references: Sequence[str], question: str = "") -> bool:
    """Whether a "not" of any language, or a sign, stands beside the reference wherever the reply has it.

    >>> [refutes(text, ["Ulm"]) for text in ("Es ist nicht \\\\boxed{Ulm}.", "Ulm ❌", "不是Ulm", "nicht Bonn, Ulm")]
    [True, True, True, False]
    """
    if len(reply) > _MAX_TEXT or not may_refute(reply) or not _ASKED_ROUND.isdisjoint(_words(question)):
        return False
    seen = TYPESETTING.sub(" ", reply)
    named = {told for one in references if (told := TYPESETTING.sub(" ", one).strip())}
    if any(_words(told) in _REFUSALS for told in named):
        return False  # "❌ No"
    found = [(at, at + len(one)) for one in named for at in places(one, seen)]
    return bool(found) and all(is_refuted(seen, *span) for span in found)


def _denied_everywhere(said: tuple[str, ...], places: list[tuple[int, int]], asked: tuple[str, ...]) -> bool:
    return all(_denied_at(said, start, end, asked) for start, end in places)


def _denied_at(said: tuple[str, ...], start: int, end: int, asked: tuple[str, ...]) -> bool:
    """Whether the words around this place say that it is not the answer."""
    return (
        _denied_before(said[:start])
        or _compared_with(said, start, end)
        or _denied_after(said[end:], asked)
        or _another_time(said, start, end, asked)
        or _another_person(said[:start], said[end:], asked)
    )


@lru_cache(maxsize=512)  # a group shares its references
def _spellings(references: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    """The spellings as words, or none where a spelling itself holds a denial."""
    spellings = frozenset(_words(text) for text in alternatives(references)) - {()}
    return frozenset() if any(_turned(word) for words in spellings for word in words) else spellings


def _words(text: str) -> tuple[str, ...]:
    low = text.lower()
    for ending in _CONTRACTED:
        low = low.replace(ending, " not")
    return plain_words(low)


def _turned(word: str) -> bool:
    return word in _NEGATIONS or word in _SIDES or word in _ERAS


def _places(said: tuple[str, ...], spellings: frozenset[tuple[str, ...]]) -> list[tuple[int, int]]:
    """Where a spelling stands in the text and is not part of a longer spelling."""
    places: list[tuple[int, int]] = []
    for words in sorted(spellings, key=len, reverse=True):
        for start in range(len(said) - len(words) + 1):
            if said[start : start + len(words)] == words and not any(a <= start < b for a, b in places):
                places.append((start, start + len(words)))
    return places


def _named_elsewhere(
    said: tuple[str, ...], places: list[tuple[int, int]], spellings: frozenset[tuple[str, ...]]
) -> bool:
    """Whether a part of the name stands elsewhere: "not Ada Holm's sister but Holm herself"."""
    telling = {word for words in spellings for word in words if len(word) >= _LEAST_TELLING}
    inside = {at for start, end in places for at in range(start, end)}
    return any(word in telling for at, word in enumerate(said) if at not in inside)


def _denied_before(before: tuple[str, ...]) -> bool:
    for _ in range(_MOST_BETWEEN):
        if before[-2:] in _PASSING_OVER:
            return not (before[-2] == "other" and len(before) > 2 and before[-3] in _NONE_OTHER)
        if before[-1:] and before[-1] in _NEGATIONS:
            return before[-2:-1] == () or before[-2] not in _NO_DENIAL
        if not before or before[-1] not in _BETWEEN:
            return False
        before = before[:-1]
    return False


def _compared_with(said: tuple[str, ...], start: int, end: int) -> bool:
    """ "a town older than Ulm", unless a word says that there is none. "more than 300" may be 300."""
    if said[start - 1 : start] != ("than",) or any(word.isdigit() for word in said[start:end]):
        return False
    return (_NONE_OTHER | _NEGATIONS).isdisjoint(said[: start - 1]) and said[start - 2 : start - 1] != (
        "other",
    )


def _denied_after(after: tuple[str, ...], asked: tuple[str, ...]) -> bool:
    """ "Ada Holm did not build it", where all words that follow are the question's, so that this is what was asked."""
    if len(after) == 1 and after[0] in _REFUSED:
        return True
    if len(after) < 2 or after[0] not in _AUXILIARIES or after[1] not in _NEGATIONS:
        return False
    if _is_turned(asked):
        return False
    told = [word for word in after[2:] if len(word) >= _LEAST_TELLING]
    return bool(told) and _are_asked(told, asked)


def _is_turned(asked: tuple[str, ...]) -> bool:
    return any(word.startswith(_TURNING) for word in asked)


def _are_asked(told: Sequence[str], asked: tuple[str, ...]) -> bool:
    return all(any(_kindred(word, other) for other in asked) for word in told)


def _kindred(word: str, other: str) -> bool:
    """Whether two words may be forms of one: discover and discovered, build and built."""
    return word[:3] == other[:3] and abs(len(word) - len(other)) <= _LEAST_TELLING


def _another_time(said: tuple[str, ...], start: int, end: int, asked: tuple[str, ...]) -> bool:
    """ "before 1945" and "1945 BC" for 1945."""
    if (_SIDES | _ERAS) & set(asked) or not _is_date(said[start:end]):
        return False
    return (start > 0 and said[start - 1] in _SIDES) or (end < len(said) and said[end] in _ERAS)


def _is_date(words: tuple[str, ...]) -> bool:
    """A year, with or without month and day."""
    return any(word.isdecimal() and len(word) in _YEAR for word in words) and all(
        word.isdigit() or word in _OF_A_DAY or month_of(word) for word in words
    )


def _another_person(before: tuple[str, ...], after: tuple[str, ...], asked: tuple[str, ...]) -> bool:
    """ "Ada Holm's wife" and "a friend of Ada Holm", where the question asks for no wife or friend."""
    if not _RELATIVES.isdisjoint(asked):
        return False
    of = before[-1:] == ("of",) and not _RELATIVES.isdisjoint(before[-2:-1])
    return of or (after[:1] == ("s",) and not _RELATIVES.isdisjoint(after[1:3]))
