r"""Whether the marks of one response choose different options: `\boxed{A}` and then `#### B` choose none.

Every rule takes one reading of a response (extract.py), and the last mark stands there. Of two marks of different
kinds that name different options no one knows which was meant: a rule that took the one and a rule that took the
other would both be right. A later mark of the same kind is a correction, and stands.
"""

from __future__ import annotations

from collections.abc import Iterator

from hybridverify.answers import marks, stated
from hybridverify.answers.choice_letter import letter_of
from hybridverify.answers.comments import in_tex_comment
from hybridverify.answers.later_answer import later_option
from hybridverify.answers.options import Options, letter_for, may_list, read_options
from hybridverify.language.patterns import OPTION_LETTER
from hybridverify.language.wrapping import unwrap


def options_disagree(body: str, question: str, form: str) -> bool:
    r"""Whether two marks of different kinds choose two options of the question.

    >>> asked = "Which is odd? (A) 4 (B) 6 (C) 9"
    >>> options_disagree("\\boxed{A}\n#### C", asked, "auto"), options_disagree("\\boxed{C}\n#### 9", asked, "auto")
    (True, False)
    """
    if form != "choice" and not may_list(question):
        return False
    if not _may_mark_twice(body):
        return False
    options = read_options(question)
    if not options and form != "choice":
        return False
    return len({letter for content in _contents(body) if (letter := _letter(content, options))}) > 1


def _may_mark_twice(body: str) -> bool:
    """A quick look for two kinds of marks, a label beside a mark included."""
    hashed, tagged = "#" in body and "####" in body, marks.may_have_tag(body)
    kinds = hashed + tagged + ("box" in body) * (1 + ("%" in body))
    return kinds > 1 or (kinds > 0 and _has_label(body))


def _has_label(body: str) -> bool:
    return "nswer" in body or "hoice" in body or "ption" in body or not body.isascii()


def _contents(body: str) -> Iterator[str]:
    """What the last mark of each kind holds; a box in a comment is of its own kind, and so is a later statement."""
    found = [mark for mark in (*_last_boxes(body), marks.last_tag(body), _hashed(body)) if mark]
    whole = [mark for mark in found if not mark.too_long]
    yield from (mark.content for mark in whole)
    if whole and (tail := body[max(mark.end for mark in whole) :]).strip():
        yield stated.last_stated(tail)
        yield later_option(tail)


def _last_boxes(body: str) -> list[marks.Found]:
    """The last closed box, and the last one in a comment."""
    last: dict[bool, marks.Found] = {}
    for box in marks.boxes_from_end(body):
        if box.closed and not box.too_long:
            last.setdefault("%" in body and in_tex_comment(body, box.start), box)
    return list(last.values())


def _hashed(body: str) -> marks.Found | None:
    """The last line of hashes; a heading counts where it is a letter or ends the text."""
    plain = marks.last_hash(body, strict=False)
    hashed = plain or marks.last_hash(body, strict=True)
    if hashed and hashed.end < len(body.rstrip()) and not OPTION_LETTER.fullmatch(hashed.content.strip()):
        return plain
    return hashed


def _letter(content: str, options: Options) -> str:
    answer = stated.strip_label(unwrap(content)) if content else ""
    if not answer:
        return ""
    return letter_of(answer)[0] or letter_for(answer, options) or letter_for(answer.strip("()[] "), options)
