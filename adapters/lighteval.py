"""lighteval: metrics for a task.

    from hybridverify.adapters.lighteval import metrics

    LightevalTaskConfig(..., metrics=metrics(policy="addon", judge="embedded"))

`hv_correct` is the mean over the samples that somebody could decide, `hv_unscored` the share of the others. The choices
at `gold_index` are the references, of which any one may match.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from hybridverify.adapters.lm_eval import CORRECT, UNSCORED, scored
from hybridverify.adapters.sources import Source, source_of
from hybridverify.adapters.status import accuracy
from lighteval.metrics.metrics_sample import SampleLevelComputation
from lighteval.metrics.utils.metric_utils import SampleLevelMetric
from lighteval.tasks.requests import SamplingMethod

from hybridverify.types import Sample

__all__ = ["metrics"]


def metrics(source: Any = None, **options: Any) -> list[SampleLevelMetric]:
    """The two metrics. The arguments are those of `make_reward`, but for columns and `ungraded`."""
    grading = Grading(source_of(source, options, training=False))
    return [
        SampleLevelMetric(
            metric_name=name,
            higher_is_better=name == CORRECT,
            category=SamplingMethod.GENERATIVE,
            sample_level_fn=Column(grading, name),
            corpus_level_fn=mean_of_scored,
            batched_compute=True,
        )
        for name in (CORRECT, UNSCORED)
    ]


def mean_of_scored(values: Sequence[float]) -> float:
    """The mean of the values that are numbers; NaN if there is none."""
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else math.nan


class Grading:
    """Grades the samples of a task once, for both metrics."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._last: tuple[Any, list[dict[str, float]]] = (None, [])

    def columns(self, responses: Sequence[Any], docs: Sequence[Any]) -> list[dict[str, float]]:
        """Both columns of each sample: means over its responses."""
        if self._last[0] is not responses:
            self._last = (responses, self._graded(responses, docs))
        return self._last[1]

    def _graded(self, responses: Sequence[Any], docs: Sequence[Any]) -> list[dict[str, float]]:
        texts = [list(response.final_text) for response in responses]
        samples = [
            Sample(text, tuple(map(str, doc.get_golds())), str(doc.query))
            for several, doc in zip(texts, docs, strict=True)
            for text in several
        ]
        grades = iter(self.source.grade(samples, {}))
        found = []
        for several in texts:
            own = [next(grades) for _ in several]
            right = mean_of_scored([accuracy(grade) if scored(grade) else math.nan for grade in own])
            found.append(
                {CORRECT: right, UNSCORED: mean_of_scored([float(not scored(grade)) for grade in own])}
            )
        return found


class Column(SampleLevelComputation):  # type: ignore[misc]
    """One of the two metrics."""

    def __init__(self, grading: Grading, name: str) -> None:
        self.grading, self.name = grading, name

    def compute(self, responses: Sequence[Any], docs: Sequence[Any], **_: Any) -> list[float]:
        """The value of each sample."""
        return [columns[self.name] for columns in self.grading.columns(responses, docs)]

    def __str__(self) -> str:
        return f"{self.name} of hybridverify"
