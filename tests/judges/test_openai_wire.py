"""Requests and replies as JSON, without a server."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hybridverify.judges.backends.openai_wire import (
    Body,
    UnreadableReply,
    read_replies,
    request_fields,
    sendable,
)
from hybridverify.judges.base import Failure, Reply, Sampling

CHAT = Body("chat", (0,), ([{"role": "user", "content": "equal?"}],))
TWO = Body("text", (0, 1), ("one", "two"))


def _read(body: Body, reply: object, sampling: Sampling | None = None) -> list[Reply | Failure]:
    return read_replies(body, json.dumps(reply), sampling or Sampling(), seconds=1.0)


def _texts(results: list[Reply | Failure]) -> list[tuple[str, ...] | None]:
    return [result.texts if isinstance(result, Reply) else None for result in results]


def test_a_greedy_request_has_no_seed_and_a_sampled_one_has() -> None:
    greedy = request_fields(TWO, "m", Sampling(seed=7), {})
    assert greedy == {"model": "m", "temperature": 0.0, "max_tokens": 16, "prompt": ["one", "two"]}
    sampled = request_fields(TWO, "m", Sampling(temperature=0.7, top_p=0.9, seed=7, n=3, stop=("\n",)), {})
    assert sampled | greedy == {**sampled, **greedy}
    assert [sampled[name] for name in ("seed", "top_p", "n", "stop")] == [7, 0.9, 3, ["\n"]]


def test_log_probabilities_are_asked_for_in_the_words_of_each_form() -> None:
    assert request_fields(TWO, "m", Sampling(logprobs=5), {})["logprobs"] == 5
    chat = request_fields(CHAT, "m", Sampling(logprobs=5), {})
    assert (chat["logprobs"], chat["top_logprobs"]) == (True, 5)


def test_extra_fields_override_and_null_takes_a_field_out() -> None:
    extra = {
        "max_tokens": None,
        "max_completion_tokens": 99,
        "chat_template_kwargs": {"enable_thinking": False},
    }
    fields = request_fields(CHAT, "m", Sampling(), extra)
    assert "max_tokens" not in fields
    assert fields["max_completion_tokens"] == 99
    assert fields["chat_template_kwargs"] == {"enable_thinking": False}
    assert "chat_template_kwargs" not in request_fields(TWO, "m", Sampling(), extra)


def test_choices_are_placed_by_their_index() -> None:
    choices = [{"index": 1, "text": "second"}, {"index": 0, "text": "first"}]
    assert _texts(_read(TWO, {"choices": choices})) == [("first",), ("second",)]


def test_several_draws_stay_with_their_prompt() -> None:
    choices = [{"index": index, "text": str(index)} for index in (3, 1, 0, 2)]
    assert _texts(_read(TWO, {"choices": choices}, Sampling(n=2))) == [("0", "1"), ("2", "3")]


def test_choices_without_any_index_are_taken_in_order_only_if_their_number_is_right() -> None:
    assert _texts(_read(TWO, {"choices": [{"text": "a"}, {"text": "b"}]})) == [("a",), ("b",)]
    assert _texts(_read(TWO, {"choices": [{"text": "a"}]})) == [None, None]


@pytest.mark.parametrize(
    "choices",
    [
        [],
        None,
        "True",
        [None, 3],
        [{"index": 2, "text": "a"}],
        [{"index": True, "text": "a"}],
        [{"index": 0, "text": "a"}, {"index": 0, "text": "b"}],
        [{"index": 0, "text": None}, {"index": 1}],
    ],
)
def test_choices_that_belong_to_nobody_are_failures(choices: Any) -> None:
    assert _texts(_read(TWO, {"choices": choices})) == [None, None]


def test_a_missing_choice_fails_its_own_prompt_alone() -> None:
    assert _texts(_read(TWO, {"choices": [{"index": 1, "text": "b"}]})) == [None, ("b",)]


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"content": "True"}, "True"),
        ({"content": None, "reasoning_content": "hm"}, "<think>hm"),
        ({"content": "", "reasoning": "True"}, "<think>True"),
        ({"content": "True", "reasoning_content": "False?"}, "True"),
        ({"content": None, "refusal": "no"}, ""),
        ({"content": [{"type": "text", "text": "Tr"}, {"type": "text", "text": "ue"}]}, "True"),
        ({"content": 1}, None),
        ("True", None),
    ],
)
def test_the_content_of_a_message_in_its_forms(message: Any, text: str | None) -> None:
    results = _read(CHAT, {"choices": [{"index": 0, "message": message}]})
    assert _texts(results) == [None if text is None else (text,)]


@pytest.mark.parametrize("text", ["", "<html>", '{"choices": [', "[]", "null", "[" * 100_000, "9" * 5000])
def test_what_is_no_json_object_is_unreadable(text: str) -> None:
    with pytest.raises(UnreadableReply):
        read_replies(TWO, text, Sampling(), 0.0)


def test_chat_log_probabilities_become_one_mapping_a_position() -> None:
    top = [
        {"token": "True", "logprob": -0.2},
        {"token": " True", "logprob": -3.0},
        {"token": "x", "logprob": None},
    ]
    content = [{"token": "True", "logprob": -0.2, "top_logprobs": top}, {"token": ".", "logprob": -0.1}]
    choice = {"index": 0, "message": {"content": "True."}, "logprobs": {"content": content}}
    (reply,) = _read(CHAT, {"choices": [choice]}, Sampling(logprobs=3))
    assert isinstance(reply, Reply)
    assert reply.logprobs == ({"True": -0.2, " True": -3.0}, {".": -0.1})


def test_completion_log_probabilities_hold_the_drawn_token_too() -> None:
    logprobs = {
        "tokens": ["False", "."],
        "token_logprobs": [-4.0, -0.1],
        "top_logprobs": [{"True": -0.1, "?": float("-inf")}, None],
    }
    choice = {"index": 0, "text": "False.", "logprobs": logprobs}
    (reply, _) = _read(TWO, {"choices": [choice]}, Sampling(logprobs=2))
    assert isinstance(reply, Reply)
    assert reply.logprobs == ({"False": -4.0, "True": -0.1}, {".": -0.1})


def test_log_probabilities_of_odd_shape_are_left_out() -> None:
    odd: list[Any] = ["x", {"content": "x"}, {"content": ["x"]}, {"top_logprobs": 3}, {"top_logprobs": []}]
    for logprobs in odd:
        choice = {"index": 0, "message": {"content": "a"}, "text": "a", "logprobs": logprobs}
        for body in (CHAT, TWO):
            reply = _read(body, {"choices": [choice]}, Sampling(logprobs=2))[0]
            assert isinstance(reply, Reply)
            assert reply.logprobs == ()


def test_the_tokens_of_a_body_are_shared_out_without_rest() -> None:
    choices = [{"index": index, "text": "a"} for index in range(3)]
    body = Body("text", (0, 1, 2), ("a", "b", "c"))
    usage = {"prompt_tokens": 10, "completion_tokens": 4}
    replies = _read(body, {"choices": choices, "usage": usage})
    assert [r.prompt_tokens for r in replies if isinstance(r, Reply)] == [4, 3, 3]
    assert [r.output_tokens for r in replies if isinstance(r, Reply)] == [2, 1, 1]
    assert sum(r.seconds for r in replies if isinstance(r, Reply)) == pytest.approx(1.0)


def test_lone_surrogates_are_replaced_and_all_else_is_left_alone() -> None:
    assert sendable("x\ud800y").encode() == b"x?y"
    assert sendable("\\frac{1}{2} 答 🙂") == "\\frac{1}{2} 答 🙂"
