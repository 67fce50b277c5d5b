r"""Read a text that is a plain number and nothing else, exactly: integers, decimals, fractions, percents.

Apart from text.py because reading a number is a parse, with bounds; whatever is left over (a unit, a word, a
base) makes the text no plain number. All arithmetic is in fractions of integers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from hybridverify.conventions import DEFAULT, Conventions
from hybridverify.language.asked import read_question
from hybridverify.language.number_words import read_words
from hybridverify.language.text import canonical
from hybridverify.language.tolerance import stated_tolerance
from hybridverify.maths.rounding import counts_percent, is_near, rounds_to

MAX_DIGITS = 2_000
MAX_EXPONENT = 1_000
_FLOAT = 9
"""So many decimals are printed by a program, not written by a person."""
_CURRENCY = r"\\?\$|€|£|¥|₹|₩|₽"
_DIGITS = r"\d{1,3}(?:,\d{3})+|\d{1,3}(?: \d{3})+|\d+"
_PLAIN = re.compile(
    rf"(?P<sign>[-+])?(?P<before>{_CURRENCY})?(?P<inner>-)?"
    rf"(?:(?P<whole>{_DIGITS})(?:\.(?P<part>\d*))?|\.(?P<only>\d+))"
    r"(?:[eE](?P<exponent>[-+]?\d{1,5})|(?:\\times|\\cdot|\*|x ?)10\^"
    r"(?P<power>\{[-+]?\d{1,5}\}|-?\d{1,5}|\(-?\d{1,5}\)))?"
    rf"(?P<after>{_CURRENCY})?(?P<percent>%)?"
)
_SHORT = re.compile(r"(-?[0-9]+)(?:\.([0-9]+))?")
"""What most answers are: it needs no canonical form, and means the same under all conventions."""
_ORDINAL = re.compile(r"^(\d+)(?:\^\{?)?(?:st|nd|rd|th)\}?$")
_GROUPED = re.compile(r"\d,\d{3}(?!\d)")
_POWER = re.compile(r"(?P<sign>-)?10\^(?:\{([-+]?\d{1,5})\}|(\d{1,5}))")
_FRACTION = re.compile(
    r"(?P<sign>[-+])?(?:(?P<whole>\d+)(?: |(?=\\)))?"
    r"(?:(?P<top>-?\d+)/(?P<bottom>-?\d+)|\\frac\{(?P<up>-?\d+)\}\{(?P<down>-?\d+)\})"
)


Rational: TypeAlias = Fraction | int
"""Integers stay `int`: they are most answers, and making a fraction of one costs as much as reading it."""


class Number(NamedTuple):
    """An exact value and how it was written: `places` decimals, -1 for integers and fractions.

    `step`: what the last digit of a large number in scientific notation counts. The value of 25% is 25 with
    `percent` set: a percent is compared with percents only.
    """

    value: Rational
    places: int = -1
    percent: bool = False
    currency: str = ""
    step: int = 0

    @property
    def exact(self) -> bool:
        """True for integers and fractions, which nobody rounds."""
        return self.places < 0 and not self.percent

    @property
    def is_integer(self) -> bool:
        return self.exact and self.value.denominator == 1

    @property
    def significant(self) -> int:
        """Significant digits of a decimal; 0 for what is exact."""
        if self.places < 0:
            return 0
        return len(str(abs(int(self.value * 10**self.places))).lstrip("0"))


def read(text: str, conventions: Conventions = DEFAULT) -> Number | None:
    r"""The number that `text` is, or None.

    >>> [str(read(text).value) for text in ("1,234.50", r"\frac12", "1 1/4", "2e3", "−７")]
    ['2469/2', '1/2', '5/4', '2000', '-7']
    >>> [read(text) for text in ("5 kg", "1,2", "101_2", "1/0", "")]
    [None, None, None, None, None]
    """
    if text.isdigit() and text.isascii() and len(text) <= MAX_DIGITS:
        return Number(int(text))  # read at once: this takes less than looking up what was read before
    return _read_default(text) if conventions is DEFAULT else _read(text, conventions)


@lru_cache(maxsize=4096)
def _read_default(text: str) -> Number | None:
    """By the text alone: hashing the conventions costs as much as reading a short number."""
    return _number(text, DEFAULT)


@lru_cache(maxsize=4096)
def _read(text: str, conventions: Conventions) -> Number | None:
    return _number(text, conventions)


def _number(text: str, conventions: Conventions) -> Number | None:
    if not text or len(text) > MAX_DIGITS + 500:
        return None
    short = _SHORT.fullmatch(text) if len(text) <= MAX_DIGITS else None
    if short:
        return _short(*short.groups(default=""))
    if conventions.number_words and (worded := read_words(text)):
        return Number(Fraction(worded))
    plain = canonical(text)
    if len(plain) > MAX_DIGITS or not any(map(str.isdigit, plain[:40])):
        return None
    return _in_figures(plain, conventions)


def _in_figures(plain: str, conventions: Conventions) -> Number | None:
    """A canonical text as a decimal, a power of ten or a fraction."""
    if conventions.ordinals:
        plain = _ORDINAL.sub(r"\1", plain)
    match = _PLAIN.fullmatch(plain.replace(",", ".") if _has_decimal_comma(plain, conventions) else plain)
    if match:
        return _plain(match, conventions)
    match = _POWER.fullmatch(plain)
    if match:
        return _power(match)
    match = _FRACTION.fullmatch(plain)
    return _fraction(match, conventions) if match else None


def _short(whole: str, part: str) -> Number:
    if not part:
        return Number(int(whole))
    return Number(Fraction(int(whole + part), 10 ** len(part)), len(part))


def _has_decimal_comma(plain: str, conventions: Conventions) -> bool:
    if not conventions.decimal_comma or plain.count(",") != 1 or "." in plain:
        return False
    return conventions.thousands == "off" or not _GROUPED.search(plain)


def _plain(match: re.Match[str], conventions: Conventions) -> Number | None:
    found = match.groupdict("")
    exponent = (found["exponent"] + found["power"]).strip("{}()")
    if _is_refused(found, conventions) or abs(int(exponent or 0)) > MAX_EXPONENT:
        return None
    part = found["part"] + found["only"]
    digits = int(found["whole"].replace(",", "").replace(" ", "") + part)
    if found["sign"] == "-" or found["inner"]:
        digits = -digits
    currency = (found["before"] + found["after"]).lstrip("\\")
    percent = bool(found["percent"])
    if exponent:
        return _scientific(digits, len(part) - int(exponent), percent, currency)
    places = len(part) if "." in match.group() else -1
    return Number(Fraction(digits, 10 ** len(part)), places, percent, currency)


def _is_refused(found: dict[str, str], conventions: Conventions) -> bool:
    """Two signs, two currencies, or a spelling that the conventions switch off."""
    if (found["sign"] and found["inner"]) or (found["before"] and found["after"]):
        return True
    if found["exponent"] and not conventions.e_notation:
        return True
    return conventions.thousands == "off" and ("," in found["whole"] or " " in found["whole"])


def _scientific(digits: int, decimals: int, percent: bool, currency: str) -> Number:
    """Digits of which so many are decimals; fewer than none where the power of ten is larger than they need."""
    value = digits * Fraction(10) ** -decimals
    step = 10**-decimals if decimals <= 0 else 0
    return Number(value, max(decimals, 0), percent, currency, step)


def _power(match: re.Match[str]) -> Number | None:
    exponent = int(match.group(2) or match.group(3))
    if abs(exponent) > MAX_EXPONENT:
        return None
    value = Fraction(10) ** exponent
    return Number(-value if match.group("sign") else value)


def _fraction(match: re.Match[str], conventions: Conventions) -> Number | None:
    top = int(match.group("top") or match.group("up"))
    bottom = int(match.group("bottom") or match.group("down"))
    if bottom == 0:
        return None
    value = Fraction(top, bottom)
    if match.group("whole"):
        if conventions.mixed_number != "sum" or not 0 < value < 1:
            return None
        value += int(match.group("whole"))
    return Number(-value if match.group("sign") == "-" else value)


def compare(
    reference: Number, answer: Number, conventions: Conventions, percent_asked: bool = False
) -> bool | None:
    """True: the same number; False: surely another one; None: cannot tell from the numbers alone.

    Only an integer or a fraction as reference can reject. A decimal or a percent may have been rounded in
    ways that the reference does not show. `percent_asked`: the question asks for a percentage.
    """
    if reference.currency and answer.currency and _currencies_differ(reference, answer, conventions):
        return None
    if reference.percent != answer.percent:
        return True if _same_share(reference, answer, conventions, percent_asked) else None
    # The `==` of fractions asks for the types of both first.
    if reference.value.as_integer_ratio() == answer.value.as_integer_ratio():
        return True
    return _compare_unlike(reference, answer, conventions)


def _compare_unlike(reference: Number, answer: Number, conventions: Conventions) -> bool | None:
    """Two values that are not equal as written: is one the other rounded, or surely another number?"""
    if answer.places >= _FLOAT and _is_float_noise(reference, answer):
        return None
    exact = reference.places < 0 and not reference.percent
    if exact and (answer.places < 0 or reference.value.denominator == 1):
        return None if answer.step and _is_within_step(reference, answer) else False
    return True if _is_rounded(reference, answer, conventions) else None


def _is_rounded(reference: Number, answer: Number, conventions: Conventions) -> bool:
    """Is the answer a decimal of the exact reference, or the reference a decimal of the answer?"""
    if conventions.rounding == "none":
        return False
    if reference.places < 0 and not reference.percent:
        return _agrees(Fraction(reference.value), answer, conventions.exact_digits)
    return _rounds_to(reference, answer)


def _is_within_step(reference: Number, answer: Number) -> bool:
    """May the last digit of a large number in scientific notation stand for the reference?"""
    return is_near(Fraction(reference.value), Fraction(answer.value), answer.step)


def compare_any(
    references: Sequence[Number | None], answer: Number, conventions: Conventions, question: str
) -> bool | None:
    """True: one reference is the same number; False: all are surely other ones; None: cannot tell."""
    differ = True
    for reference in references:
        equal = None
        if reference is not None:
            percent_asked = reference.percent != answer.percent and read_question(question).percent
            equal = compare(reference, answer, conventions, percent_asked)
        if equal:
            return True
        differ = differ and equal is False and not _is_tolerated(reference, answer, question)
    return False if differ else None


def _is_tolerated(reference: Number | None, answer: Number, question: str) -> bool:
    """May the question's own tolerance cover the difference?"""
    tolerance = stated_tolerance(question) if question and reference else None
    return bool(tolerance and reference and tolerance.may_cover(reference.value, answer.value))


