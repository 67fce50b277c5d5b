r"""Where a text names options, and by which letters: "(A)", "B. 8", "option C", \text{(D)}, an option's text on a line.

Every reader of choices asks here and reads a text that choice_flat.py made flat. What the text says of each option is
told in choice_claims.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from hybridverify.answers.choice_flat import ANNOUNCED, flat
from hybridverify.answers.options import Options
from hybridverify.language import expressions as re
from hybridverify.language.languages import COPULAS, FUNCTION_WORDS, OPTION_NOUNS, PREDICATES
from hybridverify.language.patterns import WORD

CJK = "\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af"
_LETTER = re.compile(
    rf"(?<![^\W{CJK}])(?<!['’^°])(?<![A-Za-z]\.)[A-Ja-j]"
    rf"(?![^\W{CJK}]|['’^]|-(?!(?:[Oo]ption|[Cc]hoice)\b)[A-Za-z]{{2}}|\.[A-Za-z]\.)"
)
_OPENING, _CLOSING = frozenset("([（【<"), frozenset(")]）】>")
_BEFORE_TEXT = " .:：、,，-–—=()[]（）【】"
_BEFORE_ANSWER = " \"'([*$-"
_NOUN_WORDS = frozenset(("answer", "choice", "option", *OPTION_NOUNS))
_MAX_SIGNS, _MAX_JOINT, _MAX_LEAD, _MAX_WORDS = 6, 3, 80, 8
_NOUNS = tuple(map(str.lower, OPTION_NOUNS))
_COPULAS = frozenset(("is", "are", "be", *COPULAS))
_NO_NOUNS = PREDICATES | FUNCTION_WORDS
"""An article stands before none of these words: "A is right", "A and B"."""


class Label(NamedTuple):
    """An option in a flat text: its label from `start` to `end`, with its own text to `reach`."""

    letter: str
    start: int
    end: int
    reach: int
    clear: bool
    """Surely an option: in brackets, after a noun, or with its text."""


def labels(text: str, options: Options = ()) -> Iterator[Label]:
    """The options that a flat text names, in their order; with the question's options no other letter is one.

    >>> [one.letter for one in labels("B) 8/A 7 of A car", (("A", "7"), ("B", "8")))]
    ['B', 'A']
    """
    low, texts = text.lower(), {letter: flat(option).lower() for letter, option in options}
    hidden, said = _hidden(low, texts), _said(low, texts)
    reach = 0
    for match in _LETTER.finditer(text):
        at = match.start()
        while said and said[0].start <= at:
            one = said.pop(0)
            if one.start >= reach:
                reach = one.reach
                yield one
        if at < reach or any(start < at < end for start, end in hidden):
            continue
        if label := _label(text, low, at, reach, texts):
            reach = label.reach
            yield label
    for one in said:
        if one.start >= reach:
            reach = one.reach
            yield one


def _said(low: str, texts: dict[str, str]) -> list[Label]:
    """Where the text of an option stands for it: as a line of its own, or after what announces an answer."""
    found = [
        Label(letter, at, at, at + len(option), True)
        for letter, option in texts.items()
        for at in _places(low, option)
        if _is_answer(low, at, at + len(option))
    ]
    return sorted(found, key=lambda label: (label.start, -label.reach))


def _places(low: str, option: str) -> Iterator[int]:
    """Where a text stands by itself: 7 does not stand in 17, nor in 7.5."""
    at = low.find(option) if option else -1
    while at >= 0:
        end = at + len(option)
        before, after = low[max(0, at - 2) : at], low[end : end + 2]
        part = before[-1:].isalnum() or after[:1].isalnum()
        decimal = after[:1] in (".", ",", "/") and after[1:].isdigit()
        if not part and not decimal and before[-1:] not in (".", "-", "/"):
            yield at
        at = low.find(option, end)


def _is_answer(low: str, start: int, end: int) -> bool:
    before = low[max(0, start - _MAX_LEAD) : start].rpartition("\n")[2].rstrip(_BEFORE_ANSWER)
    after = low[end : end + _MAX_LEAD].partition("\n")[0]
    words = WORD.findall(before)
    if before.endswith(ANNOUNCED) or not (words or any(map(str.isalnum, before + after))):
        return True
    leads = before.endswith((":", "：", "=")) or (words and words[-1] in _COPULAS)
    return bool(leads) and not _NOUN_WORDS.isdisjoint(words[-_MAX_WORDS:])


def _hidden(low: str, texts: dict[str, str]) -> list[tuple[int, int]]:
    """Where a text of an option stands that names others ("Both A and C")."""
    naming = [option for option in texts.values() if " " in option and _LETTER.search(option.upper())]
    places = ((low.find(option), len(option)) for option in naming)
    return [(at - 1, at + length) for at, length in places if at >= 0]


def _label(text: str, low: str, at: int, last: int, texts: dict[str, str]) -> Label | None:
    """The label at a letter, where the one before it reached to `last`."""
    letter = text[at].upper()
    if texts and letter not in texts:
        return None
    begin = max(0, at - _MAX_LEAD)
    before, after = text[begin:at].rstrip(" "), text[at + 1 : at + 3].lstrip(" ")[:1]
    closed, start, end = after in _CLOSING, at, at + 1
    if closed and before[-1:] in _OPENING:
        start, end = begin + len(before) - 1, text.index(after, at) + 1
    reach = _reach(low, end, texts.get(letter, ""))
    clear = closed or reach > end or _is_named(before, after)
    return Label(letter, start, end, reach, clear) if clear or _may_be_one(text, at, last) else None


def _is_named(before: str, after: str) -> bool:
    """Whether a letter stands after the noun of an option, or as the label of a line."""
    item = before[-1:] in ("", "\n") and after in (".", ":")
    return item or before.rstrip(":：=#( ").lower().endswith(_NOUNS)


def _may_be_one(text: str, at: int, last: int) -> bool:
    """Whether a bare letter may be that of an option: no article, no pronoun, no unit, no variable."""
    begin = max(0, at - _MAX_LEAD)
    before, after = text[begin:at].rstrip(" "), text[at + 1 : at + _MAX_LEAD].lstrip(" ")
    ends = not after[:1].isalnum()
    alone = ends and (begin + len(before) <= last or not before[-1:].isalnum())
    if before.endswith(ANNOUNCED):
        return True
    if _may_be_word(text[at]):
        return alone or (ends and _is_led(text, before, at, last))
    if text[at : at + 2] == "A " and after[:1].islower():
        return after.partition(" ")[0] in _NO_NOUNS
    return alone or not before[-1:].isdigit()


def _may_be_word(letter: str) -> bool:
    """Whether it is a small letter, or that of the pronoun."""
    return letter.islower() or letter == "I"


def _is_led(text: str, before: str, at: int, last: int) -> bool:
    """Whether a small letter stands after a copula, or soon after another option."""
    joined = last > 0 and len(WORD.findall(text[last:at])) <= _MAX_JOINT
    return joined or before.rpartition(" ")[2].lower() in _COPULAS


def _reach(low: str, end: int, option: str) -> int:
    """The end of a label with the text of its option, where that follows."""
    at = end
    while at < min(len(low), end + _MAX_SIGNS) and low[at] in _BEFORE_TEXT:
        at += 1
    stop = at + len(option)
    goes_on = option[-1:].isalnum() and low[stop : stop + 1].isalnum()
    if not option or goes_on or not low.startswith(option, at):
        return end
    return stop + (low[stop : stop + 1] == ")")
