"""Waiting for what must happen, however busy the machine is."""

from __future__ import annotations

import time
from collections.abc import Callable

GIVE_UP_S = 120.0
"""Far longer than anything takes: only what never happens takes so long."""


def soon(claim: Callable[[], object], give_up_s: float = GIVE_UP_S) -> bool:
    """Wait until `claim` holds; False where it never did."""
    deadline = time.monotonic() + give_up_s
    while not claim():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True
