"""Servers that misbehave: what each fault costs, whom it hits, and that nothing is ever paid for it."""

from __future__ import annotations

import itertools
import pickle
import time
from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from hybridverify.errors import Fault, JudgeUnavailable
from hybridverify.judges.backends.openai import OpenAIBackend
from hybridverify.judges.backends.openai_breaker import BREAK_AFTER, REFUSES_ALL_AFTER
from hybridverify.judges.base import Failure, Message, Prompt, Reply, Sampling
from hybridverify.types import Outcome
from tests.judges import server as faults
from tests.judges.server import Behaviour, JudgeServer

pytestmark = pytest.mark.load
Result = Reply | Failure
GREEDY = Sampling()


def chats(texts: Iterable[str]) -> list[Prompt]:
    return [Prompt(messages=(Message("user", text),)) for text in texts]


def raws(texts: Iterable[str]) -> list[Prompt]:
    return [Prompt(text=text) for text in texts]


def ask(server: JudgeServer, prompts: Sequence[Prompt], **options: Any) -> list[Result]:
    """One batch through a backend of its own, with short pauses."""
    backend = OpenAIBackend("m", server.url, **{"backoff_s": 0.01, "timeout_s": 50.0, **options})
    try:
        return backend.complete(prompts, GREEDY)
    finally:
        backend.close()


def texts(results: Sequence[Result]) -> list[str | Outcome]:
    return [result.texts[0] if isinstance(result, Reply) else result.outcome for result in results]


@pytest.mark.parametrize(
    "fault",
    [
        faults.ERROR_500,
        faults.BUSY_429,
        faults.CUT,
        faults.GARBAGE,
        faults.HALF_JSON,
        Behaviour(503),
        Behaviour(408),
    ],
    ids=["500", "429", "cut", "garbage", "half", "503", "408"],
)
@pytest.mark.parametrize("make", [chats, raws], ids=["chat", "raw"])
def test_a_passing_fault_is_tried_again(fault: Behaviour, make: Any) -> None:
    with JudgeServer(script=[fault, fault]) as server:
        assert texts(ask(server, make(["equal?"]))) == ["True"]
        assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("fault", "outcome", "requests", "reason"),
    [
        (faults.ERROR_500, Outcome.FAILED, 4, "server error of the judge (500)"),
        (Behaviour(429), Outcome.FAILED, 4, "the judge is overloaded (429)"),
        (faults.CUT, Outcome.FAILED, 4, "the connection to the judge failed"),
        (faults.GARBAGE, Outcome.FAILED, 4, "the judge's reply is no JSON"),
        (Behaviour(text="[1]"), Outcome.FAILED, 4, "the judge's reply is no JSON object"),
        (faults.NO_CHOICES, Outcome.FAILED, 1, "the judge's reply has no choice for this prompt"),
        (
            faults.UNKNOWN_MODEL_404,
            Outcome.FAILED,
            1,
            "the judge knows neither this model nor this path (404): The model `m` does not exist; "
            "check --model and --base-url, which ends before /chat/completions",
        ),
        (faults.BAD_REQUEST_400, Outcome.FAILED, 1, "the judge refused the request (400): bad field"),
        (
            Behaviour(401),
            Outcome.FAILED,
            1,
            "the judge refused the API key (401); "
            "name the variable that holds the key: --api-key-env NAME (backend.api_key_env)",
        ),
    ],
)
def test_a_lasting_fault_is_a_failure_after_a_bounded_number_of_requests(
    fault: Behaviour, outcome: Outcome, requests: int, reason: str
) -> None:
    with JudgeServer(always=fault) as server:
        assert ask(server, chats(["equal?"])) == [Failure(outcome, reason)]
        assert len(server.asked) == requests


@pytest.mark.parametrize("fault", [faults.HANG, faults.DRIP], ids=["hang", "drip"])
def test_a_silent_or_dripping_server_is_timed_out_within_the_budget(fault: Behaviour) -> None:
    with JudgeServer(always=fault) as server:
        results = ask(server, chats(["equal?"]), timeout_s=1.5)
        assert results == [Failure(Outcome.TIMED_OUT, "the judge did not answer in time")]
        assert len(server.asked) == 2  # half of the time limit is left for a second try


