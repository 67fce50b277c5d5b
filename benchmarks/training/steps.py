"""The numbers of a run's steps: rewards beside the truth, what was asked of a judge, seconds and tokens.

A number that no file holds is `None`, never 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from training.rollouts import Rollout, Run, number
from training.task import PARTS

Numbers = dict[str, Any]

SECONDS = {
    "step": ("timing_s/step",),
    "rollout": ("timing_s/gen",),
    "log_probs": ("timing_s/old_log_prob", "timing_s/ref"),
    "advantage": ("timing_s/adv",),
    "update": ("timing_s/update_actor", "timing_s/update_critic"),
    "weights": ("timing_s/update_weights",),
    "reward_after": ("timing_s/reward",),
    "validation": ("timing_s/testing",),
}
"""verl's timers. Where the reward is computed while the rollout runs, its time lies inside `rollout`."""

RATES = ("reward", "true", "false_accepts", "false_rejects", "asked", "rescued", "ungraded")


def all_steps(run: Run) -> list[Numbers]:
    """Each step that has rollouts, in order."""
    return [
        {"step": step, **step_numbers(rows, run.metrics.get(step, {}))}
        for step, rows in sorted(run.steps.items())
    ]


def all_validations(run: Run) -> list[Numbers]:
    """Each validation that has rollouts, in order."""
    return [{"step": step, **accuracy_numbers(rows)} for step, rows in sorted(run.validation.items())]


def step_numbers(rows: Sequence[Rollout], metrics: Mapping[str, float]) -> Numbers:
    return {
        **accuracy_numbers(rows),
        **judge_numbers(rows, metrics),
        "seconds": seconds(rows, metrics),
        "tokens_per_response": metrics.get("response_length/mean"),
        "tokens": metrics.get("perf/total_num_tokens"),
        "tokens_per_second": metrics.get("perf/throughput"),
        "cut_off": metrics.get("response_length/clip_ratio"),
    }


def accuracy_numbers(rows: Sequence[Rollout]) -> Numbers:
    """Reward and truth, over all rows and over each part."""
    by_part = {part: [row for row in rows if row.part == part] for part in PARTS}
    return {
        "rows": len(rows),
        "reward": mean(row.reward for row in rows),
        "true": mean(row.right for row in rows),
        "false_accepts": mean(row.accepted and not row.right for row in rows),
        "false_rejects": mean(row.right and not row.accepted for row in rows),
        "reward_by_part": {part: mean(row.reward for row in some) for part, some in by_part.items()},
        "true_by_part": {part: mean(row.right for row in some) for part, some in by_part.items()},
    }


def judge_numbers(rows: Sequence[Rollout], metrics: Mapping[str, float]) -> Numbers:
    """Shares of rows that a judge was asked about, that it rescued, that have no grade: from the rows' own columns,
    else from the step's metrics."""
    ours = [row.columns for row in rows if "hv_graded" in row.columns]
    if ours:
        return {
            "asked": mean(flag(columns, "hv_judge_asked") for columns in ours),
            "rescued": mean(map(rescued, ours)),
            "ungraded": mean(not flag(columns, "hv_graded") for columns in ours),
        }
    total = metrics.get("hv/rows")
    return {
        name: metrics[f"hv/{name}"] / total if total and f"hv/{name}" in metrics else None
        for name in ("asked", "rescued", "ungraded")
    }


def rescued(columns: Mapping[str, Any]) -> bool:
    """Whether a judge's word made a row right that the rules had not accepted."""
    return (
        flag(columns, "hv_graded")
        and flag(columns, "hv_judge_asked")
        and columns.get("hv_status") in ("correct", "partial")
        and columns.get("hv_rule_outcome") != "correct"
    )


def flag(columns: Mapping[str, Any], name: str) -> bool:
    return bool(number(columns.get(name)))


def seconds(rows: Sequence[Rollout], metrics: Mapping[str, float]) -> Numbers:
    """Seconds of a step by part. `reward_busy` are those in which at least one reward was being computed, and
    `reward_row` the mean of a row, waiting included: from recorded rows, else from verl's agent loop (mean only)."""
    known = {name: _sum(metrics.get(key) for key in keys) for name, keys in SECONDS.items()}
    spans = [
        (began, ended)
        for row in rows
        if (began := number(row.columns.get("began"))) is not None
        and (ended := number(row.columns.get("ended"))) is not None
    ]
    return {
        **known,
        "reward_busy": covered(spans) if spans else None,
        "reward_row": mean(ended - began for began, ended in spans)
        if spans
        else metrics.get("timing_s/agent_loop/compute_score/mean"),
    }


def covered(spans: Iterable[tuple[float, float]]) -> float:
    """The length of the union of spans.

    >>> covered([(0, 2), (1, 3), (5, 6)])
    4.0
    """
    total, until = 0.0, float("-inf")
    for began, ended in sorted(spans):
        total += max(0.0, ended - max(began, until))
        until = max(until, ended)
    return total


def mean(values: Iterable[float]) -> float | None:
    """The mean; None of nothing."""
    known = [float(value) for value in values]
    return sum(known) / len(known) if known else None


def ends(steps: Sequence[Numbers], count: int = 5) -> dict[str, Numbers]:
    """The means of the first and of the last steps; a short run's may overlap."""
    return {"first": averaged(steps[:count]), "last": averaged(steps[-count:])}


def averaged(steps: Sequence[Numbers]) -> Numbers:
    """Steps averaged number by number; each step weighs the same. None where no step has the number."""

    def over(pick: Callable[[Numbers], Any]) -> float | None:
        return mean(value for value in map(pick, steps) if value is not None)

    if not steps:
        return {}
    return {
        name: {inner: over(lambda step: step[name].get(inner)) for inner in value}  # noqa: B023
        if isinstance(value, dict)
        else over(lambda step: step[name])  # noqa: B023
        for name, value in steps[0].items()
        if name != "step"
    } | {"steps": len(steps)}


def _sum(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None
