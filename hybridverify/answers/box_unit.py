r"""The unit that stands directly after a box with only a number in it: `\boxed{450} ml` against `0.45 liters`.

Separate from extract.py because the unit is read only where every reference has one: beside a bare reference what
follows a box is as good as a remark. Words that may be no unit ("in total") are left where they are.
"""

from __future__ import annotations

from itertools import pairwise, takewhile

from hybridverify.answers import boxes
from hybridverify.answers.extract import Extraction, Mark
from hybridverify.conventions import Conventions
from hybridverify.language.patterns import TYPESETTING
from hybridverify.maths import Value, answer_reading, reference_reading
from hybridverify.maths.algebra.nodes import symbols
from hybridverify.maths.units.measures import changes_meaning, is_measured, unit_of_letters
from hybridverify.maths.values.kinds import Money, Quantity, Scalar

_LOOK = 80
_LONGEST = 60
"""A longer text in a box is no number, one after it no unit."""
_WORDS = 4
_GOING_ON = tuple("-+*/^<>%\\")
_ALSO_WORDS = frozenset(("in", "second"))
_RATE = frozenset(("a", "an", "every"))
"""Between two units they make another one, as "per" does: "60 miles an hour"."""
_LEADING_ON = frozenset(("of", "is", "are", "was", "were", "for", "with", "where", "in"))
"""Words of the sentence that leave a number before them as it is."""


def with_unit_after(found: Extraction, references: tuple[str, ...], conventions: Conventions) -> Extraction:
    r"""The answer with the unit after its box; none where that contradicts the box or goes on in another number.

    >>> from hybridverify.answers.extract import extract
    >>> with_unit_after(extract(r"It is \boxed{450} ml of tea."), ("0.45 liters",), Conventions()).answer
    '450 ml'
    """
    if found.mark is not Mark.BOXED or found.problem or len(found.boxes) != 1 or len(found.answer) > _LONGEST:
        return found
    if not all(_is_measured(reference_reading(text, conventions).value) for text in references):
        return found
    statement = boxes.last_statement(found.body, conventions.multiple_boxes)
    after = found.body[statement.end : statement.end + _LOOK].partition("\n")[0] if statement else ""
    clause, rest = _clause(TYPESETTING.sub(" ", after).replace("^ ", "^").lstrip())
    if not clause[:1].isalpha() or rest.lstrip()[:1] in _GOING_ON:
        return found
    return _joined(found, clause.split(), conventions)


def _clause(text: str) -> tuple[str, str]:
    """The words and powers of units on which a text begins, and the rest of it."""
    clause = "".join(takewhile(_is_of_a_unit, text[:_LONGEST]))
    return clause, text[len(clause) :]


def _is_of_a_unit(char: str) -> bool:
    return char.isascii() and (char.isalnum() or char in "^/ -")


def _joined(found: Extraction, words: list[str], conventions: Conventions) -> Extraction:
    value = answer_reading(found.answer, conventions).value
    bare = isinstance(value, Scalar) and not symbols(value.node)
    found_unit = _unit_of(words, found.answer if bare else "1", conventions)
    if found_unit is None:
        return found
    unit, told, rest = found_unit
    if _is_counted_on(rest) or (isinstance(told, Quantity) and told.compound):
        return found._replace(answer="", problem="not_alone")
    if _goes_on_in_units(rest, conventions):
        return found
    if bare:
        return found._replace(answer=f"{found.answer} {unit}")
    return found if _same_unit(value, told) else found._replace(answer="", problem="not_alone")


def _unit_of(words: list[str], number: str, conventions: Conventions) -> tuple[str, Value, list[str]] | None:
    """The most words that are a unit, what they make with the number, and the words after them."""
    for count in range(min(len(words), _WORDS), 0, -1):
        unit, rest = " ".join(words[:count]), words[count:]
        told = answer_reading(f"{number} {unit}", conventions).value
        if _is_measured(told) and not (rest and not _goes_with(words[count - 1], rest[0])):
            return unit, told, rest
    return None


def _is_measured(value: Value) -> bool:
    """As `is_measured`; a unit may have been read as a product of letters, too."""
    return is_measured(value) or (isinstance(value, Scalar) and unit_of_letters(value.node) is not None)


def _goes_with(last: str, following: str) -> bool:
    """Whether `last` is the whole unit before this word: not "in" in "in total"."""
    word = following.lower()
    if word == "and" or word[0].isdigit():
        return True
    surely = len(last) > 1 and last.lower() not in _ALSO_WORDS
    return surely and (word in _LEADING_ON | _RATE or not changes_meaning(word))


def _goes_on_in_units(rest: list[str], conventions: Conventions) -> bool:
    """Whether more of the unit may follow: "m s^-1 per second", "litres of water a second", "W m^-2 K^-4"."""
    for before, word in pairwise(["", *(word.lower() for word in rest)]):
        if word == "per":
            return True
        if word in _ALSO_WORDS and before not in _RATE:
            continue
        if word not in _RATE and _is_measured(answer_reading(f"1 {word}", conventions).value):
            return True
    return False


def _is_counted_on(rest: list[str]) -> bool:
    """Another number follows: `\\boxed{2} hours and 30 minutes`."""
    after = rest[1:] if rest and rest[0].lower() == "and" else rest
    return bool(after) and after[0][0].isdigit()


def _same_unit(value: Value, told: Value) -> bool:
    """Whether what stands in the box has the unit after it already, or none that could contradict it."""
    if isinstance(value, Quantity) and isinstance(told, Quantity):
        same = (value.unit.dimension, value.unit.factor) == (told.unit.dimension, told.unit.factor)
        return same or not _is_measured(value)
    if isinstance(value, Money) and isinstance(told, Money):
        return value.sign == told.sign
    return not _is_measured(value)