def test_a_hang_that_passes_is_answered_at_the_second_try() -> None:
    with JudgeServer(script=[faults.HANG]) as server:
        assert texts(ask(server, chats(["equal?"]), timeout_s=4.0)) == ["True"]
        assert len(server.asked) == 2


def test_retry_after_is_obeyed() -> None:
    with JudgeServer(script=[faults.BUSY_429]) as server:
        started = time.monotonic()
        assert texts(ask(server, chats(["equal?"]))) == ["True"]
        assert time.monotonic() - started >= 0.2


def test_choices_out_of_order_reach_their_own_prompts() -> None:
    with JudgeServer(reply=lambda prompt: str(prompt)[::-1], always=faults.SHUFFLED) as server:
        words = [f"prompt {number}" for number in range(100)]
        assert texts(ask(server, raws(words), prompts_per_request=16)) == [word[::-1] for word in words]


def test_one_prompt_too_long_fails_alone_and_costs_few_requests() -> None:
    with JudgeServer(max_model_len=5, reply=str.upper) as server:
        words = [f"prompt {number}" for number in range(64)]
        words[37] = "far too long for this small judge"
        results = ask(server, raws(words))
        assert results[37] == Failure(Outcome.TOO_LONG, "the prompt does not fit the judge's context")
        assert texts(results[:37] + results[38:]) == [word.upper() for word in words[:37] + words[38:]]
        assert len(server.asked) == 13  # the body, and two halves at each of six levels


def test_a_chat_too_long_is_not_tried_again() -> None:
    with JudgeServer(max_model_len=3) as server:
        assert texts(ask(server, chats(["one two three four", "one"]))) == [Outcome.TOO_LONG, "True"]
        assert len(server.asked) == 2


@pytest.mark.parametrize(
    "message",
    [
        faults.VLLM_TOO_LONG,
        "The decoder prompt (length 5000) is longer than the maximum model length of 4096. Make sure that "
        "`max_model_len` is no smaller than the number of text tokens.",
        "This model's maximum context length is 1024 tokens. However, you requested 1100 tokens (1000 in the "
        "messages, 100 in the completion). Please reduce the length of the messages or completion.",
        "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
        "the request exceeds the available context size, try increasing it",
    ],
)
def test_the_words_of_each_engine_for_too_long_are_known(message: str) -> None:
    with JudgeServer(always=Behaviour(400, text=message)) as server:
        assert texts(ask(server, chats(["equal?"]))) == [Outcome.TOO_LONG]
        assert len(server.asked) == 1


def test_a_poisonous_prompt_is_found_and_the_others_are_answered() -> None:
    class Poisoned(JudgeServer):
        def _completion(self, asked: Any, behaviour: Behaviour) -> tuple[int, str]:
            if "poison" in asked.prompts():
                return 400, '{"error": {"message": "invalid character"}}'
            return super()._completion(asked, behaviour)

    with Poisoned() as server:
        words = [f"prompt {number}" for number in range(64)]
        words[11] = "poison"
        results = texts(ask(server, raws(words)))
        assert results[11] is Outcome.FAILED
        assert set(results[:11] + results[12:]) == {"True"}


class Picky(JudgeServer):
    """Refuses whatever holds the word poison, and answers the rest."""

    def _completion(self, asked: Any, behaviour: Behaviour) -> tuple[int, str]:
        if "poison" in str(asked.prompts()):
            return 400, '{"error": {"message": "invalid character"}}'
        return super()._completion(asked, behaviour)


@pytest.mark.parametrize("make", [chats, raws], ids=["chat", "raw"])
def test_many_prompts_that_the_server_refuses_do_not_look_like_a_dead_server(make: Any) -> None:
    words = [f"prompt {number}" for number in range(400)]
    for place in (*range(100, 160), *range(200, 400, 64)):
        words[place] = f"poison {place}"
    with Picky() as server:
        backend = OpenAIBackend("m", server.url, backoff_s=0.01, max_in_flight=1)
        results = backend.complete(make(words), GREEDY)
        assert backend.outage == ""
        backend.close()
    refused = [place for place, result in enumerate(results) if isinstance(result, Failure)]
    assert refused == [place for place, word in enumerate(words) if "poison" in word]
    assert {results[place].fault for place in refused} == {Fault.ROW}  # type: ignore[union-attr]


