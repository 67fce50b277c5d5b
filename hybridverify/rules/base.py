"""What a rule checker is, and the two ways in which it answers."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from hybridverify.types import CORRECT, INCORRECT, UNDECIDED, Sample, Verdict


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
    outcome, score = (CORRECT, 1.0) if correct else (INCORRECT, 0.0)
    return Verdict(outcome, score, f"rule:{checker.name}", answer, reason)


def undecided(checker: Checker, *, reason: str, answer: str = "") -> Verdict:
    """This checker cannot tell; the next one is asked."""
    return Verdict(UNDECIDED, 0.0, f"rule:{checker.name}", answer, reason)
