"""Rows of Parquet and Arrow files, batch by batch.

A folder written by `datasets.Dataset.save_to_disk` is a list of Arrow streams beside a `state.json`, so it is read
here without importing `datasets`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from hybridverify.errors import InputError
from hybridverify.records.rows import Place, Rows, is_of_grade

_BATCH_ROWS = 256  # responses of 100 kB exist: a batch must stay in tens of megabytes


def table_schema(path: Path, form: str) -> pa.Schema:
    """The columns of a Parquet file or Arrow folder, without those of an earlier run."""
    schema = _whole_schema(path, form)
    return pa.schema([field for field in schema if not is_of_grade(field.name)], schema.metadata)


def all_columns(path: Path, form: str) -> list[str]:
    """The names of all columns, those of an earlier run too."""
    return list(_whole_schema(path, form).names)


def _whole_schema(path: Path, form: str) -> pa.Schema:
    try:
        if form == "parquet":
            schema = pq.read_schema(path)
        else:
            with pa.memory_map(str(arrow_files(path)[0])) as source, _open_arrow(source) as reader:
                schema = reader.schema
    except (OSError, pa.ArrowException) as error:
        raise unreadable(path, error) from error
    return schema


def table_batches(path: Path, form: str, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """The named columns, batch by batch. The same file always gives the same batches."""
    names = list(columns)
    try:
        if form == "parquet":
            with pq.ParquetFile(path) as parquet:
                yield from parquet.iter_batches(batch_size=_BATCH_ROWS, columns=names)
        else:
            for file in arrow_files(path):
                yield from _arrow_batches(file, names)
    except (OSError, pa.ArrowException) as error:
        raise unreadable(path, error) from error


def table_rows(path: Path, form: str, columns: Sequence[str]) -> Rows:
    """The named columns as dicts."""
    number, file = 0, str(path)
    for batch in table_batches(path, form, columns):
        for row in _python_rows(batch, path):
            number += 1
            yield Place(file, number), row


def _python_rows(batch: pa.RecordBatch, path: Path) -> list[dict[str, Any]]:
    try:
        rows: list[dict[str, Any]] = _in_microseconds(batch).to_pylist()
    except (ValueError, pa.ArrowException) as error:
        raise unreadable(path, error) from error
    return rows


def _in_microseconds(batch: pa.RecordBatch) -> pa.Table:
    """The batch as a table with times in microseconds. Python's times have no nanoseconds: Arrow needs pandas for
    them, and fails only when it meets one."""
    table = pa.Table.from_batches([batch])
    for index, field in enumerate(table.schema):
        if getattr(field.type, "unit", "") == "ns" and not pa.types.is_duration(field.type):
            timestamp = pa.types.is_timestamp(field.type)
            kind = pa.timestamp("us", field.type.tz) if timestamp else pa.time64("us")
            table = table.set_column(index, field.name, table.column(index).cast(kind, safe=False))
    return table


def _arrow_batches(file: Path, columns: list[str]) -> Iterator[pa.RecordBatch]:
    with pa.memory_map(str(file)) as source, _open_arrow(source) as reader:
        for batch in _each_batch(reader):
            chosen = batch.select(columns)
            for start in range(0, chosen.num_rows, _BATCH_ROWS):
                yield chosen.slice(start, _BATCH_ROWS)


def _open_arrow(source: pa.NativeFile) -> Any:
    """`datasets` writes streams. Other programs also write the file format, which has a footer."""
    magic = source.read(6)
    source.seek(0)
    return pa.ipc.open_file(source) if magic == b"ARROW1" else pa.ipc.open_stream(source)


def _each_batch(reader: Any) -> Iterator[pa.RecordBatch]:
    if hasattr(reader, "num_record_batches"):
        return (reader.get_batch(index) for index in range(reader.num_record_batches))
    return iter(reader)


def arrow_files(path: Path) -> list[Path]:
    """The Arrow files of a `save_to_disk` folder in their order, or the file itself."""
    if path.is_file():
        return [path]
    state = _state(path)
    if state.get("_indices_data_files"):
        raise InputError(
            f"{path}: was saved with an index beside the data; save it again with a newer datasets"
        )
    files = [path / str(entry["filename"]) for entry in state["_data_files"]]
    missing = [file.name for file in files if not file.is_file()]
    if missing or not files:
        raise InputError(f"{path}: the folder lacks {missing[0] if missing else 'its data files'}")
    return files


def _state(path: Path) -> dict[str, Any]:
    if (path / "state.json").is_file():
        try:
            state: dict[str, Any] = json.loads((path / "state.json").read_text("utf-8"))
            return {"_data_files": [], **state}
        except ValueError as error:
            raise InputError(f"{path / 'state.json'} is not JSON: {error}") from error
    if (path / "dataset_dict.json").is_file():
        splits = json.loads((path / "dataset_dict.json").read_text("utf-8")).get("splits", [])
        if len(splits) == 1:
            return {
                "_data_files": [
                    _inside(splits[0], entry) for entry in _state(path / splits[0])["_data_files"]
                ]
            }
        raise InputError(f"{path}: holds the splits {', '.join(splits)}; name one: {path / splits[0]}")
    raise InputError(
        f"{path}: is a folder, but not one written by datasets' save_to_disk; name its files instead"
    )


def _inside(folder: str, entry: dict[str, Any]) -> dict[str, Any]:
    return {"filename": f"{folder}/{entry['filename']}"}


def unreadable(path: Path, error: Exception) -> InputError:
    """The message of Arrow or of the system in one line."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return InputError(f"{path} cannot be read: {lines[0]}")
