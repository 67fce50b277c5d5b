"""Several serving processes behind one port: kills, outages, and what clients see of them."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from hybridverify import Sample, Verifier
from hybridverify.service import Client
from hybridverify.types import Grade
from tests.service.service_process import Running, running
from tests.waiting import soon

pytestmark = [
    pytest.mark.slow,
    pytest.mark.load,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc"),
]

ROWS = [Sample(f"It makes {number}. #### {number}", str(number - number % 3)) for number in range(60)]
OPEN = [Sample(f"It lies near Ulm, {number} km off", "Ulm on the Danube") for number in range(6)]
JUDGE = {"preset": "generic", "backend": {"name": "scripted", "replies": "ACCEPT"}}
SETTINGS = {"policy": "addon", "judges": [JUDGE]}


def scores(grades: Sequence[Grade]) -> list[tuple[float, bool]]:
    return [(grade.score, grade.graded) for grade in grades]


def ask_all(
    service: Running, rows: Sequence[Sample], rounds: int, clients: int, kill: list[int]
) -> list[list[Grade]]:
    """Each client asks about all rows, several times; after a while these processes are killed."""
    begun = threading.Semaphore(0)

    def ask(_: int) -> list[Grade]:
        with Client(service.base_url) as client:
            found = []
            for _ in range(rounds):
                found += client.grade(rows)
                begun.release()
            return found

    with ThreadPoolExecutor(clients) as threads:
        answers = [threads.submit(ask, number) for number in range(clients)]
        for _ in range(clients):
            begun.acquire()
        for process in kill:
            os.kill(process, signal.SIGKILL)
        return [answer.result() for answer in answers]


def test_no_row_is_lost_when_processes_are_killed(tmp_path: Path) -> None:
    with Verifier(**SETTINGS) as verifier:  # type: ignore[arg-type]
        expected = scores(verifier.grade([*ROWS, *OPEN]))
    with running(tmp_path, SETTINGS, "--processes", "2") as service:
        assert soon(lambda: len(service.children()) == 3)
        opener, first, _ = service.children()
        for killed in ([first], [opener]):
            answers = ask_all(service, [*ROWS, *OPEN], 4, 20, killed)
            assert {len(found) for found in answers} == {4 * len(expected)}
            assert all(scores(found) == expected * 4 for found in answers)
            assert soon(lambda: len(service.children()) == 3)
        assert service.ask("/health")[0] == 200
        service.process.terminate()
        assert service.process.wait(200) == 0
    assert (tmp_path / "errors").read_text().splitlines() == [
        "warning: serving process 0 ended (-9); it is started again",
        "warning: serving process open ended (-9); it is started again",
        "stopped",
    ]


def test_all_processes_count_together(tmp_path: Path) -> None:
    with running(tmp_path, SETTINGS, "--processes", "2") as service:
        for _ in range(12):  # a connection each: some of them to either process
            assert service.ask("/grade", {"response": "#### 7", "reference": "7"})[0] == 200
        assert 'hybridverify_rows_total{outcome="correct"} 12.0' in service.ask_text("/metrics")[1]
        with Client(service.base_url) as client:
            client.grade(OPEN)
        asked = f"hybridverify_judge_asked_total {len(OPEN)}.0"
        assert soon(lambda: asked in service.ask_text("/metrics")[1])


def test_children_end_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    with running(tmp_path, SETTINGS, "--processes", "2") as service:
        children = service.children()
        service.process.kill()
        assert soon(lambda: not any(Path(f"/proc/{child}").exists() for child in children))


class Judge(ThreadingHTTPServer):
    """A judge's server that accepts everything, or refuses every connection's request while `down`."""

    daemon_threads = True
    down = False

    def __init__(self) -> None:
        judge = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self.reply(b'{"object": "list", "data": [{"id": "m", "object": "model"}]}')

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["content-length"]))
                self.reply(
                    b'{"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [{"index": 0,'
                    b' "finish_reason": "stop", "message": {"role": "assistant", "content": "ACCEPT"}}]}'
                )

            def reply(self, body: bytes) -> None:
                if judge.down:
                    self.close_connection = True
                    return
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


def test_an_outage_of_the_judge_leaves_rows_ungraded_and_every_request_answered(tmp_path: Path) -> None:
    judge = Judge()
    backend = {
        "name": "openai",
        "model": "m",
        "base_url": judge.base_url,
        "request": "chat",
        "max_retries": 1,
        "backoff_s": 0.01,
    }
    settings = {"policy": "addon", "judges": [{"preset": "generic", "backend": backend}]}
    try:
        with running(tmp_path, settings, "--processes", "2") as service, Client(service.base_url) as client:
            assert scores(client.grade(OPEN)) == [(1.0, True)] * len(OPEN)
            judge.down = True
            answers = ask_all(service, [*ROWS, *OPEN], 2, 8, [])
            for found in answers:
                assert len(found) == 2 * (len(ROWS) + len(OPEN))
                assert {grade.graded for grade in found if not grade.judge_asked} == {True}
                assert {(grade.score, grade.graded) for grade in found if grade.judge_asked} == {(0.0, False)}
            judge.down = False
            assert soon(lambda: scores(client.grade(OPEN)) == [(1.0, True)] * len(OPEN))
    finally:
        judge.shutdown()
        judge.server_close()
