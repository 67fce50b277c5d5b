"""The kind of a piece of a text, by its neighbours: a unit, a product of letters, an article, a label."""

from __future__ import annotations

from hybridverify.judges.translation.senses import ANNOUNCING, FREE, SENSES
from hybridverify.language.number_words import NUMBER_WORDS
from hybridverify.language.word_forms import singular
from hybridverify.maths.notation import vocabulary as known
from hybridverify.maths.units.table import CASED, SYMBOLS, UNITS
from hybridverify.maths.units.words import NOT_PRODUCTS, POWERS

Piece = tuple[str, str, int]
"""Kind, text, and start."""
_LETTERS = 6
"""Several letters without signs are choices, or name a figure: `ABC`."""
_PAIR = 2
"""Letters of a product that may stand apart from signs: `ax + b`."""
_JOINED_UNITS = "LlgmsWJVNhKCF"
"""Letters that are units directly behind a number: `5g`."""
_SUM = ("+", "-")
_DEFINITE = frozenset(("the", "his", "her", "its", "their", "my", "our"))
_INDEFINITE = frozenset(("a", "an", "per"))
_VALUE_SIGNS = frozenset("\\<>=^")


def _states_value(text: str) -> bool:
    return any(map(str.isdecimal, text)) or not _VALUE_SIGNS.isdisjoint(text)


