"""The scripted backend and the scripted judge that ship to users for their own tests."""

from __future__ import annotations

import pickle
import time
from typing import Any

import pytest

import hybridverify as hv
from hybridverify.errors import ConfigError, JudgeUnavailable
from hybridverify.judges.backends.scripted import ScriptedBackend
from hybridverify.judges.base import Failure, Message, Prompt, Reply, Sampling
from hybridverify.testing import FunctionBackend, ScriptedJudge
from hybridverify.types import Outcome


def texts(backend: ScriptedBackend, *prompts: str, **sampling: Any) -> list[Any]:
    replies = backend.complete([Prompt(text=prompt) for prompt in prompts], Sampling(**sampling))
    return [reply.texts[0] if isinstance(reply, Reply) else reply.outcome.value for reply in replies]


def test_one_text_answers_everything() -> None:
    assert texts(ScriptedBackend("True"), "a", "b") == ["True", "True"]


def test_a_list_is_taken_in_order_and_again_from_its_start() -> None:
    backend = ScriptedBackend(["x", "y"])
    assert texts(backend, "a", "b", "c") == ["x", "y", "x"]
    assert texts(backend, "d") == ["y"]


def test_a_list_that_does_not_cycle_is_used_up() -> None:
    assert texts(ScriptedBackend(["x"], cycle=False), "a", "b") == ["x", "failed"]


def test_a_mapping_is_looked_up_by_a_part_of_the_prompt() -> None:
    assert texts(ScriptedBackend({"one": "1", "two": "2"}), "number two", "one", "three") == [
        "2",
        "1",
        "failed",
    ]


async def _awaited(question: str, reference: str, answer: str) -> bool:
    return True


