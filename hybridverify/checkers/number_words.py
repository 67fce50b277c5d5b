"""English number words: "seven", "twenty-one", "two hundred and five"."""

from __future__ import annotations

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_VALUES = {word: value for value, word in enumerate(_ONES.split())}
_VALUES |= {word: 10 * value for value, word in enumerate(_TENS.split(), 2)}
_SCALES = {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_MAX_LENGTH = 100


def read_words(text: str) -> str:
    """The digits of a number in words, "" for any other text.

    >>> read_words("Twenty-one"), read_words("two hundred and five"), read_words("one two"), read_words("ones")
    ('21', '205', '', '')
    """
    if len(text) > _MAX_LENGTH or not text[:1].isalpha():
        return ""
    words = text.lower().rstrip(".").replace("-", " ").split()
    if not words or any(
        word not in _VALUES and word not in _SCALES and word not in ("hundred", "and") for word in words
    ):
        return ""
    total = part = 0
    last = ""
    for word in words:
        if not _may_follow(last, word):
            return ""
        if word in _VALUES:
            part += _VALUES[word]
        elif word == "hundred":
            part *= 100
        elif word in _SCALES:
            total, part = total + part * _SCALES[word], 0
        last = word
    return "" if last == "and" else str(total + part)


def _may_follow(last: str, word: str) -> bool:
    """English order: ones behind tens, tens behind hundreds, nothing behind ones but a scale."""
    if word == "and":
        return last == "hundred" or last in _SCALES
    if word == "hundred":
        return 0 < _VALUES.get(last, 0) < 20
    if word in _SCALES:
        return last == "hundred" or _VALUES.get(last, 0) > 0
    if last in ("", "and", "hundred") or last in _SCALES:
        return word != "zero" or last == ""
    return _VALUES.get(last, 0) >= 20 and 0 < _VALUES[word] < 10
