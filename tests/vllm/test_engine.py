"""The backend `vllm` on a real engine: what it answers, and that its numbers are those of the model."""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from hybridverify import Sample, Verifier
from hybridverify.judges.backends.render import load_tokenizer
from hybridverify.judges.backends.vllm import VLLMBackend
from hybridverify.judges.base import Failure, Message, Prompt, Reply, Sampling
from hybridverify.judges.llm import LLMJudge
from hybridverify.types import Outcome

NAMES = ("Ann", "Ben", "Carla", "Dmitri", "Eve", "Farid", "Grace", "Hugo")
CHATS = [
    Prompt((Message("user", f"{name} has {count} pears and eats one. How many are left?"),))
    for count, name in enumerate(NAMES, start=2)
]
RAWS = [Prompt(text=f"The name {name} begins with the letter") for name in NAMES]


@pytest.fixture(scope="module")
def backend(model: str, small: dict[str, Any]) -> Iterator[VLLMBackend]:
    made = VLLMBackend(model, dtype="float32", **small)
    yield made
    made.close()


@pytest.fixture(scope="module")
def transformer(model: str) -> Any:
    import torch
    from transformers import AutoModelForCausalLM

    return AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32).eval()


def replies(results: list[Reply | Failure]) -> list[Reply]:
    assert all(isinstance(result, Reply) for result in results), results
    return [result for result in results if isinstance(result, Reply)]


def prompt_ids(model: str, prompt: Prompt) -> list[int]:
    tokenizer = load_tokenizer(model)
    assert tokenizer is not None
    if prompt.messages:
        return tokenizer.encode([tokenizer.render(prompt.messages, {})], False)[0]
    return tokenizer.encode([prompt.text], True)[0]


def top(transformer: Any, tokenizer: Any, ids: list[int], count: int) -> dict[str, float]:
    """The likeliest next tokens by transformers."""
    import torch

    with torch.inference_mode():
        logprobs = transformer(torch.tensor([ids])).logits[0, -1].log_softmax(-1)
    values, found = logprobs.topk(count)
    return {
        tokenizer.decode([token]): value for token, value in zip(found.tolist(), values.tolist(), strict=True)
    }


@pytest.mark.parametrize("prompts", [CHATS, RAWS], ids=["chat", "raw"])
def test_log_probabilities_are_those_of_transformers_for_the_same_ids(
    backend: VLLMBackend, transformer: Any, model: str, prompts: list[Prompt]
) -> None:
    """Measured in float32, over 5 tokens of 8 prompts each: 2.4e-5 at most for chats, 3.0e-5 for raw texts."""
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(model)
    found = replies(backend.complete(prompts, Sampling(max_tokens=1, logprobs=5)))
    differences = []
    for prompt, reply in zip(prompts, found, strict=True):
        expected = top(transformer, tokenizer, prompt_ids(model, prompt), 5)
        shown = reply.logprobs[0]
        assert len(shown) == 5
        differences += [abs(shown[token] - value) for token, value in expected.items() if token in shown]
        assert reply.prompt_tokens == len(prompt_ids(model, prompt))
    assert len(differences) >= 4 * len(prompts)
    assert max(differences) < 1e-3, max(differences)


def test_greedy_replies_are_those_of_transformers(backend: VLLMBackend, transformer: Any, model: str) -> None:
    import torch
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(model)
    found = replies(backend.complete(CHATS[:3], Sampling(max_tokens=12)))
    for prompt, reply in zip(CHATS, found, strict=False):
        ids = torch.tensor([prompt_ids(model, prompt)])
        with torch.inference_mode():
            whole = transformer.generate(ids, max_new_tokens=12, do_sample=False)
        assert reply.texts[0] == tokenizer.decode(whole[0, ids.shape[1] :], skip_special_tokens=True)


def test_token_ids_texts_and_chats_of_the_engine_itself_give_the_same_replies(backend: VLLMBackend) -> None:
    from vllm import SamplingParams

    sampling = Sampling(max_tokens=8)
    params = SamplingParams(temperature=0.0, max_tokens=8)
    with backend.engine().running(0.0) as llm:
        chats = [[{"role": "user", "content": prompt.messages[0].content}] for prompt in CHATS]
        by_chat = [output.outputs[0].text for output in llm.chat(chats, params, use_tqdm=False)]
        by_text = [
            output.outputs[0].text for output in llm.generate([p.text for p in RAWS], params, use_tqdm=False)
        ]
    assert [reply.texts[0] for reply in replies(backend.complete(CHATS, sampling))] == by_chat
    assert [reply.texts[0] for reply in replies(backend.complete(RAWS, sampling))] == by_text


