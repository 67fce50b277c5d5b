"""The confidence interval of a share, and of the difference of two."""

from __future__ import annotations

import math

_Z = 1.959963984540054  # 95 %, both sides


def wilson(hits: int, rows: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share (Wilson, 1927). Without rows it is [0, 1]. Unlike a bootstrap it has a width
    at 0.

    >>> [round(end, 4) for end in wilson(0, 500)], [round(end, 4) for end in wilson(81, 263)]
    ([0.0, 0.0076], [0.2553, 0.3662])
    """
    if rows <= 0:
        return 0.0, 1.0
    share = hits / rows
    scale = 1.0 + _Z * _Z / rows
    middle = (share + _Z * _Z / (2 * rows)) / scale
    half = _Z * math.sqrt(share * (1.0 - share) / rows + _Z * _Z / (4 * rows * rows)) / scale
    low = 0.0 if hits == 0 else middle - half
    high = 1.0 if hits == rows else middle + half
    return max(0.0, low), min(1.0, high)


def newcombe(hits: int, rows: int, other_hits: int, other_rows: int) -> tuple[float, float]:
    """Newcombe's 95 % interval of the difference of two shares, from their Wilson intervals (1998, method 10). Unlike a
    bootstrap it has a width where both are 0 or 1.

    >>> [round(end, 4) for end in newcombe(56, 70, 48, 80)], [round(end, 2) for end in newcombe(5, 5, 0, 5)]
    ([0.0524, 0.3339], [0.39, 1.0])
    """
    if rows <= 0 or other_rows <= 0:
        return -1.0, 1.0
    share, other = hits / rows, other_hits / other_rows
    (low, high), (other_low, other_high) = wilson(hits, rows), wilson(other_hits, other_rows)
    difference = share - other
    down = math.hypot(share - low, other_high - other)
    up = math.hypot(high - share, other - other_low)
    return max(-1.0, difference - down), min(1.0, difference + up)
