"""The columns that a question set puts into `extra_info`: each a number in every row, or a text in every row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa

_LARGEST = 1 << 63


class ExtraKinds:
    """Finds the Parquet type of each key from all of its values: flags, whole numbers, numbers, else text."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._seen: dict[str, set[str]] = {key: set() for key in keys}

    def add(self, told: Mapping[str, Any]) -> None:
        """Take the values of one row into account; None fits every type."""
        for key, seen in self._seen.items():
            if told.get(key) is not None:
                seen.add(_kind(told[key]))

    def types(self) -> dict[str, pa.DataType]:
        """The type of each key.

        >>> kinds = ExtraKinds(["level", "topic"])
        >>> kinds.add({"level": 3, "topic": "sums"}); kinds.add({"level": 2.5, "topic": 7}); kinds.types()
        {'level': DataType(double), 'topic': DataType(string)}
        """
        return {key: _type(seen) for key, seen in self._seen.items()}


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "flag"
    if isinstance(value, int):
        return "whole" if -_LARGEST <= value < _LARGEST else "text"
    return "number" if isinstance(value, float) else "text"


def _type(seen: set[str]) -> pa.DataType:
    if seen == {"flag"}:
        return pa.bool_()
    if seen == {"whole"}:
        return pa.int64()
    return pa.float64() if seen and seen <= {"whole", "number"} else pa.string()
