"""Real trainers and harnesses on a CPU: no GPU, no network."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
for offline in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE", "TRANSFORMERS_OFFLINE"):
    os.environ[offline] = "1"
os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")
sys.path.insert(0, str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parent.parent / "service"))  # service_process


@pytest.fixture(autouse=True)
def graders_end_with_their_test() -> Iterator[None]:
    """What a grader holds (workers, threads) ends here."""
    yield
    from hybridverify.adapters.graders import close_graders

    close_graders()
