"""Files in and out as people use them: several samples of a prompt, shapes kept, CSV, bad lines, patterns, pipes."""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hybridverify.cli import main
from hybridverify.cli.run import FileJob
from hybridverify.errors import InputError
from hybridverify.records import value_at
from hybridverify.types import GRADE_KEYS

HV = ["hv_" + key for key in GRADE_KEYS]
LISTS: list[dict[str, Any]] = [
    {
        "uid": "a",
        "question": "5+8?",
        "reference": "13",
        "responses": ["13", "#### 12", "so it is 13"],
        "n": 1.5,
    },
    {"uid": "b", "question": "2+2?", "reference": "4", "responses": ["\\boxed{5}"], "n": math.nan},
    {"uid": "c", "question": "1+1?", "reference": "2", "responses": [], "n": math.inf},
]


def save(path: Path, rows: list[dict[str, Any]]) -> Path:
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
    else:
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


def load(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".parquet":
        rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
        return rows
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in data.splitlines()]


def grade(*arguments: str | Path) -> int:
    return main(["grade", *map(str, arguments), "--no-cache", "--no-progress"])


# ---- several samples of a prompt


@pytest.mark.parametrize("name", ["in.jsonl", "in.parquet"])
@pytest.mark.parametrize("out_name", ["out.jsonl", "out.parquet"])
def test_rows_of_one_prompt_carry_its_number_their_own_and_its_id(
    tmp_path: Path, name: str, out_name: str
) -> None:
    first, out = save(tmp_path / name, LISTS), tmp_path / out_name
    second = save(tmp_path / f"more.{name}", LISTS[:1])
    assert grade(first, second, "-o", out) == 0
    told = [
        (row["uid"], row["hv_prompt_index"], row["hv_sample_index"], row["responses"]) for row in load(out)
    ]
    one = [("a", 0, 0, "13"), ("a", 0, 1, "#### 12"), ("a", 0, 2, "so it is 13")]
    again = [(uid, 3, sample, text) for uid, _, sample, text in one]
    assert told == [*one, ("b", 1, 0, "\\boxed{5}"), ("c", 2, 0, None), *again]
    assert list(load(out)[0]) == [*LISTS[0], "hv_prompt_index", "hv_sample_index", *HV]


