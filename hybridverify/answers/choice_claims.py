r"""What a text says of each option that it names: chosen, denied, spoken of, or only listed.

What stands between two options is judged by its words: none of the signs that may join them ("A / B", "A | B", a line
each) has to be known. Separate from choice_decision.py and choice_sentence.py, which choose one of the options.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from hybridverify.answers.choice_flat import flat
from hybridverify.answers.choice_labels import Label, labels
from hybridverify.answers.choice_leads import Lead, lead_of
from hybridverify.answers.choice_sides import ends_after, is_called_right, is_excluded
from hybridverify.answers.frame import denied_after, is_denied
from hybridverify.answers.options import Options
from hybridverify.language import claims
from hybridverify.language.joining import AND, OR
from hybridverify.language.languages import (
    CHOOSING,
    COPULAS,
    FUNCTION_WORDS,
    OPTION_NOUNS,
    PREDICATES,
)
from hybridverify.language.lexicon import entries
from hybridverify.language.patterns import WORD

_LEAST_WORD = 3
_MAX_LABELS = 200
"""So many options are read, from the end: a text of thousands of letters chooses none."""
_IF_NOT = "if not"
_STOPS = frozenset(".!?。！？;；,，:：、\n")
_SENTENCE_ENDS = (". ", "! ", "? ", "。", "！", "？", "\n")
_AFTER_LABEL = " .:：-–—=()[]（）【】"
_REASONS = frozenset(entries("announcing", "reason"))
_JOINING = (
    *(AND | OR),
    *entries("joining", "but", "perhaps", "not", "turning"),
    "if",
)
_SIGNS_JOINING = sorted((entry for entry in _JOINING if entry >= "\u3040"), key=len, reverse=True)
_IDLE = frozenset(
    word
    for entry in (
        *OPTION_NOUNS,
        *CHOOSING,
        *COPULAS,
        *FUNCTION_WORDS,
        *_JOINING,
        "final",
        "correct",
        "question",
    )
    for word in entry.lower().split()
)
"""Words that tell nothing between two options."""
_MAX_ITEM, _MAX_LEAD, _SHORT = 4, 200, 40
_LEAST_LED = {True: 3, False: 2}
"""So many telling words before an option speak of it; fewer where its letter may be none."""
_MOST_JOINING = {True: 2, False: 0}


class State(Enum):
    """What a text says of an option."""

    CHOSEN = "chosen"
    LED = "led"
    """Chosen by no more than an "is", a "so" or the like."""
    LISTED = "listed"
    ITEM = "item"
    """Listed with words that are not its text."""
    PROSE = "prose"
    """Spoken of."""
    DENIED = "denied"


CHOSEN = (State.CHOSEN, State.LED)
_NO_CLAIM = (State.LISTED, State.ITEM)


class Claim(NamedTuple):
    """An option in a flat text, and what is said of it; `joined` to the one before it."""

    label: Label
    state: State
    joined: bool

    @property
    def letter(self) -> str:
        return self.label.letter


@lru_cache(maxsize=512)  # each rule that reads a response asks
def claims_of(text: str, options: Options = ()) -> tuple[Claim, ...]:
    """What a flat text says of the options that it names, in their order.

    >>> [(one.letter, one.state.value, one.joined) for one in claims_of("Not A. Answer: (B) / (C)")]
    [('A', 'denied', False), ('B', 'chosen', False), ('C', 'listed', True)]
    """
    found = list(labels(text, options))[-_MAX_LABELS:]
    if not found:
        return ()
    known = known_words(options)
    places = [0, *(label.reach for label in found)]
    leads = [_led(text, begin, label.start) for begin, label in zip(places, found, strict=False)]
    stops = [lead.start if lead else label.start for lead, label in zip(leads, found, strict=True)]
    told = zip(found, leads, places, [*stops[1:], len(text)], strict=False)
    return tuple(
        _agreed(text, [_claim(text, label, lead, begin, stop, known) for label, lead, begin, stop in told])
    )


def known_words(options: Options) -> frozenset[str]:
    """The words of the options' texts, and their letters."""
    letters = frozenset(letter.lower() for letter, _ in options)
    return letters.union(word for _, option in options for word in WORD.findall(flat(option).lower()))


def telling(text: str, known: frozenset[str] = frozenset()) -> int:
    """How many words tell something; a character counts as a word in scripts without blanks."""
    for joint in _SIGNS_JOINING:
        text = text.replace(joint, " ")
    words = WORD.findall(text.lower())
    signs = [char for word in words for char in word if char >= "\u3040"]
    bare = (word.strip("".join(signs)) for word in words)
    return len(signs) + len([word for word in bare if word and word not in _IDLE and word not in known])


