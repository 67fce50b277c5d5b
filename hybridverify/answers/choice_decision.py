"""Whether a response chooses one option of a question, or names several and leaves open which one it means.

Separate from choice_letter.py and choice_sentence.py, which read a letter out of an answer, because here all of the
response counts: what it lists beside that answer, and what it marked before.
"""

from __future__ import annotations

from functools import lru_cache

from hybridverify.answers import retraction, stated
from hybridverify.answers.choice_claims import (
    CHOSEN,
    Claim,
    State,
    claims_of,
    ends_sentence,
    known_words,
    telling,
)
from hybridverify.answers.choice_flat import ANNOUNCED, flat
from hybridverify.answers.choice_letter import letter_set
from hybridverify.answers.options import Options, may_list, read_options, small_options
from hybridverify.language import claims
from hybridverify.language.joining import OR_IN_SCRIPTS, adds_another
from hybridverify.language.lexicon import entries
from hybridverify.language.patterns import OPTION_LETTER, WORD

SEVERAL_OPTIONS = "several options"
"""The reason for which such a response is left open."""
_REASONED = 5
"""So many telling words between two options show that the text went on to reason."""
_MAX_BETWEEN, _MAX_LINE = 2_000, 200
"""Options that are farther apart do not stand beside each other."""
_EITHER = claims.kinds("or unsure")
_BESIDE = frozenset(("also", "alternatively"))
_AS_WELL = "so is"
_REASONS = frozenset(entries("announcing", "reason"))
_CONTRAST = claims.kinds("contrast")
_RANKS = frozenset(("second", "third", "other", "next", "backup", "alternative"))
_FIRST = claims.kinds("first")
_OPEN = claims.kinds("unsure modal supposed or several")


def leaves_open(body: str, question: str, references: tuple[str, ...], form: str = "auto") -> bool:
    """Whether one option is asked for and a response names several."""
    letters = all(map(OPTION_LETTER.fullmatch, references))
    if not letters and form != "choice" and not may_list(question):
        return False
    options = read_options(question) or small_options(question, references)
    if not options and not letters and form != "choice":
        return False
    return not any(map(_names_more, references)) and names_several(body, options)


@lru_cache(maxsize=512)  # the rows of a group share their references
def _names_more(reference: str) -> bool:
    """Whether a reference names several options itself."""
    return bool(letter_set(reference)) or len({one.letter for one in claims_of(flat(reference))}) > 1


@lru_cache(maxsize=512)  # each rule that would accept the answer asks
def names_several(body: str, options: Options) -> bool:
    r"""Whether several options stand beside each other, and no words say which one is meant.

    >>> asked = (("A", "7"), ("B", "8"), ("C", "9"))
    >>> names_several("B. 8/A. 7", asked), names_several("A. 7 B. 8 C. 9\nAnswer: B", asked)
    (True, False)
    >>> names_several("Answer: (A)\nAnswer: (B)", asked), names_several("Not A, not C, but B", asked)
    (True, False)
    """
    text = flat(body)
    live = _not_denied(text, claims_of(text, options))
    if not live:
        return False
    at = _last_chosen(live)
    answer = live[at]
    others = [one for one in live if one.letter != answer.letter]
    if _offers_more(text, answer):
        return True
    if not others or _is_value(text, live[-1]):
        return False
    if at and _are_alternatives(text, live[at - 1], answer):
        return True
    known = known_words(options)
    return any(_stands_beside(text, answer, one, known) for one in others)


def _not_denied(text: str, seen: tuple[Claim, ...]) -> list[Claim]:
    """The options that stand; where the text calls one a second answer, all but the denied."""
    return [one for one in seen if one.state is not State.DENIED] if adds_another(text) else _live(seen)


def _offers_more(text: str, answer: Claim) -> bool:
    """Whether the sentence goes on to call something a second answer, in few words and without a reason."""
    line = text[answer.label.reach : answer.label.reach + _MAX_LINE].partition("\n")[0].lower()
    line = line.partition(". ")[0]
    return adds_another(line) and telling(line) <= _REASONED and _REASONS.isdisjoint(WORD.findall(line))


def _last_chosen(live: list[Claim]) -> int:
    """Where the last option stands that is chosen; the last one of all where none is."""
    return max((n for n, one in enumerate(live) if one.state in CHOSEN), default=len(live) - 1)


def _is_value(text: str, last: Claim) -> bool:
    """Whether a value is announced after the last option, and not one of the options: they were only repeated."""
    tail = text[last.label.reach :]
    return last.state not in CHOSEN and (ANNOUNCED in tail or stated.last_stated(tail) != "")


def _live(seen: tuple[Claim, ...]) -> list[Claim]:
    """The options that may be meant. Where one is chosen, words beside another are no text of it."""
    chosen = any(one.state in CHOSEN for one in seen)
    states = (*CHOSEN, State.LISTED) if chosen else (State.LISTED, State.ITEM)
    return [one for one in seen if one.state in states]


def _between(text: str, one: Claim, other: Claim) -> str:
    first, last = sorted((one.label, other.label), key=lambda label: label.start)
    return text[first.reach : last.start].lower()


def _are_alternatives(text: str, one: Claim, answer: Claim) -> bool:
    """Whether a word between two options says that either may be meant: "A, or the answer is B"."""
    if one.letter == answer.letter:
        return False
    between = _between(text, one, answer)
    either = claims.holds(between, _EITHER) or any(map(between.__contains__, OR_IN_SCRIPTS))
    return "\n" not in between and either and telling(between) < _REASONED


def _stands_beside(text: str, answer: Claim, other: Claim, known: frozenset[str]) -> bool:
    """Whether nothing between the answer and another option says which of them counts."""
    if abs(answer.label.start - other.label.start) > _MAX_BETWEEN:
        return False
    between = _between(text, answer, other)
    if telling(between, known) >= _REASONED:
        return False
    replaces = other.label.start < answer.label.start and answer.state in CHOSEN
    if replaces and other.state not in CHOSEN:
        return answer.state is State.LED and not ends_sentence(between)
    if _is_added(between):
        return True
    if _is_taken_back(between):
        return False
    return not (replaces and _turns_to(between, _line_before(text, other)))


def _is_taken_back(between: str) -> bool:
    return retraction.given_up(between) >= 0 or retraction.reopened(between) >= 0


def _is_added(between: str) -> bool:
    """Whether words say that one option counts beside the other."""
    return not _BESIDE.isdisjoint(WORD.findall(between)) or _AS_WELL in between or adds_another(between)


def _line_before(text: str, claim: Claim) -> str:
    return text[max(0, claim.label.start - _MAX_LINE) : claim.label.start].rpartition("\n")[2].lower()


def _turns_to(between: str, before: str) -> bool:
    """Whether words say that a chosen option replaces the one before: "but it is", "final choice", "I first chose"."""
    words = frozenset(WORD.findall(between))
    if not _RANKS.isdisjoint(words) or claims.holds(between, _OPEN):
        return False
    final = "final" in words and "final" not in before
    return final or claims.holds(between, _CONTRAST) or claims.holds(before, _FIRST)
