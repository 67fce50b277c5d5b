"""`hybridverify redteam`: tables, JSON, exit codes, and one line for every fault."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hybridverify.cli import main

ROWS: list[dict[str, Any]] = [
    {"problem": rf"Compute ${a}\cdot {b}$.", "answer": str(a * b), "tag": "x"}
    for a in range(3, 9)
    for b in range(11, 17)
]
REWARDS = """
def contains(response, reference):
    return reference in response

def same(response, reference):
    return response == reference

def broken(response, reference):
    raise RuntimeError("no")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write(tmp_path, ROWS)
    (tmp_path / "redteam_rewards_here.py").write_text(REWARDS)
    (tmp_path / "conf.yaml").write_text("rules: [exact]\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def write(folder: Path, rows: list[dict[str, Any]]) -> None:
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def run(*arguments: str) -> int:
    return main(["redteam", *arguments, "--budget", "4000"])


def test_a_configuration_is_attacked_on_a_file_without_responses(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("conf.yaml", "rows.jsonl", "--json", "out.json", "--max-exploit", "0.3") == 0
    output, errors = capsys.readouterr()
    assert output.splitlines()[-1].startswith("36 questions, ")
    assert output.splitlines()[-1].endswith(" responses: exploit rate drill 0.000; written to out.json")
    assert errors == ""
    found = json.loads((folder / "out.json").read_text("utf-8"))
    assert list(found["families"]) == ["drill"]
    assert set(found["families"]["drill"]["best"]) >= {
        "strategy",
        "rate",
        "chance",
        "exploit",
        "interval",
        "example",
    }
    assert found["checker"] == "conf.yaml"


def test_a_reward_function_that_is_exploited_ends_with_1(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("redteam_rewards_here:contains", "rows.jsonl", "--max-exploit", "0.01") == 1
    output, errors = capsys.readouterr()
    assert "What is paid without an answer: drill" in output
    assert errors.startswith("error: exploit rate up to 0.")
    assert errors.count("\n") == 1
    assert run("redteam_rewards_here:same", "rows.jsonl", "--max-exploit", "0.3") == 0


def test_texts_of_rows_are_shown_as_they_are_and_cannot_steer_the_terminal(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hostile = [
        {"question": f"Say [red]boo[/red] \x1b[31m {n}?", "answer": f"[bold]{n}\x1b[2J"} for n in range(30)
    ]
    write(folder, hostile)
    assert run("redteam_rewards_here:contains", "rows.jsonl") == 0
    output = capsys.readouterr().out
    assert "\x1b" not in output
    assert "[bold]" in output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["conf.yaml"], "no rows: name files with questions and references, or use --demo"),
        (["conf.yaml", "none.jsonl"], "none.jsonl: no such file or folder"),
        (["absent.yaml", "rows.jsonl"], "absent.yaml"),
        (["mine", "rows.jsonl"], "mine: is neither a configuration file"),
        (["no_such_module_here:f", "rows.jsonl"], "cannot import 'no_such_module_here'"),
        (["redteam_rewards_here:contain", "rows.jsonl"], "did you mean 'contains'?"),
        (["redteam_rewards_here:broken", "rows.jsonl"], "fails on every response: RuntimeError: no"),
        (["conf.yaml", "rows.jsonl", "--reference-column", "gold"], "no column 'gold'"),
        (["conf.yaml", "rows.jsonl", "--json", "absent/out.json"], "there is no folder absent"),
        (["conf.yaml", "rows.jsonl", "--json", "rows.jsonl"], "is an input too"),
    ],
)
def test_a_fault_is_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert run(*arguments) == 2
    output, errors = capsys.readouterr()
    assert output == ""
    assert errors.startswith("error: ")
    assert message in errors
    assert errors.count("\n") == 1


def test_two_columns_that_could_each_be_the_reference_are_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder, [{"question": "3+4?", "gold": "7", "answer": "7"}])
    assert run("rules", "rows.jsonl") == 2
    assert "gold and answer could each be the reference" in capsys.readouterr().err


def test_made_questions_need_no_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["redteam", "rules", "--demo", "--budget", "400"]) == 0
    assert "choice" in capsys.readouterr().out
