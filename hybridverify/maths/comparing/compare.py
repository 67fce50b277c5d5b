"""The comparison of two texts: what their spelling decides, then their values, then what casts doubt on the outcome."""

from __future__ import annotations

from functools import lru_cache

from hybridverify.conventions import DEFAULT, Conventions
from hybridverify.language.number_words import read_place
from hybridverify.maths.algebra.products import other_product
from hybridverify.maths.comparing.difference import proved_difference
from hybridverify.maths.comparing.doubts import may_be_read_otherwise, mean_others, rearranged
from hybridverify.maths.comparing.kind_rules import compare_values
from hybridverify.maths.comparing.number_rules import is_tolerated
from hybridverify.maths.comparing.offered import by_offer
from hybridverify.maths.comparing.other_spellings import in_other_spelling
from hybridverify.maths.comparing.own_notations import in_own_notation
from hybridverify.maths.comparing.restatements import by_forms
from hybridverify.maths.comparing.rules import Case, Comparison, different, equal, undecided
from hybridverify.maths.comparing.setting import setting_of
from hybridverify.maths.comparing.two_readings import is_negated, ways_to_read
from hybridverify.maths.limits import Unread
from hybridverify.maths.parsing.reading import Reading, answer_reading, reading_of, reference_reading
from hybridverify.maths.values.kinds import (
    BaseNumber,
    Text,
    Unreadable,
    Value,
)

_TEN = 10
_SPELLED = ("same text", "same notation")
_FORM_WORDS = ("simplify", "simplest", "factor", "expand", "lowest terms", "reduced")


@lru_cache(maxsize=1024)  # the rules of a chain ask for the same pair, and so do responses that agree
def compare(reference: str, answer: str, question: str, conventions: Conventions = DEFAULT) -> Comparison:
    """Is the answer the reference? Bounded, never raises.

    >>> compare("1/2", "0.5", "", Conventions()).outcome
    'equal'
    >>> compare("7", "8", "", Conventions()).outcome
    'different'
    """
    mine = reference_reading(reference, conventions)
    theirs = answer_reading(answer, conventions)
    result = compare_readings(mine, theirs, question, conventions)
    if result.equal:
        others = mean_others(mine, theirs, (reference, answer), question)
        return undecided("two readings") if others else result
    return _in_other_words(result, (mine.text, theirs.text), (reference, answer), question, conventions)


def _in_other_words(
    result: Comparison,
    cleaned: tuple[str, str],
    written: tuple[str, str],
    question: str,
    conventions: Conventions,
) -> Comparison:
    """The outcome where a notation or spelling that few answers have makes the two one, else the one at hand."""

    def same(one: str, other: str) -> Comparison:
        return compare_readings(
            reading_of(one, conventions), reading_of(other, conventions), question, conventions
        )

    told = in_own_notation(*cleaned, question, same)
    if told is not None and (told.equal or result.outcome == "undecided"):
        return told
    return in_other_spelling(result, *written, question, same)


def compare_readings(mine: Reading, theirs: Reading, question: str, conventions: Conventions) -> Comparison:
    """The comparison of what was read; the reference first."""
    whole = _compare_wholes(mine, theirs, question, conventions)
    return whole if whole.reason in _SPELLED else with_forms(mine, theirs, whole, question, conventions)


def with_forms(
    mine: Reading, theirs: Reading, whole: Comparison, question: str, conventions: Conventions
) -> Comparison:
    """The comparison of two texts as wholes, and what the forms say in which one of them gives its value."""
    if not (mine.text.endswith(")") or theirs.text.endswith(")")):
        return whole

    def compare_forms(one: str, other: str) -> Comparison:
        return _compare_wholes(
            reading_of(one, conventions), reading_of(other, conventions), question, conventions
        )

    return by_forms(mine.text, theirs.text, whole, compare_forms)


def _compare_wholes(mine: Reading, theirs: Reading, question: str, conventions: Conventions) -> Comparison:
    """Each text read as a whole."""
    decided = (
        _by_notation(mine, theirs, question, conventions)
        or _by_offer(mine, theirs, question)
        or _by_readings(mine, theirs, question, conventions)
    )
    if decided is not None:
        return decided
    case = Case(question, conventions, setting_of(mine, theirs, question, conventions), compare_values)
    try:
        result = compare_values(mine.value, theirs.value, case)
    except Unread as error:
        return undecided(str(error) or "unreadable")
    except (RecursionError, OverflowError):
        return undecided("limit")
    if result.outcome == "undecided":
        result = _proved(result, mine.value, theirs.value, case)
    if result.outcome == "different" and may_be_read_otherwise(mine, theirs, case):
        return undecided("two readings")
    return _reconsidered(result, mine, theirs, case)


