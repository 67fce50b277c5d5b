"""What `grade` tells of the answers that judges rescued."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hybridverify.cli import main


def run(*arguments: str | Path) -> int:
    return main([str(argument) for argument in arguments])


def scripted_run(tmp_path: Path, *options: str) -> int:
    rows = [
        {
            "question": f"Where {i}?",
            "reference": f"Ulm {i}",
            "response": "It is \u202e there\x1b[2J, as ever.",
        }
        for i in range(25)
    ]
    source, config = tmp_path / "towns.jsonl", tmp_path / "conf.json"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    judge = {"preset": "generic", "backend": {"name": "scripted", "replies": "ACCEPT"}}
    config.write_text(json.dumps({"policy": "addon", "judges": [judge], "cache": None}))
    return run("grade", source, "-o", tmp_path / "out.jsonl", "--config", config, *options)


def test_one_text_that_is_rescued_everywhere_is_told_in_one_escaped_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert scripted_run(tmp_path) == 0
    output, errors = capsys.readouterr()
    (line,) = [line for line in errors.splitlines() if line.startswith("suspicious:")]
    assert "was accepted against 25 different references (1 in all; --monitor tells more)" in line
    assert "\\u202e" in line
    assert "\x1b" not in output + errors


def test_monitor_tells_what_judges_rescued(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert scripted_run(tmp_path, "--monitor") == 0
    errors = capsys.readouterr().err
    assert "rescued 25 of 25 asked (1.00)" in errors
    assert "judge:generic: accept rate 1.00" in errors
    assert 'rescued against 25 references: "It is \\u202e there\\x1b[2J, as ever."' in errors


def test_without_a_judge_the_monitor_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text(json.dumps({"response": "7", "reference": "7"}) + "\n")
    assert run("grade", source, "-o", tmp_path / "out.jsonl", "--no-cache", "--monitor") == 0
    assert "no judge was asked" in capsys.readouterr().err