def test_a_batch_whose_first_rows_are_refused_is_answered_all_the_same() -> None:
    with Picky() as server:
        results = ask(server, chats([*(f"poison {n}" for n in range(20)), "plain"]), max_in_flight=1)
    assert texts(results) == [Outcome.FAILED] * 20 + ["True"]


def test_a_server_that_refuses_everybody_from_the_start_has_the_wrong_settings() -> None:
    with JudgeServer(always=faults.BAD_REQUEST_400) as server:
        backend = OpenAIBackend("m", server.url, backoff_s=0.01, max_in_flight=1)
        results = backend.complete(chats(str(number) for number in range(200)), GREEDY)
        assert "the judge refused the request (400)" in backend.outage
        assert len(server.asked) == REFUSES_ALL_AFTER
        server.always = faults.OK
        assert texts(backend.complete(chats("ab"), GREEDY)) == ["True"] * 2
        assert backend.outage == ""
        backend.close()
    assert isinstance(results[-1], Failure)
    assert results[-1].fault is Fault.SETTINGS


@pytest.mark.parametrize(
    ("server", "fault"),
    [
        (JudgeServer(always=faults.ERROR_500), Fault.ENGINE),
        (JudgeServer(always=Behaviour(429)), Fault.ENGINE),
        (JudgeServer(always=faults.CUT), Fault.ENGINE),
        (JudgeServer(always=faults.GARBAGE), Fault.ENGINE),
        (JudgeServer(models_script=[faults.ERROR_500] * 9), Fault.ENGINE),
        (JudgeServer(always=faults.BAD_REQUEST_400), Fault.ROW),
        (JudgeServer(max_model_len=1), Fault.ROW),
        (JudgeServer(always=faults.NO_CHOICES), Fault.ROW),
        (JudgeServer(models=None, always=faults.UNKNOWN_MODEL_404), Fault.SETTINGS),
        (JudgeServer(always=Behaviour(403)), Fault.SETTINGS),
        (JudgeServer(api_key="right"), Fault.SETTINGS),
    ],
    ids=["500", "429", "cut", "garbage", "no list", "400", "long", "empty", "404", "403", "key"],
)
def test_each_failure_says_whose_fault_it_is(server: JudgeServer, fault: Fault) -> None:
    with server:
        (result,) = ask(server, chats(["one two three"]))
    assert isinstance(result, Failure)
    assert result.fault is fault


def test_a_model_that_the_server_does_not_have_is_a_fault_of_the_settings() -> None:
    with JudgeServer(models=("other",)) as server, pytest.raises(JudgeUnavailable) as caught:
        ask(server, chats(["equal?"]))
    assert caught.value.fault is Fault.SETTINGS
    assert pickle.loads(pickle.dumps(caught.value)).fault is Fault.SETTINGS  # noqa: S301 - our own bytes


def test_a_request_that_every_server_refuses_is_not_split_for_ever() -> None:
    with JudgeServer(always=faults.BAD_REQUEST_400) as server:
        results = ask(server, raws(str(number) for number in range(1024)))
        assert set(texts(results)) == {Outcome.FAILED}
        assert len(server.asked) < 100


@pytest.mark.parametrize("fault", [faults.ERROR_500, faults.CUT, faults.GARBAGE])
def test_a_server_that_dies_in_the_middle_costs_only_the_rest(fault: Behaviour) -> None:
    with JudgeServer(script=[faults.OK] * 10, always=fault) as server:
        results = texts(ask(server, chats(str(number) for number in range(200)), max_in_flight=1))
        assert results == ["True"] * 10 + [Outcome.FAILED] * 190
        assert len(server.asked) == 10 + 8 * 4  # eight in a row, four tries each, then nobody is asked