class Place:
    """A place in the pieces of a text. `at` is the number of the piece after the present one."""

    def __init__(self, text: str, pieces: list[tuple[str, str, int]]) -> None:
        self.text, self.pieces = text, pieces
        self.at = 0
        self.values = _states_value(text) or any(p[1].lower() in NUMBER_WORDS - FREE for p in pieces)
        """Whether the text states a value. Without one, "more" and "least" are words like others."""
        self.money = text.replace("\\$", "").count("$") % 2 == 1
        """A single dollar is no mark of mathematics."""

    def is_label(self, before: str) -> bool:
        """In `area: 5` the colon divides nothing."""
        kind, piece, _ = self.pieces[self.at - 2] if self.at > 1 else ("", "", 0)
        return (not before.strip() and kind != "number") or (kind == "word" and len(piece) > 1)

    def is_pronoun(self) -> bool:
        """`the right one`: after an article or a word that announces no value."""
        kind, piece, _ = self.pieces[self.at - 2] if self.at > 1 else ("", "", 0)
        low = piece.lower()
        bare = low in ("the", "this", "that") or low not in FREE | ANNOUNCING | NUMBER_WORDS
        return kind == "word" and len(piece) > 1 and bare

    def is_place(self, low: str) -> bool:
        """Whether a word may say a place in a row: after a definite article, before a noun, or alone. A "second" is one
        only before a noun and after no article but the definite one."""
        before = self.pieces[self.at - 2][1].lower() if self.at > 1 else ""
        definite = before in _DEFINITE or not before
        if low == "second":
            return definite and self.in_prose()
        alone = self.at == len(self.pieces) == 1
        return before not in _INDEFINITE and (before in _DEFINITE or self.in_prose() or alone)

    def has_sense(self, piece: str) -> bool:
        """Not in a name, no bound without a value, and a power only of a unit."""
        low = piece.lower()
        if piece[0].isupper() and self.at > 1:
            return False
        if low in POWERS:
            following = self.pieces[self.at][1] if self.at < len(self.pieces) else ""
            return singular(following) in UNITS
        return self.values or SENSES[low][0][0] != "bound"

    def is_behind_number(self) -> bool:
        """Directly after a number, or with a sign of multiplication in between."""
        earlier = self.pieces[max(0, self.at - 3) : self.at - 1]
        signs = [piece for kind, piece, _ in earlier if kind != "number"]
        return bool(earlier) and (
            earlier[-1][0] == "number" or (signs == ["*"] and earlier[0][0] == "number")
        )

    def is_table(self) -> bool:
        """The name of an environment, or of a table in program notation."""
        earlier = [piece for _, piece, _ in self.pieces[max(0, self.at - 3) : self.at - 1]]
        return self.is_called() or earlier in (["\\begin", "{"], ["\\end", "{"])

    def is_called(self) -> bool:
        return self.at < len(self.pieces) and self.pieces[self.at][1] == "("

    def is_unit(self, piece: str) -> bool:
        """A word of the table of units. A letter counts only directly after a number, a slash or another unit."""
        if piece not in CASED and piece.lower() not in UNITS and singular(piece) not in UNITS:
            return False
        return len(piece) > 3 or piece.lower() in ("kg", "km", "cm", "mm", "mol", "hr") or self._behind(piece)

    def _behind(self, piece: str) -> bool:
        """Whether the piece before a short word makes it a unit."""
        before = self.pieces[self.at - 2] if self.at > 1 else ("", "", 0)
        if before[1] == "*" and self.is_behind_number():
            return piece in SYMBOLS.values() and piece.isupper()
        if before[0] == "number":
            return self._is_unit_of(before, piece)
        return (before[1] in ("/", "per") or self._is_styled(before)) and self.after_unit()

    def _is_unit_of(self, number: Piece, piece: str) -> bool:
        """Whether the piece is a unit right behind its number. Few single letters are one without a gap, and none in
        a sum: `2m + 1`."""
        gap = self.text[number[2] + len(number[1]) : self.pieces[self.at - 1][2]]
        return len(piece) > 1 or gap != "" or (piece in _JOINED_UNITS and not self._is_summand())

    def _is_summand(self) -> bool:
        """Whether the number before the piece is added to something, or something to it."""
        following = self.pieces[self.at][1] if self.at < len(self.pieces) else ""
        (kind, first, _), (_, sign, _) = (
            self.pieces[self.at - 4 : self.at - 2] if self.at > 3 else (("", "", 0),) * 2
        )
        return following in _SUM or (sign in _SUM and (kind in ("number", "word") or first in ")}]"))

    def _is_styled(self, before: Piece) -> bool:
        r"""The argument of a style, as in `\mathrm{m}`."""
        style = self.pieces[self.at - 3][1][1:] if self.at > 2 and before[1] == "{" else ""
        return style in known.TEXT_STYLES | known.STYLES

    def after_unit(self) -> bool:
        earlier = [
            piece for kind, piece, _ in self.pieces[max(0, self.at - 5) : self.at - 1] if kind != "sign"
        ]
        return any(piece in CASED or singular(piece) in UNITS or piece[:1].isdigit() for piece in earlier)

    def is_product(self, piece: str) -> bool:
        """`cx` in `cx^2`: up to three letters that touch a sign or stand among signs. Capitals only alone or in
        brackets."""
        if self._is_figure(piece):
            return True
        if len(piece) > 3 or not piece.isascii() or piece.lower() in NOT_PRODUCTS | FREE:
            return False
        return self._is_operated(piece) or self._touches_sign(piece)

    def _is_figure(self, piece: str) -> bool:
        """Capitals alone or in brackets."""
        if not piece.isupper() or len(piece) > _LETTERS:
            return False
        return all(other == piece or other in "()[]{}" for _, other, _ in self.pieces)

    def _is_operated(self, piece: str) -> bool:
        """A pair of letters beside a sign, with or without a space."""
        beside = self.pieces[max(0, self.at - 2) : self.at - 1] + self.pieces[self.at : self.at + 1]
        return len(piece) == _PAIR and any(kind == "sign" and sign in "+-*/=^" for kind, sign, _ in beside)

    def _touches_sign(self, piece: str) -> bool:
        place = self.pieces[self.at - 1][2]
        around = self.text[place - 1 : place] + self.text[place + len(piece) : place + len(piece) + 1]
        return any(sign.isdigit() or sign in "^_()+-*/=<>{}\\" for sign in around)

    def in_prose(self) -> bool:
        """An article: the next piece is a word."""
        following = self.pieces[self.at] if self.at < len(self.pieces) else ("", "", 0)
        return following[0] == "word" and len(following[1]) > 1
