"""A module that stands in for vllm: an engine that answers from a function, and records what is done to it."""

from __future__ import annotations

import gc
import itertools
import sys
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from hybridverify.judges.backends import vllm_process
from tests.judges.tiny_models import TEMPLATE, byte_tokenizer

STOP_ID = 256
"""The byte tokenizer's `<|end|>`."""


@dataclass
class SamplingParams:
    """The fields of vLLM's that matter here."""

    n: int = 1
    temperature: float = 1.0
    top_p: float = 1.0
    max_tokens: int = 16
    seed: int | None = None
    stop: list[str] = field(default_factory=list)
    logprobs: int | None = None
    detokenize: bool = True
    structured_outputs: Any = None


@dataclass
class StructuredOutputsParams:
    choice: list[str]


class EngineDeadError(Exception):
    """As vLLM names it."""


class ByteTokenizer:
    """What `LLM.get_tokenizer` gives."""

    chat_template = TEMPLATE

    def __init__(self) -> None:
        self.tokenizer = byte_tokenizer()

    def decode(self, ids: Sequence[int], skip_special_tokens: bool = False) -> str:
        return str(self.tokenizer.decode(list(ids), skip_special_tokens=skip_special_tokens))

    def batch_decode(self, rows: Sequence[Sequence[int]], skip_special_tokens: bool = False) -> list[str]:
        return [self.decode(ids, skip_special_tokens) for ids in rows]

    def __call__(self, texts: Sequence[str], add_special_tokens: bool = True) -> dict[str, Any]:
        return {"input_ids": [self.tokenizer.encode(text).ids for text in texts]}


@dataclass
class Heap:
    """Stands in for the module gc. A real collection looks through all that the tests have loaded, twice an engine."""

    done: list[str] = field(default_factory=list)

    def collect(self) -> None:
        gc.collect(0)
        self.done.append("collect")

    def freeze(self) -> None:
        self.done.append("freeze")

    def unfreeze(self) -> None:
        self.done.append("unfreeze")


@dataclass
class FakeVLLM:
    """What a test sees: every engine made, and everything that was done, in order."""

    answer: Callable[[str], str] = lambda text: "True"
    logprobs: dict[str, float] = field(default_factory=dict)
    """By text of one letter: what is returned at each position."""
    refuse: Callable[[str], Exception | None] = lambda text: None
    """An exception that `generate` raises as soon as it meets such a prompt."""
    start_error: Exception | None = None
    max_model_len: int = 0
    flows: str = ""
    """How requests may join others in the engine: "enqueue", or "ready" where the engine takes token ids as they are;
    "" in old releases."""
    engines: list[Any] = field(default_factory=list)
    done: list[Any] = field(default_factory=list)
    prompts: list[list[str]] = field(default_factory=list)
    """The texts of every call, in the order in which they were given."""
    params: list[SamplingParams] = field(default_factory=list)
    heap: Heap = field(default_factory=Heap)

    def install(self, monkeypatch: pytest.MonkeyPatch) -> FakeVLLM:
        fake = self

        class LLM(FlowingLLM if fake.flows else FakeLLM):  # type: ignore[misc]
            def __init__(self, **arguments: Any) -> None:
                super().__init__(fake, arguments)

        module = types.ModuleType("vllm")
        vars(module).update(LLM=LLM, SamplingParams=SamplingParams)
        parameters = types.ModuleType("vllm.sampling_params")
        vars(parameters).update(StructuredOutputsParams=StructuredOutputsParams)
        vars(module).update(sampling_params=parameters)
        vars(parameters).update(RequestOutputKind=SimpleNamespace(FINAL_ONLY="final only"))
        if self.flows == "ready":
            inputs = types.ModuleType("vllm.inputs")
            vars(inputs).update(tokens_input=lambda ids: {"type": "token", "prompt_token_ids": ids})
            monkeypatch.setitem(sys.modules, "vllm.inputs", inputs)
        monkeypatch.setitem(sys.modules, "vllm", module)
        monkeypatch.setitem(sys.modules, "vllm.sampling_params", parameters)
        monkeypatch.setattr(vllm_process, "gc", self.heap)
        return self


