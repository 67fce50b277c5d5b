"""The steps of a calculation that an answer shows: the sides of `3 + 4 = 7`."""

from __future__ import annotations

from hybridverify.conventions import Conventions
from hybridverify.language import expressions as re
from hybridverify.language.joining import AND
from hybridverify.language.pieces import pieces
from hybridverify.maths import Reading, answer_reading, compare

_STEP = re.compile(r"(?:(?<![<>!:\\])|(?<=\d!))=(?!=)|\\approx(?![A-Za-z])|≈")
_CHAIN = 2
"""A name and its value are no chain yet."""


def steps_of(
    answer: str, references: tuple[str, ...], question: str, conventions: Conventions
) -> list[Reading]:
    """The sides of `3 + 4 = 7` that have the value of a reference; the answer itself where it has no sides."""
    parts = _STEP.split(answer)
    if len(parts) == 1:
        return [answer_reading(answer, conventions)]
    right = [
        answer_reading(part, conventions)
        for part in parts
        if part.strip() and any(compare(told, part, question, conventions).equal for told in references)
    ]
    return right or [answer_reading(part, conventions) for part in _results(answer)]


def _results(answer: str) -> list[str]:
    """The last sides of the values that an answer lists, if one is a chain: 7 and 3 of `x = 14/2 = 7 and y = 3`; else
    the answer itself."""
    sides = [_STEP.split(part) for part in pieces(answer, ",;", AND)]
    return [each[-1] for each in sides] if max(map(len, sides)) > _CHAIN else [answer]
