"""The request forms of trainers: what is the response, what the question, and what is refused."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from hybridverify import Verifier
from hybridverify.service.gym import aggregate, gym_answer, gym_sample, session, without_rollout
from hybridverify.service.rows import Malformed
from hybridverify.service.trainers import (
    batch_samples,
    last_user_text,
    one_sample,
    without_marks,
    without_prompt,
)

PROMPT = "<|im_start|>user\nHow many legs do six ants have?<|im_end|>\n<|im_start|>assistant\n"
FIELDS = {"reference": "expected_answer", "question": "question"}


def test_the_response_is_what_stands_after_the_prompt() -> None:
    assert without_prompt(PROMPT + "Six each: 36.<|im_end|>", PROMPT) == "Six each: 36."


def test_a_prompt_that_was_cut_at_its_front_is_found() -> None:
    assert without_prompt(PROMPT[17:] + "36", PROMPT) == "36"


def test_a_text_without_the_prompt_is_the_response() -> None:
    assert without_prompt("It is 36.", PROMPT) == "It is 36."
    assert without_prompt("a", "aa") == "a"


def test_a_prompt_of_repetitions_costs_little() -> None:
    assert without_prompt("ab" * 200_000 + "c", "ba" * 200_000) == "bc"
    assert without_prompt("ab" * 200_000 + "c", "ab" * 300_000 + "d") == "ab" * 200_000 + "c"


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("7<|im_end|>", "7"),
        ("7<|eot_id|>\n", "7"),
        ("7</s>", "7"),
        ("7<|endoftext|><|endoftext|>", "7"),
        ("x<y and y>3", "x<y and y>3"),
        ("<b>7</b>", "<b>7</b>"),
        ("<|im_end|> then 7", "<|im_end|> then 7"),
    ],
)
def test_only_tokens_at_the_end_are_left_out(said: str, kept: str) -> None:
    assert without_marks(said) == kept


def test_a_text_of_nothing_but_such_tokens_is_read_in_one_go() -> None:
    """Copied once for each of its tokens it would take an hour."""
    assert without_marks("7" + "</s>" * 1_000_000) == "7"
    assert without_marks("7" + "</s><pad>" * 400_000).startswith("7</s>")


def test_lists_become_samples() -> None:
    given = {"query": ["Q: 6*6?36", "Q: 1+1?3"], "prompts": ["Q: 6*6?", "Q: 1+1?"], "labels": ["36", 2]}
    rows = asyncio.run(batch_samples(given, "s", 2))
    assert [(row.response, row.references, row.question, row.data_source) for row in rows] == [
        ("36", ("36",), "Q: 6*6?", "s"),
        ("3", ("2",), "Q: 1+1?", "s"),
    ]


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"query": ["a"], "prompts": ["a"]}, "body, labels: missing"),
        ({"query": "a", "prompts": ["a"], "labels": ["1"]}, "body, query: expected a list"),
        ({"query": ["a", "b"], "prompts": ["a"], "labels": ["1"]}, "2 query, 1 prompts, 1 labels"),
        (
            {"query": ["a", 5], "prompts": ["a", "b"], "labels": ["1", "2"]},
            "row 1, query: expected text, got a number",
        ),
        ({"query": ["a"], "prompts": ["a"], "labels": [{}]}, "row 0, labels: expected text, a number"),
        ({"query": ["a"] * 3, "prompts": ["a"] * 3, "labels": ["1"] * 3}, "3 rows, and a request may have 2"),
        (
            {"query": ["a"], "prompts": ["a"], "labels": ["1"], "label": 1},
            "'label': no such field; did you mean 'labels'",
        ),
    ],
)
def test_a_faulty_batch_names_row_and_field(given: dict[str, Any], fault: str) -> None:
    with pytest.raises(Malformed, match=fault):
        asyncio.run(batch_samples(given, "", 2))


def test_one_row_may_have_a_chat_as_its_prompt() -> None:
    chat = [{"role": "system", "content": "Think."}, {"role": "user", "content": "6*6?"}]
    sample = one_sample({"prompt": chat, "response": "36<|im_end|>", "label": 36}, "")
    assert (sample.response, sample.question, sample.references) == ("36", "6*6?", ("36",))


def test_parts_of_a_message_are_joined() -> None:
    parts = [{"type": "text", "text": "6"}, {"type": "image_url"}, {"type": "text", "text": "*6?"}]
    assert last_user_text([{"role": "user", "content": parts}], "prompt") == "6*6?"


def gym_row(**changed: Any) -> dict[str, Any]:
    message = {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "It is \\boxed{36}."}],
    }
    thought = {"type": "reasoning", "summary": []}
    return {
        "responses_create_params": {"input": [{"role": "user", "content": "6*6?"}]},
        "response": {"id": "r", "output": [thought, message]},
        "expected_answer": "36",
        "agent_ref": {"name": "any"},
        **changed,
    }


def test_a_row_of_nemo_gym_is_read() -> None:
    sample = gym_sample(gym_row(), FIELDS)
    assert (sample.response, sample.question, sample.references) == ("It is \\boxed{36}.", "6*6?", ("36",))
    assert gym_sample(gym_row(question="six times six"), FIELDS).question == "six times six"
    other = gym_sample(gym_row(answer=[1, 2]), {**FIELDS, "reference": "answer"})
    assert other.references == ("1", "2")


def test_nemo_gym_gets_its_row_back_and_a_mask_where_nobody_could_tell() -> None:
    with Verifier() as verifier:
        right, without = verifier.grade([gym_sample(gym_row(expected_answer=e), FIELDS) for e in ("36", "")])
    told = gym_answer(gym_row(), right)
    assert (told["reward"], told["mask_sample"], told["agent_ref"]) == (1.0, False, {"name": "any"})
    assert "failure_reason" not in told
    told = gym_answer(gym_row(), without)
    assert (told["reward"], told["mask_sample"]) == (0.0, True)
    assert (told["failure_kind"], told["failure_reason"][:13]) == ("verifier_error", "bad_reference")


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"response": {"output": "36"}}, "body, response.output: expected a list"),
        ({"response": 36}, "body, response: expected an object, got a number"),
        (
            {"response": {"output": [{"type": "message", "content": 3}]}},
            r"body, response.output\[0\].content",
        ),
        ({"expected_answer": {}}, "body, expected_answer: expected text, a number"),
        ({"responses_create_params": {"input": 5}}, "body, responses_create_params.input"),
    ],
)
def test_a_faulty_row_of_nemo_gym_names_the_field(changed: dict[str, Any], fault: str) -> None:
    with pytest.raises(Malformed, match=fault):
        gym_sample(gym_row(**changed), FIELDS)


def figures(given: Any) -> dict[str, Any]:
    return asyncio.run(aggregate(given))


def test_the_figures_of_a_run_leave_out_what_was_masked() -> None:
    rows = [{"reward": 1.0}, {"reward": 0, "mask_sample": False}, {"reward": 0.0, "mask_sample": True}]
    assert figures({"verify_responses": rows}) == {
        "agent_metrics": {
            "mean/reward": 0.5,
            "coverage/measured_rollouts": 2,
            "coverage/masked_rollouts": 1,
        },
        "key_metrics": {"mean/reward": 0.5},
    }
    assert figures({"verify_responses": []})["key_metrics"] == {}


@pytest.mark.parametrize("given", [[], {}, {"verify_responses": [5]}, {"verify_responses": [{}]}])
def test_faulty_figures_are_refused(given: Any) -> None:
    with pytest.raises(Malformed, match="expected"):
        figures(given)


@pytest.mark.parametrize("reward", ["1", True, None, 10**400])
def test_a_reward_that_is_no_number_is_refused(reward: Any) -> None:
    with pytest.raises(Malformed, match=r"verify_responses\[0\], reward: expected a number"):
        figures({"verify_responses": [{"reward": reward}]})


def test_a_session_is_a_name_that_is_given_back() -> None:
    assert session({"resources_session_id": "a", "episode_id": {}}) == {"resources_session_id": "a"}
    assert session({"responses_create_params": {}}) == {}
    with pytest.raises(Malformed, match="body, resources_session_id: expected text"):
        session({"resources_session_id": 5})


def test_only_the_number_of_a_rollout_is_taken_from_a_path() -> None:
    assert without_rollout("/ng-rollout/3-1-a2/seed_session") == "/seed_session"
    for path in ("/ng-rollout/3/grade", "/ng-rollout/3/4/verify", "/ng-rollout//verify", "/verify/"):
        assert without_rollout(path) == path
