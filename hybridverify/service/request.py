"""Rows of a client as the JSON of its requests, in parts of a bounded size."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hybridverify.errors import InputError
from hybridverify.types import Sample

ROWS_AT_ONCE = 256
CHARACTERS_AT_ONCE = 4_000_000
"""What one request holds at most, unless a single row is larger. Smaller ones leave room for others in between."""


def parts_of(samples: Sequence[Sample]) -> Iterator[tuple[int, Sequence[Sample]]]:
    """The samples in requests of a bounded size, each with the index of its first row."""
    begin, characters = 0, 0
    for at, sample in enumerate(samples):
        size = len(sample.response) + len(sample.question) + sum(map(len, sample.references))
        if at > begin and (at - begin >= ROWS_AT_ONCE or characters + size > CHARACTERS_AT_ONCE):
            yield begin, samples[begin:at]
            begin, characters = at, 0
        characters += size
    if begin < len(samples):
        yield begin, samples[begin:]


def body_of(samples: Sequence[Sample], first: int, **settings: float | bool) -> bytes:
    """The body of a request for these rows, of which the first has the index `first`. Raises InputError for a `meta`
    that holds itself.

    >>> body_of([Sample("7", "7", meta={"share": math.nan})], 0, full=True)
    b'{"rows": [{"response": "7", "reference": "7", "meta": {"share": "nan"}}], "full": true}'
    """
    rows = list(map(_row, samples))
    try:
        text = json.dumps({"rows": rows, **settings}, default=_plain, allow_nan=False)
    except (TypeError, ValueError, RecursionError):  # some meta holds what JSON has no word for
        rows = [_readable(row, at) for at, row in enumerate(rows, first)]
        text = json.dumps({"rows": rows, **settings})
    return text.encode()


def _row(sample: Sample) -> dict[str, Any]:
    references = sample.references
    row: dict[str, Any] = {
        "response": sample.response,
        "reference": references[0] if len(references) == 1 else list(references),
    }
    if sample.question:
        row["question"] = sample.question
    if sample.data_source:
        row["data_source"] = sample.data_source
    if sample.meta:
        row["meta"] = dict(sample.meta)
    return row


def _plain(value: Any) -> Any:
    """What JSON does not know: arrays as lists, anything else as its text, which is what checkers see of it."""
    return value.tolist() if hasattr(value, "tolist") else str(value)


def _readable(row: dict[str, Any], at: int) -> dict[str, Any]:
    try:
        return {name: _written(value) for name, value in row.items()}
    except RecursionError:
        raise InputError(f"row {at}, meta: it holds itself, or is nested too deeply") from None


def _written(value: Any) -> Any:
    """The value in the types of JSON: keys and numbers that it does not know, such as NaN, as their text."""
    if isinstance(value, Mapping):
        return {str(name): _written(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return list(map(_written, value))
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    return value if value is None or isinstance(value, (str, int)) else _written(_plain(value))
