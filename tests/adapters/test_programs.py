"""Data sources that need programs run: no grade, one warning, and a user's own route is followed."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import numpy as np
import pytest
from hybridverify.adapters.programs import PROGRAM_SOURCES
from hybridverify.adapters.ray_data import GradeBatch
from hybridverify.adapters.reward_function import compute_score, compute_score_async, compute_score_batch
from hybridverify.adapters.status import EXTRA_KEYS
from hybridverify.adapters.verl_reward_loop import HybridRewardManager
from verl_fakes import CharTokenizer, batch_of, object_column

from hybridverify.errors import ConfigError, JudgeUnavailable
from hybridverify.types import Sample

RULES: dict[str, Any] = {"policy": "rule_only", "cache": None}
PROGRAM = "```python\nprint(sum(map(int, input().split())))\n```"
TESTS = '{"inputs": ["1 2"], "outputs": ["3"]}'


def ends_well(sample: Sample) -> bool:
    """A stand-in for a rule that runs programs."""
    return "print" in sample.response


@pytest.mark.parametrize("source", [*PROGRAM_SOURCES, " Codeforces "])
def test_their_rows_are_not_graded_in_any_form(source: str) -> None:
    single = compute_score(source, PROGRAM, TESTS, **RULES)
    awaited = asyncio.run(compute_score_async(source, PROGRAM, TESTS, **RULES))
    batch = compute_score_batch([source, "s"], [PROGRAM, "#### 7"], [TESTS, "7"], None, **RULES)
    assert single == awaited == batch[0]
    assert tuple(single) == EXTRA_KEYS
    assert (single["score"], single["hv_graded"], single["hv_status"]) == (0.0, 0, "skipped")
    assert batch[1]["score"] == 1.0


def test_the_loop_and_ray_data_leave_them_ungraded_as_well() -> None:
    batch = batch_of([("Sum?", PROGRAM, TESTS), ("2+2?", "#### 4", "4")])
    batch.non_tensor_batch["data_source"] = object_column(["taco", "openai/gsm8k"])
    manager = HybridRewardManager({"reward": {"reward_kwargs": RULES}}, CharTokenizer())
    rows = [asyncio.run(manager.run_single(batch[i : i + 1])) for i in range(2)]
    assert [row["reward_extra_info"]["hv_graded"] for row in rows] == [0, 1]
    table = {name: np.array([value]) for name, value in (("response", PROGRAM), ("reference", TESTS))}
    graded = GradeBatch(**RULES)({**table, "data_source": np.array(["apps"])})
    assert graded["hv_graded"].tolist() == [False]


def test_sources_that_only_look_alike_are_graded() -> None:
    for source in ("apps/math", "myapps", "taco_tinyv", "code"):
        assert compute_score(source, "#### 7", "7", **RULES)["score"] == 1.0


def test_no_judge_is_asked_about_them_and_one_warning_names_them(
    make_judge: Any, caplog: pytest.LogCaptureFixture
) -> None:
    judge, backend = make_judge("True")
    options = {"judges": [judge], "policy": "judge_only", "cache": None}
    with caplog.at_level(logging.WARNING, "hybridverify"):
        for source in ("apps", "taco", "apps"):
            compute_score(source, PROGRAM, TESTS, **options)
    told = [line for line in caplog.messages if "programs" in line]
    assert len(told) == 1
    assert all(source in told[0] for source in PROGRAM_SOURCES)
    assert backend.prompts == []


@pytest.mark.parametrize(
    "settings",
    [
        {"routes": {"taco": {"rules": [ends_well]}}},
        {"routes": {"ta*": {"rules": [ends_well]}}},
        {"routes": {"*": {"rules": [ends_well]}}},
        {"rules": ["exact", ends_well]},
    ],
    ids=["name", "pattern", "all", "default"],
)
def test_a_route_or_a_rule_of_the_users_own_is_followed(settings: dict[str, Any]) -> None:
    result = compute_score("taco", PROGRAM, TESTS, **RULES, **settings)
    assert (result["score"], result["hv_graded"]) == (1.0, 1)


def test_a_route_for_one_source_says_nothing_of_another() -> None:
    routes = {"taco": {"rules": [ends_well]}, "openai/*": {"rules": ["gsm8k"]}}
    assert compute_score("apps", PROGRAM, TESTS, routes=routes, **RULES)["hv_graded"] == 0


def test_they_count_in_max_ungraded() -> None:
    programs, sums = 64, 256
    sources = ["apps"] * programs + ["s"] * sums
    texts, truths = [PROGRAM] * programs + ["#### 7"] * sums, [TESTS] * programs + ["7"] * sums
    results = compute_score_batch(sources, texts, truths, None, max_ungraded=0.2, **RULES)
    assert sum(int(result["hv_graded"]) for result in results) == sums
    with pytest.raises(JudgeUnavailable, match=r"64 of the last 320 rows are programs.*max_ungraded=0\.1"):
        compute_score_batch(sources, texts, truths, None, max_ungraded=0.1, **RULES)


SANDBOX = {"url": "http://sandbox:8080/run_code", "max_concurrent": 64}


@pytest.mark.parametrize("where", ["reward", "reward_model", ""])
def test_a_sandbox_without_any_route_is_refused_at_the_start(where: str) -> None:
    kwargs = {"reward": {"reward_kwargs": RULES}}
    section = {**kwargs.get(where, {}), "sandbox_fusion": SANDBOX}
    config: dict[str, Any] = {**kwargs, **({where: section} if where else section)}
    with pytest.raises(ConfigError, match=r"sandbox_fusion.*route"):
        HybridRewardManager(config, CharTokenizer())
    HybridRewardManager(config, CharTokenizer(), routes={"apps": {"rules": [ends_well]}})


def test_a_sandbox_that_is_not_set_is_no_reason_to_refuse() -> None:
    config = {"reward": {"reward_kwargs": RULES, "sandbox_fusion": {"url": None, "max_concurrent": 64}}}
    HybridRewardManager(config, CharTokenizer())
