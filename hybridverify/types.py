"""The data that flows through the library: `Sample` in, `Verdict` from every checker and judge, `Grade` out.

No logic lives here beyond checking arguments, so that every other module may import it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import Enum

from hybridverify.errors import Fault
from hybridverify.sample import Sample as Sample

GRADE_KEYS = (
    "score",
    "graded",
    "outcome",
    "rule_score",
    "rule_outcome",
    "rule_source",
    "judge_score",
    "judge_outcome",
    "judge_asked",
    "answer",
    "reason",
    "policy",
    "fingerprint",
)
"""Keys of `Grade.to_dict()`, the same on every path; output columns are these with `hv_` in front."""


class Outcome(str, Enum):
    """What a checker, a judge or the whole grade came to. Only `correct` and `incorrect` are verdicts."""

    CORRECT = "correct"
    """The answer is right."""
    INCORRECT = "incorrect"
    """The answer is wrong."""
    PARTIAL = "partial"
    """A score strictly between wrong and right: a rubric, or sides that differ under `mixed` and `sum`."""
    INVALID = "invalid"
    """The judge called the response unusable (CompassVerifier's letter C)."""
    UNDECIDED = "undecided"
    """Nothing went wrong, yet this tier cannot tell."""
    UNPARSEABLE = "unparseable"
    """The judge answered, and the answer holds no single label."""
    BAD_REFERENCE = "bad_reference"
    """There is no reference to compare with."""
    TIMED_OUT = "timed_out"
    """A deadline passed."""
    TOO_LONG = "too_long"
    """The prompt does not fit the judge's context."""
    FAILED = "failed"
    """A crash, a dead server, a killed worker."""
    SKIPPED = "skipped"
    """Not asked."""

    @property
    def value(self) -> str:  # what the one of Enum returns, four times as fast: it is read for every row
        return self._value_

    def __str__(self) -> str:
        return self._value_

    __hash__ = str.__hash__  # the one of Enum is written in Python, and differs from that of the equal text


CORRECT, INCORRECT, UNDECIDED = Outcome.CORRECT, Outcome.INCORRECT, Outcome.UNDECIDED
"""Looked up once for code that runs for every sample: up to Python 3.11 a member is ten times slower to reach."""
SURE = (CORRECT, INCORRECT, Outcome.PARTIAL)
"""Outcomes that settle a sample."""
NO_ANSWER = (Outcome.FAILED, Outcome.TIMED_OUT)
"""Outcomes of a judge that said nothing."""


@dataclass(frozen=True, init=False)
class Verdict:
    """What one checker or one judge says of one sample.

    `score` is finite; it lies in [0, 1] except from a classifier asked for raw logits, from users' own rules
    and hooks, and from `add` combinations. `source` names the speaker (`rule:gsm8k`, `judge:tinyv`).
    `answer` is the text that was compared. `reason` is stable text: it holds no times and no word of the
    cache, so that resumed, cached and distributed runs give equal bytes. `p_yes` is the probability of the
    positive label and `p_mass` the share of probability on both labels, -1.0 where not known. `fault` says whose
    fault it is where a judge gave no verdict.
    """

    outcome: Outcome
    score: float = 0.0
    source: str = ""
    answer: str = ""
    reason: str = ""
    cached: bool = False
    seconds: float = 0.0
    p_yes: float = -1.0
    p_mass: float = -1.0
    fault: Fault = field(default=Fault.ENGINE, compare=False, repr=False)
    reply: str = field(default="", compare=False, repr=False)
    """What the judge wrote, cut in its middle; "" where the verdict came from a cache. Only for people to read."""
    said: tuple[Verdict, ...] = field(default=(), compare=False, repr=False)
    """What every rule that was asked said, in order, where a `Verifier` records that. Only for people to read."""

    def __init__(
        self,
        outcome: Outcome,
        score: float = 0.0,
        source: str = "",
        answer: str = "",
        reason: str = "",
        cached: bool = False,
        seconds: float = 0.0,
        p_yes: float = -1.0,
        p_mass: float = -1.0,
        fault: Fault = Fault.ENGINE,
        reply: str = "",
        said: tuple[Verdict, ...] = (),
    ) -> None:
        told = self.__dict__  # as in Sample
        told["outcome"] = outcome
        told["score"] = score
        told["source"] = source
        told["answer"] = answer
        told["reason"] = reason
        told["cached"] = cached
        told["seconds"] = seconds
        told["p_yes"] = p_yes
        told["p_mass"] = p_mass
        told["fault"] = fault
        told["reply"] = reply
        told["said"] = said
        if score != 0.0 and score != 1.0:
            self.__post_init__()

    def __post_init__(self) -> None:
        if not math.isfinite(self.score):
            raise ValueError(f"Verdict.score must be finite, not {self.score!r}")

    def but(
        self,
        answer: str | None = None,
        seconds: float | None = None,
        fault: Fault | None = None,
        said: tuple[Verdict, ...] | None = None,
    ) -> Verdict:
        """This verdict with another answer, time, fault or record: `dataclasses.replace` at a sixth of the cost.

        >>> Verdict(Outcome.CORRECT, 1.0).but(answer="42").answer
        '42'
        """
        other = object.__new__(Verdict)
        told = self.__dict__.copy()
        if answer is not None:
            told["answer"] = answer
        if seconds is not None:
            told["seconds"] = seconds
        if fault is not None:
            told["fault"] = fault
        if said is not None:
            told["said"] = said
        object.__setattr__(other, "__dict__", told)
        return other

    @property
    def sure(self) -> bool:
        """True when this verdict settles the sample: correct, incorrect or a partial credit."""
        return self.outcome in SURE

    @property
    def silent(self) -> bool:
        """True when a judge's engine gave no answer, through no fault of the row: asking again may help."""
        return self.outcome in NO_ANSWER and self.fault is not Fault.ROW


SKIPPED = Verdict(Outcome.SKIPPED)


@dataclass(frozen=True, init=False)
class Grade:
    """The result for one sample: what the policy made of the rule's and the judge's verdicts.

    Not graded (`graded` false) means that the score is 0.0 because nobody could tell, and `outcome` says why.
    """

    score: float
    graded: bool
    outcome: Outcome
    rule: Verdict
    judge: Verdict
    votes: tuple[Verdict, ...] = ()
    policy: str = ""
    fingerprint: str = ""
    judge_asked: bool = False
    """True when the policy wanted a verdict, cached or not."""
    checks: tuple[Verdict, ...] = ()
    """What judges said when they were asked again, in the other order (`swap:<name>`) or beside a foreign
    reference (`canary:<name>`), and what a judge translated to what (`translation:<name>`, undecided)."""

    def __init__(
        self,
        score: float,
        graded: bool,
        outcome: Outcome,
        rule: Verdict,
        judge: Verdict,
        votes: tuple[Verdict, ...] = (),
        policy: str = "",
        fingerprint: str = "",
        judge_asked: bool = False,
        checks: tuple[Verdict, ...] = (),
    ) -> None:
        told = self.__dict__  # as in Sample
        told["score"] = score
        told["graded"] = graded
        told["outcome"] = outcome
        told["rule"] = rule
        told["judge"] = judge
        told["votes"] = votes
        told["policy"] = policy
        told["fingerprint"] = fingerprint
        told["judge_asked"] = judge_asked
        told["checks"] = checks
        if score != 0.0 and score != 1.0:
            self.__post_init__()

    def __post_init__(self) -> None:
        if not math.isfinite(self.score):
            raise ValueError(f"Grade.score must be finite, not {self.score!r}")

    def to_dict(self) -> dict[str, str | float | bool]:
        """A flat, JSON-ready dict with the keys of `GRADE_KEYS`, on every path."""
        return {
            "score": self.score,
            "graded": self.graded,
            "outcome": self.outcome.value,
            "rule_score": self.rule.score,
            "rule_outcome": self.rule.outcome.value,
            "rule_source": self.rule.source,
            "judge_score": self.judge.score,
            "judge_outcome": self.judge.outcome.value,
            "judge_asked": self.judge_asked,
            "answer": self.rule.answer or self.judge.answer,
            "reason": self._reason(),
            "policy": self.policy,
            "fingerprint": self.fingerprint,
        }

    def _reason(self) -> str:
        if self.judge_asked or (self.judge.reason and not self.rule.sure):
            return self.judge.reason or self.rule.reason
        return self.rule.reason
