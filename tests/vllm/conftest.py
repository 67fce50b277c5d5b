"""Fixtures for tests on real vLLM: a model folder, and the settings with which an engine starts on a CPU."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
for folder in (ROOT, ROOT / "tests" / "adapters"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

SMALL: dict[str, Any] = {"max_model_len": 1024, "max_num_seqs": 64, "enforce_eager": True}


@pytest.fixture(scope="session")
def model() -> str:
    """The folder of SmolLM2-135M-Instruct."""
    folder = os.environ.get("VLLM_MODEL", "")
    if not folder:
        pytest.skip(os.environ.get("VLLM_MODEL_MISSING", "no VLLM_MODEL; run tests/vllm/run.py"))
    return folder


@pytest.fixture(scope="session")
def small() -> dict[str, Any]:
    """Options of a backend for a small machine."""
    return dict(SMALL)
