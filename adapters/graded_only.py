"""What stands in the place of verl's functions while `hv_grpo` or `hv_rloo` is chosen (advantage.py).

No formula of verl is written again: its own function is called once on all rows, which gives shapes and types, and once
on the rows that count. Each companion hands other estimators through untouched.
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
"""Our names, and the estimators of verl behind them."""
COLUMN = "hv_graded"

_queued: ContextVar[Mapping[str, Any]] = ContextVar("hv_graded of the queue's keys")


class GradedOnly(str):
    """verl's own name of an estimator, for its comparisons, on the way to our companion of `compute_advantage`."""

    __slots__ = ()


def counted(graded: Sequence[Any], groups: Sequence[Any]) -> Any:
    """Which rows have something to be compared with, as an array of bools.

    A group of one is paid its raw score by verl, since nothing else was sampled. A row whose group lost all others to
    the judge looks the same, and there a raw 1 would reward the luck of having been judged: it counts for nothing.

    >>> counted([1, 0, 1, 1, 0, 1], ["a", "a", "a", "b", "b", "alone"]).tolist()
    [True, False, True, False, False, True]
    """
    sizes, known = Counter(groups), Counter(g for g, yes in zip(groups, graded, strict=True) if yes)
    return np.array(
        [
            bool(yes) and (known[group] > 1 or sizes[group] == 1)
            for yes, group in zip(graded, groups, strict=True)
        ],
        dtype=bool,
    )


def with_graded_rows(original: Callable[..., Any]) -> Callable[..., Any]:
    """`compute_advantage` of every release: the batch in, the batch with `advantages` and `returns` out."""

    @wraps(original)
    def compute_advantage(data: Any, adv_estimator: Any, *arguments: Any, **named: Any) -> Any:
        base = _base(adv_estimator)
        if not base:
            return original(data, adv_estimator, *arguments, **named)
        rows = np.flatnonzero(counted(_graded(data), _groups(data)))
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
    """These rows, and of their tensors only what the two estimators read: a step's batch takes gigabytes."""
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
                data.non_tensor_batch[COLUMN] = np.array([queued.get(key) for key in batch_keys], object)
        return original(data, batch_keys, adv_estimator, *arguments, **named)

    return compute_advantage_for_multi_trajectories


def with_queue(original: Callable[..., Any]) -> Callable[..., Any]:
    """The v1 trainer's step, which fetches fixed fields of its queue: the column is fetched beside them."""

    @wraps(original)
    def _compute_advantage(trainer: Any, batch: Any, *arguments: Any, **named: Any) -> Any:
        if not _base(trainer.config.algorithm.adv_estimator):
            return original(trainer, batch, *arguments, **named)
        token = _queued.set(_column_of(batch))
        try:
            return original(trainer, batch, *arguments, **named)
        finally:
            _queued.reset(token)

    return _compute_advantage


def with_our_names(original: Callable[..., Any]) -> Callable[..., Any]:
    """The trainer of 0.4.1 and 0.5.0, which is made with an estimator of its own list or not at all."""

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
    """verl's name of what ours stands for; "" for whatever is not ours."""
    if isinstance(adv_estimator, GradedOnly):
        return str(adv_estimator)
    return ESTIMATORS.get(adv_estimator, "") if isinstance(adv_estimator, str) else ""


def _graded(data: Any) -> list[Any]:
    """The column, complete. Raises ConfigError: a row of which nobody knows must not pass for a graded one."""
    column = data.non_tensor_batch.get(COLUMN)
    values = [None] * len(data) if column is None else list(column)
    if missing := sum(value is None for value in values):
        raise ConfigError(
            f"algorithm.adv_estimator=hv_grpo or hv_rloo needs to know which rows have a grade, and {missing} of "
            f"{len(values)} rows came without {COLUMN!r}. It stands in the reward_extra_info of hybridverify's reward "
            "managers and functions: let one of them pay all rows, or choose grpo or rloo"
        )
    return values


def _groups(data: Any) -> list[Any]:
    groups = data.non_tensor_batch.get("uid")
    if groups is None:
        raise ConfigError(
            "algorithm.adv_estimator=hv_grpo or hv_rloo: the batch has no 'uid', the rows' group"
        )
    return list(groups)


def _column_of(batch: Any) -> dict[str, Any]:
    """The column of a step's rows by their keys; a key without it has None."""
    rows = reward_columns(batch.keys, batch.partition_id)
    return {key: row.get(COLUMN) for key, row in zip(batch.keys, rows, strict=True)}
