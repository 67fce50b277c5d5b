"""The backend `sglang` on a stand-in for the package, with the fields that its documentation names."""

from __future__ import annotations

import math
import pickle
import sys
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from hybridverify import Sample, Verifier
from hybridverify.config.registry import make_backend
from hybridverify.errors import ConfigError, JudgeUnavailable
from hybridverify.judges.base import Failure, Message, Prompt, Reply, Sampling
from hybridverify.judges.llm import LLMJudge
from tests.judges.tiny_models import byte_tokenizer, save_fast_tokenizer

pytest.importorskip("tokenizers")
pytest.importorskip("jinja2")


@dataclass
class FakeSGLang:
    """Every engine made, and everything that was done, in order."""

    answer: Callable[[str], str] = lambda text: "True"
    error: Exception | None = None
    done: list[str] = field(default_factory=list)
    arguments: list[dict[str, Any]] = field(default_factory=list)
    calls: list[dict[str, Any]] = field(default_factory=list)
    prompts: list[list[str]] = field(default_factory=list)

    def install(self, monkeypatch: pytest.MonkeyPatch) -> FakeSGLang:
        fake = self

        class Engine:
            def __init__(self, **arguments: Any) -> None:
                fake.done.append("start")
                fake.arguments.append(arguments)

            def generate(self, input_ids: Sequence[list[int]], **options: Any) -> list[dict[str, Any]]:
                return fake.generate(input_ids, options)

            def release_memory_occupation(self) -> None:
                fake.done.append("release")

            def resume_memory_occupation(self) -> None:
                fake.done.append("resume")

            def shutdown(self) -> None:
                fake.done.append("shutdown")

        module = types.ModuleType("sglang")
        vars(module).update(Engine=Engine)
        monkeypatch.setitem(sys.modules, "sglang", module)
        return self

    def generate(self, input_ids: Sequence[list[int]], options: dict[str, Any]) -> list[dict[str, Any]]:
        self.done.append("generate")
        self.calls.append(options)
        texts = [str(byte_tokenizer().decode(ids, skip_special_tokens=False)) for ids in input_ids]
        self.prompts.append(texts)
        if self.error is not None:
            raise self.error
        top = [(math.log(0.75), 1, "A"), (math.log(0.25), 2, "B")]
        facts: dict[str, Any] = {
            "finish_reason": {"type": "stop", "matched": 7},
            "prompt_tokens": 5,
            "completion_tokens": 1,
        }
        if options["return_logprob"]:
            facts |= {"output_top_logprobs": [top], "output_token_logprobs": [top[0]]}
        n = options["sampling_params"]["n"]
        return [{"text": self.answer(text), "meta_info": facts} for text in texts for _ in range(n)]


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeSGLang:
    return FakeSGLang().install(monkeypatch)


@pytest.fixture
def backend(tmp_path: Path) -> Any:
    save_fast_tokenizer(tmp_path)
    (tmp_path / "config.json").write_text('{"max_position_embeddings": 64}')
    return lambda **options: make_backend({"name": "sglang", "model": str(tmp_path), **options})


def raw(*texts: str) -> list[Prompt]:
    return [Prompt(text=text) for text in texts]


def texts_of(results: list[Reply | Failure]) -> list[str]:
    return [result.texts[0] if isinstance(result, Reply) else str(result.outcome) for result in results]


def test_a_batch_is_one_call_in_order_of_beginnings_and_comes_back_in_its_own(
    fake: FakeSGLang, backend: Any
) -> None:
    fake.answer = lambda text: text[-1]
    assert texts_of(backend().complete(raw("b 1", "a 2", "b 3"), Sampling())) == ["1", "2", "3"]
    assert fake.prompts == [["a 2", "b 1", "b 3"]]
    assert fake.done == ["start", "generate"]


def test_chats_are_rendered_here(fake: FakeSGLang, backend: Any) -> None:
    backend().complete([Prompt((Message("user", "Equal?"),))], Sampling())
    assert fake.prompts == [["<|user|>Equal?<|end|><|assistant|>"]]