def _proved(result: Comparison, mine: Value, theirs: Value, case: Case) -> Comparison:
    """`different` where that can be proved of what the rules leave undecided; of words it cannot."""
    if type(mine) is type(theirs) is Text:
        return result
    proof = proved_difference(mine, theirs, case)
    return proof if proof.outcome == "different" else result


def _by_notation(
    mine: Reading, theirs: Reading, question: str, conventions: Conventions
) -> Comparison | None:
    """What the spelling alone decides, None where the values must."""
    if mine.text and mine.text == theirs.text:
        return equal("same text")
    if other_product(mine.text, theirs.text, question):
        return undecided("order of a product")
    if mine.tokens and mine.tokens == theirs.tokens:
        return equal("same notation")
    if told := _by_place(mine.text, theirs.text):
        return told
    if isinstance(mine.value, BaseNumber) and _is_numeral_of(mine.value, theirs.text):
        return equal("base") if conventions.base == "drop_suffix" else undecided("base")
    if isinstance(mine.value, BaseNumber) and _is_other_numeral(mine.value, theirs.text):
        return different("other digits")
    return None


def _by_place(reference: str, answer: str) -> Comparison | None:
    """`third` and `3rd`: places in a row."""
    mine, theirs = read_place(reference), read_place(answer)
    if not mine or not theirs:
        return None
    return equal("ordinal") if mine == theirs else different("another place")


def _is_numeral_of(value: BaseNumber, text: str) -> bool:
    """The digits without the base: `4E9` would be read as a power of ten."""
    return value.is_numeral and text.upper() == value.digits


def _is_other_numeral(value: BaseNumber, text: str) -> bool:
    """`2F` beside `0x1F`: other digits of the same base, with a letter among them and no power of ten."""
    told, digits = text.upper().lstrip("0"), value.digits.upper().lstrip("0")
    letters, figures = [*filter(str.isalpha, told)], [*filter(str.isdigit, told)]
    in_base = (
        value.base > _TEN
        and told.isascii()
        and told.isalnum()
        and len(told) == len(digits)
        and told != digits
    )
    return in_base and bool(letters and figures) and all(int(letter, 36) < value.base for letter in letters)


def _by_offer(mine: Reading, theirs: Reading, question: str) -> Comparison | None:
    """What words say of two things that the question offers."""
    words = isinstance(theirs.value, Text) and isinstance(mine.value, (Text, Unreadable))
    return by_offer(mine.text, theirs.text, question) if words else None


def _by_readings(
    mine: Reading, theirs: Reading, question: str, conventions: Conventions
) -> Comparison | None:
    """What is left to say where one of the two was not read; None where both were."""
    unread = _unread(mine) or _unread(theirs)
    words = isinstance(mine.value, Text) or isinstance(theirs.value, Text)
    if (unread is not None or words) and is_negated(mine.text, theirs.text):
        return different("negated")
    if unread is None or unread.reason == "limit":
        return unread
    outcomes = _outcomes(mine, theirs, question, conventions)
    return different("neither of two readings") if outcomes == {"different"} else unread


def _outcomes(mine: Reading, theirs: Reading, question: str, conventions: Conventions) -> set[str]:
    """What comes out in each way to read the two."""
    pairs = [(reading_of(text, conventions), theirs) for text in ways_to_read(mine)]
    pairs += [(mine, reading_of(text, conventions)) for text in ways_to_read(theirs)]
    return {compare_readings(*pair, question, conventions).outcome for pair in pairs}


def _unread(reading: Reading) -> Comparison | None:
    if not isinstance(reading.value, Unreadable):
        return None
    return undecided("limit" if reading.value.reason == "limit" else "unreadable")


def _reconsidered(result: Comparison, mine: Reading, theirs: Reading, case: Case) -> Comparison:
    """The outcome by value, unless the question or the spelling casts doubt on it."""
    if result.outcome == "different" and is_tolerated(mine.value, theirs.value, case.question):
        return undecided("tolerance")
    if not result.equal:
        return result
    if rearranged(mine.tokens, theirs.tokens):
        return undecided("words or products")
    if case.conventions.form_sensitive == "on" and case.asks(*_FORM_WORDS):
        return undecided("form_sensitive")
    return result
