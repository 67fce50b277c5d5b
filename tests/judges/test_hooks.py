"""Users' own preprocess and postprocess, as VeRL-with-RMs has them."""

from __future__ import annotations

import json
import pickle
from collections.abc import Sequence
from typing import Any

import pytest

from hybridverify.errors import ConfigError
from hybridverify.judges.backends.scripted import ScriptedBackend
from hybridverify.judges.base import Failure, Message, Prompt, Request, Subject
from hybridverify.judges.hooks import Hooks, MessageTokenizer
from hybridverify.judges.llm import LLMJudge
from hybridverify.types import Outcome, Sample, Verdict


class Numbers:
    """Stands for an array of NumPy or torch."""

    def __init__(self, values: list[float]) -> None:
        self._values = values

    def tolist(self) -> list[float]:
        return self._values


def rm_preprocess(text_prompts: list[str], text_responses: list[str], tgt_tokenizer: Any) -> list[str]:
    return [
        tgt_tokenizer.apply_chat_template(
            [{"role": "user", "content": f"{prompt} -> {response}?"}],
            tokenize=False,
            add_generation_prompt=True,
        )
        for prompt, response in zip(text_prompts, text_responses, strict=True)
    ]


def rm_postprocess(results: list[str]) -> list[float]:
    return [float(result) for result in results]


def nothing() -> list[str]:
    return []


HERE = f"{__name__}:"
ROWS = [
    Subject(Sample("so 42", "42", "Which number?"), "42"),
    Subject(Sample("so 43", "42", "Which number?", meta={"rm_prompt": "Judge this"}), "43"),
    Subject(Sample("so 44", "42", "Which number?", meta={"rm_prompt": ""}), "44"),
]


def judge(replies: Any = "0.5", **hooks: Any) -> LLMJudge:
    return LLMJudge("generic", ScriptedBackend(replies), hooks=hooks)


def verdicts(judge: LLMJudge, rows: Sequence[Subject] = ROWS) -> list[Verdict]:
    requests = [item for item in judge.prepare(rows) if isinstance(item, Request)]
    return judge.decide(requests)


def test_hooks_by_name_build_the_prompt_and_read_the_scores() -> None:
    made = judge(
        ["1", "0.25", "-2.5"], preprocess=HERE + "rm_preprocess", postprocess=HERE + "rm_postprocess"
    )
    prepared = made.prepare(ROWS)
    assert [item.prompt for item in prepared if isinstance(item, Request)] == [
        Prompt(messages=(Message("user", "Which number? -> so 42?"),)),
        Prompt(messages=(Message("user", "Judge this -> so 43?"),)),
        Prompt(messages=(Message("user", "Which number? -> so 44?"),)),
    ]
    got = made.decide([item for item in prepared if isinstance(item, Request)])
    assert [(v.outcome.value, v.score, v.answer) for v in got] == [
        ("correct", 1.0, "42"),
        ("partial", 0.25, "43"),
        ("incorrect", -2.5, "44"),
    ]


def test_a_hook_is_called_by_keyword_when_its_names_match_and_by_position_otherwise() -> None:
    seen: dict[str, Any] = {}

    def by_name(*, text_responses: list[str], references: list[str]) -> list[str]:
        seen["by_name"] = (text_responses, references)
        return text_responses

    def by_position(prompts: list[str], answers: list[str], tokenizer: object) -> list[str]:
        seen["by_position"] = (prompts, answers, tokenizer is not None)
        return answers

    def half_named(text_prompts: list[str], answers: list[str], tokenizer: object) -> list[str]:
        seen["half_named"] = answers
        return answers

    def anything(*args: Any) -> list[str]:
        seen["anything"] = len(args)
        return list(args[1])

    for hook in (by_name, by_position, half_named, anything):
        assert len(verdicts(judge("ACCEPT", preprocess=hook))) == 3
    responses = ["so 42", "so 43", "so 44"]
    assert seen["by_name"] == (responses, ["42"] * 3)
    assert seen["by_position"] == (["Which number?", "Judge this", "Which number?"], responses, True)
    assert seen["half_named"] == responses
    assert seen["anything"] == 3


