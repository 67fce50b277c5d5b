"""The usual call of a trainer is read by few steps, and as any other call is read."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest
from hybridverify.adapters.call_forms import rows
from hybridverify.adapters.columns import Columns
from hybridverify.adapters.usual_call import usual_samples

import hybridverify as hv

ROWS = 16
TEXTS = [f"It is {number}. #### {number}" for number in range(ROWS)]
QUESTIONS = [f"What is {number} + 0?" for number in range(ROWS)]
REFERENCES = list(map(str, range(ROWS)))
Named = dict[str, Any]


def chats(texts: list[str], role: str) -> list[list[dict[str, str]]]:
    return [[{"role": role, "content": text}] for text in texts]


def call(**others: Any) -> Named:
    usual = {"prompts": chats(QUESTIONS, "user"), "completions": chats(TEXTS, "assistant")}
    return {**usual, "answer": REFERENCES, **others}


@pytest.mark.parametrize(
    ("named", "own"),
    [
        (call(), Columns()),
        (call(prompts=QUESTIONS, completions=TEXTS, completion_ids=[[1]] * ROWS), Columns()),
        (call(completions=[*TEXTS[:-1], *chats(["7"], "assistant")]), Columns()),
        (call(gold=REFERENCES[::-1], asked=TEXTS), Columns(reference="gold", question="asked")),
    ],
)
def test_the_usual_call_gives_the_samples_of_the_full_reading(named: Named, own: Columns) -> None:
    samples = usual_samples(named, own)
    assert samples == rows(named["completions"], named, own).samples
    assert [sample.references for sample in samples or ()] == [
        (one,) for one in named[own.reference or "answer"]
    ]


@pytest.mark.parametrize(
    "other",
    [
        {"answer": [7] * ROWS},
        {"answer": [*REFERENCES[:-1], ""]},
        {"answer": tuple(REFERENCES)},
        {"answer": REFERENCES[:-1]},
        {"completions": [*TEXTS[:-1], None]},
        {"completions": chats(TEXTS, "tool")},
        {"prompts": [[] for _ in range(ROWS)]},
        {"question": [None] * ROWS},
        {"data_source": ["toy"] * ROWS},
        {"extra_info": [{}] * ROWS},
    ],
)
def test_any_other_call_is_left_to_the_full_reading(other: Named) -> None:
    assert usual_samples(call(**other), Columns()) is None


def test_a_call_needs_few_steps_more_than_the_verifier_alone() -> None:
    """Steps are calls of functions: their number is the same on a busy machine."""
    verifier, reward = hv.Verifier(cache=None, workers=1), hv.make_reward(cache=None, workers=1)

    def grade() -> Any:
        return verifier.grade(list(map(hv.Sample, TEXTS, REFERENCES, QUESTIONS)))

    def pay() -> Any:
        return reward(**call())

    for warm in (grade, pay):
        warm()
    alone, rewarded = steps(grade), steps(pay)
    verifier.close()
    assert rewarded - alone <= 4 * ROWS


def steps(work: Callable[[], Any]) -> int:
    """How many functions are called."""
    seen = [0]

    def count(_: Any, event: str, __: Any) -> None:
        seen[0] += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return seen[0]
