"""The backend `vllm` on a stand-in for the package: what is asked, in which order, and what comes of faults."""

from __future__ import annotations

import math
import pickle
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hybridverify import Sample, Verifier
from hybridverify.config.registry import make_backend
from hybridverify.errors import ConfigError, Fault, JudgeUnavailable
from hybridverify.judges.backends import vllm_engines
from hybridverify.judges.backends.engine_thread import EngineGone
from hybridverify.judges.backends.vllm import PIECE, VLLMBackend
from hybridverify.judges.base import Failure, Message, Prompt, Reply, Sampling
from hybridverify.judges.llm import LLMJudge
from hybridverify.types import Outcome
from tests.judges.tiny_models import save_fast_tokenizer
from tests.judges.vllm_fake import EngineDeadError, FakeVLLM, SamplingParams

pytestmark = pytest.mark.load

pytest.importorskip("tokenizers")
pytest.importorskip("jinja2")


@pytest.fixture(params=["", "enqueue", "ready"])
def fake(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeVLLM]:
    """With and without a way for batches to join others in the engine."""
    yield FakeVLLM(flows=request.param).install(monkeypatch)
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


def texts_of(results: list[Reply | Failure]) -> list[str]:
    return [result.texts[0] if isinstance(result, Reply) else str(result.outcome) for result in results]


def test_a_batch_is_one_call_and_replies_come_back_in_the_order_of_the_prompts(
    fake: FakeVLLM, folder: str
) -> None:
    fake.answer = lambda text: text[-1]
    backend = VLLMBackend(folder)
    results = backend.complete(raw("b 1", "a 2", "b 3", "a 4"), Sampling())
    assert texts_of(results) == ["1", "2", "3", "4"]
    assert fake.done == ["start", "generate"]


def test_prompts_that_begin_alike_are_given_side_by_side(fake: FakeVLLM, folder: str) -> None:
    VLLMBackend(folder).complete(raw("bb 2", "aa 1", "bb 1", "aa 2"), Sampling())
    assert fake.prompts == [["aa 1", "aa 2", "bb 1", "bb 2"]]


def test_chats_are_rendered_here_and_given_as_token_ids(fake: FakeVLLM, folder: str) -> None:
    VLLMBackend(folder).complete([Prompt((Message("user", "Equal?"),))], Sampling())
    assert fake.prompts == [["<|user|>Equal?<|end|><|assistant|>"]]


def test_text_is_made_here_of_ids_unless_a_stop_string_is_looked_for(fake: FakeVLLM, folder: str) -> None:
    backend = VLLMBackend(folder)
    plain = backend.complete(raw("x"), Sampling())
    stopping = backend.complete(raw("x"), Sampling(stop=("!",)))
    assert [params.detokenize for params in fake.params] == [False, True]
    assert texts_of(plain) == texts_of(stopping) == ["True"]
    assert [reply.finish_reasons for reply in plain if isinstance(reply, Reply)] == [("stop",)]


def test_sampling_reaches_the_engine_and_a_seed_only_where_it_counts(fake: FakeVLLM, folder: str) -> None:
    backend = VLLMBackend(folder)
    (reply,) = backend.complete(raw("x"), Sampling(0.7, 0.9, 5, 3, 11, ("END",), 4))
    backend.complete(raw("x"), Sampling(seed=11))
    drawn, greedy = fake.params
    assert (drawn.temperature, drawn.top_p, drawn.max_tokens, drawn.n) == (0.7, 0.9, 5, 3)
    assert (drawn.seed, drawn.stop, drawn.logprobs) == (11, ["END"], 4)
    assert (greedy.temperature, greedy.seed, greedy.logprobs) == (0.0, None, None)
    assert isinstance(reply, Reply)
    assert len(reply.texts) == 3


