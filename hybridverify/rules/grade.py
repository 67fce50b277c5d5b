"""The training reward of rubric models: how near the total score they wrote comes to the wanted one."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from hybridverify.answers.thinking import THINKING_TAGS, without_thinking
from hybridverify.language import expressions as re
from hybridverify.maths import numerals
from hybridverify.types import Outcome, Sample, Verdict

_LABEL = "Total Score"
_BEHIND = re.compile(
    r"[\s:：\[*|'\"(=]{0,20}(?P<score>[-+]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20}))(?![\w.])"
    r"(?=[\s*|\]')\"]*(?:points?\b|/|out of\b|[.,;]?\s*$|[.,;]?[^\S\n]*\n))"
)
_SCALE = 10


@dataclass(frozen=True)
class Grade:
    """(1 - |s - g|)², s = the number after the last 'Total Score' out of ten, g = the reference in [0, 1].

    A score outside 0 to 10 is clipped; one that is absent or unreadable scores 0.

    >>> Grade().check(Sample("Good work. **Total Score: 8/10**", "0.7")).score
    0.81
    """

    thinking_tags: tuple[str, str] = THINKING_TAGS

    name: ClassVar[str] = "grade"
    version: ClassVar[int] = 1
    isolated: ClassVar[bool] = False
    meta_keys: ClassVar[tuple[str, ...]] = ()

    def check(self, sample: Sample) -> Verdict:
        wanted = [share for reference in sample.references if (share := _share(reference)) is not None]
        if not wanted:
            return self._verdict(Outcome.BAD_REFERENCE, 0.0, "", "the reference is no number from 0 to 1")
        body, finished = without_thinking(sample.response, self.thinking_tags)
        told = _total_score(body) if finished else ""
        if not told:
            return self._verdict(Outcome.INCORRECT, 0.0, "", f"no number after '{_LABEL}'")
        share = min(max(Fraction(told), Fraction(0)), Fraction(_SCALE)) / _SCALE
        score = max((1 - abs(share - goal)) ** 2 for goal in wanted)
        outcome = {0: Outcome.INCORRECT, 1: Outcome.CORRECT}.get(
            int(score) if score.denominator == 1 else -1, Outcome.PARTIAL
        )
        return self._verdict(outcome, float(score), told, "distance to the wanted score")

    def _verdict(self, outcome: Outcome, score: float, answer: str, reason: str) -> Verdict:
        return Verdict(outcome, score, f"rule:{self.name}", answer, reason)


def _share(reference: str) -> Fraction | None:
    number = numerals.read(reference)
    if number is None or number.percent or number.currency or not 0 <= number.value <= 1:
        return None
    return Fraction(number.value)


def _total_score(body: str) -> str:
    """The number behind the last label, "" where it is unreadable, not finite included."""
    at = body.rfind(_LABEL)
    match = _BEHIND.match(body, at + len(_LABEL)) if at >= 0 else None
    return match.group("score") if match else ""
