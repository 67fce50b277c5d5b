"""`hybridverify compare`: two sides in every form, what is counted and shown, and one line for every fault."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hybridverify.cli import main
from hybridverify.comparison import Comparison, Said
from hybridverify.records import Records

ROWS: list[dict[str, Any]] = [
    {"question": "3+4?", "reference": "7", "response": "Answer: 7", "acc": True, "reward": 1},
    {"question": "3+4?", "reference": "7", "response": r"so \boxed{7}", "acc": False, "reward": 0.9},
    {"question": "3+4?", "reference": "7", "response": "#### 7.0", "acc": "wrong", "reward": -1.0},
    {"question": "3+4? \x1b[31m", "reference": "7", "response": "Answer: 8", "acc": 0, "reward": None},
]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write(tmp_path / "in.jsonl", ROWS)


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def run(*arguments: str | Path) -> int:
    return main(["compare", *map(str, arguments)])


def told(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def transitions(path: Path) -> dict[tuple[str, str], int]:
    return {(line["old"], line["new"]): line["rows"] for line in told(path)["transitions"]}


def test_two_graders_every_transition_and_the_reasons(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, changed = tmp_path / "out.json", tmp_path / "changed.jsonl"
    assert run("default", "math_dapo_answer", source, "--no-cache", "--json", out, "--out", changed) == 0
    assert transitions(out) == {
        ("correct", "correct"): 1,
        ("correct", "incorrect"): 2,
        ("incorrect", "incorrect"): 1,
    }
    found = told(out)
    assert (found["rows"], found["changed"], found["now_right"], found["no_longer_right"]) == (4, 2, 0, 2)
    assert found["mean_score"] == {"old": 0.75, "new": 0.25}
    assert sum(line["rows"] for line in found["reasons"]) == found["changed"]
    assert {line["new_why"] for line in found["reasons"]} == {
        "grader_math_dapo_answer: no line with 'Answer:'"
    }
    rows = [json.loads(line) for line in changed.read_text("utf-8").splitlines()]
    assert [row["response"] for row in rows] == [ROWS[1]["response"], ROWS[2]["response"]]
    assert {(row["hv_old_outcome"], row["hv_new_outcome"]) for row in rows} == {("correct", "incorrect")}
    printed = capsys.readouterr().out
    assert "4 rows: 2 change, 0 now right, 2 no longer right; mean score 0.750 before, 0.250 after" in printed
    assert "no longer right" in printed
    assert "row 2 of" in printed


def test_a_settings_file_against_a_column_of_the_rows(source: Path, tmp_path: Path) -> None:
    settings, out = tmp_path / "conf.yaml", tmp_path / "out.json"
    settings.write_text("grader: hendrycks\nreward: {correct: 5.0, incorrect: -5.0}\ncache: null\n", "utf-8")
    assert run(":acc", settings, source, "--json", out) == 0
    assert transitions(out) == {
        ("correct", "incorrect"): 1,
        ("incorrect", "correct"): 1,
        ("incorrect", "incorrect"): 2,
    }
    assert told(out)["mean_score"] == {"old": 0.25, "new": 0.25}  # before `reward` maps it


def test_two_graded_files_need_no_third_and_say_why(source: Path, tmp_path: Path) -> None:
    old, new, out = tmp_path / "old.jsonl", tmp_path / "new.parquet", tmp_path / "out.json"
    for grader, path in (("math_dapo_answer", old), ("hendrycks", new)):
        assert main(["grade", str(source_of(source)), "-o", str(path), "--grader", grader, "--no-cache"]) == 0
    assert run(old, new, "--json", out) == 0
    assert transitions(out) == {
        ("correct", "incorrect"): 1,
        ("incorrect", "correct"): 1,
        ("incorrect", "incorrect"): 2,
    }
    assert "grader_hendrycks: same spelling" in {line["new_why"] for line in told(out)["reasons"]}
    assert run(f"{old}:hv_score", f"{new}:hv_score", source, "--json", out) == 0
    assert told(out)["changed"] == 2


def source_of(source: Path) -> Path:
    """The rows without the columns of two types, which Parquet has no place for."""
    rows = [{key: row[key] for key in ("question", "reference", "response")} for row in ROWS]
    return write(source.with_name("plain.jsonl"), rows)


def test_scores_of_any_scale_and_rows_without_one(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    assert run(f"{source}:reward", f"{source}:acc", "--json", out) == 0
    assert transitions(out) == {
        ("correct", "correct"): 1,
        ("correct", "incorrect"): 1,
        ("incorrect", "incorrect"): 1,
        ("ungraded", "incorrect"): 1,
    }


def test_the_same_on_both_sides_changes_nothing(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("hendrycks", "hendrycks", source, "--no-cache") == 0
    printed = capsys.readouterr().out
    assert "0 change" in printed
    assert "Rows that change" not in printed


def test_what_steers_a_terminal_is_written_out(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(":reward", "math_dapo", source, "--no-cache") == 0
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert "3+4? \\x1b[31m" in printed


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (
            ("hendryks", "default", "IN"),
            "OLD: 'hendryks' is no grader, settings file or score column; did you",
        ),
        (("default", "zzz", "IN"), "NEW: 'zzz' is no grader"),
        (("default", "hendrycks"), "ROWS is missing"),
        (("default", "none.yaml", "IN"), "none.yaml: cannot be read"),
        (("default", "none.jsonl", "IN"), "none.jsonl: no such file"),
        (("default", ":rewrad", "IN"), "no column 'rewrad'; did you mean 'reward'?"),
        (("default", "IN", "IN"), "no column 'hv_score'"),
        (("default", ":question", "IN"), "'3+4?' in column 'question' is no score"),
        (("default", "SHORT:acc", "IN"), "has 1 rows, and 4 are compared"),
        (("default", "OTHER:acc", "IN"), "its response is not that of row 1"),
        (("default", "hendrycks", "IN", "--out", "x.csv"), "changed rows are written as .jsonl"),
        (("default", "hendrycks", "IN", "--json", "no/x.json"), "there is no folder no"),
    ],
)
def test_a_fault_is_one_line_with_a_remedy(
    arguments: tuple[str, ...],
    fault: str,
    source: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "SHORT.jsonl", ROWS[:1])
    write(tmp_path / "OTHER.jsonl", [{**row, "response": "else"} for row in ROWS])
    files = {"IN": str(source), "SHORT:acc": "SHORT.jsonl:acc", "OTHER:acc": "OTHER.jsonl:acc"}
    assert run(*(files.get(argument, argument) for argument in arguments), "--no-cache") == 2
    errors = [line for line in capsys.readouterr().err.splitlines() if line.startswith("error: ")]
    assert len(errors) == 1
    assert fault in errors[0]


def test_reasons_are_bounded_and_nothing_is_lost(source: Path) -> None:
    found = Comparison("a", "b", max_reasons=2)
    entry = next(Records.open([source]).entries())
    for number in range(9):
        found.add(entry, Said(1.0, "correct", f"reason {number}"), Said(0.0, "incorrect"))
    assert (found.rows, found.changed, len(found.reasons)) == (9, 9, 3)


def test_explain_writes_out_what_steers_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "--grader", "hendrycks", "\\boxed{7\x1b[2J\u202e}", "7"]) == 0
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert "\u202e" not in printed
    assert "7\\x1b[2J\\u202e" in printed


def test_a_grader_on_the_command_line_goes_over_the_one_of_the_file(source: Path, tmp_path: Path) -> None:
    settings, out = tmp_path / "conf.yaml", tmp_path / "out.jsonl"
    settings.write_text("grader: math_dapo\ncache: null\n", "utf-8")
    for given, wanted in (((), [1.0, 1.0, -1.0, -1.0]), (("--grader", "hendrycks"), [0.0, 1.0, 0.0, 0.0])):
        assert main(["grade", str(source), "-o", str(out), "-c", str(settings), *given]) == 0
        assert [json.loads(line)["hv_score"] for line in out.read_text("utf-8").splitlines()] == wanted
