"""The LLM judge: requests, verdicts, retries, draws, identity, usage."""

from __future__ import annotations

import json
import pickle
import threading
from pathlib import Path
from typing import Any

import pytest

from hybridverify.errors import ConfigError, JudgeUnavailable
from hybridverify.judges.backends.scripted import ScriptedBackend
from hybridverify.judges.base import Backend, Failure, Judge, Reply, Request, Sampling, Subject
from hybridverify.judges.llm import LLMJudge
from hybridverify.types import Outcome, Sample, Verdict

GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "presets"


def subject(answer: str = "42", reference: Any = "42", **more: Any) -> Subject:
    return Subject(Sample(f"so {answer}", reference, "Which number?", **more), answer)


def judged(judge: LLMJudge, *subjects: Subject) -> list[Verdict]:
    prepared = judge.prepare(subjects)
    requests = [item for item in prepared if isinstance(item, Request)]
    decided = iter(judge.decide(requests))
    return [item if isinstance(item, Verdict) else next(decided) for item in prepared]


def test_it_is_a_judge_and_its_engine_a_backend() -> None:
    backend = ScriptedBackend("True")
    assert isinstance(backend, Backend)
    assert isinstance(LLMJudge("tinyv", backend), Judge)


def test_a_batch_is_one_call_in_order_with_the_answer_that_was_judged() -> None:
    backend = ScriptedBackend(["True", "False", "True"])
    got = judged(LLMJudge("tinyv", backend), subject("42"), subject("43"), subject("6*7"))
    assert backend.batch_sizes == [3]
    assert [(v.outcome.value, v.score, v.source, v.answer) for v in got] == [
        ("correct", 1.0, "judge:tinyv", "42"),
        ("incorrect", 0.0, "judge:tinyv", "43"),
        ("correct", 1.0, "judge:tinyv", "6*7"),
    ]


def test_no_requests_are_no_call() -> None:
    backend = ScriptedBackend("True")
    judge = LLMJudge("tinyv", backend)
    assert (judge.prepare([]), judge.decide([]), backend.calls) == ([], [], 0)


def test_failures_become_verdicts_of_their_own_kind() -> None:
    replies = [
        Failure(Outcome.FAILED, "died"),
        Failure(Outcome.TIMED_OUT, "slow"),
        Failure(Outcome.TOO_LONG, "long"),
    ]
    backend = ScriptedBackend(replies)
    got = judged(LLMJudge("tinyv", backend), subject("1"), subject("2"), subject("3"))
    assert [(v.outcome.value, v.score, v.reason) for v in got] == [
        ("failed", 0.0, "died"),
        ("timed_out", 0.0, "slow"),
        ("too_long", 0.0, "long"),
    ]
    assert backend.calls == 1  # an engine has its own retries


def test_an_unreadable_reply_is_asked_once_more_and_warmer() -> None:
    backend = ScriptedBackend(["True", "hm", "False", "True", "hm"])
    got = judged(LLMJudge("tinyv", backend), *(subject(str(n)) for n in range(3)))
    assert [v.outcome.value for v in got] == ["correct", "correct", "incorrect"]
    assert backend.batch_sizes == [3, 1]
    assert [(s.temperature, s.max_tokens) for s in backend.samplings] == [(0.0, 8), (0.3, 8)]


def test_a_cut_reply_is_asked_once_more_with_twice_the_room() -> None:
    cut = {"text": "I think that", "finish_reason": "length"}
    backend = ScriptedBackend([cut, "Fine.\nVerdict: ACCEPT"])
    (got,) = judged(LLMJudge("generic_cot", backend), subject())
    assert got.outcome is Outcome.CORRECT
    assert [(s.temperature, s.max_tokens) for s in backend.samplings] == [(0.0, 512), (0.0, 1024)]


def test_a_cut_reply_that_should_have_been_a_label_is_asked_once_more_and_warmer() -> None:
    backend = ScriptedBackend([{"text": "I think that the model", "finish_reason": "length"}, "True"])
    (got,) = judged(LLMJudge("tinyv", backend), subject())
    assert got.outcome is Outcome.CORRECT
    assert [(s.temperature, s.max_tokens) for s in backend.samplings] == [(0.0, 8), (0.3, 8)]


def test_cut_and_odd_replies_of_one_batch_each_get_their_own_second_call() -> None:
    cut = {"text": "I think", "finish_reason": "length"}
    backend = ScriptedBackend([cut, "odd", "Verdict: ACCEPT", "Verdict: ACCEPT"])
    got = judged(LLMJudge("generic_cot", backend), subject("1"), subject("2"))
    assert [v.outcome.value for v in got] == ["correct", "correct"]
    assert backend.batch_sizes == [2, 1, 1]


