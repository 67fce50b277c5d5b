"""The graders by name, each as a function that makes its checker: what the registry points to."""

from __future__ import annotations

import importlib.metadata

from hybridverify.rules.base import Checker
from hybridverify.rules.graders import installed
from hybridverify.rules.graders.told import TextGrader

_HERE = "hybridverify.rules.graders"
_OURS = {
    "gsm8k_strict": f"{_HERE}.gsm8k:strict",
    "gsm8k_flexible": f"{_HERE}.gsm8k:flexible",
    "hendrycks": f"{_HERE}.hendrycks:hendrycks",
    "math_dapo": f"{_HERE}.dapo:dapo",
    "math_dapo_answer": f"{_HERE}.dapo:answer_line",
    "prime_math": f"{_HERE}.prime_math:prime_math",
}


def described(grader: str) -> TextGrader:
    """Our description of a grader, whatever is installed.

    >>> described("hendrycks").name
    'grader_hendrycks'
    """
    return TextGrader(grader, _OURS[grader])


def gsm8k_strict() -> Checker:
    """verl's `gsm8k`, method strict."""
    return _original("gsm8k_strict")


def gsm8k_flexible() -> Checker:
    """verl's `gsm8k`, method flexible."""
    return _original("gsm8k_flexible")


def hendrycks() -> Checker:
    """verl's `math_reward`."""
    return _original("hendrycks")


def math_dapo() -> Checker:
    """verl's `math_dapo`."""
    return _original("math_dapo")


def math_dapo_answer() -> Checker:
    """verl's `math_dapo` up to 0.9.0."""
    return described("math_dapo_answer")


def prime_math() -> Checker:
    """verl's `prime_math`; never the original, which evaluates the model's text."""
    return described("prime_math")


def _original(grader: str) -> Checker:
    """verl's own where it is installed, else ours."""
    if installed.file_of(grader) is None:
        return described(grader)
    try:
        importlib.metadata.version("verl")
    except importlib.metadata.PackageNotFoundError:
        return described(grader)
    return installed.InstalledGrader(grader)
