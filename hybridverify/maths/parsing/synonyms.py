"""Phrases that say the same, folded to one of them: "the series is divergent" and "diverges", "DNE" and the like.

Only phrases that mean the same in any question: "no limit" is infinity for some and "does not exist" for others.
"""

from __future__ import annotations

from hybridverify.language.symbols import TICKS
from hybridverify.language.word_forms import MONTHS, WEEKDAYS, month_of
from hybridverify.maths.notation import vocabulary
from hybridverify.maths.parsing.elements import SYMBOLS

_SAME = {
    **dict.fromkeys(
        ("infinitely many", "infinite", "infinite number", "positive infinity", "plus infinity"), "infinity"
    ),
    **dict.fromkeys(("negative infinity", "minus infinity"), "-infinity"),
    **dict.fromkeys(("empty set", "null set", "no such x", "no such number", "no root"), "no solution"),
    **dict.fromkeys(("无解", "没有解", "方程无解", "不等式无解", "方程组无解"), "no solution"),
    "no real root": "no real solution",
    **dict.fromkeys(
        ("不存在", "dne", "doesn't exist", "no limit exists", "nonexistent", "non-existent"), "does not exist"
    ),
    **dict.fromkeys(("divergent", "does not converge", "doesn't converge"), "diverges"),
    "convergent": "converges",
    **dict.fromkeys(("conditionally convergent", "conditional convergence"), "converges conditionally"),
    **dict.fromkeys(("absolutely convergent", "absolute convergence"), "converges absolutely"),
    **dict.fromkeys(("tends to infinity", "goes to infinity"), "infinity"),
}
"""Phrases without subject and verb, and the one that stands for them."""
_VERDICTS = TICKS | {
    **dict.fromkeys(("对", "正确", "對", "正確"), "true"),
    **dict.fromkeys(("错", "错误", "不对", "不正确", "錯", "錯誤"), "false"),
    **dict.fromkeys(("是", "是的"), "yes"),
    **dict.fromkeys(("否", "不是"), "no"),
}
_LONGEST_VERDICT = 3
_STANDING = {"true", "false", *_SAME.values()}
_SUBJECTS = vocabulary.words("there it it's series sequence integral limit statement claim equation system")
_VERBS = vocabulary.words("is are has have")
_PLURALS = vocabulary.words("solutions roots values numbers")
_SAID_OF_MANY = vocabulary.words("exist exists of solution value")
"""Words at the end of "infinitely many solutions exist"."""
_MOST_WORDS = 8
_NONE = ("does not have any ", "does not have ", "does not exist any ")
_KINDS = vocabulary.words("even odd prime composite")
_SAYING = vocabulary.words("all every is must be has to are integer integers number numbers")
_WEEKDAYS = {name: day for day in WEEKDAYS for name in (day, day[:3])}
_WEEKDAYS |= {"tues": "tuesday", "thur": "thursday", "thurs": "thursday"}


def are_other_members(one: str, other: str) -> bool:
    """Two days of the week, two months or two elements: nothing is both.

    >>> are_other_members("tuesday", "thursday"), are_other_members("may", "may"), are_other_members("may", "monday")
    (True, False, False)
    """
    if one == other:
        return False
    if one in SYMBOLS and other in SYMBOLS:
        return SYMBOLS[one] != SYMBOLS[other]
    return any(one in names and other in names for names in (MONTHS, WEEKDAYS))


def verdict_of(text: str) -> str:
    """A tick, a cross or a word of Chinese as the English word that judges a statement; "" for any other text.

    >>> verdict_of("✗"), verdict_of("正确"), verdict_of("x")
    ('false', 'true', '')
    """
    told = text.strip(" .。$")
    return _VERDICTS.get(told, "") if len(told) <= _LONGEST_VERDICT else ""


def one_phrase(words: list[str]) -> str:
    """The folded words as the phrase that stands for them.

    >>> one_phrase(["series", "is", "divergent"]), one_phrase(["on", "fri"]), one_phrase(["red"])
    ('diverges', 'friday', 'red')
    """
    if words[-1] in _WEEKDAYS and (len(words) == 1 or words[:-1] == ["on"]):
        return _WEEKDAYS[words[-1]]
    if len(words) == 1 and (month := month_of(words[0])):
        return MONTHS[month - 1]
    if len(words) > _MOST_WORDS:
        return " ".join(_without_there(words))
    return _kind_alone(words) or _known(_bare(words)) or " ".join(_without_there(words))


def _without_there(words: list[str]) -> list[str]:
    """`there are no primes` as `no primes`."""
    return words[2:] if words[:1] == ["there"] and words[1:3] in (["is", "no"], ["are", "no"]) else words


def _bare(words: list[str]) -> str:
    """The words without subject and verb, and in the singular."""
    at = next((at for at, word in enumerate(words) if word not in _SUBJECTS), 0)
    if at < len(words) - 1 and words[at] in _VERBS:
        at += 1
    phrase = " ".join(word.removesuffix("s") if word in _PLURALS else word for word in words[at:])
    verb = next(filter(phrase.startswith, _NONE), "")
    return "no " + phrase.removeprefix(verb) if verb else phrase


def _known(phrase: str) -> str:
    """The phrase of the table that this one is, perhaps with more words at its end; "" for none."""
    while phrase and phrase not in _SAME and phrase not in _STANDING:
        before, _, last = phrase.rpartition(" ")
        phrase = before if last in _SAID_OF_MANY else ""
    return _SAME.get(phrase, phrase)


def _kind_alone(words: list[str]) -> str:
    """Of `all odd integers` and `n is odd` the kind of number; "" where there is more, or the kind alone."""
    said = [word for word in words if word not in _SAYING and len(word) > 1]
    return said[0] if len(said) == 1 < len(words) and said[0] in _KINDS else ""
