"""Grading as a Ray Data step: `dataset.map_batches(GradeBatch, concurrency=4, fn_constructor_kwargs={...})`.

Takes a batch in any form Ray hands out (dict of NumPy arrays, pyarrow table, pandas frame) and gives the same
form back with the `hv_*` columns. Imports none of the three: the batch brings its own library.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from hybridverify.adapters.graders import grader_for
from hybridverify.adapters.options import parse_options

from hybridverify.errors import InputError
from hybridverify.records.columns import ColumnNames, Layout
from hybridverify.records.rows import PREFIX, Place
from hybridverify.types import GRADE_KEYS, Grade, Sample

__all__ = ["GradeBatch"]


class GradeBatch:
    """A callable for `map_batches`. Options are those of the other adapters (options.py). Columns are found as on the
    command line: `response`, `reference` and, if they exist, `question` and `data_source`.

    Existing `hv_*` columns are replaced. Raises ConfigError when it is made with wrong options, InputError if a
    column is missing, and JudgeUnavailable if the judge stays silent (outage.py).

    >>> batch = {"response": np.array(["#### 7", "#### 8"]), "reference": np.array(["7", "7"])}
    >>> GradeBatch(cache=None)(batch)["hv_score"].tolist()
    [1.0, 0.0]
    """

    def __init__(
        self,
        *,
        question_column: str = "",
        reference_column: str = "",
        response_column: str = "",
        data_source_column: str = "",
        meta: Mapping[str, str] | None = None,
        **options: Any,
    ) -> None:
        self.names = ColumnNames(
            question_column, reference_column, response_column, data_source_column, dict(meta or {})
        )
        self.options = replace(parse_options(options), training=False)  # no row's grade depends on others
        grader_for(self.options)

    def __call__(self, batch: Any) -> Any:
        """The batch with the grade of each row, same order."""
        rows = _rows(batch)
        grades = self._grades(rows) if rows else []
        return _with_columns(batch, {PREFIX + key: [g.to_dict()[key] for g in grades] for key in GRADE_KEYS})

    def _grades(self, rows: Sequence[Mapping[str, Any]]) -> list[Grade]:
        layout = Layout.find(self.names, [dict(row) for row in rows], "batch")
        samples = [_sample(layout, i, dict(row)) for i, row in enumerate(rows)]
        problems = {i: sample for i, sample in enumerate(samples) if isinstance(sample, str)}
        readable = [sample if isinstance(sample, Sample) else Sample("", ()) for sample in samples]
        return grader_for(self.options).grade_rows(readable, problems)


def _sample(layout: Layout, index: int, row: dict[str, Any]) -> Sample | str:
    """The row as a sample, or the reason why it is none. One bad row must not end a job."""
    try:
        return layout.sample(Place("batch", index + 1, index + 1), row)
    except InputError as error:
        return str(error)


def _rows(batch: Any) -> list[dict[str, Any]]:
    if isinstance(batch, Mapping):
        names = list(batch)
        columns = [_plain(batch[name]) for name in names]
        return [dict(zip(names, values, strict=True)) for values in zip(*columns, strict=True)]
    if hasattr(batch, "to_pylist"):  # pyarrow.Table
        return list(batch.to_pylist())
    if hasattr(batch, "to_dict"):  # pandas.DataFrame
        return [{name: _plain(value) for name, value in row.items()} for row in batch.to_dict("records")]
    raise InputError(
        f"GradeBatch takes a dict of arrays, a pyarrow table or a pandas frame, not {type(batch).__name__}"
    )


def _plain(value: Any) -> Any:
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


def _with_columns(batch: Any, added: Mapping[str, list[Any]]) -> Any:
    if isinstance(batch, Mapping):
        kept = {name: values for name, values in batch.items() if not str(name).startswith(PREFIX)}
        return {**kept, **{name: _array(name, values) for name, values in added.items()}}
    if hasattr(batch, "to_pylist"):
        return _arrow_with(batch, added)
    kept = batch[[name for name in batch.columns if not str(name).startswith(PREFIX)]]
    return kept.assign(**{name: _array(name, values) for name, values in added.items()})


def _array(name: str, values: list[Any]) -> Any:
    """Typed by the column, not by its first value, so that empty batches have the types of full ones."""
    return np.array(values, dtype=_KINDS.get(name.removeprefix(PREFIX), object))


def _arrow_with(table: Any, added: Mapping[str, list[Any]]) -> Any:
    arrow = sys.modules["pyarrow"]  # a table is given, so its library is loaded
    for name in [name for name in table.column_names if name.startswith(PREFIX)]:
        table = table.drop_columns([name])
    for name, values in added.items():
        kind = {"bool": arrow.bool_(), "float64": arrow.float64()}.get(
            _KINDS.get(name.removeprefix(PREFIX), ""), arrow.string()
        )
        table = table.append_column(name, arrow.array(values, type=kind))
    return table


_KINDS = {
    "score": "float64",
    "rule_score": "float64",
    "judge_score": "float64",
    "graded": "bool",
    "judge_asked": "bool",
}
