"""Rows of verl as samples, on NumPy arrays and a tokenizer that maps a character to a number."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hybridverify.adapters.cells import question_of, references_of, text_of
from hybridverify.adapters.verl_batch import response_tokens, rows_of
from verl_fakes import PAD, CharTokenizer, batch_of, object_column

TOKENIZER = CharTokenizer()


def test_a_row_carries_response_reference_question_source_and_group() -> None:
    batch = batch_of([("2+2?", "#### 4", "4")])
    rows = rows_of(batch, TOKENIZER)
    (sample,) = rows.samples
    assert sample.response == "#### 4"
    assert sample.references == ("4",)
    assert sample.question == "2+2?"
    assert sample.data_source == "openai/gsm8k"
    assert (rows.response_tokens, rows.groups, rows.problems) == ([6], ["u0"], {})


def test_the_data_source_key_is_the_one_that_verl_names() -> None:
    batch = batch_of([("q", "r", "g")])
    batch.non_tensor_batch["kind"] = object_column(["mine"])
    (sample,) = rows_of(batch, TOKENIZER, source_key="kind").samples
    assert sample.data_source == "mine"


def test_padding_on_either_side_never_reaches_the_text() -> None:
    batch = batch_of([("a", "bc", "x"), ("longer", "longer still", "x")])
    del batch.non_tensor_batch["raw_prompt"]
    short, _ = rows_of(batch, TOKENIZER).samples
    assert (short.question, short.response) == ("a", "bc")


def test_an_empty_response_has_no_tokens_and_no_text() -> None:
    rows = rows_of(batch_of([("q", "", "4")]), TOKENIZER)
    assert (rows.response_tokens, rows.samples[0].response, rows.problems) == ([0], "", {})


@pytest.mark.parametrize("missing", ["data_source", "reward_model", "extra_info", "raw_prompt", "uid"])
def test_any_column_may_be_absent(missing: str) -> None:
    batch = batch_of([("2+2?", "#### 4", "4")])
    del batch.non_tensor_batch[missing]
    rows = rows_of(batch, TOKENIZER)
    assert rows.problems == {}
    assert rows.samples[0].question == "2+2?"
    assert rows.samples[0].references == (() if missing == "reward_model" else ("4",))


def test_cells_of_the_wrong_kind_do_not_raise() -> None:
    batch = batch_of([("2+2?", "#### 4", "4")])
    batch.non_tensor_batch["reward_model"] = object_column([None])
    batch.non_tensor_batch["extra_info"] = object_column(["a text"])
    batch.non_tensor_batch["data_source"] = object_column([None])
    rows = rows_of(batch, TOKENIZER)
    assert rows.problems == {}
    assert rows.samples[0].references == ()


def test_extra_info_is_passed_on_and_not_changed() -> None:
    batch = batch_of([("q", "r", "g")])
    info: dict[str, Any] = {"index": 3, "criteria": "be exact"}
    batch.non_tensor_batch["extra_info"] = object_column([info])
    (sample,) = rows_of(batch, TOKENIZER).samples
    assert sample.meta["extra_info"] is info
    assert sample.meta["criteria"] == "be exact"
    assert info == {"index": 3, "criteria": "be exact"}


def test_the_judge_prompt_column_is_passed_on_unless_empty() -> None:
    batch = batch_of([("q", "r", "g")] * 2)
    batch.non_tensor_batch["rm_prompt"] = object_column(["judge this", ""])
    first, second = rows_of(batch, TOKENIZER).samples
    assert first.meta["rm_prompt"] == "judge this"
    assert "rm_prompt" not in second.meta


def test_the_judge_prompt_may_be_a_chat() -> None:
    batch = batch_of([("q", "r", "g")])
    batch.non_tensor_batch["rm_prompt"] = object_column([[{"role": "user", "content": "judge this"}]])
    (sample,) = rows_of(batch, TOKENIZER).samples
    assert sample.meta["rm_prompt"] == "judge this"


def test_a_tokenizer_that_fails_spoils_its_row_alone() -> None:
    batch = batch_of([("q", "r!", "g"), ("q", "r", "g")])
    rows = rows_of(batch, CharTokenizer(refuses="!"))
    assert list(rows.problems) == [0]
    assert rows.problems[0].startswith("ValueError")
    assert rows.response_tokens == [2, 1]
    assert [sample.response for sample in rows.samples] == ["", "r"]
    assert rows.groups == ["", "u0"]


def test_rows_that_share_their_cells_are_read_once_and_others_are_not_mixed_up() -> None:
    class Counting(dict[str, Any]):
        reads = 0

        def get(self, name: str, default: Any = None) -> Any:
            Counting.reads += 1
            return super().get(name, default)

    batch = batch_of([(f"question {i}", f"#### {i}", None) for i in range(6)])
    shared = [Counting(ground_truth="7"), Counting(ground_truth="8")]
    batch.non_tensor_batch["reward_model"] = object_column([shared[i // 3] for i in range(6)])
    batch.non_tensor_batch["raw_prompt"] = object_column(["one", "one", "one", "two", "two", "two"])
    batch.non_tensor_batch["extra_info"] = object_column([None] * 6)
    batch.non_tensor_batch["data_source"] = np.array(["a", "a", "b", "a", "a", "b"])  # not of objects
    samples = rows_of(batch, TOKENIZER).samples
    assert [sample.references for sample in samples] == [("7",)] * 3 + [("8",)] * 3
    assert [sample.response for sample in samples] == [f"#### {i}" for i in range(6)]
    assert [sample.data_source for sample in samples] == ["a", "a", "b", "a", "a", "b"]
    batch.non_tensor_batch["data_source"] = object_column(["a"] * 6)
    Counting.reads = 0
    rows_of(batch, TOKENIZER)
    assert Counting.reads == 2


def test_prompts_are_decoded_only_where_no_column_holds_the_question() -> None:
    batch = batch_of([("first", "r", "g"), ("second", "r", "g")])
    batch.non_tensor_batch["raw_prompt"] = object_column(["asked", None])
    batch.non_tensor_batch["extra_info"] = object_column([None, None])
    assert [sample.question for sample in rows_of(batch, TOKENIZER).samples] == ["asked", "second"]


def test_streaming_rows_take_their_exact_length_and_not_the_mask() -> None:
    batch = batch_of([("q", "#### 4", "4")])
    batch.non_tensor_batch["response_len"] = np.array([4])
    batch.batch["attention_mask"][:] = 0
    assert response_tokens(batch) == [4]
    assert rows_of(batch, TOKENIZER).samples[0].response == "####"


def test_a_length_beyond_the_row_is_cut_to_it() -> None:
    batch = batch_of([("q", "#### 4", "4")])
    batch.non_tensor_batch["response_len"] = np.array([10_000])
    assert response_tokens(batch) == [batch.batch["responses"].shape[-1]]


def test_a_length_that_is_no_number_spoils_its_row_alone() -> None:
    batch = batch_of([("q", "#### 4", "4")] * 3)
    batch.non_tensor_batch["response_len"] = object_column(["long", None, 4])
    rows = rows_of(batch, TOKENIZER)
    assert list(rows.problems) == [0]
    assert [sample.response for sample in rows.samples] == ["", "#### 4", "####"]


def test_right_padded_prompts_of_streaming_rows_are_cut_at_their_length() -> None:
    batch = batch_of([("ab", "r", "g")])
    del batch.non_tensor_batch["raw_prompt"]
    batch.batch["prompts"] = np.array([[*TOKENIZER.encode("ab"), PAD, PAD]])
    batch.non_tensor_batch["prompt_len"] = np.array([2])
    batch.non_tensor_batch["response_len"] = np.array([1])
    assert rows_of(batch, TOKENIZER).samples[0].question == "ab"


def test_tool_output_is_dropped_only_when_asked() -> None:
    batch = batch_of([("q", "own tool", "g")])
    mask = np.zeros_like(batch.batch["responses"])
    mask[0, :3] = 1
    batch.batch["response_mask"] = mask
    assert rows_of(batch, TOKENIZER).samples[0].response == "own tool"
    assert rows_of(batch, TOKENIZER, drop_tool_tokens=True).samples[0].response == "own"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (None, ()),
        ("", ()),
        ("4", ("4",)),
        (4, ("4",)),
        (4.0, ("4",)),
        (0.25, ("0.25",)),
        (float("nan"), ()),
        (True, ("True",)),
        (["4", "four"], ("4", "four")),
        (("4", None), ("4",)),
        (np.array(["4"], dtype=object), ("4",)),
        (np.array([4, 5]), ("4", "5")),
        (np.float64(4.5), ("4.5",)),
        (np.int64(4), ("4",)),
        (b"Paris", ("Paris",)),
        ({"target": np.array(["Paris", "City of Paris"])}, ("Paris", "City of Paris")),
        ({"other": 1}, ()),
        (object(), ()),
        ([[["4"]]], ("4",)),
    ],
)
def test_a_ground_truth_of_any_shape_becomes_references(given: object, expected: tuple[str, ...]) -> None:
    assert references_of(given) == expected


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ([{"role": "user", "content": "2+2?"}], "2+2?"),
        (np.array([{"role": "user", "content": "2+2?"}], dtype=object), "2+2?"),
        ([{"role": "user", "content": "first"}, {"role": "user", "content": "last"}], "last"),
        ([{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "what?"}]}], "what?"),
        ([{"role": "system", "content": "only a system prompt"}], ""),
        ("plain", "plain"),
        (None, ""),
        (17, ""),
        ([{"role": "user"}], ""),
    ],
)
def test_the_question_is_the_last_user_turn(prompt: object, expected: str) -> None:
    assert question_of(prompt) == expected


def test_zero_dimensional_arrays_are_their_value() -> None:
    assert text_of(np.array("x")) == "x"
    assert text_of(np.array([1, 2])) == ""
