"""From grades to the rewards of a batch, and their columns. Works without torch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from hybridverify.adapters.cells import text_of
from hybridverify.adapters.overlong import Overlong, less
from hybridverify.adapters.status import extra_columns
from hybridverify.adapters.verl_batch import Rows

from hybridverify.types import Grade

_graded, _score = attrgetter("graded"), attrgetter("score")


@dataclass(frozen=True)
class Payment:
    """The rewards of a batch, and their columns of `reward_extra_info`."""

    rewards: list[float]
    columns: dict[str, list[Any]]


def payment(
    rows: Rows, grades: Sequence[Grade], overlong: Overlong | None = None, by_group: bool = False
) -> Payment:
    """Each row's score minus the penalty for a long response. With `by_group`, rows without a grade get their group's
    mean.

    The column `score` is the score without the penalty, as in verl.
    """
    if overlong is None:
        rewards = group_rewards(rows, grades) if by_group else list(map(_score, grades))
        return Payment(rewards, extra_columns(grades, rewards))
    penalties = overlong.penalties(rows.response_tokens, grades)
    rewards = group_rewards(rows, grades, penalties) if by_group else own_rewards(grades, penalties)
    scores = [grade.score if grade.graded else paid for grade, paid in zip(grades, rewards, strict=True)]
    return Payment(rewards, {**extra_columns(grades, scores), **overlong.columns(penalties)})


def group_rewards(rows: Rows, grades: Sequence[Grade], penalties: Sequence[float] = ()) -> list[float]:
    """The reward of each row. A row without a grade gets the mean of the graded rows of its `uid`: its advantage is
    then about 0 and it teaches nothing. Without such rows, or without a token, it gets 0.0."""
    rewards = own_rewards(grades, penalties)
    if all(map(_graded, grades)):
        return rewards
    means = _group_means(rows, grades, carried(rows, rewards))
    for i, grade in enumerate(grades):
        if not grade.graded:
            rewards[i] = means.get(text_of(rows.groups[i]), 0.0) if rows.response_tokens[i] else 0.0
    return rewards


def own_rewards(grades: Sequence[Grade], penalties: Sequence[float] = ()) -> list[float]:
    """The score of each row by itself, minus its penalty if there is one."""
    scores = list(map(_score, grades))
    return list(map(less, scores, penalties)) if any(penalties) else scores


def carried(rows: Rows, rewards: Sequence[float]) -> list[float]:
    """The rewards as tensors hold them: a response without any token has no place for its reward."""
    return [reward if tokens else 0.0 for reward, tokens in zip(rewards, rows.response_tokens, strict=True)]


def _group_means(rows: Rows, grades: Sequence[Grade], rewards: Sequence[float]) -> dict[str, float]:
    graded: dict[str, list[float]] = defaultdict(list)
    for group, grade, reward in zip(map(text_of, rows.groups), grades, rewards, strict=True):
        if group and grade.graded:
            graded[group].append(reward)
    return {group: sum(scores) / len(scores) for group, scores in graded.items()}
