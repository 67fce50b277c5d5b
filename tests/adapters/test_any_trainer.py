"""`make_reward`: the calls of trainers, what a row without a grade earns, and faults in one line."""

from __future__ import annotations

import asyncio
import inspect
import math
import pickle
import signal
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hybridverify.adapters.any_trainer import Reward
from hybridverify.adapters.areal import reward_function as areal_reward
from hybridverify.adapters.lm_eval import processor
from hybridverify.adapters.ms_swift import AsyncHybridORM, HybridORM
from hybridverify.adapters.skyrl import HybridEnv
from hybridverify.adapters.trl import async_reward_function, reward_function
from hybridverify.adapters.verifiers import UngradedRollout, group_reward, rollout_reward, trace_reward

import hybridverify as hv
from hybridverify.errors import ConfigError, HybridVerifyError, InputError
from hybridverify.types import SKIPPED, Grade, Outcome, Sample, Verdict

QUESTION, REFERENCE = "What is 6*7?", "42"
RIGHT, WRONG = r"So it is \boxed{42}.", r"So it is \boxed{41}."


class Deaf:
    """Grades right and wrong answers, and nothing that asks for help."""

    def __init__(self) -> None:
        self.seen: list[Sample] = []

    def grade(self, samples: list[Sample]) -> list[Grade]:
        self.seen += samples
        return [self._one(sample) for sample in samples]

    def _one(self, sample: Sample) -> Grade:
        if "help" in sample.response:
            lost = Verdict(Outcome.FAILED, reason="no answer")
            return Grade(0.0, False, Outcome.FAILED, SKIPPED, lost, judge_asked=True)
        right = f"{{{sample.references[0]}}}" in sample.response
        rule = Verdict(Outcome.CORRECT if right else Outcome.INCORRECT, float(right))
        return Grade(rule.score, True, rule.outcome, rule, SKIPPED)


@pytest.fixture
def reward() -> Reward:
    return hv.make_reward(cache=None)


def chat(text: str, role: str = "user") -> list[dict[str, Any]]:
    return [{"role": "system", "content": "Be brief."}, {"role": role, "content": text}]


# how trainers call


def test_trls_call_with_chats_and_texts(reward: Reward) -> None:
    chats = [[{"role": "assistant", "content": said}] for said in (RIGHT, WRONG)]
    columns = {"completion_ids": [[1], [2]], "trainer_state": SimpleNamespace(), "answer": [REFERENCE] * 2}
    assert reward(prompts=[chat(QUESTION)] * 2, completions=chats, **columns) == [1.0, 0.0]
    assert reward(prompts=[QUESTION] * 2, completions=[RIGHT, WRONG], solution=[REFERENCE] * 2) == [1.0, 0.0]


def test_trls_logs_are_filled_where_they_are_lent(reward: Reward) -> None:
    columns: dict[str, list[Any]] = {}
    numbers: dict[str, float] = {}
    reward(
        prompts=[QUESTION] * 2,
        completions=[RIGHT, WRONG],
        answer=[REFERENCE] * 2,
        log_extra=columns.__setitem__,
        log_metric=numbers.__setitem__,
    )
    assert columns == {
        "hv_outcome": ["correct", "incorrect"],
        "hv_graded": [True, True],
        "hv_answer": ["42", "41"],
    }
    assert numbers == dict.fromkeys(("hv/asked", "hv/rescued", "hv/ungraded", "hv/cached"), 0.0)


def test_the_awaited_form_is_seen_as_such_by_trl_and_ms_swift(reward: Reward) -> None:
    def awaited(function: Any) -> bool:
        return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(function.__call__)

    assert awaited(reward.awaited)
    assert awaited(async_reward_function(cache=None))
    assert awaited(AsyncHybridORM())
    assert not awaited(reward)
    found = asyncio.run(reward.awaited(prompts=[QUESTION], completions=[RIGHT], answer=[REFERENCE]))
    assert found == [1.0]


