"""Reward models by vLLM's pooling runner, on a stand-in for the package."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hybridverify.errors import ConfigError, Fault, JudgeUnavailable
from hybridverify.judges.backends import vllm_engines
from hybridverify.judges.backends.scorer_vllm import VllmScorer
from hybridverify.judges.backends.vllm_batch import MOST_CALLS
from hybridverify.judges.base import Failure, Message, Prompt
from hybridverify.types import Outcome
from tests.judges.tiny_models import save_fast_tokenizer
from tests.judges.vllm_fake import EngineDeadError, FakeLLM, FakeVLLM

pytest.importorskip("tokenizers")
pytest.importorskip("jinja2")


@dataclass
class PoolingParams:
    """The field of vLLM's that matters here."""

    use_activation: bool | None = None


class Classifies(FakeLLM):
    """Scores a prompt by its length."""

    def classify(
        self, prompts: Sequence[Any], *, pooling_params: PoolingParams, use_tqdm: bool = True
    ) -> list[Any]:
        assert pooling_params.use_activation is False
        assert not use_tqdm
        texts = [self.tokenizer.decode(prompt["prompt_token_ids"]) for prompt in prompts]
        self.fake.prompts.append(texts)
        for error in filter(None, map(self.fake.refuse, texts)):
            raise error
        return [SimpleNamespace(outputs=SimpleNamespace(probs=[float(len(text))])) for text in texts]


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeVLLM]:
    made = FakeVLLM().install(monkeypatch)
    vars(sys.modules["vllm"]).update(
        LLM=lambda **arguments: Classifies(made, arguments), PoolingParams=PoolingParams
    )
    yield made
    for engine in list(vllm_engines._engines.values()):
        engine.close()
    vllm_engines._engines.clear()


@pytest.fixture
def folder(tmp_path: Path) -> str:
    save_fast_tokenizer(tmp_path)
    (tmp_path / "config.json").write_text('{"max_position_embeddings": 64}')
    return str(tmp_path)


def raw(*texts: str) -> list[Prompt]:
    return [Prompt(text=text) for text in texts]


def test_a_batch_is_one_call_of_a_pooling_engine(fake: FakeVLLM, folder: str) -> None:
    scorer = VllmScorer(folder, max_model_len=32, engine_args={"swap_space": 0})
    assert scorer.score(raw("abc", "a")) == [(3.0,), (1.0,)]
    assert scorer.score(raw("ab")) == [(2.0,)]
    assert fake.prompts == [["abc", "a"], ["ab"]]
    (engine,) = fake.engines
    assert engine.arguments["runner"] == "pooling"
    assert engine.arguments["swap_space"] == 0
    assert engine.arguments["gpu_memory_utilization"] == 0.3


def test_a_conversation_has_no_open_turn(fake: FakeVLLM, folder: str) -> None:
    VllmScorer(folder).score([Prompt(messages=(Message("user", "Q"), Message("assistant", "A")))])
    assert fake.prompts == [["<|user|>Q<|end|><|assistant|>A<|end|>"]]


def test_what_does_not_fit_is_not_sent(fake: FakeVLLM, folder: str) -> None:
    long, short = VllmScorer(folder, max_model_len=8).score(raw("x" * 9, "x" * 8))
    assert isinstance(long, Failure)
    assert (long.outcome, short) == (Outcome.TOO_LONG, (8.0,))


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (ValueError("longer than the maximum model length of 64"), Outcome.TOO_LONG),
        (ValueError("no such field"), Outcome.FAILED),
        (RuntimeError("CUDA out of memory"), Outcome.FAILED),
    ],
)
def test_a_fault_of_the_engine_is_a_failure_of_its_batch(
    fake: FakeVLLM, folder: str, error: Exception, outcome: Outcome
) -> None:
    scorer = VllmScorer(folder)
    fake.refuse = lambda text: error
    (found,) = scorer.score(raw("a"))
    assert isinstance(found, Failure)
    assert found.outcome is outcome
    fake.refuse = lambda text: None
    assert scorer.score(raw("a")) == [(1.0,)]


def test_a_prompt_that_the_engine_refuses_fails_alone(fake: FakeVLLM, folder: str) -> None:
    scorer = VllmScorer(folder)
    fake.refuse = lambda text: ValueError("no such token") if text == "bad" else None
    first, bad, third = scorer.score(raw("a", "bad", "abc"))
    assert (first, third) == ((1.0,), (3.0,))
    assert isinstance(bad, Failure)
    assert (bad.outcome, bad.fault) == (Outcome.FAILED, Fault.ROW)


def test_an_engine_that_refuses_everything_is_not_asked_for_ever(fake: FakeVLLM, folder: str) -> None:
    scorer = VllmScorer(folder)
    fake.refuse = lambda text: ValueError("no such field")
    found = scorer.score(raw(*["a"] * 500))
    assert {one.outcome for one in found if isinstance(one, Failure)} == {Outcome.FAILED}
    assert len(found) == 500
    assert len(fake.prompts) <= 2 * MOST_CALLS


def test_a_dead_engine_ends_the_batch_and_the_next_one_starts_another(fake: FakeVLLM, folder: str) -> None:
    scorer = VllmScorer(folder)
    fake.refuse = lambda text: EngineDeadError("gone")
    with pytest.raises(JudgeUnavailable, match="died"):
        scorer.score(raw("a"))
    fake.refuse = lambda text: None
    assert scorer.score(raw("a")) == [(1.0,)]
    assert len(fake.engines) == 2


def test_closing_ends_the_engine_and_a_later_call_starts_it_again(fake: FakeVLLM, folder: str) -> None:
    scorer = VllmScorer(folder)
    scorer.ensure_ready()
    scorer.close()
    scorer.close()
    assert fake.engines[0].ended
    assert scorer.score(raw("a")) == [(1.0,)]
    assert len(fake.engines) == 2


def test_without_vllm_it_says_what_to_install(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vllm", None)
    with pytest.raises(JudgeUnavailable, match="pip install"):
        VllmScorer(folder).score(raw("a"))


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("gpu_memory_utilization", 2.0),
        ("timeout_s", -1),
        ("max_model_len", -1),
        ("engine_args", {"model": "x"}),
        ("dtype", 3),
    ],
)
def test_a_wrong_option_is_refused_by_name(option: str, value: Any) -> None:
    with pytest.raises(ConfigError, match=option):
        VllmScorer("m", **{option: value})
