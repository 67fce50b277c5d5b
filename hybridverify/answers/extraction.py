"""What a response answers, and how an answer is made of what a mark or a sentence holds.

Separate from extract.py, which chooses the mark or the sentence.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from hybridverify.answers import boxes, fenced, later_answer, stated, unmarked
from hybridverify.answers.beside_mark import is_second_choice, lists_another_name
from hybridverify.answers.predicates import without_remark
from hybridverify.answers.restated import restates
from hybridverify.answers.rival_lines import has_rival
from hybridverify.answers.usual_endings import is_usual
from hybridverify.language.braces import MAX_ANSWER, MAX_BOX
from hybridverify.language.endings import without_ending
from hybridverify.language.patterns import ITEM
from hybridverify.language.wrapping import unwrap
from hybridverify.maths import numerals

MAX_SHOWN = MAX_ANSWER
"""How much a judge is shown of an answer or a last paragraph: its tail."""


class Mark(Enum):
    """How the answer was marked, most trusted first."""

    BOXED = "boxed"
    HASH = "hash"
    TAG = "tag"
    STATED = "stated"
    BARE = "bare"
    """The whole response is one line."""
    CONCLUSION = "conclusion"
    """The value a closing sentence ends on ("So the total is 12."): good enough to accept, not to reject."""
    NONE = "none"


_NO_ELEMENTS = r"\{\}"
"""The empty set, whose braces are taken off as those of a group are."""
_GUESSED = (Mark.CONCLUSION, Mark.NONE)
_STATED = Mark.STATED


class Extraction(NamedTuple):
    """What a response answers.

    `answer` is the final answer, "" where there is none; of a hedge it holds all alternatives, because the
    question may ask for several values. `problem` is "" or one of `no_answer` (nothing at all, or not in
    the form the task fixes), `empty_mark`, `hedge`, `unfinished_thinking`, `limit`, `not_alone` (a box inside
    a formula, or denied). `shown` is what a judge is shown, `body` the response without its thinking part.
    `boxes` holds the boxes of the last statement.
    """

    answer: str
    mark: Mark
    problem: str
    shown: str
    body: str
    boxes: tuple[str, ...] = ()

    @property
    def firm(self) -> bool:
        """True where the answer was given as the answer: only then a difference may be a sure `incorrect`."""
        if not self.answer or self.mark in _GUESSED:
            return False
        if self.mark is Mark.BARE and ITEM.match(self.answer):
            return False  # "- 17" is minus 17 or an item
        return self.mark is not _STATED or self.answer[-1] != "!"  # "The answer is 7!" may be 7 or 5040


def unless_overruled(found: Extraction, form: str, body: str, end: int, question: str) -> Extraction:
    """The answer that ends at `end`, if no line above and nothing after it gives another one; a fixed form takes the
    mark as it is."""
    if form not in ("auto", "free") or not found.answer:
        return found
    if len(found.boxes) < 2 and _is_rivalled(found, body, end):
        return Extraction("", found.mark, "not_alone", body[-MAX_SHOWN:], body)
    after = body[end:]
    if (found.answer[-1].isdecimal() and is_usual(after)) or not after.strip(later_answer.CLOSINGS):
        return found
    if _gives_another(found.answer, after, question):
        return Extraction("", found.mark, "not_alone", body[-MAX_SHOWN:], body)
    return found


def _gives_another(answer: str, after: str, question: str) -> bool:
    """Whether what follows an answer leaves it open which one stands."""
    if later_answer.overrules(answer, after) or restates(answer, after, question):
        return True
    return lists_another_name(answer, after, question)


def _is_rivalled(found: Extraction, body: str, end: int) -> bool:
    """Whether a line above gives another answer, or this one is the second of two."""
    if "\n" in body and not found.problem and has_rival(found.answer, body, end):
        return True
    return body.find(" ", 0, end) >= 0 and is_second_choice(found.answer, body, end)


def of_boxes(body: str, statement: boxes.Statement, mark: Mark = Mark.BOXED) -> Extraction:
    if statement.too_long:
        return too_long(body, mark, statement.texts[-1])
    if not statement.alone:
        return Extraction("", mark, "not_alone", body[-MAX_SHOWN:], body)
    texts = tuple(map(_without_label, statement.texts))
    if not any(texts) and boxes.holds_no_elements(statement.texts[-1]):
        texts = (_NO_ELEMENTS,)
    elif not any(texts):
        return Extraction("", mark, "empty_mark", "", body, texts)
    distinct = tuple(dict.fromkeys(texts))
    answer = ", ".join(distinct)
    if len(answer) > MAX_ANSWER:
        return too_long(body, mark, answer)
    hedged = (statement.hedged and unmarked.are_different(distinct)) or _is_hedge(answer)
    return Extraction(answer, mark, "hedge" if hedged else "", answer, body, texts)


def of_text(body: str, mark: Mark, content: str) -> Extraction:
    if len(content) > 2 * MAX_BOX:
        return too_long(body, mark, content)
    content = _without_brace(content)
    answer = _without_copula(unwrap(_said(content))) if mark is Mark.BARE else _without_label(content)
    if not answer and mark in (Mark.STATED, Mark.BARE, Mark.CONCLUSION):
        answer = content.strip()  # no mark was left empty: it is a text of signs
    if len(answer) > MAX_ANSWER:
        return too_long(body, mark, answer)
    if not answer:
        return Extraction("", mark, "empty_mark", "", body)
    return Extraction(answer, mark, "hedge" if _is_hedge(answer) else "", answer, body)


def _said(content: str) -> str:
    """A whole response without the denial of another value, a number also without its reason: a second reason in words
    may be a second answer."""
    if ", " not in content:
        return content
    said = without_remark(content)
    denies = content[len(said) :].lstrip(" ,").startswith(("not ", "and not "))
    return said if denies or numerals.read(said) else content


def _is_hedge(answer: str) -> bool:
    """A quick look for an "or" first; that of every language with Latin letters has an o in it."""
    if "o" not in answer and "O" not in answer and answer.isascii():
        return False
    return bool(unmarked.OR.search(answer[: unmarked.MAX_HEDGE])) and unmarked.is_hedge(answer)


@lru_cache(maxsize=512)  # responses to one question mark the same words
def _without_label(content: str) -> str:
    """What a mark holds, without its wrapping and without words such as "the answer is"."""
    told = fenced.told(content.strip()) if content.lstrip()[:1] in ("`", "{") else None
    answer = content.strip()
    if told or not (answer.isascii() and answer.replace(" ", "").isalnum()):  # plain words have no wrapping
        answer = _without_copula(unwrap(told or content))
    return answer if told or (answer.isascii() and len(answer.split()) == 1) else stated.strip_label(answer)


def _without_brace(content: str) -> str:
    """Without the brace of a box in which the answer was marked: "#### 4}" in a box."""
    if content[-1:] != "}" or content.count("}") != content.count("{") + 1:
        return content
    return content if "\\}" in content or '"' in content else content[:-1].rstrip()


def _without_copula(answer: str) -> str:
    return answer if answer.isascii() else unwrap(without_ending(answer))


def too_long(body: str, mark: Mark, text: str) -> Extraction:
    return Extraction("", mark, "limit", text[-MAX_SHOWN:], body)


def last_paragraph(body: str) -> str:
    """The last paragraph that says something (rules and code fences do not), cut at its tail."""
    lines = "\n".join(map(str.rstrip, body.split("\n")))
    filled = [part for part in map(str.strip, lines.split("\n\n")) if part]
    telling = (part for part in reversed(filled) if any(char.isalnum() for char in part))
    return next(telling, filled[-1] if filled else "")[-MAX_SHOWN:]
