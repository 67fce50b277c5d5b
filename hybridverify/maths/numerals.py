r"""Read a text that is a plain number and nothing else, exactly: integers, decimals, fractions, percents.

Apart from text.py because reading a number is a parse, with bounds; whatever is left over (a unit, a word, a
base) makes the text no plain number. All arithmetic is in fractions of integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from hybridverify.conventions import DEFAULT, Conventions
from hybridverify.language import expressions as re
from hybridverify.language.number_words import read_words
from hybridverify.language.text import canonical
from hybridverify.language.tolerance import stated_tolerance
from hybridverify.maths.likeness import liken
from hybridverify.maths.written_number import Number as Number

MAX_DIGITS = 2_000
MAX_EXPONENT = 1_000
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


def read(text: str, conventions: Conventions = DEFAULT) -> Number | None:
    r"""The number that `text` is, or None.

    >>> [str(read(text).value) for text in ("1,234.50", r"\frac12", "1 1/4", "2e3", "−７")]
    ['2469/2', '1/2', '5/4', '2000', '-7']
    >>> [read(text) for text in ("5 kg", "1,2", "101_2", "1/0", "")]
    [None, None, None, None, None]
    """
    return _read_default(text) if conventions is DEFAULT else _read(text, conventions)


@lru_cache(maxsize=4096)
def _read_default(text: str) -> Number | None:
    """By the text alone: hashing the conventions costs as much as reading a short number."""
    return _number(text, DEFAULT)


@lru_cache(maxsize=4096)
def _read(text: str, conventions: Conventions) -> Number | None:
    return _number(text, conventions)


def is_short(text: str) -> bool:
    """Whether the text is a whole or decimal number in its plainest form, which `read` reads under all conventions.

    >>> is_short("-7.50"), is_short("1,234")
    (True, False)
    """
    return len(text) <= MAX_DIGITS and _SHORT.fullmatch(text) is not None


def _number(text: str, conventions: Conventions) -> Number | None:
    if not text or len(text) > MAX_DIGITS + 500:
        return None
    if text.isdigit() and text.isascii() and len(text) <= MAX_DIGITS:
        return Number(int(text))
    short = _SHORT.fullmatch(text) if len(text) <= MAX_DIGITS else None
    if short:
        return _short(*short.groups(default=""))
    return _written_out(text, conventions)


def _written_out(text: str, conventions: Conventions) -> Number | None:
    """A text in words, or in any notation of figures."""
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


def compare(reference: Number, answer: Number, conventions: Conventions, question: str = "") -> bool | None:
    """True: the same number; False: surely another one; None: cannot tell from the numbers alone."""
    one, other = reference.value, answer.value
    # The `==` of fractions asks for the types of both first.
    same = one == other if type(one) is int else one.as_integer_ratio() == other.as_integer_ratio()
    return (same and reference[2:4] == answer[2:4]) or liken(reference, answer, conventions, question).equal


def compare_any(
    references: Sequence[Number | None], answer: Number, conventions: Conventions, question: str
) -> bool | None:
    """True: one reference is the same number; False: all are surely other ones; None: cannot tell."""
    differ = True
    for reference in references:
        equal = None if reference is None else compare(reference, answer, conventions, question)
        if equal:
            return True
        differ = differ and equal is False and not _is_tolerated(reference, answer, question)
    return False if differ else None


def _is_tolerated(reference: Number | None, answer: Number, question: str) -> bool:
    """May the question's own tolerance cover the difference?"""
    tolerance = stated_tolerance(question) if question and reference else None
    return bool(tolerance and reference and tolerance.may_cover(reference.value, answer.value))
