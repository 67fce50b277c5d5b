"""DAPO's penalty for long responses: what it takes off, what columns it adds, what it refuses."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hybridverify.adapters.options import parse_options
from hybridverify.adapters.overlong import Overlong, less
from hybridverify.adapters.rewards import payment
from hybridverify.adapters.status import EXTRA_KEYS, failed_grade
from hybridverify.adapters.verl_batch import Rows
from hybridverify.adapters.verl_reward_loop import HybridRewardManager, loop_options
from verl_fakes import CharTokenizer, batch_of

from hybridverify.errors import ConfigError
from hybridverify.types import SKIPPED, Grade, Outcome, Sample, Verdict

BUFFER = {"enable": True, "len": 4, "penalty_factor": 1.0, "log": True}
RIGHT = Grade(1.0, True, Outcome.CORRECT, Verdict(Outcome.CORRECT, 1.0, "rule:x", "7"), SKIPPED)
LOST = failed_grade("connection refused", judge_asked=True)


def rows_of(*tokens: int) -> Rows:
    return Rows([Sample("r", "g")] * len(tokens), list(tokens), ["a"] * len(tokens))


@pytest.mark.parametrize(
    ("tokens", "expected"), [(0, 0.0), (5, 0.0), (6, 0.0), (7, -0.25), (10, -1.0), (12, -1.5)]
)
def test_it_grows_over_the_buffer_and_beyond(tokens: int, expected: float) -> None:
    assert Overlong(4, 10).penalty(tokens) == expected
    assert Overlong(4, 10, 0.5).penalty(tokens) == expected / 2


def test_rows_pay_it_whatever_their_grade_and_the_score_stays_what_it_was() -> None:
    wrong = Grade(-1.0, True, Outcome.INCORRECT, SKIPPED, SKIPPED)
    paid = payment(rows_of(5, 8, 8), [RIGHT, RIGHT, wrong], Overlong(4, 10, log=True), by_group=True)
    assert paid.rewards == [1.0, 0.5, -1.5]
    assert paid.columns["score"] == [1.0, 1.0, -1.0]
    assert paid.columns["acc"] == [1.0, 1.0, 0.0]
    assert paid.columns["overlong_reward"] == [0.0, -0.5, -0.5]
    assert paid.columns["overlong"] == [False, True, True]


def test_a_row_without_a_grade_loses_nothing_and_gets_what_its_group_was_paid() -> None:
    paid = payment(rows_of(10, 8, 10), [RIGHT, RIGHT, LOST], Overlong(4, 10, log=True), by_group=True)
    assert paid.rewards == [0.0, 0.5, 0.25]
    assert paid.columns["score"] == [1.0, 1.0, 0.25]
    assert paid.columns["overlong_reward"] == [-1.0, -0.5, 0.0]


@pytest.mark.parametrize("log", [True, False])
def test_the_columns_depend_on_the_options_and_on_no_row(log: bool) -> None:
    options: dict[str, Any] = {
        "policy": "rule_only",
        "cache": None,
        "max_resp_len": 10,
        "overlong_buffer_cfg": {**BUFFER, "log": log},
    }
    manager = HybridRewardManager({"reward": {"reward_kwargs": options}}, CharTokenizer())
    rows = [("2+2?", "#### 4", "4"), ("2+2?", "so #### 4", "4"), ("2+2?", "", "4"), ("2+2?", "#### 4", None)]
    batch = batch_of(rows)
    outputs = [asyncio.run(manager.run_single(batch[i : i + 1])) for i in range(len(batch))]
    keys = (*EXTRA_KEYS, "overlong_reward", "overlong") if log else EXTRA_KEYS
    assert {tuple(output["reward_extra_info"]) for output in outputs} == {keys}
    assert [output["reward_score"] for output in outputs] == [1.0, 0.25, 0.0, 0.0]
    assert [output["reward_extra_info"]["score"] for output in outputs] == [1.0, 1.0, 0.0, 0.0]


@pytest.mark.parametrize("where", ["reward", "reward_model"])
def test_the_recipes_own_section_and_the_longest_response_of_the_data_are_read(where: str) -> None:
    config = {where: {"overlong_buffer": BUFFER}, "data": {"max_response_length": 10}}
    assert loop_options(config).overlong == Overlong(4, 10, 1.0, True)
    given = {"overlong_buffer_cfg": {**BUFFER, "len": 2}, "max_resp_len": 20}
    assert loop_options(config, given=given).overlong == Overlong(2, 20, 1.0, True)


@pytest.mark.parametrize("off", [None, {}, {**BUFFER, "enable": False}, {"enable": False}])
def test_switched_off_it_wants_nothing(off: Any) -> None:
    assert parse_options({"overlong_buffer_cfg": off}).overlong is None
    assert less(0.1, 0.0) == 0.1


@pytest.mark.parametrize(
    ("changed", "longest", "message"),
    [
        ({}, None, "max_resp_len"),
        ({}, 3, "max_resp_len: 3 is less than"),
        ({"len": 0}, 10, r"overlong_buffer_cfg\.len"),
        ({"len": "4"}, 10, r"overlong_buffer_cfg\.len"),
        ({"enable": "yes"}, 10, r"overlong_buffer_cfg\.enable"),
        ({"penalty_factor": "much"}, 10, r"overlong_buffer_cfg\.penalty_factor"),
        ({"penalty": 1.0}, 10, "did you mean 'penalty_factor'"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(changed: Any, longest: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        parse_options({"overlong_buffer_cfg": {**BUFFER, **changed}, "max_resp_len": longest})
