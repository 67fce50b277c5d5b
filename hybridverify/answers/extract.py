r"""Find the one final answer of a response, and say how it was marked and what is wrong with it.

Every checker and every judge reads answers here and nowhere else, so that all tiers speak of the same text.
Trust order: a mark (\boxed, ####, <answer>) before a stated sentence ("the answer is ..") before a response
of one line. A lower one never overrides a higher one; where the text behind an answer corrects it or answers
anew (later_answer.py), none is taken.
"""

from __future__ import annotations

from functools import lru_cache, partial

from hybridverify.answers import (
    boxes,
    choice_letter,
    closing_line,
    conclusion,
    fenced,
    later_answer,
    marks,
    printed,
    stated,
    unmarked,
)
from hybridverify.answers.box_context import is_considered, stands_alone
from hybridverify.answers.comments import in_tex_comment, without_comments
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
from hybridverify.answers.frame import denied_before, denied_behind
from hybridverify.answers.hidden import without_hidden
from hybridverify.answers.inside import spoken, within
from hybridverify.answers.retraction import TAKEN_BACK
from hybridverify.answers.thinking import THINKING_TAGS, without_thinking
from hybridverify.errors import ConfigError, did_you_mean
from hybridverify.language import expressions as re
from hybridverify.language.braces import MAX_ANSWER
from hybridverify.language.text import NUMERAL
from hybridverify.language.wrapping import INVISIBLE, visible

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
_BOX = "\\boxed{"
_EXPLAINED = re.compile(
    r"([^\n]{1,200})\n\s*[*_#]{0,4}\s?(?:Explanation|Reasoning|Reason|Rationale|Justification)\b"
)
"""An answer on the first line and why below it."""
_BOLD_VALUE = re.compile(r"(?<=[=:≈])(\s?)\*\*(?=[^*\n]{1,80}\*\*[\s.]*\Z)")
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
    """`extract`, all told: caches look up positional arguments faster."""
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
    if not body or _is_invisible(body):
        return Extraction("", Mark.NONE, "no_answer", "", body)
    found = _number_below(body, form) or _seen(body, form, multiple_boxes, question)
    return _with_last_number(found, form) if number_fallback else found


def _with_last_number(found: Extraction, form: str) -> Extraction:
    if found.mark is not Mark.NONE or form not in ("auto", "free"):
        return found
    return found._replace(answer=conclusion.last_number(found.body))


def _said_to_user(response: str, thinking_tags: tuple[str, str]) -> tuple[str, bool]:
    """The response without its thinking part and comments, and whether the thinking came to an end."""
    if "<" not in response and thinking_tags == THINKING_TAGS:
        return response.strip(), True
    body, finished = without_thinking(response, thinking_tags)
    return without_comments(body).strip(), finished


def _seen(body: str, form: str, multiple_boxes: str, question: str) -> Extraction:
    """The answer in what a reader of the rendered response sees, the most trusted way first."""
    seen = without_hidden(body).strip() if _may_hide(body) else body
    if not seen:
        return Extraction("", Mark.NONE, "not_alone", body[-MAX_SHOWN:], "")
    return (
        _number_boxed(seen, form, multiple_boxes, question)
        or _marked(seen, form, multiple_boxes, question)
        or _unmarked(seen, form, question)
    )


def _may_hide(text: str) -> bool:
    """A quick look: a single character is found twenty times faster than two."""
    return ("<" in text and "</" in text) or ("~" in text and "~~" in text) or ("[" in text and "[/" in text)


def _is_invisible(body: str) -> bool:
    """Whether the text holds only characters that nobody sees."""
    return not "!" <= body[0] <= "~" and ord(body[0]) in INVISIBLE and not visible(body).strip()


def _number_below(body: str, form: str) -> Extraction | None:
    """A last line "#### 42", as GSM8K ends: what `_marked` finds there too, for a tenth of the work."""
    at = body.rfind("\n") + 1
    if not body.startswith("####", at) or form in ("boxed", "choice"):
        return None
    answer = body[at + 4 :].strip()
    plain = (answer.isdigit() and answer.isascii()) or NUMERAL.fullmatch(answer)
    if not plain or len(answer) > MAX_ANSWER:
        return None
    return Extraction(answer, HASH, "", answer, body)


