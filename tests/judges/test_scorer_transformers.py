"""Reward models by transformers: scores equal those of a plain forward pass, alone and in a batch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hybridverify.errors import JudgeUnavailable
from hybridverify.judges.backends.scorer_transformers import TransformersScorer
from hybridverify.judges.base import Failure, Message, Prompt
from hybridverify.types import Outcome
from tests.judges.tiny_models import CONTEXT, save_classifier

pytestmark = pytest.mark.filterwarnings("default")  # torch and transformers warn of their own affairs
PROMPTS = [Prompt(text="x" * length + "!") for length in (3, 70, 12, 1, 33)]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    pytest.importorskip("torch", reason="needs torch and transformers")
    pytest.importorskip("transformers", reason="needs torch and transformers")
    made: dict[str, str] = {}

    def folder(**options: Any) -> str:
        if repr(options) not in made:
            made[repr(options)] = save_classifier(tmp_path_factory.mktemp("rm"), **options)
        return made[repr(options)]

    return folder


def scorer(folder: str, **options: Any) -> TransformersScorer:
    return TransformersScorer(folder, dtype="float32", device="cpu", **options)


def plain(folder: str, text: str) -> list[float]:
    """The logits of one text as transformers gives them."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    network = AutoModelForSequenceClassification.from_pretrained(folder).float().eval()
    ids = AutoTokenizer.from_pretrained(folder)(text, return_tensors="pt", add_special_tokens=False)
    with torch.inference_mode():
        return [float(value) for value in network(input_ids=ids["input_ids"]).logits[0]]


@pytest.mark.parametrize("options", [{"labels": 1}, {"labels": 2}, {"labels": 1, "pad_token_id": None}])
def test_scores_are_those_of_plain_transformers(model: Callable[..., str], options: dict[str, Any]) -> None:
    folder = model(**options)
    for batch_size in (1, 8):
        found = scorer(folder, batch_size=batch_size).score(PROMPTS)
        for prompt, logits in zip(PROMPTS, found, strict=True):
            assert logits == pytest.approx(plain(folder, prompt.text), abs=1e-5)
    assert len({str(logits) for logits in found}) == len(PROMPTS)


def test_the_lent_padding_token_is_taken_back(model: Callable[..., str]) -> None:
    made = scorer(model(labels=1, pad_token_id=None))
    made.score(PROMPTS)
    assert made._engine.model.config.pad_token_id is None


def test_a_conversation_is_rendered_without_an_open_turn(model: Callable[..., str]) -> None:
    folder = model(labels=1)
    chat = Prompt(messages=(Message("user", "Q?"), Message("assistant", "A!")))
    (found,) = scorer(folder).score([chat])
    assert found == pytest.approx(plain(folder, "<|user|>Q?<|end|><|assistant|>A!<|end|>"), abs=1e-5)


def test_a_model_without_a_template_says_what_to_do(model: Callable[..., str]) -> None:
    chat = Prompt(messages=(Message("user", "Q"),))
    failed, scored = scorer(model(labels=1, template="")).score([chat, Prompt(text="Q")])
    assert isinstance(failed, Failure)
    assert "chat template" in failed.reason
    assert isinstance(scored, tuple)


def test_what_does_not_fit_fails_alone(model: Callable[..., str]) -> None:
    long, short, empty = scorer(model(labels=1)).score(
        [Prompt(text="x" * (CONTEXT + 1)), Prompt(text="x" * CONTEXT), Prompt(text="")]
    )
    assert isinstance(long, Failure)
    assert long.outcome is Outcome.TOO_LONG
    assert isinstance(short, tuple)
    assert isinstance(empty, Failure)


def test_full_memory_halves_a_batch_once(model: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    from hybridverify.judges.backends import scorer_transformers

    sizes: list[int] = []
    forward = scorer_transformers._forward

    def cramped(loaded: Any, prompts: Any) -> Any:
        sizes.append(len(prompts))
        if len(prompts) > 2:
            raise RuntimeError("DefaultCPUAllocator: can't allocate memory")
        return forward(loaded, prompts)

    monkeypatch.setattr(scorer_transformers, "_forward", cramped)
    found = scorer(model(labels=1)).score(PROMPTS[:4])
    assert sizes == [4, 2, 2]
    assert all(isinstance(one, tuple) for one in found)
    (*failed,) = scorer(model(labels=1)).score(PROMPTS)  # five: the larger half does not fit either
    assert sum(isinstance(one, Failure) for one in failed) == 3


def test_it_scores_again_after_it_was_closed(model: Callable[..., str]) -> None:
    made = scorer(model(labels=1))
    before = made.score(PROMPTS)
    made.close()
    assert made._engine is None
    assert made.score(PROMPTS) == before


def test_what_is_no_model_is_one_line(model: Callable[..., str], tmp_path: Path) -> None:
    model(labels=1)
    with pytest.raises(JudgeUnavailable, match="cannot load") as caught:
        scorer(str(tmp_path)).score(PROMPTS)
    assert "\n" not in str(caught.value)
