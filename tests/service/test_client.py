"""The client against servers that misbehave: what it asks again, and what it gives up."""

from __future__ import annotations

import asyncio
import json
import math
import os
import pickle
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

import pytest

from hybridverify import Sample, Verifier
from hybridverify.errors import ConfigError, Fault, InputError, SampleError, ServiceUnavailable
from hybridverify.service import Client
from hybridverify.service.request import ROWS_AT_ONCE, body_of
from hybridverify.service.wire import full

Reply = tuple[int, bytes] | None
SAMPLES = [Sample(f"#### {number}", "7") for number in range(20)]


class Flaky(ThreadingHTTPServer):
    """Grades as a service does, after the answers in `before`; None breaks the connection."""

    daemon_threads = True

    def __init__(self) -> None:
        self.before: list[Reply] = []
        self.asked: list[int] = []
        self.lock = threading.Lock()
        flaky, verifier = self, Verifier()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                told = json.loads(self.rfile.read(int(self.headers["content-length"])))
                with flaky.lock:
                    flaky.asked.append(len(told["rows"]))
                    reply = flaky.before.pop(0) if flaky.before else (200, b"")
                if reply is None:
                    self.close_connection = True
                    return
                status, body = reply
                if not body:
                    rows = [Sample(row["response"], row["reference"]) for row in told["rows"]]
                    body = json.dumps({"grades": [full(grade) for grade in verifier.grade(rows)]}).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


@pytest.fixture
def flaky() -> Iterator[Flaky]:
    server = Flaky()
    yield server
    server.shutdown()
    server.server_close()


def right(grades: Any) -> bool:
    return [grade.score for grade in grades] == [float(number == 7) for number in range(20)]


@pytest.mark.parametrize(
    "reply",
    [None, (429, b'{"error": "full"}'), (503, b""), (500, b"<html>"), (200, b"{"), (200, b'{"grades": ')],
    ids=["broken", "full", "down", "fault", "cut", "cut late"],
)
def test_a_request_that_came_to_nothing_is_sent_again(flaky: Flaky, reply: Reply) -> None:
    if reply == (503, b""):
        reply = (503, b'{"error": "stopping"}')
    flaky.before = [reply] * 3
    with Client(flaky.base_url) as client:
        assert right(client.grade(SAMPLES))
    assert flaky.asked == [20] * 4


def test_it_gives_up_in_the_end(flaky: Flaky) -> None:
    flaky.before = [None] * 1000
    with (
        Client(flaky.base_url, retry_for_s=0.3) as client,
        pytest.raises(ServiceUnavailable, match="does not answer"),
    ):
        client.grade(SAMPLES)
    flaky.before = [(503, b'{"error": "the judge"}')] * 1000
    with (
        Client(flaky.base_url, retry_for_s=0.3) as client,
        pytest.raises(ServiceUnavailable, match="the judge"),
    ):
        client.grade(SAMPLES)


@pytest.mark.parametrize(
    ("status", "kind", "fault"),
    [
        (401, ServiceUnavailable, Fault.SETTINGS),
        (404, ServiceUnavailable, Fault.SETTINGS),
        (422, InputError, None),
    ],
)
def test_a_refusal_is_not_asked_again(
    flaky: Flaky, status: int, kind: type[Exception], fault: Fault | None
) -> None:
    flaky.before = [(status, b'{"error": "row 3, response: no"}')] * 5
    with Client(flaky.base_url) as client, pytest.raises(kind, match="row 3, response: no") as refused:
        client.grade(SAMPLES)
    assert getattr(refused.value, "fault", None) is fault
    assert flaky.asked == [20]


@pytest.mark.parametrize("body", [b"[]", b'{"grades": 5}', b'{"grades": [{}]}', b'{"grades": []}'])
def test_another_servers_answer_is_no_grade(flaky: Flaky, body: bytes) -> None:
    flaky.before = [(200, body)]
    with Client(flaky.base_url) as client, pytest.raises(ServiceUnavailable):
        client.grade(SAMPLES)


