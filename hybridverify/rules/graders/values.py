"""Our bounded reader in the place where a grader of others evaluates text."""

from __future__ import annotations

import math

from hybridverify.conventions import Conventions
from hybridverify.language import expressions as re
from hybridverify.maths import compare, read
from hybridverify.maths.algebra.numeric import constant
from hybridverify.maths.values.kinds import Scalar

_WORD = re.compile(
    r"(?<![\\A-Za-z])(?!(?:a?(?:sin|cos|tan)h?|sqrt|pi|log|ln|exp|frac)(?![A-Za-z]))[A-Za-z]{2,}"
)
"""Neither a function nor a letter: evaluated, it is a product of letters or nothing at all."""
TOLERANCE = 1e-4
"""Of numbers, relative: that of the graders which evaluate."""
_CONVENTIONS = Conventions(number_words=False, ordinals=False)
"""What those graders read."""
_PERHAPS_PI = ("\\pi", "(3.14)")


def either(first: bool | None, second: bool | None) -> bool | None:
    """True with one True, False with two False, else None.

    >>> either(False, True), either(None, False), either(False, False)
    (True, None, False)
    """
    if first or second:
        return True
    return None if first is None or second is None else False


def every(parts: list[bool | None]) -> bool | None:
    """False with one False, None with one None, else True."""
    if False in parts:
        return False
    return None if None in parts else True


def by_value(answer: str, reference: str) -> bool | None:
    r"""Whether two texts have one value: numbers within a relative 1e-4, expressions as our reader proves it.

    Of lists, sets and words no original accepts more than their text, so these are never equal here.

    >>> by_value("2/6", r"\frac13"), by_value("x+1", "1+x"), by_value("0.3334", "1/3"), by_value("4", "four")
    (True, True, False, None)
    """
    answer, reference = _without_comments(answer), _without_comments(reference)
    equal: bool | None = False
    for pi in _PERHAPS_PI if "\\pi" in answer or "\\pi" in reference else ("",):
        equal = either(equal, _compared(answer.replace("\\pi", pi), reference.replace("\\pi", pi)))
    return equal


def _without_comments(text: str) -> str:
    """Without what evaluation passes over: GSM8K's last line is a comment."""
    return "\n".join(line.partition("#")[0] for line in text.split("\n")).strip()


def _compared(answer: str, reference: str) -> bool | None:
    plain = _plain(answer, reference)
    close = _are_close(*plain) if plain else None
    if close is not None:
        return close
    outcome = compare(reference, answer, "", _CONVENTIONS).outcome
    if outcome == "different":
        return False
    return True if plain and outcome == "equal" else None


def _plain(answer: str, reference: str) -> tuple[Scalar, Scalar] | None:
    """Both as expressions without words; None where one is anything else."""
    given, wanted = (read(text, _CONVENTIONS) for text in (answer, reference))
    if _WORD.search(answer) or _WORD.search(reference):
        return None
    return (given, wanted) if isinstance(given, Scalar) and isinstance(wanted, Scalar) else None


def _are_close(one: Scalar, other: Scalar) -> bool | None:
    """Whether two numbers are close; None where one is no number."""
    numbers = constant(one.node), constant(other.node)
    if numbers[0] is None or numbers[1] is None:
        return None
    return math.isclose(numbers[0], numbers[1], rel_tol=TOLERANCE)
