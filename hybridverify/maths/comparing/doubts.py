"""Doubts that the spelling casts on what two values say: words that look like products, a fraction typed on a line."""

from __future__ import annotations

import unicodedata

from hybridverify.language import expressions as re
from hybridverify.maths import numerals
from hybridverify.maths.comparing.coordinates import named_apart
from hybridverify.maths.comparing.other_spellings import decimals_apart, one_decimal, scaled_apart
from hybridverify.maths.comparing.program_rules import are_printed_apart
from hybridverify.maths.comparing.rules import Case
from hybridverify.maths.comparing.sought_names import names_another_bracket
from hybridverify.maths.notation.magnitudes import in_words
from hybridverify.maths.notation.tokenlists import Notation
from hybridverify.maths.notation.vocabulary import VOWELS
from hybridverify.maths.parsing.reading import Reading, answer_reading, reading_of, reference_reading
from hybridverify.maths.values.kinds import Proportion, Text, Tuple, Unreadable

_TWO_READINGS = re.compile(
    r"[-+]\s?[-+]|(?:sin|cos|tan|cot|sec|csc|(?<![A-Za-z])[fgh])\s?\^\s?\{?\s?-\s?1(?!\d)"
    r"(?!\s?\}?\s?\([a-z]\)\s?=)"
)
"""Two signs in a row, which may be a plus-minus; an exponent that may mean the inverse function. `f^{-1}(x) =` does."""
_MAX_SCALED = 40
_OF_PROGRAMS = ("'", '"', "[", "(", "{")
"""How values of programs begin that are not plain words or numbers."""
_YEAR = 4


def may_be_read_otherwise(mine: Reading, theirs: Reading, case: Case) -> bool:
    """Is one of the two written in a way that others read as another value?"""
    texts = mine.text, theirs.text
    if any(map(_TWO_READINGS.search, texts)) or one_decimal(*texts):
        return True
    if _tells_both(*texts) or _tells_both(*texts[::-1]):
        return True
    if any(
        turned(*pair, case)
        for turned in (_is_grouped, _is_joined, _is_scaled)
        for pair in ((mine, theirs), (theirs, mine))
    ):
        return True
    return _is_continued_fraction(*texts) or is_loose_quotient(mine, theirs, case)


def _tells_both(one: str, other: str) -> bool:
    """`1960/1980` may name two years, and `775/775 rooms` tells one number twice."""
    for parts in _quotients(one):
        if other in parts and all(map(_is_year, parts)):
            return True
        if len(set(parts)) == 1 and other.split()[:1] == parts[:1]:
            return True
    return False


def _is_grouped(one: Reading, other: Reading, case: Case) -> bool:
    """`(1,204)` beside 1204: a number in brackets, or two numbers."""
    inner = one.text[1:-1]
    if one.text[:1] not in ("(", "[") or "," not in inner or numerals.read(inner) is None:
        return False
    return case.same(reading_of(inner, case.conventions).value, other.value).equal


def mean_others(mine: Reading, theirs: Reading, written: tuple[str, str], question: str) -> bool:
    """May two texts of equal values mean others: `N(0,1)` and `U(0,1)`, odds of 5:1 and `6-1`? `written`: the reference
    and the answer as they were."""
    if type(mine.value) is Tuple and named_apart(*written):
        return True
    if type(mine.value) is Proportion and is_hyphenated(theirs.text):
        return True
    if type(theirs.value) is Proportion and is_hyphenated(mine.text):
        return True
    if type(mine.value) is type(theirs.value) is Text and _loses_accents(*written):
        return True
    return bool(question) and _are_asked_apart(mine.text, theirs.text, written, question)


def _loses_accents(reference: str, answer: str) -> bool:
    """May a word without its accents be another word: `hablo` for `habló`? A name with a capital stays one."""
    if reference.isascii() or not answer.isascii():
        return False
    small = (word for word in reference.split() if word[:1].islower())
    return any(map(unicodedata.combining, unicodedata.normalize("NFKD", " ".join(small))))


