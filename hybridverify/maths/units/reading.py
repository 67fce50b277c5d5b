"""Reading a unit of measure: the words and signs behind a number, with their exponents, as one unit."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from hybridverify.language.letter_case import fold_case
from hybridverify.language.word_forms import singular
from hybridverify.maths.notation.tokens import Token
from hybridverify.maths.notation.vocabulary import VOWELS
from hybridverify.maths.units.si import measure_of
from hybridverify.maths.units.table import CASED, DERIVED, PER_HOUR, SYMBOLS, UNITS
from hybridverify.maths.units.words import CHANGES_MEANING, CHINESE, NOUNS, POWERS
from hybridverify.maths.values.kinds import Unit

_MAX_WORDS = 4
_BEFORE_OHM = frozenset(("k", "M", "m", "G", "T", "n", "µ"))
_BEHIND = {"squared": 2, "cubed": 3}
_IDLE = frozenset(("*", "(", ")", "{", "}"))
_SCALES = frozenset("百千万亿半倍分双对")
_MEASURES = frozenset(word for word in CHINESE if len(word) == 1)


def read_unit(tokens: Sequence[Token]) -> Unit | None:
    """The unit that the tokens spell, None where they do not spell one.

    >>> read_unit([Token("word", "cm"), Token("op", "^"), Token("num", "2")]).dimension
    (('length', 2),)
    """
    parts = [token for token in tokens if token.kind != "stop"]
    return _UnitReader(
        _with_prefixes(_as_quotient(parts) if parts and parts[0].text == "frac" else parts)
    ).unit()


def _as_quotient(tokens: list[Token]) -> list[Token]:
    r"""`\frac{J}{mol K}` as `J/(mol K)`; other tokens as they are."""
    end = next((place for place, token in enumerate(tokens) if token.text == "}"), 0)
    above = tokens[1:2] if tokens[1:2] and tokens[1].text != "{" else tokens[1 : end + 1]
    below = tokens[1 + len(above) :]
    grouped = len(below) == 1 or (below and below[0].text == "{" and below[-1].text == "}")
    return [*above, Token("op", "/"), *below] if above and grouped else tokens


def _with_prefixes(tokens: list[Token]) -> list[Token]:
    r"""A prefix and its unit as one word: `\mu A`, `k\Omega`."""
    joined: list[Token] = []
    for token in tokens:
        before = joined[-1].text if joined else ""
        letters = token.kind in ("let", "word") and joined and joined[-1].kind in ("let", "word")
        if letters and (before == "mu" or (token.text == "Omega" and before in _BEFORE_OHM)):
            joined[-1] = Token("word", ("µ" if before == "mu" else before) + token.text, joined[-1].gap)
        else:
            joined.append(token)
    return joined


class _UnitReader:
    """A unit read from left to right: its factors so far, and how the next one counts."""

    def __init__(self, parts: Sequence[Token]) -> None:
        self.parts = parts
        self.at = 0
        self.dimension: dict[str, int] = {}
        self.factor = Fraction(1)
        self.words: list[str] = []
        self.known = True
        self.sign = 1
        """-1 behind a `per` or a slash."""
        self.power = 1
        """2 behind `square`, for one factor."""
        self.last: tuple[str, Fraction, int] | None = None
        """Kind, size and exponent of the factor that a `squared` would raise."""

    def unit(self) -> Unit | None:
        """The whole unit, None where a token is no part of one."""
        while self.at < len(self.parts):
            token = self.parts[self.at]
            self.at += 1
            if not (self._modifies(token) or self._is_factor(token)):
                return None
        if not self.words or len(self.words) > _MAX_WORDS:
            return None
        return unit_over_base_kinds(self.dimension, self.factor, self.known, tuple(self.words))

    def _modifies(self, token: Token) -> bool:
        """Take what says how the factors beside it count."""
        name = token.text.lower()
        if name in ("/", "per"):
            self.sign = -1
        elif name in POWERS:
            self.power = POWERS[name]
        elif name in _BEHIND and self.last:
            self._raise_last(_BEHIND[name])
        else:
            return name in _IDLE or token.kind == "open"
        return True

    def _raise_last(self, power: int) -> None:
        """`meters per second squared`."""
        assert self.last is not None
        kind, size, count = self.last
        raised = count * (power - 1)
        self.dimension[kind] += raised
        self.factor *= size**raised
        self.last = None

    def _is_factor(self, token: Token) -> bool:
        """Take a unit or a counted noun with its exponent; false for any other token."""
        if token.kind not in ("word", "let"):
            return False
        count, self.at = _raised(self.parts, self.at)
        name = token.text.lower()
        found = _lookup(token)
        measure = measure_of(token.text) if found is None else None
        if measure is not None:
            found, name = (measure.kind, measure.size), measure.name
        if found is None:
            if not _is_noun(name):
                return False
            self.known = self.known and (singular(name) in NOUNS or _is_chinese(name))
            found = (_noun(token.text), Fraction(1))
        kind, size = found
        total = self.sign * self.power * count
        self.words.append(singular(name))
        self.dimension[kind] = self.dimension.get(kind, 0) + total
        self.factor *= size**total
        self.last, self.power = (kind, size, total), 1
        return True


def _raised(parts: Sequence[Token], at: int) -> tuple[int, int]:
    """The exponent after a unit, and the place behind it."""
    if at < len(parts) and parts[at].text == "^":
        at += 1
        if at < len(parts) and parts[at].text in ("{", "("):
            at += 1
        sign = 1
        if at < len(parts) and parts[at].text == "-":
            sign, at = -1, at + 1
        if at < len(parts) and parts[at].text in ("1", "2", "3", "4"):
            return sign * int(parts[at].text), at + 1
    return 1, at


def _lookup(token: Token) -> tuple[str, Fraction] | None:
    name = token.text
    if name in CASED:
        return CASED[name]
    low = name.lower()
    if _is_other(name, low):
        return None
    if low in PER_HOUR:
        return "speed", PER_HOUR[low]
    return UNITS.get(low) or UNITS.get(singular(low))


def _is_other(name: str, low: str) -> bool:
    """Does the case of a letter make another unit of a short symbol (`Ms`, `mM`, `S`)? Not so in `KM` and `hz`."""
    proper = SYMBOLS.get(low)
    if proper is None or name == proper or low == "l":
        return False
    if len(name) == 1:
        return True
    if name == low:
        return False
    return name[0].islower() or proper[0] in "mn" or name == "PA"


def _noun(name: str) -> str:
    """A counted noun or unknown unit, with the case that tells MeV from meV and Mmol from mmol."""
    prefixed = name[0] == "M" and name[1:2] not in VOWELS and name[1:2] != "y"
    folded = name if prefixed else fold_case((name,))[0]
    noun = singular(folded) if folded.islower() else folded
    return noun + " counted" if noun in DERIVED else noun  # `5 speeds` is no speed


def _is_chinese(name: str) -> bool:
    """A measure word, perhaps with the noun it counts: `个苹果`."""
    return name in CHINESE or (name[0] in _MEASURES and len(name) <= 4 and _SCALES.isdisjoint(name))


def _is_noun(name: str) -> bool:
    return _is_chinese(name) or (
        len(name) > 2
        and name.isascii()
        and name.isalpha()
        and CHANGES_MEANING.isdisjoint((name, singular(name)))
    )


def unit_over_base_kinds(
    dimension: dict[str, int], factor: Fraction, known: bool, words: tuple[str, ...]
) -> Unit:
    """The unit over base kinds only."""
    for name, same in DERIVED.items():
        count = dimension.pop(name, 0)
        for base, power in same.items() if count else ():
            dimension[base] = dimension.get(base, 0) + power * count
    kept = tuple(sorted((name, power) for name, power in dimension.items() if power))
    return Unit(kept, factor, known, words)
