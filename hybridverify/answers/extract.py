r"""Find the one final answer of a response, and say how it was marked and what is wrong with it.

Every checker and every judge reads answers here and nowhere else, so that all rules and judges speak of the same text.
Trust order: a mark (\boxed, ####, <answer>) before a stated sentence ("the answer is ..") before a response
of one line. A lower one never overrides a higher one; where the text after an answer corrects it or answers
anew (later_answer.py), none is taken.
"""

from __future__ import annotations

from functools import lru_cache, partial

from hybridverify.answers import choice_letter, conclusion, labelled_parts
from hybridverify.answers.box_context import stands_alone
from hybridverify.answers.comments import in_tex_comment, without_comments
from hybridverify.answers.extraction import (
    MAX_SHOWN,
    Extraction,
    Mark,
    last_paragraph,
    of_text,
    unless_overruled,
)
from hybridverify.answers.hidden import without_hidden
from hybridverify.answers.last_mark import last_mark
from hybridverify.answers.marks import has_line_or_tag, has_mark
from hybridverify.answers.rival_lines import may_mark
from hybridverify.answers.thinking import THINKING_TAGS, may_be_cut, without_thinking
from hybridverify.answers.without_mark import without_mark
from hybridverify.errors import ConfigError, did_you_mean
from hybridverify.language.braces import MAX_ANSWER
from hybridverify.language.text import NUMERAL
from hybridverify.language.wrapping import INVISIBLE, visible
from hybridverify.maths.notation.clean import without_tags

__all__ = [
    "FORMS",
    "HASH",
    "MAX_RESPONSE",
    "MAX_SHOWN",
    "Extraction",
    "Mark",
    "extract",
    "extract_as",
]

FORMS = ("auto", "boxed", "hash", "choice", "free")
"""What mark the task fixes: `auto` takes any, `free` is free text."""
_FIRST_PART = ("(a)", "a)", "**(a)", "Part (a)", "**Part (a)")
_BOX = "\\boxed{"
MAX_RESPONSE = 1_000_000
"""Longest response that is scanned; a longer one has the problem `limit`."""


HASH = Mark.HASH
"""Looked up once: see `hybridverify.types.CORRECT`."""
_GIVEN = (Mark.BOXED, Mark.HASH, Mark.TAG, Mark.STATED)


def extract(
    response: str,
    form: str = "auto",
    thinking_tags: tuple[str, str] = THINKING_TAGS,
    *,
    multiple_boxes: str = "last",
    number_fallback: bool = False,
    question: str = "",
) -> Extraction:
    r"""The final answer of `response`. `multiple_boxes` and `number_fallback` are the conventions' options; with the
    question, a later sentence that answers it with another number leaves open which one stands.

    >>> extract(r"\boxed{4}? No: \boxed{6}. Tell me if you need more.").answer
    '6'
    >>> extract("Two and two.\n#### 4").mark
    <Mark.HASH: 'hash'>
    >>> extract(r"Either \boxed{7} or \boxed{8}.").problem
    'hedge'
    """
    return extract_as(response, form, thinking_tags, multiple_boxes, number_fallback, question)


def extract_as(
    response: str,
    form: str,
    thinking_tags: tuple[str, str],
    multiple_boxes: str,
    number_fallback: bool,
    question: str = "",
) -> Extraction:
    """`extract` with positional arguments only: a cache looks these up faster."""
    read = _read if response.startswith("####", response.rfind("\n") + 1) else _kept
    return read(response, form, thinking_tags, multiple_boxes, number_fallback, question)


@lru_cache(maxsize=512)  # the checkers and the judges ask for the same response one after the other
def _kept(
    response: str,
    form: str,
    thinking_tags: tuple[str, str],
    multiple_boxes: str,
    number_fallback: bool,
    question: str,
) -> Extraction:
    return _read(response, form, thinking_tags, multiple_boxes, number_fallback, question)


def _read(
    response: str,
    form: str,
    thinking_tags: tuple[str, str],
    multiple_boxes: str,
    number_fallback: bool,
    question: str,
) -> Extraction:
    if form not in FORMS:
        raise ConfigError(f"form: {form!r} is not known; {did_you_mean(form, FORMS)}")
    body, finished = _said_to_user(response[-MAX_RESPONSE:], thinking_tags)
    if len(response) > MAX_RESPONSE or not finished:
        problem = "unfinished_thinking" if len(response) <= MAX_RESPONSE else "limit"
        return Extraction("", Mark.NONE, problem, last_paragraph(body), body)
    if found := _number_below(body, form, question):
        return found
    if not body or _is_invisible(body):
        return Extraction("", Mark.NONE, "no_answer", "", body)
    found = _seen(body, form, multiple_boxes, question)
    return _with_last_number(found, form) if number_fallback else found


def _with_last_number(found: Extraction, form: str) -> Extraction:
    if found.mark is not Mark.NONE or form not in ("auto", "free"):
        return found
    return found._replace(answer=conclusion.last_number(found.body))


def _said_to_user(response: str, thinking_tags: tuple[str, str]) -> tuple[str, bool]:
    """The response without its thinking part and comments, and whether the thinking came to an end."""
    if (
        thinking_tags == THINKING_TAGS
        and ("<" not in response or not may_be_cut(response))
        and "◁" not in response
    ):
        return response.strip(), True
    body, finished = without_thinking(response, thinking_tags)
    return (without_comments(body) if "<!--" in body else body).strip(), finished