def test_a_file_that_is_graded_again_keeps_the_numbers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{key: value for key, value in row.items() if key != "question"} for row in LISTS]
    first, second = tmp_path / "first.jsonl", tmp_path / "second.parquet"
    assert grade(save(tmp_path / "in.jsonl", rows[:1] * 2), "-o", first) == 0
    said = capsys.readouterr().out.splitlines()[1]
    assert said.startswith("2 prompts with 3 samples: ")
    assert grade(first, "-o", second) == 0
    assert capsys.readouterr().out.splitlines()[1] == said
    assert [row["hv_prompt_index"] for row in load(second)] == [0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize("name", ["in.jsonl", "in.parquet"])
@pytest.mark.parametrize("out_name", ["out.jsonl", "out.parquet", "out.jsonl.gz"])
def test_a_shape_that_is_kept_has_lists_of_grades_beside_the_responses(
    tmp_path: Path, name: str, out_name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = save(tmp_path / name, LISTS), tmp_path / out_name
    assert grade(source, "-o", out, "--keep-shape") == 0
    rows = load(out)
    assert [list(row) for row in rows] == [[*LISTS[0], *HV]] * 3
    assert [row["responses"] for row in rows] == [row["responses"] for row in LISTS]
    assert [row["hv_score"] for row in rows] == [[1.0, 0.0, 1.0], [0.0], [0.0]]
    assert [len(row["hv_reason"]) for row in rows] == [3, 1, 1]
    before = out.read_bytes()
    for option in ("--resume", "--failed-only"):
        assert grade(source, "-o", out, "--keep-shape", option) == 0
        assert out.read_bytes() == before
    assert "5 rows (5 of them from before)" in capsys.readouterr().out


def test_a_list_within_another_value_is_spread_and_the_value_stays(tmp_path: Path) -> None:
    rows = [{"reference": "13", "model": {"texts": ["13", "12"]}}]
    for name in ("in.jsonl", "in.parquet"):
        source = save(tmp_path / name, rows)
        out, shaped, again = tmp_path / "out.parquet", tmp_path / "shaped.parquet", tmp_path / "again.jsonl"
        assert grade(source, "-o", out, "--response-column", "model.texts") == 0
        assert [(row["model"], row["hv_score"]) for row in load(out)] == [
            (rows[0]["model"], 1.0), (rows[0]["model"], 0.0)
        ]  # fmt: skip
        assert grade(source, "-o", shaped, "--response-column", "model.texts", "--keep-shape") == 0
        assert [row["hv_score"] for row in load(shaped)] == [[1.0, 0.0]]
        assert grade(out, "-o", again, "--response-column", "model.texts") == 0  # each row knows its own
        assert [row["hv_score"] for row in load(again)] == [1.0, 0.0]


def test_rows_with_one_response_and_with_several_share_a_file_of_lines_but_no_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = save(tmp_path / "in.jsonl", [LISTS[0], {**LISTS[1], "responses": "4"}])
    assert grade(source, "-o", tmp_path / "out.jsonl", "--keep-shape") == 0
    assert [row["hv_score"] for row in load(tmp_path / "out.jsonl")] == [[1.0, 0.0, 1.0], 1.0]
    capsys.readouterr()
    assert grade(source, "-o", tmp_path / "out.parquet", "--keep-shape") == 2
    assert "a Parquet column has one type: write .jsonl instead" in capsys.readouterr().err


def test_a_row_that_parquet_cannot_hold_is_left_out_whole_where_its_shape_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = {**LISTS[0], "responses": ["13", "half \ud83d"]}
    source = tmp_path / "in.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in (LISTS[0], bad, LISTS[1])), "utf-8")
    assert grade(source, "-o", tmp_path / "out.parquet", "--keep-shape") == 2
    assert "half a character" in capsys.readouterr().err
    assert [row["hv_score"] for row in load(tmp_path / "out.parquet")] == [[1.0, 0.0, 1.0], [0.0]]


# ---- numbers that JSON lacks


def test_nan_and_infinity_stay_what_they_are_in_parquet(tmp_path: Path) -> None:
    for name in ("in.jsonl", "in.parquet"):
        assert grade(save(tmp_path / name, LISTS), "-o", tmp_path / "out.parquet") == 0
        numbers = [row["n"] for row in load(tmp_path / "out.parquet")]
        assert numbers[0] == 1.5
        assert math.isnan(numbers[3])
        assert numbers[4] == math.inf


# ---- CSV


@pytest.mark.parametrize("name", ["out.csv", "out.csv.gz"])
def test_csv_holds_every_column_and_is_resumed(tmp_path: Path, name: str) -> None:
    rows: list[dict[str, Any]] = [
        {"response": 'so "13",\r\nI think\n#### 13', "reference": 13, "tags": ["é", 1], "ok": True},
        {"response": "#### 12", "reference": 13, "late": {"a": None}, "n": math.nan},
        {"response": "13", "reference": None, "n": 0.1},
    ]
    source, out = save(tmp_path / "in.jsonl", rows), tmp_path / name
    assert grade(source, "-o", out) == 0
    data = gzip.decompress(out.read_bytes()) if name.endswith("gz") else out.read_bytes()
    read = list(csv.DictReader(io.StringIO(data.decode(), newline="")))
    assert list(read[0]) == ["response", "reference", "tags", "ok", "late", "n", *HV]
    assert [row["response"] for row in read] == [row["response"] for row in rows]
    assert [row["tags"] for row in read] == ['["é", 1]', "", ""]
    assert [(row["n"], row["late"], row["ok"]) for row in read] == [
        ("", "", "true"), ("nan", '{"a": null}', ""), ("0.1", "", "")
    ]  # fmt: skip
    assert [(row["hv_score"], row["hv_graded"]) for row in read] == [
        ("1.0", "true"),
        ("0.0", "true"),
        ("0.0", "false"),
    ]
    before = out.read_bytes()
    assert grade(source, "-o", out, "--resume") == 0
    assert grade(source, "-o", out, "--failed-only") == 0
    assert out.read_bytes() == before
    again = tmp_path / "again.csv"
    assert grade(out, "-o", again) == 0  # and is an input like any other
    assert [row["hv_score"] for row in csv.DictReader(io.StringIO(again.read_bytes().decode(), newline=""))] == [
        "1.0", "0.0", "0.0"
    ]  # fmt: skip


def test_a_csv_of_other_rows_is_not_resumed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = (
        save(tmp_path / "in.jsonl", [{"response": "1", "reference": "1", "x": 1}]),
        tmp_path / "o.csv",
    )
    assert grade(source, "-o", out) == 0
    save(source, [{"response": "1", "reference": "1", "x": 2}])
    assert grade(source, "-o", out, "--resume") == 2
    assert "does not match row 1" in capsys.readouterr().err


# ---- lines that cannot be read


@pytest.mark.parametrize(
    ("name", "text", "count", "first"),
    [
        (
            "a.jsonl",
            '{"response":"1","reference":"1"}\nno\n[1]\n{"response":"2","reference":"1"}\n',
            2,
            "line 2 of",
        ),
        (
            "a.jsonl",
            '\x00\n{"response":"1","reference":"1"}\n{"response":"2","reference":"1"}',
            1,
            "line 1 of",
        ),
        ("a.csv", 'response,reference\n1,1\n1,2,3\n2,1\n"a"b,2\n', 2, "row 2 (line 3) of"),
    ],
)
def test_bad_lines_stop_a_run_unless_they_are_to_be_skipped(
    tmp_path: Path, name: str, text: str, count: int, first: str, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out, summary = tmp_path / name, tmp_path / "out.jsonl", tmp_path / "summary.json"
    source.write_text(text, "utf-8")
    assert grade(source, "-o", out) == 2
    capsys.readouterr()
    assert grade(source, "-o", out, "--skip-bad-lines", "--summary", summary) == 0
    assert [row["hv_score"] for row in load(out)] == [1.0, 0.0]
    (warning,) = capsys.readouterr().err.splitlines()
    lines = "1 line" if count == 1 else f"{count} lines"
    assert warning.startswith(f"warning: {lines} skipped (--skip-bad-lines); the first: {first} {source}")
    assert json.loads(summary.read_text())["skipped_lines"] == count


def test_a_file_without_a_line_that_can_be_read_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "a.jsonl"
    source.write_text("no\nneither\n", "utf-8")
    assert grade(source, "-o", tmp_path / "out.jsonl", "--skip-bad-lines") == 2
    assert "no line can be read (2 lines; the first: line 1 of" in capsys.readouterr().err
    assert not (tmp_path / "out.jsonl").exists()


# ---- patterns and pipes


def test_a_quoted_pattern_names_files_in_the_order_of_their_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for step in (10, 9):
        save(tmp_path / f"{step}.jsonl", [{"response": str(step), "reference": "9"}])
    for _ in range(2):  # the output lies among them the second time
        assert grade("*.jsonl", "-o", "graded.jsonl") == 0
        assert [row["response"] for row in load(tmp_path / "graded.jsonl")] == ["9", "10"]
    capsys.readouterr()
    assert grade("*.csv", "-o", "graded.jsonl") == 2
    assert capsys.readouterr().err == "error: *.csv: no file matches\n"


def test_rows_go_through_a_pipe_and_the_figures_stand_on_stderr() -> None:
    rows = "".join(json.dumps(row) + "\n" for row in LISTS)
    command = [sys.executable, "-m", "hybridverify", "grade", "-", "-o", "-", "--no-cache"]
    done = subprocess.run(command, input=rows, capture_output=True, text=True, timeout=400)
    assert done.returncode == 0
    assert [json.loads(line)["hv_score"] for line in done.stdout.splitlines()] == [1.0, 0.0, 1.0, 0.0, 0.0]
    errors = done.stderr.splitlines()
    assert errors[0].startswith("warning: 1 row (row 3 of standard input) without a response")
    assert errors[-1].startswith("5 rows: 2 correct, ")
    assert errors[-1].endswith("; written to standard output")


def test_a_response_that_is_nan_is_counted_as_absent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"reference": "1", "response": given} for given in (float("nan"), None, "", "1")]
    assert grade(save(tmp_path / "in.jsonl", rows), "-o", tmp_path / "out.jsonl") == 0
    assert "2 rows (first: row 1 of " in capsys.readouterr().err


def test_a_reader_that_has_seen_enough_ends_the_run(tmp_path: Path) -> None:
    rows = [{"response": f"{number}{'x' * 500}", "reference": str(number)} for number in range(2000)]
    command = [sys.executable, "-m", "hybridverify", "grade", save(tmp_path / "in.jsonl", rows), "-o", "-"]
    with subprocess.Popen(
        [*map(str, command), "--no-cache"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert json.loads(process.stdout.readline())["reference"] == "0"
        process.stdout.close()
        assert process.wait(100) == 0
        assert process.stderr.read() == b""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--resume"], "name a file, not -"),
        (["--failed-only"], "name a file, not -"),
        (["--keep-shape"], "name a file, not -"),
    ],
)
def test_what_a_pipe_cannot_do_is_refused(
    tmp_path: Path, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    source = save(tmp_path / "in.jsonl", LISTS)
    assert grade(source, "-o", "-", *options) == 2
    output, errors = capsys.readouterr()
    assert (output, message in errors, errors.count("\n")) == ("", True, 1)


def test_a_shape_that_a_file_cannot_hold_is_refused_first(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"--keep-shape write \.jsonl or \.parquet"):
        FileJob([save(tmp_path / "in.jsonl", LISTS)], tmp_path / "out.csv", keep_shape=True)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("choices.0.message.content", "13"),
        ("choices.-1.message.content", "12"),
        ("choices.2.message.content", None),
        ("choices.x", None),
        ("choices.0.message.content.0", None),
        ("choices.99999999999999999999", None),
    ],
)
def test_a_number_in_a_dotted_name_is_a_position_in_a_list(path: str, value: object) -> None:
    row = {"choices": [{"message": {"content": "13"}}, {"message": {"content": "12"}}]}
    assert value_at(row, path) == value
