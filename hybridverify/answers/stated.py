"""Read what a response states in words: "the answer is ..", "Answer: ..", 答案是.. .

Separate from marks.py because words are weaker than marks: a label may be denied, asked about or left open, and
each of these must yield nothing rather than a number that happened to stand near.
"""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from hybridverify.answers import conclusion_chinese
from hybridverify.answers.frame import denied_after, denied_before
from hybridverify.answers.hedged_label import is_doubted, is_later_part
from hybridverify.answers.retraction import TAKEN_BACK, reopened
from hybridverify.answers.sentences import SENTENCES, is_left_open, sentence_end
from hybridverify.language import claims
from hybridverify.language import expressions as re
from hybridverify.language.denials import NOT
from hybridverify.language.endings import without_ending
from hybridverify.language.languages import ANSWER_ROOTS, CONCLUSIONS, COPULAS, RIGHT_ANSWER
from hybridverify.language.lexicon.phrases import phrases
from hybridverify.language.patterns import ENUMERATED, NO_ELEMENTS
from hybridverify.language.text import flat_words
from hybridverify.language.wrapping import unwrap

MAX_LABELS = 200
"""How many labels are tried from the end; a text of thousands of empty labels states nothing."""

_SIGN = r"[:：=]|=>|-{1,2}>|→|⇒"
_ENGLISH_COPULA = (
    r"(?:(?:(?:should|would|must|will|can only|has to|turns out to) be|comes? out (?:to be|as|to)"
    rf"|is|are|was|were|equals|becomes)(?![^\W_])(?!\s+n[o']t\b)|{_SIGN})"
)
_ENGLISH_ASIDE = (
    r"(?:[ \t]*\([^()\n]{0,40}\))?"
    r"(?:,?[ ](?:to|for|of|in|here|then|therefore|thus|hence|below|option|choice|we)\b[^.:：=\n]{0,60}?)?"
)
_FOREIGN_COPULA = rf"(?:(?:{'|'.join(COPULAS)})(?![^\W_])|{_SIGN}|等于|是|为|為|は|는|은|가)"
_FOREIGN_ASIDE = (  # an ending, and "final" or "correct" after the noun; "may be" states nothing
    r"(?![^\d\n]{0,8}(?:可能(?!的)|也许|也許|或许|或許|大概|恐怕|たぶん|おそらく|아마))[^\s\d:：=.,;!?*_()\[\]{}$\\不非没未]{0,8}?"
    r"(?:[ ](?:final\w?|correct\w?|corretta|définitive|[^\W\d_a-z]{2,12})){0,2}"
)
_GAP = r"[\s*_\")\]】」~]{0,6}"
_AFTER = r"[\s:：*_]{0,8}(?:(?:therefore|thus|then|hence|simply|just|indeed)\s)?"
_AFTER_ENGLISH = re.compile(rf"s?(?![^\W_]){_ENGLISH_ASIDE}{_GAP}{_ENGLISH_COPULA}{_AFTER}", re.IGNORECASE)
_AFTER_FOREIGN = re.compile(rf"{_FOREIGN_ASIDE}{_GAP}{_FOREIGN_COPULA}{_AFTER}", re.IGNORECASE)
_CHOICE_ROOTS = (
    "final choice", "my choice", "correct choice", "final option", "selected option", "option selected",
    "chosen option", "correct option",
)  # fmt: skip
_ENGLISH_ROOTS = ("answer", "ans.", "ans:", *_CHOICE_ROOTS)
ROOTS = (*_ENGLISH_ROOTS, *ANSWER_ROOTS)
_USUAL_ROOTS = tuple(root for root in ROOTS if root not in _CHOICE_ROOTS)
_ASCII_ROOTS = tuple(filter(str.isascii, _USUAL_ROOTS))
_HEADING_END = re.compile(
    r"s?(?:[ \t]*[*_#:：]*[ \t]*\r?\n|[\s*_]{0,4}[-–—]?[\s*_]{0,4}(?=[\d$(\\\[+-]|[A-J](?![A-Za-z])))"
)
"""The end of its line, or the sign of a value."""
_LINE_START = re.compile(
    r"[\s#>*_.\-\d]*(?:step \d+:?\s*)?(?:(?:the|my|final|correct)[\s*_]+){0,3}$", re.IGNORECASE
)
_BEFORE_LABEL = phrases("phrases", "being_the", before=r"\s", after=r"\s$")
_RIGHT = "|".join(RIGHT_ANSWER)
_BEFORE_FOREIGN = re.compile(
    rf"\s(?:{'|'.join(map(re.escape, COPULAS))})\s(?:(?:[^\W\d_]{{1,3}}|(?:{_RIGHT})[^\W\d_]*)\s){{0,3}}$",
    re.IGNORECASE,
)
_ENDS_FOREIGN = re.compile(
    rf"[^\W\d_]{{0,4}}(?:\s(?:{_RIGHT})[^\W\d_]*)?[\s.!*]*(?:\Z|\n|[.!]\s)", re.IGNORECASE
)
_LISTS, _MAX_LIST = ('["', "['"), 600
"""How a list of quoted texts begins, and its most characters."""
_POINTING = ("", "this", "that", "it", "which", "these", "those", "here", "below", "above", "what")
"""Subjects that stand for what was said elsewhere."""
_DENIED = phrases("phrases", "denied", before=r"[\s*_]*")
_BULLET = re.compile(r"(?<=\n)\s*[-*•–][ \t]+\S")
_ADVERBS = re.compile(
    r"(?:therefore|thus|hence|then|simply|just|indeed|exactly|now)\s(?=[\d$\\(*-])", re.IGNORECASE
)
_NOTHING_SIGNS = frozenset("∅∄∞")
_CHATTER = re.compile(
    r"(?:[,，]\s?|\s)(?:because|since|which (?:is|means|was))\b.*"
    r"|,\s?as (?:required|desired|needed|expected|claimed|wanted|stated)\b.*"
    r"|,\s(?:and )?not\s(?:\$?\\?\$?-?[\w.,\\{}^/()=+*-]{1,30}\$?)$"
    r"|\s\((?:since|because|as|not)\s[^()]{1,120}\)$|\s\([^()]{1,60}\b(?:was|were|is|fails?)\b[^()]{0,60}\)$"
    r"|[,，](?:因|所以|即|也就|而|故).*",
    re.DOTALL,
)
CONCLUDING = re.compile(
    r"[\s*_>#-]*(?:step \d+:?\s*)?(?:and\s|但)?(?:"
    + "|".join(sorted(map(re.escape, CONCLUSIONS), key=len, reverse=True))
    + r")",
    re.IGNORECASE,
)
_CLAUSE = phrases("phrases", "subordinate")
_SUBJECT = phrases("phrases", "subject", after=r"\s")