def test_a_large_batch_goes_in_several_requests(flaky: Flaky) -> None:
    samples = SAMPLES * 40
    with Client(flaky.base_url) as client:
        grades = client.grade(samples)
    assert [grade.score for grade in grades] == [float(n == 7) for n in range(20)] * 40
    assert (sum(flaky.asked), max(flaky.asked)) == (800, ROWS_AT_ONCE)


def test_it_is_awaited_from_an_event_loop(flaky: Flaky) -> None:
    async def both(client: Client) -> list[Any]:
        return list(await asyncio.gather(*(client.agrade(SAMPLES) for _ in range(10))))

    with Client(flaky.base_url) as client:
        assert all(map(right, asyncio.run(both(client))))


def test_it_goes_through_pickle_and_fork(flaky: Flaky) -> None:
    with Client(flaky.base_url, "token") as client:
        assert right(client.grade(SAMPLES))
        with pickle.loads(pickle.dumps(client)) as other:  # noqa: S301
            assert right(other.grade(SAMPLES))
        ask: Callable[[], bool] = lambda: right(client.grade(SAMPLES))  # noqa: E731
        assert in_a_child(ask)
        assert ask()


def in_a_child(claim: Callable[[], bool]) -> bool:
    child = os.fork()
    if not child:
        code = 1
        try:
            code = int(not claim())
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize("address", ["", "ftp://x", "http://x:port", "http://"])
def test_a_wrong_address_is_refused_at_once(address: str) -> None:
    with pytest.raises(ConfigError, match="base_url"):
        Client(address)


def test_nobody_there_is_told(unused_port: str) -> None:
    with Client(unused_port, retry_for_s=0.1) as client, pytest.raises(ServiceUnavailable, match="Refused"):
        client.grade(SAMPLES)


def test_a_host_name_that_nobody_knows_is_not_asked_for_long() -> None:
    client = Client("http://no-such-host.invalid", retry_for_s=10**6)
    with client, pytest.raises(ServiceUnavailable, match=r"its host name cannot be found .*see base_url"):
        client.grade(SAMPLES)


@pytest.fixture
def unused_port() -> str:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}"


def test_a_token_as_a_file_leaves_it_is_taken(flaky: Flaky) -> None:
    with Client(flaky.base_url, "  token\n") as client:
        assert right(client.grade(SAMPLES))


@pytest.mark.parametrize("token", ["se\ncret: 1", "s\u00e9cret", "se\x00cret"])
def test_a_token_that_no_header_can_hold_is_refused_at_once_and_not_shown(token: str) -> None:
    with pytest.raises(ConfigError, match="token") as caught:
        Client("http://127.0.0.1:1", token)
    assert "cret" not in str(caught.value)


def test_an_address_that_is_no_text_is_refused() -> None:
    address: Any = None
    with pytest.raises(ConfigError, match="base_url: expected an address as text, not NoneType"):
        Client(address)
    assert Client(" http://127.0.0.1:8100/\n").base_url == "http://127.0.0.1:8100"


def test_rows_are_taken_as_the_verifier_takes_them(flaky: Flaky) -> None:
    with Client(flaky.base_url) as client:
        (grade,) = client.grade([{"completion": "#### 7", "gold": 7}])
        assert grade.score == 1.0
        assert asyncio.run(client.agrade([{"completion": "#### 8", "gold": 7}]))[0].score == 0.0
        with pytest.raises(SampleError, match="grade"):
            client.grade(cast(Any, 7))


def test_what_json_has_no_word_for_is_written_as_text() -> None:
    meta: Any = {"share": math.nan, "most": [math.inf, (1, 2.5)], (1, 2): {3}, "none": None}
    (row,) = json.loads(body_of([Sample("7", "7", meta=meta)], 0))["rows"]
    assert row["meta"] == {"share": "nan", "most": ["inf", [1, 2.5]], "(1, 2)": "{3}", "none": None}


def test_a_meta_that_holds_itself_is_refused_by_the_number_of_its_row(flaky: Flaky) -> None:
    meta: dict[str, Any] = {}
    meta["self"] = meta
    with Client(flaky.base_url) as client, pytest.raises(InputError, match="row 1, meta: it holds itself"):
        client.grade([SAMPLES[0], Sample("7", "7", meta=meta)])
    assert flaky.asked == []
