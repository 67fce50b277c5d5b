"""The confidence interval of a share."""

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
