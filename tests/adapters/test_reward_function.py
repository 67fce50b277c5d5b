"""compute_score, its awaited and its batch form."""

from __future__ import annotations

import asyncio
import inspect
import logging
import math
import subprocess
import sys
import threading
from functools import partial
from typing import Any

import numpy as np
import pytest
from hybridverify.adapters.reward_function import compute_score, compute_score_async, compute_score_batch
from hybridverify.adapters.status import EXTRA_KEYS

from hybridverify.errors import ConfigError, JudgeUnavailable

RULES: dict[str, Any] = {"policy": "rule_only", "cache": None}


def checked(result: dict[str, Any]) -> float:
    assert tuple(result) == EXTRA_KEYS
    assert {type(value) for value in result.values()} <= {float, int, str}
    assert type(result["score"]) is float
    assert math.isfinite(result["score"])
    return float(result["score"])


def test_the_three_forms_agree() -> None:
    rows = [("openai/gsm8k", "#### 7", "7"), ("openai/gsm8k", "#### 8", "7"), ("", "no idea", "7")]
    one_by_one = [compute_score(*row, **RULES) for row in rows]
    sources, responses, references = map(list, zip(*rows, strict=True))
    batch = compute_score_batch(sources, responses, references, [None] * 3, **RULES)

    async def awaited() -> list[dict[str, Any]]:
        return list(await asyncio.gather(*(compute_score_async(*row, **RULES) for row in rows)))

    assert one_by_one == batch == asyncio.run(awaited())
    assert [checked(result) for result in batch] == [1.0, 0.0, 0.0]


def test_three_and_four_positional_arguments_and_keywords_are_accepted() -> None:
    by_three = compute_score("s", "#### 7", "7", **RULES)
    by_four = compute_score("s", "#### 7", "7", {"index": 1}, **RULES)
    by_name = compute_score(
        data_source="s", solution_str="#### 7", ground_truth="7", extra_info=None, **RULES
    )
    assert by_three == by_four == by_name


def test_the_awaited_form_is_seen_as_a_coroutine_function_even_as_a_partial() -> None:
    assert inspect.iscoroutinefunction(compute_score_async)
    assert inspect.iscoroutinefunction(partial(compute_score_async, policy="rule_only"))
    assert not inspect.iscoroutinefunction(compute_score)


ROUTES: dict[str, Any] = {"polaris*": {"policy": "rule_only"}, "*_tinyv": {"policy": "judge_only"}}
ONE_SCRIPT: dict[str, Any] = {"preset": "tinyv", "backend": {"name": "scripted", "replies": "True"}}


@pytest.mark.parametrize(("turned", "asked"), [(False, 0), (True, 1)])
def test_the_first_route_that_fits_counts_in_the_order_they_were_written(turned: bool, asked: int) -> None:
    routes = dict(reversed(ROUTES.items())) if turned else ROUTES
    options = {"routes": routes, "judges": [ONE_SCRIPT], "cache": None}
    row = ("polaris_tinyv", "The author is the bard", "Shakespeare")
    assert compute_score(*row, **options)["hv_judge_asked"] == asked
    assert compute_score_batch([row[0]], [row[1]], [row[2]], [None], **options)[0]["hv_judge_asked"] == asked


def test_graders_whose_routes_stand_in_another_order_are_not_mixed_up(make_judge: Any) -> None:
    row = ("polaris_tinyv", "The author is the bard", "Shakespeare")
    judge, _ = make_judge("True")
    for judges in ([ONE_SCRIPT], [judge]):  # as text, and as an object of the library
        by_order = [
            compute_score(*row, routes=routes, judges=judges, cache=None)["hv_judge_asked"]
            for routes in (ROUTES, dict(reversed(ROUTES.items())), ROUTES)
        ]
        assert by_order == [0, 1, 0]


