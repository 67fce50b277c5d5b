r"""Another value beside that of the reference: "12 kg or 15 kg", `35 \approx 21`, "(2, 3) if n is even, else (3, 2)".

The answer is cut, outside of its brackets, where signs and words join values. One part that the rules prove to be the
reference, and another of the same kind that they prove to be none, are two answers. Steps of a calculation are equal,
and what is read as no value (`15 of them are boys`) is no rival.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, dropwhile
from typing import NamedTuple

from hybridverify.conventions import Conventions
from hybridverify.language import expressions as re
from hybridverify.language.languages import PREDICATES
from hybridverify.language.lexicon import entries
from hybridverify.language.patterns import IN_TEXT
from hybridverify.language.pieces import outer_pieces
from hybridverify.maths import answer_reading, compare, reference_reading
from hybridverify.maths.algebra.nodes import symbols
from hybridverify.maths.values.kinds import (
    Clock,
    Date,
    Degrees,
    FiniteSet,
    Matrix,
    Money,
    Named,
    Percent,
    Proportion,
    Quantity,
    RealSet,
    Scalar,
    Tuple,
    Value,
)

_KINDS = (
    Scalar,
    Quantity,
    Money,
    Percent,
    Degrees,
    Proportion,
    Clock,
    Date,
    Tuple,
    RealSet,
    Matrix,
    FiniteSet,
)
"""What holds one answer, and is proved to be another by its value."""
_MAX_ANSWER = 300
_MAX_PARTS = 12
_MOST_BLANKS = 7
"""A longer part is prose, in which numbers may tell of anything."""
_JOINTS = frozenset(
    (*entries("joining", "rival", "rival_sign", "or_word", "or_script", "and_script"), "\n", "\t")
)
_CLAUSES = (", ", ";", "\n")
_IN_BRACKETS = re.compile(r"^(.{1,120}?)\s+[(\[]([^()\[\]]{1,120})[)\]]$")
_CASES = re.compile(
    r"\\(?:begin|end)\{(?:cases|aligned|[a-zA-Z]?matrix)\}|\b(?:with probability [\d.]{1,9}%?|case \w\b)",
    re.IGNORECASE,
)
"""What sets values as cases, and the names of the cases."""
_STEPS = ("=", "≈", "≡", "/", "\\approx", "\\equiv")
"""Signs of a calculation: what stands beside one may be the same expression in a form that is not proved to be."""
_MARKS = " *_`'\".:"


def holds_rival(answer: str, references: Sequence[str], question: str, conventions: Conventions) -> bool:
    r"""Whether one part of a short answer is the reference, and another part is another value of its kind.

    >>> from hybridverify.conventions import DEFAULT
    >>> [holds_rival(text, ["35"], "", DEFAULT) for text in ("35 vs 21", "35 = 21", "70/2 = 35", "35 (15 boys)")]
    [True, True, False, False]
    """
    values = [reference_reading(one, conventions).value for one in references]
    if len(answer) > _MAX_ANSWER or not values or not all(isinstance(value, _KINDS) for value in values):
        return False
    parts = _short_parts(answer, measured=Quantity in map(type, values))
    told = [_Told.of(part, references, question, conventions) for part in parts]
    formulas = () if any(map(answer.__contains__, _STEPS)) else values
    return any(_is_like(one.part, values, conventions) for one in _others(told, formulas, conventions))


class _Told(NamedTuple):
    """A part, what it is said to be the value of, and how it compares with the references."""

    part: str
    name: str
    outcomes: frozenset[str]

    @classmethod
    def of(cls, part: str, references: Sequence[str], question: str, conventions: Conventions) -> _Told:
        found = frozenset(compare(one, part, question, conventions).outcome for one in references)
        return cls(part, _name(part, conventions), found)


def _others(told: Sequence[_Told], formulas: Sequence[Value], conventions: Conventions) -> list[_Told]:
    """The parts that are another value, or another of `formulas`, under a name of the reference, "" for none."""
    names = {one.name for one in told if "equal" in one.outcomes}
    return [
        one
        for one in told
        if one.name in names
        and (
            one.outcomes == {"different"}
            or ("equal" not in one.outcomes and _is_formula(one.part, formulas, conventions))
        )
    ]


def _is_formula(part: str, values: Sequence[Value], conventions: Conventions) -> bool:
    """Whether a part and a value are expressions in the same letters, which may be equal without our knowing."""
    letters = _letters(answer_reading(part, conventions).value)
    return bool(letters) and any(_letters(value) == letters for value in values)


def _name(part: str, conventions: Conventions) -> str:
    """What a part is said to be the value of: with `x = 2`, `y = 3` is no rival."""
    value = answer_reading(part, conventions).value
    return value.name if isinstance(value, Named) else ""


def _is_like(part: str, values: Sequence[Value], conventions: Conventions) -> bool:
    """Is a part of the kind of one of the values, in letters if that one is?"""
    other = answer_reading(part, conventions).value
    other = other.value if isinstance(other, Named) else other
    return any(type(other) is type(value) and _has_letters(other) == _has_letters(value) for value in values)


def _has_letters(value: Value) -> bool:
    return bool(_letters(value))


def _letters(value: Value) -> frozenset[str]:
    return frozenset(symbols(value.node)) if isinstance(value, Scalar) else frozenset()


def _short_parts(answer: str, measured: bool) -> list[str]:
    """The parts of an answer that has several, and no prose among them; else none."""
    parts = list(_parts(answer, measured))
    few = 2 <= len(parts) <= _MAX_PARTS
    return parts if few and all(part.count(" ") <= _MOST_BLANKS for part in parts) else []


def _parts(answer: str, measured: bool) -> Iterator[str]:
    """The pieces between the joints, and what stands in brackets after one."""
    text = IN_TEXT.sub(partial(_spoken, measured), _CASES.sub(";", answer))
    for piece in chain.from_iterable(map(_pieces, outer_pieces(text, _CLAUSES))):
        piece = piece.strip(_MARKS)
        beside = _IN_BRACKETS.match(piece)
        inner = _pieces(beside[2]) if beside else ()
        for part in (beside[1], *inner) if beside else (piece,):
            if any(map(str.isalnum, part)):
                yield _without_lead(part.strip(_MARKS))


def _without_lead(part: str) -> str:
    """The value of "it is 13"."""
    words = part.split()
    return " ".join(dropwhile(_is_lead, words)) if words and _is_lead(words[0]) else part


def _is_lead(word: str) -> bool:
    return len(word) > 1 and word.lower() in PREDICATES


def _spoken(measured: bool, words: re.Match[str]) -> str:
    """Words in a formula: what joins stays, and a unit if one is asked for; all else stands between values."""
    if words.string[: words.start()].endswith("{"):
        return words[0]
    said = words[1].lower().split()
    stays = not _JOINTS.isdisjoint(said) or (measured and len(said) == 1)
    return f" {words[1]} " if stays else ";"


def _pieces(clause: str) -> Iterator[str]:
    """A clause at its joints. An equals sign joins values, but after a letter it says of it what it is."""
    letter = next((at for at, char in enumerate(clause) if char.isalpha()), len(clause))
    *sides, last = outer_pieces(clause[:letter], "=")
    for side in (*sides, last + clause[letter:]):
        yield from outer_pieces(side, _JOINTS)
