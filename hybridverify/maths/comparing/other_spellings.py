"""Spellings that say nothing else, or that the question makes sure of, tried where two answers are not equal as they
stand."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import compress
from operator import not_
from typing import NamedTuple, TypeAlias

from hybridverify.language.asked import read_question
from hybridverify.language.decimal_marks import writes_commas
from hybridverify.language.magnitudes import VALUES
from hybridverify.language.patterns import DIGIT
from hybridverify.maths.comparing.counted_nouns import are_asked_for, number_of_counted
from hybridverify.maths.comparing.renaming import mentions
from hybridverify.maths.comparing.rules import Comparison, different, equal, undecided
from hybridverify.maths.comparing.sought_names import value_sought
from hybridverify.maths.notation.changes import as_change, as_percentage, is_fall, may_rise, only_falls
from hybridverify.maths.notation.losses import as_loss
from hybridverify.maths.notation.magnitudes import in_words
from hybridverify.maths.notation.physics import with_planck, with_primes
from hybridverify.maths.notation.recurrences import from_first_term
from hybridverify.maths.notation.repeated_names import with_own_values, with_repeats
from hybridverify.maths.notation.spoken_relations import bound_in_words
from hybridverify.maths.parsing.divisions import remainder_of
from hybridverify.maths.parsing.texts import decimal_points, without_commands

Compare: TypeAlias = Callable[[str, str], Comparison]
_MAX, _GROUP, _FEW_DIGITS = 60, 3, 5
_MULTIPLES = ("ratio", "multiple", "turnover", "leverage", "coverage", "how many times")
_DIRECTION = "direction of a change"


class _Spelling(NamedTuple):
    reason: str
    sign: str
    """What a text has that is written so."""

    other: Callable[[str], str]
    """The text in the other spelling, "" where it is not written in this one."""

    means: Callable[[str, tuple[str, ...], tuple[str, ...]], bool]
    """Do the question and the other text make sure that the texts that are so written mean that?"""

    alone: bool = False
    """Nobody reads such a text in another way: a difference is one."""
    doubtful: bool = False
    """Whether the two may be one where the question does not make sure of it."""

    def compared(self, texts: tuple[str, str], question: str, same: Compare) -> Comparison | None:
        """What the texts are in the other spelling; None where that says nothing."""
        others = self.other(texts[0]), self.other(texts[1])
        if not any(others):
            return None
        sure = self.means(question, tuple(compress(texts, others)), tuple(compress(texts, map(not_, others))))
        if not sure and not self.doubtful:
            return None
        found = same(others[0] or texts[0], others[1] or texts[1])
        if found.equal:
            return equal(self.reason) if sure else undecided(self.reason)
        if self.alone and self.reason == _DIRECTION and found.reason == "sign":
            return different("opposite direction")
        return found if self.alone and found.outcome == "different" else None


def in_other_spelling(
    result: Comparison, reference: str, answer: str, question: str, same: Compare
) -> Comparison:
    """The outcome in another spelling where that makes the two one, else the one at hand."""
    if not DIGIT.search(answer):
        return result
    texts = mine, theirs = reference.strip(" $"), answer.strip(" $")
    if mine.isdecimal() and theirs.isdecimal():
        return result
    unproved = result.reason == "not proved" and "=" in theirs and "=" not in mine
    if (unproved or result.reason == "unreadable") and (sought := value_sought(theirs, question, unproved)):
        return same(mine, sought)
    written = (spelling for spelling in _SPELLINGS if spelling.sign in mine or spelling.sign in theirs)
    found = (spelling.compared(texts, question, same) for spelling in written)
    return next(filter(None, found), result)


def decimals_apart(reference: str, answer: str, question: str) -> bool:
    """Are two lists of two numbers other decimals, `2,5` and `5,2`, in a question whose language writes commas?"""
    told = _with_point(reference), _with_point(answer)
    return all(told) and told[0] != told[1] and writes_commas(question)


def one_decimal(reference: str, answer: str) -> bool:
    """Are two lists of two numbers one decimal, `2,5` and `2,50`?"""
    told = (_with_point(text).rstrip("0") for text in (reference, answer)) if "," in reference else ()
    first, second = [*told] or ("", "")
    return first == second != ""


def _times(text: str) -> str:
    """`1.85x` and `1.85 times` as 1.85."""
    number = text.removesuffix("x").removesuffix("times").strip()
    return number if number != text and number.replace(".", "", 1).isdecimal() else ""


def _counts_times(question: str, _texts: tuple[str, ...], _others: tuple[str, ...]) -> bool:
    """Is a ratio asked for, and is x none of the question's letters?"""
    low = question.lower()
    return any(word in low for word in _MULTIPLES) and not mentions(question, "x")


