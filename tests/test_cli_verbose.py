"""`-v` on every command, colours, and `explain` with a judge."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from hybridverify.cli import main
from hybridverify.cli.messages import coloured
from tests.judges.server import JudgeServer


@pytest.fixture(autouse=True)
def quiet_again() -> Iterator[None]:
    names = ("hybridverify", "httpx", "httpx2", "openai")
    before = {name: (logging.getLogger(name).level, list(logging.getLogger(name).handlers)) for name in names}
    yield
    for name, (level, handlers) in before.items():
        logging.getLogger(name).setLevel(level)
        logging.getLogger(name).handlers[:] = handlers
        logging.getLogger(name).propagate = True


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    path = tmp_path / "1.jsonl"
    path.write_text(json.dumps({"input": "5+8?", "output": "13", "gts": "13"}) + "\n", "utf-8")
    return path


@pytest.mark.parametrize("place", ["before", "after"])
def test_v_tells_what_was_taken_for_what(dump: Path, place: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["grade", str(dump), "-o", str(dump.parent / "out.jsonl"), "--no-cache"]
    assert main(["-v", *arguments] if place == "before" else [*arguments, "-v"]) == 0
    told = "verl's dump of generations: question from input, reference from gts, response from output"
    assert capsys.readouterr().err == f"hybridverify: {dump}: {told}\n"


def test_without_it_nothing_is_told(dump: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["grade", str(dump), "-o", str(dump.parent / "out.jsonl"), "--no-cache"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "command",
    [
        ["presets", "list"], ["presets", "show", "tinyv"], ["explain", "7", "7"], ["cache", "stats"],
    ],
)  # fmt: skip
def test_every_command_takes_it(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HYBRIDVERIFY_CACHE", str(tmp_path))
    assert main([*command, "-v"]) == 0
    assert main([*command, "--verbose"]) == 0


def test_a_response_that_begins_like_the_option_is_a_response(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "-v^2", "-v^2"]) == 0
    assert "-v^2  same text" in capsys.readouterr().out
    assert main(["explain", "--", "-v", "-v"]) == 0
    assert "-v  same text" in capsys.readouterr().out


def test_colours_are_for_terminals_that_want_them(monkeypatch: pytest.MonkeyPatch) -> None:
    assert coloured("correct", 9) == "correct  "
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert coloured("correct", 9) == "\x1b[32mcorrect  \x1b[0m"
    assert coloured("failed") == "\x1b[35mfailed\x1b[0m"
    monkeypatch.setenv("NO_COLOR", "1")
    assert coloured("correct") == "correct"


def test_explain_asks_a_judge_and_is_quiet_about_requests(capsys: pytest.CaptureFixture[str]) -> None:
    with JudgeServer() as server:
        asked = ["explain", "A town on the Danube.", "Ulm", "-q", "Where was he born?", "--judge", "tinyv"]
        options = ["--base-url", server.url, "--model", "m"]
        assert main([*asked, *options]) == 0
        output, errors = capsys.readouterr()
        assert "judge:tinyv" in output
        assert output.splitlines()[-1].endswith("policy addon")
        assert "HTTP Request" not in errors
        assert main([*asked, *options, "-v"]) == 0
        assert re.search(r"^httpx2?: HTTP Request: POST", capsys.readouterr().err, re.MULTILINE)


def test_explain_takes_the_only_model_of_a_server(capsys: pytest.CaptureFixture[str]) -> None:
    with JudgeServer(models=("small-7b",)) as server:
        asked = ["--judge", "tinyv", "--base-url", server.url]
        assert main(["explain", "A town on the Danube.", "Ulm", "-q", "Where?", *asked]) == 0
        assert "judge:tinyv" in capsys.readouterr().out
        assert {one.body["model"] for one in server.asked} == {"small-7b"}


def test_explain_without_a_judge_to_be_had_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "a", "b", "--judge", "tinyv"]) == 2
    assert "--judge needs an engine" in capsys.readouterr().err
    assert main(["explain", "a", "b", "--policy", "addon"]) == 2
    assert "add one to judges" in capsys.readouterr().err
