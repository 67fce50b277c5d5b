"""A judge that fails for every tenth row it is asked about, always the same ones: what does a trainer make of them?

    reward.reward_manager.source=importlib
    reward.reward_manager.name=FailingHybrid
    reward.reward_manager.module.path=pkg://training.failing        # with benchmarks/ on PYTHONPATH
    +reward.reward_kwargs.outage_wait_s=0 +reward.reward_kwargs.max_ungraded=1.0
    algorithm.adv_estimator=hv_grpo                                 # or grpo, which takes their zeros for wrong answers

Whichever judge `reward_kwargs` names, embedded or served, its other verdicts are its own. Without `outage_wait_s=0` a
row that is alone in its batch waits for a judge that will never answer it. TRAINING_JUDGE_FAILS names another share.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from typing import Any

from hybridverify.adapters.grader import grader_for

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
    """Let a judge fail for a share of what it is asked, chosen by question and response: before its cache, so that a
    verdict of an earlier run saves no row. Again changes nothing."""
    if "prepare" in vars(judge):
        return
    prepare = judge.prepare

    def failing(subjects: Sequence[Subject]) -> list[Request | Verdict]:
        prepared = prepare(subjects)
        return [FAILED if chosen(s, share) else p for s, p in zip(subjects, prepared, strict=True)]

    judge.prepare = failing


def chosen(subject: Subject, share: float) -> bool:
    """Whether a row belongs to the share."""
    text = f"{subject.sample.question}\0{subject.sample.response}"
    digest = hashlib.sha256(text.encode("utf-8", "replace")).digest()
    return int.from_bytes(digest[:8], "big") < share * 2**64