def test_a_batch_is_given_as_token_ids_and_comes_back_in_order(
    backend: VLLMBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[list[int]] = []
    with backend.engine().running(0.0) as llm:
        add = llm.llm_engine.add_request

        def counted(name: str, prompt: Any, *rest: Any, **options: Any) -> Any:
            given.append(prompt["prompt_token_ids"])
            return add(name, prompt, *rest, **options)

        monkeypatch.setattr(llm.llm_engine, "add_request", counted)
    mixed = [prompt for pair in zip(CHATS, RAWS, strict=True) for prompt in pair]
    together = replies(backend.complete(mixed, Sampling(max_tokens=4)))
    assert len(given) == 16
    assert all(given)
    alone = [replies(backend.complete([prompt], Sampling(max_tokens=4)))[0].texts for prompt in mixed[:4]]
    assert [reply.texts for reply in together[:4]] == alone


def test_batches_of_two_threads_are_in_the_engine_together(backend: VLLMBackend) -> None:
    sampling = Sampling(max_tokens=6, logprobs=2)
    alone = [replies(backend.complete(prompts, sampling)) for prompts in (CHATS, RAWS)]
    with ThreadPoolExecutor(2) as threads:
        together = list(
            threads.map(lambda prompts: replies(backend.complete(prompts, sampling)), (CHATS, RAWS))
        )
    for one, other in zip(alone, together, strict=True):
        assert [reply.texts for reply in one] == [reply.texts for reply in other]
        assert all(reply.logprobs for reply in other)


def test_a_stop_string_ends_a_reply_and_is_not_part_of_it(backend: VLLMBackend) -> None:
    (whole,) = replies(backend.complete(CHATS[:1], Sampling(max_tokens=12)))
    stop = whole.texts[0].split()[1]
    (stopped,) = replies(backend.complete(CHATS[:1], Sampling(max_tokens=12, stop=(stop,))))
    assert stopped.finish_reasons == ("stop",)
    assert stopped.texts[0] == whole.texts[0][: whole.texts[0].index(stop)]


def test_draws_follow_the_seed(backend: VLLMBackend) -> None:
    def drawn(seed: int) -> tuple[str, ...]:
        sampling = Sampling(temperature=1.0, max_tokens=8, n=3, seed=seed)
        return replies(backend.complete(CHATS[:1], sampling))[0].texts

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
    assert len(set(drawn(1))) > 1


def test_a_choice_leaves_the_model_no_other_reply(
    model: str, small: dict[str, Any], backend: VLLMBackend
) -> None:
    bound = VLLMBackend(model, dtype="float32", choice=["Correct", "Incorrect"], **small)
    assert bound.engine() is backend.engine()
    found = replies(bound.complete(CHATS, Sampling(max_tokens=8)))
    assert {reply.texts[0] for reply in found} <= {"Correct", "Incorrect"}
    bound.close()


def test_only_what_is_too_long_fails(backend: VLLMBackend) -> None:
    results = backend.complete([RAWS[0], Prompt(text="far too long " * 600), RAWS[1]], Sampling(max_tokens=4))
    assert [isinstance(result, Reply) for result in results] == [True, False, True]
    failure = results[1]
    assert isinstance(failure, Failure)
    assert failure.outcome is Outcome.TOO_LONG


def test_a_judge_by_p_yes_has_a_probability_for_every_row_and_one_engine_call(backend: VLLMBackend) -> None:
    judge = LLMJudge("tinyv", backend, score="p_yes")
    samples = [Sample(f"\\boxed{{{n}}}", f"{n + 1}", f"What comes after {n}?") for n in range(6)]
    with Verifier(rules=["exact"], judges=[judge], policy="judge_only") as verifier:
        grades = verifier.grade(samples)
        assert verifier.stats["judge"]["called"] == 6
    for grade in grades:
        assert 0.0 < grade.judge.p_yes < 1.0
        assert 0.0 < grade.judge.p_mass <= 1.0
        assert math.isfinite(grade.score)


def test_an_engine_that_was_closed_starts_again_in_the_same_process(backend: VLLMBackend) -> None:
    before = replies(backend.complete(RAWS[:2], Sampling(max_tokens=4)))
    backend.close()
    after = replies(backend.complete(RAWS[:2], Sampling(max_tokens=4)))
    assert [reply.texts for reply in before] == [reply.texts for reply in after]


def test_an_engine_that_cannot_sleep_here_goes_on_without(model: str, small: dict[str, Any]) -> None:
    sleepy = VLLMBackend(model, dtype="float32", sleep_level=1, **small)
    try:
        for _ in range(2):
            assert replies(sleepy.complete(RAWS[:1], Sampling(max_tokens=2)))
        assert not sleepy.engine().can_sleep
    finally:
        sleepy.close()
