"""Every cell of every policy, and what judge errors become."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridverify.errors import ConfigError, JudgeError
from hybridverify.policies import POLICIES, OnJudgeError, Reward, make_policy
from hybridverify.types import SKIPPED, Outcome, Verdict

RIGHT, WRONG, UNSURE = (
    Verdict(Outcome.CORRECT, 1.0),
    Verdict(Outcome.INCORRECT, 0.0),
    Verdict(Outcome.UNDECIDED, 0.0),
)
W = 0.25


@pytest.mark.parametrize(
    ("rule", "judge", "addon", "mixed"),
    [(RIGHT, RIGHT, 1.0, 1.0), (RIGHT, WRONG, 1.0, 1 - W), (WRONG, RIGHT, W, W), (WRONG, WRONG, 0.0, 0.0)],
)
def test_two_by_two_tables_equal_those_of_tinyv(
    rule: Verdict, judge: Verdict, addon: float, mixed: float
) -> None:
    policy = make_policy({"name": "addon", "judge_weight": W, "trust_reject": False})
    asked = policy.asks(rule)
    assert asked == (rule is WRONG)
    assert policy.combine(rule, judge if asked else SKIPPED).score == addon
    assert make_policy({"name": "mixed", "judge_weight": W}).combine(rule, judge).score == mixed
    assert make_policy("tinyv_only").combine(SKIPPED, judge).score == judge.score


@pytest.mark.parametrize(("name", "score"), [("tinyv_only", 1.0), ("judge_only", W)])
def test_the_weight_counts_under_judge_only_and_not_under_tinyv_only(name: str, score: float) -> None:
    policy = make_policy({"name": name, "judge_weight": W, "trust_reject": False})
    assert policy.name == name
    assert not policy.runs_rules
    assert policy.combine(SKIPPED, RIGHT).score == score


@pytest.mark.parametrize(
    ("policy", "rule", "asked"),
    [
        ("rule_only", UNSURE, False),
        ("addon", RIGHT, False),
        ("addon", WRONG, False),
        ("addon", UNSURE, True),
        ("addon", Verdict(Outcome.TIMED_OUT), True),
        ("addon", Verdict(Outcome.FAILED), True),
        ("mixed", RIGHT, True),
        ("mixed", WRONG, True),
        ("judge_only", SKIPPED, True),
        ("tinyv_only", SKIPPED, True),
        ("veto", RIGHT, True),
        ("veto", WRONG, False),
        ("veto", UNSURE, False),
        ("sum", RIGHT, True),
        ("sum", WRONG, True),
    ],
)
def test_judge_is_asked_only_where_the_policy_says_so(policy: str, rule: Verdict, asked: bool) -> None:
    assert make_policy(policy).asks(rule) is asked


@pytest.mark.parametrize(
    ("policy", "rule", "judge", "score", "outcome"),
    [
        ("rule_only", RIGHT, SKIPPED, 1.0, Outcome.CORRECT),
        ("rule_only", UNSURE, SKIPPED, 0.0, Outcome.UNDECIDED),
        ("addon", UNSURE, RIGHT, 1.0, Outcome.CORRECT),
        ("addon", UNSURE, WRONG, 0.0, Outcome.INCORRECT),
        ("mixed", UNSURE, RIGHT, 0.5, Outcome.PARTIAL),
        ("mixed", UNSURE, WRONG, 0.0, Outcome.INCORRECT),
        ("mixed", RIGHT, WRONG, 0.5, Outcome.PARTIAL),
        ("veto", WRONG, SKIPPED, 0.0, Outcome.INCORRECT),
        ("veto", UNSURE, SKIPPED, 0.0, Outcome.UNDECIDED),
        ("veto", RIGHT, WRONG, 0.0, Outcome.INCORRECT),
        ("veto", RIGHT, RIGHT, 1.0, Outcome.CORRECT),
        ("sum", RIGHT, RIGHT, 2.0, Outcome.CORRECT),
        ("sum", WRONG, RIGHT, 1.0, Outcome.PARTIAL),
        ("judge_only", SKIPPED, Verdict(Outcome.PARTIAL, 0.7), 0.7, Outcome.PARTIAL),
        ("judge_only", SKIPPED, Verdict(Outcome.INVALID), 0.0, Outcome.INCORRECT),
        ("tinyv_only", SKIPPED, RIGHT, 1.0, Outcome.CORRECT),
        ("tinyv_only", SKIPPED, Verdict(Outcome.PARTIAL, 0.7), 0.7, Outcome.PARTIAL),
        ("tinyv_only", SKIPPED, Verdict(Outcome.INVALID), 0.0, Outcome.INCORRECT),
    ],
)
def test_score_and_outcome(
    policy: str, rule: Verdict, judge: Verdict, score: float, outcome: Outcome
) -> None:
    decision = make_policy(policy).combine(rule, judge)
    assert (decision.score, decision.graded, decision.outcome) == (score, True, outcome)


@pytest.mark.parametrize("outcome", [Outcome.TIMED_OUT, Outcome.FAILED, Outcome.BAD_REFERENCE])
def test_rule_only_does_not_grade_what_went_wrong(outcome: Outcome) -> None:
    decision = make_policy("rule_only").combine(Verdict(outcome), SKIPPED)
    assert (decision.score, decision.graded, decision.outcome) == (0.0, False, outcome)


@pytest.mark.parametrize(
    ("setting", "outcome", "score", "graded"),
    [
        ("mask", Outcome.FAILED, 0.0, False),
        ("zero", Outcome.TIMED_OUT, 0.0, True),
        ("neutral", Outcome.TOO_LONG, 0.5, True),
        ("rule_score", Outcome.UNPARSEABLE, 1.0, True),
        ({"failed": "zero"}, Outcome.FAILED, 0.0, True),
        ({"failed": "zero"}, Outcome.TIMED_OUT, 0.0, False),
        ({"invalid": "mask"}, Outcome.INVALID, 0.0, False),
    ],
)
def test_judge_errors_become_what_the_user_chose(
    setting: Any, outcome: Outcome, score: float, graded: bool
) -> None:
    on_error = OnJudgeError.from_setting(setting)
    action = on_error.action(outcome)
    decision = on_error.decide(action, RIGHT, Verdict(outcome))
    assert (decision.score, decision.graded) == (score, graded)


def test_a_plain_action_leaves_invalid_and_verdicts_alone() -> None:
    on_error = OnJudgeError.from_setting("zero")
    assert [on_error.action(o) for o in (Outcome.INVALID, Outcome.CORRECT, Outcome.PARTIAL)] == ["", "", ""]


def test_raise_names_judge_and_reason() -> None:
    on_error = OnJudgeError.from_setting("raise")
    with pytest.raises(JudgeError, match=r"judge:tinyv: failed: dead"):
        on_error.decide("raise", RIGHT, Verdict(Outcome.FAILED, 0.0, "judge:tinyv", "", "dead"))


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("adon", "did you mean 'addon'"),
        ({"name": "addon", "judge_wieght": 1}, "did you mean 'judge_weight'"),
        ({"judge_weight": 1.0}, "needs a name"),
        ({"name": "mixed", "judge_weight": 1.5}, r"in \[0, 1\]"),
        ({"name": "addon", "judge_weight": float("nan")}, "finite"),
        ({"name": "addon", "judge_weight": "1"}, "finite number"),
        ({"name": "addon", "trust_reject": "no"}, "true or false"),
    ],
)
def test_faulty_policies_are_refused(setting: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make_policy(setting)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("msk", "did you mean 'mask'"),
        ({"faild": "zero"}, "did you mean 'failed'"),
        ({"failed": 1}, "no action"),
    ],
)
def test_faulty_error_actions_are_refused(setting: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        OnJudgeError.from_setting(setting)


verdicts = st.sampled_from([RIGHT, WRONG, UNSURE, Verdict(Outcome.PARTIAL, 0.4), Verdict(Outcome.TIMED_OUT)])
votes = st.sampled_from([RIGHT, WRONG, Verdict(Outcome.PARTIAL, 0.6), Verdict(Outcome.INVALID)])


@given(st.sampled_from(sorted(POLICIES)), verdicts, votes, st.floats(0, 1))
def test_scores_are_finite_and_weights_never_pay_an_accepted_rule_less(
    name: str, rule: Verdict, judge: Verdict, weight: float
) -> None:
    policy = make_policy({"name": name, "judge_weight": weight})
    decision = policy.combine(rule, judge if policy.asks(rule) else SKIPPED)
    assert math.isfinite(decision.score)
    if name == "addon" and rule is RIGHT:
        assert decision.score == 1.0
    if name == "mixed" and rule.sure:
        assert min(rule.score, judge.score) - 1e-12 <= decision.score <= max(rule.score, judge.score) + 1e-12


@given(st.floats(-10, 10), st.floats(-10, 10))
def test_reward_is_linear_and_leaves_ungraded_rows_at_zero(correct: float, incorrect: float) -> None:
    reward = Reward(correct, incorrect)
    policy = make_policy("rule_only")
    assert reward.of(policy.combine(WRONG, SKIPPED)) == incorrect
    assert math.isclose(reward.of(policy.combine(RIGHT, SKIPPED)), correct, abs_tol=1e-9)
    assert reward.of(policy.combine(Verdict(Outcome.FAILED), SKIPPED)) == 0.0
