"""Lets the tests of this folder import their case reader as `tests.checkers.cases`, however pytest was started."""

from __future__ import annotations

import sys
from pathlib import Path

from hypothesis import settings

ROOT = str(Path(__file__).resolve().parents[2])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)

settings.register_profile("any_machine", deadline=None)  # a loaded machine must not fail a property
settings.load_profile("any_machine")
