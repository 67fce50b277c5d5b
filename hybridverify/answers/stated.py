"""Read what a response states in words: "the answer is ..", "Answer: ..", 答案是.. .

Separate from marks.py because words are weaker than marks: a label may be denied, asked about or left open, and
each of these must yield nothing rather than a number that happened to stand near.
"""

from __future__ import annotations

from itertools import islice

from hybridverify.answers import conclusion_chinese
from hybridverify.answers.frame import denied_after, denied_before
from hybridverify.answers.hedged_label import is_doubted, is_later_part
from hybridverify.answers.labels import copula_after, has_label, is_english, is_unsure, labels, opens_line
from hybridverify.answers.predicates import NOTHING, Stated, sentence_from, statement_from, subject_of
from hybridverify.answers.retraction import reopened
from hybridverify.answers.sentences import sentence_end
from hybridverify.language import claims
from hybridverify.language import expressions as re
from hybridverify.language.denials import NOT
from hybridverify.language.endings import without_ending
from hybridverify.language.languages import RIGHT_ANSWER
from hybridverify.language.lexicon import entries
from hybridverify.language.lexicon.phrases import phrases
from hybridverify.language.patterns import ENUMERATED, ITEM
from hybridverify.language.text import flat_words
from hybridverify.language.wrapping import unwrap

MAX_LABELS = 200
"""How many labels are tried from the end; a text of thousands of empty labels states nothing."""
_HEADING_END = re.compile(
    r"s?(?:[ \t]*[*_#:：]*[ \t]*\r?\n|[\s*_]{0,4}[-–—]?[\s*_]{0,4}(?=[\d$(\\\[+-]|[A-J](?![A-Za-z])))"
)
"""The end of its line, or the sign of a value."""
_BEFORE_LABEL = phrases("phrases", "being_the", before=r"\s", after=r"\s$")
_RIGHT = "|".join(RIGHT_ANSWER)
_BEFORE_FOREIGN = phrases(
    "announcing", "copula", before=r"\s", after=rf"\s(?:(?:[^\W\d_]{{1,3}}|(?:{_RIGHT})[^\W\d_]*)\s){{0,3}}$"
)
_MAX_ENDING = 4
_MAX_ROWS = 200
_REMARKS = frozenset(entries("english", "remark"))
_POINTING = ("", "this", "that", "it", "which", "these", "those", "here", "below", "above", "what")
"""Subjects that stand for what was said elsewhere."""
_CLAUSE = phrases("phrases", "subordinate")
_SUBJECT = phrases("phrases", "subject", after=r"\s")


def last_stated(body: str) -> str:
    """The text of the last statement; "" where there is none, or it is taken back.

    >>> last_stated("Let me know if the answer is 6 for you. **Answer:** 5 apples. I hope it helps.")
    '5 apples'
    >>> last_stated("故答案为：12。"), last_stated("The answer is not 7.")
    ('12', '')
    """
    return last_statement(body).text


def last_statement(body: str) -> Stated:
    """What the last label with something after it announces, and where that ends in the text."""
    for root, at in islice(labels(body), MAX_LABELS):
        told = _announced(body, root, at)
        if told is None:
            return NOTHING  # what was said before it had been given up already
        if told.text:
            return told
    return NOTHING


def begins_with_statement(line: str) -> str:
    """What a line states that begins with a label and says nothing more, "" for any other line.

    >>> begins_with_statement("**Final answer:** 7"), begins_with_statement("So the answer is 7")
    ('7', '')
    """
    label = next(labels(line), None)
    if label is None or not opens_line(line[: label[1]]) or "step" in line[: label[1]].lower():
        return ""
    told = _announced(line, *label)
    return told.text if told and not any(map(str.isalnum, line[told.end :])) else ""


def _announced(body: str, root: str, start: int) -> Stated | None:
    """What the label `root` at `start` announces; None for what is taken back at once."""
    line = max(body.rfind("\n", 0, start) + 1, start - 200)
    before = body[line:start]
    if is_doubted(before):
        return NOTHING
    end = start + len(root)
    if root[-1] in ".:：":
        return statement_from(body, end)
    after = copula_after(body, root, end)
    if after:
        later = is_later_part(before) or is_later_part(after.group())
        if later and has_label(body[:start], root):
            return None  # the parts before a later one were answered as well
        return _after_copula(body, after)
    if opens_line(before) and (value := _after_heading(body, end)) >= 0:
        return statement_from(body, value)
    return _said_of(before, end) if is_english(root) else _foreign_said(body, before, end)


