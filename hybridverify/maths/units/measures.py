"""Units of measure, with exact conversions, and the nouns that may be dropped beside a bare number."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from hybridverify.language.letter_case import fold_case
from hybridverify.language.questions import asked_in
from hybridverify.maths.algebra.nodes import Mul, Node, Num, Pow, Sym
from hybridverify.maths.notation.tokens import Token
from hybridverify.maths.notation.vocabulary import VOWELS
from hybridverify.maths.units.table import (
    CASED,
    DERIVED,
    OTHER_KINDS,
    PER_HOUR,
    PHYSICAL,
    SYMBOLS,
    UNITS,
)
from hybridverify.maths.units.words import CHANGES_MEANING, CHINESE, IRREGULAR, LABELS, NOUNS, POWERS
from hybridverify.maths.values.kinds import Money, Quantity, Unit, Value

_MAX_WORDS = 4
_SCALES = frozenset("百千万亿半倍分双对")
_MEASURES = frozenset(word for word in CHINESE if len(word) == 1)


def read_unit(tokens: Sequence[Token]) -> Unit | None:
    """The unit that the tokens spell, None where they do not spell one.

    >>> read_unit([Token("word", "cm"), Token("op", "^"), Token("num", "2")]).dimension
    (('length', 2),)
    """
    parts = [token for token in tokens if token.kind != "stop"]
    dimension: dict[str, int] = {}
    factor = Fraction(1)
    sign, power, known = 1, 1, True
    words: list[str] = []
    last, total, step = "", 0, Fraction(1)
    at = 0
    while at < len(parts):
        token = parts[at]
        at += 1
        name = token.text.lower()
        if token.text == "/" or name == "per":
            sign = -1
        elif token.text in ("*", "(", ")", "{", "}") or token.kind == "open":
            continue
        elif name in POWERS:
            power = POWERS[name]
        elif name in _BEHIND and last:
            raised = total * (_BEHIND[name] - 1)  # `meters per second squared`
            dimension[last] += raised
            factor *= step**raised
            last = ""
        elif token.kind in ("word", "let"):
            count, at = _raised(parts, at)
            unit = _lookup(token)
            if unit is None:
                if not _is_noun(name):
                    return None
                known = known and (_singular(name) in NOUNS or _is_chinese(name))
                unit = (_noun(token.text), Fraction(1))
            words.append(_singular(name))
            total = sign * power * count
            dimension[unit[0]] = dimension.get(unit[0], 0) + total
            factor *= unit[1] ** total
            (last, step), power = unit, 1
        else:
            return None
    if not words or len(words) > _MAX_WORDS:
        return None
    return _with_volume(dimension, factor, known, tuple(words))


_BEHIND = {"squared": 2, "cubed": 3}
_LITRES = ("liter", "litre")
LETTERS = {
    "m": ("meter", "metre"),
    "s": ("second",),
    "g": ("gram",),
    "L": _LITRES,
    "l": _LITRES,
    "ell": _LITRES,
    "h": ("hour",),
    "N": ("newton",),
    "J": ("joule",),
    "W": ("watt",),
    "V": ("volt",),
}
"""Letters that are units without a text command, and how a question names them."""


def unit_of_letters(node: Node) -> tuple[Num, Unit] | None:
    """`5 m` and `2 m/s` typed without a text command: the number, and the letters as a unit."""
    factors = _flat(node)
    numbers = [factor for factor in factors if type(factor) is Num]
    if len(numbers) != 1 or len(factors) < 2 or _is_prefixed(factors):
        return None
    dimension: dict[str, int] = {}
    size = Fraction(1)
    words: list[str] = []
    for factor in factors:
        if type(factor) is Num:
            continue
        letter, power = (factor.base, factor.exponent) if type(factor) is Pow else (factor, Num(1))
        if type(letter) is Pow and power == Num(-1):  # `m/s^2`
            inner = letter.exponent
            letter, power = letter.base, Num(-inner.value) if type(inner) is Num else inner
        if type(letter) is not Sym or letter.name not in LETTERS or type(power) is not Num:
            return None
        base, step = UNITS["l" if letter.name == "ell" else letter.name.lower()]
        count = int(power.value)
        dimension[base] = dimension.get(base, 0) + count
        size *= step**count
        words.append(letter.name)
    return numbers[0], _with_volume(dimension, size, True, tuple(words))


def _is_prefixed(factors: Sequence[Node]) -> bool:
    """`mN` may be a millinewton, which is no newton metre."""
    return any(one == Sym("m") and type(other) is Sym for one, other in pairwise(factors))


def has_other_kinds(unit: Unit) -> bool:
    """Is a gallon or the like in it, which may be another one than ours?"""
    return not OTHER_KINDS.isdisjoint(unit.words)


def _flat(node: Node) -> list[Node]:
    if type(node) is Mul:
        return [part for factor in node.factors for part in _flat(factor)]
    if type(node) is Pow and node.exponent == Num(-1) and type(node.base) is Mul:
        return [Pow(part, Num(-1)) for part in _flat(node.base)]
    return [node]


def _raised(parts: Sequence[Token], at: int) -> tuple[int, int]:
    """The exponent after a unit, and the place behind it."""
    if at < len(parts) and parts[at].text == "^":
        at += 1
        if at < len(parts) and parts[at].text == "{":
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
    return UNITS.get(low) or UNITS.get(_singular(low))


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
    return _singular(folded) if folded.islower() else folded


def _singular(name: str) -> str:
    name = name.lower()
    if name in IRREGULAR:
        return IRREGULAR[name]
    if len(name) > 3 and name.endswith("s") and not name.endswith("ss"):
        return name[:-1]
    return name


def changes_meaning(words: str) -> bool:
    """Does one of the words turn the meaning of a number (`not`, `less`, `half`)?"""
    return any(word in CHANGES_MEANING for word in words.casefold().split())


def plain_label(words: str, question: str) -> bool:
    """May a label in words (`Total cost: 5`) be dropped? Its words are the question's, or general ones."""
    asked = _words_of(question)
    return all(_singular(word) in asked or word in LABELS for word in words.casefold().split())


