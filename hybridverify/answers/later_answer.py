r"""What stands after an answer and overrules it: a correction that leads elsewhere, or another answer.

`\boxed{4} ... I made an error above: it should be 5` and `\boxed{4} ... So the answer is 5` answer neither 4 nor 5
for sure. Separate from retraction.py, which reads the words right after an answer, because here all of the text is
read, and what it says is held against the answer: a check that comes back to it changes nothing.
"""

from __future__ import annotations

from hybridverify.answers import conclusion, stated
from hybridverify.answers.beside_mark import offers_another
from hybridverify.answers.conflict import (
    MAX_COMPARED,
    NUMBER,
    conflict,
    differ,
    is_only_denied,
    last_place,
    says,
)
from hybridverify.answers.later_line import gives_another
from hybridverify.answers.later_values import ends_on_another
from hybridverify.answers.retraction import given_up, reopened, takes_back
from hybridverify.answers.sentences import SENTENCES, sentences_of
from hybridverify.answers.usual_endings import IDLE_CUES
from hybridverify.language import claims
from hybridverify.language import expressions as re
from hybridverify.language.lexicon.phrases import beginnings
from hybridverify.language.number_words import number_cues, read_words
from hybridverify.language.patterns import COMMAND, LONG_WORD, WORD
from hybridverify.language.wrapping import unwrap
from hybridverify.maths import numerals

CLOSINGS = " .$*)}\\]\n"
"""What may close an answer; a text of nothing else overrules none."""
_MAX_AFTER = 4_000
"""How much of the text after an answer is read, at each end: beyond that nobody looks for its correction."""
_MAX_CLOSING = 400
_LISTING = "$,;"
_PAUSES = frozenset(",.:!;…—–，：、。")
_BEFORE_SENTENCE = " \t\n*" + "".join(_PAUSES)
_OPTION = re.compile(
    r"\b(?:correct|right|best) (?:option|choice) (?:is|would be|should be):?[\s*$]{1,4}[(\[]?([A-J])(?![\w'])"
    r"|\boption [(\[]?([A-J])[)\]]? is (?:the )?(?:correct|right|best)\b"
)
_MAX_REMARK = 120
_UNSURE = claims.kinds("not contracted supposed tried modal")
_SET_OFF = (".", "!", "\n", "<", "")
_ENDS_ON_VALUE = re.compile(
    r"(?:[^\W\d_]+[\s,;:']{1,2}){0,6}?(?:it|there|answer|value|result|total|sum|final|solution|update|better|precisely"
    r"|exact|i|we|so)\b[\s,:']{0,2}(?:(?:is|s|are|be|should|will|would|must|have|get|choose|say|said|go)\s{1,2}){0,3}"
    r"(?:with |to )?[*$\\(]{0,4}(-?\d[\d,]*(?:\.\d+)?|\\frac\{\d+\}\{\d+\})(?: (?!am|pm)[a-z]+)?[.!*$)\s]*"
)
_ONLY_NO = ("", "no", "nope")
_UNFINISHED = 60
_ENDS = frozenset(".!?…)]}$*。！？")
_NAME = 3
_SHORT = 8
"""So many words after a "wait" are an answer in words; more are a remark."""
_COMES_TO = re.compile(
    r"[\s$\\)\]}]{0,6}=[\s$\\({]{0,4}(-?\d[\d,]*(?:\.\d+)?)(?![\d.,]*\d)(?!\s{0,3}(?:[-+*/^!%:]|\\(?:[a-z]+|%)))"
)
_OPERATIONS = frozenset(("frac", "dfrac", "tfrac", "times", "cdot", "div", "left", "right"))
_ARITHMETIC = frozenset("0123456789 .,+*/(){}-")
_MAX_SUM, _MAX_UNIT, _MAX_SIGNS, _SUBJECT = 200, 2, 4, 40
_LEAST_SAID = 2


def overrules(answer: str, text: str) -> bool:
    """Whether `text`, which follows an answer, leaves it open which answer stands.

    >>> overrules("4", "I take that back, it is 5."), overrules("4", "Let me recount. 1 + 3 = 4, as it was.")
    (True, False)
    >>> overrules("4", "So the answer is 5."), overrules("4", "So the answer is 4 apples.")
    (True, False)
    """
    if not any(map(str.isalnum, text)) or text.strip(CLOSINGS) == answer:
        return False
    if _comes_to_another(answer, text) or offers_another(answer, text):
        return True
    if _is_idle(text):
        return ends_on_another(answer, text)
    if len(text) > 2 * _MAX_AFTER:
        text = text[:_MAX_AFTER] + "\n" + text[-_MAX_AFTER:]
    if takes_back(answer, text) or _is_corrected(answer, text.lower()):
        return True
    return _leads_to_another(answer, text)


def _leads_to_another(answer: str, text: str) -> bool:
    """Whether the text states another answer, or closes on one."""
    later = stated.last_stated(text)
    if later == answer:
        return False
    told = conflict(answer, later) if later else _closes_on_another(answer, text)
    return told or ends_on_another(answer, text)


def corrected(answer: str, text: str) -> str:
    """The answer that a text states after it took the first one back in so many words, "" where one is left open.

    >>> corrected("4", ". Scratch that: the answer is 5."), corrected("4", " So the answer is 5.")
    ('5', '')
    """
    if len(text) > _MAX_REMARK or not takes_back(answer, text.lstrip(" \t\n.!$")):
        return ""
    told = stated.last_statement(text)
    if not told.text or any(map(str.isalnum, text[told.end :])) or says(answer, text) or "?" in text:
        return ""
    return told.text if numerals.read(unwrap(told.text)) else ""


