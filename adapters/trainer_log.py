"""Numbers of a step, `hv/*`, in the log of verl's own trainer.

verl logs a validation's columns by itself. Of a training step it logs the result of its own function
`compute_data_metrics` for the batch, and no release has a hook there. Trainers call it with the batch that holds our
columns. So in the trainer's process the function gets a companion, which adds to its numbers and changes none. The v1
trainer (0.9.0 and later) leaves the columns in its queue; there the method that fetches a step's rows gets one.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Mapping
from functools import cache, wraps
from typing import Any

from hybridverify.adapters.after_import import after_import
from hybridverify.adapters.graders import process_metrics
from hybridverify.adapters.verl_queue import reward_columns

logger = logging.getLogger(__name__)

TRAINER = "verl.trainer.ppo.ray_trainer"
NAME = "compute_data_metrics"
V1_TRAINER, V1_CLASS, V1_METHOD = "verl.trainer.ppo.v1.trainer_base", "PPOTrainer", "_compute_metrics"
MARK = "_with_hybridverify"


def log_in_trainer() -> None:
    """Add our numbers in the process that trains, whether the trainer or our manager is loaded first. Nothing is
    loaded for it, and calling it again changes nothing."""
    _accompany()
    _watch()


@cache
def _watch() -> None:
    after_import((TRAINER, V1_TRAINER), lambda _: _accompany())


def _accompany() -> None:
    """Put companions into the trainers that are loaded."""
    original = vars(sys.modules.get(TRAINER, object)).get(NAME)
    if original is not None and not hasattr(original, MARK):
        companion = _with_ours(original)
        for module in list(sys.modules.values()):  # each trainer has imported the function by name
            if vars(module).get(NAME) is original:
                setattr(module, NAME, companion)
    trainer = vars(sys.modules.get(V1_TRAINER, object)).get(V1_CLASS)
    method = getattr(trainer, V1_METHOD, None)
    if method is not None and not hasattr(method, MARK):
        setattr(trainer, V1_METHOD, _with_queued(method))


def column_metrics(columns: Mapping[str, Any]) -> dict[str, float]:
    """Sums over a batch's columns of `reward_extra_info`; empty if the rows are not ours.

    >>> columns = {"hv_graded": [1, 1, 0], "hv_judge_asked": [0, 1, 1], "hv_status": ["correct", "correct", "failed"]}
    >>> column_metrics({**columns, "hv_rule_outcome": ["correct", "undecided", "undecided"]})
    {'hv/rows': 3, 'hv/asked': 2, 'hv/rescued': 1, 'hv/ungraded': 1}
    """
    names = ("hv_graded", "hv_judge_asked", "hv_status", "hv_rule_outcome")
    if any(columns.get(name) is None for name in names):
        return {}
    rows = list(zip(*(columns[name] for name in names), strict=True))
    rescued = [
        graded and asked and status in ("correct", "partial") and rule != "correct"
        for graded, asked, status, rule in rows
    ]
    return {
        "hv/rows": len(rows),
        "hv/asked": sum(bool(asked) for _, asked, _, _ in rows),
        "hv/rescued": sum(map(bool, rescued)),
        "hv/ungraded": sum(not graded for graded, _, _, _ in rows),
    }


def _with_ours(original: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(original)
    def compute_data_metrics(*arguments: Any, **named: Any) -> Any:
        metrics = original(*arguments, **named)
        batch = named["batch"] if "batch" in named else arguments[0]
        _add(metrics, lambda: batch.non_tensor_batch)
        return metrics

    setattr(compute_data_metrics, MARK, True)
    return compute_data_metrics


def _with_queued(original: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(original)
    def compute_metrics(trainer: Any, batch: Any, metrics: Any, *arguments: Any, **named: Any) -> Any:
        result = original(trainer, batch, metrics, *arguments, **named)
        _add(metrics, lambda: _queued_columns(batch))
        return result

    setattr(compute_metrics, MARK, True)
    return compute_metrics


def _queued_columns(batch: Any) -> dict[str, list[Any]]:
    """The columns of a step's rows, asked of the queue as verl's own validation asks. Padding is left out."""
    keys = [key for key, tag in zip(batch.keys, batch.tags, strict=True) if not tag.get("is_padding", False)]
    rows = reward_columns(keys, batch.partition_id)
    return {name: [row[name] for row in rows] for name in rows[0]} if rows else {}


def _add(metrics: dict[str, Any], columns: Callable[[], Mapping[str, Any]]) -> None:
    try:
        if ours := column_metrics(columns()):
            metrics.update({**process_metrics(), **ours})
    except Exception as error:  # the border to a trainer: a number for its log must not end a step
        logger.debug("no numbers of hybridverify in this step's log: %s: %s", type(error).__name__, error)
