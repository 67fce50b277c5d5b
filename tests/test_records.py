"""Reading rows of every format, finding columns, and writing rows that can be read again."""

from __future__ import annotations

import csv
import datetime
import gzip
import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hybridverify.cli.run import FileJob, FileRun, RunTotals
from hybridverify.errors import InputError
from hybridverify.records import ColumnNames, Records
from hybridverify.records.encode import Unwritable, split_line, stem, tail
from hybridverify.types import GRADE_KEYS, Grade, Outcome, Sample, Verdict

ROWS = [
    {"question": "1+1?", "reference": "2", "response": "#### 2", "data_source": "sums", "label": True},
    {"question": "2+2?", "reference": "4", "response": "#### 5", "data_source": "sums", "label": False},
    {"question": "Größe?", "reference": "北京", "response": "北京", "data_source": "geo", "label": True},
]


BY_DEFAULT = ColumnNames()


class EqualGrader:
    """Right where the response holds the reference: enough to see which row got which grade."""

    def __init__(self) -> None:
        self.seen = 0

    def grade(self, samples: Sequence[Sample]) -> list[Grade]:
        return [self._grade(sample) for sample in samples]

    def grade_iter(self, samples: Iterator[Sample], chunk_size: int) -> Iterator[Grade]:
        for sample in samples:
            self.seen += 1
            yield self._grade(sample)

    def _grade(self, sample: Sample) -> Grade:
        right = any(reference in sample.response for reference in sample.references if reference)
        outcome = Outcome.CORRECT if right else Outcome.INCORRECT
        if not any(sample.references):
            outcome = Outcome.BAD_REFERENCE
        graded = outcome is not Outcome.BAD_REFERENCE
        rule = Verdict(outcome, float(right), "rule:equal", sample.response[:20])
        return Grade(
            float(right), graded, outcome, rule, Verdict(Outcome.SKIPPED), (), "rule_only", "equal@1"
        )


def write_lines(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def samples_of(
    path: Path,
    names: ColumnNames = BY_DEFAULT,
    warnings: list[str] | None = None,
) -> list[Sample]:
    records = Records.open([path], names, (warnings if warnings is not None else []).append)
    return [entry.sample for entry in records.entries()]


def grade(*inputs: Path, out: Path, warnings: list[str] | None = None, **job: Any) -> RunTotals:
    warn = (warnings if warnings is not None else []).append
    return FileRun(FileJob(inputs, out, **job), EqualGrader(), warn).run()


# ---- formats


def save(path: Path) -> Path:
    name = path.name
    if name.endswith(".csv"):
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(ROWS[0]))
            writer.writeheader()
            writer.writerows(ROWS)
    elif name.endswith(".parquet"):
        pq.write_table(pa.Table.from_pylist(ROWS), path)
    elif name.endswith(".arrow"):
        table = pa.Table.from_pylist(ROWS)
        with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as out:
            out.write_table(table)
    elif name.endswith(".json"):
        path.write_text(json.dumps(ROWS, indent=2), "utf-8")
    elif name.endswith(".gz"):
        path.write_bytes(gzip.compress(write_lines(path, ROWS).read_bytes()))
    else:
        write_lines(path, ROWS)
    return path


@pytest.mark.parametrize(
    "name", ["a.jsonl", "a.jsonl.gz", "a.json", "a.csv", "a.parquet", "a.arrow", "A.JSONL"]
)
@pytest.mark.parametrize("out_name", ["out.jsonl", "out.parquet", "out.jsonl.gz"])
def test_every_format_goes_in_and_comes_out_with_its_columns_and_grades(
    tmp_path: Path, name: str, out_name: str
) -> None:
    out = tmp_path / out_name
    totals = grade(save(tmp_path / name), out=out)
    assert (totals.rows, totals.outcomes["correct"], totals.outcomes["incorrect"]) == (3, 2, 1)
    if out_name.endswith("parquet"):
        rows = pq.read_table(out).to_pylist()
    else:
        data = out.read_bytes()
        rows = [
            json.loads(x) for x in (gzip.decompress(data) if out_name.endswith("gz") else data).splitlines()
        ]
    assert list(rows[0]) == [*ROWS[0], *("hv_" + key for key in GRADE_KEYS)]
    assert [row["hv_score"] for row in rows] == [1.0, 0.0, 1.0]
    expected = [{**row, "label": str(row["label"])} if name.endswith("csv") else row for row in ROWS]
    assert [{key: row[key] for key in ROWS[0]} for row in rows] == expected


