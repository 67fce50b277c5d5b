"""From grades to what a batch of rows is paid, and the columns beside it. Free of torch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from operator import attrgetter

from hybridverify.adapters.cells import text_of
from hybridverify.adapters.verl_batch import Rows

from hybridverify.types import Grade

_graded, _score = attrgetter("graded"), attrgetter("score")


def group_rewards(rows: Rows, grades: Sequence[Grade]) -> list[float]:
    """What each row is paid. A row without a grade gets the mean of the graded rows of its `uid`: its
    advantage is then about 0, it teaches nothing. Without such rows, or without a token, it gets 0.0."""
    rewards = list(map(_score, grades))
    if all(map(_graded, grades)):
        return rewards
    means = _group_means(rows, grades, carried(rows, rewards))
    for i, grade in enumerate(grades):
        if not grade.graded:
            rewards[i] = means.get(text_of(rows.groups[i]), 0.0) if rows.response_tokens[i] else 0.0
    return rewards


def carried(rows: Rows, rewards: Sequence[float]) -> list[float]:
    """The rewards as tensors hold them: a response without any token has none that could carry its reward."""
    return [reward if tokens else 0.0 for reward, tokens in zip(rewards, rows.response_tokens, strict=True)]


def _group_means(rows: Rows, grades: Sequence[Grade], rewards: Sequence[float]) -> dict[str, float]:
    graded: dict[str, list[float]] = defaultdict(list)
    for group, grade, reward in zip(map(text_of, rows.groups), grades, rewards, strict=True):
        if group and grade.graded:
            graded[group].append(reward)
    return {group: sum(scores) / len(scores) for group, scores in graded.items()}
