"""The backend `transformers`: its options without torch, and its replies against a plain forward pass."""

from __future__ import annotations

import json
import pickle
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hybridverify.config.registry import make_backend
from hybridverify.errors import ConfigError, JudgeUnavailable
from hybridverify.judges.backends.transformers import TransformersBackend
from hybridverify.judges.base import Failure, Message, Prompt, Reply, Sampling
from hybridverify.judges.llm import LLMJudge
from hybridverify.judges.presets import preset
from hybridverify.types import Outcome
from tests.judges.tiny_models import CONTEXT, save_causal_model

pytestmark = pytest.mark.filterwarnings("default")  # torch and transformers warn of their own affairs
LENGTHS = (3, 40, 1, 90, 17, 60)


def raw(*texts: str) -> list[Prompt]:
    return [Prompt(text=text) for text in texts]


def replies(backend: TransformersBackend, prompts: list[Prompt], **sampling: Any) -> list[Reply]:
    found = backend.complete(prompts, Sampling(**sampling))
    assert all(isinstance(reply, Reply) for reply in found), found
    return [reply for reply in found if isinstance(reply, Reply)]


# ---- without torch


def test_it_is_found_by_its_name_and_loads_nothing_when_made() -> None:
    backend = make_backend({"name": "transformers", "model": "no/such-model", "batch_size": 4})
    assert isinstance(backend, TransformersBackend)
    assert (backend.model, backend.concurrent) == ("no/such-model", False)


@pytest.mark.parametrize(
    ("option", "value", "hint"),
    [
        ("dtype", "float23", "did you mean 'float32'"),
        ("model", "", "a folder"),
        ("batch_size", 0, "from 1 on"),
        ("max_batch_tokens", -1, "from 0 on"),
        ("batch_size", True, "from 1 on"),
        ("device", 3, "cuda:1"),
        ("model_options", {"dtype": "auto"}, "option of its own"),
        ("model_options", "4bit", "names and values"),
        ("chat_template_kwargs", "x", "names and values"),
        ("batchsize", 3, "did you mean 'batch_size'"),
    ],
)
def test_a_wrong_option_is_refused_by_name(option: str, value: Any, hint: str) -> None:
    with pytest.raises(ConfigError, match=hint) as caught:
        make_backend({"name": "transformers", "model": "m", option: value})
    assert option in str(caught.value)


def test_what_may_change_a_reply_enters_the_identity_and_speed_does_not() -> None:
    plain = TransformersBackend("m", device="cpu", batch_size=2, dtype="float32")
    assert plain.identity() == {}
    other = TransformersBackend("m", chat_template_kwargs={"enable_thinking": False}, tokenizer="t")
    assert other.identity() == {"chat_template_kwargs": {"enable_thinking": False}, "tokenizer": "t"}


def test_it_travels_to_another_process_before_it_was_started() -> None:
    again = pickle.loads(pickle.dumps(TransformersBackend("m", batch_size=3)))  # noqa: S301
    assert (again.model, again._batch_size) == ("m", 3)


def test_closing_what_was_never_started_loads_nothing() -> None:
    TransformersBackend("m").close()


# ---- with a small model


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    pytest.importorskip("torch", reason="needs torch and transformers")
    pytest.importorskip("transformers", reason="needs torch and transformers")
    return save_causal_model(tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="module")
def backend(folder: str) -> Iterator[TransformersBackend]:
    made = TransformersBackend(folder, dtype="float32", device="cpu")
    yield made
    made.close()


@pytest.fixture(scope="module")
def plain(folder: str) -> Iterator[TransformersBackend]:
    made = TransformersBackend(folder, dtype="float32", device="cpu", share_prefix=False)
    yield made
    made.close()


def next_logprobs(folder: str, ids: list[int]) -> Any:
    """Log-probabilities after some ids, by a plain forward pass of transformers."""
    import torch
    from transformers import AutoModelForCausalLM

    model = AutoModelForCausalLM.from_pretrained(folder).float().eval()
    with torch.inference_mode():
        return model(torch.tensor([ids])).logits[0, -1].log_softmax(-1)


def encoded(folder: str, text: str) -> list[int]:
    from transformers import AutoTokenizer

    return list(AutoTokenizer.from_pretrained(folder)(text, add_special_tokens=False)["input_ids"])


