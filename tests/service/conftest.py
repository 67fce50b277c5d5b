"""A service needs packages of its own (`hybridverify[serve]`, in `dev` too); its client and its parts do not."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

NEED_SERVER = ("test_command", "test_docs", "test_http", "test_processes", "test_protocol")
MISSING = [name for name in ("starlette", "uvicorn", "prometheus_client") if find_spec(name) is None]


def pytest_runtest_setup(item: pytest.Item) -> None:
    if MISSING and item.path.stem in NEED_SERVER:
        pytest.skip(f"needs {', '.join(MISSING)}")
