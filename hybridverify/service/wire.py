"""Grades as JSON, for both ends of a connection: flat, as files have them, or full, so that a client gets back equal
objects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hybridverify.errors import Fault
from hybridverify.types import Grade, Outcome, Verdict

_TEXTS = ("source", "answer", "reason")
_NUMBERS = ("score", "seconds")
_UNKNOWN = -1.0  # p_yes and p_mass where no engine told them


def full(grade: Grade) -> dict[str, Any]:
    """Everything in a grade; `grade_of` is the way back."""
    told: dict[str, Any] = {
        "score": grade.score,
        "graded": grade.graded,
        "outcome": grade.outcome.value,
        "policy": grade.policy,
        "fingerprint": grade.fingerprint,
        "judge_asked": grade.judge_asked,
        "rule": _verdict(grade.rule),
        "judge": _verdict(grade.judge),
    }
    if grade.votes:
        told["votes"] = [_verdict(vote) for vote in grade.votes]
    if grade.checks:
        told["checks"] = [_verdict(check) for check in grade.checks]
    return told


def grade_of(told: Mapping[str, Any]) -> Grade:
    """The grade that `full` wrote. Raises KeyError, TypeError or ValueError for anything else."""
    return Grade(
        float(told["score"]),
        bool(told["graded"]),
        Outcome(told["outcome"]),
        _read(told["rule"]),
        _read(told["judge"]),
        tuple(map(_read, told.get("votes", ()))),
        str(told["policy"]),
        str(told["fingerprint"]),
        bool(told["judge_asked"]),
        tuple(map(_read, told.get("checks", ()))),
    )


def _verdict(verdict: Verdict) -> dict[str, Any]:
    told: dict[str, Any] = {"outcome": verdict.outcome.value}
    for name in (*_NUMBERS, *_TEXTS):
        if value := getattr(verdict, name):
            told[name] = value
    if verdict.cached:
        told["cached"] = True
    if verdict.p_yes != _UNKNOWN:
        told["p_yes"] = verdict.p_yes
    if verdict.p_mass != _UNKNOWN:
        told["p_mass"] = verdict.p_mass
    if verdict.fault is not Fault.ENGINE:
        told["fault"] = verdict.fault.value
    return told


def _read(told: Mapping[str, Any]) -> Verdict:
    return Verdict(
        Outcome(told["outcome"]),
        float(told.get("score", 0.0)),
        str(told.get("source", "")),
        str(told.get("answer", "")),
        str(told.get("reason", "")),
        bool(told.get("cached", False)),
        float(told.get("seconds", 0.0)),
        float(told.get("p_yes", _UNKNOWN)),
        float(told.get("p_mass", _UNKNOWN)),
        Fault(told.get("fault", Fault.ENGINE.value)),
    )