def decoded(folder: str, token: int) -> str:
    from transformers import AutoTokenizer

    return str(AutoTokenizer.from_pretrained(folder).decode([token]))


def alike(one: Reply, other: Reply) -> bool:
    pairs = zip(one.logprobs, other.logprobs, strict=True)
    near = all(a.keys() == b.keys() and max(abs(a[k] - b[k]) for k in a) < 1e-5 for a, b in pairs)
    return one.texts == other.texts and one.finish_reasons == other.finish_reasons and near


def mixed_prompts() -> list[Prompt]:
    shared = "Instructions that every prompt of this judge begins with, word for word. "
    question = "How many legs have seven spiders? They are all of them whole. "
    plain = [shared + "x" * length for length in LENGTHS]
    return raw(*plain, *[shared + question + str(number) for number in (54, 56, 5600)])


def test_log_probabilities_are_those_of_a_direct_forward_pass(
    backend: TransformersBackend, folder: str
) -> None:
    prompts = mixed_prompts()
    for prompt, reply in zip(prompts, replies(backend, prompts, max_tokens=1, logprobs=5), strict=True):
        values, ids = next_logprobs(folder, encoded(folder, prompt.text)).topk(5)
        expected: dict[str, float] = {}
        for token, value in zip(ids.tolist(), values.tolist(), strict=True):
            expected.setdefault(decoded(folder, token), value)  # halves of a character read alike
        assert reply.logprobs[0] == pytest.approx(expected, abs=1e-5)


def test_later_positions_are_those_of_a_direct_forward_pass(
    backend: TransformersBackend, folder: str
) -> None:
    (reply,) = replies(backend, raw("tell me"), max_tokens=4, logprobs=3)
    ids = encoded(folder, "tell me")
    for top in reply.logprobs:
        expected = next_logprobs(folder, ids)
        assert max(top.values()) == pytest.approx(float(expected.max()), abs=1e-5)
        ids.append(int(expected.argmax()))
    assert len(reply.logprobs) == reply.output_tokens == len(ids) - len("tell me")


@pytest.mark.parametrize("sampling", [{}, {"temperature": 0.9, "n": 3, "top_p": 0.8, "seed": 5}])
def test_batched_shared_and_single_replies_are_equal(
    backend: TransformersBackend, plain: TransformersBackend, sampling: dict[str, Any]
) -> None:
    prompts = mixed_prompts()
    options = {"max_tokens": 6, "logprobs": 2, **sampling}
    together = replies(backend, prompts, **options)
    assert len(backend._prefix) >= 70
    padded = replies(plain, prompts, **options)
    single = [replies(plain, [prompt], **options)[0] for prompt in prompts]
    assert [alike(a, b) for a, b in zip(together, single, strict=True)] == [True] * len(prompts)
    assert [alike(a, b) for a, b in zip(padded, single, strict=True)] == [True] * len(prompts)
    assert len({reply.texts for reply in single}) > 3


def test_the_kept_beginning_serves_single_prompts_of_later_calls(
    folder: str, plain: TransformersBackend
) -> None:
    prompts = mixed_prompts()
    with_kept = TransformersBackend(folder, dtype="float32", device="cpu")
    replies(with_kept, prompts, max_tokens=1)
    kept = with_kept._prefix
    (late,) = replies(with_kept, prompts[:1], max_tokens=3, logprobs=2)
    assert with_kept._prefix is kept
    assert alike(late, replies(plain, prompts[:1], max_tokens=3, logprobs=2)[0])
    (other,) = replies(with_kept, raw("nothing of the kind"), max_tokens=3, logprobs=2)
    assert alike(other, replies(plain, raw("nothing of the kind"), max_tokens=3, logprobs=2)[0])


def test_models_with_a_sliding_window_share_nothing(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="needs torch and transformers")
    transformers = pytest.importorskip("transformers", reason="needs torch and transformers")
    from tests.judges.tiny_models import save_tokenizer, settings

    torch.manual_seed(3)
    chosen = settings().to_dict()
    for name in ("model_type", "architectures", "transformers_version"):
        chosen.pop(name, None)
    transformers.MistralForCausalLM(
        transformers.MistralConfig(**{**chosen, "sliding_window": 16})
    ).save_pretrained(str(tmp_path))
    save_tokenizer(tmp_path)
    sliding = TransformersBackend(str(tmp_path), dtype="float32", device="cpu")
    prompts = mixed_prompts()[-3:]
    together = replies(sliding, prompts, max_tokens=3, logprobs=2)
    assert len(sliding._prefix) == 0
    single = [replies(sliding, [prompt], max_tokens=3, logprobs=2)[0] for prompt in prompts]
    assert [alike(a, b) for a, b in zip(together, single, strict=True)] == [True] * 3


