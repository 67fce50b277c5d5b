r"""Read the letter of an option in any usual spelling: "(D)", "D.", "Option D", "D) 12", \text{D}, 选D.

Separate from choice.py because extraction reads letters too, where a task fixes the form `choice`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from hybridverify.answers import marks, retraction, stated
from hybridverify.answers.choice_claims import (
    CHOSEN,
    Claim,
    State,
    claims_of,
)
from hybridverify.answers.choice_flat import flat
from hybridverify.answers.choice_sides import ends_after, is_called_right, is_denied_by_sign
from hybridverify.language.braces import MAX_ANSWER
from hybridverify.language.joining import AND, OR
from hybridverify.language.languages import OPTION_NOUNS
from hybridverify.language.lexicon import entries
from hybridverify.language.lexicon.phrases import phrases
from hybridverify.language.patterns import WORD
from hybridverify.language.text import canonical
from hybridverify.language.wrapping import unwrap

_BEFORE_LETTER = frozenset((*OPTION_NOUNS, "the", "correct", "is", "are", "as"))
_COPULAS_JOINED = "是为為"
_CLOSING = frozenset(")]）】")
_AFTER_LETTER = ".:：、,，。)）;； -–—"
_JOINTS = AND.union(entries("joining", "mark"), "/")
_NOUNS = frozenset((*OPTION_NOUNS, "options", "choices", "answers"))
_CALLED = frozenset(("are", "all", "correct", "right", "true"))
_NAMED = (*CHOSEN, State.LISTED)
_OPTION = frozenset(("option", "options", "choice", "choices", "selected"))
_OPTION_JOINED = ("选", "選", "选择", "選擇")
_SIGNS = ("!", "¬", "|", "-", "−", "+")
"""Before a letter of mathematics."""
_SILENT = frozenset("()[]（）. ")
_MAX_LIST = 60
_ELLIPSES = ("..", "…")
_DOUBTING = ("?", "=", "&", "+", "/")
"""What joins a second candidate to a letter, or doubts it: "C = seven", "(C)? Hardly."."""
_JOINING = AND | OR | {"also", "plus"}
_RANKED = phrases("phrases", "ranked", after=r"\s*$")
_MAX_CORRECTED, _MAX_CONTRAST = 300, 12
_MAX_RANK = 30
_MAX_LAST = 12
"""Signs of a last line that is no sentence."""


def letter_of(answer: str) -> tuple[str, str]:
    r"""The letter an answer names and the text after it, ("", "") where it names none or several.

    >>> letter_of(r"\text{(D)} 12"), letter_of("Option b"), letter_of("A car is moving"), letter_of("A or B")
    (('D', '12'), ('B', ''), ('', ''), ('', ''))
    """
    plain = " ".join(flat(answer).split())
    seen = claims_of(plain)
    if not seen or unwrap(answer)[:1] in _SIGNS or names_several(answer):
        return "", ""
    first, rest = seen[0], plain[seen[0].label.end :].strip()
    if _is_repeated(plain, seen):
        return first.letter, ""
    if not _stands(plain, seen, answer) or _is_refused(rest, plain[_end(seen) :]):
        return "", ""
    return first.letter, rest.lstrip(_AFTER_LETTER).strip()


def _is_repeated(plain: str, seen: tuple[Claim, ...]) -> bool:
    """Whether a text is one letter several times: "(B) / (B)"."""
    said = "".join(filter(str.isalnum, plain))
    return len(seen) > 1 and "?" not in plain and said == seen[0].letter * len(seen)


def _stands(plain: str, seen: tuple[Claim, ...], answer: str) -> bool:
    """Whether the first option opens the text, ends before other words, and is neither denied nor one of several."""
    first = seen[0]
    letter = first.letter
    primed = f"{letter}'" in answer and f"'{letter}" not in answer  # the complement D'
    if primed or first.state is State.DENIED or any(_is_another(one, letter) for one in seen[1:]):
        return False
    return _opens(plain[: first.label.start]) and _ends(plain, seen)


def _opens(before: str) -> bool:
    """Whether the words before a letter only say that it is an option's."""
    words = WORD.findall(before.lower())
    return not is_denied_by_sign(before) and all(
        word.rstrip(_COPULAS_JOINED) in _BEFORE_LETTER for word in words
    )


def _is_another(claim: Claim, letter: str) -> bool:
    """Whether a later option is offered as well: not one that a reason speaks of."""
    if claim.letter == letter or claim.state in (State.DENIED, State.PROSE):
        return False
    return claim.label.clear or claim.joined or claim.state in CHOSEN


def _ends(plain: str, seen: tuple[Claim, ...]) -> bool:
    """Whether the letter is closed off from the text after it: "a) circle" is an option, "a circle" is none."""
    end = seen[0].label.end
    if plain[end - 1] in _CLOSING or plain[end : end + 1] in _CLOSING or _end(seen) > end:
        return True
    return ends_after(plain, end) or is_called_right(plain, end)


