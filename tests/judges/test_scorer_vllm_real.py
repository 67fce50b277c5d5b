"""Reward models by the real vLLM, in a process of its own so that its memory comes back: scores equal transformers'."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.judges.tiny_models import save_classifier

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("default"),
    pytest.mark.skipif(importlib.util.find_spec("vllm") is None, reason="needs vllm: make test-vllm"),
]
ROOT = Path(__file__).resolve().parents[2]
START_S = 300
CPU = {
    "HF_HUB_OFFLINE": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "VLLM_CPU_KVCACHE_SPACE": "1",
    "VLLM_ENABLE_V1_MULTIPROCESSING": "0",
}
SCRIPT = """
import json, sys
from hybridverify.judges.backends.scorer_transformers import TransformersScorer
from hybridverify.judges.backends.scorer_vllm import VllmScorer
from hybridverify.judges.base import Message, Prompt

prompts = [Prompt(text="x" * size + "!") for size in (3, 70, 12)]
prompts.append(Prompt(messages=(Message("user", "Q"), Message("assistant", "A"))))
plain = TransformersScorer(sys.argv[1], dtype="float32", device="cpu").score(prompts)
scorer = VllmScorer(
    sys.argv[1], dtype="float32", gpu_memory_utilization=0.2, max_num_seqs=8, enforce_eager=True
)
found = scorer.score(prompts)
too_long = scorer.score([Prompt(text="x" * 300)])[0].outcome.value
scorer.close()
print("RESULT" + json.dumps([plain, found, too_long]))
"""


@pytest.mark.parametrize("labels", [1, 2])
def test_pooling_gives_the_raw_scores_of_transformers(tmp_path: Path, labels: int) -> None:
    model = save_classifier(tmp_path, labels=labels, hidden_size=128)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, model],
        cwd=ROOT,
        env={**os.environ, **CPU},
        capture_output=True,
        text=True,
        timeout=START_S,
    )
    assert "RESULT" in done.stdout, done.stderr[-2000:]
    plain, found, too_long = json.loads(done.stdout.rpartition("RESULT")[2])
    assert [len(row) for row in found] == [labels] * 4
    for row, expected in zip(found, plain, strict=True):
        assert row == pytest.approx(expected, abs=1e-4)
    assert too_long == "too_long"