def test_chats_are_rendered_with_the_models_template(backend: TransformersBackend) -> None:
    chat = Prompt(messages=(Message("system", "S"), Message("user", "U?")))
    text = Prompt(text="<|system|>S<|end|><|user|>U?<|end|><|assistant|>")
    one, other = replies(backend, [chat, text], max_tokens=4, logprobs=2)
    assert alike(one, other)
    assert one.prompt_tokens == 8


def test_a_model_without_a_template_fails_chats_and_says_so(folder: str, tmp_path: Path) -> None:
    bare = save_causal_model(tmp_path, template="")
    chat, text = TransformersBackend(bare, device="cpu").complete(
        [Prompt(messages=(Message("user", "U"),)), Prompt(text="U")], Sampling(max_tokens=2)
    )
    assert isinstance(chat, Failure)
    assert "chat template" in chat.reason
    assert isinstance(text, Reply)


def test_draws_depend_on_seed_and_prompt(backend: TransformersBackend) -> None:
    def drawn(text: str, seed: int) -> tuple[str, ...]:
        return replies(backend, raw(text), max_tokens=8, temperature=1.5, n=3, seed=seed)[0].texts

    assert drawn("a", 1) == drawn("a", 1)
    assert drawn("a", 1) != drawn("a", 2)
    assert len(set(drawn("a", 1))) > 1


def test_a_narrow_nucleus_is_greedy(backend: TransformersBackend) -> None:
    greedy = replies(backend, raw("abc"), max_tokens=6)[0].texts
    assert replies(backend, raw("abc"), max_tokens=6, temperature=1.0, top_p=1e-6)[0].texts == greedy


def test_a_reply_ends_before_a_stop_text(backend: TransformersBackend) -> None:
    (whole,) = replies(backend, raw("stop here"), max_tokens=8)
    assert whole.finish_reasons == ("length",)
    stop = whole.texts[0][3:5]
    (cut,) = replies(backend, raw("stop here"), max_tokens=8, stop=(stop,))
    assert cut.texts[0] == whole.texts[0][: whole.texts[0].index(stop)]
    assert cut.finish_reasons == ("stop",)
    assert cut.output_tokens < 8


