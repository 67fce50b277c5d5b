"""Which server is asked, which is put aside, when nobody is asked any more, and the check at first use."""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from hybridverify.errors import ConfigError, JudgeUnavailable
from hybridverify.judges.backends.openai import OpenAIBackend
from hybridverify.judges.backends.openai_breaker import BREAK_AFTER, Breaker
from hybridverify.judges.base import Failure, Message, Prompt, Reply, Sampling
from hybridverify.types import Outcome
from tests.judges import server as faults
from tests.judges.server import Behaviour, JudgeServer
from tests.waiting import GIVE_UP_S, soon

pytestmark = pytest.mark.load
GREEDY = Sampling()
REFUSED = "judge unreachable at 127.0.0.1: the connection to the judge failed"


def chats(texts: Iterable[object]) -> list[Prompt]:
    return [Prompt(messages=(Message("user", str(text)),)) for text in texts]


def outcomes(results: Sequence[Reply | Failure]) -> list[str | Outcome]:
    return [result.texts[0] if isinstance(result, Reply) else result.outcome for result in results]


@pytest.fixture
def backend_for() -> Iterator[Any]:
    """Makes backends with short pauses, and closes them."""
    made: list[OpenAIBackend] = []

    def make(url: str | list[str], model: str = "m", **options: Any) -> OpenAIBackend:
        made.append(OpenAIBackend(model, url, **{"backoff_s": 0.01, "timeout_s": 50.0, **options}))
        return made[-1]

    yield make
    for backend in made:
        backend.close()


def resting(backend: OpenAIBackend) -> bool:
    """Whether the judge is left alone after a probe that failed."""
    session = backend._connections.session
    return session is not None and session.breaker.resting()


@pytest.fixture
def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_the_load_is_shared_and_a_slow_server_gets_less(backend_for: Any) -> None:
    done = threading.Event()  # the slow server answers nothing before the fast one has most of the work

    def soon_done(_: object) -> str:
        if len(fast.asked) > 40:
            done.set()
        return "True"

    def late(_: object) -> str:
        return str(done.wait(GIVE_UP_S))

    with JudgeServer(seconds=0.01, reply=soon_done) as fast, JudgeServer(reply=late) as slow:
        results = backend_for([fast.url, slow.url], max_in_flight=4).complete(chats(range(60)), GREEDY)
    assert outcomes(results) == ["True"] * 60
    assert len(fast.asked) > 2 * len(slow.asked) > 0


@pytest.mark.parametrize(
    "fault", [faults.ERROR_500, faults.CUT, faults.GARBAGE, faults.UNKNOWN_MODEL_404, Behaviour(401)]
)
def test_a_broken_server_is_put_aside_and_the_other_answers_everything(
    backend_for: Any, fault: Behaviour
) -> None:
    with JudgeServer() as sound, JudgeServer(always=fault) as broken:
        results = backend_for([broken.url, sound.url], max_in_flight=4).complete(chats(range(100)), GREEDY)
    assert outcomes(results) == ["True"] * 100
    assert 0 < len(broken.asked) <= 8


def test_a_busy_server_is_left_alone_for_as_long_as_it_asks_and_nobody_waits_for_it(backend_for: Any) -> None:
    busy = Behaviour(429, (("Retry-After", "30"),))  # more than all tries of a request have
    with JudgeServer(seconds=0.02) as free, JudgeServer(always=busy) as server:
        backend = backend_for([server.url, free.url], max_in_flight=2, timeout_s=15.0)
        started = time.monotonic()
        # A server that fails without a word is asked again after 0.5 s.
        while time.monotonic() - started < 1.5:
            assert outcomes(backend.complete(chats("abcd"), GREEDY)) == ["True"] * 4
    assert 1 <= len(server.asked) <= 2


def test_a_server_that_is_down_from_the_start_joins_when_it_is_up(backend_for: Any, free_port: int) -> None:
    with JudgeServer() as first:
        backend = backend_for([f"127.0.0.1:{free_port}", first.url])
        assert outcomes(backend.complete(chats("ab"), GREEDY)) == ["True", "True"]
        with JudgeServer(port=free_port) as late:

            def all_answered_and_late_asked() -> bool:
                assert outcomes(backend.complete(chats("abcd"), GREEDY)) == ["True"] * 4
                return bool(late.asked)

            assert soon(all_answered_and_late_asked)


def test_a_model_that_the_server_does_not_have_is_an_error_that_names_what_it_has(backend_for: Any) -> None:
    with JudgeServer(models=("tinyv-1.5b", "other")) as server:
        backend = backend_for(server.url, model="tinyv-1.5B")
        with pytest.raises(JudgeUnavailable) as caught:
            backend.complete(chats("a"), GREEDY)
        assert str(caught.value) == (
            "the judge at 127.0.0.1 does not serve 'tinyv-1.5B': it has tinyv-1.5b, other; "
            "did you mean 'tinyv-1.5b'?"
        )
        assert server.asked == []
        with pytest.raises(JudgeUnavailable, match="it has tinyv"):
            backend.ensure_ready(GIVE_UP_S)
        assert backend.context_tokens() == 0