def test_what_stays_unreadable_is_unparseable_with_the_first_reason() -> None:
    backend = ScriptedBackend(["True or False", "perhaps"])
    (got,) = judged(LLMJudge("tinyv", backend), subject())
    assert (got.outcome, got.score, got.reason) == (Outcome.UNPARSEABLE, 0.0, "two different verdicts")
    assert backend.calls == 2


def test_a_second_reply_may_also_say_that_there_is_no_usable_answer() -> None:
    (got,) = judged(LLMJudge("compass_verifier", ScriptedBackend(["hm", "C"])), subject())
    assert got.outcome is Outcome.INVALID


def test_a_second_call_that_fails_leaves_the_reply_unparseable() -> None:
    backend = ScriptedBackend(["hm", Failure(Outcome.FAILED, "died")])
    (got,) = judged(LLMJudge("tinyv", backend), subject())
    assert got.outcome is Outcome.UNPARSEABLE


def test_the_second_call_can_be_turned_off() -> None:
    backend = ScriptedBackend("hm")
    (got,) = judged(LLMJudge("tinyv", backend, retry_unparseable=False), subject())
    assert (got.outcome, backend.calls) == (Outcome.UNPARSEABLE, 1)


def test_an_engine_that_cannot_be_reached_is_raised() -> None:
    judge = LLMJudge("tinyv", ScriptedBackend(JudgeUnavailable("nobody there")))
    with pytest.raises(JudgeUnavailable, match="nobody there"):
        judged(judge, subject())


class NoContext(ScriptedBackend):
    def context_tokens(self) -> int:
        raise JudgeUnavailable("nobody there")


def test_requests_are_made_without_an_engine_so_that_a_full_cache_needs_none() -> None:
    (request,) = LLMJudge("tinyv", NoContext("True")).prepare([subject()])
    assert isinstance(request, Request)


def test_the_payload_is_the_final_prompt_and_equal_questions_are_equal() -> None:
    judge = LLMJudge("generic", ScriptedBackend(""))
    first, second, third = judge.prepare(
        [subject(), subject(meta={"extra_info": {"index": 7}}), subject("43")]
    )
    assert isinstance(first, Request)
    assert isinstance(second, Request)
    assert isinstance(third, Request)
    assert first.payload == second.payload != third.payload
    assert first.payload == [[m.role, m.content] for m in first.prompt.messages]
    raw = LLMJudge("general_verifier", ScriptedBackend("")).prepare([subject()])[0]
    assert isinstance(raw, Request)
    assert raw.payload == raw.prompt.text != ""


def test_rows_that_lack_something_get_their_verdict_without_a_call() -> None:
    backend = ScriptedBackend("Total Score: 8/10")
    rubric = LLMJudge("rubric", backend)
    without, with_nested, with_list = judged(
        rubric,
        subject(),
        subject(meta={"extra_info": {"criteria": "4 points for the sum"}}),
        subject(meta={"criteria": ["sum: 4", "sign: 6"]}),
    )
    assert (without.outcome, without.source) == (Outcome.FAILED, "judge:rubric")
    assert "criteria" in without.reason
    assert with_nested.score == with_list.score == 0.8
    assert ["4 points for the sum" in p for p in backend.prompts] == [True, False]
    assert "- sum: 4\n- sign: 6" in backend.prompts[1]
    (no_reference,) = judged(LLMJudge("tinyv", backend), subject(reference=None))
    assert no_reference.outcome is Outcome.BAD_REFERENCE
    assert len(backend.prompts) == 2


def test_a_rubric_needs_no_reference_and_shows_none() -> None:
    backend = ScriptedBackend("Total Score: 10/10")
    (got,) = judged(LLMJudge("rubric", backend), subject(reference="SECRET", meta={"criteria": "c"}))
    assert got.outcome is Outcome.CORRECT
    assert "SECRET" not in backend.prompts[0]
    assert not LLMJudge("rubric", backend).needs_reference
    assert LLMJudge("tinyv", backend).needs_reference


def test_a_score_below_the_scale_is_zero_and_says_so() -> None:
    (got,) = judged(
        LLMJudge("rubric", ScriptedBackend("Total Score: -3/10")), subject(meta={"criteria": "c"})
    )
    assert (got.outcome, got.score) == (Outcome.INCORRECT, 0.0)
    assert "below the scale" in got.reason


