"""From grades to what a batch of rows is paid, and the columns beside it. Free of torch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from hybridverify.adapters.verl_batch import Rows

from hybridverify.types import Grade


def group_rewards(rows: Rows, grades: Sequence[Grade]) -> list[float]:
    """What each row is paid. A row without a grade gets the mean of the graded rows of its `uid`: its
    advantage is then about 0, it teaches nothing. Without such rows it gets 0.0; an empty response always."""
    rewards = own_rewards(rows, grades)
    lost = [i for i, grade in enumerate(grades) if not grade.graded and rows.response_tokens[i]]
    if lost:
        means = _group_means(rows, grades, rewards)
        for i in lost:
            rewards[i] = means.get(rows.groups[i], 0.0)
    return rewards


def own_rewards(rows: Rows, grades: Sequence[Grade]) -> list[float]:
    """The score of each row by itself: an empty response has no token to carry one."""
    return [
        grade.score if tokens else 0.0 for grade, tokens in zip(grades, rows.response_tokens, strict=True)
    ]


def _group_means(rows: Rows, grades: Sequence[Grade], rewards: Sequence[float]) -> dict[str, float]:
    graded: dict[str, list[float]] = defaultdict(list)
    for group, grade, reward in zip(rows.groups, grades, rewards, strict=True):
        if group and grade.graded:
            graded[group].append(reward)
    return {group: sum(scores) / len(scores) for group, scores in graded.items()}
