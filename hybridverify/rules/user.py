"""A user's own rule: any function of a sample that returns a number, a boolean or a `Verdict`.

Named as `module:function` it runs in a killable worker, since we cannot know what it does; given as an object
it runs in this process, where it may hold state.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from hybridverify.errors import ConfigError
from hybridverify.objects import load
from hybridverify.types import Outcome, Sample, Verdict


@dataclass(frozen=True)
class UserRule:
    """Wraps a function as a checker. It sees the whole sample and its verdicts are not cached.

    >>> rule = UserRule(lambda sample: len(sample.response) < 10)
    >>> rule.check(Sample("short", "any")).outcome
    <Outcome.CORRECT: 'correct'>
    """

    version: ClassVar[int] = 1
    meta_keys: ClassVar[tuple[str, ...]] = ()
    cached: ClassVar[bool] = False
    needs_reference: ClassVar[bool] = False

    function: Callable[[Sample], Any] | None = field(default=None, compare=False)
    path: str = ""

    @classmethod
    def from_name(cls, path: str) -> UserRule:
        """A rule named `module:function`; the import is tried here, so that a wrong name is told at once."""
        rule = cls(None, path)
        if not callable(rule._function()):
            raise ConfigError(f"rules: {path} is not callable")
        return rule

    @property
    def name(self) -> str:
        return self.path or getattr(self.function, "__qualname__", type(self.function).__qualname__)

    @property
    def isolated(self) -> bool:
        return bool(self.path)

    def check(self, sample: Sample) -> Verdict:
        """Call the function and read what it says; exceptions are the caller's to catch."""
        return _read(self._function()(sample), f"rule:{self.name}")

    def _function(self) -> Callable[[Sample], Any]:
        return load(self.path) if self.function is None else self.function


def _read(said: object, source: str) -> Verdict:
    if isinstance(said, Verdict):
        return said
    if said is None:
        return Verdict(Outcome.UNDECIDED, 0.0, source, "", "the function returned None")
    if not isinstance(said, (bool, int, float)) and not hasattr(said, "__float__"):
        return Verdict(Outcome.FAILED, 0.0, source, "", f"the function returned a {type(said).__name__}")
    score = float(said)
    if not math.isfinite(score):
        return Verdict(Outcome.FAILED, 0.0, source, "", "the function returned no finite number")
    outcome = Outcome.PARTIAL if 0.0 < score < 1.0 else Outcome.CORRECT if score > 0.0 else Outcome.INCORRECT
    return Verdict(outcome, score, source)