def test_of_two_servers_the_one_without_the_model_is_not_used(
    backend_for: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with JudgeServer() as right, JudgeServer(models=("other",)) as wrong:
        results = backend_for([wrong.url, right.url]).complete(chats(range(20)), GREEDY)
    assert outcomes(results) == ["True"] * 20
    assert wrong.asked == []
    assert "does not serve 'm': it has other; it is not used" in caplog.text


@pytest.mark.parametrize("models", [None, ()])
def test_a_server_without_a_list_of_models_is_taken_with_one_warning(
    backend_for: Any, caplog: pytest.LogCaptureFixture, models: tuple[str, ...] | None
) -> None:
    with JudgeServer(models=models) as server:
        backend = backend_for(server.url)
        for _ in range(3):
            assert outcomes(backend.complete(chats("ab"), GREEDY)) == ["True", "True"]
    assert [record.name for record in caplog.records if record.levelno == logging.WARNING] == ["hybridverify"]
    assert server.models_asked == 1


def test_nobody_there_is_a_failure_for_each_prompt_and_is_tried_again_with_the_next_batch(
    backend_for: Any, free_port: int
) -> None:
    backend = backend_for(f"127.0.0.1:{free_port}")
    assert backend.complete(chats("ab"), GREEDY) == [Failure(Outcome.FAILED, REFUSED)] * 2
    assert backend.outage == REFUSED
    with JudgeServer(port=free_port):
        assert outcomes(backend.complete(chats("ab"), GREEDY)) == ["True", "True"]
        assert backend.outage == ""


def test_a_list_of_models_that_never_comes_ends_within_its_retries(backend_for: Any) -> None:
    with JudgeServer(models_script=[faults.HANG] * 99) as server:
        (result,) = backend_for(server.url, timeout_s=1.0, max_retries=2).complete(chats("a"), GREEDY)
        reason = "judge unreachable at 127.0.0.1: the judge did not answer in time"
        assert result == Failure(Outcome.FAILED, reason)
        assert server.models_asked == 3


def test_callers_that_wait_for_one_check_do_not_each_repeat_it(backend_for: Any) -> None:
    with JudgeServer(models_script=[faults.HANG] * 99) as server:
        backend = backend_for(server.url, timeout_s=1.5, max_retries=1)
        backend.context_tokens()
        asked = server.models_asked
        threads = [threading.Thread(target=backend.complete, args=(chats("a"), GREEDY)) for _ in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert server.models_asked - asked == 2  # one check of two tries, which takes 3 s


def test_callers_that_wait_for_one_check_share_its_error_too(backend_for: Any) -> None:
    with JudgeServer(models=("other",), models_script=[Behaviour(delay_s=2.0)]) as server:
        backend = backend_for(server.url)
        with ThreadPoolExecutor(6) as pool:
            calls = [pool.submit(backend.complete, chats("a"), GREEDY) for _ in range(6)]
            assert [type(call.exception(GIVE_UP_S)) for call in calls] == [JudgeUnavailable] * 6
        assert server.models_asked == 1
        assert "does not serve 'm'" in backend.outage


def test_a_check_that_was_cut_short_tells_the_next_caller_nothing(backend_for: Any) -> None:
    with JudgeServer(models_script=[faults.HANG]) as server:
        backend = backend_for(server.url, batch_deadline_s=4.0)
        with ThreadPoolExecutor(2) as pool:
            first = pool.submit(backend.complete, chats("a"), GREEDY)
            assert soon(lambda: server.models_asked)
            time.sleep(2.0)
            second = pool.submit(backend.complete, chats("b"), GREEDY)
            assert outcomes(first.result(GIVE_UP_S)) == [Outcome.TIMED_OUT]
            assert outcomes(second.result(GIVE_UP_S)) == ["True"]


def test_a_server_that_is_still_loading_is_waited_for(backend_for: Any) -> None:
    with JudgeServer(models_script=[Behaviour(503), Behaviour(503)]) as server:
        assert outcomes(backend_for(server.url).complete(chats("a"), GREEDY)) == ["True"]


def test_ensure_ready_waits_for_a_server_and_gives_up_in_time(backend_for: Any, free_port: int) -> None:
    backend = backend_for(f"127.0.0.1:{free_port}")
    started = time.monotonic()
    with pytest.raises(
        JudgeUnavailable, match=f"at 127.0.0.1:{free_port}: the connection to the judge failed"
    ):
        backend.ensure_ready(timeout_s=0.3)
    assert time.monotonic() - started >= 0.3
    late = JudgeServer(port=free_port)
    timer = threading.Timer(0.3, late.__enter__)
    timer.start()
    backend.ensure_ready(timeout_s=GIVE_UP_S)
    late.stop()


def test_ensure_ready_does_not_wait_for_a_refused_key(backend_for: Any) -> None:
    with JudgeServer(api_key="right") as server:
        with pytest.raises(JudgeUnavailable, match=r"the judge refused the API key \(401\)"):
            backend_for(server.url).ensure_ready(3600)
        assert server.models_asked == 1


def test_the_context_comes_from_the_setting_or_the_list_of_models(backend_for: Any, free_port: int) -> None:
    with JudgeServer(max_model_len=2048) as server:
        assert backend_for(server.url).context_tokens() == 2048
        assert backend_for(server.url, context_tokens=99).context_tokens() == 99
    with JudgeServer() as silent:
        assert backend_for(silent.url).context_tokens() == 0
    assert backend_for(f"127.0.0.1:{free_port}").context_tokens() == 0


def test_the_key_goes_to_the_server_and_nowhere_else(
    backend_for: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("HV_TEST_KEY", " sk-secret-1 \n")
    with JudgeServer(api_key="sk-secret-1", script=[faults.ERROR_500, faults.BAD_REQUEST_400]) as server:
        backend = backend_for(server.url, api_key_env="HV_TEST_KEY")
        results = backend.complete(chats("a"), GREEDY) + backend.complete(chats("a"), GREEDY)
        assert outcomes(results) == [Outcome.FAILED, "True"]
    assert "sk-secret" not in caplog.text + repr(results) + repr(backend) + repr(backend.usage())


def test_the_users_openai_key_is_not_sent_to_a_judge_server(
    backend_for: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-private")
    with JudgeServer() as server:
        backend_for(server.url).complete(chats("a"), GREEDY)
    assert server.asked[0].headers["authorization"] == "Bearer EMPTY"


def test_a_key_that_vanished_is_an_error_of_configuration(
    backend_for: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HV_TEST_KEY", "k")
    with JudgeServer() as server:
        backend = backend_for(server.url, api_key_env="HV_TEST_KEY")
        monkeypatch.delenv("HV_TEST_KEY")
        with pytest.raises(ConfigError, match="HV_TEST_KEY is not set"):
            backend.complete(chats("a"), GREEDY)


def test_a_judge_given_up_gets_one_probe_a_batch_and_comes_back(backend_for: Any) -> None:
    with JudgeServer(always=faults.ERROR_500) as server:
        backend = backend_for(server.url, max_in_flight=2, max_retries=0)
        first = backend.complete(chats(range(50)), GREEDY)
        given_up = "gave up on the judge after repeated failures: server error of the judge (500)"
        assert first[-1] == Failure(Outcome.FAILED, given_up)
        assert backend.outage == given_up
        asked = len(server.asked)
        assert BREAK_AFTER <= asked <= BREAK_AFTER + 1
        assert soon(lambda: not resting(backend))
        assert set(outcomes(backend.complete(chats(range(50)), GREEDY))) == {Outcome.FAILED}
        assert len(server.asked) == asked + 1
        server.always, server._script = faults.OK, iter(())
        assert soon(lambda: not resting(backend))
        assert outcomes(backend.complete(chats(range(50)), GREEDY)) == ["True"] * 50
        assert backend.outage == ""


def test_a_probe_that_is_too_long_shows_that_the_judge_is_well(backend_for: Any) -> None:
    with JudgeServer(always=faults.ERROR_500) as server:
        backend = backend_for(server.url, max_retries=0)
        backend.complete(chats(range(20)), GREEDY)
        assert backend.outage
        server.always, server.max_model_len = faults.OK, 3
        assert outcomes(backend.complete(chats(["one two three four", "five"]), GREEDY)) == [
            Outcome.TOO_LONG,
            "True",
        ]


def test_a_hanging_judge_given_up_is_not_waited_for_again_at_once(backend_for: Any) -> None:
    with JudgeServer(always=faults.HANG) as server:
        backend = backend_for(server.url, timeout_s=2.0, max_retries=0)
        backend.complete(chats(range(BREAK_AFTER)), GREEDY)
        backend.complete(chats(range(3)), GREEDY)  # the probe
        asked = len(server.asked)
        assert outcomes(backend.complete(chats(range(3)), GREEDY)) == [Outcome.FAILED] * 3
        assert len(server.asked) == asked


def test_the_breaker_rests_as_long_as_the_probe_took() -> None:
    now = [100.0]
    breaker = Breaker(clock=lambda: now[0])
    for _ in range(BREAK_AFTER - 1):
        breaker.failed("x")
    assert breaker.reason == ""
    breaker.failed("x")
    assert breaker.reason
    assert not breaker.resting()
    breaker.probe_failed(60.0)
    now[0] += 59
    assert breaker.resting()
    now[0] += 2
    assert not breaker.resting()


def test_an_ipv6_address_is_reached(backend_for: Any) -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("no IPv6 on this machine")
    with JudgeServer(host="::1") as server:
        assert outcomes(backend_for(f"::1:{server.port}").complete(chats("a"), GREEDY)) == ["True"]
