"""What a grader's function says, and the checker around such a function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from hybridverify.objects import load
from hybridverify.rules.base import decided, undecided
from hybridverify.types import Sample, Verdict

PREFIX = "grader_"
"""Rules of this package are named so: `prime_math` is a rule of ours, `grader_prime_math` what theirs would say."""
_MAX_SHOWN = 2000


class Told(NamedTuple):
    """`equal` is None where the original would evaluate text and we cannot tell. `answer` is what it compares."""

    equal: bool | None
    answer: str = ""
    reason: str = ""


Compare = Callable[[str, str], Told]
"""From a response and one reference."""


@dataclass(frozen=True)
class TextGrader:
    """A grader described by us: bounded, in this process. `path` names its function, as `module:function`."""

    grader: str
    path: str = field(compare=False)

    version: ClassVar[int] = 1
    isolated: ClassVar[bool] = False
    meta_keys: ClassVar[tuple[str, ...]] = ()

    @property
    def name(self) -> str:
        return PREFIX + self.grader

    def check(self, sample: Sample) -> Verdict:
        """Correct with any of the references, as theirs with that one."""
        compare: Compare = load(self.path)
        return verdict(self, [compare(sample.response, reference) for reference in sample.references])


def verdict(checker: TextGrader, told: list[Told]) -> Verdict:
    """The verdict on several references from what was said of each."""
    best = next((one for one in told if one.equal), None)
    best = best or next((one for one in told if one.equal is None), told[0])
    answer = best.answer[:_MAX_SHOWN]
    if best.equal is None:
        return undecided(checker, reason=best.reason, answer=answer)
    return decided(checker, correct=best.equal, answer=answer, reason=best.reason)
