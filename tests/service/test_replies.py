"""Answers are written in bites to the same JSON as in one go."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from hybridverify import Grade, Verifier
from hybridverify.service.replies import written_in_bites, written_whole

DEEP: Any = [1]
for _ in range(50):
    DEEP = {"a": [DEEP, "\ud800 é"]}


@pytest.mark.parametrize(
    "value",
    [
        {},
        [],
        {"a": [], "b": {}, "é": "\ud800\n"},
        {"ids": list(range(1000)), "logs": [n / 7 for n in range(129)], "texts": ["x"] * 128},
        [[1, [2, {"c": None}]], True, 1.5, "7"],
        DEEP,
    ],
)
def test_a_large_value_is_written_as_json_writes_it(value: Any) -> None:
    assert asyncio.run(written_whole(value)).body == json.dumps(value).encode()


@pytest.mark.parametrize("count", [0, 1, 128, 129, 300])
def test_grades_are_written_in_their_order(count: int) -> None:
    with Verifier() as verifier:
        grades = verifier.grade([(f"#### {n}", str(n % 7)) for n in range(count)])
    told = json.loads(asyncio.run(written_in_bites(grades, Grade.to_dict)))
    assert told == {"grades": [grade.to_dict() for grade in grades]}
