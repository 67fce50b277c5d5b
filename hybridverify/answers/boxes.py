r"""Which boxes make the answer: the last one, or several that stand joined or in a bare row in one last statement.

`\boxed{1} and \boxed{2}` answers two questions; `\boxed{1} or \boxed{2}` is a hedge; `\boxed{1}, no,
\boxed{2}` is a correction, and so is a box in another sentence: the last one counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from hybridverify.answers.box_context import stands_alone
from hybridverify.answers.comments import in_tex_comment
from hybridverify.answers.frame import denied_after, denied_before
from hybridverify.answers.hedged_label import is_later_part
from hybridverify.answers.marks import Found, boxes_from_end, has_box
from hybridverify.answers.stated import strip_label
from hybridverify.language import expressions as re
from hybridverify.language.joining import AND, OR
from hybridverify.language.lexicon import entries
from hybridverify.language.lexicon.phrases import phrases
from hybridverify.language.names import before_name
from hybridverify.language.number_words import read_words
from hybridverify.language.patterns import NO_ELEMENTS, TYPESETTING

_WORD = re.compile(r"[^\W\d_]+|[^\s\\]")
_AND = AND.union(entries("joining", "mark"))
_ONLY_OR = frozenset(entries("joining", "perhaps"))
_NOT, _BUT = frozenset(entries("joining", "not")), AND.union(entries("joining", "but"))
_NO_NOUN = frozenset(entries("joining", "turning"))
_BULLETS = frozenset(("-", "*", "•", "+"))
_OPENING = "—–-([,;"
_MAX_BETWEEN = 80
_CASE = phrases("phrases", "case", before=r"(?:^|[.,;]\s)", after=r"[^.,;\n]{1,40}[:,][\s$*]*$")
_MAX_LABEL, _MAX_WORD = 4, 16
_LABELS = frozenset(("the", "final", "answer", "result", "total", "option", "choice"))
_TELLING_SIGNS = frozenset("-+<>=?∅∄∞")


class Statement(NamedTuple):
    """The boxes of the last statement, first one first; `end` is where the last one ends in the text."""

    texts: tuple[str, ...]
    end: int
    hedged: bool = False
    too_long: bool = False
    alone: bool = True
    """False where the box is part of a larger formula or denied."""


def last_statement(text: str, multiple_boxes: str) -> Statement | None:
    r"""The boxes that make the answer; None where the text has no box.

    >>> last_statement(r"$\boxed{1}$ and $\boxed{2}$", "last").texts
    ('1', '2')
    >>> last_statement(r"\boxed{4} looked right, yet \boxed{6}. I boxed it with \boxed{}.", "last").texts
    ('6',)
    """
    seen = _seen_boxes(text) if has_box(text) else []
    found = [box for box in seen if box.closed]
    if not found:
        return None
    filled = list(filter(_says_something, found))
    if not filled or filled[0].too_long:
        last = filled[0] if filled else found[0]
        return Statement((last.content,), last.end, too_long=last.too_long)
    if multiple_boxes != "last":
        return _all_of(filled, multiple_boxes)
    statement = _joined(text, filled)
    return statement._replace(alone=False) if _opened_around(text, filled[0], seen) else statement


def _seen_boxes(text: str) -> list[Found]:
    """All boxes but those in comments, from the end."""
    boxes = list(boxes_from_end(text))
    return [box for box in boxes if not in_tex_comment(text, box.start)] if "%" in text else boxes


def _all_of(filled: list[Found], multiple_boxes: str) -> Statement:
    texts = _nested_out(box.content for box in reversed(filled))
    return Statement(texts, filled[0].end, hedged=multiple_boxes == "all_same" and len(set(texts)) > 1)


def _says_something(box: Found) -> bool:
    told = TYPESETTING.sub("", box.content) if "\\" in box.content else box.content
    if box.too_long or any(map(str.isalnum, told)) or not _TELLING_SIGNS.isdisjoint(told):
        return True
    return holds_no_elements(box.content)


def holds_no_elements(content: str) -> bool:
    """Whether a box holds the braces of the empty set and nothing else."""
    return "}" in content and NO_ELEMENTS.fullmatch(content.strip(" $")) is not None


def is_cut_off(text: str) -> bool:
    r"""True where the text ends inside its last box: "\boxed{12" may have become 12 or 128."""
    last = next(boxes_from_end(text), None)
    return last is not None and not last.closed


def _joined(text: str, filled: list[Found]) -> Statement:
    while len(filled) > 1 and _denies_next(_words(text[filled[1].end : filled[0].start][:_MAX_BETWEEN])):
        filled = filled[1:]
    chosen, hedged = _row(text, filled)
    texts = _nested_out(box.content for box in reversed(chosen))
    start, end = chosen[-1].start, filled[0].end
    alone = (start, end) == (0, len(text)) or stands_alone(text, start, end)
    alone = alone and not (len(chosen) < len(filled) and _is_one_of_several(text, start))
    alone = alone and not any(_holds_more(box.content) for box in chosen)
    return Statement(texts, filled[0].end, hedged and len(set(texts)) > 1, alone=alone)


def _row(text: str, filled: list[Found]) -> tuple[list[Found], bool]:
    """The boxes that stand joined or in a row with the last one, from the end, and whether an "or" joins them."""
    chosen, hedged, row = [filled[0]], False, False
    for box in filled[1:]:
        if box.end > chosen[-1].start:  # a box around the last one: \boxed{\boxed{5}}
            chosen[-1] = box
            continue
        between = text[box.end : chosen[-1].start] if chosen[-1].start - box.end <= _MAX_BETWEEN else "."
        words = [] if _is_item(between) else _words(between)
        either, bare = _is_or(words), not words
        if not (either or bare or _is_and(words)):
            break
        row |= bare
        hedged |= either
        chosen.append(box)
    if row and _is_stutter(chosen):
        chosen = chosen[:1]
    return chosen, hedged


def _is_stutter(boxes: list[Found]) -> bool:
    """Whether two of them hold the same, so that they are no list."""
    return len({box.content.strip() for box in boxes}) < len(boxes)


def _is_item(between: str) -> bool:
    """Whether there is nothing but the sign or the number of a new item of a list."""
    sign = between.strip()
    return "\n" in between and (sign in _BULLETS or sign.rstrip(".)").isdecimal())


def _words(between: str) -> list[str]:
    """Words and signs between two boxes, but what sets type and the name of what the next one gives."""
    plain = before_name(between).replace("\\\\", " ")
    return _WORD.findall(TYPESETTING.sub(" ", plain).lower())


def _is_and(words: list[str]) -> bool:
    r"""One or two joints; before an "and" a noun, too: `\boxed{3} apples and \boxed{4} pears`."""
    if len(words) > 1 and words[1].isalpha() and len(words[0]) > 1 and words[0] not in _NO_NOUN | _AND:
        words = words[1:] if words[0].isascii() else words
    return 0 < len(words) <= 2 and _AND.issuperset(words)


def _is_or(words: list[str]) -> bool:
    words = words[1:] if words[:1] == [","] else words
    if len(words) == 1:
        return words[0] in OR | _ONLY_OR
    return len(words) == 2 and words[0] in OR and words[1] in _ONLY_OR | {"else"}


def _denies_next(words: list[str]) -> bool:
    r"""`\boxed{4}, not \boxed{5}`: the last box says what the one before it is not."""
    while words and words[0] in _OPENING:
        words = words[1:]
    words = words[1:] if words[:1] and words[0] in _BUT else words
    return words[:1] != [] and words[0] in _NOT and set(words[1:]) <= {":"}


def _is_one_of_several(text: str, start: int) -> bool:
    """A box after "(b)" or "if n is even:": those before it answer the other parts or cases."""
    before = text[max(text.rfind("\n", 0, start) + 1, start - _MAX_BETWEEN) : start]
    return is_later_part(before) or _CASE.search(before) is not None


def _nested_out(contents: Iterator[str]) -> tuple[str, ...]:
    r"""The contents of the boxes; of a box inside a box only the inner one."""
    texts = []
    for content in contents:
        inner = next(boxes_from_end(content), None) if has_box(content) else None
        texts.append(inner.content if inner and inner.closed and inner.content.strip() else content)
    return tuple(texts)


def _holds_more(content: str) -> bool:
    r"""Whether a box holds a box and something beside it that is no label: `\boxed{3, \boxed{4}}` answers neither."""
    inner = next(boxes_from_end(content), None) if has_box(content) else None
    if inner is None or not inner.closed or not inner.content.strip():
        return False
    if denied_before(content, inner.start) or denied_after(content, inner.end):
        return True
    before, after = (TYPESETTING.sub(" ", part) for part in (content[: inner.start], content[inner.end :]))
    if not _is_label(f"{before} {after}".strip()):
        return True
    return not _announces(before) or not _counts(after, inner.content)


def _is_label(text: str) -> bool:
    """Whether a text is a few words, or the name of a value: what may stand beside a box inside a box."""
    if text.endswith("=") and not before_name(text).strip():
        return True
    words = text.rstrip(".,").rstrip(" :：").split()
    return len(words) <= _MAX_LABEL and all(word.isalpha() and len(word) <= _MAX_WORD for word in words)


def _announces(before: str) -> bool:
    """Whether words before an inner box lead up to it; "Sunday" beside Friday is another answer."""
    words = before.strip().rstrip(":：").casefold().split()
    if not words or "=" in before or all(word in _LABELS for word in words):
        return True
    return strip_label(f"{before.strip()} 0") == "0"


def _counts(after: str, content: str) -> bool:
    """Whether words after an inner box may be what its number counts: "apples", not "six"."""
    words = after.split()
    return not words or (
        any(char.isdigit() for char in content) and not any(read_words(word.strip(",.")) for word in words)
    )


def _opened_around(text: str, last: Found, seen: list[Found]) -> bool:
    r"""Whether a box that never closes holds more than the last one: `\boxed{3 \boxed{4}`."""
    outer = [box for box in seen if not box.closed and box.start < last.start]
    return bool(outer) and _holds_more(text[outer[-1].end - len(outer[-1].content) : last.end])
