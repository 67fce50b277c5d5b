"""Reward functions of others are called by the names of their parameters; what they raise is counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from hybridverify.errors import ConfigError
from hybridverify.redteam.questions import Question
from hybridverify.redteam.rewards import RewardFunction
from hybridverify.types import Sample

SAMPLES = [Sample("so 7", "7", "3+4?", "sums"), Sample("8", ["9", "8"], "4+4?")]


def verl(data_source: str, solution_str: str, ground_truth: str, extra_info: Any = None) -> dict[str, float]:
    assert extra_info["question"]
    return {"score": float(ground_truth in solution_str), "acc": 0.0}


def verl_batch(
    data_sources: list[str], solution_strs: list[str], ground_truths: list[str], extra_infos: list[Any]
) -> list[float]:
    return [float(truth in text) for text, truth in zip(solution_strs, ground_truths, strict=True)]


def trl(prompts: list[str], completions: list[str], answer: list[str], **columns: Any) -> list[float]:
    assert len(prompts) == len(answer)
    return [float(gold in text) for text, gold in zip(completions, answer, strict=True)]


def plain(response: str, reference: str) -> bool:
    return reference in response


def turned(gold: str, prediction: str, question: str = "") -> float:
    return float(gold in prediction and "?" in question)


async def awaited(completion: str, answer: str) -> float:
    return float(answer in completion)


def of_sample(sample: Sample) -> float:
    return float(sample.references[0] in sample.response)


@pytest.mark.parametrize(
    ("function", "style", "second"),
    [
        (verl, "verl", 1.0),
        (verl_batch, "verl_batch", 0.0),
        (trl, "trl", 0.0),
        (plain, "pair", 1.0),
        (turned, "pair", 1.0),
        (awaited, "pair", 1.0),
        (of_sample, "sample", 0.0),
    ],
)
def test_a_function_is_called_as_its_parameters_ask(
    function: Callable[..., Any], style: str, second: float
) -> None:
    reward = RewardFunction(function)
    assert reward.style == style
    assert reward.grade(SAMPLES) == [1.0, second]  # a batch gets the first reference alone
    assert reward.failed == 0


def test_a_column_of_the_file_is_given_by_its_own_name() -> None:
    def wants(completions: list[str], level: list[int]) -> list[float]:
        return [float(each) for each in level]

    digest = Question("3+4?", ("7",)).digest
    assert RewardFunction(wants, columns={digest: {"level": 3}}).grade(SAMPLES[:1]) == [3.0]
    with pytest.raises(ConfigError, match="no column 'level'"):
        RewardFunction(wants).grade(SAMPLES[:1])


def test_a_function_for_conversations_is_found_out() -> None:
    def chat(completions: list[Any], answer: list[str]) -> list[float]:
        return [float(gold in each[0]["content"]) for each, gold in zip(completions, answer, strict=True)]

    reward = RewardFunction(chat)
    assert reward.grade(SAMPLES) == [1.0, 0.0]
    assert reward.grade(SAMPLES) == [1.0, 0.0]
    assert reward.failed == len(SAMPLES)  # the one try with texts


def test_what_a_function_raises_is_unpaid_and_counted() -> None:
    def shaky(response: str, reference: str) -> float:
        return 1.0 / (len(response) - 1)

    reward = RewardFunction(shaky)
    assert reward.grade(SAMPLES) == [pytest.approx(1 / 3), 0.0]
    assert (reward.calls, reward.failed) == (3, 2)
    assert reward.first_failure.startswith("ZeroDivisionError")


def test_a_function_that_always_fails_or_returns_no_number_is_an_error() -> None:
    def broken(response: str, reference: str) -> float:
        raise KeyError("style")

    with pytest.raises(ConfigError, match="fails on every response: KeyError"):
        RewardFunction(broken, "mine:broken").grade([Sample(str(n), "7", "?") for n in range(60)])
    with pytest.raises(ConfigError, match="returned a str, not a number"):
        RewardFunction(lambda response, reference: "good").grade(SAMPLES)
    with pytest.raises(ConfigError, match="expected a list of 2 scores"):
        RewardFunction(lambda completions: [1.0]).grade(SAMPLES)
