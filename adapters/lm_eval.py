"""lm-eval: `process_results` for a task's YAML.

    # utils.py beside the task's YAML, which says `process_results: !function utils.process_results`
    from hybridverify.adapters.lm_eval import processor

    process_results = processor(policy="addon", judge="embedded", reference_column="answer")

The task lists the metrics `hv_correct` and `hv_unscored`, both with `aggregation: mean`. A document that nobody could
decide gives no `hv_correct`, so that the mean is over the others; `hv_unscored` is the share of such documents.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hybridverify.adapters.call_forms import COLUMN_OPTIONS, Columns, one_row
from hybridverify.adapters.sources import source_of
from hybridverify.adapters.status import accuracy

from hybridverify.errors import InputError
from hybridverify.types import Grade, Outcome

__all__ = ["CORRECT", "UNSCORED", "processor", "scored"]

CORRECT, UNSCORED = "hv_correct", "hv_unscored"


def processor(source: Any = None, **options: Any) -> Callable[[Mapping[str, Any], Any], dict[str, float]]:
    """A function `(doc, results)` for lm-eval. The arguments are those of `make_reward`, but for `ungraded`.

    >>> processor(cache=None)({"question": "6*7?", "answer": "42"}, ["It is 42."])
    {'hv_correct': 1.0, 'hv_unscored': 0.0}
    """
    columns = Columns(*(str(options.pop(name, "")) for name in COLUMN_OPTIONS))
    grades = source_of(source, options, training=False)

    def process_results(doc: Mapping[str, Any], results: Any) -> dict[str, float]:
        call = one_row(_response(results), doc, columns)
        (grade,) = grades.grade(call.samples, call.problems)
        return {CORRECT: accuracy(grade), UNSCORED: 0.0} if scored(grade) else {UNSCORED: 1.0}

    return process_results


def scored(grade: Grade) -> bool:
    """Whether somebody could tell."""
    return grade.graded and grade.outcome is not Outcome.UNDECIDED


def _response(results: Any) -> str:
    """The first response of a document, as lm-eval's own filter leaves it."""
    while isinstance(results, Sequence) and not isinstance(results, str) and results:
        results = results[0]
    if not isinstance(results, str):
        raise InputError(
            "lm-eval: no text to grade; the task needs output_type: generate_until, whose results are texts"
        )
    return results