def _end(seen: tuple[Claim, ...]) -> int:
    """Where the first option ends, with what it is said not to be: "C, not A"."""
    first, *others = seen
    end = first.label.end
    contrasted = others and others[0].state is State.DENIED and others[0].letter != first.letter
    return others[0].label.end if contrasted and others[0].label.start - end <= _MAX_CONTRAST else end


def _is_refused(rest: str, beyond: str) -> bool:
    """Whether the text after a letter takes it back, or joins something to it."""
    bare = rest.lstrip(")]） ")
    first = next(iter(WORD.findall(bare[:_MAX_RANK].lower())), "")
    if first in _JOINING or bare.startswith(_DOUBTING) or bare.lstrip(", ").startswith(_ELLIPSES):
        return True
    low = beyond[:_MAX_CORRECTED].lower()
    taken_back = retraction.takes_back("", rest)
    return taken_back or retraction.given_up(low) >= 0 or retraction.reopened(low) >= 0


def names_several(answer: str) -> bool:
    """True for a list of letters: "A, B and C", "A or B".

    >>> names_several("A, B, C and D"), names_several("D")
    (True, False)
    """
    letters, beside = _taken_apart(answer)
    return len(set(letters)) > 1 and beside <= _JOINTS | OR


def letter_set(answer: str) -> frozenset[str]:
    """The options that a list names, none for anything but a list without an "or".

    >>> sorted(letter_set("A, C and D")), sorted(letter_set("ACD")), letter_set("A or C"), letter_set("CAB")
    (['A', 'C', 'D'], ['A', 'C', 'D'], frozenset(), frozenset())
    """
    letters, beside = _taken_apart(answer)
    if not beside <= _JOINTS | _NOUNS | _CALLED | {":"}:
        return frozenset()
    letters = "".join(sorted(letters)) if beside else letters
    ordered = all(one < other for one, other in itertools.pairwise(letters))
    return frozenset(letters) if len(letters) > 1 and ordered else frozenset()


def _taken_apart(answer: str) -> tuple[str, set[str]]:
    """The letters of options in a short text, and the words and signs beside them."""
    plain = " ".join(flat(unwrap(answer)).split())
    if len(plain) > _MAX_LIST:
        return "", set()
    parts = ["".join(part) for _, part in itertools.groupby(plain, _kind)]
    letters = [part for part in parts if part.isascii() and set(part) <= set("ABCDEFGHIJ")]
    return "".join(letters), {part.lower() for part in parts if part not in letters} - _SILENT


def _kind(char: str) -> str:
    """Letters of one script stand together, and every sign by itself."""
    return ("latin" if char < "\u0250" else "other") if char.isalpha() else char


def last_letter(body: str) -> tuple[str, str]:
    """Where and what letter a response of a choice task gives: ("boxed" | "stated" | "bare", content)."""
    for kind, content in _candidates(body):
        if letter_of(content)[0] or names_several(content):
            return kind, content
    return "", ""


def _candidates(body: str) -> Iterator[tuple[str, str]]:
    """Marks, then statements, then a last line that is a letter: most trusted first."""
    box = next((box for box in marks.boxes_from_end(body) if box.closed), None)  # it replaces earlier ones
    found = (("boxed", box), ("tag", marks.last_tag(body)), ("hash", marks.last_hash(body, strict=False)))
    yield from ((kind, mark.content) for kind, mark in found if mark and not mark.too_long)
    yield "stated", stated.last_stated(body)
    yield "stated", _chosen(body)
    yield "bare", _last_line(body)


def _last_line(body: str) -> str:
    """The last line where it is a whole response or short, and gives no verdict on each option."""
    above, _, last = body.strip().rpartition("\n")
    if len(last) > MAX_ANSWER or (above and len(canonical(last)) > _MAX_LAST):
        return ""
    judged = above and letter_of(last)[1] and letter_of(above.rstrip().rpartition("\n")[2])[1]
    return "" if judged else last


def _chosen(body: str) -> str:
    """The letter of the last option that is named alone and not denied, "": "Option selected: C", 故选C."""
    text = flat(body)
    seen = claims_of(text)
    for one, after in zip(reversed(seen), [None, *reversed(seen)], strict=False):
        before = text[max(0, one.label.start - _MAX_RANK) : one.label.start]
        beside = after is not None and after.joined and after.state is not State.DENIED
        if one.state in _NAMED and _is_named(before) and not beside:
            return one.letter
    return ""


def _is_named(before: str) -> bool:
    """Whether words before a letter end on what options are called, and rank it no lower: "Second choice:"."""
    line = before.rpartition("\n")[2].lower()
    words = [word for word in WORD.findall(line) if word != "is"]
    if not words or not (words[-1] in _OPTION or words[-1].endswith(_OPTION_JOINED)):
        return False
    return _RANKED.search(line[: line.rindex(words[-1])]) is None