def _number_boxed(body: str, form: str, multiple_boxes: str, question: str = "") -> Extraction | None:
    """A box around a plain number, where no other mark can be: again what `_marked` finds, for a third of the work."""
    at = body.find(_BOX)
    if at < 0 or multiple_boxes != "last" or form in ("hash", "choice"):
        return None
    begin, end = at + len(_BOX), body.find("}", at)
    answer = body[begin:end]
    if not 0 < end - begin <= MAX_ANSWER or not NUMERAL.fullmatch(answer) or _has_other_marks(body):
        return None
    if ("%" in body and in_tex_comment(body, at)) or not stands_alone(body, at, end + 1):
        return None
    return unless_overruled(
        Extraction(answer, Mark.BOXED, "", answer, body, (answer,)), form, body, end + 1, question
    )


def _has_other_marks(body: str) -> bool:
    """A quick look beside the first box."""
    return (
        body.count("box") > 1
        or "\x08" in body
        or ("#" in body and "####" in body)
        or ("<" in body and "</" in body)
    )


def _marked(body: str, form: str, multiple_boxes: str, question: str = "") -> Extraction | None:
    if form == "choice" and (chosen := _chosen(body, multiple_boxes, question)):
        return chosen
    statement = boxes.last_statement(body, multiple_boxes) if form != "hash" else None
    mark, last = _hash_or_tag(body, form)
    if statement and (last is None or statement.end > last.end):
        return _of_statement(body, form, statement, question)
    if last is None:
        return _cut_off(body, form)
    return _of_hash_or_tag(body, form, mark, last, multiple_boxes, question)


def _of_statement(body: str, form: str, statement: boxes.Statement, question: str) -> Extraction:
    """What the last boxes hold, or what corrects them behind."""
    found = within(of_boxes(body, statement), partial(_inside, question=question))
    if found.problem == "not_alone" and form == "auto":
        told = later_answer.corrected(statement.texts[-1], body[statement.end :])
        return of_text(body, Mark.CONCLUSION, told) if told else found
    return unless_overruled(found, form, body, statement.end, question)


def _inside(content: str, question: str) -> Extraction:
    """What a box or a tag holds, read as a response of its own."""
    body, finished = _said_to_user(content, THINKING_TAGS)
    if not body or not finished:
        return Extraction("", Mark.NONE, "", "", body)
    return _seen(body, "auto", "last", question)


def _cut_off(body: str, form: str) -> Extraction | None:
    """No answer where the response ends inside its only box."""
    if form == "hash" or not boxes.is_cut_off(body):
        return None
    return Extraction("", Mark.NONE, "no_answer" if form == "boxed" else "", last_paragraph(body), body)


def _of_hash_or_tag(
    body: str, form: str, mark: Mark, last: marks.Found, multiple_boxes: str, question: str
) -> Extraction:
    if last.too_long:
        return too_long(body, mark, last.content)
    if form == "auto" and _does_not_stand(body, mark, last):
        return Extraction("", mark, "not_alone", body[-MAX_SHOWN:], body)
    inner = boxes.last_statement(last.content, multiple_boxes)
    found = of_boxes(body, inner, mark) if inner else of_text(body, mark, last.content)
    found = found if inner else within(found, partial(_inside, question=question))
    return unless_overruled(found, form, body, last.end, question)


def _chosen(body: str, multiple_boxes: str, question: str) -> Extraction | None:
    """The letter of an option that the response gives."""
    free = _marked(body, "auto", multiple_boxes, question) or _unmarked(body, "auto", question)
    if free.problem in ("not_alone", "hedge") or (
        free.mark in _GIVEN and choice_letter.letter_of(free.answer)[0]
    ):
        return free
    kind, content = choice_letter.last_letter(body)
    return of_text(body, Mark(kind), content) if kind else None


