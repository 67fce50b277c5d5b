"""PRIME's grader (verl's `prime_math`, TinyV's default), as far as it can be had without running the model's text.

The original looks for the answer by phrases, compares two spellings of it, then numbers, lists and brackets; and at the
end it gives both texts to `eval`, `parse_expr` and sympy. Everything up to there is described here and in `prm800k` and
`prime_values`. In place of the evaluation our bounded reader compares; what it cannot decide is undecided.
"""

from __future__ import annotations

from hybridverify.rules.graders import boxed, prm800k
from hybridverify.rules.graders.latex_form import Odd
from hybridverify.rules.graders.prime_values import math_equal
from hybridverify.rules.graders.told import Told
from hybridverify.rules.graders.values import either

_BEHIND = ("answer:", "answer is", "answers are")
_BEFORE = ("is answer", "is the answer", "are answers", "are the answers")
_LAST = ("be ", "is ", "are ", "=", ": ", "get ", "be\n", "is\n", "are\n", ":\n", "get\n")
_MAX_LENGTH = 2000
"""Of an answer or a reference that is compared beyond its text."""
EVALUATED = "the original would evaluate the text, and our reader cannot tell"


def prime_math(response: str, reference: str) -> Told:
    r"""What PRIME's grader says of a response.

    >>> prime_math(r"Thus \boxed{\frac{2}{4}}", "1/2").equal, prime_math("The answer is 50.", "0.5").equal
    (True, True)
    >>> prime_math("I get 3, 4", "3, 5").equal, prime_math(r"\boxed{x\star y}", "y").equal
    (False, None)
    """
    answer = final_part(response)
    if max(len(answer), len(reference)) > _MAX_LENGTH:
        return Told(answer.strip().lower() == reference.strip().lower() or None, answer, "limit")
    graded = prm800k.grade(answer, reference)
    if graded:
        return Told(True, answer, "same as PRM800K's grader")
    try:
        equal = either(graded, math_equal(answer, reference, top=True))
    except Odd:
        equal = graded
    if equal is None:
        return Told(None, answer, EVALUATED)
    return Told(equal, answer, "equal values" if equal else "other values")


def final_part(response: str) -> str:
    r"""What the original compares: after the last phrase that announces an answer, in the last box, behind `is` or `=`.

    >>> final_part(r"Hence x = \boxed{y = 7}"), final_part("The answer is 12. I am sure.")
    ('7', '12')
    """
    for phrase in _BEHIND:
        response = _behind(response, phrase)
    for phrase in _BEFORE:
        at = response.lower().rfind(phrase)
        if at != -1:
            response = response[:at].strip()
    response = _last_box(response) or response
    sentence = response.rfind(". ")
    if sentence != -1:
        response = response[:sentence].strip()
    for phrase in _LAST:
        response = _behind(response, phrase)
    return response


def _behind(text: str, phrase: str) -> str:
    at = text.lower().rfind(phrase)
    return text if at == -1 else text[at + len(phrase) :].strip()


def _last_box(text: str) -> str:
    start = text.rfind("\\boxed")
    start = start if start != -1 else text.rfind("\\fbox")
    box = boxed.braced(text, start) if start != -1 else ""
    return box.partition("{")[2][:-1].strip()
