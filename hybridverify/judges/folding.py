"""The look of a text, character by character, for parsers of replies and for the code that makes imitations inert.

Both use this module: a decoration that a parser removes from a heading or label must not hide it from that code.
`STRIPPED` removes what every parser strips. `LOOK` removes more, since a judge also recognises a heading in
full-width or Cyrillic letters, or with another colon.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

from hybridverify.gate.fold import LOOKALIKES
from hybridverify.language.wrapping import INVISIBLE

STRIPPED = dict.fromkeys(
    [
        0xAD,
        0x34F,
        0x61C,
        0x180E,
        *range(0x200B, 0x2010),
        *range(0x202A, 0x202F),
        *range(0x2060, 0x2070),
        0xFEFF,
    ]
)
"""Invisible characters. Parsers remove them from a reply, wherever they stand."""
_BOLD = ("**", "__")
_EMPHASIS = frozenset("*_`~")
_APOSTROPHES = frozenset("'’ʼ‘´′＇")
_QUOTES = frozenset('"“”„‟＂')
_BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
_LINE_ENDS = frozenset("\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")
_COLONS = frozenset("∶︰։׃፡")
"""Further colons, beside those that Unicode calls so."""
_ANGLES = {"‹": "<", "〈": "<", "⟨": "<", "›": ">", "〉": ">", "⟩": ">", "∣": "|", "｜": "|", "ǀ": "|"}
_MORE_LOOKALIKES = str.maketrans("ԁԛԝѵүԍ", "dqwvyg")
_NAMING = frozenset(("LETTER", "CAPITAL"))
"""One of the two words before a letter, in the name of its character."""
_MOST_KEPT = 20_000
"""The most characters that a table remembers."""


def stripped(text: str) -> str:
    """A reply as parsers read it: without invisible characters and bold marks.

    >>> stripped("**Ver\u200bdict:** No")
    'Verdict: No'
    """
    text = text.translate(STRIPPED)
    for mark in _BOLD:
        text = text.replace(mark, "")
    return text


class Table(dict[int, str]):
    """For `str.translate`: the look of each character, found when it is first met."""

    def __init__(self, look: Callable[[str], str]) -> None:
        super().__init__()
        self._look = look

    def __missing__(self, code: int) -> str:
        found = self._look(chr(code))
        if len(self) < _MOST_KEPT:
            self[code] = found
        return found


def _look(char: str) -> str:
    """ "" for invisible characters and emphasis, else plain small letters and signs."""
    if char in _LINE_ENDS:
        return "\n"
    if char.isspace() or char in _BLANK_LETTERS:
        return " "
    if _counts_nothing(char):
        return ""
    if char in _QUOTES:
        return '"'
    name = unicodedata.name(char, "")
    if char in _COLONS or f" {name}".endswith(" COLON"):
        return ":"
    if char in _ANGLES:
        return _ANGLES[char]
    return _plain_letter(char, name)


def _counts_nothing(char: str) -> bool:
    """Invisible characters, accents, emphasis and apostrophes."""
    is_accent = unicodedata.category(char)[0] == "M"
    return _is_unseen(char) or is_accent or char in _EMPHASIS or char in _APOSTROPHES


def _is_unseen(char: str) -> bool:
    code = ord(char)
    return code in STRIPPED or code in INVISIBLE or unicodedata.category(char) in ("Cf", "Cc")


def _plain_letter(char: str, name: str) -> str:
    if not char.isascii() and ("LATIN" in name or "REGIONAL" in name):
        *before, letter = name.partition(" WITH ")[0].split()
        if len(letter) == 1 and not _NAMING.isdisjoint(before[-2:]):
            return letter.lower()
    decomposed = unicodedata.normalize("NFKD", char)
    bare = "".join(each for each in decomposed if unicodedata.category(each)[0] != "M")
    return bare.casefold().translate(LOOKALIKES).translate(_MORE_LOOKALIKES)


def _strip(char: str) -> str:
    return "" if _is_unseen(char) or char in "*_" else char


LOOK = Table(_look)
"""For headings and labels: case, width, accents, look-alike letters, emphasis, blanks and colons do not count."""
BARE = Table(_strip)
"""For what a parser reads letter by letter: only the characters that it strips do not count."""


def places(text: str, table: Table) -> list[int]:
    """For each character of `text.translate(table)`, the place in `text` that it comes from."""
    found: list[int] = []
    for at, char in enumerate(text):
        found += [at] * len(table[ord(char)])
    return found


def without_unseen(text: str) -> str:
    """The text without invisible characters."""
    return "".join(char for char in text if LOOK[ord(char)] or char in _APOSTROPHES or char in _EMPHASIS)


def without_decoration(text: str) -> str:
    """The text without emphasis, too."""
    return "".join(char for char in text if LOOK[ord(char)] or char in _APOSTROPHES)
