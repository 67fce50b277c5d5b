"""The files of other programs: recognised without flags, and read as those programs mean them."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hybridverify.errors import InputError
from hybridverify.records import ColumnNames, Records

VERL = {
    "input": "system\nuser\n5+8?\nassistant\n", "output": "It is \\boxed{13}.", "gts": "13", "score": 1.0, "step": 40,
    "acc": True, "pred": "13",
}  # fmt: skip
LM_EVAL = {
    "doc_id": 3,
    "doc": {"question": "5+8?", "answer": "5+8=13\n#### 13"},
    "target": "13",
    "arguments": {"gen_args_0": {"arg_0": "Q: 1+1? A: 2\n\nQ: 5+8? A:", "arg_1": {"until": ["Q:"]}}},
    "resps": [["The answer is 13."]],
    "filtered_resps": ["13"],
    "filter": "strict-match",
    "metrics": ["exact_match"],
    "exact_match": 1.0,
}
LIGHTEVAL = {
    "doc": {
        "query": "5+8?",
        "choices": ["12", " 13"],
        "gold_index": [1],
        "task_name": "sums|0",
        "specific": None,
    },
    "metric": {"em": 1.0},
    "model_response": {"input": "5+8?", "text": ["It is 13.", "12"], "logprobs": []},
}
OLD_LIGHTEVAL = {
    "example": "5+8?", "full_prompt": "Q: 5+8? A:", "predictions": ["It is 13."], "gold": ["13"], "metrics": {"em": 1}
}  # fmt: skip
REVIEW = {
    "index": 0,
    "target": ["13", "thirteen"],
    "messages": [{"role": "user", "content": "5+8?"}, {"role": "assistant", "content": "So 13."}],
    "sample_score": {
        "score": {"value": {"acc": 1.0}, "prediction": "So \\boxed{13}."},
        "sample_id": 0,
        "group_id": 0,
    },
}
OLD_REVIEW = {
    "choices": [
        {"message": {"role": "assistant", "content": "So 13."}, "review": {"gold": "13", "pred": "13"}}
    ],
    "raw_input": {"question": "5+8?", "answer": "13"},
}
PREDICTION = {
    "index": 0,
    "model": "m",
    "model_output": {"choices": [{"message": {"role": "assistant", "content": "So 13."}}]},
    "messages": [{"role": "user", "content": "5+8?"}],
}
NEMO = {
    "problem": "5+8?",
    "expected_answer": "13",
    "generation": "So \\boxed{13}.",
    "answer": "x",
    "question_id": 1,
}


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "row", "responses", "references", "question"),
    [
        ("40.jsonl", VERL, ["It is \\boxed{13}."], ("13",), "system\nuser\n5+8?\nassistant\n"),
        ("samples_sums.jsonl", LM_EVAL, ["The answer is 13."], ("13",), "5+8?"),
        ("details.parquet", LIGHTEVAL, ["It is 13.", "12"], (" 13",), "5+8?"),
        ("details.jsonl", LIGHTEVAL, ["It is 13.", "12"], (" 13",), "5+8?"),
        ("old_details.parquet", OLD_LIGHTEVAL, ["It is 13."], ("13",), "5+8?"),
        ("reviews.jsonl", REVIEW, ["So \\boxed{13}."], ("13", "thirteen"), "5+8?"),
        ("old_reviews.jsonl", OLD_REVIEW, ["So 13."], ("13",), "5+8?"),
        ("output.jsonl", NEMO, ["So \\boxed{13}."], ("13",), "5+8?"),
    ],
)
def test_a_dump_is_read_as_its_program_means_it(
    tmp_path: Path,
    name: str,
    row: dict[str, Any],
    responses: list[str],
    references: tuple[str, ...],
    question: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    path = written(tmp_path / name, [row])
    with caplog.at_level(logging.INFO, "hybridverify"):
        entries = list(Records.open([path]).entries())
    assert [entry.sample.response for entry in entries] == responses
    assert {entry.sample.references for entry in entries} == {references}
    assert {entry.sample.question for entry in entries} == {question}
    assert "response from" in caplog.text


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({**LM_EVAL, "resps": [[["-1.5", "False"]], [["-0.5", "True"]]]}, "log-likelihoods of given options"),
        (PREDICTION, "give the file of the same name in the folder reviews"),
        ({**LIGHTEVAL, "model_response": {"text": [], "logprobs": [-1.0]}}, "no generated text"),
    ],
)
def test_a_dump_without_an_answer_or_a_reference_says_so(
    tmp_path: Path, row: dict[str, Any], message: str
) -> None:
    path = written(tmp_path / "a.jsonl", [row, row])
    with pytest.raises(InputError, match=message) as caught:
        Records.open([path])
    assert str(path) in str(caught.value)


def test_columns_that_are_named_and_default_names_go_before_what_a_dump_means(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", [{**NEMO, "reference": "14", "response": "14"}])
    (entry,) = Records.open([path]).entries()
    assert (entry.sample.response, entry.sample.references) == ("14", ("14",))
    (entry,) = Records.open([path], ColumnNames(reference="expected_answer", response="generation")).entries()
    assert (entry.sample.response, entry.sample.references) == ("So \\boxed{13}.", ("13",))
    path = written(tmp_path / "b.jsonl", [VERL])
    (entry,) = Records.open([path], ColumnNames(reference="pred")).entries()
    assert (entry.sample.response, entry.sample.references) == ("It is \\boxed{13}.", ("13",))


def test_a_position_that_points_nowhere_is_no_reference(tmp_path: Path) -> None:
    doc = {**LIGHTEVAL["doc"], "gold_index": 7}  # type: ignore[dict-item]
    warnings: list[str] = []
    path = written(tmp_path / "a.jsonl", [{**LIGHTEVAL, "doc": doc}])
    Records.open([path], warn=warnings.append)
    assert "2 rows" in warnings[0]
    assert "without a reference" in warnings[0]
