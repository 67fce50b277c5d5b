"""A judge that fails for every tenth row it is asked about: what does a trainer make of them?

    reward.reward_manager.source=importlib
    reward.reward_manager.name=FailingHybrid
    reward.reward_manager.module.path=pkg://training.failing        # with benchmarks/ on PYTHONPATH
    +reward.reward_kwargs.outage_wait_s=0 +reward.reward_kwargs.max_ungraded=1.0
    algorithm.adv_estimator=hv_grpo                                 # or grpo, which takes their zeros for wrong answers

Whichever judge `reward_kwargs` names, embedded or served, its other verdicts are its own. Rows are counted as they
come, so that a failure says nothing of the response, as in an outage; were it always the same responses, a policy would
learn to avoid them. Without `outage_wait_s=0` a row that is alone in its batch waits for a judge that will never
answer it. TRAINING_JUDGE_FAILS names another share.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import count
from typing import Any

from hybridverify.adapters.graders import grader_for

from hybridverify.judges.base import Request, Subject
from hybridverify.types import Outcome, Verdict
from training.recorded import RecordedHybrid

SHARE = "TRAINING_JUDGE_FAILS"
FAILED = Verdict(Outcome.FAILED, reason="made to fail")


class Failing:
    """Before a manager of ours: its judges fail for a share of their rows."""

    options: Any

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        for judge in grader_for(self.options).judges:
            fail_for(judge, float(os.environ.get(SHARE, "0.1")))


class FailingHybrid(Failing, RecordedHybrid):
    """Ours, with a judge that fails; its rows are recorded."""


def fail_for(judge: Any, share: float) -> None:
    """Let a judge fail for a share of what it is asked: before its cache, so that a verdict of an earlier run saves no
    row. Again changes nothing."""
    if "prepare" in vars(judge):
        return
    prepare, asked = judge.prepare, count()

    def failing(subjects: Sequence[Subject]) -> list[Request | Verdict]:
        return [
            FAILED if isinstance(one, Request) and chosen(next(asked), share) else one
            for one in prepare(subjects)
        ]

    judge.prepare = failing


def chosen(number: int, share: float) -> bool:
    """Whether the row of this number, counted from 0, belongs to the share.

    >>> [chosen(number, 0.25) for number in range(8)]
    [False, False, False, True, False, False, False, True]
    """
    return int((number + 1) * share) > int(number * share)