def _comes_to_another(answer: str, text: str) -> bool:
    r"""`\boxed{9 - 4 + 2} = 6`: the answer is left to be worked out, and what it is said to come to is another."""
    told = _COMES_TO.match(text) if "=" in text else None
    if told is None or not _is_arithmetic(answer) or numerals.read(answer):
        return False
    return differ(answer, told[1])


def _is_arithmetic(answer: str) -> bool:
    """Whether there are only numbers and signs of arithmetic."""
    operations = {command.removeprefix("\\") for command in COMMAND.findall(answer)}
    bare = COMMAND.sub("", answer)
    return len(answer) <= _MAX_SUM and operations <= _OPERATIONS and _ARITHMETIC.issuperset(bare)


def _is_idle(text: str) -> bool:
    """The usual end, " dollars." or " years old.": one line without any word that something here looks for."""
    if len(text) > MAX_COMPARED or not text.isascii() or "\n" in text.strip():
        return False
    if text[:1] == "\n" and any(map(str.isdigit, text)):
        return False  # a line of its own
    begun = beginnings(text.lower())
    if len(begun) < _LEAST_SAID and any(map(str.isdigit, text)):
        return False  # "$5"
    if not begun.isdisjoint(number_cues()) and read_words(text.strip(" .$*")):
        return False  # "five"
    return begun.isdisjoint(IDLE_CUES)


def _is_corrected(answer: str, text: str) -> bool:
    value = answer.strip(" .$*").lower()
    if is_only_denied(value, text) or _is_replaced(value, text):
        return True
    end = given_up(text)
    if end >= 0 and not _ends_on(value, text[end:]):
        return True
    end = reopened(text)
    return end >= 0 and _leads_elsewhere(value, text[end:])


def _is_replaced(value: str, text: str) -> bool:
    """Whether a short text ends on another number ("With the corner it is 5.")."""
    if not any(map(str.isdigit, value)) or not any(map(str.isdigit, text)):
        return False
    other = _asserted_value(text)
    return other != "" and not says(value, text) and differ(value, other)


def _asserted_value(text: str) -> str:
    """The number on which a short text of its own sentences ends without any doubt."""
    last = SENTENCES.split(text.strip(" .$*)}\\\n"))[-1] if len(text) <= _MAX_REMARK else ""
    asserted = text.lstrip("$*)}\\] \t")[:1] in _SET_OFF and not claims.holds(last, _UNSURE)
    value = _ENDS_ON_VALUE.fullmatch(last) if asserted else None
    return value.group(1) if value else ""


def _ends_on(value: str, text: str) -> bool:
    """Whether the text comes back to the value and to no other number after it."""
    at = last_place(value, text)
    return at >= 0 and not NUMBER.search(text, at + len(value))


def _leads_elsewhere(value: str, text: str) -> bool:
    if says(value, text):
        return False
    if takes_back(value, text.lstrip(" ,:")) or "".join(filter(str.isalnum, text)) in _ONLY_NO:
        return True  # "Wait, that is wrong.", "Hmm, no."
    if len(text) < _UNFINISHED and text.rstrip()[-1:] not in _ENDS:
        return True  # "Wait, I think"
    if any(map(str.isdigit, value)):
        return NUMBER.search(text) is not None or ("$" in text and not value.isdigit())
    return _says_little(text)


def _says_little(text: str) -> bool:
    """Whether a sentence follows that is short enough for an answer in words."""
    sentence = sentences_of(text.lstrip(_BEFORE_SENTENCE))[0]
    said = len(LONG_WORD.findall(sentence))
    claim = claims.first_claim(sentence)
    opens = text.lstrip()[:1] in _PAUSES or (claim is not None and len(claim.subject) <= _SUBJECT)
    return 0 < said <= (_SHORT if opens else _NAME)


def later_option(text: str) -> str:
    """The letter of the option that a sentence calls right, "" where there is none."""
    option = _OPTION.search(text)
    return option.group(1) or option.group(2) if option else ""


def _closes_on_another(answer: str, text: str) -> bool:
    """Whether the text names another option, or closes on another value."""
    if len(answer) == 1 and answer.isupper() and (option := later_option(text)):
        return option != answer
    line = text.rstrip().rpartition("\n")[2]
    if line[:1] in _LISTING:
        line = line.strip(_LISTING + " ")  # `$, $5$`
    if len(line) <= MAX_COMPARED and numerals.read(unwrap(line)):
        return differ(answer, line)
    if gives_another(answer, line, text):
        return True
    closes = conclusion.opens(SENTENCES.split(line[-_MAX_CLOSING:])[-1].strip(" *_"))
    later = conclusion.conclusion(text) if closes else ""
    return _is_amount(later) and not says(answer, later) and differ(answer, later)


def _is_amount(text: str) -> bool:
    """A value with its unit: what a sentence ends on that is no remark."""
    value = text.lstrip(" *$(=~-+")
    if len(text) - len(value) > _MAX_SIGNS:
        return False
    return value.startswith("\\") or (value[:1].isdecimal() and len(WORD.findall(value)) <= _MAX_UNIT)
