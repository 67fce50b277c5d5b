"""lm-eval: `process_results` for a task's YAML.

    # utils.py beside the task's YAML, which says `process_results: !function utils.process_results`
    from hybridverify.adapters.lm_eval import processor

    process_results = processor(policy="addon", judge="embedded", reference_column="answer")

The task lists the metrics `hv_correct` and `hv_unscored`, both with `aggregation: mean`. A document that nobody could
decide gives no `hv_correct`, so that the mean is over the others; `hv_unscored` is the share of such documents. lm-eval
asks for one document after the other. With `process_results.grade_all` as a filter before it, all are graded in one
batch, which a judge's server needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hybridverify.adapters.call_forms import Call, one_row
from hybridverify.adapters.columns import COLUMN_OPTIONS, Columns
from hybridverify.adapters.sources import Source, source_of
from hybridverify.adapters.status import accuracy

from hybridverify.errors import InputError
from hybridverify.types import Grade, Outcome, Sample

__all__ = ["CORRECT", "UNSCORED", "Processor", "processor", "scored"]

CORRECT, UNSCORED = "hv_correct", "hv_unscored"


def processor(source: Any = None, **options: Any) -> Processor:
    """`process_results` for lm-eval. The arguments are those of `make_reward`, but for `ungraded`.

    >>> processor(cache=None)({"question": "6*7?", "answer": "42"}, ["It is 42."])
    {'hv_correct': 1.0, 'hv_unscored': 0.0}
    """
    columns = Columns(*(str(options.pop(name, "")) for name in COLUMN_OPTIONS))
    return Processor(source_of(source, options, training=False), columns)


class Processor:
    """Called with a document and its results."""

    def __init__(self, source: Source, columns: Columns) -> None:
        self.source, self.columns = source, columns
        self.__name__ = "process_results"
        self._known: dict[tuple[Any, ...], Grade] = {}

    def __call__(self, doc: Mapping[str, Any], results: Any) -> dict[str, float]:
        """The metrics of a document."""
        call = self._call(doc, results)
        grade = self._known.get(_key(call.samples[0]))
        if grade is None:
            (grade,) = self.source.grade(call.samples, call.problems)
        return {CORRECT: accuracy(grade), UNSCORED: 0.0} if scored(grade) else {UNSCORED: 1.0}

    def grade_all(self, responses: Iterable[Any], docs: Iterable[Mapping[str, Any]]) -> list[Any]:
        """A filter of lm-eval (`function: custom`): grades the first response of every document in one batch, and
        gives all responses back as they are."""
        kept = list(responses)
        samples = [self._call(doc, said).samples[0] for said, doc in zip(kept, docs, strict=True)]
        self._known = dict(zip(map(_key, samples), self.source.grade(samples, {}), strict=True))
        return kept

    def _call(self, doc: Mapping[str, Any], results: Any) -> Call:
        return one_row(_response(results), doc, self.columns)


def _key(sample: Sample) -> tuple[Any, ...]:
    return sample.response, sample.references, sample.question, sample.data_source


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
