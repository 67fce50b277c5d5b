r"""Another value beside that of the reference: "12 kg or 15 kg", `35 \approx 21`, "(2, 3) if n is even, else (3, 2)".

The answer is cut, outside of its brackets, where signs and words join values. One part that the rules prove to be the
reference, and another of the same kind that they prove to be none, are two answers. Steps of a calculation are equal,
and what is read as no value (`15 of them are boys`) is no rival.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hybridverify.conventions import Conventions
from hybridverify.language import expressions as re
from hybridverify.language.languages import JOINING_AND, JOINING_OR
from hybridverify.language.lexicon import entries
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
_FOREIGN = "|".join(map(re.escape, (*JOINING_OR, *JOINING_AND)))
_TOLD = sorted(entries("joining", "rival", "but", "or", "perhaps"), key=len, reverse=True)
_WORDS = rf"(?:{'|'.join(map(re.escape, _TOLD))}|with probability [\d.]{{1,9}}%?|case \w)"
_CUT = re.compile(
    rf"(?P<cut>\\(?:text|mathrm)\s?\{{[^{{}}]{{0,60}}\}}|\\(?:q?quad|[;,: ]|lor|land|approx|to|mid|(?:long)?rightarrow"
    rf"|Rightarrow|implies|vee|wedge|sim)(?![A-Za-z])|\\\\|<br\s?/?>|(?<![A-Za-z\\]){_WORDS}(?![A-Za-z])"
    rf"|[,;](?=\s|$)|[;|~&≈→⇒∨、，；—\n\t?]|\.\.\.|\s/\s|--|[-=]>|(?<![<>!:=])={{1,2}}(?![=>])|{_FOREIGN})"
    r"|(?P<open>[({\[])|(?P<close>[)}\]])",
    re.IGNORECASE,
)
_IN_BRACKETS = re.compile(r"^(.{1,120}?)\s+[(\[]([^()\[\]]{1,120})[)\]]$")
_SYSTEM = re.compile(r"\\begin\{(?:cases|aligned)\}|\\end\{(?:cases|aligned)\}")
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
    parts = list(_parts(answer))
    if not 2 <= len(parts) <= _MAX_PARTS or any(part.count(" ") > _MOST_BLANKS for part in parts):
        return False
    told = [{compare(one, part, question, conventions).outcome for one in references} for part in parts]
    names = {_name(part, conventions) for part, found in zip(parts, told, strict=True) if "equal" in found}
    return any(
        found == {"different"} and _name(part, conventions) in names and _is_like(part, values, conventions)
        for part, found in zip(parts, told, strict=True)
    )


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
    return isinstance(value, Scalar) and bool(symbols(value.node))


def _parts(answer: str) -> Iterator[str]:
    """The pieces between the cuts, and what stands in brackets after one."""
    for piece in _pieces(_SYSTEM.sub(" ", answer)):
        piece = piece.strip(_MARKS)
        beside = _IN_BRACKETS.match(piece)
        for part in beside.groups() if beside else (piece,):
            if any(map(str.isalnum, part)):
                yield part.strip(_MARKS)


def _pieces(text: str) -> Iterator[str]:
    start = depth = 0
    for found in _CUT.finditer(text):
        if found["open"] or found["close"]:
            depth = max(depth + (1 if found["open"] else -1), 0)
        elif not depth and not _solves(found, text):
            yield text[start : found.start()]
            start = found.end()
    yield text[start:]


def _solves(found: re.Match[str], text: str) -> bool:
    """An equals sign beside a letter says of it what it is."""
    if "=" not in found["cut"] or ">" in found["cut"]:
        return False
    before = re.split(r"[,;\n]", text[: found.start()])[-1]
    return any(map(str.isalpha, before))