def _hash_or_tag(body: str, form: str) -> tuple[Mark, marks.Found | None]:
    """The later of the two, where the form allows them."""
    last = marks.last_hash(body, strict=form == "hash") if form != "boxed" else None
    tag = marks.last_tag(body) if form not in ("boxed", "hash") else None
    return (Mark.TAG, tag) if tag and (last is None or tag.end > last.end) else (Mark.HASH, last)


def _does_not_stand(body: str, mark: Mark, found: marks.Found) -> bool:
    """Whether a tag or a line of hashes is denied, only considered, or taken back at once."""
    if TAKEN_BACK.match(body, found.end) or is_considered(body, found.start):
        return True
    if denied_before(body, found.start):
        return True
    if mark is Mark.TAG:
        return denied_behind(body, found.end)
    _, _, rest = found.content.strip().partition(" ")  # "#### 12 (wrong)"
    return bool(rest) and denied_behind(" " + rest, 0)


def _unmarked(body: str, form: str, question: str) -> Extraction:
    """A stated sentence, a response of one line, or a closing sentence; in fixed forms only a bare line."""
    told = fenced.told(body)
    if told is not None:
        return of_text(body, Mark.BARE, told)
    one_line = "\n" not in body
    shown = body[-MAX_SHOWN:] if one_line else last_paragraph(body)
    bare = _bare_line(body) if one_line else _of_lines(body)
    if bare:
        return spoken(bare, question) if form == "auto" else bare
    if form in ("boxed", "hash"):
        return Extraction("", Mark.NONE, "no_answer", shown, body)
    return _said(body, form, question) or _closing(body, form, shown, question)


def _closing(body: str, form: str, shown: str, question: str) -> Extraction:
    """A closing sentence, or a response of one line."""
    if printed_value := printed.answer(body, question):
        return of_text(body, Mark.STATED, printed_value)._replace(shown=shown)
    if closing := _concluded(body, shown):
        return spoken(closing, question)
    if value := closing_line.value_of(fenced.opened(body)):
        return of_text(body, Mark.CONCLUSION, value)._replace(shown=shown)
    if "\n" not in body:
        return spoken(of_text(body, Mark.BARE, body)._replace(shown=shown), question)
    return Extraction("", Mark.NONE, "no_answer" if form == "choice" else "", shown, body)


def _bare_line(body: str) -> Extraction | None:
    """A response of one line that is an answer and no prose."""
    line = _BOLD_VALUE.sub(r"\1", body, count=1) if body.endswith("**", 0, len(body.rstrip(". "))) else body
    if not unmarked.is_bare(line):
        return None
    content = (conclusion.conclusion(body) or closing_line.value_of(body)) if conclusion.opens(body) else ""
    return of_text(body, Mark.CONCLUSION if content else Mark.BARE, content or line)


def _said(body: str, form: str, question: str) -> Extraction | None:
    """A stated sentence, or an answer on the first line with its reasons below."""
    opened = fenced.opened(body)
    last = stated.last_statement(opened)
    if last.text:
        found = spoken(of_text(body, Mark.STATED, last.text), question)
        return unless_overruled(found, form, opened, last.end, question)
    explained = _EXPLAINED.match(body)
    if explained and unmarked.is_bare(explained[1]):
        return of_text(body, Mark.BARE, explained[1])
    return None


def _concluded(body: str, shown: str) -> Extraction | None:
    content = conclusion.conclusion(fenced.opened(body))
    return of_text(body, Mark.CONCLUSION, content)._replace(shown=shown) if content else None


def _of_lines(body: str) -> Extraction | None:
    """A response of nothing but different values, one a line: all of them, as a hedge."""
    values = unmarked.lines_of_values(body)
    if len(values) < 2 or not unmarked.are_different(values):
        return None
    told = ", ".join(values)[:MAX_ANSWER]
    return Extraction(told, Mark.BARE, "hedge", told, body)