def test_the_call_of_verifiers_for_one_rollout(reward: Reward) -> None:
    fields = {"state": {}, "info": {}, "task": None, "parser": object()}
    said = [{"role": "assistant", "content": RIGHT}]
    assert reward(prompt=chat(QUESTION), completion=said, answer=REFERENCE, **fields) == 1.0
    single = rollout_reward(cache=None)
    assert asyncio.run(single(prompt=QUESTION, completion=WRONG, answer=REFERENCE, **fields)) == 0.0


def test_messages_may_be_objects(reward: Reward) -> None:
    turn = SimpleNamespace(role="assistant", content=[SimpleNamespace(type="text", text=RIGHT)])
    asked = [SimpleNamespace(role="user", content=QUESTION)]
    assert reward(prompt=asked, completion=[turn], answer=REFERENCE) == 1.0


def test_the_call_of_verifiers_for_a_group() -> None:
    group = group_reward(cache=None)
    assert {"prompts", "completions", "answers"} <= set(inspect.signature(group).parameters)
    found: Any = asyncio.run(group([QUESTION] * 2, [RIGHT, WRONG], [REFERENCE] * 2, [{}, {}]))
    assert found == [1.0, 0.0]
    named = group_reward(cache=None, reference_column="gold")
    states = [{"input": {"gold": REFERENCE}}, {"input": {"gold": "41"}}]
    assert asyncio.run(named([QUESTION] * 2, [RIGHT, WRONG], ["", ""], states)) == [1.0, 1.0]


def test_the_call_of_a_task_of_verifiers() -> None:
    task, trace = SimpleNamespace(prompt=QUESTION, answer=REFERENCE), SimpleNamespace(last_reply=RIGHT)
    assert asyncio.run(trace_reward(cache=None)(task, trace)) == 1.0
    with pytest.raises(UngradedRollout, match="no grade for this rollout, failed: no answer"):
        asyncio.run(trace_reward(Deaf())(task, SimpleNamespace(last_reply="help")))


def test_the_call_of_ms_swift() -> None:
    """By position, with the conversation in a column. ms-swift itself is not installed here."""
    messages = [[*chat(QUESTION), {"role": "assistant", "content": said}] for said in (RIGHT, WRONG)]
    assert HybridORM(args=None)([RIGHT, WRONG], solution=[REFERENCE] * 2, messages=messages) == [1.0, 0.0]
    awaited = AsyncHybridORM()([RIGHT], solution=[REFERENCE], trainer_state=None)
    assert asyncio.run(awaited) == [1.0]


def test_the_call_of_areal(reward: Reward) -> None:
    assert areal_reward(cache=None)(QUESTION, RIGHT, [1], [2], answer=REFERENCE, messages=[]) == 1.0
    assert reward(QUESTION, WRONG, [1], [2], answer=REFERENCE) == 0.0


def test_the_step_of_skyrl() -> None:
    """A stand-in: without SkyRL the class has no base."""
    made = HybridEnv({"cache": None}, {"reward_spec": {"ground_truth": REFERENCE}, "question": QUESTION})
    assert made.init(chat(QUESTION)) == (chat(QUESTION), {})
    step = made.step(RIGHT)
    assert (step["reward"], step["done"], step["metadata"]["hv_graded"]) == (1.0, True, 1)


def test_the_call_of_slime(reward: Reward) -> None:
    """A stand-in for its samples: slime is not on PyPI."""
    samples = [
        SimpleNamespace(
            prompt=chat(QUESTION), response=said, label=REFERENCE, metadata={"data_source": "toy"}
        )
        for said in (RIGHT, WRONG)
    ]
    assert asyncio.run(reward.awaited(SimpleNamespace(), samples[0])) == 1.0
    assert asyncio.run(reward.awaited(SimpleNamespace(), samples)) == [1.0, 0.0]


def test_the_call_of_lm_eval() -> None:
    process = processor(Deaf(), reference_column="target")
    assert process({"question": QUESTION, "target": REFERENCE}, [[RIGHT]]) == {
        "hv_correct": 1.0,
        "hv_unscored": 0.0,
    }
    assert process({"question": QUESTION, "target": REFERENCE}, ["help"]) == {"hv_unscored": 1.0}