def test_a_connection_that_is_refused_in_the_middle_costs_only_the_rest() -> None:
    counter = itertools.count()
    with JudgeServer() as server:

        def answer(_: object) -> str:
            if next(counter) == 9:
                server._loop.call_soon(server._loop.stop)
            return "True"

        server.reply = answer
        backend = OpenAIBackend("m", server.url, backoff_s=0.01, max_in_flight=4)
        results = texts(backend.complete(chats(str(number) for number in range(5000)), GREEDY))
        requests = backend.usage()["requests"]
        backend.close()
        assert results.count("True") >= 9
        assert results[-1] is Outcome.FAILED
        assert len(results) == 5000
        assert (
            requests <= results.count("True") + (BREAK_AFTER + 4) * 4
        )  # in flight, four tries each; nobody else asks


def test_reasons_hold_no_port_and_no_time() -> None:
    for fault in (faults.ERROR_500, faults.CUT, faults.GARBAGE, faults.UNKNOWN_MODEL_404, faults.NO_CHOICES):
        with JudgeServer(always=fault) as server:
            (first,), (second,) = ask(server, chats(["x"])), ask(server, chats(["x"]))
            assert isinstance(first, Failure)
            assert first == second
            assert str(server.port) not in first.reason


def test_the_cap_on_calls_in_flight_holds_and_a_flood_is_answered_in_full() -> None:
    with JudgeServer(at_a_time=8, seconds=0.01, reply=str.upper) as server:
        words = [f"prompt {number}" for number in range(512)]
        results = texts(ask(server, chats(words), max_in_flight=16))
        assert results == [word.upper() for word in words]
        assert server.most_in_flight <= 16
        assert len(server.asked) == 512


def test_the_clock_of_a_request_starts_when_it_is_sent() -> None:
    with JudgeServer(seconds=0.4) as server:
        results = texts(ask(server, chats("abcdefghijkl"), max_in_flight=1, timeout_s=3.0))
        assert results == ["True"] * 12  # 4.8 s in a queue of one, each within its own 3 s (all tries: 4.5 s)


def test_the_deadline_of_a_batch_ends_it_and_keeps_what_came() -> None:
    with JudgeServer(script=[faults.OK] * 3, always=faults.HANG) as server:
        results = ask(server, chats("abcdef"), max_in_flight=1, batch_deadline_s=3.0)
        assert texts(results) == ["True"] * 3 + [Outcome.TIMED_OUT] * 3
        assert results[-1] == Failure(Outcome.TIMED_OUT, "the deadline of the batch passed")


def test_text_without_a_utf8_form_is_sent_all_the_same() -> None:
    with JudgeServer(reply=str) as server:
        assert texts(ask(server, chats(["x\ud800y"]))) == ["x?y"]
        assert texts(ask(server, raws(["x\udfffy", "z"]))) == ["x?y", "z"]


def test_an_empty_batch_asks_nobody() -> None:
    with JudgeServer() as server:
        assert ask(server, []) == []
        assert server.asked == []


def test_requests_retries_and_tokens_are_counted() -> None:
    with JudgeServer(script=[faults.ERROR_500]) as server:
        backend = OpenAIBackend("m", server.url, backoff_s=0.01)
        backend.complete(raws(["one two", "three"]), GREEDY)
        usage = backend.usage()
        backend.close()
    counts = {
        name: usage[name] for name in ("requests", "retries", "prompts", "prompt_tokens", "output_tokens")
    }
    assert counts == {"requests": 2, "retries": 1, "prompts": 2, "prompt_tokens": 3, "output_tokens": 2}
    assert usage["seconds"] > 0


def test_log_probabilities_come_in_both_forms() -> None:
    with JudgeServer() as server:
        backend = OpenAIBackend("m", server.url)
        for prompts in (chats(["a"]), raws(["a"])):
            (reply,) = backend.complete(prompts, Sampling(logprobs=2))
            assert isinstance(reply, Reply)
            assert reply.logprobs == ({"True": -0.1, "other": -2.5},)
        backend.close()