def _fits(word: str, asked: set[str]) -> bool:
    """False where the question names units of this kind, and this one is not among them."""
    kind, factor = UNITS.get(word, ("", Fraction(0)))
    units = [UNITS[other] for other in asked if len(other) > 2 and other in UNITS]
    rivals = {size for other, size in units if other == kind}
    return not kind or not rivals or factor in rivals or word in asked


def _words_of(question: str) -> set[str]:
    return {_singular(word) for word in "".join(c if c.isalpha() else " " for c in question).split()}


def is_physical(unit: Unit) -> bool:
    """Is it made of lengths, times and their kin alone, not of counted things?"""
    return all(kind in PHYSICAL for kind, _ in unit.dimension)


def is_measured(value: Value | None) -> bool:
    """A number with a unit of the table or in a currency?"""
    if isinstance(value, Quantity):
        return value.unit.known and is_physical(value.unit)
    return isinstance(value, Money)


def is_asked_in(unit: Unit, question: str) -> bool:
    """Does the question want its answer in this unit, by whatever name (`in cm`, `how many centimeters`)?

    >>> minute = read_unit([Token("word", "min")])
    >>> is_asked_in(minute, "How many minutes is that?"), is_asked_in(minute, "It took 9 minutes. How long are two?")
    (True, False)
    """
    named = (read_unit([Token("word", word)]) for word in asked_in(question))
    return any(other and (other.dimension, other.factor) == (unit.dimension, unit.factor) for other in named)


def _is_chinese(name: str) -> bool:
    """A measure word, perhaps with the noun it counts: `个苹果`."""
    return name in CHINESE or (name[0] in _MEASURES and len(name) <= 4 and _SCALES.isdisjoint(name))


def _is_noun(name: str) -> bool:
    return _is_chinese(name) or (
        len(name) > 2
        and name.isascii()
        and name.isalpha()
        and CHANGES_MEANING.isdisjoint((name, _singular(name)))
    )


def _with_volume(dimension: dict[str, int], factor: Fraction, known: bool, words: tuple[str, ...]) -> Unit:
    """The unit over base kinds only."""
    for name, same in DERIVED.items():
        count = dimension.pop(name, 0)
        for base, power in same.items() if count else ():
            dimension[base] = dimension.get(base, 0) + power * count
    kept = tuple(sorted((name, power) for name, power in dimension.items() if power))
    return Unit(kept, factor, known, words)


def plain_words(unit: Unit, question: str) -> bool:
    """May these words be dropped beside a bare number?

    Known units may, unless the question measures in others of their kind; other nouns if the question has them, or
    if there is no question to look them up in.
    """
    asked = _words_of(question)
    if not asked and len(unit.words) == 1:
        return unit.known or len(unit.words[0]) > 3
    if unit.known:
        return all(_fits(word, asked) for word in unit.words)
    return bool(asked) and all(word in asked or word in NOUNS or word in UNITS for word in unit.words)