@pytest.mark.parametrize(
    ("replies", "told"), [([], "the list of replies is empty"), (_awaited, "async function")]
)
def test_a_script_that_can_say_nothing_is_refused(replies: Any, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        ScriptedJudge(replies)


def test_a_function_is_given_the_prompt() -> None:
    assert texts(ScriptedBackend(str.upper), "a", "b") == ["A", "B"]


def test_a_function_backend_shows_its_function_the_whole_prompt() -> None:
    def reply(prompt: Prompt, sampling: Sampling) -> str | Failure:
        return prompt.messages[-1].content if sampling.n < 3 else Failure(Outcome.FAILED, "too many")

    backend = FunctionBackend(reply, "mine")
    asked = [Prompt(messages=(Message("system", "S"), Message("user", "U")))]
    (twice,) = backend.complete(asked, Sampling(n=2, temperature=1.0))
    assert isinstance(twice, Reply)
    assert twice.texts == ("U", "U")
    (refused,) = backend.complete(asked, Sampling(n=3, temperature=1.0))
    assert isinstance(refused, Failure)
    assert (backend.name, backend.model, backend.context_tokens()) == ("mine", "mine", 0)


def test_a_chat_is_its_messages_texts() -> None:
    backend = ScriptedBackend("x")
    backend.complete([Prompt(messages=(Message("system", "S"), Message("user", "U")))], Sampling())
    assert backend.prompts == ["S\n\nU"]


def test_what_was_asked_is_recorded() -> None:
    backend = ScriptedBackend("x")
    texts(backend, "a", "b")
    texts(backend, "c", temperature=0.5)
    assert (backend.prompts, backend.batch_sizes, backend.calls) == (["a", "b", "c"], [2, 1], 2)
    assert [s.temperature for s in backend.samplings] == [0.0, 0.5]


def test_failures_and_whole_replies_can_be_scripted_in_python_and_in_a_file() -> None:
    script = [
        Failure(Outcome.FAILED, "a"),
        {"outcome": "timed_out", "reason": "b"},
        {"text": "cut", "finish_reason": "length"},
        Reply(("own",)),
    ]
    backend = ScriptedBackend(script)
    got = backend.complete([Prompt(text=str(n)) for n in range(4)], Sampling())
    assert got[0] == Failure(Outcome.FAILED, "a")
    assert got[1] == Failure(Outcome.TIMED_OUT, "b")
    assert isinstance(got[2], Reply)
    assert (got[2].texts, got[2].finish_reasons) == (("cut",), ("length",))
    assert got[3] == Reply(("own",))


def test_one_whole_reply_is_not_taken_for_a_mapping() -> None:
    assert texts(ScriptedBackend({"text": "a"}), "x") == ["a"]
    assert texts(ScriptedBackend({"outcome": "failed"}), "x") == ["failed"]


def test_log_probabilities_come_only_when_asked_for() -> None:
    backend = ScriptedBackend({"text": "True", "logprobs": [{"True": -0.1}]})
    for wanted, given in ((0, ()), (5, ({"True": -0.1},))):
        (reply,) = backend.complete([Prompt(text="x")], Sampling(logprobs=wanted))
        assert isinstance(reply, Reply)
        assert reply.logprobs == given


def test_n_draws_are_n_texts() -> None:
    (reply,) = ScriptedBackend("a").complete([Prompt(text="x")], Sampling(n=3, temperature=1.0))
    assert isinstance(reply, Reply)
    assert reply.texts == ("a", "a", "a")


def test_an_exception_in_the_script_is_raised() -> None:
    with pytest.raises(JudgeUnavailable):
        texts(ScriptedBackend(JudgeUnavailable("down")), "x")


@pytest.mark.load
def test_a_slow_engine_can_be_played() -> None:
    begin = time.perf_counter()
    texts(ScriptedBackend("x", delay_s=0.05), "a")
    assert time.perf_counter() - begin >= 0.05


@pytest.mark.parametrize("replies", [[], ()])
def test_an_empty_script_is_refused(replies: Any) -> None:
    with pytest.raises(ConfigError, match="empty"):
        ScriptedBackend(replies)


def test_what_is_no_reply_is_refused_by_name() -> None:
    with pytest.raises(ConfigError, match="5 is no reply"):
        texts(ScriptedBackend([5]), "x")


def test_a_scripted_backend_travels_to_another_process() -> None:
    again = pickle.loads(pickle.dumps(ScriptedBackend(["a", "b"])))  # noqa: S301
    assert texts(again, "x", "y") == ["a", "b"]


ROW = hv.Sample("It is a half.", "1/2", "What is left?")


def graded(judge: Any, *samples: hv.Sample, **settings: Any) -> list[hv.Grade]:
    with hv.Verifier(
        rules=["gsm8k"], policy="judge_only", judges=[judge], cache=None, **settings
    ) as verifier:
        return verifier.grade(samples or [ROW])


@pytest.mark.parametrize(
    ("reply", "outcome", "score"),
    [
        (True, "correct", 1.0),
        (False, "incorrect", 0.0),
        ("correct", "correct", 1.0),
        ("incorrect", "incorrect", 0.0),
        (Outcome.CORRECT, "correct", 1.0),
        ("ACCEPT", "correct", 1.0),
        ("no label", "unparseable", 0.0),
        (Outcome.UNPARSEABLE, "unparseable", 0.0),
        ("timed_out", "timed_out", 0.0),
        (Failure(Outcome.TOO_LONG, "long"), "too_long", 0.0),
        ([False, True], "incorrect", 0.0),
        (
            lambda question, reference, answer: (question, reference) == ("What is left?", "1/2"),
            "correct",
            1.0,
        ),
    ],
)
def test_a_scripted_judge_says_what_it_was_told(reply: Any, outcome: str, score: float) -> None:
    (grade,) = graded(ScriptedJudge(reply))
    assert (grade.judge.outcome.value, grade.judge.score) == (outcome, score)


def test_a_mapping_answers_by_the_answer_judged() -> None:
    judge = ScriptedJudge({"1/2": True, "1/3": False})
    samples = [hv.Sample(answer, "0.5") for answer in ("1/2", "1/3", "1/4")]
    assert [g.judge.outcome.value for g in graded(judge, *samples)] == ["correct", "incorrect", "failed"]


def test_what_was_asked_is_listed_once_though_an_odd_reply_was_asked_again() -> None:
    judge = ScriptedJudge(["odd", True])
    graded(judge)
    assert judge.asked == [("What is left?", "1/2", judge.asked[0][2])]
    assert "half" in judge.asked[0][2]
    assert len(judge.prompts) == 2


@pytest.mark.parametrize(
    "preset", ["tinyv", "general_verifier", "compass_verifier_cot", "xverify", "master_rm"]
)
def test_every_family_can_be_scripted(preset: str) -> None:
    assert [graded(ScriptedJudge(reply, preset))[0].score for reply in (True, False)] == [1.0, 0.0]


def test_a_rubric_is_scripted_by_its_score() -> None:
    sample = hv.Sample("It is a half.", "1/2", "What is left?", meta={"criteria": "10 points for the half"})
    assert graded(ScriptedJudge(0.8, "rubric"), sample)[0].score == pytest.approx(0.8)


def test_p_yes_is_scripted_by_its_probability() -> None:
    (grade,) = graded(ScriptedJudge(0.8, score="p_yes"))
    assert grade.judge.p_yes == pytest.approx(0.8)
    assert grade.judge.outcome is Outcome.CORRECT
    (unsure,) = graded(ScriptedJudge(0.5, score="p_yes", abstain=(0.4, 0.6)))
    assert (unsure.judge.outcome, unsure.graded) == (Outcome.UNDECIDED, False)


def test_an_outcome_that_a_family_cannot_say_is_refused() -> None:
    with pytest.raises(ConfigError, match="'generic' has no words for the outcome 'invalid'"):
        graded(ScriptedJudge("invalid"))
    assert graded(ScriptedJudge("invalid", "compass_verifier"))[0].judge.outcome is Outcome.INVALID


@pytest.mark.parametrize("replies", [["True"], "True", {"half": "True"}, [{"text": "True"}]])
def test_a_configuration_may_script_its_judge(replies: Any) -> None:
    entry = {"preset": "tinyv", "backend": {"name": "scripted", "replies": replies}}
    settings = {"rules": ["gsm8k"], "policy": "judge_only", "judges": [entry], "cache": None}
    with hv.Verifier.from_config(settings) as verifier:
        assert [
            g.score for g in verifier.grade([ROW, hv.Sample("Half of it, a half.", "1/2", "And now?")])
        ] == [1.0, 1.0]
