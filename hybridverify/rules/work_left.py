r"""Answers with the right value that only name an operation on the question's own numbers: `180/4` of a word problem.

Whoever tries the four operations on the numbers that stand in a word problem finds one that is right, and knows
nothing. So an equal value is open where the reference is one number, the answer still has such an operation to be done,
and all its numbers are the question's. `60 \cdot 3` for "How many minutes are 3 hours?" has a number of its own, and
is an answer; powers, factorials, binomial coefficients and roots are how such a value is written. A judge may be asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import pairwise

from hybridverify.answers.conflict import NUMBER
from hybridverify.conventions import Conventions
from hybridverify.language.lexicon.vocabulary import words_of
from hybridverify.language.number_words import naming_words, read_words
from hybridverify.language.patterns import DIGIT
from hybridverify.language.spoken_operations import has_cue
from hybridverify.language.text import canonical
from hybridverify.maths import Reading, Value, answer_reading, reference_reading
from hybridverify.maths.values.kinds import Scalar
from hybridverify.rules.kinds import is_amount
from hybridverify.rules.steps import steps_of
from hybridverify.rules.work import has_work

WORK_LEFT = "work left"
"""The reason of an acceptance that is withheld."""
_MAX_ANSWER, _MAX_QUESTION = 200, 20_000
_SIGNS = frozenset("+-*/^!=\\×÷·∙⋅√²³:(%")
_ROUNDINGS = frozenset(("floor(", "ceil("))
_CLOSED_FORMS, _NUMBERS = frozenset(("!", "binom", "sqrt")), ("num", "close")
_IDLE = frozenset(("0", "1"))
"""Numbers that change nothing, wherever they come from: `180 \\cdot 1/4`."""
_HAS_WORK = partial(has_work, simplest=True, alone=True)


def leaves_work(question: str, answer: str, references: Sequence[str], conventions: Conventions) -> bool:
    """Whether the answer leaves one of the four operations on the question's own numbers undone.

    >>> from hybridverify.conventions import DEFAULT
    >>> asked = "Ann shares 96 nuts among six friends. How many does each of them get?"
    >>> [leaves_work(asked, text, ["16"], DEFAULT) for text in ("96/6", "96/6 nuts", "96/6 = 16", "32/2", "16")]
    [True, True, False, False, False]
    """
    if len(answer) > _MAX_ANSWER or not may_have_work(answer) or not DIGIT.search(answer):
        return False
    told = tuple(references)
    if not _are_numbers(told, conventions) or _is_closed_form(answer_reading(answer, conventions)):
        return False
    steps = steps_of(answer, told, question, conventions)
    return all(map(_HAS_WORK, steps)) and are_given(answer, question)


def _is_closed_form(reading: Reading) -> bool:
    """Whether there is a power of a number, a factorial, a binomial coefficient or a root, and nothing rounds it."""
    texts = {text for _, text in reading.tokens}
    if not _ROUNDINGS.isdisjoint(texts):
        return False
    if not _CLOSED_FORMS.isdisjoint(texts):
        return True
    return any(sign == "^" and kind in _NUMBERS for (kind, _), (_, sign) in pairwise(reading.tokens))


def may_have_work(answer: str) -> bool:
    """A quick look for an operation: the usual answer is one number, maybe with a unit, or words.

    >>> [may_have_work(text) for text in ("96/6", "96 by 6", "16 nuts", "-16", "the Danube")]
    [True, True, False, False, False]
    """
    if not _SIGNS.isdisjoint(answer.lstrip("-+$ ")) or has_cue(answer.lower()):
        return True
    return len(_numbers(answer)) > 1  # "96 by 6"


def are_given(answer: str, question: str) -> bool:
    """Whether the answer has numbers, and none of its own.

    >>> asked = "Two of the 1,200 seats are free."
    >>> [are_given(text, asked) for text in ("1200-2", "1200-3", "12")]
    [True, False, False]
    """
    numbers = _numbers(_without_powers_of_units(canonical(answer)))
    return bool(numbers) and _given(question[:_MAX_QUESTION]).issuperset(numbers)


def _without_powers_of_units(text: str) -> str:
    """The text without the exponents after letters: `6 \\cdot 9 cm` of `6 \\cdot 9 cm^2`."""
    first, *others = text.split("^")
    befores = (first, *others)
    return first + "".join(
        _without_digit(one) if before.rstrip(" }")[-1:].isalpha() else f"^{one}"
        for before, one in zip(befores, others, strict=False)
    )


def _without_digit(exponent: str) -> str:
    """An exponent of one digit goes; `e^{14 - 3}` keeps its numbers."""
    bare = exponent.lstrip(" {")
    return f"^{exponent}" if bare[1:2].isdigit() else bare[1:]


@lru_cache(maxsize=256)  # every response to a question asks the same
def _given(question: str) -> frozenset[str]:
    """The numbers of a question, in figures and in words."""
    return _IDLE.union(_numbers(question), _spoken(question.lower()))


def _spoken(low: str) -> list[str]:
    """The numbers in words."""
    naming = naming_words()
    if naming.isdisjoint(words_of(low)):
        return []
    words = (word.strip(",.;:?!()") for word in low.split())
    return [*filter(None, (read_words(word) for word in words if naming.intersection(word.split("-"))))]


def _numbers(text: str) -> list[str]:
    """The numbers of a text without their signs and without commas between thousands."""
    return [number.lstrip("-").replace(",", "") for number in NUMBER.findall(text)]


@lru_cache(maxsize=256)
def _are_numbers(references: tuple[str, ...], conventions: Conventions) -> bool:
    """Whether each reference is one number that is worked out."""
    readings = [reference_reading(reference, conventions) for reference in references]
    return all(is_amount(_measured(one.value)) and not _HAS_WORK(one) for one in readings)


def _measured(value: Value) -> Value:
    """The quantity that `30 V` may be, rather than thirty times V."""
    return (isinstance(value, Scalar) and value.measured) or value
