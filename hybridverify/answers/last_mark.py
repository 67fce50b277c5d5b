r"""The answer in the last mark of a response: boxes, a line of hashes, or a tag.

Separate from extract.py, which decides whether a mark is looked for. `read` reads what a mark holds as a response of
its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from hybridverify.answers import boxes, later_answer, marks
from hybridverify.answers.box_context import is_considered
from hybridverify.answers.conflict import conflict
from hybridverify.answers.extraction import (
    MAX_SHOWN,
    Extraction,
    Mark,
    last_paragraph,
    of_boxes,
    of_text,
    too_long,
    unless_overruled,
)
from hybridverify.answers.frame import denied_after, denied_before
from hybridverify.answers.inside import within
from hybridverify.answers.retraction import MAX_READ, takes_back
from hybridverify.language.joining import AND, OR
from hybridverify.language.lexicon import entries

Read: TypeAlias = "Callable[[str], Extraction]"
_JOINING = AND | OR.union(entries("joining", "perhaps"))
_MOST_BETWEEN = 20
_HOLDS_MORE = (" ", "\n", "</", "####")
"""Without one of these a mark holds its answer and nothing else."""


def last_mark(body: str, form: str, multiple_boxes: str, question: str, read: Read) -> Extraction | None:
    """What the last mark holds, None where there is none."""
    statement = boxes.last_statement(body, multiple_boxes) if form != "hash" else None
    mark, last = _hash_or_tag(body, form)
    if statement and (last is None or statement.end > last.end):
        return _of_statement(body, form, statement, question, read)
    if last is None:
        return _cut_off(body, form)
    return _of_hash_or_tag(body, form, mark, last, multiple_boxes, question, read)


def _of_statement(body: str, form: str, statement: boxes.Statement, question: str, read: Read) -> Extraction:
    """What the last boxes hold, or what corrects them after."""
    found = _opened(of_boxes(body, statement), read)
    if found.problem == "not_alone" and form == "auto":
        told = later_answer.corrected(statement.texts[-1], body[statement.end :])
        return of_text(body, Mark.CONCLUSION, told) if told else found
    return unless_overruled(found, form, body, statement.end, question)


def _opened(found: Extraction, read: Read) -> Extraction:
    """What a mark holds that may be a response of its own; a quick look first."""
    return within(found, read) if any(map(found.answer.__contains__, _HOLDS_MORE)) else found


def _cut_off(body: str, form: str) -> Extraction | None:
    """No answer where the response ends inside its only box."""
    if form == "hash" or not boxes.is_cut_off(body):
        return None
    return Extraction("", Mark.NONE, "no_answer" if form == "boxed" else "", last_paragraph(body), body)


def _of_hash_or_tag(
    body: str, form: str, mark: Mark, last: marks.Found, multiple_boxes: str, question: str, read: Read
) -> Extraction:
    if last.too_long:
        return too_long(body, mark, last.content)
    if form == "auto" and _does_not_stand(body, mark, last):
        return Extraction("", mark, "not_alone", body[-MAX_SHOWN:], body)
    other = _right_before(body, last) if mark is Mark.TAG else _before_other_hashes(last.content)
    if other:
        return of_text(body, mark, f"{other}, {last.content}")._replace(problem="hedge")
    inner = boxes.last_statement(last.content, multiple_boxes)
    found = of_boxes(body, inner, mark) if inner else of_text(body, mark, last.content)
    found = found if inner else _opened(found, read)
    return unless_overruled(found, form, body, last.end, question)


def _hash_or_tag(body: str, form: str) -> tuple[Mark, marks.Found | None]:
    """The later of the two, where the form allows them."""
    last = marks.last_hash(body, strict=form == "hash") if form != "boxed" else None
    tag = marks.last_tag(body) if form not in ("boxed", "hash") else None
    return (Mark.TAG, tag) if tag and (last is None or tag.end > last.end) else (Mark.HASH, last)


def _does_not_stand(body: str, mark: Mark, found: marks.Found) -> bool:
    """Whether a tag or a line of hashes is denied, only considered, or taken back at once."""
    if takes_back(found.content, body[found.end : found.end + MAX_READ]) or is_considered(body, found.start):
        return True
    if denied_before(body, found.start):
        return True
    if mark is Mark.TAG:
        return denied_after(body, found.end)
    _, _, rest = found.content.strip().partition(" ")  # "#### 12 (wrong)"
    return bool(rest) and denied_after(" " + rest, 0)


def _before_other_hashes(content: str) -> str:
    """The other answer of a line with two: "#### 3 #### 4"; "" for one answer, and where words stand between."""
    first, _, rest = content.rpartition("####")
    other = first.strip(" #")
    return other if other and len(other.split()) == 1 and conflict(other, rest) else ""


def _right_before(body: str, found: marks.Found) -> str:
    """What a tag with another answer holds that stands right before, or is joined by a word: `<answer>3</answer> or
    <answer>4</answer>`; "" where there is none."""
    other = marks.last_tag(body[: found.start]) if found.start else None
    if other is None or found.start - other.end > _MOST_BETWEEN:
        return ""
    between = body[other.end : found.start].lower().replace(",", " ").split()
    told = _JOINING.issuperset(between) and conflict(other.content, found.content)
    return other.content.strip() if told else ""
