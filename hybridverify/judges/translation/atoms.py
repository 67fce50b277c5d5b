r"""A text as the atoms that carry its meaning: numbers, letters, names, units, signs.
Layout is none of them.

A word and the sign that is written for it give the same atom: "minus two thirds" and `-\frac{2}{3}`. Nothing is
evaluated: 5/8 has the atoms 5 and 8, and 0.625 has another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from hybridverify.judges.translation.senses import ANNOUNCING, CALLED, FREE, HEDGES, NEGATIONS, SENSES
from hybridverify.judges.translation.signs import COMMAND_SENSES, RELATION_SENSES, SIGN_SENSES, STYLES
from hybridverify.judges.translation.spelling import greek, plain_number, plain_text, unit_name
from hybridverify.language.asked import stem
from hybridverify.language.languages import PREDICATES
from hybridverify.language.number_words import NUMBER_WORDS, read_words
from hybridverify.maths.notation import vocabulary as known
from hybridverify.maths.units.reading import singular
from hybridverify.maths.units.table import CASED, UNITS
from hybridverify.maths.units.words import POWERS


class Atom(NamedTuple):
    """One piece of meaning. `at` is its place among the pieces of the text."""

    kind: str
    value: str
    at: int = 0


_MAX_RUN = 10
_PIECE = re.compile(
    r"(?P<command>\\[A-Za-z]+|\\[$%])"
    r"|(?P<number>\d+(?:(?:,|\{,\}|\\,|[\u2009\u202f\xa0 ])\d{3}(?!\d))*(?:\.\d+)?|\.\d+)"
    r"|(?P<cjk>[\u3400-\u9fff])"
    r"|(?P<word>[^\W\d_\u3400-\u9fff]+(?:['’]t\b)?)"
    r"|(?P<sign>\*\*|<=|>=|!=|[^\s\w])"
)
_FREE_CJK = frozenset("是的了为為在和与與有个個")
_VALUES = re.compile(r"[\d\\<>=^]")
_VERBS = PREDICATES | frozenset(("that", "which", "who", "是", "为", "為"))
_ARTICLES = frozenset(("a", "A", "I"))


@lru_cache(maxsize=2048)
def atoms_of(text: str) -> tuple[Atom, ...]:
    r"""The atoms in the order of the text.

    >>> [atom[:2] for atom in atoms_of("minus two thirds")] == [atom[:2] for atom in atoms_of(r"-\frac{2}{3}")]
    False
    >>> sorted({atom[:2] for atom in atoms_of("-12.5 m/s")})
    [('number', '12.5'), ('sign', 'division'), ('sign', 'minus'), ('unit', 'm'), ('unit', 's')]
    """
    plain = plain_text(text)
    pieces = [(found.lastgroup or "", found[0], found.start()) for found in _PIECE.finditer(plain)]
    return tuple(_Lexer(plain, pieces).atoms())


def breaks_of(text: str) -> frozenset[int]:
    """The places of verbs that make a sentence of a phrase, and of stops."""
    pieces = _PIECE.finditer(plain_text(text))
    told = enumerate((found.lastgroup, found[0].lower()) for found in pieces)
    return frozenset(
        place for place, (kind, piece) in told if piece in _VERBS or (kind == "sign" and piece in ".,;:()")
    )


class _Lexer:
    """Goes through the pieces of a text from left to right."""

    def __init__(self, text: str, pieces: list[tuple[str, str, int]]) -> None:
        self.text, self.pieces = text, pieces
        self.at = 0
        self.values = bool(_VALUES.search(text)) or any(p[1].lower() in NUMBER_WORDS - FREE for p in pieces)
        """Where a text has none, "more" and "least" are words like others."""
        self.money = text.replace("\\$", "").count("$") % 2 == 1
        """An odd dollar is no mark of mathematics."""

    def atoms(self) -> Iterator[Atom]:
        while self.at < len(self.pieces):
            kind, piece, _ = self.pieces[self.at]
            begin = self.at
            self.at += 1
            for sense, value in getattr(self, f"_{kind}")(piece):
                yield Atom(sense, value, begin)

    def _number(self, piece: str) -> Iterator[tuple[str, str]]:
        digits = re.sub(r"[^\d.]", "", piece)
        yield "number", plain_number(digits)

    def _cjk(self, piece: str) -> Iterator[tuple[str, str]]:
        if piece not in _FREE_CJK:
            yield ("negation", "") if piece in "不非没無无未" else ("word", piece)

    def _sign(self, piece: str) -> Iterator[tuple[str, str]]:
        place = self.pieces[self.at - 1][2]
        before, behind = self.text[place - 1 : place], self.text[place + 1 : place + 2]
        if piece == "$":
            if self.money:
                yield "currency", "$"
        elif piece == "-" and before.isalpha() and behind.isalpha():
            return  # a hyphen
        elif (piece == ":" and self._is_label(before)) or (
            piece == "!" and not (before.isalnum() or before in ")}")
        ):
            return
        elif piece in SIGN_SENSES:
            yield SIGN_SENSES[piece]
        elif piece in "=":
            yield "equals", ""

    def _is_label(self, before: str) -> bool:
        """`area: 5` divides nothing."""
        kind, piece, _ = self.pieces[self.at - 2] if self.at > 1 else ("", "", 0)
        return (not before.strip() and kind != "number") or (kind == "word" and len(piece) > 1)

    def _command(self, piece: str) -> Iterator[tuple[str, str]]:
        name = piece[1:]
        name = known.COMMANDS.get(name, name)
        if name in ("mathbb", "Bbb", "mathds"):
            yield from self._number_set()
            return
        if name in ("$", "%"):
            yield ("currency", "$") if name == "$" else ("sign", "percent")
        elif name in known.GREEK:
            yield "letter", name.removeprefix("var")
        elif name in known.CONSTANTS:
            yield "const", known.CONSTANTS[name]
        elif name in known.FUNCTIONS:
            yield "function", known.FUNCTIONS[name]
        elif name in known.RELATIONS:
            sign = known.RELATIONS[name]
            yield RELATION_SENSES.get(sign, ("bound", sign))
        elif name in COMMAND_SENSES:
            yield COMMAND_SENSES[name]
        elif name in CALLED:
            yield "function", CALLED[name]
        elif name in SENSES:
            yield from SENSES[name]
        elif name in known.DOTS:
            yield "dots", ""
        elif name == "div":
            yield "sign", "division"
        elif name not in STYLES and not name.endswith(("space", "arrow")):
            yield "command", name

    def _number_set(self) -> Iterator[tuple[str, str]]:
        ahead = [piece for _, piece, _ in self.pieces[self.at : self.at + 3] if piece not in "{}"]
        if ahead and ahead[0] in known.NUMBER_SETS:
            self.at += 1 + (self.pieces[self.at][1] == "{")
            yield "set", ahead[0]

    def _word(self, piece: str) -> Iterator[tuple[str, str]]:
        low = piece.casefold().replace("’", "'")
        number = [] if low == "one" and self._is_pronoun() else self._spoken(low)
        if number:
            yield from number
        elif low in HEDGES:
            yield "hedge", low
        elif low in NEGATIONS or low.endswith("n't"):
            yield "negation", low
        elif low in CALLED and self._is_called():
            yield "function", CALLED[low]
        elif low in SENSES and self._has_sense(piece):
            yield from SENSES[low]
        elif len(piece) == 1 and not piece.isascii():
            yield "letter", greek(piece) or piece
        elif piece in known.FUNCTIONS or low in known.FUNCTIONS:
            yield "function", known.FUNCTIONS.get(piece) or known.FUNCTIONS[low]
        elif low in known.CONSTANTS:
            yield "const", known.CONSTANTS[low]
        elif piece in known.GREEK and piece.islower():
            yield "letter", piece
        elif self._is_unit(piece):
            yield "unit", unit_name(piece)
        elif len(piece) == 1:
            if not (piece in _ARTICLES and self._in_prose()):
                yield "letter", piece
        elif self._is_product(piece):
            yield from (("letter", letter) for letter in piece)
        elif low not in FREE and low not in ("one", "ones"):
            yield "word", stem(low)

    def _spoken(self, low: str) -> list[tuple[str, str]]:
        """The numbers of the longest run of number words that begins here."""
        if low not in NUMBER_WORDS or low in ("and", "a", "point", "minus", "negative", "plus"):
            return []
        run = [low]
        best: tuple[int, str] = (0, "")
        for ahead in range(_MAX_RUN):
            value = read_words(" ".join(run))
            best = (ahead, value) if value else best
            following = self.at + ahead
            while following < len(self.pieces) and self.pieces[following][1] == "-":
                break
            if following >= len(self.pieces) or self.pieces[following][1].lower() not in NUMBER_WORDS | {"-"}:
                break
            run.append(self.pieces[following][1].lower())
        if not best[1]:
            return []
        self.at += best[0]
        parts = best[1].split("/")
        told = [("number", plain_number(part)) for part in parts]
        return [told[0], ("sign", "division"), told[1]] if len(told) == 2 else told

    def _is_pronoun(self) -> bool:
        """`the right one`: behind an article or a word that announces no value."""
        kind, piece, _ = self.pieces[self.at - 2] if self.at > 1 else ("", "", 0)
        low = piece.lower()
        bare = low in ("the", "this", "that") or low not in FREE | ANNOUNCING | NUMBER_WORDS
        return kind == "word" and len(piece) > 1 and bare

    def _has_sense(self, piece: str) -> bool:
        """Not in a name, no bound where there is no value, and no power but of a unit."""
        low = piece.lower()
        if piece[0].isupper() and self.at > 1:
            return False
        if low in POWERS:
            following = self.pieces[self.at][1] if self.at < len(self.pieces) else ""
            return singular(following) in UNITS
        return self.values or SENSES[low][0][0] != "bound"

    def _is_called(self) -> bool:
        return self.at < len(self.pieces) and self.pieces[self.at][1] == "("

    def _is_unit(self, piece: str) -> bool:
        """A word of the table of units; a letter only right behind a number, a slash or another unit."""
        if piece not in CASED and piece.lower() not in UNITS and singular(piece) not in UNITS:
            return False
        if len(piece) > 3 or piece.lower() in ("kg", "km", "cm", "mm", "mol", "hr"):
            return True
        before = self.pieces[self.at - 2] if self.at > 1 else ("", "", 0)
        gap = self.text[before[2] + len(before[1]) : self.pieces[self.at - 1][2]]
        if before[0] == "number":
            return len(piece) > 1 or gap != "" or piece in "LlgmsWJVNhKCF"
        if before[1] in ("/", "per"):
            return self._after_unit()
        style = self.pieces[self.at - 3][1][1:] if self.at > 2 and before[1] == "{" else ""
        return style in known.TEXT_STYLES | known.STYLES and self._after_unit()

    def _after_unit(self) -> bool:
        earlier = [
            piece for kind, piece, _ in self.pieces[max(0, self.at - 5) : self.at - 1] if kind != "sign"
        ]
        return any(piece in CASED or singular(piece) in UNITS or piece[:1].isdigit() for piece in earlier)

    def _is_product(self, piece: str) -> bool:
        """`cx` in `cx^2`: up to three letters that touch a sign, or stand among signs."""
        if len(piece) > 3 or not piece.isascii() or piece.lower() in known.NOT_PRODUCTS | FREE:
            return False
        place = self.pieces[self.at - 1][2]
        around = self.text[place - 1 : place] + self.text[place + len(piece) : place + len(piece) + 1]
        return any(sign.isdigit() or sign in "^_()+-*/=<>{}\\" for sign in around)

    def _in_prose(self) -> bool:
        """An article: the next piece is a word."""
        following = self.pieces[self.at] if self.at < len(self.pieces) else ("", "", 0)
        return following[0] == "word" and len(following[1]) > 1
