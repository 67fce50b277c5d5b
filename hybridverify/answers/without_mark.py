"""The answer of a response that marks none: a stated sentence, a response of one line, or a closing sentence.

Separate from extract.py, which looks for marks first, because words and lines are weaker than any mark.
"""

from __future__ import annotations

from functools import lru_cache

from hybridverify.answers import (
    closing_line,
    conclusion,
    fenced,
    foreign_value,
    one_value,
    printed,
    stated,
    unmarked,
)
from hybridverify.answers.extraction import (
    MAX_SHOWN,
    Extraction,
    Mark,
    last_paragraph,
    of_text,
    unless_overruled,
)
from hybridverify.answers.labels import is_label_alone
from hybridverify.answers.sentences import SENTENCES
from hybridverify.language import claims
from hybridverify.language.asked import read_question
from hybridverify.language.braces import MAX_ANSWER
from hybridverify.language.languages import FUNCTION_WORDS
from hybridverify.language.lexicon import entries
from hybridverify.language.lexicon.phrases import phrases
from hybridverify.language.patterns import COMMAND, DIGIT, FORMULA, LONG_WORD, WORD
from hybridverify.language.text import NUMERAL

_EXPLAINED = phrases("phrases", "explained")
"""How the reasons begin that stand below an answer."""
_MAX_LINE, _MAX_BOLD = 200, 80
_OTHER_MARKS = ("\\fbox", "\\framebox", "\\boxed", "####", "<answer>", "</answer>")
_MAX_SENTENCES = 20
_OPERATORS = frozenset("+-−–*/×·÷")
_PROSE = 3
"""So many words around a formula are a sentence about it."""
_MAX_WORDS = 4
_REMARK = frozenset(entries("english", "remark"))
_DOUBTS = claims.DENIED | claims.kinds("refuted unsure believed modal supposed contrast or several asked")
_ENDS = tuple(".!")
_OPENERS = ("`", "{", "<")


def without_mark(body: str, form: str, question: str) -> Extraction:
    """A stated sentence, a response of one line, or a closing sentence; in fixed forms only a bare line."""
    if body[:1] in _OPENERS and (told := _in_one_form(body)):
        return told
    one_line = "\n" not in body
    shown = body[-MAX_SHOWN:] if one_line else last_paragraph(body)
    bare = _bare_line(body) if one_line else _of_lines(body)
    if bare:
        return _spoken(bare, question) if form == "auto" else bare
    if form in ("boxed", "hash"):
        return Extraction("", Mark.NONE, "no_answer", shown, body)
    opened = fenced.opened(body) if body.endswith("```") else body
    return _said(body, opened, form, question) or _closing(body, opened, form, shown, question)


def _in_one_form(body: str) -> Extraction | None:
    """What a response answers that is all of it a fence, an element or JSON."""
    told = fenced.told(body)
    if told is not None:
        return of_text(body, Mark.BARE, told)
    if fenced.tells_several(body):
        return Extraction("", Mark.NONE, "not_alone", body[-MAX_SHOWN:], body)
    return None


def _closing(body: str, opened: str, form: str, shown: str, question: str) -> Extraction:
    """A closing sentence, or a response of one line. `opened` is the body without a fence at its end."""
    if printed.OUTPUT in body and (printed_value := printed.answer(body, question)):
        return of_text(body, Mark.STATED, printed_value)._replace(shown=shown)
    if form != "choice" and (earlier := _before_remark(body, form, question)):
        return earlier
    if closing := _concluded(body, opened, shown):
        return _spoken(closing, question)
    if value := closing_line.value_of(opened) or _of_last_sentence(shown, question):
        return of_text(body, Mark.CONCLUSION, value)._replace(shown=shown)
    if "\n" not in body:
        return _spoken(of_text(body, Mark.BARE, body)._replace(shown=shown), question)
    return Extraction("", Mark.NONE, "no_answer" if form == "choice" else "", shown, body)


@lru_cache(maxsize=4)  # a response of one line is read as a closing sentence, and then as a line
def _of_last_sentence(paragraph: str, question: str) -> str:
    """The value of the last of several sentences, where it answers the question and no other sentence does so."""
    if not question:
        return ""
    sentences = [part for part in SENTENCES.split(paragraph) if any(map(str.isalnum, part))]
    if not 1 < len(sentences) <= _MAX_SENTENCES or not DIGIT.search(sentences[-1]):
        return ""
    told = _of_sentence(sentences[-1], question)
    others = {_of_sentence(one, question) for one in sentences[:-1]} if told else set()
    return told if others <= {told, ""} else ""


def _of_sentence(said: str, question: str) -> str:
    told = _without_steps(said) if " = " in said else said
    return one_value.value_of(told, question) or foreign_value.value_of(told, question)