class FakeLLM:
    """One engine of a FakeVLLM."""

    def __init__(self, fake: FakeVLLM, arguments: dict[str, Any]) -> None:
        if fake.start_error is not None:
            raise fake.start_error
        self.fake, self.arguments = fake, arguments
        self.tokenizer = ByteTokenizer()
        self.ended = False
        self.llm_engine = SimpleNamespace(
            engine_core=SimpleNamespace(shutdown=self._shutdown),
            model_config=SimpleNamespace(max_model_len=fake.max_model_len),
        )
        fake.engines.append(self)
        fake.done.append("start")

    def get_tokenizer(self) -> ByteTokenizer:
        return self.tokenizer

    def generate(self, prompts: Sequence[Any], params: SamplingParams, use_tqdm: bool = True) -> list[Any]:
        assert not use_tqdm
        return [
            self._output(prompt["prompt_token_ids"], text, params)
            for prompt, text in zip(prompts, self._taken(prompts, params), strict=True)
        ]

    def _taken(self, prompts: Sequence[Any], params: SamplingParams) -> list[str]:
        """The texts of prompts that the engine does not refuse."""
        self.fake.done.append("generate")
        self.fake.params.append(params)
        texts = [self.tokenizer.decode(prompt["prompt_token_ids"]) for prompt in prompts]
        self.fake.prompts.append(texts)
        for text in texts:
            error = self.fake.refuse(text)
            if error is not None:
                raise error
        return texts

    def sleep(self, level: int = 1) -> None:
        self.fake.done.append(f"sleep {level}")

    def wake_up(self, tags: list[str] | None = None) -> None:
        self.fake.done.append("wake" if tags is None else f"wake {' '.join(tags)}")

    def collective_rpc(self, method: str) -> None:
        self.fake.done.append(method)

    def _shutdown(self) -> None:
        self.ended = True
        self.fake.done.append("shutdown")

    def _output(self, ids: list[int], text: str, params: SamplingParams) -> Any:
        whole = self.tokenizer.tokenizer.encode(self.fake.answer(text)).ids
        shown = whole[: params.max_tokens]
        stopped = len(whole) < params.max_tokens
        if stopped:
            shown = [*shown, STOP_ID]
        logprobs = None
        if params.logprobs:
            position = {
                self.tokenizer.tokenizer.encode(letter).ids[0]: SimpleNamespace(
                    logprob=value, decoded_token=None
                )
                for letter, value in self.fake.logprobs.items()
            }
            logprobs = [position for _ in shown]
        draw = SimpleNamespace(
            text=self.tokenizer.decode(shown, True) if params.detokenize else "",
            token_ids=shown,
            finish_reason="stop" if stopped else "length",
            stop_reason=None,
            logprobs=logprobs,
        )
        return SimpleNamespace(prompt_token_ids=ids, outputs=[draw] * params.n)


class FlowingLLM(FakeLLM):
    """As releases in which requests may join others. A step finishes the request that came last."""

    def __init__(self, fake: FakeVLLM, arguments: dict[str, Any]) -> None:
        super().__init__(fake, arguments)
        self._numbers = itertools.count()
        self._together = 0
        """Of `_add`: how many batches there were, if no step came since the last request."""
        self._requests: list[tuple[int, list[int], str, SamplingParams]] = []
        self.llm_engine.step = self._step
        self.llm_engine.add_request = self._add
        self.llm_engine.abort_request = self._abort
        self.llm_engine.get_num_unfinished_requests = lambda: len(self._requests)

    def enqueue(self, prompts: Sequence[Any], params: SamplingParams, use_tqdm: bool = True) -> list[str]:
        assert not use_tqdm
        names = []
        for prompt, text in zip(prompts, self._taken(prompts, params), strict=True):
            number = next(self._numbers)
            self._requests.append((number, prompt["prompt_token_ids"], text, params))
            names.append(f"{number}-9f2c1d00")
        return names

    def _add(self, name: str, prompt: dict[str, Any], params: SamplingParams) -> str:
        assert prompt["type"] == "token"
        assert params.output_kind == "final only"  # type: ignore[attr-defined]
        known = len(self.fake.prompts)
        (text,) = self._taken([prompt], params)
        if known and self._together == known:  # no step since: it is the same batch
            self.fake.prompts[-2:] = [[*self.fake.prompts[-2], text]]
            del self.fake.done[-1], self.fake.params[-1]
        self._together = len(self.fake.prompts)
        self._requests.append((int(name), prompt["prompt_token_ids"], text, params))
        return f"{name}-77aa"

    def _abort(self, names: list[str], internal: bool) -> None:
        assert internal
        gone = {int(name.partition("-")[0]) for name in names}
        self._requests = [request for request in self._requests if request[0] not in gone]

    def generate(self, prompts: Sequence[Any], params: SamplingParams, use_tqdm: bool = True) -> list[Any]:
        raise AssertionError("batches join those in the engine")

    def _step(self) -> list[Any]:
        self._together = 0
        number, ids, text, params = self._requests.pop()
        try:
            output = self._output(ids, text, params)
        except Exception:
            self._requests.clear()
            raise
        output.request_id, output.finished = str(number), True
        return [SimpleNamespace(request_id="999", finished=False, outputs=[]), output]