def test_lm_evals_filter_grades_all_in_one_batch() -> None:
    deaf = Deaf()
    process = processor(deaf)
    docs = [{"question": QUESTION, "answer": REFERENCE}] * 2
    assert process.grade_all([[RIGHT], ["help"]], docs) == [[RIGHT], ["help"]]
    assert len(deaf.seen) == 2
    assert [process(docs[0], said) for said in (RIGHT, "help")] == [
        {"hv_correct": 1.0, "hv_unscored": 0.0},
        {"hv_unscored": 1.0},
    ]
    assert len(deaf.seen) == 2


# what is read


def test_only_the_last_turn_of_the_model_is_its_answer(reward: Reward) -> None:
    turns = [
        {"role": "assistant", "content": RIGHT},
        {"role": "tool", "content": RIGHT},
        {"role": "assistant", "content": WRONG},
        {"role": "user", "content": RIGHT},
    ]
    assert reward(prompt=QUESTION, completion=turns, answer=REFERENCE) == 0.0
    assert reward(prompt=QUESTION, completion=turns[:2], answer=REFERENCE) == 1.0
    called: list[dict[str, Any]] = [{"role": "assistant", "content": None, "tool_calls": [{}]}]
    assert reward(prompt=QUESTION, completion=[*turns[:1], *called], answer=REFERENCE) == 0.0
    assert reward(prompt=QUESTION, completion=[], answer=REFERENCE) == 0.0


def test_columns_question_source_and_meta_reach_the_sample() -> None:
    deaf = Deaf()
    hv.make_reward(deaf, reference_column="gold", data_source_column="from")(
        prompts=[chat(QUESTION)],
        completions=[RIGHT],
        answer=["7"],
        gold=np.array(["42"]),
        **{"from": ["toy/sums"], "extra_info": [{"index": 3}]},
    )
    (sample,) = deaf.seen
    assert (sample.question, sample.references, sample.data_source) == (QUESTION, ("42",), "toy/sums")
    assert sample.meta == {"extra_info": {"index": 3}}


def test_references_of_any_shape() -> None:
    deaf = Deaf()
    hv.make_reward(deaf)(completions=["a"] * 3, prompts=["b"] * 3, answers=[4.0, ["4", "four"], "x"])
    assert [sample.references for sample in deaf.seen] == [("4",), ("4", "four"), ("x",)]
    columns: dict[str, Any] = {"answers": [4.0, ["4", "four"], None, {"no": "reference"}]}
    reward = hv.make_reward(cache=None, ungraded="none")
    assert reward(prompts=["b"] * 4, completions=["4"] * 4, **columns) == [1.0, 1.0, None, None]
    verls = hv.make_reward(cache=None)
    assert verls(prompts=["b"], completions=["4"], reward_model=[{"ground_truth": "4"}]) == [1.0]


# what a row without a grade earns


def group(ungraded: Any, said: tuple[str, ...] = (RIGHT, WRONG, WRONG, "help")) -> Any:
    made = hv.make_reward(Deaf(), ungraded=ungraded)
    return made(prompts=[QUESTION] * len(said), completions=list(said), answer=[REFERENCE] * len(said))


def test_the_mean_of_the_group_unless_told_otherwise() -> None:
    assert group("group_mean") == pytest.approx([1.0, 0.0, 0.0, 1 / 3])
    assert hv.make_reward(Deaf()).ungraded == "group_mean"


def test_none_or_a_number_where_asked_for() -> None:
    assert group("none") == group(None) == [1.0, 0.0, 0.0, None]
    assert group(-1) == [1.0, 0.0, 0.0, -1.0]


def test_a_group_without_a_grade_has_no_mean() -> None:
    assert group("group_mean", ("help", "help")) == [None, None]


def test_groups_are_told_apart_by_question_and_reference() -> None:
    made = hv.make_reward(Deaf())
    found = made(
        prompts=["a", "a", "b", "b", "a", "a"],
        completions=[RIGHT, "help", WRONG, "help", "help", WRONG],
        answer=["42"] * 4 + ["9"] * 2,
    )
    assert found == [1.0, 1.0, 0.0, 0.0, 0.0, 0.0]
    assert made(completions=[RIGHT, "help"], answer=["42"] * 2) == [1.0, None]  # no question, no group


