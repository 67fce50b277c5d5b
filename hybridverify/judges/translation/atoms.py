r"""A text as the atoms that carry its meaning: numbers, letters, names, units, signs. Layout is no atom.

A word and the sign for it give the same atom: "minus two thirds" and `-\frac{2}{3}`. Nothing is evaluated: 5/8 has
the atoms 5 and 8, and 0.625 has another.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from hybridverify.judges.translation.commands import NUMBER_SET_STYLES, of_command
from hybridverify.judges.translation.place import Place
from hybridverify.judges.translation.senses import CALLED, FREE, HEDGES, NEGATIONS, SENSES
from hybridverify.judges.translation.signs import FUNCTIONS, SIGN_SENSES, TABLES
from hybridverify.judges.translation.spelling import greek, plain_number, plain_text, unit_name
from hybridverify.language import expressions as re
from hybridverify.language.languages import PREDICATES
from hybridverify.language.number_words import NUMBER_WORDS, read_place, read_words
from hybridverify.language.word_forms import singular
from hybridverify.maths.notation import vocabulary as known


class Atom(NamedTuple):
    """One piece of meaning. `at` is its place among the pieces of the text."""

    kind: str
    value: str
    at: int = 0


Read: TypeAlias = "list[tuple[str, str]] | None"
"""The atoms that a way of reading makes of a word; None if it does not apply to the word."""
_MAX_RUN = 10
_PIECE = re.compile(
    r"(?P<command>\\[A-Za-z]+|\\[$%])"
    r"|(?P<number>\d+(?:(?:,|\{,\}|\\,|[\u2009\u202f\xa0 ])\d{3}(?!\d))*(?:\.\d+)?|\.\d+)"
    r"|(?P<cjk>[\u3400-\u9fff])"
    r"|(?P<word>[^\W\d_\u3400-\u9fff]+(?:['’]t\b)?)"
    r"|(?P<sign>\*\*|<=|>=|!=|[^\s\w])"
)
_FREE_CJK = frozenset("是的了为為在和与與有个個")
_VERBS = PREDICATES - known.words("also both either maybe perhaps possibly between") | frozenset(
    ("that", "which", "who", "是", "为", "為")
)
_ORDINAL_ENDINGS = frozenset(("st", "nd", "rd", "th"))
_ARTICLES = frozenset(("a", "A", "I"))
_NO_BEGINNING = ("and", "a", "point", "minus", "negative", "plus")
"""Number words that no number begins with."""


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


def verbs_of(text: str) -> frozenset[int]:
    """The places of verbs that turn a phrase into a sentence."""
    pieces = enumerate(found[0].lower() for found in _PIECE.finditer(plain_text(text)))
    return frozenset(place for place, piece in pieces if piece in _VERBS)


class _Lexer(Place):
    """Reads the pieces of a text from left to right."""

    def atoms(self) -> Iterator[Atom]:
        while self.at < len(self.pieces):
            kind, piece, _ = self.pieces[self.at]
            begin = self.at
            self.at += 1
            for sense, value in getattr(self, f"_{kind}")(piece):
                yield Atom(sense, value, begin)

    def _number(self, piece: str) -> Iterator[tuple[str, str]]:
        digits = re.sub(r"[^\d.]", "", piece)
        if self.at < len(self.pieces) and self._is_ordinal(piece):
            self.at += 1
        yield "number", plain_number(digits)

    def _is_ordinal(self, piece: str) -> bool:
        """Whether the next piece is the ending of an ordinal, as in 3rd."""
        _, ending, place = self.pieces[self.at]
        joined = place == self.pieces[self.at - 1][2] + len(piece)
        return joined and ending.lower() in _ORDINAL_ENDINGS

    def _cjk(self, piece: str) -> Iterator[tuple[str, str]]:
        if piece not in _FREE_CJK:
            yield ("negation", "") if piece in "不非没無无未" else ("word", piece)

    def _sign(self, piece: str) -> Iterator[tuple[str, str]]:
        if self._is_layout(piece):
            return
        if piece == "$":
            yield "currency", "$"
        elif piece in ("^", "**") and self.at == len(self.pieces):
            yield "sign", "degree"  # the sign after it was lost
        elif piece in SIGN_SENSES:
            yield SIGN_SENSES[piece]
        elif piece == "=":
            yield "equals", ""

    def _is_layout(self, sign: str) -> bool:
        """A mark of mathematics, a hyphen, a colon behind a label, or an exclamation mark."""
        place = self.pieces[self.at - 1][2]
        before, following = self.text[place - 1 : place], self.text[place + 1 : place + 2]
        if sign == "$":
            return not self.money
        if sign == "-":
            return before.isalpha() and following.isalpha()
        if sign == ":":
            return self.is_label(before)
        return sign == "!" and not (before.isalnum() or before in ")}!")

    def _command(self, piece: str) -> Iterator[tuple[str, str]]:
        name = known.COMMANDS.get(piece[1:], piece[1:])
        yield from self._number_set() if name in NUMBER_SET_STYLES else of_command(name)

    def _number_set(self) -> Iterator[tuple[str, str]]:
        ahead = [piece for _, piece, _ in self.pieces[self.at : self.at + 3] if piece not in "{}"]
        if ahead and ahead[0] in known.NUMBER_SETS:
            self.at += 1 + (self.pieces[self.at][1] == "{")
            yield "set", ahead[0]

    def _word(self, piece: str) -> Iterator[tuple[str, str]]:
        low = piece.casefold().replace("’", "'")
        for read in (self._counted, self._turning, self._sensed, self._symbol, self._lettered):
            found = read(piece, low)
            if found is not None:
                yield from found
                return
        if low not in FREE and low not in ("one", "ones"):
            yield "word", singular(low)

    def _counted(self, _piece: str, low: str) -> Read:
        if place := self._place_in_row(low):
            return [("number", str(place))]
        return (not (low == "one" and self.is_pronoun()) and self._spoken(low)) or None

    def _place_in_row(self, low: str) -> int:
        """The number of "fifteenth" or "twenty-first", 0 for any other word. "A fifth" is a share."""
        joined, last = (*(piece.lower() for _, piece, _ in self.pieces[self.at : self.at + 2]), "", "")[:2]
        place = read_place(f"{low}-{last}") if joined == "-" else 0
        if place:
            self.at += 2
            return place
        return read_place(low) if self.is_place(low) else 0

    def _turning(self, _piece: str, low: str) -> Read:
        """Doubts and denials."""
        if low in HEDGES:
            return [("hedge", low)]
        return [("negation", low)] if low in NEGATIONS or low.endswith("n't") else None

    def _sensed(self, piece: str, low: str) -> Read:
        """Words that stand for a sign or an operator."""
        if low in TABLES and self.is_table():
            return []
        if low in CALLED and self.is_called():
            return [("function", CALLED[low])]
        return SENSES[low] if low in SENSES and self.has_sense(piece) else None

    def _symbol(self, piece: str, low: str) -> Read:
        """Letters of other alphabets, names of functions, constants and Greek letters."""
        if len(piece) == 1 and not piece.isascii():
            return [self._foreign_letter(piece)]
        if function := FUNCTIONS.get(piece) or FUNCTIONS.get(low):
            return [("function", function)]
        if low in known.CONSTANTS:
            return [("const", known.CONSTANTS[low])]
        return [("letter", piece)] if piece in known.GREEK and piece.islower() else None

    def _foreign_letter(self, piece: str) -> tuple[str, str]:
        name = greek(piece) or piece
        return ("unit", "ohm") if name == "Omega" and self.is_behind_number() else ("letter", name)

    def _lettered(self, piece: str, _low: str) -> Read:
        """Units, single letters and products of letters."""
        if self.is_unit(piece):
            return [("unit", unit_name(piece))]
        if len(piece) == 1:
            return [] if piece in _ARTICLES and self.in_prose() else [("letter", piece)]
        return [("letter", letter) for letter in piece] if self.is_product(piece) else None

    def _spoken(self, low: str) -> list[tuple[str, str]]:
        """The numbers of the longest run of number words that begins here."""
        if low not in NUMBER_WORDS or low in _NO_BEGINNING:
            return []
        taken, value = self._longest_number(low)
        if not value:
            return []
        self.at += taken
        parts = value.split("/")
        told = [("number", plain_number(part)) for part in parts]
        return [told[0], ("sign", "division"), told[1]] if len(told) == 2 else told

    def _longest_number(self, first: str) -> tuple[int, str]:
        """How many pieces after the first word belong to its number, and the value; "" without one."""
        run = [first]
        best: tuple[int, str] = (0, "")
        for ahead in range(_MAX_RUN):
            value = read_words(" ".join(run))
            best = (ahead, value) if value else best
            following = self._number_word(self.at + ahead)
            if not following:
                break
            run.append(following)
        return best

    def _number_word(self, place: int) -> str:
        """The number word or hyphen at this place, or ""."""
        word = self.pieces[place][1].lower() if place < len(self.pieces) else ""
        return word if word == "-" or word in NUMBER_WORDS else ""