def test_the_probability_of_yes_comes_from_token_ids_that_no_one_turned_into_text(
    fake: FakeVLLM, folder: str
) -> None:
    fake.answer = lambda text: "A"
    fake.logprobs = {"A": math.log(0.75), "B": math.log(0.25)}
    judge = LLMJudge("compass_verifier", VLLMBackend(folder, max_model_len=4096), score="p_yes")
    with Verifier(judges=[judge], policy="judge_only") as verifier:
        (grade,) = verifier.grade([Sample("x = 7", "8", "What is x?")])
    assert grade.judge.p_yes == pytest.approx(0.75)
    assert grade.judge.p_mass == pytest.approx(1.0)
    assert grade.score == pytest.approx(0.75)


def test_only_the_prompt_that_is_too_long_fails(fake: FakeVLLM, folder: str) -> None:
    results = VLLMBackend(folder).complete(raw("short", "long " * 20, "also short"), Sampling(max_tokens=4))
    assert texts_of(results) == ["True", "too_long", "True"]
    assert fake.prompts == [["also short", "short"]]


def test_an_engine_with_less_room_than_the_model_has_decides_what_is_too_long(
    fake: FakeVLLM, folder: str
) -> None:
    fake.max_model_len = 16
    results = VLLMBackend(folder).complete(raw("x" * 12, "x" * 30), Sampling(max_tokens=4))
    assert texts_of(results) == ["True", "too_long"]


def test_an_engine_is_not_started_for_prompts_that_cannot_be_asked(fake: FakeVLLM, folder: str) -> None:
    results = VLLMBackend(folder).complete(raw("long " * 20, ""), Sampling())
    assert texts_of(results) == ["too_long", "failed"]
    assert fake.done == []


def test_one_refused_request_fails_alone(fake: FakeVLLM, folder: str) -> None:
    fake.refuse = lambda text: ValueError("token id out of vocabulary") if text == "bad" else None
    results = VLLMBackend(folder).complete(raw("1", "2", "bad", "3", "4"), Sampling())
    assert texts_of(results) == ["True", "True", "failed", "True", "True"]
    failure = results[2]
    assert isinstance(failure, Failure)
    assert failure.reason == "vllm: ValueError: token id out of vocabulary"


def test_the_engines_own_word_for_too_long_is_understood(fake: FakeVLLM, folder: str) -> None:
    fake.refuse = lambda text: (
        ValueError("The prompt is longer than the maximum model length") if text == "bad" else None
    )
    results = VLLMBackend(folder).complete(raw("good", "bad"), Sampling())
    assert texts_of(results) == ["True", "too_long"]


def test_an_engine_that_refuses_everything_is_not_asked_without_end(fake: FakeVLLM, folder: str) -> None:
    fake.refuse = lambda text: ValueError("no")
    results = VLLMBackend(folder).complete(raw(*(str(n) for n in range(1000))), Sampling())
    assert texts_of(results) == ["failed"] * 1000
    assert fake.done.count("generate") <= 80


def test_a_fault_of_the_engine_fails_the_batch_and_the_next_one_gets_a_new_engine(
    fake: FakeVLLM, folder: str
) -> None:
    fake.refuse = lambda text: RuntimeError("CUDA out of memory. Tried to allocate 2 GiB")
    backend = VLLMBackend(folder)
    failed = backend.complete(raw("x", "y"), Sampling())
    fake.refuse = lambda text: None
    assert texts_of(failed) == ["failed", "failed"]
    assert isinstance(failed[0], Failure)
    assert "gpu_memory_utilization" in failed[0].reason
    assert texts_of(backend.complete(raw("x"), Sampling())) == ["True"]
    assert fake.done == ["start", "generate", "shutdown", "start", "generate"]


def test_the_heap_is_set_aside_from_the_start_of_an_engine_to_its_end(fake: FakeVLLM, folder: str) -> None:
    backend = VLLMBackend(folder)
    backend.complete(raw("x"), Sampling())
    assert fake.heap.done == ["collect", "freeze"]
    backend.close()
    assert fake.heap.done == ["collect", "freeze", "unfreeze", "collect"]


