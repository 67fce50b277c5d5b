"""The answer of a response that marks none: a stated sentence, a response of one line, or a closing sentence.

Separate from unmarked.py, which says what a line is, because here one of these readings is chosen.
"""

from __future__ import annotations

from hybridverify.answers import closing_line, conclusion, fenced, printed, stated, unmarked
from hybridverify.answers.extraction import (
    MAX_SHOWN,
    Extraction,
    Mark,
    last_paragraph,
    of_text,
    unless_overruled,
)
from hybridverify.answers.inside import spoken
from hybridverify.language.braces import MAX_ANSWER
from hybridverify.language.lexicon.phrases import phrases

_EXPLAINED = phrases("phrases", "explained")
"""How the reasons begin that stand below an answer."""
_MAX_LINE, _MAX_BOLD = 200, 80


def without_mark(body: str, form: str, question: str) -> Extraction:
    """A stated sentence, a response of one line, or a closing sentence; in fixed forms only a bare line."""
    told = fenced.told(body) if body[:1] in ("`", "{", "<") else None
    if told is not None:
        return of_text(body, Mark.BARE, told)
    one_line = "\n" not in body
    shown = body[-MAX_SHOWN:] if one_line else last_paragraph(body)
    bare = _bare_line(body) if one_line else _of_lines(body)
    if bare:
        return spoken(bare, question) if form == "auto" else bare
    if form in ("boxed", "hash"):
        return Extraction("", Mark.NONE, "no_answer", shown, body)
    opened = fenced.opened(body) if body.endswith("```") else body
    return _said(body, opened, form, question) or _closing(body, opened, form, shown, question)


def _closing(body: str, opened: str, form: str, shown: str, question: str) -> Extraction:
    """A closing sentence, or a response of one line. `opened` is the body without a fence at its end."""
    if printed.OUTPUT in body and (printed_value := printed.answer(body, question)):
        return of_text(body, Mark.STATED, printed_value)._replace(shown=shown)
    if closing := _concluded(body, opened, shown):
        return spoken(closing, question)
    if value := closing_line.value_of(opened):
        return of_text(body, Mark.CONCLUSION, value)._replace(shown=shown)
    if "\n" not in body:
        return spoken(of_text(body, Mark.BARE, body)._replace(shown=shown), question)
    return Extraction("", Mark.NONE, "no_answer" if form == "choice" else "", shown, body)


def _bare_line(body: str) -> Extraction | None:
    """A response of one line that is an answer and no prose."""
    line = _without_bold(body)
    if not unmarked.is_bare(line):
        return None
    content = (conclusion.conclusion(body) or closing_line.value_of(body)) if conclusion.opens(body) else ""
    return of_text(body, Mark.CONCLUSION if content else Mark.BARE, content or line)


def _without_bold(line: str) -> str:
    """ "x = **5**" without its bold marks."""
    bold = line.rstrip(". ")
    name, opening, value = bold[:-2].rpartition("**") if bold.endswith("**") else ("", "", "")
    announced = name.rstrip().endswith(("=", ":", "≈")) and 0 < len(value) <= _MAX_BOLD and "*" not in value
    return name + value if opening and announced else line


def _said(body: str, opened: str, form: str, question: str) -> Extraction | None:
    """A stated sentence, or an answer on the first line with its reasons below."""
    last = stated.last_statement(opened)
    if last.text:
        found = spoken(of_text(body, Mark.STATED, last.text), question)
        return unless_overruled(found, form, opened, last.end, question)
    first, _, rest = body.partition("\n")
    if len(first) <= _MAX_LINE and _EXPLAINED.match(rest.lstrip(" \t\n*_#")) and unmarked.is_bare(first):
        return of_text(body, Mark.BARE, first)
    return None


def _concluded(body: str, opened: str, shown: str) -> Extraction | None:
    content = conclusion.conclusion(opened)
    return of_text(body, Mark.CONCLUSION, content)._replace(shown=shown) if content else None


def _of_lines(body: str) -> Extraction | None:
    """A response of nothing but different values, one a line: all of them, as a hedge."""
    values = unmarked.lines_of_values(body)
    if len(values) < 2 or not unmarked.are_different(values):
        return None
    told = ", ".join(values)[:MAX_ANSWER]
    return Extraction(told, Mark.BARE, "hedge", told, body)
