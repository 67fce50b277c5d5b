"""The report of training runs: every number of a small made run, worked out by hand."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT / "benchmarks") not in sys.path:
    sys.path.insert(0, str(ROOT / "benchmarks"))

from training.gap import escaped  # noqa: E402
from training.report import write  # noqa: E402
from training.rollouts import questions, read_run  # noqa: E402
from training.steps import covered  # noqa: E402
from training.task import BEGIN, INSTRUCTION, row  # noqa: E402
from training.truth import Truth  # noqa: E402

PEARS = Truth("How many pears?", "7", Fraction(7))
NIGHT = Truth(
    "How long is the night? Give the number and its unit.", "1.5 hours", Fraction(5400), "time", Fraction(0)
)
HARBOUR = Truth("Which town?", "Ostende", forms=("Ostende", "Ostend"))
RULE = {"hv_graded": 1, "hv_status": "correct", "hv_rule_outcome": "correct", "hv_judge_asked": 0}
SURE = {"hv_graded": 1, "hv_status": "incorrect", "hv_rule_outcome": "incorrect", "hv_judge_asked": 0}
JUDGED = {"hv_graded": 1, "hv_status": "correct", "hv_rule_outcome": "undecided", "hv_judge_asked": 1}
DENIED = {"hv_graded": 1, "hv_status": "incorrect", "hv_rule_outcome": "undecided", "hv_judge_asked": 1}
LOST = {"hv_graded": 0, "hv_status": "failed", "hv_rule_outcome": "undecided", "hv_judge_asked": 1}


def rollout(truth: Truth, answer: str, score: float, **columns: Any) -> dict[str, Any]:
    return {
        "input": f"system\nBe brief.\nuser\n{BEGIN}{truth.question}\n{INSTRUCTION}\nassistant\n",
        "output": f"Well. \\boxed{{{answer}}}",
        "gts": truth.reference,
        "score": score,
        "step": 1,
        **columns,
    }


FIRST = [
    rollout(PEARS, "7", 1.0, **RULE),
    rollout(PEARS, "8", 0.0, **SURE),
    rollout(NIGHT, "90 minutes", 1.0, **JUDGED),
    rollout(NIGHT, "90 minutes", 0.0, **LOST),
    rollout(HARBOUR, "Ostend", 0.0, **DENIED),
    rollout(HARBOUR, "Ghent", 1.0, **JUDGED),
    rollout(HARBOUR, "Ghent", 0.0, **DENIED),
    rollout(PEARS, "seven", 1.0, **RULE),
]
SECOND = [
    rollout(PEARS, "7", 1.0, **RULE),
    rollout(NIGHT, "1.5", 1.0, **RULE),
    rollout(HARBOUR, "Ghent | <b>Ostend</b>", 1.0, **JUDGED),
    rollout(HARBOUR, "Ostende", 1.0, **RULE),
]
METRICS = [
    {"step": 0, "data": {"val-core/x": 0.5}},
    {
        "step": 1,
        "data": {
            "timing_s/step": 20.0,
            "timing_s/gen": 8.0,
            "timing_s/old_log_prob": 2.0,
            "timing_s/ref": 1.0,
            "timing_s/update_actor": 6.0,
            "timing_s/update_weights": 0.5,
            "response_length/mean": 40.0,
            "perf/total_num_tokens": 1000,
            "perf/throughput": 50.0,
            "hv/rows": 8,
            "hv/asked": 4,
            "hv/rescued": 2,
            "hv/ungraded": 1,
            "actor/grad_norm": None,
        },
    },
    {"step": 2, "data": {"timing_s/step": 10.0, "timing_s/gen": 4.0, "response_length/mean": 30.0}},
]


def lines(path: Path, rows: Iterable[Any], tail: str = "") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in rows) + tail, encoding="utf-8")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    truths = zip((PEARS, NIGHT, HARBOUR), ("rules", "reading", "facts"), strict=True)
    rows = [row(truth, part, "train", index, "x") for index, (truth, part) in enumerate(truths)]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), folder / "train.parquet")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    run = tmp_path / "hybrid"
    lines(run / "rollouts" / "1.jsonl", FIRST)
    lines(run / "rollouts" / "2.jsonl", SECOND, tail='{"input": "cut o')
    lines(run / "validation" / "0.jsonl", FIRST[:3])
    lines(run / "metrics.jsonl", METRICS)
    (run / "meta.json").write_text(json.dumps({"name": "rules + judge", "card": "none"}), encoding="utf-8")
    return run


def reported(folder: Path, data: Path, out: Path) -> dict[str, Any]:
    write([read_run(folder, questions(data))], out, plots=False)
    (told,) = json.loads((out / "report.json").read_text(encoding="utf-8"))["runs"]
    return dict(told)


def test_a_step_is_counted_by_hand(folder: Path, data: Path, tmp_path: Path) -> None:
    told = reported(folder, data, tmp_path / "out")
    first, second = told["steps"]
    assert (told["name"], told["rows"], told["unmatched_rows"], told["unread_lines"]) == (
        "rules + judge",
        12,
        0,
        1,
    )
    assert (first["reward"], first["true"]) == (4 / 8, 5 / 8)
    assert (first["false_accepts"], first["false_rejects"]) == (1 / 8, 2 / 8)
    assert first["true_by_part"] == {"rules": 2 / 3, "reading": 1.0, "facts": 1 / 3}
    assert first["reward_by_part"] == {"rules": 2 / 3, "reading": 0.5, "facts": 1 / 3}
    assert (first["asked"], first["rescued"], first["ungraded"]) == (5 / 8, 2 / 8, 1 / 8)
    assert (second["reward"], second["true"], second["false_accepts"], second["false_rejects"]) == (
        1.0,
        0.5,
        0.5,
        0.0,
    )
    assert (told["first"]["reward"], told["last"]["true"], told["first"]["steps"]) == (0.75, 0.5625, 2)


def test_seconds_and_tokens_are_verls(folder: Path, data: Path, tmp_path: Path) -> None:
    first, second = reported(folder, data, tmp_path / "out")["steps"]
    seconds = first["seconds"]
    assert (seconds["step"], seconds["rollout"], seconds["log_probs"], seconds["update"]) == (
        20.0,
        8.0,
        3.0,
        6.0,
    )
    assert (seconds["weights"], seconds["reward_busy"], seconds["reward_after"]) == (0.5, None, None)
    assert (first["tokens"], first["tokens_per_response"], first["tokens_per_second"]) == (1000.0, 40.0, 50.0)
    assert second["seconds"]["update"] is None


def test_a_validation_is_held_against_the_truth_too(folder: Path, data: Path, tmp_path: Path) -> None:
    (check,) = reported(folder, data, tmp_path / "out")["validation"]
    assert (check["step"], check["rows"], check["reward"], check["true"]) == (0, 3, 2 / 3, 2 / 3)


def test_without_columns_the_shares_come_from_the_metrics(folder: Path, data: Path, tmp_path: Path) -> None:
    bare = [{name: value for name, value in one.items() if not name.startswith("hv_")} for one in FIRST]
    lines(folder / "rollouts" / "1.jsonl", bare)
    first, second = reported(folder, data, tmp_path / "out")["steps"]
    assert (first["asked"], first["rescued"], first["ungraded"]) == (4 / 8, 2 / 8, 1 / 8)
    assert first["false_accepts"] == 1 / 8
    lines(folder / "rollouts" / "2.jsonl", [rollout(PEARS, "7", 1.0)])
    second = reported(folder, data, tmp_path / "out")["steps"][1]
    assert (second["asked"], second["ungraded"], second["true"]) == (None, None, 1.0)


def test_recorded_rewards_bring_columns_and_times(folder: Path, data: Path, tmp_path: Path) -> None:
    bare = [rollout(PEARS, "7", 1.0), rollout(PEARS, "7", 1.0), rollout(HARBOUR, "Ghent", 1.0)]
    lines(folder / "rollouts" / "1.jsonl", bare)
    (folder / "rollouts" / "2.jsonl").unlink()
    (folder / "validation" / "0.jsonl").unlink()
    kept = [
        {"question": PEARS.question, "output": "Well. \\boxed{7}", "began": 10.0, "ended": 10.5, **RULE},
        {"question": PEARS.question, "output": "Well. \\boxed{7} ", "began": 10.25, "ended": 11.0, **RULE},
    ]
    lines(folder / "rewards" / "1.jsonl", kept)
    told = reported(folder, data, tmp_path / "out")
    (only,) = told["steps"]
    assert (only["asked"], only["ungraded"]) == (0.0, 0.0)
    assert (only["seconds"]["reward_busy"], only["seconds"]["reward_row"]) == (1.0, 0.625)
    assert (told["recorded_rewards"], told["rows_without_record"]) == (2, 1)


def test_disagreements_are_listed_and_counted_by_kind(folder: Path, data: Path, tmp_path: Path) -> None:
    gap = reported(folder, data, tmp_path / "out")["gap"]
    told = {
        (one["kind"], one["part"], one["truth"], one["decided_by"], one["status"]): one["rows"] for one in gap
    }
    assert told == {
        ("false accept", "facts", "another name", "judge", "correct"): 1,
        ("false accept", "facts", "several answers", "judge", "correct"): 1,
        ("false accept", "reading", "no unit", "rule: correct", "correct"): 1,
        ("false reject", "facts", "right", "judge", "incorrect"): 1,
        ("false reject", "reading", "right", "nobody", "failed"): 1,
    }
    listed = (tmp_path / "out" / "gap.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(one)["step"] for one in listed] == [1, 1, 1, 2, 2]
    assert json.loads(listed[-1])["reference"] == "Ostende"


def test_the_page_shows_model_text_as_text(folder: Path, data: Path, tmp_path: Path) -> None:
    reported(folder, data, tmp_path / "out")
    page = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "| rules + judge | 2 | 0.750 → 0.750 | 56.2 % → 56.2 % |" in page
    assert "<b>" not in page
    assert "Ghent \\| &lt;b&gt;Ostend&lt;/b&gt;" in page
    assert escaped("a\x1b[31m\nb") == "a \\[31m b"


def test_rows_of_unknown_questions_are_left_out_and_counted(folder: Path, data: Path, tmp_path: Path) -> None:
    stranger = Truth("Which other town?", "Bruges", forms=("Bruges",))
    lines(folder / "rollouts" / "2.jsonl", [rollout(stranger, "Bruges", 1.0), rollout(PEARS, "7", 1.0)])
    told = reported(folder, data, tmp_path / "out")
    assert (told["unmatched_rows"], told["steps"][1]["rows"]) == (1, 1)


def test_plots_are_drawn_where_matplotlib_is(folder: Path, data: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    write([read_run(folder, questions(data))] * 2, tmp_path / "out")
    for name in ("accuracy", "cost"):
        assert (tmp_path / "out" / f"{name}.png").stat().st_size > 1000
        assert (tmp_path / "out" / f"{name}.svg").read_text(encoding="utf-8").startswith("<?xml")


def test_spans_that_overlap_count_once() -> None:
    assert covered([(5.0, 6.0), (0.0, 2.0), (1.0, 3.0), (1.5, 2.0)]) == 4.0
    assert covered([]) == 0.0
