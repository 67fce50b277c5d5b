"""Figures of a graded run: accuracy, groups, pass@k and maj@k, tokens and cost."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridverify.agreement.run_figures import RunFigures
from hybridverify.cli import main
from hybridverify.cli.run_summary import MAX_GROUPS_SHOWN, judge_figures, lines

NO_JUDGE = judge_figures({}, 0.0, 0.0)


def graded(outcome: str, answer: str = "", asked: bool = False) -> dict[str, Any]:
    failed = outcome in ("failed", "bad_reference")
    score = 1.0 if outcome == "correct" else 0.0
    return {"score": score, "graded": not failed, "outcome": outcome, "judge_asked": asked, "answer": answer}


def figures_of(*samples: tuple[str, str], prompt: str = "p") -> RunFigures:
    figures = RunFigures()
    for outcome, answer in samples:
        figures.add(graded(outcome, answer), {}, prompt)
    return figures


def test_undecided_and_ungraded_rows_stand_apart() -> None:
    figures = figures_of(("correct", ""), ("incorrect", ""), ("undecided", ""), ("failed", ""), prompt="")
    told = figures.to_dict()["all"]
    assert (told["rows"], told["correct"], told["undecided"], told["ungraded"]) == (4, 1, 1, 1)
    assert told["accuracy"] == 0.5
    assert told["accuracy_bounds"] == [pytest.approx(1 / 3, abs=1e-6), pytest.approx(2 / 3, abs=1e-6)]
    assert told["interval"][0] < 0.5 < told["interval"][1]


def test_no_decided_row_has_no_accuracy() -> None:
    figures = figures_of(("undecided", ""), ("failed", ""), prompt="")
    told = figures.to_dict()["all"]
    assert told["accuracy"] is None
    assert told["interval"] is None
    assert list(lines(figures, NO_JUDGE)) == ["accuracy: no row is decided; 1 undecided, 1 not graded"]
    assert list(lines(RunFigures(), NO_JUDGE)) == []


@given(st.lists(st.booleans(), min_size=2, max_size=7), st.integers(1, 7))
def test_pass_at_k_is_the_share_of_all_draws_with_a_right_sample(right: list[bool], k: int) -> None:
    figures = figures_of(*(("correct" if one else "incorrect", str(n)) for n, one in enumerate(right)))
    told = figures.samples()["pass_at"]
    assert min(told) == 1
    assert max(told) == len(right)
    if k in told:
        draws = list(itertools.combinations(right, k))
        assert told[k] == pytest.approx(sum(map(any, draws)) / len(draws), abs=1e-6)


@pytest.mark.parametrize(
    ("samples", "share"),
    [
        ([("correct", "1/2"), ("correct", "0.5"), ("incorrect", "3")], 1.0),
        ([("correct", "1/2"), ("incorrect", "3"), ("incorrect", " 3 ")], 0.0),
        ([("correct", "1/2"), ("incorrect", "3")], 0.5),
        ([("correct", "1/2"), ("incorrect", ""), ("incorrect", ""), ("failed", "")], 1.0),
        ([("undecided", "x"), ("undecided", "x"), ("correct", "y")], 0.0),
        ([("incorrect", ""), ("failed", "")], 0.0),
    ],
)
def test_the_commonest_answer_is_voted_for(samples: list[tuple[str, str]], share: float) -> None:
    assert figures_of(*samples).samples()["maj_at"] == {len(samples): share}


def test_a_prompt_with_one_sample_is_no_matter_of_samples() -> None:
    figures = RunFigures()
    for number in range(3):
        figures.add(graded("correct"), {}, f"prompt {number}")
    assert figures.samples() == {}


def test_many_groups_are_cut_on_screen_and_their_names_are_harmless() -> None:
    figures = RunFigures(by=["kind"])
    for number in range(MAX_GROUPS_SHOWN + 3):
        figures.add(graded("correct"), {"kind": f"\x1b[31m{number:02}\n"}, "")
    shown = list(lines(figures, NO_JUDGE))
    assert shown[-1] == "  and 3 smaller groups; --summary holds all"
    assert not any("\x1b" in line or "\n" in line for line in shown)
    assert len(figures.to_dict()["by"]["kind"]) == MAX_GROUPS_SHOWN + 3


def test_cost_is_of_tokens_and_only_where_a_price_is_given() -> None:
    stats = {"called": 3, "prompt_tokens": 2_000_000.0, "output_tokens": 1_000.0}
    assert "cost" not in judge_figures(stats, 0.0, 0.0)
    judge = judge_figures(stats, 0.4, 1.6)
    assert judge["cost"] == 0.8016
    assert list(lines(RunFigures(), judge)) == ["judge: 2,000,000 tokens read, 1,000 written; cost 0.8016"]


# ---- the command


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.jsonl"
    rows = [
        {
            "question": "5+6?",
            "reference": "11",
            "response": ["\\boxed{11}", "\\boxed{12}", "\\boxed{12}"],
            "level": "a",
        },
        {
            "question": "7+6?",
            "reference": "13",
            "response": ["\\boxed{13}", "#### 13", "\\boxed{14}"],
            "level": "b",
        },
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


@pytest.mark.parametrize("ending", [".jsonl", ".parquet"])
def test_the_run_tells_what_people_run_it_for(
    source: Path, tmp_path: Path, ending: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if ending == ".parquet":
        pytest.importorskip("pyarrow")
    out, summary = tmp_path / f"out{ending}", tmp_path / "figures.json"
    command = ["grade", str(source), "-o", str(out), "--no-cache", "--by", "level", "--summary", str(summary)]
    assert main(command) == 0
    shown = capsys.readouterr().out
    assert "2 prompts with 3 samples: pass@1 50.0%, pass@2 83.3%, pass@3 100.0%, maj@3 50.0%" in shown
    told = json.loads(summary.read_text("utf-8"))
    assert told["all"]["accuracy"] == 0.5
    assert told["by"]["level"]["a"]["correct"] == 1
    assert told["by"]["level"]["b"]["correct"] == 2
    assert main([*command, "--resume"]) == 0
    assert json.loads(summary.read_text("utf-8")) == told


def test_samples_in_rows_of_their_own_are_of_one_prompt(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "in.jsonl"
    rows = [{"question": "5+6?", "reference": "11", "response": f"\\boxed{{{n}}}"} for n in (11, 12, 11)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert main(["grade", str(path), "-o", str(tmp_path / "out.jsonl"), "--no-cache"]) == 0
    assert "1 prompt with 3 samples: pass@1 66.7%" in capsys.readouterr().out


@pytest.mark.parametrize("ending", [".jsonl", ".parquet"])
def test_a_limit_counts_rows_of_the_input_and_can_be_raised(
    source: Path, tmp_path: Path, ending: str
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    table, out = tmp_path / "in.parquet", tmp_path / f"out{ending}"
    assert main(["grade", str(source), "-o", str(table), "--no-cache"]) == 0
    command = ["grade", str(source), str(table), "-o", str(out), "--no-cache"]
    for options, rows in ((["--limit", "1"], 3), (["--limit", "4", "--resume"], 8), (["--resume"], 12)):
        assert main([*command, *options]) == 0
        written = (
            out.read_text("utf-8").count("\n") if ending == ".jsonl" else parquet.read_metadata(out).num_rows
        )
        assert written == rows


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--limit", "0"], "limit"),
        (["--by", "levle"], "no column 'levle' (--by); did you mean 'level'?"),
        (["--summary", "nowhere/figures.json"], "no such folder: nowhere"),
        (["--summary", "{folder}"], "is a folder; name a file in it"),
        (["--summary", "{folder}/out.jsonl"], "is --output too; name another file"),
        (["--summary", "{source}"], "is an input too; name another file"),
        (["--price-in", "-1"], "price-in"),
    ],
)
def test_wrong_options_end_with_one_line(
    source: Path, tmp_path: Path, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = source.read_bytes()
    named = [option.format(source=source, folder=tmp_path) for option in options]
    assert main(["grade", str(source), "-o", str(tmp_path / "out.jsonl"), *named]) == 2
    assert source.read_bytes() == before
    errors = capsys.readouterr().err.strip().splitlines()
    assert message in errors[-1]
    assert not (tmp_path / "out.jsonl").exists()


def test_the_figures_go_to_standard_output(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    command = ["grade", str(source), "--no-cache", "--summary", "-"]
    assert main([*command, "-o", "out.jsonl"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["output"] == "out.jsonl"
    assert "accuracy: " in told.err
    assert not (tmp_path / "-").exists()
    assert main([*command, "-o", "-"]) == 2
    assert "standard output takes the rows" in capsys.readouterr().err


def test_what_samples_without_a_verdict_count_as_is_said_where_there_are_some() -> None:
    whole = list(lines(figures_of(("correct", ""), ("incorrect", "")), NO_JUDGE))
    assert whole[-1].endswith("maj@2 100.0%")
    open_rows = list(lines(figures_of(("correct", ""), ("failed", "")), NO_JUDGE))
    assert open_rows[-1].endswith("; undecided and ungraded rows count as not right")


@pytest.mark.parametrize("command", [["agree"], ["compare", "default", "default"], ["redteam", "rules"]])
def test_a_table_leaves_standard_output_to_nothing_else(
    command: list[str],
    source: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*command, str(source), "--json", "-"]) == 2
    assert "standard output" in capsys.readouterr().err
    assert not (tmp_path / "-").exists()