def test_one_row_has_no_group_and_earns_0_or_the_number() -> None:
    call: dict[str, Any] = {"prompt": QUESTION, "completion": "help", "answer": REFERENCE}
    assert hv.make_reward(Deaf())(**call) == 0.0
    assert hv.make_reward(Deaf(), ungraded=0.5)(**call) == 0.5
    with pytest.raises(InputError, match=r"^ungraded='none': this trainer wants a number for every row"):
        hv.make_reward(Deaf(), ungraded="none")(**call)


def test_a_verdict_of_a_foreign_grader_is_graded_if_it_is_sure() -> None:
    verdicts = [Verdict(Outcome.CORRECT, 1.0), Verdict(Outcome.UNDECIDED, 0.0), Verdict(Outcome.INCORRECT)]
    made = hv.make_reward(SimpleNamespace(grade=lambda samples: verdicts))
    assert made(prompts=["q"] * 3, completions=["a"] * 3, answer=["b"] * 3) == [1.0, 0.5, 0.0]


# where it is made and called


def test_a_configuration_a_mapping_keywords_or_an_object(tmp_path: Path) -> None:
    (tmp_path / "conf.yaml").write_text("policy: rule_only\ncache: null\nreward: {incorrect: -1.0}\n")
    made = [
        hv.make_reward(str(tmp_path / "conf.yaml")),
        hv.make_reward(tmp_path / "conf.yaml"),
        hv.make_reward({"policy": "rule_only", "cache": None, "reward": {"incorrect": -1.0}}),
        hv.make_reward(policy="rule_only", cache=None, reward={"incorrect": -1.0}),
    ]
    call: dict[str, Any] = {
        "prompts": [QUESTION] * 2,
        "completions": [RIGHT, WRONG],
        "answer": [REFERENCE] * 2,
    }
    assert [reward(**call) for reward in made] == [[1.0, -1.0]] * 4
    with hv.Verifier() as verifier:
        assert hv.make_reward(verifier)(**call) == [1.0, 0.0]
        assert asyncio.run(hv.make_reward(verifier).awaited(**call)) == [1.0, 0.0]


def test_a_base_url_alone_is_a_service(monkeypatch: pytest.MonkeyPatch) -> None:
    def options(**given: Any) -> Any:
        return hv.make_reward(**given).source.options  # type: ignore[attr-defined]

    monkeypatch.setenv("HV_TOKEN", "secret")
    made = options(base_url="http://127.0.0.1:8100", token_env="HV_TOKEN", outage_wait_s=5)
    assert made == options(service="http://127.0.0.1:8100", service_token_env="HV_TOKEN", outage_wait_s=5)
    assert (made.service, made.settings, made.outage_wait_s) == ("http://127.0.0.1:8100", {}, 5)
    assert options(base_url="127.0.0.1:8100", token="a@b").service == "http://any:a%40b@127.0.0.1:8100"
    assert options(base_url="127.0.0.1:8100", token="a@b").describe() == "service at http://127.0.0.1:8100"
    with pytest.raises(ConfigError, match=r"^service_token_env: the variable HV_NO_TOKEN is not set"):
        hv.make_reward(base_url="http://127.0.0.1:8100", token_env="HV_NO_TOKEN")
    with pytest.raises(ConfigError, match="is no address"):
        hv.make_reward(base_url="ftp://127.0.0.1")


def test_a_base_url_beside_a_judge_is_the_judges() -> None:
    made = hv.make_reward(judge="tinyv", base_url="http://judge:8000/v1", model="m", cache=None)
    assert "tinyv (m) at http://judge:8000/v1" in made.source.options.describe()  # type: ignore[attr-defined]


@pytest.mark.parametrize("make", [hv.make_reward, reward_function, areal_reward])
def test_it_can_be_pickled(make: Any) -> None:
    copied = pickle.loads(pickle.dumps(make(cache=None, name="ours")))  # noqa: S301 - ours
    assert copied.__name__ == "ours"
    assert pickle.loads(pickle.dumps(copied.awaited)).__name__ == "ours"  # noqa: S301