class Stated(NamedTuple):
    """What a label announces, and where its sentence ends in the text."""

    text: str
    end: int


_NOTHING = Stated("", 0)


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
    low = _lower(body)
    roots = _ASCII_ROOTS if low.isascii() else _USUAL_ROOTS
    if "choice" in low or "option" in low:
        roots += _CHOICE_ROOTS
    for root, at in itertools.islice(_labels_from_end(low, roots), MAX_LABELS):
        told = _announced(body, root, at) if _is_word_start(low, at) else _NOTHING
        if told is None:
            return _NOTHING  # what was said before it had been given up already
        if told.text:
            return told
    return _NOTHING


def _labels_from_end(low: str, roots: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Where labels stand, the last one first; of several that end together the longest."""
    places = {root: at for root in roots if (at := low.rfind(root)) >= 0}
    while places:
        root, at = max(places.items(), key=lambda item: (item[1] + len(item[0]), len(item[0])))
        yield root, at
        places[root] = low.rfind(root, 0, at + len(root) - 1)
        if places[root] < 0:
            del places[root]


def _lower(text: str) -> str:
    low = text.lower()
    return low if len(low) == len(text) else "".join(c if len(c.lower()) != 1 else c.lower() for c in text)


def _is_word_start(low: str, at: int) -> bool:
    return at == 0 or not (low[at].isascii() and low[at - 1].isalpha())


def _announced(body: str, root: str, start: int) -> Stated | None:
    """What the label `root` at `start` announces; None for what is taken back at once."""
    line = max(body.rfind("\n", 0, start) + 1, start - 200)
    before = body[line:start]
    if is_doubted(before):
        return _NOTHING
    end = start + len(root)
    if root[-1] in ".:：":
        return _sentence(body, end)
    english = root in _ENGLISH_ROOTS
    after = (_AFTER_ENGLISH if english else _AFTER_FOREIGN).match(body, end)
    if after:
        later = is_later_part(before) or is_later_part(after.group())
        if later and _has_label(body[:start], root):
            return None  # the parts before a later one were answered as well
        return _after_copula(body, after)
    if _LINE_START.match(before) and (value := _after_heading(body, end)) >= 0:
        return _sentence(body, value)
    return _said_before(body, before, end, english)


def _after_copula(body: str, after: re.Match[str]) -> Stated | None:
    """What stands after "answer is", which may be denied, or a list below."""
    below = "\n" in after.group()
    listed = below and (ENUMERATED.match(body, after.end()) or _BULLET.match(body, after.end()))
    if listed:
        return None
    return _NOTHING if denied_before(body, after.end()) else _sentence(body, after.end())


def _said_before(body: str, before: str, end: int, english: bool) -> Stated:
    return _said_of(before, end) if english else _foreign_said(body, before, end)


def _said_of(before: str, end: int) -> Stated:
    """What the words before a label are said to be the answer: "X is the answer"."""
    left = _BEFORE_LABEL.search(before)
    subject = subject_of(before[: left.start()]) if left else ""
    return _NOTHING if subject.lower() in _POINTING else Stated(subject, end)


def _foreign_said(body: str, before: str, end: int) -> Stated:
    """The same in other languages: "42 es la respuesta"; and with the copula at the end: "उत्तर बयालीस है"."""
    left = _BEFORE_FOREIGN.search(before)
    if left:
        subject = subject_of(before[: left.start()]).rstrip(" —–-")
        stands = _ENDS_FOREIGN.match(body, end) and NOT.isdisjoint(left[0].lower().split())
        return Stated(subject, end) if stands and not denied_before(before, left.start()) else _NOTHING
    stop = sentence_end(body, end)
    told = body[end:stop]
    content = without_ending(told)
    if told[:1] != " " or content == told or denied_after(content, len(content)):
        return _NOTHING
    return Stated(content.strip(), stop)


def _after_heading(body: str, end: int) -> int:
    """Where the value of a label that is a line of its own begins, -1 where it is none or a list follows."""
    heading = _HEADING_END.match(body, end)
    listed = heading and (ENUMERATED.match(body, heading.end()) or _BULLET.match(body, heading.end()))
    return heading.end() if heading and not listed else -1


def _has_label(text: str, root: str) -> bool:
    at = _lower(text).rfind(root)
    return at >= 0 and _AFTER_ENGLISH.match(text, at + len(root)) is not None


def subject_of(text: str) -> str:
    """The subject of "X is the answer": the last sentence, without its "therefore"."""
    last = SENTENCES.split(text)[-1]
    opening = CONCLUDING.match(last)
    return last[opening.end() if opening else 0 :].strip(" ,*_")


def sentence_from(body: str, start: int) -> str:
    """From `start` to the end of the sentence or line; "" for what is denied, taken back or blank."""
    told = _sentence(body, start)
    return told.text if told else ""


def _sentence(body: str, start: int) -> Stated | None:
    """`sentence_from`, with None for what is taken back at once."""
    while start < len(body) and body[start].isspace():
        start += 1
    end = max(sentence_end(body, start), _list_end(body, start))
    content = body[start:end]
    if TAKEN_BACK.match(body, end) or is_left_open(content, body, end):
        return None
    if _DENIED.match(content) or not _says_something(content):
        return _NOTHING
    content = content.removeprefix("}")  # "\\text{Answer: } 7"
    content = _ADVERBS.sub("", content, count=1) if content[:1].isalpha() else content
    content = (_CHATTER.sub("", content, count=1) or content).strip()
    return Stated(without_ending(content), end)


def _list_end(body: str, start: int) -> int:
    """The end of a list of quoted texts that begins here, whatever stops these have; 0 where none does."""
    if not body.startswith(_LISTS, start):
        return 0
    return body.find("]", start, start + _MAX_LIST) + 1


def _says_something(content: str) -> bool:
    return any(map(str.isalnum, content)) or not _NOTHING_SIGNS.isdisjoint(content) or _is_sign(content)


def _is_sign(content: str) -> bool:
    """One sign that is no markup: "○", "+", "{}"."""
    if NO_ELEMENTS.search(content):
        return True
    bare = content.strip("*_$ .\t")
    return len(bare) == 1 and (
        bare in "-/%&#@" or (unicodedata.category(bare)[0] == "S" and bare not in "`^~|$")
    )


def strip_label(answer: str) -> str:
    r"""An answer that is a sentence ("the answer is 8", "The area is 5") without its beginning.

    >>> strip_label("The answer is 8"), strip_label(r"\text{The area is }5"), strip_label("The answer is not 8")
    ('8', '5', 'The answer is not 8')
    """
    if not answer.isascii() and "\n" not in answer[:300]:
        answer = conclusion_chinese.predicate(answer)
    if len(answer) > 300 or "\n" in answer or answer.split() == [answer]:
        return answer
    plain = flat_words(answer)
    told = last_statement(plain)
    if told.text and reopened(plain[told.end :].lower()) >= 0:
        return answer
    return unwrap(told.text or _predicate(plain)) or answer


def _predicate(sentence: str) -> str:
    """What one sentence says its subject is, "" where it denies something or more follows."""
    if claims.is_denial(sentence) or not _SUBJECT.match(sentence):
        return ""
    claim = claims.first_claim(sentence)
    if claim is None or _CLAUSE.search(claim.subject):
        return ""
    if sentence_end(sentence, claim.start) < len(sentence.rstrip(". ")):
        return ""
    return sentence_from(sentence, claim.start)