def _after_copula(body: str, after: re.Match[str]) -> Stated | None:
    """What stands after "answer is", which may be denied, or a list below."""
    below = "\n" in after.group()
    if below and (_is_item(body, after.end()) or _is_first_row(body, after.end())):
        return None
    if is_unsure(after) or denied_before(body, after.end()):
        return NOTHING
    return statement_from(body, after.end())


def _is_item(body: str, at: int) -> bool:
    """Whether an item of a list begins here."""
    opens = body[:at].rstrip(" \t").endswith("\n")
    return bool(ENUMERATED.match(body, at)) or (opens and ITEM.match(body, at) is not None)


def _said_of(before: str, end: int) -> Stated:
    """What the words before a label are said to be the answer: "X is the answer"."""
    left = _BEFORE_LABEL.search(before)
    subject = subject_of(before[: left.start()]) if left else ""
    return NOTHING if subject.lower() in _POINTING else Stated(subject, end)


def _foreign_said(body: str, before: str, end: int) -> Stated:
    """The same in other languages: "42 es la respuesta"; and with the copula at the end: "उत्तर बयालीस है"."""
    left = _BEFORE_FOREIGN.search(before)
    if left:
        subject = subject_of(before[: left.start()]).rstrip(" —–-")
        stands = _ends_sentence(body, end) and NOT.isdisjoint(left[0].lower().split())
        return Stated(subject, end) if stands and not denied_before(before, left.start()) else NOTHING
    stop = sentence_end(body, end)
    told = body[end:stop]
    content = without_ending(told)
    if told[:1] != " " or content == told or denied_after(content, len(content)):
        return NOTHING
    return Stated(content.strip(), stop)


def _ends_sentence(body: str, end: int) -> bool:
    """Whether a label in another language ends its sentence, but for its ending and a word such as "correcta"."""
    ending, _, praise = body[end : sentence_end(body, end)].rstrip(" .!*").partition(" ")
    praised = not praise or (praise.isalpha() and praise.lower().startswith(RIGHT_ANSWER))
    return len(ending) <= _MAX_ENDING and praised


def _after_heading(body: str, end: int) -> int:
    """Where the value of a label that is a line of its own begins, -1 where it is none or a list follows."""
    heading = _HEADING_END.match(body, end)
    if not heading or _is_item(body, heading.end()) or _is_first_row(body, heading.end()):
        return -1
    return heading.end()


def _is_first_row(body: str, at: int) -> bool:
    """Whether rows of names begin here: all lines up to a blank one are as short as the first, and no sentences."""
    first, *below = body[at : at + _MAX_ROWS].partition("\n\n")[0].rstrip().split("\n")
    rows = [row for row in below if row.strip().lower() not in _REMARKS]
    plain = all(row.replace(" ", "").isalnum() for row in (first, *rows))
    short = all(len(row) > 1 and len(row.split()) <= len(first.split()) for row in (first, *rows))
    return plain and short and any(row != first for row in rows)


def strip_label(answer: str) -> str:
    r"""An answer that is a sentence ("the answer is 8", "The area is 5") without its beginning.

    >>> strip_label("The answer is 8"), strip_label(r"\text{The area is }5"), strip_label("The answer is not 8")
    ('8', '5', 'The answer is not 8')
    """
    if not answer.isascii() and "\n" not in answer[:300]:
        answer = conclusion_chinese.predicate(answer)
    if not _may_be_sentence(answer):
        return answer
    plain = flat_words(answer) if "\\" in answer else answer
    told = last_statement(plain)
    if told.text and reopened(plain[told.end :].lower()) >= 0:
        return answer
    said = told.text or _predicate(plain)
    return (unwrap(said) if said else "") or answer


def _may_be_sentence(answer: str) -> bool:
    """Whether it is one line of several words."""
    return len(answer) <= 300 and "\n" not in answer and answer.split() != [answer]


def _predicate(sentence: str) -> str:
    """What one sentence says its subject is, "" where it denies something or more follows."""
    if not _SUBJECT.match(sentence) or claims.is_denial(sentence):
        return ""
    claim = claims.first_claim(sentence)
    if claim is None or _CLAUSE.search(claim.subject):
        return ""
    if sentence_end(sentence, claim.start) < len(sentence.rstrip(". ")):
        return ""
    return sentence_from(sentence, claim.start)
