"""Reward models by vLLM's pooling runner give the scores that transformers gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from hybridverify.judges.backends.scorer_transformers import TransformersScorer
from hybridverify.judges.backends.scorer_vllm import VllmScorer
from hybridverify.judges.base import Failure, Message, Prompt
from tests.judges.tiny_models import save_classifier

CONVERSATIONS = [
    Prompt((Message("user", f"What is {n} + 2?"), Message("assistant", f"That is {n + 2}." + "!" * n)))
    for n in range(12)
]


@pytest.mark.parametrize("labels", [1, 3])
def test_scores_are_those_of_transformers_before_any_sigmoid(labels: int, tmp_path: Path) -> None:
    folder = save_classifier(
        tmp_path, labels, hidden_size=128, intermediate_size=128, num_attention_heads=4, initializer_range=0.1
    )
    expected = TransformersScorer(folder, dtype="float32", device="cpu").score(CONVERSATIONS)
    engine = VllmScorer(folder, dtype="float32", max_num_seqs=16, enforce_eager=True)
    try:
        found = engine.score([*CONVERSATIONS, Prompt(text="x" * 400)])
    finally:
        engine.close()
    assert isinstance(found[-1], Failure)
    assert str(found[-1].outcome) == "too_long"
    pairs = list(zip(expected, found, strict=False))
    assert len(pairs) == len(CONVERSATIONS)
    for ours, theirs in pairs:
        assert len(theirs) == labels  # type: ignore[arg-type]
        assert theirs == pytest.approx(ours, abs=1e-4)
    assert len({round(one[0], 3) for one in found[:-1]}) > 6  # type: ignore[index]
    assert any(abs(score) > 1.0 or score < 0.0 for one in found[:-1] for score in one)  # type: ignore[union-attr]