def test_a_reply_ends_at_the_end_token_and_does_not_show_it(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs torch and transformers")
    model = save_causal_model(tmp_path)
    probe = TransformersBackend(model, dtype="float32", device="cpu")
    (reply,) = replies(probe, raw("when to end"), max_tokens=3, logprobs=1)
    import torch
    from transformers import AutoModelForCausalLM

    with torch.inference_mode():
        ids = torch.tensor([encoded(model, "when to end")])
        first = int(AutoModelForCausalLM.from_pretrained(model)(ids).logits[0, -1].argmax())
    generation = tmp_path / "generation_config.json"
    given = json.loads(generation.read_text())
    generation.write_text(json.dumps({**given, "eos_token_id": [256, first]}))
    (ended,) = replies(
        TransformersBackend(model, dtype="float32", device="cpu"), raw("when to end"), max_tokens=3
    )
    assert reply.texts != ("",)
    assert (ended.texts, ended.finish_reasons, ended.output_tokens) == (("",), ("stop",), 1)


def test_a_prompt_that_does_not_fit_is_too_long_alone(backend: TransformersBackend) -> None:
    fits, long, empty = backend.complete(raw("x" * 100, "x" * (CONTEXT - 3), ""), Sampling(max_tokens=4))
    assert isinstance(fits, Reply)
    assert isinstance(long, Failure)
    assert long.outcome is Outcome.TOO_LONG
    assert str(CONTEXT) in long.reason
    assert isinstance(empty, Failure)
    assert empty.outcome is Outcome.FAILED


def test_lone_surrogates_are_read(backend: TransformersBackend) -> None:
    assert replies(backend, raw("half \ud83d"), max_tokens=1)[0].output_tokens == 1
    assert backend.count_tokens(["abc", "half \ud83d"]) == [3, 6]


def test_the_context_is_the_models_or_the_settings(backend: TransformersBackend, folder: str) -> None:
    assert backend.context_tokens() == CONTEXT
    assert TransformersBackend(folder, context_tokens=99).context_tokens() == 99


def test_a_context_that_the_model_does_not_say_is_looked_up_once(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hybridverify.judges.backends import local_model as module

    asked: list[object] = []
    monkeypatch.setattr(module, "known_context", lambda source: len(asked.append(source) or ""))  # type: ignore[func-returns-value]
    made = TransformersBackend(folder, dtype="float32", device="cpu")
    assert len(replies(made, raw("a", "b", "c"), max_tokens=1)) == 3
    assert len(asked) == 1


class Cramped:
    """A decoder that has room for so many prompts at a time."""

    shares = False

    def __init__(self, inner: Any, room: int) -> None:
        self.inner, self.room = inner, room
        self.sizes: list[int] = []

    def decode(self, prompts: Any, prefix: Any, sampling: Sampling) -> Any:
        self.sizes.append(len(prompts))
        if len(prompts) > self.room:
            raise RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB.\nsecond line")
        return self.inner.decode(prompts, prefix, sampling)


def cramped(folder: str, room: int) -> tuple[TransformersBackend, Cramped]:
    made = TransformersBackend(folder, dtype="float32", device="cpu")
    made.ensure_ready()
    made._decoder = small = Cramped(made._decoder, room)  # type: ignore[assignment]
    return made, small


def test_a_batch_that_does_not_fit_in_memory_is_halved(folder: str) -> None:
    made, small = cramped(folder, room=2)
    assert len(replies(made, raw("a", "b", "c", "d"), max_tokens=1)) == 4
    assert small.sizes == [4, 2, 2]


def test_halves_that_do_not_fit_either_fail_with_one_line(folder: str) -> None:
    made, small = cramped(folder, room=1)
    found = made.complete(raw("a", "b", "c", "d", "e"), Sampling(max_tokens=1))
    assert small.sizes == [5, 3, 2]
    assert {reply.outcome for reply in found if isinstance(reply, Failure)} == {Outcome.FAILED}
    assert all("out of memory" in reply.reason and "\n" not in reply.reason for reply in found)  # type: ignore[union-attr]


def test_threads_wait_for_each_other(folder: str, plain: TransformersBackend) -> None:
    shared = TransformersBackend(folder, dtype="float32", device="cpu")
    prompts = mixed_prompts()
    found: dict[int, list[Reply]] = {}

    def ask(place: int) -> None:
        found[place] = replies(shared, prompts[place : place + 2], max_tokens=2, logprobs=1)

    threads = [threading.Thread(target=ask, args=(place,)) for place in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    single = [replies(plain, [prompt], max_tokens=2, logprobs=1)[0] for prompt in prompts]
    assert all(alike(found[place][0], single[place]) for place in range(6))


def test_it_answers_again_after_it_was_closed(folder: str) -> None:
    made = TransformersBackend(folder, dtype="float32", device="cpu")
    before = replies(made, raw("again"), max_tokens=3)[0].texts
    made.close()
    assert made._decoder is None
    assert replies(made, raw("again"), max_tokens=3)[0].texts == before


def test_what_is_no_model_is_one_line(tmp_path: Path, folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)  # no network in tests
    for name in (str(tmp_path), "nobody/has-this-model"):
        with pytest.raises(JudgeUnavailable, match="cannot load") as caught:
            TransformersBackend(name).complete(raw("x"), Sampling())
        assert "\n" not in str(caught.value)
        assert name in str(caught.value)
    with pytest.raises(ConfigError, match=r"backend\.device"):
        TransformersBackend(folder, device="cuda:77").ensure_ready()


def test_p_yes_comes_from_the_first_token(backend: TransformersBackend) -> None:
    from hybridverify.judges.base import Subject
    from hybridverify.types import Sample

    judge = LLMJudge(preset("tinyv"), backend, score="p_yes", context_tokens=2048)
    backend_context, backend._context = backend._context, 4096
    try:
        requests = judge.prepare([Subject(Sample("It is 1/2", "0.5", "Half?"), answer="1/2")])
        (verdict,) = judge.decide(requests)  # type: ignore[arg-type]
    finally:
        backend._context = backend_context
    assert 0.0 <= verdict.p_yes <= 1.0
