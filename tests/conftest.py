"""Lets the tests import their helpers as `tests.waiting`, however pytest was started; properties know no clock."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

ROOT = str(Path(__file__).resolve().parents[1])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)

# A loaded machine must not fail a property.
settings.register_profile("any_machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any_machine")


def pytest_collection_finish() -> None:
    """What is there before the first test stays to the end: a collection of garbage need not look at it again."""
    gc.collect()
    gc.freeze()