def _seen(body: str, form: str, multiple_boxes: str, question: str) -> Extraction:
    """The answer in what a reader of the rendered response sees, the most trusted way first."""
    seen = without_tags(without_hidden(body)).strip() if _may_hide(body) else body
    if not seen:
        return Extraction("", Mark.NONE, "not_alone", body[-MAX_SHOWN:], "")
    if form == "auto" and seen.startswith(_FIRST_PART) and (told := labelled_parts.parts(seen)):
        return of_text(body, Mark.CONCLUSION, told)
    return (
        _number_boxed(seen, form, multiple_boxes, question)
        or _marked(seen, form, multiple_boxes, question)
        or without_mark(seen, form, question)
    )


_HIDING = ("{comment}", "\\iffalse", "white")


def _may_hide(text: str) -> bool:
    """A quick look for signs of hidden parts. Single characters are looked for first: they are found faster."""
    if ("<" in text and "</" in text) or ("~" in text and "~~" in text):
        return True
    if "[" in text and ("[/" in text or "]:" in text):
        return True
    # The one command of most solutions is their box.
    return text.count("\\") > ("\\boxed" in text) and any(map(text.__contains__, _HIDING))


def _is_invisible(body: str) -> bool:
    """Whether the text holds only characters that nobody sees."""
    return not "!" <= body[0] <= "~" and ord(body[0]) in INVISIBLE and not visible(body).strip()


def _number_below(body: str, form: str, question: str = "") -> Extraction | None:
    """The number of a last line "#### 42". `_marked` would find the same in ten times as long."""
    at = body.rfind("\n") + 1
    if not body.startswith("####", at) or form in ("boxed", "choice"):
        return None
    answer = body[at + 4 :].strip()
    if not _is_figure(answer):
        return None
    found = Extraction(answer, HASH, "", answer, body)
    above = body[body.rfind("\n", 0, at - 1) + 1 : at] if at > 1 else ""
    if not above or (above != "\n" and not may_mark(above)):
        return found
    return unless_overruled(found, form, body, len(body), question)


def _is_figure(text: str) -> bool:
    """Whether the text is a number in figures."""
    if len(text) > MAX_ANSWER:
        return False
    return (text.isdigit() and text.isascii()) or NUMERAL.fullmatch(text) is not None


def _number_boxed(body: str, form: str, multiple_boxes: str, question: str = "") -> Extraction | None:
    """The plain number in the only mark of a response, a box. `_marked` would find the same in three times as long."""
    at = body.find(_BOX)
    if at < 0 or multiple_boxes != "last" or form in ("hash", "choice"):
        return None
    end = _plain_end(body, at + len(_BOX))
    answer = body[at + len(_BOX) : end]
    if not answer:
        return None
    found = Extraction(answer, Mark.BOXED, "", answer, body, (answer,))
    if at == 0 and end + 1 == len(body):
        return found  # nothing stands beside it
    if _is_not_the_mark(body, at) or not stands_alone(body, at, end + 1):
        return None
    return unless_overruled(found, form, body, end + 1, question)


def _plain_end(body: str, begin: int) -> int:
    """Where the plain number in a box that opens at `begin` ends; `begin` where there is none."""
    end = body.find("}}", begin) + 1 if body.startswith("\\frac{", begin) else body.find("}", begin)
    return end if 0 < end - begin <= MAX_ANSWER and _is_plain(body[begin:end]) else begin


def _is_plain(answer: str) -> bool:
    """Whether it is a number in digits, or a fraction of two."""
    if not answer.startswith("\\frac"):
        return NUMERAL.fullmatch(answer) is not None
    digits = answer.removeprefix("\\frac")
    braced = digits.startswith("{") and digits.endswith("}") and digits.count("}{") == 1
    return (digits[1:-1].replace("}{", "") if braced else digits).isdecimal()


def _is_not_the_mark(body: str, at: int) -> bool:
    """Whether the box is commented out, or there may be another mark."""
    if body.count("box") > 1 or "\x08" in body or has_line_or_tag(body):
        return True
    return "%" in body and in_tex_comment(body, at)


def _may_be_marked(text: str) -> bool:
    """A quick look for a character with which a mark begins: each is found faster than any pattern."""
    if "\\" in text or "#" in text or "<" in text or "[" in text:
        return True
    return "\x08" in text or "\x0c" in text


def _marked(body: str, form: str, multiple_boxes: str, question: str = "") -> Extraction | None:
    if form == "choice" and (chosen := _chosen(body, multiple_boxes, question)):
        return chosen
    if not _may_be_marked(body) or not has_mark(body):
        return None
    return last_mark(body, form, multiple_boxes, question, partial(_inside, question=question))


@lru_cache(maxsize=512)  # responses to one question box the same words
def _inside(content: str, question: str) -> Extraction:
    """What a box or a tag holds, read as a response of its own."""
    body, finished = _said_to_user(content, THINKING_TAGS)
    if not body or not finished:
        return Extraction("", Mark.NONE, "", "", body)
    return _seen(body, "auto", "last", question)


def _names_options(answer: str) -> bool:
    return bool(choice_letter.letter_of(answer)[0]) or choice_letter.names_several(answer)


def _chosen(body: str, multiple_boxes: str, question: str) -> Extraction | None:
    """The letter of an option that the response gives."""
    free = _marked(body, "auto", multiple_boxes, question) or without_mark(body, "auto", question)
    if free.problem in ("not_alone", "hedge") or (free.mark in _GIVEN and _names_options(free.answer)):
        return free
    kind, content = choice_letter.last_letter(body)
    return of_text(body, Mark(kind), content) if kind else None
