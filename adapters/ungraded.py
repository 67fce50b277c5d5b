"""What a row earns that has no grade: its group's mean, no reward at all, or a number.

To a group-relative trainer a 0 means "wrong". With the mean of its group the row's advantage is 0, as in our classic
manager for verl.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

from hybridverify.adapters.call_forms import Call

from hybridverify.errors import ConfigError, InputError
from hybridverify.types import Grade

GROUP_MEAN, NONE = "group_mean", "none"


def checked(ungraded: object) -> str | float:
    """The setting, or ConfigError.

    >>> checked("group_mean"), checked(None), checked(-1)
    ('group_mean', 'none', -1.0)
    """
    if ungraded is None:
        return NONE
    if ungraded in (GROUP_MEAN, NONE):
        return str(ungraded)
    if isinstance(ungraded, (int, float)) and not isinstance(ungraded, bool) and math.isfinite(ungraded):
        return float(ungraded)
    raise ConfigError(f"ungraded: expected 'group_mean', 'none' or a number, got {ungraded!r}")


def rewards(grades: Sequence[Grade], call: Call, ungraded: str | float) -> list[float | None]:
    """The reward of each row. `group_mean`: rows without a graded row in their group get `None`, and 0.0 where the
    caller takes none."""
    paid: list[float | None] = [grade.score for grade in grades if grade.graded]
    if len(paid) == len(grades):  # nearly always
        return paid
    if isinstance(ungraded, float):
        return [grade.score if grade.graded else ungraded for grade in grades]
    if ungraded == NONE and not call.takes_none:
        raise InputError(
            "ungraded='none': this trainer wants a number for every row; take 'group_mean' or a number"
        )
    means = _means(grades, call) if ungraded == GROUP_MEAN and not call.single else {}
    lone = None if call.takes_none else 0.0
    keys = call.groups()
    return [g.score if g.graded else means.get(key, lone) for g, key in zip(grades, keys, strict=True)]


def _means(grades: Sequence[Grade], call: Call) -> dict[object, float]:
    graded: dict[object, list[float]] = defaultdict(list)
    for grade, key in zip(grades, call.groups(), strict=True):
        if grade.graded and key is not None:
            graded[key].append(grade.score)
    return {key: sum(scores) / len(scores) for key, scores in graded.items()}
