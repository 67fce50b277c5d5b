"""Arrow tables before they are written to Parquet: responses spread into rows, types added, columns cast."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from hybridverify.errors import InputError
from hybridverify.records.cells import is_response_list
from hybridverify.records.column_types import ADVICE
from hybridverify.records.columns import Layout
from hybridverify.records.reading import Part
from hybridverify.records.rows import Place, Row


def spread_table(table: pa.Table, layout: Layout) -> pa.Table:
    """One row for each response if the response column holds lists; see `Layout.spread`."""
    index = table.column_names.index(layout.response) if layout.response in table.column_names else -1
    if index < 0 or not _spreads(table.schema.field(index).type):
        return table
    rows: list[int] = []
    responses: list[Any] = []
    for number, value in enumerate(table.column(index).to_pylist()):
        each = (value or [None]) if is_response_list(value) else [value]
        rows += [number] * len(each)
        responses += each
    field = table.schema.field(index)
    spread_out = table.take(pa.array(rows, pa.int64()))
    values = pa.array(responses, type=field.type.value_type)
    return spread_out.set_column(index, pa.field(field.name, field.type.value_type), values)


def spread_schema(part: Part) -> pa.Schema:
    schema = part.source.schema()
    return spread_table(schema.empty_table(), part.layout).schema


def _spreads(kind: pa.DataType) -> bool:
    lists = pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)
    if not lists:
        return False
    inner = kind.value_type
    return not (pa.types.is_struct(inner) and inner.get_field_index("content") >= 0)


def typed_table(rows: list[Row], schema: pa.Schema, first: Place) -> pa.Table:
    names = dict.fromkeys(name for row in rows for name in row)
    arrays = {}
    for name in names:
        try:
            arrays[name] = pa.array([row.get(name) for row in rows], type=schema.field(name).type)
        except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
            what = str(error).splitlines()[0]
            raise InputError(f"column {name!r}, at or after {first}: {what}; {ADVICE}") from error
    if not arrays:
        return pa.table({"": pa.nulls(len(rows))})
    return pa.table(arrays)


def cast(column: pa.ChunkedArray, field: pa.Field) -> pa.Array:
    if column.type != field.type:
        try:
            column = column.cast(field.type)
        except pa.ArrowException as error:
            what = str(error).splitlines()[0]
            raise InputError(f"column {field.name!r} differs between inputs: {what}; {ADVICE}") from error
    return column


def has_empty_struct(kind: pa.DataType) -> bool:
    if pa.types.is_struct(kind):
        return kind.num_fields == 0 or any(
            has_empty_struct(kind.field(i).type) for i in range(kind.num_fields)
        )
    return hasattr(kind, "value_type") and has_empty_struct(kind.value_type)
