"""Rules of a user: one that hangs on some rows or takes its process with it, and one that works."""

from __future__ import annotations

import os
from typing import Any


def unruly(sample: Any) -> None:
    """Decides nothing."""
    while "never ends" in sample.response:
        pass
    if "kills its worker" in sample.response:
        os._exit(9)


def seven(sample: Any) -> bool | None:
    """Right when the response ends with the number in words; else it cannot tell."""
    return True if sample.response.endswith("seven") else None