def _are_asked_apart(reference: str, answer: str, written: tuple[str, str], question: str) -> bool:
    """Does the question tell the two apart: as what a program prints, by its scale or its decimal comma?"""
    printed = " " in written[0] or written[0][:1] in _OF_PROGRAMS
    if printed and are_printed_apart(*written, question):
        return True
    if any(names_another_bracket(text, question) for text in (reference, answer)):
        return True
    if " " in written[1] and scaled_apart(*written, question):
        return True
    return "," in answer and decimals_apart(reference, answer, question)


def _is_joined(one: Reading, other: Reading, case: Case) -> bool:
    """`2-3/4` for two and three quarters, `5-1` for five to one: the hyphen may be no minus."""
    if not is_hyphenated(one.text):
        return False
    told = one.text.replace("-", " " if "/" in one.text else ":")
    return case.same(reading_of(told, case.conventions).value, other.value).equal


def is_hyphenated(text: str) -> bool:
    """`5-1`, `2-3/4`: two whole numbers, or one and a fraction, with a hyphen or a minus between them."""
    if "-" not in text:
        return False
    first, _, second = text.partition("-")
    return first.isdigit() and second.replace("/", "", 1).isdigit()


def _is_scaled(one: Reading, other: Reading, case: Case) -> bool:
    """`4B` beside 4 billion: the letter may be a scale."""
    text = in_words("$" + one.text).removeprefix("$")
    if text == one.text or len(text) > _MAX_SCALED:
        return False
    return case.same(reading_of(text, case.conventions).value, other.value).equal


def _is_continued_fraction(one: str, other: str) -> bool:
    """`[2; 3, 4]` beside another form of it, which has other numbers."""
    depths = [text.count(",") if _continues(text) else -1 for text in (one, other)]
    return depths[0] != depths[1]


def _continues(text: str) -> bool:
    whole, semicolon, rest = text.removeprefix("[").removesuffix("]").partition(";")
    numbers = [whole.removeprefix("-"), *rest.split(",")]
    return bool(semicolon) and text[:1] + text[-1:] == "[]" and all(one.strip().isdigit() for one in numbers)


def is_loose_quotient(mine: Reading, theirs: Reading, case: Case) -> bool:
    """`x+1/x-1` typed for a fraction of two sums: by the letter it is another formula."""
    for one, other in ((mine, theirs), (theirs, mine)):
        quotient = _of_sums(one.text)
        if not quotient:
            continue
        read = reference_reading if one is mine else answer_reading
        value = read(quotient, case.conventions).value
        pair = (value, other.value) if one is mine else (other.value, value)
        if not isinstance(value, Unreadable) and case.same(*pair).equal:
            return True
    return False


def _of_sums(text: str) -> str:
    """A quotient with its sums in brackets, "" for any other text."""
    name, equals, value = text.rpartition("=")
    top, slash, bottom = value.partition("/")
    if not slash or "/" in bottom or "(" in value or not (_is_sum(top) or _is_sum(bottom)):
        return ""
    return f"{name}{equals}({top})/({bottom})"


def _quotients(text: str) -> list[list[str]]:
    return [word.split("/") for word in text.replace(",", " ").split() if "/" in word]


def _is_year(text: str) -> bool:
    return len(text) == _YEAR and text.isdigit()


def _is_sum(text: str) -> bool:
    return any(sign in text.strip()[1:] for sign in "+-")


def rearranged(mine: Notation, theirs: Notation) -> bool:
    """`2 god` and `2 dog`: runs of letters that may be words are no equal products."""
    first, second = _spellable(mine), _spellable(theirs)
    return first != second and sorted("".join(first)) == sorted("".join(second))


def _spellable(tokens: Notation) -> list[str]:
    runs = (text for kind, text in tokens if kind == "word" and len(text) > 2)
    return sorted(run for run in runs if not VOWELS.isdisjoint(run))