def ends_sentence(text: str) -> bool:
    """Whether a sentence or a line ends in a text."""
    return any(map(text.__contains__, _SENTENCE_ENDS))


def _led(text: str, begin: int, end: int) -> Lead | None:
    """What leads up to an option as the one that is chosen, with its place in the text."""
    begin = max(begin, end - _MAX_LEAD)
    lead = lead_of(text[begin:end])
    return lead._replace(start=begin + lead.start) if lead else None


def _claim(text: str, label: Label, lead: Lead | None, begin: int, stop: int, known: frozenset[str]) -> Claim:
    """What is said of an option between the one before it and what leads up to the next one."""
    gap, after = text[begin : label.start], text[label.reach : stop]
    joined = begin > 0 and lead is None and telling(gap, known) <= _MOST_JOINING[label.clear]
    if _is_denied(text, label):
        return Claim(label, State.DENIED, joined)
    words = _clause(after, stop == len(text))
    if is_called_right(text, label.reach):
        return Claim(label, State.CHOSEN, joined)
    if lead and (chosen := _chosen(text, label, lead.firm, words, after, bool(known))):
        return Claim(label, chosen, joined)
    if words and label.reach > label.end and words[0] not in _REASONS:
        return Claim(label, State.PROSE, joined)
    return Claim(label, _unchosen(gap, words, label.clear, begin == 0, known), joined)


def _chosen(text: str, label: Label, firm: bool, words: list[str], after: str, listed: bool) -> State | None:
    """How firmly what leads up to an option chooses it. A letter in a formula is none."""
    sure = label.clear or not telling(after[:_SHORT])
    if firm and sure:
        return State.CHOSEN
    ends = ends_after(text, label.reach)
    return State.LED if ends or (not words and (sure or listed)) else None


def _unchosen(gap: str, words: list[str], clear: bool, first: bool, known: frozenset[str]) -> State:
    begin = _sentence_start(gap)
    fresh, before = first or begin > 0, gap[begin:]
    if not fresh and not _REASONS.isdisjoint(WORD.findall(before.lower())):
        return State.PROSE
    if words and words[0] not in _REASONS:
        return State.ITEM if _names_something(words) else State.PROSE
    return State.PROSE if fresh and telling(before, known) >= _LEAST_LED[clear] else State.LISTED


def _sentence_start(text: str) -> int:
    """Where the last sentence of a text begins."""
    return max((text.rfind(end) + len(end) for end in _SENTENCE_ENDS if end in text), default=0)


def _names_something(words: list[str]) -> bool:
    """Whether words after an option are few and make no sentence."""
    return len(words) <= _MAX_ITEM and PREDICATES.isdisjoint(words)


def _is_denied(text: str, label: Label) -> bool:
    line = text[max(0, label.start - _MAX_LEAD) : label.start].rpartition("\n")[2]
    _, supposed, rest = line.lower().rpartition(_IF_NOT)
    if supposed and not telling(rest):
        return False
    return is_denied(text, label.start, label.end) or is_excluded(line)


def _clause(after: str, is_last: bool) -> list[str]:
    """The words that go on with a label to the end of their clause; none where they lead up to the next label."""
    after = after if after.startswith(". ") else after.lstrip(_AFTER_LABEL)
    end = next((at for at, char in enumerate(after) if char in _STOPS), len(after))
    own = is_last or end < len(after) or claims.COPULA.match(after) is not None
    words = WORD.findall(after[:end].lower()) if own else []
    return [] if len(words) == 1 and len(words[0]) < _LEAST_WORD else words  # "A vs. B"


def _agreed(text: str, seen: list[Claim]) -> list[Claim]:
    """Options that a sentence joins share what it says: "A and C are odd", "A and C are wrong", "above A and C"."""
    wrong = False
    for at in reversed(range(1, len(seen))):
        one = seen[at]
        wrong = one.state is State.DENIED and (wrong or denied_after(text, one.label.end))
        shared = (State.PROSE, State.ITEM, *((State.DENIED,) if wrong else ()))
        seen[at - 1] = _like(text, seen[at - 1], one, shared) if one.joined else seen[at - 1]
    for at in range(1, len(seen)):
        if seen[at].joined:
            seen[at] = _like(text, seen[at], seen[at - 1], (State.PROSE, State.ITEM))
    return seen


def _like(text: str, claim: Claim, beside: Claim, shared: tuple[State, ...]) -> Claim:
    """An option of which nothing is said, with what the sentence says of the one beside it."""
    if beside.state not in shared or claim.state not in _NO_CLAIM:
        return claim
    first, last = sorted((claim.label, beside.label), key=lambda label: label.start)
    return claim if ends_sentence(text[first.reach : last.start]) else claim._replace(state=beside.state)