def test_a_dead_engine_is_unavailable_and_is_started_again(fake: FakeVLLM, folder: str) -> None:
    fake.refuse = lambda text: EngineDeadError("EngineCore encountered an issue")
    backend = VLLMBackend(folder)
    with pytest.raises(JudgeUnavailable, match="the vLLM engine died: EngineDeadError"):
        backend.complete(raw("x"), Sampling())
    fake.refuse = lambda text: None
    assert texts_of(backend.complete(raw("x"), Sampling())) == ["True"]
    assert len(fake.engines) == 2


def test_an_engine_whose_process_ended_is_not_waited_for(fake: FakeVLLM, folder: str) -> None:
    release = threading.Event()
    fake.answer = lambda text: str(release.wait(120))
    backend = VLLMBackend(folder, timeout_s=60.0)
    backend.start()
    ended = SimpleNamespace(is_alive=lambda: False)
    resources = SimpleNamespace(engine_manager=SimpleNamespace(processes=[ended]))
    fake.engines[0].llm_engine.engine_core.resources = resources
    with pytest.raises(JudgeUnavailable, match="the vLLM engine died: EngineGone: its process has ended"):
        backend.complete(raw("x"), Sampling())
    release.set()
    fake.answer = lambda text: "True"
    assert texts_of(backend.complete(raw("x"), Sampling())) == ["True"]


def test_an_engine_that_hangs_costs_its_deadline_and_is_left_behind(fake: FakeVLLM, folder: str) -> None:
    release = threading.Event()
    fake.answer = lambda text: str(release.wait(120))
    backend = VLLMBackend(folder, timeout_s=2.0)
    results = backend.complete(raw("x", "y"), Sampling())
    assert texts_of(results) == ["timed_out", "timed_out"]
    assert not release.is_set()
    release.set()
    fake.answer = lambda text: "True"
    assert texts_of(backend.complete(raw("x"), Sampling())) == ["True"]
    assert len(fake.engines) == 2


def test_a_start_that_takes_too_long_is_unavailable(fake: FakeVLLM, folder: str) -> None:
    backend = VLLMBackend(folder, start_timeout_s=0.1)
    release = threading.Event()
    made = sys.modules["vllm"].LLM

    def slow(**arguments: Any) -> Any:
        release.wait(120)
        return made(**arguments)

    vars(sys.modules["vllm"])["LLM"] = slow
    with pytest.raises(JudgeUnavailable, match=r"within 0\.1 s \(backend\.start_timeout_s\)"):
        backend.complete(raw("x"), Sampling())
    release.set()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            OSError("no-model is not a local folder and is not a valid model identifier listed on the hub"),
            "no such model here",
        ),
        (OSError("You are trying to access a gated repo. 401 Client Error."), "the model is gated"),
        (
            RuntimeError("Failed to infer device type, please set VLLM_LOGGING_LEVEL"),
            "vLLM finds no GPU here",
        ),
        (RuntimeError("CUDA out of memory. Tried to allocate 14.00 GiB"), "lower backend.max_model_len"),
        (
            ValueError("Free memory on device cuda:0 is less than desired GPU memory utilization (0.9)"),
            "lower backend.gpu_memory_utilization",
        ),
        (TypeError("got an unexpected keyword argument 'max_len'"), "see backend.engine_args"),
        (ValueError("contains custom code; set `trust_remote_code=True`"), "backend.trust_remote_code"),
        (RuntimeError("Engine core initialization failed. See root cause above."), "own lines above say why"),
        (KeyError("something else"), "KeyError"),
    ],
)
def test_an_engine_that_does_not_start_says_in_one_line_what_to_do(
    fake: FakeVLLM, folder: str, error: Exception, said: str
) -> None:
    fake.start_error = error
    with pytest.raises(JudgeUnavailable) as caught:
        VLLMBackend(folder).complete(raw("x"), Sampling())
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "vllm cannot start" in str(caught.value)


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (OSError("Repository Not Found for url"), Fault.SETTINGS),
        (OSError("You are trying to access a gated repo."), Fault.SETTINGS),
        (RuntimeError("No CUDA GPUs are available"), Fault.SETTINGS),
        (RuntimeError("CUDA out of memory. Tried to allocate 14.00 GiB"), Fault.ENGINE),
        (ValueError("Free memory is less than desired GPU memory utilization (0.9)"), Fault.ENGINE),
        (RuntimeError("Engine core initialization failed."), Fault.ENGINE),
        (KeyError("something else"), Fault.ENGINE),
    ],
)
def test_an_engine_that_can_never_start_is_told_from_one_that_may_start_later(
    fake: FakeVLLM, folder: str, error: Exception, fault: Fault
) -> None:
    fake.start_error = error
    with pytest.raises(JudgeUnavailable) as caught:
        VLLMBackend(folder).complete(raw("x"), Sampling())
    assert caught.value.fault is fault


