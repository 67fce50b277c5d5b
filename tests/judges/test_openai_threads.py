"""Callers of every kind: threads, event loops, forked children, impatient ones; and a clean end."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hybridverify.judges.backends.openai import OpenAIBackend
from hybridverify.judges.base import Failure, Message, Prompt, Reply, Sampling
from hybridverify.types import Outcome
from tests.judges import server as faults
from tests.judges.server import Behaviour, JudgeServer
from tests.waiting import GIVE_UP_S, soon

pytestmark = pytest.mark.load
GREEDY = Sampling()
ROOT = Path(__file__).resolve().parents[2]


def chats(*texts: object) -> list[Prompt]:
    return [Prompt(messages=(Message("user", str(text)),)) for text in texts]


def texts(results: list[Reply | Failure]) -> list[str | Outcome]:
    return [result.texts[0] if isinstance(result, Reply) else result.outcome for result in results]


def loops() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "hybridverify-openai"]


@pytest.fixture
def server() -> Iterator[JudgeServer]:
    with JudgeServer(reply=str.upper) as running:
        yield running


def test_nothing_runs_before_the_first_use(server: JudgeServer) -> None:
    backend = OpenAIBackend("m", server.url)
    assert loops() == []
    assert server.models_asked == 0
    backend.complete(chats("a"), GREEDY)
    assert len(loops()) == 1
    backend.close()


def test_many_threads_share_one_backend_and_its_cap() -> None:
    slow = [Behaviour(delay_s=1.0)] * 5  # the first ones meet
    with JudgeServer(reply=str.upper, seconds=0.01, script=slow) as server:
        backend = OpenAIBackend("m", server.url, max_in_flight=5)
        with ThreadPoolExecutor(16) as pool:
            calls = [[f"call {i} {j}" for j in range(8)] for i in range(32)]
            answers = list(pool.map(lambda call: texts(backend.complete(chats(*call), GREEDY)), calls))
        backend.close()
    assert answers == [[text.upper() for text in call] for call in calls]
    assert server.most_in_flight == 5


def test_it_is_awaited_from_several_event_loops_at_once(server: JudgeServer) -> None:
    backend = OpenAIBackend("m", server.url)

    async def many(name: str) -> list[list[str | Outcome]]:
        calls = [backend.acomplete(chats(f"{name}{i}"), GREEDY) for i in range(20)]
        return [texts(results) for results in await asyncio.gather(*calls)]

    with ThreadPoolExecutor(3) as pool:
        answers = list(pool.map(lambda name: asyncio.run(many(name)), "xyz"))
    backend.close()
    assert answers == [[[f"{name}{i}".upper()] for i in range(20)] for name in "xyz"]


def test_the_plain_call_works_inside_a_running_loop(server: JudgeServer) -> None:
    backend = OpenAIBackend("m", server.url)

    async def inside() -> list[str | Outcome]:
        return texts(backend.complete(chats("a"), GREEDY))

    assert asyncio.run(inside()) == ["A"]
    backend.close()


def test_a_cancelled_caller_stops_its_own_requests_alone() -> None:
    with JudgeServer(reply=str.upper, script=[faults.HANG] * 2) as server:
        backend = OpenAIBackend("m", server.url, max_in_flight=2)
        backend.ensure_ready()

        async def both() -> list[str | Outcome]:
            doomed = asyncio.ensure_future(backend.acomplete(chats(*"abcdefgh"), GREEDY))
            assert await asyncio.to_thread(soon, lambda: len(server.asked) == 2)
            kept = asyncio.ensure_future(backend.acomplete(chats("z"), GREEDY))
            await asyncio.sleep(0.05)
            doomed.cancel()
            with pytest.raises(asyncio.CancelledError):
                await doomed
            return texts(await kept)

        assert asyncio.run(both()) == ["Z"]
        backend.close()
        assert server.prompts()[2:] == ["z"]


def test_closing_while_calls_wait_gives_them_failures() -> None:
    with JudgeServer(always=faults.HANG) as server:
        backend = OpenAIBackend("m", server.url, timeout_s=300)
        with ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(backend.complete, chats("a", "b"), GREEDY)
            assert soon(lambda: len(server.asked) == 2)
            backend.close()
            assert waiting.result(GIVE_UP_S) == [Failure(Outcome.FAILED, "the judge backend was closed")] * 2

        async def awaited() -> list[Reply | Failure]:
            call = asyncio.ensure_future(backend.acomplete(chats("a"), GREEDY))
            assert await asyncio.to_thread(soon, lambda: len(server.asked) >= 3)
            backend.close()
            return await call

        assert texts(asyncio.run(awaited())) == [Outcome.FAILED]


def test_a_closed_backend_may_be_closed_again_and_used_again(server: JudgeServer) -> None:
    backend = OpenAIBackend("m", server.url)
    for _ in range(3):
        assert texts(backend.complete(chats("a"), GREEDY)) == ["A"]
        backend.close()
        backend.close()
    assert loops() == []
    assert backend.usage()["requests"] == 3


def test_a_backend_that_is_dropped_ends_its_thread(server: JudgeServer) -> None:
    backend = OpenAIBackend("m", server.url)
    backend.complete(chats("a"), GREEDY)
    del backend
    gc.collect()
    assert loops() == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork.*:DeprecationWarning")
def test_a_forked_child_asks_through_connections_of_its_own(server: JudgeServer) -> None:
    backend = OpenAIBackend("m", server.url)
    assert texts(backend.complete(chats("parent"), GREEDY)) == ["PARENT"]
    child = os.fork()
    if child == 0:
        answer = texts(backend.complete(chats("child"), GREEDY))
        backend.close()
        os._exit(0 if answer == ["CHILD"] else 1)
    assert os.waitpid(child, 0) == (child, 0)
    assert texts(backend.complete(chats("again"), GREEDY)) == ["AGAIN"]
    backend.close()


@pytest.mark.parametrize("end", ["", "backend.close()", "raise SystemExit(0)", "del backend"])
def test_an_interpreter_ends_in_silence_with_a_backend_open_or_closed(server: JudgeServer, end: str) -> None:
    code = f"""
        from hybridverify.judges.backends.openai import OpenAIBackend
        from hybridverify.judges.base import Message, Prompt, Sampling
        backend = OpenAIBackend("m", {server.url!r})
        print(backend.complete([Prompt(messages=(Message("user", "a"),))] * 20, Sampling())[19].texts[0])
        {end}
    """
    command = [sys.executable, "-W", "error", "-W", "always::ResourceWarning", "-c", textwrap.dedent(code)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, cwd=ROOT, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "A\n", "")


def test_importing_the_backend_loads_no_sdk_and_starts_nothing() -> None:
    code = (
        "import sys, threading, hybridverify.judges.backends.openai\n"
        "heavy = {'openai', 'httpx', 'httpx2', 'jinja2', 'tokenizers', 'transformers'} & set(sys.modules)\n"
        "print(sorted(heavy), threading.active_count())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout == "[] 1\n"


def test_the_end_of_a_batch_is_found_out_once() -> None:
    from hybridverify.judges.backends.openai_session import _Feed
    from hybridverify.judges.backends.openai_wire import Body

    asked: list[object] = []

    def bodies() -> Iterator[Body]:
        for number in range(3):
            asked.append(number)
            yield Body("text", (number,), ("a",))
        asked.append("end")

    async def taken() -> list[Body | None]:
        feed = _Feed(bodies())
        return [await feed.next() for _ in range(8)]

    found = asyncio.run(taken())
    assert [body.positions for body in found if body is not None] == [(0,), (1,), (2,)]
    assert asked == [0, 1, 2, "end"]


@pytest.mark.parametrize("most", [1, 2, 64])
def test_every_body_of_a_batch_is_sent_whatever_the_cap(server: JudgeServer, most: int) -> None:
    backend = OpenAIBackend("m", server.url, max_in_flight=most)
    found = backend.complete(chats(*"abcdefghij"), GREEDY)
    assert texts(found) == list("ABCDEFGHIJ")
    backend.close()
