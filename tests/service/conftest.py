"""The service needs packages of its own (`hybridverify[serve]`, in `dev` too)."""

from __future__ import annotations

import pytest

pytest.importorskip("uvicorn")
pytest.importorskip("starlette")
pytest.importorskip("prometheus_client")
