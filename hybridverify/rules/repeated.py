r"""Answers that give back what the question says, told by the text alone: `3:45 PM` where 15:45 is asked for.

For rewritten expressions see echo.py. All of this holds only where no reference is written with the same numbers and
letters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from hybridverify.conventions import Conventions
from hybridverify.language import expressions as re
from hybridverify.language.asked import read_question
from hybridverify.maths import Reading, answer_reading, reference_reading
from hybridverify.maths.values.kinds import Percent, Quantity, Scalar

OPERAND = re.compile(r"\d+|(?<![A-Za-z\\])[A-Za-z](?![A-Za-z])")
"""What stands in every spelling of an expression: its numbers and letters."""
_MEASURED = re.compile(r"-?\d[\d.,]*(?: \d+/\d+)?\s?[^\W\d_][^\d\n=]{0,30}(?:\^\{?-?\d\}?)?")
"""A number and what it counts."""
_OPERATIONS = frozenset(("gcd", "lcm", "max", "min", "bmod", "cap"))
"""What names an operation that is still to be done."""
_OF_LISTS = frozenset(("cup", "setminus"))
"""The same between two listed sets; of intervals these may be the answer."""
_MARKUP = frozenset("\\{%")
_SHORTEST = 2
_MAX_QUESTION = 20_000
_FRACTION = re.compile(r"\$?\\?(?:[dt]?frac\{(\d{1,9})\}\{(\d{1,9})\}|(\d{1,9})\s?/\s?(\d{1,9}))\$?")


def repeats(question: str, answer: str, references: Sequence[str], conventions: Conventions) -> bool:
    """Whether the answer is a text, a list or a pair of numbers of the question, or only names an operation.

    >>> from hybridverify.conventions import DEFAULT
    >>> repeats("Write 3:45 PM in 24-hour time.", "3:45 PM", ["15:45"], DEFAULT)
    True
    >>> repeats("Sort 5, 2, 9.", "5, 2, 9", ["2, 5, 9"], DEFAULT), repeats("How far?", "5 km", ["5 km"], DEFAULT)
    (True, False)
    """
    if _names_operation(answer, references, conventions):
        return True
    if any(
        written_alike(answer, one) and OPERAND.findall(answer) == OPERAND.findall(one) for one in references
    ):
        return False
    asked = read_question(question)
    return (
        _repeats_text(question[:_MAX_QUESTION], answer, references, asked.rewrites)
        or _repeats_list(question[:_MAX_QUESTION], answer, references)
        or (asked.percent and _is_share(question, answer, references, conventions))
    )


def written_alike(one: str, other: str) -> bool:
    r"""Whether two texts are made of the same numbers and letters: `7/15` and `\frac{7}{15}`."""
    return Counter(OPERAND.findall(one)) == Counter(OPERAND.findall(other))


def _repeats_text(question: str, answer: str, references: Sequence[str], rewrites: bool) -> bool:
    """`120 kg` of a question that has it; any text of a question that wants something rewritten."""
    said = _plain(answer.strip("$ ."))
    if len(said) < _SHORTEST or not (rewrites or _MEASURED.fullmatch(said)):
        return False
    if any(written_alike(said, _plain(one)) for one in references):
        return False
    asked = _plain(question)
    if said not in asked or not said.isascii():
        return said in asked
    return re.search(rf"(?<![\w.]){re.escape(said)}(?!\w)", asked) is not None


def _plain(text: str) -> str:
    """In small letters, without what may stand within a number in words."""
    return text.casefold().replace("-", " ").replace(" and ", " ")


def _repeats_list(question: str, answer: str, references: Sequence[str]) -> bool:
    """Several items in the order in which the question has them, while each reference has them in another."""
    items = OPERAND.findall(answer)
    if len(items) <= _SHORTEST or answer.count(",") != len(items) - 1:
        return False
    if not all(written_alike(answer, one) for one in references):
        return False
    said = OPERAND.findall(question)
    return any(said[at : at + len(items)] == items for at in range(len(said) - len(items) + 1))


def _is_share(question: str, answer: str, references: Sequence[str], conventions: Conventions) -> bool:
    """`45/60` where a percentage is asked for: two numbers of the question, and nothing done with them."""
    found = _FRACTION.fullmatch(answer.strip())
    numbers = [part for part in found.groups() if part] if found else []
    if not numbers or not set(numbers) <= set(OPERAND.findall(question)):
        return False
    return all(isinstance(reference_reading(one, conventions).value, (Percent, Scalar)) for one in references)


def _names_operation(answer: str, references: Sequence[str], conventions: Conventions) -> bool:
    r"""`\gcd(84, 36)`, `[0,3] \cap [2,5]`: what no reference leaves to be done."""
    if not _may_name_operation(answer):
        return False  # nearly always, and the answer is not read for this
    reading = answer_reading(answer, conventions)
    named = _operations(reading)
    if not named or any(character.isalpha() for character in "".join(_letters(reading))):
        return False
    return all(named.isdisjoint(_operations(reference_reading(one, conventions))) for one in references)


def _may_name_operation(answer: str) -> bool:
    """A quick look: commands, sets and the sign of a remainder may stand for an operation, in other texts its name."""
    if not answer.isascii() or not _MARKUP.isdisjoint(answer):
        return True
    low = answer.lower()
    return any(name.removeprefix("b") in low for name in _OPERATIONS)  # "17 mod 5" is read with a command


def _operations(reading: Reading) -> frozenset[str]:
    """The operations that an answer leaves; none where one of its sides has none, as in `gcd(84, 36) = 12`. In
    `90 min` a unit is meant."""
    units = reading.value.unit.words if isinstance(reading.value, Quantity) else ()
    runs = groupby((text for _, text in reading.tokens if text not in units), key="=".__eq__)
    sides = [_operations_of([*side]) for equals, side in runs if not equals]
    return min(sides, key=len, default=frozenset())


def _operations_of(texts: Sequence[str]) -> frozenset[str]:
    spelled = " ".join(texts)
    of_lists = (sign for sign in _OF_LISTS if f"\\}} {sign} \\{{" in spelled)
    return _OPERATIONS.intersection(texts).union(of_lists)


def _letters(reading: Reading) -> list[str]:
    return [text for kind, text in reading.tokens if kind == "let"]
