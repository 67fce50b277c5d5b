"""Cuts a text where things are listed: at signs, and at words that join."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from hybridverify.language.patterns import RUN, WORD
from hybridverify.language.scripts import is_unspaced

_TIED = frozenset("-'’")
"""A word beside one of these is part of a longer one: "rock-and-roll"."""


def pieces(text: str, signs: str, words: Collection[str] = ()) -> list[str]:
    """The text between the signs and the joining words, which are told in lower case. Pieces may be blank.

    >>> pieces("Ulm, Bonn and Linz", ",", ("and",)), pieces("rock-and-roll", ",", ("and",))
    (['Ulm', ' Bonn ', ' Linz'], ['rock-and-roll'])
    """
    found, start = [], 0
    for begin, end in sorted([*_signs(text, signs), *_words(text, words)]):
        found.append(text[start:begin])
        start = end
    return [*found, text[start:]]


def outer_pieces(text: str, joints: Iterable[str]) -> list[str]:
    r"""The text between signs, words and commands of TeX that stand outside of all brackets. Pieces may be blank.
    The joints are told in lower case.

    >>> outer_pieces(r"(2, 3) or \frac{4}{5}, 6", (", ", "or")), outer_pieces(r"2 \to 3 \top", (r"\to",))
    (['(2, 3) ', ' \\frac{4}{5}', '6'], ['2 ', ' 3 \\top'])
    """
    low = text.lower()
    low = low if len(low) == len(text) else text
    spans = sorted(span for joint in joints if joint in low for span in _places(low, joint))
    depths, found, start = _depths(text) if spans else [], [], 0
    for begin, end in spans:
        if begin >= start and not depths[begin]:
            found.append(text[start:begin])
            start = end
    return [*found, text[start:]]


def holds(text: str, words: Collection[str]) -> bool:
    """Whether one of the joining words stands in the text."""
    return bool(_words(text, words))


def runs(text: str) -> list[str]:
    """The runs of letters and digits.

    >>> runs("(B2) or C-4")
    ['B2', 'or', 'C', '4']
    """
    return RUN.findall(text)


def _signs(text: str, signs: str) -> list[tuple[int, int]]:
    return [(at, at + 1) for at, char in enumerate(text) if char in signs]


def _words(text: str, words: Collection[str]) -> list[tuple[int, int]]:
    found = (word.span() for word in WORD.finditer(text) if word.group().lower() in words)
    return [
        (begin, end) for begin, end in found if _stands_free(text[begin - 1 : begin], text[end : end + 1])
    ]


def _stands_free(before: str, after: str) -> bool:
    beside = before + after
    return _TIED.isdisjoint(beside) and not any(char.isalnum() or char == "_" for char in beside)


def _depths(text: str) -> list[int]:
    """In how many brackets each character stands; one that closes nothing counts for none."""
    found, depth = [], 0
    for char in text:
        depth = max(0, depth + (char in "([{") - (char in ")]}"))
        found.append(depth)
    return found


def _places(text: str, joint: str) -> Iterator[tuple[int, int]]:
    """Where a sign stands, or a word that is no part of a longer one."""
    at = text.find(joint)
    while at >= 0:
        end = at + len(joint)
        before, after = text[max(0, at - 1) : at], text[end : end + 1]
        if not (_are_joined(joint[0], before) or before == "\\" or _are_joined(joint[-1], after)):
            yield at, end
        at = text.find(joint, end)


def _are_joined(end: str, beside: str) -> bool:
    """Letters beside each other are of one word, in scripts that set blanks between words."""
    return beside.isalpha() and end.isalpha() and not is_unspaced(end)