def _always(_question: str, _texts: tuple[str, ...], _others: tuple[str, ...]) -> bool:
    return True


def _are_points(_question: str, texts: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Basis points are told in percent where the other text is; percentage points only beside these."""
    return not others or ("percentage" not in texts[0] and "%" in others[0])


def _asks_balance(question: str, _texts: tuple[str, ...], _others: tuple[str, ...] = ()) -> bool:
    return read_question(question).speaks_of("balance")


def _counts(question: str, texts: tuple[str, ...], _others: tuple[str, ...]) -> bool:
    """Is something counted, and is the letter at the end none of the question's?"""
    counted = read_question(question).speaks_of("measuring")
    return counted and not any(mentions(question, text[-1:]) for text in texts)


def _both_have_ways(_question: str, texts: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Do both tell their direction, one of them perhaps by a minus?"""
    return len(texts) > 1 or others[0].startswith(("-", "−"))


def _may_rise(question: str, texts: tuple[str, ...], _others: tuple[str, ...]) -> bool:
    """Is it told as a fall, or does the question ask for a rise?"""
    return is_fall(_change(texts[0])) or may_rise(question)


def _only_falls(question: str, texts: tuple[str, ...], _others: tuple[str, ...]) -> bool:
    """How much something fell is asked, and told as a fall."""
    return only_falls(question) and all(is_fall(_change(text)) for text in texts)


def _is_bound(_question: str, _texts: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Is the other one no plain number?"""
    return not others or not others[0].isalnum()


def _asks_remainder(question: str, _texts: tuple[str, ...], _others: tuple[str, ...]) -> bool:
    return "remainder" in question.lower()


def _means_planck(question: str, _texts: tuple[str, ...], _others: tuple[str, ...]) -> bool:
    """Is the letter h none of the question's own?"""
    return "Planck" in question or not mentions(question, "h")


def _size(text: str) -> str:
    """A fall without its sign."""
    return _change(text).removeprefix("-")


def _option(text: str) -> str:
    """The number of `Option 3` and of `(3) 17`."""
    word, _, number = text.partition(" ")
    told = number.strip("()") if word.lower() == "option" else text.lstrip("(").partition(")")[0]
    return told if told.isdecimal() and told != text.strip("()") and len(text) <= _MAX else ""


def _lists_option(question: str, texts: tuple[str, ...], _others: tuple[str, ...]) -> bool:
    """Does the question list the option, and with the text that stands after its number?"""
    return all(f"{_option(text)})" in question and (_tail(text) in question) for text in texts)


def _tail(text: str) -> str:
    """What an answer has after `(`: the number of the option and its text; nothing of `Option 3`."""
    return "" if text.lower().startswith("option ") else text.lstrip("(")


def _scaled(text: str) -> str:
    """`45k` in words."""
    if len(text) > _MAX or not text[:1].isdigit() or not text[-1:].isalpha():
        return ""
    told = in_words("$" + text).removeprefix("$")
    return told if told != text else ""


def _unscaled(text: str) -> str:
    """`$25.4 million` without the word that multiplies."""
    number, _, word = without_commands(text).rpartition(" ")
    return number.strip() if len(text) <= _MAX and _power_of(word) else ""


def _power_of(word: str) -> int:
    return VALUES.get(word.lower().removesuffix("s"), 0)


def _is_counted_so(question: str, texts: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Does the question want a number of millions, and does the other text tell one without the word?"""
    units = [word for word in read_question(question).units if f"in {word}" in question]
    powers = {_power_of(word) for word in units} - {0}
    told = {_power_of(without_commands(text).rpartition(" ")[2]) for text in texts}
    return bool(others) and len(powers) == 1 and powers == told


def scaled_apart(reference: str, answer: str, question: str) -> bool:
    """Does the question count thousands, so that `1.25 thousand` is not the 1,250 of the reference? A longer reference
    is told in full."""
    told = "illion" in answer or "housand" in answer
    number = _unscaled(answer) if told and len(DIGIT.findall(reference)) <= _FEW_DIGITS else ""
    return bool(number) and not _unscaled(reference) and _is_counted_so(question, (answer,), (reference,))


def _with_point(text: str) -> str:
    """`3,14` and `3{,}14` with a point, where no other comma stands in the text."""
    told = text.replace("{,}", ",")
    pointed = decimal_points(told)
    return pointed if pointed != told and told.count(",") == 1 and "(" not in told else ""


def _without_points(text: str) -> str:
    """`70.000` as 70000."""
    whole, point, group = text.partition(".")
    grouped = point and whole.isdecimal() and len(whole) <= _GROUP == len(group) and whole[0] != "0"
    return whole + group if grouped and group.isdecimal() else ""


def _writes_commas(question: str, _texts: tuple[str, ...], _others: tuple[str, ...]) -> bool:
    return writes_commas(question)


def _column(text: str) -> str:
    r"""`\binom{2}{5}` as a column of two numbers."""
    parts = text.rpartition("\\binom{")[2].removesuffix("}").split("}{")
    alone = (
        len(text) <= _MAX and len(parts) == 2 and text.endswith("}") and not {"{", "}"} & set("".join(parts))
    )
    before = text.partition("\\binom{")[0].rstrip(" =")
    return f"({parts[0]}, {parts[1]})" if alone and not DIGIT.search(before) else ""


def _percentage(text: str) -> str:
    return as_percentage(without_commands(text).replace("\\", ""))


@lru_cache(maxsize=256)  # more than one spelling asks
def _change(text: str) -> str:
    return as_change(without_commands(text))


_SPELLINGS = (
    _Spelling("loss in brackets", "(", as_loss, _asks_balance, doubtful=True),
    _Spelling("basis points", "p", _percentage, _are_points, alone=True),
    _Spelling(_DIRECTION, " ", _change, _both_have_ways, alone=True),
    _Spelling(_DIRECTION, " ", _change, _may_rise),
    _Spelling(_DIRECTION, " ", _size, _only_falls),
    _Spelling("reduced Planck constant", "\\h", with_planck, _means_planck, alone=True),
    _Spelling("reduced Planck constant", "ħ", with_planck, _means_planck, alone=True),
    _Spelling("marks of derivatives", "\\d", with_primes, _always),
    _Spelling("marks of derivatives", "\\frac{d", with_primes, _always),
    _Spelling("remainder", "=", remainder_of, _asks_remainder),
    _Spelling("terms moved on", "_", from_first_term, _always, alone=True),
    _Spelling("bound in words", " ", bound_in_words, _is_bound),
    _Spelling("so many times", "x", _times, _counts_times, alone=True),
    _Spelling("so many times", "times", _times, _counts_times, alone=True),
    _Spelling("column", "\\binom", _column, _always),
    _Spelling("decimal comma", ",", _with_point, _writes_commas),
    _Spelling("points between thousands", ".", _without_points, _writes_commas),
    _Spelling("what is counted", " ", number_of_counted, are_asked_for, alone=True),
    _Spelling("numbered option", ")", _option, _lists_option),
    _Spelling("numbered option", "ption ", _option, _lists_option),
    _Spelling("multiplicity", "ultiplicity", with_repeats, _always),
    _Spelling("multiplicity", "(double", with_repeats, _always),
    _Spelling("names with one value", "=", with_own_values, _always),
    _Spelling("scale", "", _scaled, _counts),
    _Spelling("scale", "illion", _unscaled, _is_counted_so),
    _Spelling("scale", "housand", _unscaled, _is_counted_so),
)