@pytest.mark.parametrize(("setup", "paid"), [("tinyv_only", 1.0), ("addon", 0.5), ("mixed", 0.5)])
def test_tinyvs_weight_counts_in_all_its_setups_but_the_one_without_rules(setup: str, paid: float) -> None:
    options = {"tinyv_setup": setup, "tinyv_weight": 0.5, "judges": [ONE_SCRIPT], "cache": None}
    row = ("orz_tinyv", "The author is the bard", "Shakespeare")
    assert checked(compute_score(*row, **options)) == paid


def test_arguments_that_verl_adds_are_no_options() -> None:
    result = compute_score(
        "s",
        "#### 7",
        "7",
        reward_router_address=None,
        reward_model_tokenizer=None,
        sandbox_fusion_url=None,
        concurrent_semaphore=threading.Semaphore(),
        memory_limit_mb=1024,
        **RULES,
    )
    assert checked(result) == 1.0


def test_an_unknown_option_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(ConfigError, match="did you mean 'policy'"):
        compute_score("s", "#### 7", "7", polcy="addon")


@pytest.mark.parametrize(
    ("solution", "truth", "status"),
    [
        ("#### 7", None, "bad_reference"),
        ("#### 7", [], "bad_reference"),
        ("#### 7", object(), "bad_reference"),
        (None, "7", "incorrect"),
        ("", "7", "incorrect"),
        (7, 7, "correct"),
        ("#### 7", np.array(["6", "7"], dtype=object), "correct"),
        ("#### 7", 7.0, "correct"),
    ],
)
def test_rows_of_any_kind_have_a_status_and_never_raise(solution: Any, truth: Any, status: str) -> None:
    result = compute_score(None, solution, truth, "not a dict", **RULES)
    assert result["hv_status"] == status
    checked(result)


@pytest.mark.parametrize("empty", ["", " \n", None])
def test_an_empty_response_is_paid_like_a_wrong_one_in_every_form(empty: str | None) -> None:
    options = {**RULES, "reward": {"correct": 1.0, "incorrect": -1.0}}
    wrong = compute_score("s", "#### 8", "7", **options)
    single = compute_score("s", empty, "7", **options)
    awaited = asyncio.run(compute_score_async("s", empty, "7", **options))
    (batch,) = compute_score_batch(["s"], [empty], ["7"], None, **options)
    assert [checked(result) for result in (wrong, single, awaited, batch)] == [-1.0] * 4
    assert (single["hv_graded"], single["hv_status"]) == (1, "incorrect")


def test_an_empty_response_without_reference_is_still_not_graded() -> None:
    result = compute_score("s", "", None, reward={"correct": 1.0, "incorrect": -1.0}, **RULES)
    assert (checked(result), result["hv_graded"]) == (0.0, 0)


def test_extra_info_gives_the_question_and_is_not_changed(make_judge: Any) -> None:
    judge, backend = make_judge("True")
    extra = {"question": "Who wrote it?", "num_turns": 3, "rollout_reward_scores": {}}
    before = dict(extra)
    result = compute_score(
        "s", "The author is the bard", "Shakespeare", extra, judges=[judge], policy="judge_only", cache=None
    )
    assert checked(result) == 1.0
    assert "Who wrote it?" in backend.prompts[0]
    assert extra == before


def test_volatile_fields_of_extra_info_ask_nothing_again(make_judge: Any, tmp_path: Any) -> None:
    judge, backend = make_judge("True")
    options = {"judges": [judge], "policy": "judge_only", "cache": str(tmp_path / "cache")}
    for turn in range(3):
        extra = {"question": "Who wrote it?", "num_turns": turn, "rollout_reward_scores": {"x": turn}}
        assert checked(compute_score("s", "The author is the bard", "Shakespeare", extra, **options)) == 1.0
    assert len(backend.prompts) == 1


def test_rows_awaited_together_share_judge_batches(make_judge: Any) -> None:
    judge, backend = make_judge("True", delay_s=0.05)
    options = {"judges": [judge], "policy": "judge_only", "cache": None}

    async def awaited() -> list[dict[str, Any]]:
        calls = (
            compute_score_async("s", f"The author is number {i} of them", "Shakespeare", **options)
            for i in range(40)
        )
        return list(await asyncio.gather(*calls))

    assert [checked(result) for result in asyncio.run(awaited())] == [1.0] * 40
    assert sum(backend.batch_sizes) == 40
    assert len(backend.batch_sizes) <= 8