def test_without_vllm_the_message_names_the_extra(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vllm", None)
    with pytest.raises(JudgeUnavailable, match=r"pip install 'hybridverify\[vllm\]'"):
        VLLMBackend(folder).complete(raw("x"), Sampling())


def test_nothing_starts_before_the_first_question(fake: FakeVLLM, folder: str) -> None:
    backend = VLLMBackend(folder)
    assert backend.count_tokens(["four"]) == [4]
    assert backend.context_tokens() == 64
    backend.ensure_ready(1.0)
    backend.wake()
    backend.sleep()
    backend.close()
    assert fake.done == []


def test_a_missing_package_is_told_before_any_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vllm", None)
    with pytest.raises(JudgeUnavailable, match=r"pip install 'hybridverify\[vllm\]'"):
        VLLMBackend("m").ensure_ready(1.0)


def test_an_engine_can_be_started_before_the_first_question(fake: FakeVLLM, folder: str) -> None:
    backend = VLLMBackend(folder)
    backend.start()
    assert fake.done == ["start"]
    assert texts_of(backend.complete(raw("x"), Sampling())) == ["True"]
    assert fake.done == ["start", "generate"]


@pytest.mark.parametrize(
    ("level", "waking"), [(1, ["wake"]), (2, ["wake weights", "reload_weights", "wake kv_cache"])]
)
def test_an_engine_sleeps_after_each_use_and_is_woken_before_the_next(
    fake: FakeVLLM, folder: str, level: int, waking: list[str]
) -> None:
    backend = VLLMBackend(folder, sleep_level=level)
    backend.complete(raw("x"), Sampling())
    backend.complete(raw("y"), Sampling())
    use = ["generate", f"sleep {level}"]
    assert fake.done == ["start", *use, *waking, *use]
    assert fake.engines[0].arguments["enable_sleep_mode"] is True


def test_an_engine_held_awake_sleeps_once_at_the_end(fake: FakeVLLM, folder: str) -> None:
    backend = VLLMBackend(folder, sleep_level=1)
    backend.wake()
    backend.complete(raw("x"), Sampling())
    backend.complete(raw("y"), Sampling())
    backend.sleep()
    assert fake.done == ["start", "generate", "generate", "sleep 1"]


def test_an_engine_without_a_sleep_level_stays_awake(fake: FakeVLLM, folder: str) -> None:
    backend = VLLMBackend(folder)
    backend.wake()
    backend.complete(raw("x"), Sampling())
    backend.sleep()
    assert fake.done == ["start", "generate"]
    assert "enable_sleep_mode" not in fake.engines[0].arguments


def test_a_failed_batch_lets_the_engine_sleep_too(fake: FakeVLLM, folder: str) -> None:
    fake.refuse = lambda text: ValueError("no")
    VLLMBackend(folder, sleep_level=1).complete(raw("x"), Sampling())
    assert fake.done == ["start", "generate", "sleep 1"]


def test_equal_settings_share_one_engine_until_the_last_one_closes(fake: FakeVLLM, folder: str) -> None:
    one, other = VLLMBackend(folder), VLLMBackend(folder, timeout_s=5.0)
    one.complete(raw("x"), Sampling())
    other.complete(raw("y"), Sampling())
    assert len(fake.engines) == 1
    one.close()
    assert not fake.engines[0].ended
    other.complete(raw("z"), Sampling())
    other.close()
    assert fake.engines[0].ended
    assert len(fake.engines) == 1


def test_other_settings_make_another_engine_with_its_own_share(fake: FakeVLLM, folder: str) -> None:
    for share in (0.3, 0.4):
        VLLMBackend(folder, gpu_memory_utilization=share).complete(raw("x"), Sampling())
    assert [engine.arguments["gpu_memory_utilization"] for engine in fake.engines] == [0.3, 0.4]


def test_closing_frees_the_engine_and_the_next_question_starts_another(fake: FakeVLLM, folder: str) -> None:
    backend = VLLMBackend(folder)
    backend.complete(raw("x"), Sampling())
    backend.close()
    backend.close()
    backend.complete(raw("x"), Sampling())
    assert fake.done == ["start", "generate", "shutdown", "start", "generate"]


def test_options_reach_the_engine_and_the_rest_is_left_to_vllm(fake: FakeVLLM, folder: str) -> None:
    VLLMBackend(folder).complete(raw("x"), Sampling())
    VLLMBackend(
        folder,
        revision="v2",
        tokenizer=folder,
        dtype="bfloat16",
        quantization="fp8",
        tensor_parallel_size=2,
        max_model_len=32,
        max_num_seqs=8,
        seed=3,
        enforce_eager=True,
        trust_remote_code=True,
        load_format="dummy",
        engine_args={"swap_space": 1},
    ).complete(raw("x"), Sampling())
    bare, full = (engine.arguments for engine in fake.engines)
    assert {"revision", "tokenizer", "quantization", "max_model_len", "max_num_seqs"}.isdisjoint(bare)
    assert bare["trust_remote_code"] is False
    expected = {"revision": "v2", "quantization": "fp8", "tensor_parallel_size": 2, "max_model_len": 32}
    expected |= {"max_num_seqs": 8, "seed": 3, "enforce_eager": True, "load_format": "dummy", "swap_space": 1}
    assert expected.items() <= full.items()


def test_a_choice_is_given_as_structured_outputs_and_enters_the_key(fake: FakeVLLM, folder: str) -> None:
    backend = VLLMBackend(folder, choice=["True", "False"])
    backend.complete(raw("x"), Sampling())
    assert fake.params[0].structured_outputs.choice == ["True", "False"]
    assert backend.identity() == {"choice": ["True", "False"]}


def test_a_vllm_without_structured_outputs_is_refused_rather_than_ignored(
    fake: FakeVLLM, folder: str
) -> None:
    vars(sys.modules["vllm"].sampling_params).pop("StructuredOutputsParams")
    with pytest.raises(JudgeUnavailable, match="structured_outputs"):
        VLLMBackend(folder, choice=["True", "False"]).complete(raw("x"), Sampling())


def test_the_key_holds_no_setting_of_the_gpu() -> None:
    plain = VLLMBackend("m")
    tuned = VLLMBackend(
        "m",
        gpu_memory_utilization=0.3,
        tensor_parallel_size=4,
        enforce_eager=True,
        sleep_level=2,
        timeout_s=3.0,
    )
    assert plain.identity() == tuned.identity() == {}
    assert VLLMBackend("m", quantization="fp8").identity() == {"quantization": "fp8"}


def test_a_judge_travels_to_another_process_as_its_settings(fake: FakeVLLM, folder: str) -> None:
    judge = LLMJudge("tinyv", VLLMBackend(folder, max_model_len=2048, sleep_level=1))
    judge.backend.complete(raw("x"), Sampling())
    twin = pickle.loads(pickle.dumps(judge))  # noqa: S301
    assert twin.identity() == judge.identity()
    assert twin.backend.context_tokens() == 2048
    assert texts_of(twin.backend.complete(raw("x"), Sampling())) == ["True"]


def test_a_long_batch_is_asked_in_pieces_and_comes_back_in_order(fake: FakeVLLM, folder: str) -> None:
    fake.answer = lambda text: text[-6:]
    prompts = raw(*(f"number {number:06d}" for number in range(2 * PIECE + 3)))
    results = VLLMBackend(folder).complete(prompts, Sampling())
    assert texts_of(results) == [f"{number:06d}" for number in range(2 * PIECE + 3)]
    if fake.flows != "ready":
        wanted = [PIECE, PIECE, 3] if fake.flows else [2 * PIECE + 3]
        assert [len(texts) for texts in fake.prompts] == wanted


def test_a_long_batch_loses_only_what_cannot_be_asked(fake: FakeVLLM, folder: str) -> None:
    fake.refuse = lambda text: ValueError("prompt holds an invalid token") if text == "n 700" else None
    prompts = raw(*(f"n {number}" if number != 600 else "long " * 30 for number in range(PIECE + 300)))
    results = VLLMBackend(folder).complete(prompts, Sampling())
    assert [place for place, result in enumerate(results) if isinstance(result, Failure)] == [600, 700]


def test_batches_of_several_threads_are_in_the_engine_together(
    monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    fake = FakeVLLM(flows="enqueue").install(monkeypatch)
    second_came = threading.Event()

    def answer(text: str) -> str:
        if text == "first":
            assert second_came.wait(60)  # the engine's thread: it could not take the second batch meanwhile
        return text

    fake.answer = answer
    backend = VLLMBackend(folder)
    engine = backend.engine()
    with engine.running(60.0) as llm:
        params = SamplingParams()
        ids = [{"prompt_token_ids": llm.tokenizer.tokenizer.encode(text).ids} for text in ("first", "second")]
        futures = [engine.submit([one], params) for one in ids]
        second_came.set()
        assert all(future is not None for future in futures)
        texts = [engine.outputs(future)[0].outputs[0].token_ids for future in futures if future is not None]
    assert len(texts) == 2
    backend.close()


def test_an_engine_that_fails_between_steps_fails_every_batch_in_it(
    monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    fake = FakeVLLM(flows="enqueue").install(monkeypatch)
    begun, fail = threading.Event(), threading.Event()

    def answer(text: str) -> str:
        begun.set()
        assert fail.wait(60)
        raise RuntimeError("CUDA error")

    fake.answer = answer
    backend = VLLMBackend(folder)
    backend.start()
    found: list[list[Reply | Failure]] = []
    errors: list[Exception] = []

    def ask() -> None:
        try:
            found.append(backend.complete(raw("x"), Sampling()))
        except JudgeUnavailable as error:
            errors.append(error)

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    assert begun.wait(60)
    fail.set()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    told = {text for results in found for text in texts_of(results)}
    assert (
        "failed" in told or errors
    )  # a batch that came a moment later finds the engine given up, or a new one
    backend.close()


def test_a_batch_that_comes_when_the_engine_is_given_up_is_refused(
    monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    """It may have taken hold of the engine a moment before: on its way, in the queue, or just added."""
    FakeVLLM(flows="enqueue").install(monkeypatch)
    backend = VLLMBackend(folder)
    engine = backend.engine()
    with engine.running(60.0) as llm:
        flow, thread = engine._flow, engine._thread
        assert flow is not None
        assert thread is not None
        prompt = [{"prompt_token_ids": llm.tokenizer.tokenizer.encode("x").ids}]
        on_its_way = flow.expect()
        engine.discard(llm)
        with pytest.raises(JudgeUnavailable, match="given up"):
            on_its_way.result(60)
        late = flow.expect()
        with pytest.raises(JudgeUnavailable, match="given up"):
            late.result(60)
        added: Future[list[Any]] = Future()
        flow.add(prompt, SamplingParams(), added)
        with pytest.raises(JudgeUnavailable, match="given up"):
            added.result(60)
        with pytest.raises(EngineGone):
            thread.start(lambda: None).result(60)
    assert texts_of(backend.complete(raw("x"), Sampling())) == ["True"]
    backend.close()


def test_a_batch_whose_engine_another_caller_gave_up_is_asked_once_more(
    monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    fake = FakeVLLM(flows="enqueue").install(monkeypatch)
    backend = VLLMBackend(folder)
    backend.start()
    engine = backend.engine()
    submit = engine.submit

    def given_up_first(prompts: Any, params: Any) -> Any:
        monkeypatch.setattr(engine, "submit", submit)
        engine.discard(engine._llm)
        return submit(prompts, params)

    monkeypatch.setattr(engine, "submit", given_up_first)
    assert texts_of(backend.complete(raw("x"), Sampling())) == ["True"]
    assert len(fake.engines) == 2
    backend.close()


def test_an_engine_is_not_closed_under_its_callers(fake: FakeVLLM, folder: str) -> None:
    inside, leave = threading.Event(), threading.Event()

    def answer(text: str) -> str:
        inside.set()
        assert leave.wait(60)
        return "True"

    fake.answer = answer
    backend = VLLMBackend(folder)
    found: list[str] = []
    asking = threading.Thread(target=lambda: found.extend(texts_of(backend.complete(raw("x"), Sampling()))))
    asking.start()
    assert inside.wait(60)
    closing = threading.Thread(target=backend.close)
    closing.start()
    closing.join(0.2)
    assert closing.is_alive()
    leave.set()
    asking.join(60)
    closing.join(60)
    assert found == ["True"]
    assert fake.done[-1] == "shutdown"


def test_threads_wait_for_each_other(fake: FakeVLLM, folder: str) -> None:
    inside: list[int] = []
    most: list[int] = []

    def answer(text: str) -> str:
        inside.append(1)
        most.append(len(inside))
        time.sleep(0.01)
        inside.pop()
        return "True"

    fake.answer = answer
    backend = VLLMBackend(folder)
    threads = [threading.Thread(target=backend.complete, args=(raw("x"), Sampling())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert max(most) == 1
    assert len(fake.engines) == 1


def test_a_model_without_files_here_is_asked_with_the_engines_own_tokenizer(
    fake: FakeVLLM, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    backend = VLLMBackend("nobody/no-such-model", max_model_len=256)
    backend.complete([Prompt(text="raw one"), Prompt(text="raw two")], Sampling())
    assert fake.prompts == [["raw one", "raw two"]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model": ""}, r"backend\.model"),
        ({"gpu_memory_utilisation": 0.3}, "did you mean 'gpu_memory_utilization'"),
        ({"gpu_memory_utilization": 1.5}, r"backend\.gpu_memory_utilization"),
        ({"sleep_level": 3}, r"backend\.sleep_level"),
        ({"max_model_len": -1}, r"backend\.max_model_len"),
        ({"tensor_parallel_size": 0}, r"backend\.tensor_parallel_size"),
        ({"enforce_eager": "yes"}, r"backend\.enforce_eager"),
        ({"timeout_s": -1}, r"backend\.timeout_s"),
        ({"choice": "True"}, r"backend\.choice"),
        ({"engine_args": {"dtype": "auto"}}, r"backend\.engine_args\.dtype"),
        ({"engine_args": {"enable_sleep_mode": True}}, r"backend\.sleep_level"),
        ({"engine_args": ["dtype"]}, r"backend\.engine_args"),
        ({"chat_template_kwargs": "no"}, r"backend\.chat_template_kwargs"),
    ],
)
def test_faults_of_configuration_are_told_when_the_judge_is_made(options: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make_backend({"name": "vllm", "model": "m", **options})


def test_a_refused_outcome_is_never_a_verdict(fake: FakeVLLM, folder: str) -> None:
    fake.refuse = lambda text: RuntimeError("worker crashed")
    judge = LLMJudge("tinyv", VLLMBackend(folder, max_model_len=4096))
    with Verifier(judges=[judge], policy="judge_only") as verifier:
        (grade,) = verifier.grade([Sample("x = 7", "8", "What is x?")])
    assert not grade.graded
    assert grade.outcome is Outcome.FAILED
