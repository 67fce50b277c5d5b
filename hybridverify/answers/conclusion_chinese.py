"""The value of a Chinese closing sentence: "所以一共有13只鸟。", "每份应该是 2/5 吨"."""

from __future__ import annotations

from hybridverify.language import claims
from hybridverify.language import expressions as re
from hybridverify.language.patterns import RELATION

_VALUE = re.compile(r"-?(?:\\[dt]?frac\s?\{\d+\}\s?\{\d+\}|\d[\d,]*(?:\.\d+)?(?:/\d+)?)%?")
_COPULAS = ("等于", "是", "为", "有", "共", "得到", "得")
_MAX_SUBJECT = 40
_OPEN = claims.kinds("open unsure")


def value_of(sentence: str) -> str:
    """The one number of the sentence, or the number after its last equals sign; "" where there is a doubt.

    >>> value_of("所以一共有3 + 10 = 13只鸟"), value_of("他有3个，她有4个"), value_of("不是9")
    ('13', '', '')
    """
    clause = sentence.replace("；", "，").rpartition("，")[2]
    if _is_open(clause):
        return ""
    _, equals, tail = clause.rpartition("=")
    found = _VALUE.findall(tail if equals else sentence)
    return str(found[0]) if len(found) == 1 else ""


def predicate(text: str) -> str:
    """What a sentence says of its subject: "每份是 3 吨" gives "3 吨"; the text itself where it is no such sentence."""
    at = next((at for at, char in enumerate(text[: _MAX_SUBJECT + 4]) if _begins_value(char)), 0)
    subject = text[:at].rstrip()
    return text[at:] if subject.endswith(_COPULAS) and not _is_open(subject) else text


def _begins_value(char: str) -> bool:
    return char.isdecimal() or char in "\\$(-"


def _is_open(clause: str) -> bool:
    """Whether the clause denies, compares or counts, or offers another value."""
    return RELATION.search(clause) is not None or claims.holds(clause, _OPEN)