def _without_steps(sentence: str) -> str:
    """ "She has 9 + 8 = 17 pens." as "She has 17 pens.", the sentence itself where no one sum stands in it."""
    before, _, after = sentence.partition(" = ")
    words = before.split(" ")
    steps = next((at for at, word in enumerate(reversed(words)) if not _is_step(word)), len(words))
    kept = words[: len(words) - steps]
    return " ".join([*kept, after]) if steps > 2 and "=" not in after else sentence


def _is_step(word: str) -> bool:
    return word in _OPERATORS or NUMERAL.fullmatch(word) is not None


def _before_remark(body: str, form: str, question: str) -> Extraction | None:
    """The conclusion of the last paragraph but one, where the last says nothing: "QED", "I hope this helps!". After a
    label that nothing follows ("Final answer:") the response was cut off: what it would have said is open."""
    above, _, remark = body.rpartition("\n\n")
    if above and is_label_alone(remark):
        return Extraction("", Mark.NONE, "", last_paragraph(above.rstrip()), body)
    if not above or not is_remark(remark):
        return None
    above = above.rstrip()
    found = _closing(above, above, form, last_paragraph(above), question)
    if found.mark is not Mark.CONCLUSION:
        return None
    return unless_overruled(found._replace(body=body), form, body, len(above), question)


def is_remark(text: str) -> bool:
    """Whether a text says nothing of the answer and is whole.

    >>> is_remark("QED"), is_remark("I hope this helps!"), is_remark("So that is not the answer."), is_remark("Answer:")
    (True, True, False, False)
    """
    said = WORD.findall(text.lower().replace("'s", "")) if len(text) <= _MAX_LINE else []
    if _REMARK.isdisjoint(said) or not _REMARK.union(FUNCTION_WORDS).issuperset(said) or DIGIT.search(text):
        return False
    whole = "q" in said[0] or text.rstrip(" *)")[-1:] in _ENDS
    return whole and COMMAND.search(text) is None and not claims.holds(text, _DOUBTS)


def _bare_line(body: str) -> Extraction | None:
    """A response of one line that is an answer and no prose."""
    line = _without_bold(body)
    if not is_bare(line):
        return None
    content = (conclusion.conclusion(body) or closing_line.value_of(body)) if conclusion.opens(body) else ""
    return of_text(body, Mark.CONCLUSION if content else Mark.BARE, content or line)


def is_bare(line: str) -> bool:
    """True for a line that is an answer and no prose. Tasks that fix a mark accept such a line without it.

    >>> is_bare("7"), is_bare("x = 5 cm"), is_bare("The total is 7"), is_bare("I think that it must be 7")
    (True, True, False, False)
    """
    if len(line) <= _MAX_LINE and NUMERAL.fullmatch(line):
        return True
    if len(line) > _MAX_LINE or any(map(line.lower().__contains__, _OTHER_MARKS)):
        return False
    if claims.COPULA.search(line) or stated.last_stated(line):
        return False
    words = _count_words(line)
    if words > 1 and line.count("$") > 1:
        return _count_words(FORMULA.sub(" ", line)) < _PROSE
    return words <= _MAX_WORDS


def _count_words(text: str) -> int:
    return len(LONG_WORD.findall(COMMAND.sub(" ", text)))


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
        found = _spoken(of_text(body, Mark.STATED, last.text), question)
        return unless_overruled(found, form, opened, last.end, question)
    first, _, rest = body.partition("\n")
    if len(first) <= _MAX_LINE and _EXPLAINED.match(rest.lstrip(" \t\n*_#")) and is_bare(first):
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


def _spoken(found: Extraction, question: str) -> Extraction:
    """The one value of an answer that is a sentence."""
    if found.problem or _is_no_sentence(found):
        return found
    whole = found.mark in (Mark.BARE, Mark.CONCLUSION) and "\n" not in found.body
    said = found.body if whole else found.answer
    if value := _one_value(said, question):
        # The value alone, and one sentence that says no more than how many there are, is an answer.
        alone = whole and found.mark is Mark.BARE and (value == said or read_question(question).number)
        return found._replace(answer=value, mark=Mark.BARE if alone else Mark.CONCLUSION)
    last = _of_last_sentence(said, question) if whole else ""
    return found._replace(answer=last, mark=Mark.CONCLUSION) if last else found


def _one_value(said: str, question: str) -> str:
    """The value of a sentence, in figures or in words."""
    if DIGIT.search(said):
        return _of_sentence(said, question)
    return one_value.value_of(said, question) if _has_number_word(said) else ""


def _is_no_sentence(found: Extraction) -> bool:
    if " " not in found.answer and found.answer.isascii():
        return True
    return found.mark is Mark.STATED and found.answer[0].isdigit()


def _has_number_word(said: str) -> bool:
    """A quick look at a text without digits."""
    if len(said) > one_value.MAX_TEXT:
        return False
    return not one_value.SPOKEN_WORDS.isdisjoint(WORD.findall(said.replace("*", "").lower()))
