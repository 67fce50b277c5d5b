"""Numbers of a step, `hv/*`, in the log of verl's own trainer.

verl logs a validation's columns by itself. Of a training step it logs what its own function `compute_data_metrics`
makes of the batch, and no release has a hook there. Trainers call it with the batch that holds our columns, so in
the trainer's process it gets a companion, which adds to its numbers and changes none.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from hybridverify.adapters.grader import process_metrics

logger = logging.getLogger(__name__)

TRAINER = "verl.trainer.ppo.ray_trainer"
NAME = "compute_data_metrics"
MARK = "_with_hybridverify"


def log_in_trainer() -> None:
    """Add our numbers where this process trains: trainers are loaded before they look a reward manager up. Nothing
    is loaded for it, and calling it again changes nothing."""
    original = vars(sys.modules.get(TRAINER, object)).get(NAME)
    if original is None or hasattr(original, MARK):
        return
    companion = _with_ours(original)
    for module in list(sys.modules.values()):  # each trainer has taken the function into its own module
        if vars(module).get(NAME) is original:
            setattr(module, NAME, companion)


def column_metrics(columns: Mapping[str, Any]) -> dict[str, float]:
    """What a batch's columns of `reward_extra_info` add up to; nothing where the rows are not ours.

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
        try:
            batch = named["batch"] if "batch" in named else arguments[0]
            if ours := column_metrics(batch.non_tensor_batch):
                metrics.update({**process_metrics(), **ours})
        except Exception as error:  # the border to a trainer: a number for its log must not end a step
            logger.debug("no numbers of hybridverify in this step's log: %s: %s", type(error).__name__, error)
        return metrics

    setattr(compute_data_metrics, MARK, True)
    return compute_data_metrics
