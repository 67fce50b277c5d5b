"""The companions that replace verl's functions while `hv_grpo` or `hv_rloo` is chosen (advantage.py).

No formula of verl is repeated: its own function is called once on all rows, for shapes and types, and once on the
rows that count. Each companion passes other estimators through unchanged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any

import numpy as np
from hybridverify.adapters.verl_queue import reward_columns

from hybridverify.errors import ConfigError

ESTIMATORS: Mapping[str, str] = {"hv_grpo": "grpo", "hv_rloo": "rloo"}
"""Our names, and the estimators of verl that they use."""
COLUMN = "hv_graded"
COLUMNS = (COLUMN, "hv_status", "hv_judge_asked")
NO_VERDICT = ("failed", "timed_out", "undecided")
"""The statuses of a judge that was asked and gave no verdict through no fault of the response. `too_long` and
`unparseable` are not among them: a response can cause them."""

_queued: ContextVar[Mapping[str, Mapping[str, Any]]] = ContextVar("our columns by the queue's keys")


class GradedOnly(str):
    """verl's own name of an estimator, for its comparisons, until our companion of `compute_advantage` is called."""

    __slots__ = ()


def counted(known: Sequence[bool], groups: Sequence[Any]) -> Any:
    """Which rows have another row to be compared with, as an array of bools, shape (rows,).

    In a group of one, verl pays the raw score, since nothing else was sampled. A row whose group lost all others to
    the judge looks the same. There a raw 1 would reward the luck of having been judged, so it counts for nothing.

    >>> counted([1, 0, 1, 1, 0, 1], ["a", "a", "a", "b", "b", "alone"]).tolist()
    [True, False, True, False, False, True]
    """
    sizes, left = Counter(groups), Counter(g for g, yes in zip(groups, known, strict=True) if yes)
    return np.array(
        [
            bool(yes) and (left[group] > 1 or sizes[group] == 1)
            for yes, group in zip(known, groups, strict=True)
        ],
        dtype=bool,
    )


def excused(status: Any, asked: Any) -> bool:
    """Whether a row without a grade is left out of its group's statistics, instead of counting with its reward.

    It is left out if the judge that was asked gave no verdict, or the reference cannot be used. A response that is
    unreadable, or that a rule gives up on, counts. If it were neither paid nor punished, a policy that is often wrong
    would learn to write such responses: one run did (benchmarks/README.md).

    >>> excused("failed", 1), excused("bad_reference", 0), excused("undecided", 0), excused("timed_out", 0)
    (True, True, False, False)
    """
    return status == "bad_reference" or (bool(asked) and status in NO_VERDICT)


def with_graded_rows(original: Callable[..., Any]) -> Callable[..., Any]:
    """`compute_advantage` of every release: takes the batch and returns it with `advantages` and `returns`."""

    @wraps(original)
    def compute_advantage(data: Any, adv_estimator: Any, *arguments: Any, **named: Any) -> Any:
        base = _base(adv_estimator)
        if not base:
            return original(data, adv_estimator, *arguments, **named)
        rows = np.flatnonzero(counted(_known(data), _groups(data)))
        whole = original(data, base, *arguments, **named)
        if len(rows) == len(whole):
            return whole
        part = original(_part(whole, rows), base, *arguments, **named) if len(rows) else None
        for name in ("advantages", "returns"):
            column = whole.batch[name]
            whole.batch[name] = column.new_zeros(column.shape)
            if part is not None:
                whole.batch[name][rows] = part.batch[name]
        return whole

    return compute_advantage


def _part(data: Any, rows: Any) -> Any:
    """These rows, and of their tensors only those that the two estimators read: the batch of a step takes gigabytes."""
    tensors = sorted({"token_level_rewards", "response_mask", "loss_mask"} & set(data.batch.keys()))
    return data.select(batch_keys=tensors, non_tensor_batch_keys=["uid"]).select_idxs(rows)


def with_outputs(original: Callable[..., Any]) -> Callable[..., Any]:
    """`compute_advantage_for_multi_trajectories`: of GRPO's names only verl's own makes it look at final outputs."""

    @wraps(original)
    def compute_advantage_for_multi_trajectories(
        data: Any, batch_keys: Sequence[str], adv_estimator: Any, *arguments: Any, **named: Any
    ) -> Any:
        if base := _base(adv_estimator):
            adv_estimator = GradedOnly(base)
            queued = _queued.get({})
            if queued and COLUMN not in data.non_tensor_batch:
                rows = [queued.get(key, {}) for key in batch_keys]
                for name in COLUMNS:
                    data.non_tensor_batch[name] = np.array([row.get(name) for row in rows], object)
        return original(data, batch_keys, adv_estimator, *arguments, **named)

    return compute_advantage_for_multi_trajectories


def with_queue(original: Callable[..., Any]) -> Callable[..., Any]:
    """The step of the v1 trainer, which fetches fixed fields of its queue: our column is fetched beside them."""

    @wraps(original)
    def _compute_advantage(trainer: Any, batch: Any, *arguments: Any, **named: Any) -> Any:
        if not _base(trainer.config.algorithm.adv_estimator):
            return original(trainer, batch, *arguments, **named)
        token = _queued.set(
            dict(zip(batch.keys, reward_columns(batch.keys, batch.partition_id), strict=True))
        )
        try:
            return original(trainer, batch, *arguments, **named)
        finally:
            _queued.reset(token)

    return _compute_advantage


def with_our_names(original: Callable[..., Any]) -> Callable[..., Any]:
    """The trainer of 0.4.1 and 0.5.0. It only accepts estimators of its own list."""

    @wraps(original)
    def __init__(trainer: Any, config: Any, *arguments: Any, **named: Any) -> None:
        with _verls_name(config.algorithm):
            original(trainer, config, *arguments, **named)

    return __init__


@contextmanager
def _verls_name(algorithm: Any) -> Iterator[None]:
    typed = algorithm.adv_estimator
    algorithm.adv_estimator = ESTIMATORS.get(typed, typed)
    try:
        yield
    finally:
        algorithm.adv_estimator = typed


def _base(adv_estimator: Any) -> str:
    """verl's name of the estimator that ours uses; "" for a name that is not ours."""
    if isinstance(adv_estimator, GradedOnly):
        return str(adv_estimator)
    return ESTIMATORS.get(adv_estimator, "") if isinstance(adv_estimator, str) else ""


def _known(data: Any) -> list[bool]:
    """Which rows count: those with a grade, and those without one that are not excused. Without the columns
    `hv_status` and `hv_judge_asked` (managers of others), only those with a grade. Raises ConfigError: a row
    without any information must not count as graded."""
    columns = [data.non_tensor_batch.get(name) for name in COLUMNS]
    values, statuses, asked = ([None] * len(data) if c is None else list(c) for c in columns)
    if missing := sum(value is None for value in values):
        raise ConfigError(
            f"algorithm.adv_estimator=hv_grpo or hv_rloo needs to know which rows have a grade, and {missing} of "
            f"{len(values)} rows came without {COLUMN!r}. It stands in the reward_extra_info of hybridverify's reward "
            "managers and functions: let one of them pay all rows, or choose grpo or rloo"
        )
    return [
        bool(yes) or (status is not None and not excused(status, judge))
        for yes, status, judge in zip(values, statuses, asked, strict=True)
    ]


def _groups(data: Any) -> list[Any]:
    groups = data.non_tensor_batch.get("uid")
    if groups is None:
        raise ConfigError(
            "algorithm.adv_estimator=hv_grpo or hv_rloo: the batch has no 'uid', the rows' group"
        )
    return list(groups)
