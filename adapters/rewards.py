"""From grades to what a batch of rows is paid, and the columns beside it. Free of torch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from hybridverify.adapters.status import EXTRA_KEYS, extra_info
from hybridverify.adapters.verl_batch import Row

from hybridverify.types import Grade


def group_rewards(rows: Sequence[Row], grades: Sequence[Grade]) -> list[float]:
    """What each row is paid. A row without a grade gets the mean of the graded rows of its `uid`: its
    advantage is then about 0, it teaches nothing. Without such rows it gets 0.0; an empty response always."""
    graded: dict[str, list[float]] = defaultdict(list)
    for row, grade in zip(rows, grades, strict=True):
        if row.group and grade.graded:
            graded[row.group].append(own_reward(row, grade))
    return [
        own_reward(row, grade) if grade.graded or not row.response_tokens else _mean(graded[row.group])
        for row, grade in zip(rows, grades, strict=True)
    ]


def own_reward(row: Row, grade: Grade) -> float:
    """The score of one row by itself: an empty response has no token to carry one."""
    return grade.score if row.response_tokens else 0.0


def columns(grades: Sequence[Grade], rewards: Sequence[float]) -> dict[str, list[float | int | str]]:
    """The rows' extra information, one list a key."""
    infos = [extra_info(grade, reward) for grade, reward in zip(grades, rewards, strict=True)]
    return {key: [info[key] for info in infos] for key in EXTRA_KEYS}


def _mean(scores: Sequence[float]) -> float:
    return sum(scores) / len(scores) if scores else 0.0
