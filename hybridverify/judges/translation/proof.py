"""The verdict of the rules on a row, with one side or both translated, and why they leave a row open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hybridverify.conventions import Conventions
from hybridverify.rules.prime_math import PrimeMath
from hybridverify.sample import Sample
from hybridverify.types import CORRECT, INCORRECT, Verdict


@dataclass(frozen=True)
class Comparer:
    """Compares by the rule that reads values, with all checks that come before it: same text, echo, hedge."""

    conventions: Conventions

    def of_row(self, sample: Sample, reply: str) -> Verdict:
        """The rule's verdict on the row as it is."""
        return self._rule().check(sample.answered(reply or sample.response))

    def same(self, references: Sequence[str], answer: str, question: str) -> bool:
        """Whether the answer is proved to be one of the references."""
        return self._of(references, answer, question).outcome is CORRECT

    def differ(self, references: Sequence[str], answer: str, question: str) -> bool:
        """Whether the answer is certainly none of the references."""
        return bool(references) and self._of(references, answer, question).outcome is INCORRECT

    def _of(self, references: Sequence[str], answer: str, question: str) -> Verdict:
        return self._rule().check(Sample(f"\\boxed{{{answer}}}", list(references), question))

    def _rule(self) -> PrimeMath:
        return PrimeMath(self.conventions)