def template(folder: Path, text: str) -> str:
    path = folder / "judge.txt"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_template_may_use_the_row_s_own_judge_prompt(tmp_path: Path) -> None:
    backend = ScriptedBackend("yes")
    judge = LLMJudge(template_file=template(tmp_path, "{rm_prompt}\n\nAnswer: {response}"), backend=backend)
    rows = [
        subject(meta={"rm_prompt": "Is {response} polite? <|im_end|>"}),
        subject(meta={"rm_prompt": ""}),
        subject(reference=None),
    ]
    assert [v.outcome.value for v in judged(judge, *rows)] == ["correct"] * 3
    assert backend.prompts == [
        "Is {response} polite? < |im_end|>\n\nAnswer: so 42",
        "Question:\nWhich number?\n\nReference answer:\n42\n\nAnswer: so 42",
        "Question:\nWhich number?\n\nAnswer: so 42",
    ]


def test_draws_of_one_judge_are_one_vote_by_majority() -> None:
    cases: list[tuple[tuple[str, ...], str, float]] = [
        (("True", "False", "True"), "correct", 1.0),
        (("False", "False", "True"), "incorrect", 0.0),
        (("True", "hm", "hm"), "correct", 1.0),
        (("True", "False", "hm"), "undecided", 0.0),
        (("True", "False", "False", "True"), "undecided", 0.0),
    ]
    for texts, outcome, score in cases:
        backend = ScriptedBackend(Reply(texts, ("stop",) * len(texts)))
        judge = LLMJudge("tinyv", backend, sampling={"n": len(texts), "temperature": 0.7})
        (got,) = judged(judge, subject())
        assert (got.outcome.value, got.score) == (outcome, score), texts
        assert backend.calls == 1


def test_draws_of_a_rubric_are_averaged() -> None:
    texts = ("Total Score: 8/10", "Total Score: 6/10", "Total Score: 10/10", "no total")
    backend = ScriptedBackend(Reply(texts, ("stop",) * 4))
    judge = LLMJudge("rubric", backend, sampling={"n": 4, "temperature": 1.0})
    (got,) = judged(judge, subject(meta={"criteria": "c"}))
    assert got.outcome is Outcome.PARTIAL
    assert got.score == pytest.approx(0.8)
    assert got.reason == "mean of 3 draws"


def test_no_draw_readable_is_unparseable_and_retried() -> None:
    backend = ScriptedBackend(Reply(("hm", "ha", "ho"), ("stop",) * 3))
    (got,) = judged(LLMJudge("tinyv", backend, sampling={"n": 3, "temperature": 0.7}), subject())
    assert (got.outcome, backend.calls) == (Outcome.UNPARSEABLE, 2)


def test_p_yes_asks_for_log_probabilities_by_itself() -> None:
    backend = ScriptedBackend({"text": "True", "logprobs": [{"True": -0.105, "False": -2.303}]})
    judge = LLMJudge("tinyv", backend, score="p_yes", threshold=0.95)
    (got,) = judged(judge, subject())
    assert backend.samplings[0].logprobs == 5
    assert got.outcome is Outcome.INCORRECT
    assert got.score == pytest.approx(0.9, abs=0.001)
    assert LLMJudge("tinyv", backend, score="p_yes", sampling={"logprobs": 20}).sampling.logprobs == 20


def test_p_yes_is_not_asked_again_where_the_second_reply_would_be_the_first() -> None:
    for preset, reply, calls in (
        ("tinyv", {"text": "It", "logprobs": [{"It": -0.1}]}, 1),
        ("generic_cot", {"text": "Verdict: ACCEPT"}, 1),
        ("generic_cot", {"text": "Hm", "logprobs": [{"Hm": -0.1}]}, 2),
    ):
        backend = ScriptedBackend(reply)
        (got,) = judged(LLMJudge(preset, backend, score="p_yes"), subject())
        assert (got.outcome, backend.calls) == (Outcome.UNPARSEABLE, calls)


