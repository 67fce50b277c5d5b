r"""Hendrycks' MATH grader (verl's `math_reward`): the last box, compared with the reference as text in one spelling."""

from __future__ import annotations

from hybridverify.rules.graders import boxed
from hybridverify.rules.graders.latex_form import Odd, spelled
from hybridverify.rules.graders.told import Told

_OPEN = "\\boxed "
"""A box without braces; where one occurs anywhere, the original looks at no other."""


def hendrycks(response: str, reference: str) -> Told:
    r"""Equal spelling of the last box and the reference.

    >>> hendrycks(r"so \boxed{\frac12}", r"\dfrac{1}{2}").equal, hendrycks("so 7", "7").equal
    (True, False)
    """
    answer = _answer(response)
    if answer is None:
        return Told(False, "", "no box")
    try:
        same = spelled(answer) == spelled(reference)
    except Odd:
        same = answer == reference
    return Told(same, answer, "same spelling" if same else "another spelling")


def _answer(response: str) -> str | None:
    if _OPEN in response:
        return response.rpartition(_OPEN)[2].partition("$")[0]
    start = response.rfind("\\boxed")
    return boxed.content(boxed.braced(response, start)) if start >= 0 else None
