"""The TinyV recipe as typed: no model, no preset, and a server of either kind beside the trainer."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from hybridverify.adapters.options import parse_options
from hybridverify.adapters.reward_function import compute_score, compute_score_batch
from hybridverify.adapters.served import preset_of

REPLIES = {"Scoring Criteria:": "Fine.\nTotal Score: 6/10", "<model_answer>": "True"}
"""By what only the prompt of a preset has: a rubric's, and TinyV's."""


class Judge:
    """A server on the loopback that serves `models` under those names alone."""

    def __init__(self, models: Sequence[str], status: int = 200) -> None:
        judge = self
        self.models, self.status = list(models), status
        self.listed, self.asked = 0, list[str]()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                judge.listed += 1
                data = [{"id": model, "object": "model", "max_model_len": 15_000} for model in judge.models]
                self.answer(judge.status, {"object": "list", "data": data})

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                judge.asked.append(body["model"])
                prompt = json.dumps(body["messages"])
                text = next((reply for mark, reply in REPLIES.items() if mark in prompt), "?")
                head = {"id": "1", "object": "chat.completion", "created": 0, "model": body["model"]}
                message = {"role": "assistant", "content": text}
                usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
                choice = {"index": 0, "finish_reason": "stop", "message": message}
                self.answer(200, {**head, "choices": [choice], "usage": usage})

            def answer(self, status: int, content: dict[str, Any]) -> None:
                data = json.dumps(content).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *arguments: Any) -> None:
                """Nothing: tests print no access log."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def serve() -> Iterator[Callable[..., Judge]]:
    started: list[Judge] = []

    def start(*models: str, status: int = 200) -> Judge:
        started.append(Judge(models, status))
        return started[-1]

    yield start
    for judge in started:
        judge.server.shutdown()
        judge.server.server_close()


def typed(judge: Judge, /, **more: Any) -> dict[str, Any]:
    """The recipe's words, its server at another address."""
    return {"tinyv_setup": "addon", "tinyv_weight": 1.0, "base_url": judge.url, "cache": None, **more}


def score(judge: Judge, source: str, criteria: str = "", /, **more: Any) -> float:
    extra = {"criteria": criteria} if criteria else None
    result = compute_score(source, "The author is the bard", "Shakespeare", extra, **typed(judge, **more))
    assert result["hv_graded"] == 1
    return float(result["score"])


@pytest.mark.parametrize(
    ("model", "source", "criteria", "expected"),
    [
        ("zhangchenxu/TinyV-1.5B", "x_tinyv", "", 1.0),
        ("zhangchenxu/TinyV-1.5B", "x_tinyv", "Name him.", 1.0),
        ("/models/rubric-rm-7b", "x_tinyv", "Name him.", 0.6),
        ("org/RRM-8B", "x_tinyv", "Name him.", 0.6),
        ("/ckpt/step_80", "x_tinyv", "", 1.0),
        ("/ckpt/step_80", "x_tinyv", "Name him.", 0.6),
        ("/ckpt/step_80", "x_rubric", "Name him.", 0.6),
    ],
)
def test_the_model_is_what_is_served_and_the_preset_follows(
    serve: Any, model: str, source: str, criteria: str, expected: float
) -> None:
    judge = serve(model)
    assert score(judge, source, criteria) == pytest.approx(expected)
    assert judge.asked == [model]


def test_what_was_chosen_is_said_in_one_line(serve: Any, caplog: pytest.LogCaptureFixture) -> None:
    judge = serve("base-model", "lora-rubric")
    with caplog.at_level(logging.WARNING, "hybridverify"):
        assert score(judge, "x_tinyv", "Name him.") == pytest.approx(0.6)
        assert score(judge, "x_tinyv", "Name her.") == pytest.approx(0.6)
    (told,) = [line for line in caplog.messages if "say model= and judge=" in line]
    assert "'lora-rubric' of 2 that it serves, preset 'rubric' by the model's name" in told
    assert judge.asked == ["lora-rubric"] * 2


def test_a_model_and_a_preset_that_were_named_stand(serve: Any) -> None:
    judge = serve("other", "mine-tinyv")
    assert score(judge, "x_tinyv", "Name him.", model="other", judge="rubric") == pytest.approx(0.6)
    assert judge.asked == ["other"]
    options = parse_options(typed(judge, model="other", judge="rubric"))
    assert options.settings["judges"] == [
        {"preset": "rubric", "backend": {"name": "openai", "base_url": judge.url, "model": "other"}}
    ]
    assert options.unsaid == ()


def test_rows_that_no_judge_is_asked_about_ask_no_server(serve: Any) -> None:
    judge = serve("/models/rubric-rm")
    assert compute_score("openai/gsm8k", "#### 7", "7", **typed(judge))["score"] == 1.0
    assert judge.listed == 0


def test_a_server_without_a_list_is_asked_for_the_recipes_own_model(serve: Any) -> None:
    judge = serve(status=404)
    assert score(judge, "x_tinyv") == 1.0
    assert judge.asked == ["zhangchenxu/TinyV-1.5B"]


def test_a_server_that_starts_late_is_waited_for_and_then_asked_what_it_serves(serve: Any) -> None:
    judge = serve("/models/rubric-rm", status=503)

    class Opens(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if "asking again" in record.getMessage():
                judge.status = 200

    opens, logger = Opens(), logging.getLogger("hybridverify.adapters")
    logger.addHandler(opens)
    try:
        results = compute_score_batch(
            ["x_tinyv", "openai/gsm8k"],
            ["The author is the bard", "#### 7"],
            ["Shakespeare", "7"],
            [{"criteria": "Name him."}, None],
            **typed(judge, outage_wait_s=60),
        )
    finally:
        logger.removeHandler(opens)
    assert [result["score"] for result in results] == pytest.approx([0.6, 1.0])
    assert judge.asked == ["/models/rubric-rm"]


@pytest.mark.parametrize(
    ("name", "preset"),
    [
        ("zhangchenxu/TinyV-1.5B", "tinyv"),
        ("zhangchenxu/TinyV-1.5B-Think", "tinyv_think"),
        ("zhangchenxu/TinyV-Qwen3-1.7B", "tinyv_qwen3"),
        ("zhangchenxu/TinyV-Qwen3-1.7B-Think", "tinyv_qwen3_think"),
        ("orz_tinyv", "tinyv"),
        ("Rubric-RM", "rubric"),
        ("math_rubrics", "rubric"),
        ("my/rrm_v2", "rubric"),
        ("Qwen/Qwen3-8B", ""),
        ("farm/warrm", ""),
        ("thinker", ""),
        ("", ""),
    ],
)
def test_names_speak_of_a_preset_by_whole_words(name: str, preset: str) -> None:
    assert preset_of(name) == preset


def test_a_hosted_judges_preset_follows_from_its_path() -> None:
    options = parse_options({"tinyv_setup": "addon"}, "10.0.0.1:4000", "/models/rubric-rm")
    assert options.unsaid == ("preset",)
    assert parse_options({"tinyv_setup": "addon"}).unsaid == ("model", "preset")
    own = {"preset": "tinyv", "backend": {"name": "scripted", "replies": "True"}}
    assert parse_options({"tinyv_setup": "addon", "judges": [own]}).unsaid == ()