def test_a_saved_datasets_folder_is_read_without_the_library(tmp_path: Path) -> None:
    folder = tmp_path / "saved"
    folder.mkdir()
    table = pa.Table.from_pylist(ROWS)
    for index, part in enumerate((table.slice(0, 2), table.slice(2))):
        sink = pa.OSFile(str(folder / f"data-{index}.arrow"), "wb")
        with sink, pa.ipc.new_stream(sink, table.schema) as out:
            out.write_table(part)
    files = [{"filename": f"data-{index}.arrow"} for index in range(2)]
    (folder / "state.json").write_text(json.dumps({"_data_files": files, "_split": None}))
    assert [sample.reference for sample in samples_of(folder)] == [["2"], ["4"], ["北京"]]


def test_folders_of_the_datasets_library_are_read(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    single = datasets.Dataset.from_list(ROWS)
    single.select([2, 0]).save_to_disk(str(tmp_path / "one"))
    datasets.DatasetDict({"train": single, "test": single}).save_to_disk(str(tmp_path / "two"))
    assert [sample.response for sample in samples_of(tmp_path / "one")] == ["北京", "#### 2"]
    assert len(samples_of(tmp_path / "two" / "test")) == 3
    with pytest.raises(InputError, match="holds the splits train, test; name one"):
        samples_of(tmp_path / "two")


def test_several_inputs_follow_each_other_in_the_order_given(tmp_path: Path) -> None:
    one, two = save(tmp_path / "one.jsonl"), save(tmp_path / "two.parquet")
    grade(two, one, out=tmp_path / "out.parquet")
    assert pq.read_table(tmp_path / "out.parquet").column("response").to_pylist() == [
        row["response"] for row in [*ROWS, *ROWS]
    ]


def test_json_lines_under_a_json_ending_and_an_array_under_a_lines_ending_are_told_apart(
    tmp_path: Path,
) -> None:
    lines, array = write_lines(tmp_path / "a.json", ROWS), tmp_path / "b.jsonl"
    array.write_text("\n  " + json.dumps(ROWS), "utf-8")
    assert samples_of(lines) == samples_of(array)


def test_an_array_larger_than_the_reading_buffer_is_read_whole(tmp_path: Path) -> None:
    rows = [{"response": f"{index} " + "x" * 200_000, "reference": str(index)} for index in range(25)]
    path = tmp_path / "a.json"
    path.write_text(json.dumps(rows), "utf-8")
    assert [sample.references[0] for sample in samples_of(path)] == [str(index) for index in range(25)]


def test_fields_longer_than_the_csv_modules_limit_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('response,reference\n"' + "x" * 300_000 + '\n7",7\n', "utf-8")
    assert len(samples_of(path)[0].response) == 300_002


# ---- damaged text


def test_a_half_written_last_line_is_skipped_with_a_warning_that_names_it(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", ROWS)
    path.write_bytes(path.read_bytes()[:-30])
    warnings: list[str] = []
    assert len(samples_of(path, warnings=warnings)) == 2
    assert warnings == [f"line 3 of {path} is only half written (the file ends inside it): skipped"]


def test_a_last_line_cut_inside_a_character_is_half_written_too(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", ROWS)
    path.write_bytes(path.read_bytes().rstrip(b"\n") + b'\n{"response": "' + "北".encode()[:2])
    warnings: list[str] = []
    assert len(samples_of(path, warnings=warnings)) == 3
    assert "line 4" in warnings[0]


def test_glued_objects_blank_lines_and_a_missing_last_newline_lose_no_row(tmp_path: Path) -> None:
    one, two, three = (json.dumps(row) for row in ROWS)
    path = tmp_path / "a.jsonl"
    path.write_text(f"\ufeff{one}{two}\n\n   \n{three}", "utf-8")
    warnings: list[str] = []
    assert [sample.response for sample in samples_of(path, warnings=warnings)] == ["#### 2", "#### 5", "北京"]
    assert warnings == []


def test_appending_to_an_output_without_a_last_newline_still_reads_all_rows(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", ROWS[:2])
    path.write_bytes(path.read_bytes().rstrip(b"\n") + json.dumps(ROWS[2]).encode() + b"\n")
    assert len(samples_of(path)) == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b'{"response": "a", "reference": "b"}\nnot json\n', "line 2 of .* is not JSON: Expecting value at char"),
        (b"[1, 2]", "row 1 of .* holds a number, not an object"),
        (b'{"response": "a", "reference": "b"}\n7\n', "line 2 of .* holds a number, not an object"),
        (b'[{"response": "a", "reference": "b"}', "the array is not closed after row 1"),
        (b'[{"response": "a", "reference": "b"}, {"x', "row 2 of .* is not JSON"),
        (b'[{"response": "a", "reference": "b"}] {}', "more text after the array of 1 rows"),
        (b'{"response": "a", "reference": "\xff"}\n', "line 1 of .* is not UTF-8"),
        (b'{"response": "a", "reference": ' + b"[" * 100_000 + b"\n", "line 1 of .* nested too deeply"),
        (b'{"response": "a", "reference": ' + b"9" * 5000 + b"}\n", "line 1 of .* is not JSON: .*4300"),
        ('{"response": "a"}\n'.encode("utf-16"), "is UTF-16"),
        (gzip.compress(b'{"response": "a", "reference": "b"}\n', mtime=0), "a name that ends in .gz"),
        (b'{"response": "a", "refer', "line 1 of .* is not JSON"),
        (b"\n#### 7", "line 2 of .* is not JSON"),
        (b"\x00\xff", "line 1 of .* is not UTF-8"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_named_with_its_place(tmp_path: Path, text: bytes, message: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(text)
    with pytest.raises(InputError, match=message) as caught:
        samples_of(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.parquet", b"PAR1 but no", "a.parquet cannot be read"),
        ("a.jsonl.gz", b"no gzip", "damaged or cut off"),
        (
            "a.jsonl.gz",
            gzip.compress(b'{"response": "a", "reference": "b"}\n' * 999, mtime=0)[:40],
            "damaged or cut off",
        ),
        ("a.csv", b"response,reference\na,b\nc\n", "row 2 .* has 1 fields, the header has 2"),
        ("a.csv", b"response,response\n", "'response' stands twice"),
        ("a.csv", b",".join(b"c%d" % (n % 99_999) for n in range(100_000)), "'c0' stands twice"),
        ("a.txt", b"", "unknown kind of file"),
        ("a.parquet.gz", b"", "unknown kind of file"),
    ],
)
def test_unreadable_files_are_refused_in_one_line(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=message) as caught:
        samples_of(path)
    assert "\n" not in str(caught.value)


def test_missing_inputs_and_strange_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        samples_of(tmp_path / "absent.jsonl")
    with pytest.raises(InputError, match="not one written by datasets"):
        samples_of(tmp_path)


def test_an_empty_input_gives_an_empty_output_and_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\n")
    for name in ("out.jsonl", "out.parquet"):
        warnings: list[str] = []
        assert grade(path, out=tmp_path / name, warnings=warnings).rows == 0
        assert warnings == [f"{path} holds no rows"]
    assert (tmp_path / "out.jsonl").read_bytes() == b""
    assert pq.read_table(tmp_path / "out.parquet").num_rows == 0


# ---- columns

VERL = {
    "data_source": "openai/gsm8k",
    "prompt": [
        {"role": "system", "content": "Answer in a box."},
        {"role": "user", "content": "What is 3 times 4?"},
    ],
    "reward_model": {"style": "rule", "ground_truth": "12"},
    "extra_info": {"index": 3, "split": "test"},
    "responses": ["#### 12", "#### 13"],
}


@pytest.mark.parametrize("name", ["a.jsonl", "a.parquet"])
@pytest.mark.parametrize("out_name", ["out.jsonl", "out.parquet"])
def test_verls_layout_is_found_and_each_response_gets_a_row(tmp_path: Path, name: str, out_name: str) -> None:
    path, out = tmp_path / name, tmp_path / out_name
    rows = [VERL, {**VERL, "responses": ["12"]}, {**VERL, "responses": []}]
    if name.endswith("parquet"):
        pq.write_table(pa.Table.from_pylist(rows), path)
    else:
        write_lines(path, rows)
    warnings: list[str] = []
    samples = samples_of(path, warnings=warnings)
    assert samples[0] == Sample(
        "#### 12", ["12"], "What is 3 times 4?", "openai/gsm8k", {"extra_info": {"index": 3, "split": "test"}}
    )
    assert [sample.response for sample in samples] == ["#### 12", "#### 13", "12", ""]
    assert len(warnings) == 1
    assert "1 row (row 3 of" in warnings[0]
    grade(path, out=out)
    written = read_lines(out) if out_name.endswith("jsonl") else pq.read_table(out).to_pylist()
    assert [row["responses"] for row in written] == ["#### 12", "#### 13", "12", None]
    assert [row["hv_score"] for row in written] == [1.0, 0.0, 1.0, 0.0]
    assert written[1]["reward_model"] == VERL["reward_model"]


def test_the_chat_goes_before_the_question_of_extra_info_as_in_training(tmp_path: Path) -> None:
    row = {**VERL, "extra_info": {"question": "3 * 4?"}}
    assert samples_of(write_lines(tmp_path / "a.jsonl", [row]))[0].question == "What is 3 times 4?"
    row["prompt"] = "<|user|> What is 3 times 4?"
    assert samples_of(write_lines(tmp_path / "a.jsonl", [row]))[0].question == "3 * 4?"


@pytest.mark.parametrize(
    ("ground_truth", "references"),
    [
        ({"target": ["Ulm", "Ulm an der Donau"]}, ("Ulm", "Ulm an der Donau")),
        ({"ground_truth": 4.0, "style": "rule"}, ("4",)),
        ([["a", 1], [None, True]], ("a", "1", "True")),
        ({"numbers": [1, 2]}, ()),
        (float("inf"), ()),
        (7**400, (str(7**400),)),  # beyond the range of a float
    ],
)
def test_a_ground_truth_of_any_shape_is_read_as_in_training(
    tmp_path: Path, ground_truth: Any, references: tuple[str, ...]
) -> None:
    from hybridverify.adapters.cells import references_of

    row = {"reward_model": {"ground_truth": ground_truth}, "response": "x", "rm_prompt": "Be strict."}
    (sample,) = samples_of(write_lines(tmp_path / "a.jsonl", [row]))
    assert sample.references == references == references_of(ground_truth)
    assert sample.meta == {"rm_prompt": "Be strict."}


def test_chat_messages_as_a_response_are_one_response(tmp_path: Path) -> None:
    chat = [
        {"role": "assistant", "content": "first"},
        {"role": "user", "content": "sure?"},
        {
            "role": "assistant",
            "content": [{"type": "text", "text": "So it is"}, {"type": "text", "text": "\\boxed{4}"}],
        },
    ]
    rows = [{"reference": "4", "response": chat}]
    assert [sample.response for sample in samples_of(write_lines(tmp_path / "a.jsonl", rows))] == [
        "So it is\n\\boxed{4}"
    ]


@pytest.mark.parametrize(
    ("row", "names", "expected"),
    [
        ({"gold": "1", "completion": "2", "problem": "3"}, ColumnNames(), ("2", ("1",), "3")),
        ({"answer": ["1", "one"], "prediction": "2"}, ColumnNames(), ("2", ("1", "one"), "")),
        ({"reference": "1", "answer": "2", "output": "3"}, ColumnNames(), ("3", ("1",), "")),
        ({"a.b": "1", "a": {"b": "9"}, "response": "2"}, ColumnNames(reference="a.b"), ("2", ("1",), "")),
        ({"a": {"b.c": {"d": 1.0}}, "response": 2}, ColumnNames(reference="a.b.c.d"), ("2", ("1",), "")),
        ({"reference": True, "response": False}, ColumnNames(), ("False", ("True",), "")),
    ],
)
def test_columns_are_found(
    tmp_path: Path, row: dict[str, Any], names: ColumnNames, expected: tuple[str, tuple[str, ...], str]
) -> None:
    (sample,) = samples_of(write_lines(tmp_path / "a.jsonl", [row]), names)
    assert (sample.response, sample.references, sample.question) == expected


@pytest.mark.parametrize(
    ("row", "names", "message"),
    [
        (
            {"reference": "1"},
            ColumnNames(),
            r"no column 'response'; name it with --response-column \(columns: ref",
        ),
        (
            {"response": "1", "gold": "1", "target": "1"},
            ColumnNames(),
            "gold and target could each be the reference",
        ),
        (
            {"response": "1", "reference": "1", "prompt": "", "problem": ""},
            ColumnNames(),
            "--question-column",
        ),
        ({"response": "1", "reference": "1"}, ColumnNames(response="respons"), "did you mean 'response'"),
        ({"response": "1", "reference": "1"}, ColumnNames(data_source="task"), "--data-source-column"),
        (
            {"response": "1", "reference": "1"},
            ColumnNames(meta={"criteria": "rubric"}),
            "--meta criteria=COLUMN",
        ),
        (
            {"response": {"text": "1"}, "reference": "1"},
            ColumnNames(),
            "row 1 .*column 'response' must be text",
        ),
        (
            {"out": {"all": ["1", "2"]}, "reference": "1"},
            ColumnNames(response="out.all.7"),
            "no column 'out.all.7'",
        ),
    ],
)
def test_missing_and_unclear_columns_are_refused(
    tmp_path: Path, row: dict[str, Any], names: ColumnNames, message: str
) -> None:
    path = write_lines(tmp_path / "a.jsonl", [row])
    with pytest.raises(InputError, match=message) as caught:
        samples_of(path, names)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_meta_columns_reach_the_sample_under_their_keys(tmp_path: Path) -> None:
    row = {"response": "1", "reference": "1", "rubric": {"points": ["a"]}, "none": None}
    names = ColumnNames(meta={"criteria": "rubric.points", "absent": "none"})
    assert samples_of(write_lines(tmp_path / "a.jsonl", [row]), names)[0].meta == {"criteria": ["a"]}


def test_rows_without_a_reference_are_kept_and_warned_of_once(tmp_path: Path) -> None:
    references: list[Any] = ["1", None, "  ", {"not": "text"}, float("nan"), []]
    rows = [{"response": "1", "reference": reference} for reference in references]
    path, warnings = write_lines(tmp_path / "a.jsonl", rows), list[str]()
    samples = samples_of(path, warnings=warnings)
    assert [any(r.strip() for r in sample.references) for sample in samples] == [True] + [False] * 5
    assert warnings == [f"5 rows (first: row 2 of {path}) without a reference: not graded (bad_reference)"]


def test_columns_of_an_earlier_run_are_replaced(tmp_path: Path) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    source = write_lines(tmp_path / "a.jsonl", [{**row, "hv_score": 0.5, "hv_old": 1} for row in ROWS])
    grade(source, out=first)
    grade(first, out=second)
    assert first.read_bytes() == second.read_bytes()
    assert "hv_old" not in first.read_text("utf-8")
    grade(save(tmp_path / "b.parquet"), out=tmp_path / "one.parquet")
    grade(tmp_path / "one.parquet", out=tmp_path / "two.parquet")
    assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "two.parquet").read_bytes()


# ---- values


def test_key_order_numbers_and_half_characters_survive_in_json(tmp_path: Path) -> None:
    line = (
        '{"z": 0.1, "response": "\\ud83d", "a": 1e+300, "reference": "\\ud83d", "n": {"y": [1, null, true]}}'
    )
    path, out = tmp_path / "a.jsonl", tmp_path / "out.jsonl"
    path.write_text(line + "\n", "utf-8")
    grade(path, out=out)
    assert out.read_text("utf-8").startswith(line[:-1] + ', "hv_score": 1.0, "hv_graded": true, ')


def test_a_number_that_json_lacks_is_written_as_null(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    rows: list[dict[str, Any]] = [{"response": "1", "reference": "1", "loss": 0.5} for _ in range(100)]
    rows[56]["loss"] = float("nan")
    rows[70]["loss"] = float("-inf")
    write_lines(path, rows)
    totals = grade(path, out=tmp_path / "out.jsonl")
    assert [row["loss"] for row in read_lines(tmp_path / "out.jsonl")] == [
        None if place in (56, 70) else 0.5 for place in range(100)
    ]
    assert (totals.rows, totals.left_out.count) == (100, 0)
    grade(path, out=tmp_path / "out.parquet")
    kept = pq.read_table(tmp_path / "out.parquet").column("loss").to_pylist()
    assert math.isnan(kept[56])
    assert kept[70] == -math.inf


def test_bytes_and_typed_values_of_tables_go_to_json_where_they_have_a_spelling(tmp_path: Path) -> None:
    day = datetime.datetime(2024, 5, 1, 12, 30)
    table = pa.table(
        {
            "response": ["1", "1"],
            "reference": ["1", "1"],
            "when": [day, day],
            "image": pa.array([None, b"\x00"], pa.binary()),
        }
    )
    pq.write_table(table, tmp_path / "a.parquet")
    totals = grade(tmp_path / "a.parquet", out=tmp_path / "out.jsonl")
    assert [row["when"] for row in read_lines(tmp_path / "out.jsonl")] == ["2024-05-01T12:30:00"]
    assert "row 2" in str(totals.left_out)
    assert "column 'image' holds bytes" in str(totals.left_out)
    grade(tmp_path / "a.parquet", out=tmp_path / "out.parquet")
    assert pq.read_table(tmp_path / "out.parquet").select(table.column_names).equals(table)


def test_nested_and_dictionary_columns_pass_through_parquet_with_their_types(tmp_path: Path) -> None:
    table = pa.table(
        {
            "response": pa.array(["1", "2"], pa.large_string()),
            "reference": pa.array(["1", "1"]).dictionary_encode(),
            "chat": [[{"role": "user", "content": "x"}], []],
            "time": pa.array([1, 1999], pa.timestamp("ns", "UTC")),
        }
    ).replace_schema_metadata({"huggingface": "{}", "mine": "kept"})
    pq.write_table(table, tmp_path / "a.parquet")
    grade(tmp_path / "a.parquet", out=tmp_path / "out.parquet")
    written = pq.read_table(tmp_path / "out.parquet")
    assert written.select(table.column_names).equals(table)
    assert written.schema.metadata == {b"mine": b"kept"}
    grade(tmp_path / "a.parquet", out=tmp_path / "out.jsonl")
    assert read_lines(tmp_path / "out.jsonl")[1]["time"] == "1970-01-01T00:00:00.000001+00:00"


def test_types_of_json_rows_are_unified_over_the_whole_file(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"response": "1", "reference": "1", "n": 1, "extra": None} for _ in range(600)
    ]
    rows += [
        {"response": "1", "reference": "1", "n": 1.5, "extra": {"a": 1}},
        {"response": "1", "reference": "1"},
    ]
    rows += [{"response": "1", "reference": "1", "extra": {"b": ["x"]}, "late": "z"}]
    grade(write_lines(tmp_path / "a.jsonl", rows), out=tmp_path / "out.parquet")
    written = pq.read_table(tmp_path / "out.parquet").to_pylist()
    assert [written[i]["n"] for i in (0, 600, 601)] == [1.0, 1.5, None]
    assert written[600]["extra"] == {"a": 1, "b": None}
    assert [written[i]["late"] for i in (0, 602)] == [None, "z"]


@pytest.mark.parametrize("distance", [1, 700])
def test_a_column_of_two_types_is_refused_before_anything_is_graded(tmp_path: Path, distance: int) -> None:
    rows: list[dict[str, Any]] = [{"response": "1", "reference": "1", "id": 1} for _ in range(distance)]
    path = write_lines(tmp_path / "a.jsonl", [*rows, {"response": "1", "reference": "1", "id": "x"}])
    grader = EqualGrader()
    run = FileRun(FileJob([path], tmp_path / "out.parquet"), grader, list[str]().append)
    message = rf"row {distance + 1} of .*, column 'id': .*\(int64 in earlier rows\).*write .jsonl instead"
    with pytest.raises(InputError, match=message):
        run.run()
    assert grader.seen == 0
    assert grade(path, out=tmp_path / "out.jsonl").rows == distance + 1


def test_rows_that_parquet_cannot_hold_are_left_out_and_reported(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [{"response": str(i), "reference": "1", "n": i} for i in range(6)]
    rows[2]["n"], rows[4]["response"] = 2**70, "\ud83d"
    path = write_lines(tmp_path / "a.jsonl", rows[:4])
    path.write_text(path.read_text("utf-8") + "".join(json.dumps(row) + "\n" for row in rows[4:]), "utf-8")
    totals = grade(path, out=tmp_path / "out.parquet")
    assert pq.read_table(tmp_path / "out.parquet").column("response").to_pylist() == ["0", "1", "3", "5"]
    assert (totals.rows, totals.left_out.count) == (4, 2)
    assert "row 3" in str(totals.left_out)


def test_empty_objects_that_parquet_cannot_store_are_refused(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", [{"response": "1", "reference": "1", "meta": {}}])
    with pytest.raises(InputError, match="column 'meta' holds only empty objects"):
        grade(path, out=tmp_path / "out.parquet")


def test_tables_that_differ_are_refused_or_unified(tmp_path: Path) -> None:
    base = {"response": ["1"], "reference": ["1"]}
    pq.write_table(pa.table({**base, "n": [1]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({**base, "n": [0.5], "more": ["x"]}), tmp_path / "b.parquet")
    pq.write_table(pa.table({**base, "n": ["x"]}), tmp_path / "c.parquet")
    grade(tmp_path / "a.parquet", tmp_path / "b.parquet", out=tmp_path / "out.parquet")
    written = pq.read_table(tmp_path / "out.parquet")
    assert (written["n"].to_pylist(), written["more"].to_pylist()) == ([1.0, 0.5], [None, "x"])
    with pytest.raises(InputError, match="the inputs' columns differ"):
        grade(tmp_path / "a.parquet", tmp_path / "c.parquet", out=tmp_path / "out.parquet")


@pytest.mark.parametrize("row", [{"a": 1}, {"t": "x\u2028\ud800", "n": [1.5, {"hv_inner": 2}]}])
def test_a_line_is_split_into_what_it_was_made_of(row: dict[str, Any]) -> None:
    columns: dict[str, Any] = {"score": 0.5, "answer": 'tricky", "hv_score": 2', "graded": False}
    line = stem(row) + tail(columns)
    assert split_line(line, stem(row)) == columns
    assert split_line(line[:-5], stem(row)) == {}
    assert split_line(line, stem({"a": 2})) == {}


@pytest.mark.parametrize("value", [b"x", [1, {"x": b"y"}], {1}, 1j])
def test_values_without_a_json_spelling_are_named(value: Any) -> None:
    with pytest.raises(Unwritable, match="column 'bad' holds"):
        stem({"good": 1, "bad": value})


@pytest.mark.parametrize("value", [float("inf"), [1, {"x": float("nan")}]])
def test_numbers_without_a_json_spelling_are_null(value: Any) -> None:
    told: list[None] = []
    line = stem({"good": 1, "bad": value}, lambda: told.append(None))
    assert json.loads(line + b"}")["bad"] == (None if isinstance(value, float) else [1, {"x": None}])
    assert len(told) == 1


def test_timing_adds_its_two_columns_and_only_on_request(tmp_path: Path) -> None:
    grade(save(tmp_path / "a.jsonl"), out=tmp_path / "out.jsonl", timing=True)
    assert list(read_lines(tmp_path / "out.jsonl")[0])[-2:] == ["hv_cached", "hv_seconds"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("out.txt", "unknown kind of output"),
        ("absent/out.jsonl", "does not exist"),
        ("a.jsonl", "is an input too"),
    ],
)
def test_outputs_that_cannot_be_written_are_refused_first(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        grade(save(tmp_path / "a.jsonl"), out=tmp_path / name)


def test_reading_needs_memory_for_a_batch_and_not_for_the_file(tmp_path: Path) -> None:
    import tracemalloc

    path, row = tmp_path / "a.jsonl", {"response": "x" * 10_000, "reference": "1"}
    write_lines(path, [row] * 5000)  # 50 MB
    tracemalloc.start()
    grade(path, out=tmp_path / "out.jsonl")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 12 << 20