def _same_share(reference: Number, answer: Number, conventions: Conventions, percent_asked: bool) -> bool:
    """A percent against a bare number: p% is p/100, and p itself where a percentage is wanted."""
    if conventions.percent == "strict" or reference.currency or answer.currency:
        return False
    if reference.percent:
        return _is_share_of(reference, answer, conventions) or reference.value == answer.value
    if (percent_asked or conventions.percent == "loose") and reference.value == answer.value:
        return True
    return answer.value == reference.value * 100 and not _is_percentage(reference, percent_asked)


def _is_percentage(reference: Number, percent_asked: bool) -> bool:
    """Does the bare reference count percents itself?"""
    return percent_asked and counts_percent(reference.value)


def _is_share_of(percent: Number, answer: Number, conventions: Conventions) -> bool:
    """Is the bare number so many hundredths, or does it round to them?"""
    share = Number(answer.value * 100, max(answer.places - 2, 0) if answer.places >= 0 else -1)
    if share.value == percent.value:
        return True
    return conventions.rounding != "none" and _rounds_to(percent, share)


def _currencies_differ(reference: Number, answer: Number, conventions: Conventions) -> bool:
    return conventions.currency == "agree" and reference.currency != answer.currency


def _is_float_noise(reference: Number, answer: Number) -> bool:
    """219.99999999999997 for 220: a printed float, neither right nor surely wrong."""
    wanted = Fraction(reference.value)
    return bool(abs(wanted - answer.value) * 10**9 <= max(abs(wanted), Fraction(1)))


def _agrees(exact: Fraction, answer: Number, digits: int) -> bool:
    """The first `digits` significant digits of a decimal are right, rounded or cut off."""
    if answer.significant < digits or (exact < 0) != (answer.value < 0) or exact == 0:
        return False
    size = len(str(int(abs(exact)))) if abs(exact) >= 1 else 1 - len(str(int(1 / abs(exact))))
    unit = Fraction(10) ** (digits - size)
    scaled, told = abs(exact) * unit, abs(Fraction(answer.value)) * unit
    return int(scaled) == int(told) or int(scaled + Fraction(1, 2)) == int(told + Fraction(1, 2))


def _rounds_to(reference: Number, answer: Number) -> bool:
    """The answer says more than the reference and rounds to it.

    Two decimals are needed, or three digits against an exact answer: 1/3 is not what "0.3" stands for.
    """
    finer = answer.exact or answer.places > reference.places
    enough = (reference.places >= 2 and reference.significant >= 2) or (
        reference.significant >= 3 and answer.exact
    )
    near = rounds_to(Fraction(answer.value), Fraction(reference.value), reference.places)
    return finer and enough and near and not answer.is_integer