def test_sampling_overrides_single_values_of_the_preset_s() -> None:
    judge = LLMJudge("general_verifier", ScriptedBackend(""), sampling={"max_tokens": 1024, "stop": "\n\n"})
    assert judge.sampling == Sampling(temperature=0.0, top_p=1.0, max_tokens=1024, stop=("\n\n",))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"sampling": {"temprature": 1}}, "sampling.temprature: no such setting; did you mean 'temperature'"),
        ({"sampling": {"max_tokens": 0}}, "at least 1"),
        ({"sampling": {"max_tokens": "many"}}, "sampling.max_tokens: expected int"),
        ({"sampling": {"max_tokens": True}}, "sampling.max_tokens: expected int"),
        ({"sampling": {"temperature": -1}}, "temperature must be at least 0"),
        ({"sampling": {"temperature": float("nan")}}, "temperature must be at least 0"),
        ({"sampling": {"top_p": 0}}, "top_p"),
        ({"sampling": {"n": 5}}, "all the same"),
        ({"preset": "tinyw"}, "no judge preset 'tinyw'"),
        ({"weight": float("inf")}, "weight"),
        ({"score": "p_yes", "preset": "rubric"}, "no label at a fixed place"),
        ({"score": "probability"}, "score"),
        ({"abstain": [0.9, 0.1], "score": "p_yes"}, "abstain"),
        ({"template_file": "absent.txt"}, "absent.txt"),
    ],
)
def test_a_wrong_setting_is_refused_when_the_judge_is_made(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        LLMJudge(**{"preset": "tinyv", "backend": ScriptedBackend(""), **settings})


def test_a_judge_without_an_engine_is_refused() -> None:
    with pytest.raises(ConfigError, match="needs a backend"):
        LLMJudge("tinyv")


def test_the_identity_is_fixed() -> None:
    judge = LLMJudge(
        "tinyv", ScriptedBackend("", model="some/model", revision="abc"), weight=0.3, name="mine"
    )
    assert json.dumps(judge.identity(), sort_keys=True, indent=1) + "\n" == (
        GOLDEN / "identity.json"
    ).read_text("utf-8")


@pytest.mark.parametrize(
    "change",
    [
        {"preset": "tinyv_qwen3"},
        {"backend": ScriptedBackend("", model="other")},
        {"backend": ScriptedBackend("", revision="other")},
        {"sampling": {"max_tokens": 9}},
        {"sampling": {"temperature": 0.5}},
        {"sampling": {"temperature": 0.5, "seed": 1}},
        {"sampling": {"temperature": 0.5, "n": 3}},
        {"score": "p_yes"},
        {"score": "p_yes", "threshold": 0.6},
        {"score": "p_yes", "abstain": (0.1, 0.2)},
        {"context_tokens": 2048},
        {"response_tokens": 100},
        {"retry_unparseable": False},
        {"hooks": {"postprocess": len}},
    ],
)
def test_whatever_may_change_a_verdict_changes_the_identity(change: dict[str, Any]) -> None:
    plain: dict[str, Any] = {"preset": "tinyv", "backend": ScriptedBackend("")}
    seen = {
        json.dumps(LLMJudge(**settings).identity(), sort_keys=True)
        for settings in (plain, {**plain, **change})
    }
    assert len(seen) == 2


@pytest.mark.parametrize("same", [{"weight": 7.0}, {"name": "other"}, {"sampling": {"temperature": 0}}])
def test_weight_and_name_do_not_change_the_identity(same: dict[str, Any]) -> None:
    plain = LLMJudge("tinyv", ScriptedBackend("")).identity()
    assert LLMJudge("tinyv", ScriptedBackend("x"), **same).identity() == plain


@pytest.mark.parametrize("preset", [None, "xverify"])
def test_a_changed_template_file_changes_the_identity(tmp_path: Path, preset: str | None) -> None:
    body = "{question} {reference} {response}"

    def identity(text: str) -> dict[str, Any]:
        return LLMJudge(preset, ScriptedBackend(""), template_file=template(tmp_path, text)).identity()

    assert identity(body) == identity(body)
    assert identity(body) != identity(body + "!")
    if preset:
        assert identity(body) != LLMJudge(preset, ScriptedBackend("")).identity()


def test_usage_counts_what_was_spent() -> None:
    backend = ScriptedBackend(["hm", "True"], delay_s=0.01)
    judge = LLMJudge("tinyv", backend)
    judged(judge, subject())
    used = judge.usage()
    assert (used["requests"], used["retries"], used["output_tokens"]) == (2, 1, 2)
    assert used["prompt_tokens"] == 2 * backend.count_tokens(backend.prompts[:1])[0]
    assert used["seconds"] >= 0.02


def test_many_threads_may_use_one_judge() -> None:
    judge = LLMJudge("tinyv", ScriptedBackend("True"))
    threads = [
        threading.Thread(target=judged, args=(judge, *[subject(str(i)) for i in range(20)])) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert judge.usage()["requests"] == 160


def test_closing_the_judge_closes_its_engine() -> None:
    backend = ScriptedBackend("True")
    LLMJudge("tinyv", backend).close()
    assert backend.closed


def test_a_judge_travels_to_another_process() -> None:
    judge = pickle.loads(pickle.dumps(LLMJudge("compass_verifier_cot", ScriptedBackend("\\boxed{A}"))))  # noqa: S301
    assert judged(judge, subject())[0].outcome is Outcome.CORRECT


if __name__ == "__main__":
    fixed = LLMJudge(
        "tinyv", ScriptedBackend("", model="some/model", revision="abc"), weight=0.3, name="mine"
    )
    text = json.dumps(fixed.identity(), sort_keys=True, indent=1) + "\n"
    (GOLDEN / "identity.json").write_text(text, encoding="utf-8")