def test_no_signals_and_any_thread(reward: Reward, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> Any:
        raise AssertionError("a signal was set")

    for name in ("signal", "alarm", "setitimer"):
        monkeypatch.setattr(signal, name, refuse)
    found: list[Any] = []
    hard = r"\boxed{\sqrt{7+2\sqrt{10}}}"

    def work() -> None:
        found.append(reward(prompts=["?"] * 2, completions=[RIGHT, hard], answer=["42", r"\sqrt5+\sqrt2"]))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [[1.0, 1.0]]


def test_hostile_rows_cost_only_themselves(reward: Reward) -> None:
    made = hv.make_reward(cache=None, ungraded="none")
    said: list[Any] = [
        RIGHT,
        7,
        None,
        [{"role": "assistant", "content": 5}],
        "\ud800" * 9,
        "{" * 9999,
        [None],
    ]
    found = made(prompts=[QUESTION] * 7, completions=said, answer=[REFERENCE] * 7)
    assert found[:3] == [1.0, None, None]
    assert all(paid is None or (math.isfinite(paid) and paid == 0.0) for paid in found[3:])


# faults in one line

TRL = r"call it as TRL does, \(prompts=\[\.\.\.\], completions=\[\.\.\.\], answer=\[\.\.\.\]\)"


@pytest.mark.parametrize(
    ("arguments", "named", "told"),
    [
        ((), {"responses": ["a"]}, rf"^reward: no completions in this call \(responses=\); {TRL}"),
        ((), {}, r"^reward: no completions in this call \(0 argument\(s\)\)"),
        (("s", "a", "b"), {}, rf"^reward: 3 argument\(s\) by position; {TRL}"),
        ((), {"completions": {"a": 1}}, r"^reward: completions must be a list, not dict"),
        (
            (),
            {"completions": ["a"]},
            r"^reward: no column with the reference \(reference, .*columns: completions\. Name",
        ),
        ((), {"completions": ["a"], "answer": "b"}, r"^reward: column 'answer' must be a list .*not str"),
        (
            (),
            {"completions": ["a"], "answer": ["b", "c"]},
            r"^reward: column 'answer' has 2 cells for 1 completions$",
        ),
        (
            (),
            {"prompts": ["a", "b"], "completions": ["a"], "answer": ["b"]},
            r"^reward: column 'prompts' has 2 cells",
        ),
    ],
)
def test_a_wrong_call_is_told_the_right_one(reward: Reward, arguments: Any, named: Any, told: str) -> None:
    with pytest.raises(InputError, match=told) as caught:
        reward(*arguments, **named)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("source", "options", "told"),
    [
        (None, {"polcy": "addon"}, r"^option 'polcy': no such option; did you mean 'policy'\?$"),
        (None, {"ungraded": "mean"}, r"^ungraded: expected 'group_mean', 'none' or a number, got 'mean'$"),
        (None, {"ungraded": float("nan")}, r"^ungraded: expected"),
        (None, {"ungraded": True}, r"^ungraded: expected"),
        (7, {}, r"^expected a file, a mapping or an object with grade\(samples\), got int$"),
        (Deaf(), {"policy": "addon"}, r"^options policy: Deaf has its own settings$"),
        ("no_such_file.yaml", {}, r"no_such_file\.yaml"),
    ],
)
def test_a_wrong_setting_shows_when_it_is_made(source: Any, options: Any, told: str) -> None:
    with pytest.raises(HybridVerifyError, match=told) as caught:
        hv.make_reward(source, **options)
    assert "\n" not in str(caught.value)


def test_a_missing_column_that_was_named() -> None:
    with pytest.raises(
        InputError, match=r"^reward: no column 'gold' in this call; columns: answer, completions\."
    ):
        hv.make_reward(Deaf(), reference_column="gold")(completions=["a"], answer=["b"])


def test_a_grader_that_gives_too_few_grades() -> None:
    with pytest.raises(ConfigError, match=r"^SimpleNamespace\.grade gave 0 grades for 1 samples$"):
        hv.make_reward(SimpleNamespace(grade=lambda samples: []))(completions=["a"], answer=["b"])


def test_a_grader_that_gives_numbers() -> None:
    with pytest.raises(ConfigError, match="must give grades or verdicts, not float"):
        hv.make_reward(SimpleNamespace(grade=lambda samples: [1.0]))(completions=["a"], answer=["b"])
