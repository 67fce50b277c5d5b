r"""Whether the marks of one response choose different options: `\boxed{A}` and then `#### B` choose none.

Every rule takes one reading of a response (extract.py), and the last mark stands there. Of two marks of different
kinds that name different options no one knows which was meant: a rule that took the one and a rule that took the
other would both be right. A later mark of the same kind is a correction, and stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hybridverify.answers import marks, stated
from hybridverify.answers.choice_letter import letter_of
from hybridverify.answers.comments import in_tex_comment
from hybridverify.answers.later_answer import OPTION
from hybridverify.answers.options import Options, letter_for, read_options
from hybridverify.language.wrapping import unwrap

_LETTER = re.compile(r"[(\[]?[A-J][)\].]?")


def options_disagree(body: str, question: str, form: str) -> bool:
    r"""Whether two marks of different kinds choose two options of the question.

    >>> asked = "Which is odd? (A) 4 (B) 6 (C) 9"
    >>> options_disagree("\\boxed{A}\n#### C", asked, "auto"), options_disagree("\\boxed{C}\n#### 9", asked, "auto")
    (True, False)
    """
    if form != "choice" and not _may_offer(question):
        return False
    hashed, tagged = "#" in body and "####" in body, "<" in body and "</" in body
    kinds = hashed + tagged + ("box" in body) * (1 + ("%" in body))
    if kinds < 2 and not (kinds and _has_label(body)):
        return False
    options = read_options(question)
    if not options and form != "choice":
        return False
    return len({letter for content in _contents(body) if (letter := _letter(content, options))}) > 1


def _may_offer(question: str) -> bool:
    """A quick look for how the first option of a question may begin, before options are read."""
    return "A" in question and (
        "A)" in question
        or "A." in question
        or "A:" in question
        or "A]" in question
        or "A}" in question
        or "A )" in question
        or "A :" in question
        or not question.isascii()
    )


def _has_label(body: str) -> bool:
    return "nswer" in body or "hoice" in body or "ption" in body or not body.isascii()


def _contents(body: str) -> Iterator[str]:
    """What the last mark of each kind holds; a box in a comment is of its own kind, and so is a later statement."""
    end = 0
    seen: set[bool] = set()
    for box in marks.boxes_from_end(body):
        commented = "%" in body and in_tex_comment(body, box.start)
        if box.closed and not box.too_long and commented not in seen:
            seen.add(commented)
            end = max(end, box.end)
            yield box.content
    hashed = marks.last_hash(body, strict=False) or marks.last_hash(body, strict=True)
    if hashed and hashed.end < len(body.rstrip()) and not _LETTER.fullmatch(hashed.content.strip()):
        hashed = marks.last_hash(body, strict=False)  # a heading of words is none
    for found in (marks.last_tag(body), hashed):
        if found and not found.too_long:
            end = max(end, found.end)
            yield found.content
    if end and (tail := body[end:]).strip():
        yield stated.last_stated(tail)
        option = OPTION.search(tail)
        yield option.group(1) or option.group(2) if option else ""


def _letter(content: str, options: Options) -> str:
    answer = stated.strip_label(unwrap(content)) if content else ""
    if not answer:
        return ""
    return letter_of(answer)[0] or letter_for(answer, options) or letter_for(answer.strip("()[] "), options)
