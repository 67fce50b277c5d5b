"""Numbers for a trainer's log."""

from __future__ import annotations

from typing import Any

from hybridverify.adapters.graders import grader_for
from hybridverify.adapters.metrics import step_metrics
from hybridverify.adapters.options import parse_options

from hybridverify.types import Sample

SAMPLES = [
    Sample("#### 7", "7"),
    Sample("The author is the bard of Avon", "Shakespeare"),
    Sample("The author is Marlowe of Canterbury", "Shakespeare"),
    Sample("The author is nobody we ever met", "Shakespeare"),
]


def test_a_step_counts_what_was_asked_rescued_left_and_known(make_judge: Any, tmp_path: Any) -> None:
    judge, _ = make_judge({"bard": "True", "Marlowe": "False", "nobody": "perhaps"})
    options = parse_options(
        {"judges": [judge], "policy": "addon", "cache": str(tmp_path), "max_ungraded": 1.0}
    )
    grader = grader_for(options)
    first = {"hv/rows": 4, "hv/asked": 3, "hv/rescued": 1, "hv/ungraded": 1, "hv/cached": 0}
    assert step_metrics(grader.grade(SAMPLES)) == first
    assert step_metrics(grader.grade(SAMPLES)) == {**first, "hv/cached": 2}


def test_the_totals_of_a_process_are_numbers_alone_and_hold_the_monitors(make_judge: Any) -> None:
    judge, _ = make_judge("True")
    grader = grader_for(parse_options({"judges": [judge], "policy": "judge_only", "cache": None}))
    grader.grade(SAMPLES)
    totals = grader.metrics()
    assert totals["hv/judge/asked"] == 4.0
    assert totals["hv/monitor/rescued"] >= 1.0
    assert {type(value) for value in totals.values()} == {float}
