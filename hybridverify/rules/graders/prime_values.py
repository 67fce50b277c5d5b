"""The second half of PRIME's grader: texts, numbers with or without a percent sign, brackets and lists."""

from __future__ import annotations

import math

from hybridverify.language import expressions as re
from hybridverify.rules.graders.latex_form import Odd
from hybridverify.rules.graders.values import TOLERANCE, by_value, either, every

_PERCENT = re.compile(r"\d+(?:\.\d+)?\\?%\n?")
_MAX_LENGTH = 1000
_INTERVALS = {
    "Interval(": "[]",
    "Interval.Ropen(": "[)",
    "Interval.Lopen(": "(]",
    "Interval.open(": "()",
}


def math_equal(answer: str, reference: str, top: bool = False) -> bool | None:
    r"""Whether the original accepts; None where it would evaluate and our reader cannot tell.

    `top` is the first call, which alone takes 3.14 for π as well. Raises Odd where the original breaks off.

    >>> math_equal("50", "0.5"), math_equal("$7", "7"), math_equal("1, 2", "1, 3"), math_equal("[2]", "2")
    (True, True, False, True)
    """
    if "\\pi" in answer or "\\pi" in reference:
        return by_value(answer, reference)
    answer, reference = _normal(answer)[:_MAX_LENGTH], _normal(reference)
    if answer.strip().lower() == reference.strip().lower() or _tight(answer) == _tight(reference):
        return True
    numbers = _number(answer), _number(reference)
    if numbers[0] is not None and numbers[1] is not None:
        return _close(numbers[0], numbers[1])
    return _by_form(_interval(answer.strip()), reference.strip()) if answer else False


def _by_form(answer: str, reference: str) -> bool | None:
    """Brackets and lists, then values."""
    if _bare(answer, reference):
        return True
    perhaps: bool | None = False
    if _is_in_brackets(answer) and _ends(answer) == _ends(reference):
        perhaps = _by_item(answer[1:-1].split(","), reference[1:-1].split(","))
    if perhaps:
        return True
    if "," in answer and answer.count(",") == reference.count(","):
        return either(perhaps, _by_item(_listed(answer), _listed(reference)))
    if answer.startswith("Point") and _ends(reference) == "()":
        point = answer[answer.find("(") + 1 : -1]
        perhaps = either(perhaps, _by_item(point.split(","), reference[1:-1].split(",")))
    return either(perhaps, by_value(answer, reference))


def _is_in_brackets(text: str) -> bool:
    return text != "" and text[0] in "([" and text[-1] in ")]"


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")]


def _ends(text: str) -> str:
    return text[:1] + text[-1:]


def _by_item(answers: list[str], references: list[str]) -> bool | None:
    if len(answers) != len(references):
        return False
    return every([math_equal(one, other) for one, other in zip(answers, references, strict=True)])


def _bare(answer: str, reference: str) -> bool:
    """The same apart from brackets, of which `[` and `(` are told apart only where each side begins with its own."""
    for opening, closing, other in (("[", "]", "("), ("(", ")", "[")):
        if answer.startswith(opening) and answer.endswith(closing) and not reference.startswith(other):
            answer, reference = answer.strip("[]()"), reference.strip("[]()")
            break
    for sign in "{}()":
        answer, reference = answer.replace(sign, ""), reference.replace(sign, "")
    return answer == reference


def _normal(text: str) -> str:
    if text[:1] == "$" and text[1:2].isdecimal():
        return text[1:]
    if _PERCENT.fullmatch(text):
        return text.replace("\\%", "").replace("%", "")
    return _without_base(text) if "_" in text else text


def _without_base(text: str) -> str:
    try:
        return str(int(float(text.partition("_")[0])))
    except (ValueError, OverflowError) as error:
        raise Odd from error


def _number(text: str) -> float | None:
    try:
        return float(text.replace("{,}", "") if "{,}" in text else text.replace(",", ""))
    except ValueError:
        return None


def _close(answer: float, reference: float) -> bool:
    wanted = (reference / 100, reference, reference * 100)
    return any(math.isclose(number, answer, rel_tol=TOLERANCE) for number in wanted)


def _interval(answer: str) -> str:
    """`Interval.open(1, 2)` as `(1, 2)`, which is how sympy's own spelling is taken."""
    for name, brackets in _INTERVALS.items():
        if answer.startswith(name) and answer.endswith(")"):
            return f"{brackets[0]}{answer[len(name) : -1]}{brackets[1]}"
    return answer


def _tight(text: str) -> str:
    return text.replace(" ", "")
