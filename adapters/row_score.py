"""The result of a reward function: the columns of one row, which can also be read as the number `score`."""

from __future__ import annotations

from typing import Any


class RowScore(dict[str, Any]):
    """A dict for callers that expect dicts. verl's `prime` manager takes `result[0]` of anything that is no number,
    and its `main_eval` takes the mean of the results: with a plain dict the first pays every row 0 and the second
    raises.

    >>> row = RowScore(score=0.5, acc=1.0)
    >>> row["acc"], row[0], float(row), (row + row) / 2
    (1.0, 0.5, 0.5, 0.5)
    """

    def __missing__(self, key: object) -> Any:
        if key == 0:
            return self["score"]
        raise KeyError(key)

    def __float__(self) -> float:
        return float(self["score"])

    def __add__(self, other: Any) -> float:
        return float(self) + float(other)

    __radd__ = __add__

    def __truediv__(self, count: Any) -> float:
        return float(self) / float(count)