def test_sampling_reaches_the_engine_and_draws_stay_together(fake: FakeSGLang, backend: Any) -> None:
    results = backend().complete(raw("x", "y"), Sampling(0.7, 0.9, 5, 3, 11, ("END",), 0))
    asked = fake.calls[0]["sampling_params"]
    assert asked == {"n": 3, "temperature": 0.7, "top_p": 0.9, "max_new_tokens": 5, "stop": ["END"]}
    assert [len(reply.texts) for reply in results] == [3, 3]
    assert [reply.output_tokens for reply in results] == [3, 3]


def test_the_probability_of_yes_comes_from_the_engines_list(fake: FakeSGLang, backend: Any) -> None:
    fake.answer = lambda text: "A"
    judge = LLMJudge("compass_verifier", backend(max_model_len=4096), score="p_yes")
    with Verifier(judges=[judge], policy="judge_only") as verifier:
        (grade,) = verifier.grade([Sample("x = 7", "8", "What is x?")])
    assert grade.judge.p_yes == pytest.approx(0.75)


def test_only_the_prompt_that_is_too_long_fails(fake: FakeSGLang, backend: Any) -> None:
    results = backend().complete(raw("short", "long " * 20, ""), Sampling(max_tokens=4))
    assert texts_of(results) == ["True", "too_long", "failed"]


def test_a_fault_of_the_engine_fails_the_batch(fake: FakeSGLang, backend: Any) -> None:
    fake.error = RuntimeError("scheduler died\nsecond line")
    (result,) = backend().complete(raw("x"), Sampling())
    assert result.reason == "sglang: RuntimeError: scheduler died"


def test_an_engine_sleeps_between_uses_and_once_where_it_is_held_awake(
    fake: FakeSGLang, backend: Any
) -> None:
    one = backend(sleep_level=1)
    one.complete(raw("x"), Sampling())
    one.wake()
    one.complete(raw("x"), Sampling())
    one.complete(raw("y"), Sampling())
    one.sleep()
    assert fake.done == ["start", "generate", "release", "resume", "generate", "generate", "release"]
    assert fake.arguments[0]["enable_memory_saver"] is True


def test_closing_ends_the_engine_and_the_next_question_starts_another(fake: FakeSGLang, backend: Any) -> None:
    one = backend()
    one.complete(raw("x"), Sampling())
    one.close()
    one.close()
    one.complete(raw("x"), Sampling())
    assert fake.done == ["start", "generate", "shutdown", "start", "generate"]


def test_a_backend_travels_as_its_settings(fake: FakeSGLang, backend: Any) -> None:
    one = backend(max_model_len=32)
    one.complete(raw("x"), Sampling())
    twin = pickle.loads(pickle.dumps(one))  # noqa: S301
    assert twin.context_tokens() == 32
    assert texts_of(twin.complete(raw("x"), Sampling())) == ["True"]


def test_without_sglang_the_message_names_the_extra(monkeypatch: pytest.MonkeyPatch, backend: Any) -> None:
    monkeypatch.setitem(sys.modules, "sglang", None)
    with pytest.raises(JudgeUnavailable, match=r"pip install 'hybridverify\[sglang\]'"):
        backend().complete(raw("x"), Sampling())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gpu_memory_utilisation": 0.3}, "did you mean"),
        ({"gpu_memory_utilization": 0}, r"backend\.gpu_memory_utilization"),
        ({"sleep_level": 2}, r"backend\.sleep_level"),
        ({"max_model_len": -1}, r"backend\.max_model_len"),
        ({"engine_args": {"tp_size": 2}}, r"backend\.engine_args\.tp_size"),
        ({"engine_args": ["tp_size"]}, r"backend\.engine_args"),
    ],
)
def test_faults_of_configuration_are_told_when_the_judge_is_made(
    backend: Any, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        backend(**options)
