"""Texts as the page holds them: cut in the middle, with the place of the extracted answer.

A whole text is a string. A cut one is a list of strings and numbers in turn: what is shown, how many characters are
left out, what is shown after them. Places count in UTF-16 units, as a browser counts.
"""

from __future__ import annotations

from typing import NamedTuple

Shown = str | list[str | int]
Place = tuple[int, int, int]
"""The part, the first unit, the unit after the last."""

_AROUND = 240  # characters kept on both sides of an answer that stands where a text is cut
_MOST_ANSWER = 300
_HEAD_SHARE = 0.4
_FRONTS = ("\\boxed{", "\\fbox{", "#### ", "####", "<answer>")


class CutText(NamedTuple):
    """A text for the page, and where the answer stands in it."""

    shown: Shown
    answer: Place | None


def cut(text: str, most: int, answer: str = "") -> CutText:
    """The text in at most about `most` characters. The passage around the answer stays.

    >>> cut("ab, cd", 10, "cd")
    CutText(shown='ab, cd', answer=(0, 4, 6))
    >>> cut("a" * 50 + "b" * 50, 10).shown
    ['aaaa', 90, 'bbbbbb']
    """
    span = find_answer(text, answer)
    if len(text) <= most:
        return CutText(text, (0, *_units(text, *span)) if span else None)
    head = int(most * _HEAD_SHARE)
    kept = [(0, head), (len(text) - (most - head), len(text))]
    if span:
        kept.append((max(0, span[0] - _AROUND), min(len(text), span[1] + _AROUND)))
    return _joined(text, _merged(kept), span)


def find_answer(text: str, answer: str) -> tuple[int, int] | None:
    r"""Where the text gives the answer: in its last mark, else where it stands last as a word of its own.

    >>> find_answer(r"7 or 8? \boxed{7}", "7"), find_answer("It is 17, so 7.", "7"), find_answer("no", "7")
    ((15, 16), (13, 14), None)
    """
    if not answer or len(answer) > _MOST_ANSWER:
        return None
    for front in _FRONTS:
        at = text.rfind(front + answer)
        if at >= 0:
            return at + len(front), at + len(front) + len(answer)
    end = len(text)
    for _ in range(50):
        at = text.rfind(answer, 0, end)
        if at < 0:
            return None
        if _alone(text, at, at + len(answer)):
            return at, at + len(answer)
        end = at + len(answer) - 1
    return None


def _alone(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    inside = text[start].isalnum() and before.isalnum(), text[end - 1].isalnum() and after.isalnum()
    return not any(inside)


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _joined(text: str, kept: list[tuple[int, int]], span: tuple[int, int] | None) -> CutText:
    shown: list[str | int] = []
    place: Place | None = None
    before = 0
    for start, end in kept:
        if shown:
            shown.append(start - before)
        part = text[start:end]
        if span and start <= span[0] and span[1] <= end:
            place = (len(shown), *_units(part, span[0] - start, span[1] - start))
        shown.append(part)
        before = end
    return CutText(shown if len(shown) > 1 else text, place)


def _units(text: str, start: int, end: int) -> tuple[int, int]:
    if text.isascii():
        return start, end
    return _length(text[:start]), _length(text[:end])


def _length(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
