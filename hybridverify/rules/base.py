"""What a rule checker is, the two ways in which it answers, and what becomes of one that raises."""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol, runtime_checkable

from hybridverify.types import CORRECT, INCORRECT, UNDECIDED, Outcome, Sample, Verdict


@runtime_checkable
class Checker(Protocol):
    """A rule. It sees `response`, `references`, `question` and the declared `meta_keys`, nothing else.

    `isolated` checkers run in a killable worker process with a deadline and must pickle; the others must be
    bounded by construction (linear scans, limits before parsing). Raise nothing: an exception becomes a
    `failed` verdict. If a result may change for the same input, raise `version`: it is part of the cache key.
    """

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> int: ...

    @property
    def isolated(self) -> bool: ...

    @property
    def meta_keys(self) -> tuple[str, ...]: ...

    def check(self, sample: Sample) -> Verdict: ...


def decided(checker: Checker, *, correct: bool, answer: str = "", reason: str = "") -> Verdict:
    """A sure verdict of this checker."""
    return verdict(checker, CORRECT if correct else INCORRECT, answer, reason)


def undecided(checker: Checker, *, reason: str, answer: str = "") -> Verdict:
    """This checker cannot tell; the next one is asked."""
    return verdict(checker, UNDECIDED, answer, reason)


def verdict(checker: Checker, outcome: Outcome, answer: str, reason: str) -> Verdict:
    """What this checker says; a full score for `correct` alone."""
    make = _kept if len(answer) <= _SHORT else _made
    return make(checker.name, outcome, answer, reason)


def broken(checker: Checker, error: Exception) -> Verdict:
    """A `failed` verdict that names what was raised. One bad sample or a user's faulty rule must not end the batch."""
    return Verdict(Outcome.FAILED, 0.0, f"rule:{checker.name}", "", f"{type(error).__name__} in the checker")


def _made(name: str, outcome: Outcome, answer: str, reason: str) -> Verdict:
    return Verdict(outcome, 1.0 if outcome is CORRECT else 0.0, f"rule:{name}", answer, reason)


_kept = lru_cache(maxsize=1024)(_made)
"""Verdicts never change, and rows that agree share them: to make one costs as much as to read a short answer."""
_SHORT = 64
