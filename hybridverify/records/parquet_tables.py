"""Arrow tables before they are written to Parquet: responses spread into rows, types added, columns cast."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from hybridverify.errors import InputError
from hybridverify.records.cells import is_response_list, value_at
from hybridverify.records.column_types import ADVICE
from hybridverify.records.columns import Layout
from hybridverify.records.reading import Part
from hybridverify.records.rows import PROMPT_INDEX, SAMPLE_INDEX, Place, Row


def spread_table(table: pa.Table, layout: Layout, before: int = 0) -> pa.Table:
    """One row for each response if the response column holds lists; see `Layout.spread`. `before` is the number of rows
    of the inputs before the first."""
    kind = _type_at(table.schema, layout.response)
    if kind is None or not _spreads(kind) or SAMPLE_INDEX in table.column_names:
        return table
    rows: list[int] = []
    prompts: list[int | None] = []
    samples: list[int | None] = []
    responses: list[Any] = []
    for number, value in enumerate(_responses(table, layout)):
        several = is_response_list(value)
        each = (value or [None]) if several else [value]
        rows += [number] * len(each)
        prompts += [before + number if several else None] * len(each)
        samples += range(len(each)) if several else [None]
        responses += each
    spread_out = table.take(pa.array(rows, pa.int64()))
    if layout.response in table.column_names:
        index = table.column_names.index(layout.response)
        field = pa.field(layout.response, kind.value_type)
        spread_out = spread_out.set_column(index, field, pa.array(responses, type=kind.value_type))
    spread_out = _with_column(spread_out, PROMPT_INDEX, prompts)
    return _with_column(spread_out, SAMPLE_INDEX, samples)


def response_counts(table: pa.Table, layout: Layout) -> list[int]:
    """How many responses each row holds; none counts as one."""
    kind = _type_at(table.schema, layout.response)
    if kind is None or not _spreads(kind) or SAMPLE_INDEX in table.column_names:
        return [1] * table.num_rows
    return [len(value) or 1 if is_response_list(value) else 1 for value in _responses(table, layout)]


def _responses(table: pa.Table, layout: Layout) -> list[Any]:
    if layout.response in table.column_names:
        return list(table.column(layout.response).to_pylist())
    top = layout.top_columns(table.column_names)
    return [value_at(row, layout.response) for row in table.select(top).to_pylist()]


def _with_column(table: pa.Table, name: str, values: list[int | None]) -> pa.Table:
    column = pa.array(values, pa.int64())
    if name in table.column_names:
        return table.set_column(table.column_names.index(name), name, column)
    return table.append_column(name, column)


def _type_at(schema: pa.Schema, path: str) -> pa.DataType | None:
    """The type under a dotted path, as `value_at` finds the value."""
    if path in schema.names:
        return schema.field(schema.names.index(path)).type
    for name in schema.names:
        if path.startswith(name + "."):
            found = _inner_type(schema.field(schema.names.index(name)).type, path[len(name) + 1 :])
            if found is not None:
                return found
    return None


def _inner_type(kind: pa.DataType, path: str) -> pa.DataType | None:
    if not path:
        return kind
    if pa.types.is_struct(kind):
        return _type_at(pa.schema([kind.field(at) for at in range(kind.num_fields)]), path)
    if _is_list(kind):
        return _inner_type(kind.value_type, path.partition(".")[2])
    return None


def spread_schema(part: Part) -> pa.Schema:
    schema = part.source.schema()
    return spread_table(schema.empty_table(), part.layout).schema


def _is_list(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))


def _spreads(kind: pa.DataType) -> bool:
    if not _is_list(kind):
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
