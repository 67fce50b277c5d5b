"""Numbers for a trainer's log: what a step asked its judge, and what a process did so far.

`reward_extra_info` has one fixed set of columns, row by row; these are the sums that no column says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter

from hybridverify.types import Grade, Outcome

PREFIX = "hv/"
_graded = attrgetter("graded")
RIGHT = (Outcome.CORRECT, Outcome.PARTIAL)


def step_metrics(grades: Sequence[Grade]) -> dict[str, float]:
    """Rows of a batch; how many a judge was asked about, how many it rescued from a rule that had not accepted
    them, how many have no grade, and how many of the asked were answered out of the cache.

    >>> step_metrics([])
    {'hv/rows': 0, 'hv/asked': 0, 'hv/rescued': 0, 'hv/ungraded': 0, 'hv/cached': 0}
    """
    asked = [grade for grade in grades if grade.judge_asked]
    return {
        "hv/rows": len(grades),
        "hv/asked": len(asked),
        "hv/rescued": sum(map(_rescued, asked)),
        "hv/ungraded": len(grades) - sum(map(_graded, grades)),
        "hv/cached": sum(all(vote.cached for vote in grade.votes or (grade.judge,)) for grade in asked),
    }


def total_metrics(stats: Mapping[str, Mapping[str, object]]) -> dict[str, float]:
    """`Verifier.stats` as flat numbers, whatever stages it has: those of a monitor come along.

    >>> total_metrics({"judge": {"asked": 2, "note": "text"}, "monitor": {"rescue_rate": 0.5}})
    {'hv/judge/asked': 2.0, 'hv/monitor/rescue_rate': 0.5}
    """
    return {
        f"{PREFIX}{stage}/{name}": float(value)
        for stage, counts in stats.items()
        for name, value in counts.items()
        if isinstance(value, (int, float))
    }


def _rescued(grade: Grade) -> bool:
    return grade.graded and grade.outcome in RIGHT and grade.rule.outcome is not Outcome.CORRECT
