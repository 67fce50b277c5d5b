"""Completions and references in every shape that trainers and data sets hand over."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from hybridverify.adapters.areal import reward_function as areal_reward
from hybridverify.adapters.chats import content_text, response_of

import hybridverify as hv
from hybridverify.errors import SampleError

RIGHT, WRONG = r"So it is \boxed{0.7}.", r"So it is \boxed{0.8}."


def paid(references: Any, completions: Sequence[Any] = (RIGHT, WRONG)) -> Any:
    reward = hv.make_reward(cache=None, ungraded="none")
    return reward(
        prompts=["How much is it?"] * len(completions), completions=list(completions), answer=references
    )


@pytest.mark.parametrize(
    "references",
    [
        [0.7, 0.7],
        [Decimal("0.7"), Decimal("0.70")],
        [Fraction(7, 10), Fraction("0.7")],
        np.array([0.7, 0.7]),
        np.array([0.7, 0.7], dtype=np.float32),
        np.array([0.7, 0.7], dtype=np.float16),
        [np.float32(0.7), np.array(0.7, dtype=np.float16)],
        [np.array("0.7"), np.array(["0.7", "7/10"], dtype=object)],
        [["0.7", "7/10"], (0.7,)],
        [{"0.7"}, frozenset(["0.7"])],
        [[Decimal("0.7")], [np.float32(0.7)]],
        np.array([[0.7, 7], [0.7, 7]], dtype=np.float32),
    ],
)
def test_a_reference_may_be_a_number_of_any_kind_or_several(references: Any) -> None:
    assert paid(references) == [1.0, 0.0]


def test_what_is_no_reference_leaves_its_row_without_a_grade() -> None:
    odd = [Decimal("NaN"), Decimal("1E+999999"), 10**9999, Fraction(1, 10**9999), 1 + 2j, {"a": 1}, object()]
    assert paid([*odd, "0.7"], [RIGHT] * 8) == [None] * 7 + [1.0]


def test_a_samples_reference_keeps_the_digits_of_a_narrow_float() -> None:
    assert hv.Sample(RIGHT, np.float32(0.7)).references == ("0.7",)  # type: ignore[arg-type]
    assert hv.Sample(RIGHT, np.array([0.7, 3.4028235e38], dtype=np.float32)).references[0] == "0.7"  # type: ignore[arg-type]


def test_parts_that_are_no_text_for_the_reader_are_no_answer() -> None:
    thought = {"type": "reasoning", "text": RIGHT}
    said = [{"role": "assistant", "content": [thought, {"type": "text", "text": WRONG}]}]
    assert response_of(said) == WRONG
    assert hv.Sample(said, "0.7").response == WRONG  # type: ignore[arg-type]
    assert content_text([thought]) == ""
    assert content_text({"type": "output_text", "text": RIGHT}) == RIGHT
    assert content_text(np.array([{"text": RIGHT}], dtype=object)) == RIGHT


@pytest.mark.parametrize(
    ("completion", "told"),
    [
        (None, "must be text or a list of messages, not NoneType$"),
        ([{"role": "assistant", "content": 5}], "content must be text or a list of parts, not int$"),
        ([{"from": "gpt", "value": RIGHT}], "needs role and content, got from, value$"),
        ([{"role": "model", "content": RIGHT}], "no message of the role assistant, only of model$"),
        ([None], "needs role and content, got NoneType$"),
    ],
)
def test_a_completion_in_an_unknown_shape_is_no_wrong_answer(completion: Any, told: str) -> None:
    with pytest.raises(SampleError, match=told):
        response_of(completion)
    assert paid(["0.7"] * 2, [completion, WRONG]) == [None, 0.0]


@pytest.mark.parametrize("content", [None, "", []])
def test_a_model_that_called_a_tool_and_said_nothing_is_wrong(content: Any) -> None:
    called = {"role": "assistant", "content": content, "tool_calls": [{"function": {"name": "sum"}}]}
    assert paid(["0.7"] * 2, [[called], RIGHT]) == [0.0, 1.0]


def test_areals_question_is_that_of_its_rows_chat() -> None:
    seen: list[hv.Sample] = []

    class Watched:
        def grade(self, samples: list[hv.Sample]) -> list[hv.Grade]:
            seen.extend(samples)
            return hv.Verifier(cache=None).grade(samples)

    reward = areal_reward(Watched())
    chat = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "How much?"}]
    read = "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHow much?<|im_end|>\n"
    assert reward(read, RIGHT + "<|im_end|>", [1], [2], answer="0.7", messages=chat) == 1.0
    assert reward("How much?", WRONG, [1], [2], answer="0.7") == 0.0
    assert [sample.question for sample in seen] == ["How much?"] * 2


def test_copies_of_a_reward_pay_as_it_does() -> None:
    reward = hv.make_reward(cache=None, name="accuracy")
    call = partial(reward, prompts=["q"] * 2, answer=[0.7, 0.7])
    assert call(completions=[RIGHT, WRONG]) == [1.0, 0.0]
    for other in (copy.deepcopy(reward), copy.copy(reward), pickle.loads(pickle.dumps(reward))):  # noqa: S301 - ours
        assert other.__name__ == "accuracy"
        assert other(prompts=["q"] * 2, completions=[RIGHT, WRONG], answer=[0.7, 0.7]) == [1.0, 0.0]