def test_a_text_is_sent_raw_and_messages_as_a_chat() -> None:
    def mixed(text_prompts: list[str], text_responses: list[str], tgt_tokenizer: Any) -> list[Any]:
        return ["raw text", [{"role": "user", "content": "chat"}], "raw again"]

    prepared = judge("ACCEPT", preprocess=mixed).prepare(ROWS)
    prompts = [item.prompt for item in prepared if isinstance(item, Request)]
    assert prompts == [
        Prompt(text="raw text"),
        Prompt(messages=(Message("user", "chat"),)),
        Prompt(text="raw again"),
    ]


def test_the_engine_s_own_tokenizer_is_handed_on() -> None:
    backend = ScriptedBackend("ACCEPT")
    backend.tokenizer = "the tokenizer"  # type: ignore[attr-defined]
    got: list[Any] = []

    def spy(text_prompts: list[str], text_responses: list[str], tgt_tokenizer: Any) -> list[str]:
        got.append(tgt_tokenizer)
        return text_prompts

    LLMJudge("generic", backend, hooks={"preprocess": spy}).prepare(ROWS)
    assert got == ["the tokenizer"]


def test_one_hook_alone_leaves_the_other_half_to_the_preset() -> None:
    assert [v.score for v in verdicts(judge("REJECT", preprocess=rm_preprocess))] == [0.0] * 3
    own = judge("0.75", postprocess=rm_postprocess)
    assert [v.score for v in verdicts(own)] == [0.75] * 3
    assert "<answer " in own.backend.prompts[0]  # type: ignore[attr-defined]


def test_only_answered_prompts_reach_postprocess() -> None:
    replies = ["1", Failure(Outcome.TIMED_OUT, "no answer"), "0"]
    got = verdicts(judge(replies, preprocess=rm_preprocess, postprocess=rm_postprocess))
    assert [(v.outcome.value, v.score) for v in got] == [
        ("correct", 1.0),
        ("timed_out", 0.0),
        ("incorrect", 0.0),
    ]


@pytest.mark.parametrize(
    ("postprocess", "reason"),
    [
        (lambda results: [1.0], "postprocess gave 1 scores for 3 results"),
        (lambda results: None, "postprocess raised TypeError"),
        (lambda results: [1 / 0 for _ in results], "postprocess raised ZeroDivisionError"),
        (lambda results: [float("nan") for _ in results], "postprocess gave a score that is not finite"),
        (lambda results: [float("inf") for _ in results], "postprocess gave a score that is not finite"),
        (lambda results: ["1" for _ in results], "postprocess gave str, not a number"),
        (lambda results: [None for _ in results], "postprocess gave NoneType, not a number"),
    ],
)
def test_a_postprocess_that_goes_wrong_fails_its_rows(postprocess: Any, reason: str) -> None:
    for v in verdicts(judge("1", postprocess=postprocess)):
        assert (v.outcome, v.score, v.reason) == (Outcome.FAILED, 0.0, reason)


@pytest.mark.parametrize(
    ("preprocess", "reason"),
    [
        (lambda p, r, t: p[:1], "preprocess gave 1 texts for 3 rows"),
        (lambda p, r, t: [1, 2, 3], "preprocess must give texts or chat messages, not int"),
        (lambda p, r, t: [{"role": "user"}] * 3, "preprocess must give texts or chat messages, not dict"),
        (lambda p, r, t: {"a": p}["absent"], "preprocess raised KeyError"),
        (nothing, "preprocess gave 0 texts for 3 rows"),
    ],
)
def test_a_preprocess_that_goes_wrong_fails_its_rows(preprocess: Any, reason: str) -> None:
    for v in judge("1", preprocess=preprocess).prepare(ROWS):
        assert isinstance(v, Verdict)
        assert (v.outcome, v.reason, v.source) == (Outcome.FAILED, reason, "judge:generic")


