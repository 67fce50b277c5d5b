"""English number words: "seven", "two hundred and five", "minus five", "two thirds", "one and a half".

Those of other languages are read by foreign_numbers.py.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache, lru_cache

from hybridverify.language.foreign_numbers import first_words, read_foreign, single_words
from hybridverify.language.lexicon.phrases import CUE
from hybridverify.language.magnitudes import VALUES

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_VALUES = {word: value for value, word in enumerate(_ONES.split())}
_VALUES |= {word: 10 * value for value, word in enumerate(_TENS.split(), 2)}
_SCALES = {word: VALUES[word] for word in ("thousand", "million", "billion", "trillion")}
_PARTS = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
          "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fifteenth": 15,
          "sixteenth": 16, "twentieth": 20, "hundredth": 100, "thousandth": 1_000}  # fmt: skip
_PLACES = {"first": 1, "second": 2, "fourth": 4, "third": 3, "thirtieth": 30, "fortieth": 40, "fiftieth": 50,
           "sixtieth": 60, "seventieth": 70, "eightieth": 80, "ninetieth": 90, "fourteenth": 14, "seventeenth": 17,
           "eighteenth": 18, "nineteenth": 19}  # fmt: skip
_PLACES |= {
    word: value
    for word, value in _PARTS.items()
    if word not in ("half", "quarter", "hundredth", "thousandth")
}
_BEFORE_VALUES = frozenset(("", "and", "hundred", *_SCALES))
_SIGNS = {"minus": -1, "negative": -1, "plus": 1}
_ALL = {
    *_VALUES,
    *_SCALES,
    *_PARTS,
    *(part + "s" for part in _PARTS),
    *_SIGNS,
    "hundred",
    "and",
    "point",
    "a",
    "halves",
    "dozen",
}
SHARE_WORDS = frozenset((*_PARTS, *(part + "s" for part in _PARTS), "halves", "percent"))
"""What shares in words are made of."""
NUMBER_WORDS = frozenset(_ALL)
"""What numbers in words are made of."""
_MAX_LENGTH, _MAX_FIGURES = 100, 8


def read_words(text: str) -> str:
    """The digits of a number in words, "" for any other text.

    >>> read_words("Twenty-one"), read_words("two hundred and five"), read_words("one two"), read_words("ones")
    ('21', '205', '', '')
    >>> read_words("minus two thirds"), read_words("one and a half"), read_words("two point five")
    ('-2/3', '3/2', '2.5')
    """
    return _read(text) if text[:1].isalpha() and len(text) <= _MAX_LENGTH else ""


@cache
def number_cues() -> frozenset[str]:
    """How numbers in words begin, by so many letters as `lexicon.phrases.beginnings` gives of each word."""
    return frozenset(word[:CUE] for word in (*NUMBER_WORDS, *first_words()))


@cache
def naming_words() -> frozenset[str]:
    """The words of all languages that say a number, a part or a place in a row by themselves.

    >>> {"seven", "halves", "twentieth", "dodici"} <= naming_words(), "and" in naming_words()
    (True, False)
    """
    return single_words().union(_VALUES, _SCALES, SHARE_WORDS, _PLACES, ("hundred", "dozen"))


@lru_cache(maxsize=4096)  # the same few words stand behind the numbers of many responses
def _read(text: str) -> str:
    words = text.lower().rstrip(".").replace("-", " ").split()
    if any(word not in _ALL for word in words):
        return read_foreign(text)
    sign = _SIGNS.get(words[0], 0)
    value = _unsigned(words[1:] if sign else words)
    return "-" + value if value and sign < 0 else value


def _unsigned(words: list[str]) -> str:
    if not words:
        return ""
    if words in (["half"], ["a", "half"]):
        return "1/2"
    if words[-1] == "dozen" and len(words) > 1:
        return _dozens(words[:-1])
    if "point" in words:
        at = words.index("point")
        return _decimal(words[:at], words[at + 1 :])
    for value in (_share(words), _mixed(words), _whole(words)):
        if value is not None:
            return str(value)
    return ""


def read_place(text: str) -> int:
    """The number of a place in a row, 0 for any other text.

    >>> read_place("third"), read_place("twenty-first"), read_place("21st"), read_place("two thirds"), read_place("one")
    (3, 21, 21, 0, 0)
    """
    low = text.lower()
    if low[:-2].isdecimal() and low[-2:] in ("st", "nd", "rd", "th") and len(low) < _MAX_FIGURES:
        return int(low[:-2])
    ten, _, one = low.rpartition("-") if "-" in low else low.rpartition(" ")
    place = _PLACES.get(one, 0)
    if not ten:
        return place
    tens = _VALUES.get(ten, 0)
    return tens + place if tens >= 20 and 0 < place < 10 else 0


def _mixed(words: list[str]) -> Fraction | None:
    """ "two and three quarters"."""
    for at in range(len(words) - 1, 0, -1):
        if words[at] == "and":
            whole, share = _whole(words[:at]), _share(words[at + 1 :])
            if whole is not None and share is not None and share < 1:
                return whole + share
    return None


def _dozens(words: list[str]) -> str:
    count = {"a": "1", "half a": "1/2"}.get(" ".join(words)) or _unsigned(words)
    return str(12 * Fraction(count)) if count else ""


def _decimal(before: list[str], after: list[str]) -> str:
    whole, digits = _whole(before), [_VALUES.get(word, 10) for word in after]
    if whole is None or not digits or max(digits) > 9:
        return ""
    return f"{whole}.{''.join(map(str, digits))}"


def _share(words: list[str]) -> Fraction | None:
    """A fraction: "a third", "one half", "five eighths". A "third" alone is a place in a row."""
    if len(words) < 2:
        return None
    top = 1 if words[:-1] == ["a"] else _whole(words[:-1])
    last = {"halves": "halfs"}.get(words[-1], words[-1])
    name = last if top == 1 else last.removesuffix("s")
    if top is None or top < 1 or name not in _PARTS or (top > 1 and name == last):
        return None
    return Fraction(top, _PARTS[name])


def _whole(words: list[str]) -> int | None:
    if not words:
        return None
    total = part = 0
    last = ""
    for word in words:
        if not _may_follow(last, word):
            return None
        if word in _VALUES:
            part += _VALUES[word]
        elif word == "hundred":
            part *= 100
        elif word in _SCALES:
            total, part = total + part * _SCALES[word], 0
        last = word
    return None if last == "and" else total + part


def _may_follow(last: str, word: str) -> bool:
    """English order: ones after tens, tens after hundreds, nothing after ones but a scale."""
    if word == "and":
        return last == "hundred" or last in _SCALES
    if word == "hundred":
        return 0 < _VALUES.get(last, 0) < 20
    if word in _SCALES:
        return last == "hundred" or _VALUES.get(last, 0) > 0
    if last in _BEFORE_VALUES:
        return word in _VALUES and (word != "zero" or last == "")
    return _VALUES.get(last, 0) >= 20 and 0 < _VALUES.get(word, 0) < 10
