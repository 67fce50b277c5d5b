"""A user's rule that misbehaves on some rows: hangs, or takes its process with it."""

from __future__ import annotations

import os
from typing import Any


def unruly(sample: Any) -> None:
    """Decides nothing."""
    while "never ends" in sample.response:
        pass
    if "kills its worker" in sample.response:
        os._exit(9)