def test_a_hook_that_raises_is_tried_row_by_row_and_fails_the_bad_row_alone() -> None:
    made = judge(["1", "none", "0.5"], preprocess=rm_preprocess, postprocess=rm_postprocess)
    got = verdicts(made)
    assert [(v.outcome.value, v.score) for v in got] == [("correct", 1.0), ("failed", 0.0), ("partial", 0.5)]
    assert got[1].reason == "postprocess raised ValueError"
    assert not any(v.silent for v in got)
    assert made.backend.batch_sizes == [3]  # type: ignore[attr-defined]

    def picky(text_prompts: list[str], text_responses: list[str], tgt_tokenizer: Any) -> list[str]:
        return [{"so 42": "first", "so 44": "third"}[response] for response in text_responses]

    first, bad, third = judge("ACCEPT", preprocess=picky).prepare(ROWS)
    assert isinstance(bad, Verdict)
    assert (bad.outcome, bad.reason) == (Outcome.FAILED, "preprocess raised KeyError")
    prompts = [one.prompt.text for one in (first, third) if isinstance(one, Request)]
    assert prompts == ["first", "third"]


def test_a_hook_that_raises_is_called_once_for_all_and_once_for_each_row() -> None:
    seen: list[list[str]] = []

    def strict(results: list[str]) -> list[float]:
        seen.append(results)
        return [float(result) for result in results]

    verdicts(judge(["1", "none", "0"], postprocess=strict))
    assert seen == [["1", "none", "0"], ["1"], ["none"], ["0"]]


def test_a_text_of_the_wrong_kind_fails_its_own_row() -> None:
    def one_bad(text_prompts: list[str], text_responses: list[str], tgt_tokenizer: Any) -> list[Any]:
        return ["text", None, "text"]

    prepared = judge("ACCEPT", preprocess=one_bad).prepare(ROWS)
    assert [isinstance(one, Verdict) for one in prepared] == [False, True, False]


def test_arrays_and_booleans_are_scores_too() -> None:
    for values in (Numbers([1.0, 0.0, 0.5]), [True, False, 0.5], [[1.0], [0.0], [0.5]], (1, 0, 0.5)):
        got = verdicts(judge("x", postprocess=lambda results, values=values: values))
        assert [v.score for v in got] == [1.0, 0.0, 0.5]


def test_several_draws_reach_postprocess_together() -> None:
    seen: list[Any] = []

    def count(results: list[Any]) -> list[float]:
        seen.extend(results)
        return [1.0 for _ in results]

    made = LLMJudge(
        "generic", ScriptedBackend("a"), hooks={"postprocess": count}, sampling={"n": 3, "temperature": 0.7}
    )
    verdicts(made)
    assert seen == [["a", "a", "a"]] * 3


@pytest.mark.parametrize(
    ("hooks", "message"),
    [
        ({"preproces": len}, "hooks.preproces: no such hook; did you mean 'preprocess'"),
        ({"preprocess": "no_colon"}, "expected 'module:function'"),
        ({"preprocess": "no.such.module:f"}, "no.such.module"),
        ({"postprocess": HERE + "no_such"}, "no_such"),
        ({"postprocess": 5}, "cannot be called"),
        ({"postprocess": HERE + "HERE"}, "cannot be called"),
    ],
)
def test_wrong_hooks_are_refused_when_the_judge_is_made(hooks: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        judge(**hooks)


def test_a_changed_hook_is_another_judge() -> None:
    one = judge(postprocess=lambda results: [1.0 for _ in results]).identity()
    other = judge(postprocess=lambda results: [0.0 for _ in results]).identity()
    assert json.dumps(one) != json.dumps(other)
    assert one["hooks"].keys() == {"postprocess"}


def test_a_judge_with_named_hooks_travels_to_another_process() -> None:
    made = judge("1", preprocess=HERE + "rm_preprocess", postprocess=HERE + "rm_postprocess")
    again = pickle.loads(pickle.dumps(made))  # noqa: S301
    assert [v.score for v in verdicts(again)] == [1.0] * 3


def test_the_stand_in_tokenizer_says_that_it_makes_no_tokens() -> None:
    with pytest.raises(TypeError, match="tokenize=False"):
        MessageTokenizer().apply_chat_template([{"role": "user", "content": "x"}], tokenize=True)
    text = MessageTokenizer().apply_chat_template([{"role": "user", "content": "x"}], tokenize=False)
    assert (str(text), text.messages) == ("user: x", (Message("user", "x"),))


def test_hooks_given_as_hooks_are_kept() -> None:
    hooks = Hooks(postprocess=rm_postprocess)
    assert Hooks.from_setting(hooks) is hooks
    assert Hooks.from_setting(None) == Hooks()
