"""GradeBatch on the batches that Ray Data hands out, without Ray."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hybridverify.adapters.ray_data import GradeBatch

from hybridverify.errors import ConfigError, InputError
from hybridverify.types import GRADE_KEYS

NAMES = {f"hv_{key}" for key in GRADE_KEYS}
RULES: dict[str, Any] = {"policy": "rule_only", "cache": None}


def objects(values: list[Any]) -> Any:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def test_a_dict_of_arrays_comes_back_with_the_columns_of_a_grade() -> None:
    batch = {
        "response": objects(["#### 7", "#### 8"]),
        "reference": objects(["7", "7"]),
        "id": np.array([3, 4]),
    }
    graded = GradeBatch(**RULES)(batch)
    assert graded["hv_score"].tolist() == [1.0, 0.0]
    assert graded["hv_graded"].dtype == bool
    assert graded["id"].tolist() == [3, 4]
    assert set(graded) == {"response", "reference", "id"} | NAMES
    assert set(batch) == {"response", "reference", "id"}, "the caller's batch must not change"


def test_an_empty_response_is_paid_like_a_wrong_one() -> None:
    batch = {"response": objects(["#### 8", ""]), "reference": objects(["7", "7"])}
    graded = GradeBatch(**RULES, reward={"correct": 1.0, "incorrect": -1.0})(batch)
    assert graded["hv_score"].tolist() == [-1.0, -1.0]
    assert graded["hv_graded"].tolist() == [True, True]


def test_an_arrow_table_comes_back_as_one_with_typed_columns() -> None:
    table = pa.table({"response": ["#### 7"], "reference": ["7"], "hv_score": ["old"]})
    graded = GradeBatch(**RULES)(table)
    assert graded.column("hv_score").to_pylist() == [1.0]
    assert graded.schema.field("hv_score").type == pa.float64()
    assert graded.schema.field("hv_graded").type == pa.bool_()
    assert set(graded.column_names) == {"response", "reference"} | NAMES


def test_an_empty_batch_keeps_the_types() -> None:
    full = GradeBatch(**RULES)(pa.table({"response": ["#### 7"], "reference": ["7"]}))
    empty = GradeBatch(**RULES)(
        pa.table({"response": pa.array([], pa.string()), "reference": pa.array([], pa.string())})
    )
    assert empty.schema == full.schema
    arrays = GradeBatch(**RULES)({"response": np.array([], object), "reference": np.array([], object)})
    assert arrays["hv_score"].dtype == np.float64
    assert len(arrays["hv_score"]) == 0


def test_verls_layout_is_found_without_naming_columns() -> None:
    batch = {
        "response": objects(["#### 7", "#### 8"]),
        "reward_model": objects(
            [{"ground_truth": "7"}, {"ground_truth": np.array(["7", "8"], dtype=object)}]
        ),
        "data_source": objects(["openai/gsm8k"] * 2),
    }
    assert GradeBatch(**RULES)(batch)["hv_score"].tolist() == [1.0, 1.0]


def test_columns_can_be_named() -> None:
    batch = {"text": objects(["#### 7"]), "gold": objects(["7"])}
    assert GradeBatch(response_column="text", reference_column="gold", **RULES)(batch)[
        "hv_score"
    ].tolist() == [1.0]


def test_a_missing_column_is_an_error_that_names_it() -> None:
    with pytest.raises(InputError, match="reference"):
        GradeBatch(**RULES)({"response": objects(["#### 7"]), "nothing": objects(["7"])})


def test_one_strange_row_is_reported_in_its_row() -> None:
    batch = {"response": objects(["#### 7", {"no": "text"}]), "reference": objects(["7", "7"])}
    graded = GradeBatch(**RULES)(batch)
    assert graded["hv_score"].tolist() == [1.0, 0.0]
    assert graded["hv_graded"].tolist() == [True, False]
    assert graded["hv_outcome"].tolist() == ["correct", "failed"]


def test_what_is_no_batch_is_refused() -> None:
    with pytest.raises(InputError, match="not list"):
        GradeBatch(**RULES)([1, 2])


def test_a_wrong_option_is_refused_when_made() -> None:
    with pytest.raises(ConfigError, match="did you mean 'policy'"):
        GradeBatch(polcy="addon")


def test_it_pickles_for_actors() -> None:
    copied = pickle.loads(pickle.dumps(GradeBatch(**RULES)))  # noqa: S301 - our own bytes
    assert copied({"response": objects(["#### 7"]), "reference": objects(["7"])})["hv_score"].tolist() == [
        1.0
    ]
