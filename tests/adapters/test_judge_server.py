"""The adapters against a judge's server on the loopback: behind verl's router, and started too late."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from hybridverify.adapters.reward_function import compute_score_batch
from hybridverify.adapters.verl_reward_loop import HybridRewardManager
from verl_fakes import CharTokenizer, batch_of

pytestmark = pytest.mark.load

MODEL = "/models/judge"


class JudgeHandler(BaseHTTPRequestHandler):
    """Says True of the bard and False of everybody else."""

    def do_GET(self) -> None:
        self._send({"object": "list", "data": [{"id": MODEL, "object": "model", "max_model_len": 4096}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert body["model"] == MODEL
        text = "True" if "bard" in json.dumps(body["messages"]) else "False"
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        head = {"id": "1", "object": "chat.completion", "created": 0, "model": MODEL}
        self._send({**head, "choices": [choice], "usage": usage})

    def _send(self, answer: dict[str, Any]) -> None:
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments: Any) -> None:
        """Nothing: tests print no access log."""


class JudgeServer:
    """A port that is taken at once and served from `start` on."""

    def __init__(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{probe.getsockname()[1]}"
        self._server: ThreadingHTTPServer | None = None

    def start(self) -> None:
        host, port = self.address.split(":")
        self._server = ThreadingHTTPServer((host, int(port)), JudgeHandler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()


@pytest.fixture
def server() -> Iterator[JudgeServer]:
    judge_server = JudgeServer()
    yield judge_server
    judge_server.stop()


def test_a_judge_hosted_by_verl_is_asked_through_its_router(server: JudgeServer) -> None:
    server.start()
    config = {
        "reward": {
            "reward_kwargs": {"judge": "tinyv", "policy": "judge_only", "cache": None},
            "reward_model": {"enable": True, "model_path": MODEL},
            "custom_reward_function": {"path": "pkg://hybridverify.adapters.reward_function"},
        }
    }
    manager = HybridRewardManager(config, CharTokenizer(), None, server.address, None)
    batch = batch_of([("Who?", "It was the bard", "Shakespeare"), ("Who?", "It was Marlowe", "Shakespeare")])

    async def go() -> list[float]:
        outputs = await asyncio.gather(*(manager.run_single(batch[i : i + 1]) for i in range(2)))
        return [output["reward_score"] for output in outputs]

    assert asyncio.run(go()) == [1.0, 0.0]


def test_the_function_gets_the_router_as_an_argument(server: JudgeServer) -> None:
    server.start()
    tokenizer = CharTokenizer()
    tokenizer.name_or_path = MODEL
    (result,) = compute_score_batch(
        ["s"],
        ["It was the bard"],
        ["Shakespeare"],
        reward_router_address=server.address,
        reward_model_tokenizer=tokenizer,
        judge="tinyv",
        policy="judge_only",
        cache=None,
    )
    assert result["score"] == 1.0


class StartsServer(logging.Handler):
    """Starts the server when the adapters say for the first time that they wait for it."""

    def __init__(self, server: JudgeServer) -> None:
        super().__init__()
        self.server, self.waits = server, 0

    def emit(self, record: logging.LogRecord) -> None:
        if "asking again" in record.getMessage():
            self.waits += 1
            if self.waits == 1:
                self.server.start()


def test_a_server_that_starts_too_late_is_waited_for(server: JudgeServer) -> None:
    starter, logger = StartsServer(server), logging.getLogger("hybridverify.adapters")
    logger.addHandler(starter)
    try:
        (result,) = compute_score_batch(
            ["s"],
            ["It was the bard"],
            ["Shakespeare"],
            judge="tinyv",
            base_url=f"http://{server.address}/v1",
            model=MODEL,
            policy="judge_only",
            cache=None,
            outage_wait_s=60,
        )
    finally:
        logger.removeHandler(starter)
    assert starter.waits == 1
    assert result["score"] == 1.0
    assert result["hv_graded"] == 1
