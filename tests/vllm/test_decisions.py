"""Typed decisions on vLLM's own server. test_server.py has a model without them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from hybridverify import Sample, Verifier
from tests.vllm.server import NAME, free_port, served

SAMPLES = [Sample(f"I think that it is {n}.", f"{n + n % 2}", f"Which number is {n}?") for n in range(6)]
SAME, DIFFERENT = 14.0, 12.0
"""What the model below gives the first and the second option, before the softmax. Everything else gets 0."""


def save_fixed_model(folder: Path, tokenizer_of: str) -> str:
    """A Qwen3 whose every layer adds nothing: the same logits after every prompt."""
    import torch
    from transformers import AutoTokenizer, Qwen3Config, Qwen3ForCausalLM

    tokenizer = AutoTokenizer.from_pretrained(tokenizer_of)
    size, vocabulary = 64, len(tokenizer)
    model = Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=vocabulary,
            hidden_size=size,
            intermediate_size=64,
            num_hidden_layers=1,
            num_attention_heads=2,
            num_key_value_heads=2,
            head_dim=32,
            max_position_embeddings=2048,
            tie_word_embeddings=False,
        )
    )
    with torch.no_grad():
        for name, weight in model.named_parameters():
            weight.fill_(1.0 if "norm" in name or "embed" in name else 0.0)
        for label, logit in (("A", SAME), ("B", DIFFERENT)):
            model.lm_head.weight[tokenizer.convert_tokens_to_ids(label)] = logit / size
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="module")
def typed_url(model: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("qwen3")
    port = free_port()
    with served(save_fixed_model(folder / "model", model), port, folder / "log.txt"):
        yield f"http://127.0.0.1:{port}/v1"


def test_a_server_with_typed_decisions_gives_the_probabilities_of_its_model(typed_url: str) -> None:
    judge = {"preset": "decisions", "backend": {"name": "decisions", "model": NAME, "base_url": typed_url}}
    with Verifier(judges=[judge], policy="judge_only", cache=None, guards=None) as verifier:
        grades, stats = verifier.grade(SAMPLES), dict(verifier.stats["judge"])
    wanted = 1 / (1 + math.exp(DIFFERENT - SAME))
    assert {grade.judge.outcome.value for grade in grades} == {"correct"}
    for grade in grades:
        assert grade.judge.p_yes == pytest.approx(wanted, abs=1e-3)
        assert 0.9 < grade.judge.p_mass < 1.0
    assert stats["failed"] == 0
    assert stats["prompt_tokens"] > 0