def test_half_of_the_replies_failing_leaves_those_rows_ungraded(make_judge: Any) -> None:
    judge, _ = make_judge({"bard": "True", "painter": {"outcome": "failed"}})
    options = {
        "judges": [judge],
        "policy": "judge_only",
        "cache": None,
        "outage_wait_s": 0,
        "max_ungraded": 1.0,
    }
    truths = ["Shakespeare", "Leonardo"] * 4
    texts = ["He is the bard of Avon", "He is the painter from Vinci"] * 4
    results = compute_score_batch(["s"] * 8, texts, truths, [None] * 8, **options)
    assert [checked(result) for result in results] == [1.0, 0.0] * 4
    assert [result["hv_graded"] for result in results] == [1, 0] * 4
    assert {result["hv_status"] for result in results} == {"correct", "failed"}


def test_a_dead_judge_raises_once_the_wait_is_over_and_again(make_judge: Any) -> None:
    judge, backend = make_judge({"outcome": "failed", "reason": "connection refused"})
    options = {"judges": [judge], "policy": "judge_only", "cache": None, "outage_wait_s": 0}
    with pytest.raises(JudgeUnavailable, match="connection refused"):
        compute_score("s", "He is the bard", "Shakespeare", **options)
    asked = len(backend.prompts)
    with pytest.raises(JudgeUnavailable):
        compute_score("s", "He is the bard", "Shakespeare", **options)
    assert len(backend.prompts) == asked, "the second call must not pay again"


def test_a_judge_that_comes_back_is_waited_for(make_judge: Any) -> None:
    down = {"outcome": "failed"}
    judge, _ = make_judge([down, down, "True"])
    options = {"judges": [judge], "policy": "judge_only", "cache": None, "outage_wait_s": 30}
    assert checked(compute_score("s", "He is the bard", "Shakespeare", **options)) == 1.0


def test_the_configuration_is_logged_once_a_process(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "hybridverify"):
        for _ in range(3):
            compute_score("s", "#### 7", "7", policy="rule_only", cache=None, max_batch=17)
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == 1
    assert "policy rule_only" in lines[0]


def test_the_first_row_without_a_grade_of_each_kind_is_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    class Strange(dict[str, Any]):
        def get(self, *_: object) -> Any:
            raise RuntimeError("a cell of its own kind")

    options: dict[str, Any] = {"cache": None, "max_batch": 18}
    with caplog.at_level(logging.WARNING, "hybridverify"):
        compute_score_batch(["s"] * 3, ["#### 7"] * 3, ["7", None, None], **options)
        compute_score("s", "#### 7", None, **options)
        compute_score("s", "#### 7", "7", Strange(), **options)
        compute_score_batch(["s"] * 2, ["#### 7"] * 2, ["7"] * 2, [Strange(), None], **options)
    told = [line for line in caplog.messages if "a row has no grade" in line]
    assert [line.split(",")[1].split(":")[0] for line in told] == [" bad_reference", " failed"]
    assert "RuntimeError: a cell of its own kind" in told[1]


def test_the_module_loads_neither_torch_nor_verl() -> None:
    code = (
        "import sys, hybridverify.adapters.reward_function as m; m.compute_score('s', '#### 7', '7', cache=None)\n"
        "assert not {'torch', 'verl', 'ray', 'transformers'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=400)


def test_it_works_in_threads(make_judge: Any) -> None:
    judge, backend = make_judge("True", delay_s=0.05)
    options = {"judges": [judge], "policy": "judge_only", "cache": None}
    scores: list[float] = []

    def one(i: int) -> None:
        scores.append(checked(compute_score("s", f"He is author number {i} of them", "Bard", **options)))

    threads = [threading.Thread(target=one, args=(i,)) for i in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert scores == [1.0] * 16
    assert sum(backend.batch_sizes) == 16
    assert len(backend.batch_sizes) < 16
