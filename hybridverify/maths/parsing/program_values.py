"""Values as programs print them: `[1, 'a']`, `(2, None)`, `{3: [4]}`. Nothing is evaluated."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

_MAX, _MAX_DEPTH, _MAX_DIGITS = 2_000, 12, 60
_FEW = 100
"""A number may be rounded by the hundredth part of it."""
_QUOTES = "'\""
_OPENING = frozenset("[({'\"")
_CLOSING = {"[": "]", "(": ")", "{": "}"}
_NAMES = frozenset(("True", "False", "None"))
_ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", "'": "'", '"': '"'}

Value: TypeAlias = "tuple[object, ...]"
"""A kind and what it holds: texts, numbers and names are one each; a list, a tuple, a set or a mapping holds values."""


def program_value(text: str) -> Value | None:
    """The value that the text writes, None for any other text and for a number alone.

    >>> program_value("['a', 1.0]") == program_value('["a", 1]'), program_value("[1]") == program_value("(1,)")
    (True, False)
    >>> program_value("[1, x]"), program_value("'it's'")
    (None, None)
    """
    text = text.strip()
    if not 1 < len(text) <= _MAX or not (text[0] in _OPENING or text in _NAMES):
        return None
    try:
        return _Reader(text).whole()
    except _Unread:
        return None


def holds_texts(value: Value) -> bool:
    """Does it hold a text, a name of a program or a mapping, so that nobody takes it for mathematics?"""
    if value[0] in ("text", "name", "mapping"):
        return True
    return value[0] != "number" and any(isinstance(part, tuple) and holds_texts(part) for part in value[1:])


def may_be_rounded(one: object, other: object) -> bool:
    """Are the two one value but for decimals that lie within a hundredth of one another?

    >>> may_be_rounded(program_value("[1, 0.667]"), program_value("[1, 0.6666]"))
    True
    """
    if not isinstance(one, tuple) or not isinstance(other, tuple):
        return _are_near(one, other) if isinstance(one, Fraction) is isinstance(other, Fraction) else False
    return len(one) == len(other) and all(map(may_be_rounded, one, other))


def _are_near(one: object, other: object) -> bool:
    if not isinstance(one, Fraction) or not isinstance(other, Fraction) or one == other:
        return one == other
    decimals = one.denominator > 1 or other.denominator > 1
    return decimals and _FEW * abs(one - other) <= max(abs(one), abs(other))


class _Unread(Exception):
    """The text is no value of a program."""


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def whole(self) -> Value:
        value = self.value(0)
        if self.at < len(self.text):
            raise _Unread
        return value

    def value(self, depth: int) -> Value:
        if depth > _MAX_DEPTH:
            raise _Unread
        sign = self.peek()
        if sign in _CLOSING:
            return self.container(depth)
        return self.quoted() if sign and sign in _QUOTES else self.word()

    def peek(self) -> str:
        """The sign that comes next, blanks left out; "" at the end."""
        while self.text[self.at : self.at + 1] in (" ", "\n"):
            self.at += 1
        return self.text[self.at : self.at + 1]

    def takes(self, sign: str) -> bool:
        found = self.peek() == sign
        self.at += found
        return found

    def quoted(self) -> Value:
        quote, told = self.text[self.at], ""
        self.at += 1
        while (char := self.text[self.at : self.at + 1]) != quote:
            if char == "\\":
                self.at += 1
                char = _ESCAPES.get(self.text[self.at : self.at + 1], "")
            if not char:
                raise _Unread
            told += char
            self.at += 1
        self.at += 1
        self.peek()
        return ("text", told)

    def word(self) -> Value:
        """A number, or a name that programs have for a value."""
        start = self.at
        while self.text[self.at : self.at + 1] not in ("", ",", ":", "]", ")", "}", " ", "\n"):
            self.at += 1
        told = self.text[start : self.at]
        self.peek()
        if told in _NAMES:
            return ("name", told)
        digits = told.removeprefix("-")
        plain = digits.replace(".", "", 1)
        if not plain.isascii() or not plain.isdecimal() or len(plain) > _MAX_DIGITS or digits[0] == ".":
            raise _Unread
        return ("number", Fraction(told))

    def container(self, depth: int) -> Value:
        opening = self.text[self.at]
        self.at += 1
        items: list[Value] = []
        keys: list[Value] = []
        comma = False
        while not self.takes(_CLOSING[opening]):
            item = self.value(depth + 1)
            if opening == "{" and self.takes(":"):
                keys.append(item)
                item = self.value(depth + 1)
            items.append(item)
            comma = self.takes(",")
            if not comma and self.peek() != _CLOSING[opening]:
                raise _Unread
        self.peek()
        return _contained(opening, keys, items, comma)


def _contained(opening: str, keys: list[Value], items: list[Value], comma: bool) -> Value:
    """The value in these brackets. Round ones around one value without a comma only group it."""
    if opening == "(" and len(items) == 1 and not comma:
        return items[0]
    if opening != "{":
        return ("list" if opening == "[" else "tuple", *items)
    if not items or len(keys) == len(items) == len(set(keys)):
        return ("mapping", *sorted(zip(keys, items, strict=True), key=repr))
    if keys or len(set(items)) < len(items):
        raise _Unread
    return ("set", *sorted(items, key=repr))
