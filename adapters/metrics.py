"""Numbers for a trainer's log: the judge calls of a step, and the counters of a process.

`reward_extra_info` has a fixed set of columns for each row; these are sums that no column holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter

from hybridverify.types import Grade, Outcome

PREFIX = "hv/"
_graded = attrgetter("graded")
RIGHT = (Outcome.CORRECT, Outcome.PARTIAL)


def step_metrics(grades: Sequence[Grade]) -> dict[str, float]:
    """Counts for a batch: its rows, how many a judge was asked about, how many it rescued from a rule that had not
    accepted them, how many have no grade, and how many of the asked were answered from the cache.

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
    """`Verifier.stats` as flat numbers, with all stages that it has. Those of a monitor are included.

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
