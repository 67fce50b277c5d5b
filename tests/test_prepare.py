"""`hybridverify prepare`: question sets as verl reads them, and what is left out and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from hybridverify.cli import main
from hybridverify.cli.prepare import final_answer
from hybridverify.records import Records

ROWS: list[dict[str, Any]] = [
    {
        "question": "A shelf has 9 rows of 120 jars. How many jars?",
        "answer": "9 * 120 = 1,080\n#### 1,080",
        "level": 2,
    },
    {"question": "What is a half of a third?", "answer": "It is \\boxed{\\frac{1}{6}}.", "level": 5},
    {"question": "  ", "answer": "4", "level": 1},
    {"question": "Who knows?", "answer": None, "level": 1},
    {"question": "What is a half of a third?", "answer": "It is \\boxed{\\frac{1}{6}}.", "level": 5},
    {"question": "Half \ud83d?", "answer": "1", "level": 5},
    {"question": "A root of x^2 = 4?", "answer": ["2", "-2"], "level": 3},
]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "school.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), "utf-8")
    return path


def prepare(*arguments: str | Path) -> int:
    return main(["prepare", *map(str, arguments)])


def test_rows_are_as_verl_reads_them(source: Path) -> None:
    out, template = source.parent / "train.parquet", source.parent / "judge.txt"
    template.write_text("Q: {question}\nA: {reference}\n{other}", "utf-8")
    options = ["--suffix", "_tinyv", "--instruction", "Box it.", "--system", "Be brief.", "--split", "test"]
    assert prepare(source, "-o", out, *options, "--extra", "hardness=level", "--rm-prompt", template) == 0
    rows = pq.read_table(out).to_pylist()
    assert rows[0] == {
        "data_source": "school_tinyv",
        "prompt": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": f"{ROWS[0]['question']} Box it."},
        ],
        "ability": "math",
        "reward_model": {"style": "rule", "ground_truth": "1080"},
        "extra_info": {"split": "test", "index": 0, "question": ROWS[0]["question"], "hardness": 2},
        "rm_prompt": f"Q: {ROWS[0]['question']}\nA: 1080\n{{other}}",
    }
    assert [row["reward_model"]["ground_truth"] for row in rows] == [
        "1080",
        "\\frac{1}{6}",
        "\\frac{1}{6}",
        "2",
    ]
    assert [row["extra_info"]["index"] for row in rows] == [0, 1, 2, 3]
    assert list(source.parent.glob("*.tmp")) == []


def test_a_dry_run_counts_and_writes_nothing(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = source.parent / "train.parquet"
    assert prepare(source, "-o", out, "--dry-run") == 0
    output, errors = capsys.readouterr()
    assert output.splitlines() == [
        "  school: 4",
        "4 rows of 1 data source; longest prompt 46 characters; nothing written (--dry-run)",
    ]
    assert errors.splitlines() == [
        f"warning: 1 row (row 4 of {source}) without a reference: left out",
        f"warning: 1 row (row 3 of {source}) without a question: left out",
        f"warning: 1 row (row 6 of {source}) with half a character, which Parquet cannot hold: left out",
        f"1 row (row 7 of {source}) with several references: the first is the ground truth",
        f"1 row (row 5 of {source}) with a question and reference that were there before: kept",
    ]
    assert not out.exists()


def test_its_own_output_is_read_again_and_a_suffix_stands_once(source: Path) -> None:
    first, second = source.parent / "first.parquet", source.parent / "second.parquet"
    assert prepare(source, "-o", first, "--data-source", "sums", "--suffix", "_tinyv", "--limit", "2") == 0
    assert prepare(first, "-o", second, "--suffix", "_tinyv") == 0
    assert pq.read_table(second).to_pylist() == pq.read_table(first).to_pylist()
    rows = [{**row, "response": "7"} for row in pq.read_table(second).to_pylist()]
    graded = source.parent / "graded.jsonl"
    graded.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    (sample, _) = (entry.sample for entry in Records.open([graded]).entries())
    assert (sample.references, sample.data_source) == (("1080",), "sums_tinyv")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "-o is missing: name a .parquet file, or count with --dry-run"),
        (["-o", "train.jsonl"], "verl reads .parquet"),
        (["-o", "nowhere/train.parquet"], "there is no folder nowhere"),
        (["--dry-run", "--extra", "level"], "--extra level: expected KEY=COLUMN"),
        (["--dry-run", "--extra", "index=level"], "index is written in any case"),
        (["--dry-run", "--extra", "a=levl"], "no column 'levl' (--extra a=levl); did you mean 'level'?"),
        (["--dry-run", "--question-column", "quest"], "did you mean 'question'?"),
        (["--dry-run", "--reference-column", "gold"], "no column 'gold'"),
        (["--dry-run", "--rm-prompt", "judge.txt"], "needs the fields {question} and {reference}"),
        (["--dry-run", "--rm-prompt", "absent.txt"], "absent.txt: No such file"),
        (["--dry-run", "--limit", "0"], "see hybridverify prepare --help"),
    ],
)
def test_wrong_options_end_with_one_line(
    source: Path,
    arguments: list[str],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(source.parent)
    Path("judge.txt").write_text("Is it right?", "utf-8")
    assert prepare(source, *arguments) == 2
    errors = capsys.readouterr().err
    assert (message in errors, errors.count("\n"), errors.startswith("error: ")) == (True, 1, True), errors


def test_questions_must_be_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "a.jsonl"
    source.write_text('{"task": "1+1?", "answer": "2"}\nno\n', "utf-8")
    assert prepare(source, "--dry-run", "--skip-bad-lines") == 2
    assert (
        "no column 'question'; name it with --question-column (columns: task, answer)"
        in capsys.readouterr().err
    )
    assert prepare(source, "--dry-run", "--skip-bad-lines", "--question-column", "task") == 0
    assert "1 lines skipped" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("so 5 + 8 = 13\n#### 13", "13"),
        ("#### 1,250", "1250"),
        ("Thus $\\boxed{x^2, y}$.", "x^2, y"),
        ("13", "13"),
        ("the answer is 13", "the answer is 13"),
        ("an empty \\boxed{}", "an empty \\boxed{}"),
    ],
)
def test_a_worked_solution_gives_its_marked_answer(reference: str, answer: str) -> None:
    assert final_answer(reference) == answer


@pytest.mark.parametrize(
    ("values", "read"),
    [
        ([3, 1.5, None], [3.0, 1.5, None]),
        ([True, False, None], [True, False, None]),
        ([3, "hard", None], ["3", "hard", ""]),
        ([2**70, 1, None], [str(2**70), "1", ""]),
    ],
)
def test_a_column_of_extra_info_keeps_its_type_where_all_its_values_have_one(
    tmp_path: Path, values: list[object], read: list[object]
) -> None:
    given = [{"question": f"{n}?", "answer": "7", "level": value} for n, value in enumerate(values)]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in given))
    assert prepare(tmp_path / "in.jsonl", "-o", tmp_path / "o.parquet", "--extra", "level=level") == 0
    rows = pq.read_table(tmp_path / "o.parquet").to_pylist()
    assert [row["extra_info"]["level"] for row in rows] == read
