"""What the judge stage promises, and the tests that show it. `SHOWN_BY` is the index; tests that belong to no other
file stand below."""

from __future__ import annotations

import ast
import itertools
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

import hybridverify as hv
from hybridverify.cache import MemoryCache
from hybridverify.policies.panel import Panel
from hybridverify.testing import ScriptedJudge
from hybridverify.types import Outcome
from hybridverify.workers.worker import PROCESSOR, timed_out

TESTS = Path(__file__).resolve().parents[1]
HERE = "judges/test_requirements.py"

SHOWN_BY: dict[str, tuple[str, ...]] = {
    "1 every policy gives the documented number in every cell, TinyV's among them": (
        f"{HERE}::test_every_policy_gives_its_number_for_every_rule_and_judge",
        "test_policies.py::test_two_by_two_tables_equal_those_of_tinyv",
        "test_policies.py::test_score_and_outcome",
        "test_verifier.py::test_policies_end_to_end_on_a_judge_that_always_agrees",
    ),
    "2 addon asks N - k - gated - cached - duplicates, in one call": (
        f"{HERE}::test_addon_asks_what_is_left_in_one_call",
        "test_verifier.py::test_addon_asks_exactly_what_is_neither_accepted_nor_gated_nor_a_repeat",
    ),
    "3 empty, symbols, master keys, a number against a number cost no call": (
        f"{HERE}::test_a_number_against_a_number_costs_no_call",
        "test_verifier.py::test_content_gate_holds_under_every_policy",
    ),
    "4 of every guarded class of attacks nothing is accepted": (
        "judges/test_attacks.py::test_nothing_of_a_guarded_class_is_accepted_on_fifty_questions",
        "judges/test_attacks.py::test_a_text_that_equals_the_reference_is_never_gated",
        "judges/test_attacks.py::test_a_right_answer_of_another_kind_still_reaches_the_judge",
        "rules/test_gate.py::test_each_text_gets_the_reason_of_its_row",
    ),
    "5 every outcome exists and none becomes 0 before the policy": (
        f"{HERE}::test_every_outcome_of_a_judge_reaches_the_grade_as_it_is",
        "judges/test_openai_judge.py::test_each_fault_has_its_outcome_and_a_bounded_cost",
        "judges/test_llm.py::test_failures_become_verdicts_of_their_own_kind",
    ),
    "6 one action for each outcome, and no default pays for a failed judge": (
        "test_policies.py::test_judge_errors_become_what_the_user_chose",
        "test_policies.py::test_a_plain_action_leaves_invalid_and_verdicts_alone",
        "test_verifier.py::test_a_failed_judge_is_neither_wrong_nor_right",
        "judges/test_openai_judge.py::test_a_grade_whose_judge_failed_is_not_graded_and_never_pays",
    ),
    "7 every parser passes thirty real and hostile replies": (
        "judges/test_parsers.py::test_every_parser_has_thirty_replies_and_more",
        "judges/test_parsers.py::test_a_reply_is_read_as_the_table_says",
        "judges/test_parsers.py::test_a_hostile_reply_is_no_pass_and_takes_no_time",
    ),
    "8 all presets, with golden final strings": (
        "judges/test_presets.py::test_the_contract_s_presets_are_there",
        "judges/test_presets.py::test_the_final_string_is_the_golden_one",
        "judges/test_presets.py::test_the_second_order_has_a_golden_string_with_the_same_blocks",
    ),
    "9 templates are checked and values stay literal and inert": (
        "judges/test_template.py::test_values_stay_literal",
        "judges/test_template.py::test_an_unknown_field_is_refused_by_name",
        "judges/test_template.py::test_a_missing_field_is_refused_by_name",
        "judges/test_hostile.py::test_chat_tokens_are_visible_but_inert",
        "judges/test_hostile.py::test_a_value_cannot_close_its_own_fence",
    ),
    "10 rubric scores in all spellings, within [0, 1], never NaN": (
        "judges/test_parsers.py::test_a_reply_is_read_as_the_table_says",
        "judges/test_llm.py::test_a_score_below_the_scale_is_zero_and_says_so",
    ),
    "11 P(yes) at the label's place, monotone, with a band of no verdict": (
        "judges/test_p_yes.py::test_spellings_are_summed",
        "judges/test_p_yes.py::test_a_label_outside_the_list_counts_as_at_most_the_smallest_value",
        "judges/test_p_yes.py::test_p_yes_rises_with_the_positive_label",
        "judges/test_p_yes.py::test_inside_the_band_nothing_is_decided",
        "judges/test_p_yes.py::test_little_mass_on_the_labels_is_unparseable",
    ),
    "12 swap and canary, batched, with result fields of their own": (
        "judges/test_judge_guards.py::test_swap_asks_both_orders_in_one_call_and_disagreement_is_undecided",
        "judges/test_judge_guards.py::test_a_judge_that_accepts_a_foreign_reference_too_is_undecided_in_its_own_field",
        "judges/test_judge_guards.py::test_an_honest_judge_passes_its_canaries_which_are_asked_in_one_batch",
    ),
    "13 panels give the figures of a replay; a quorum counts parsed votes": (
        f"{HERE}::test_a_panel_replayed_over_stored_verdicts_gives_the_figures_counted_by_hand",
        "test_panel.py::test_quorum_is_strictly_more_than_the_share_and_a_full_house_suffices",
        "test_panel.py::test_combinations",
    ),
    "14 a hit is equal to the bit, any changed part misses, processes and faults harm nothing": (
        "test_cache.py::test_a_hit_is_bit_equal_or_a_miss",
        "test_cache.py::test_a_change_of_any_part_gives_another_key",
        "test_cache.py::test_eight_processes_writing_at_once_lose_nothing",
        "test_cache.py::test_only_final_verdicts_are_kept",
        "judges/test_llm.py::test_whatever_may_change_a_verdict_changes_the_identity",
    ),
    "15 equal questions of a batch are judged once, and the saving is told": (
        f"{HERE}::test_addon_asks_what_is_left_in_one_call",
        "test_verifier.py::test_addon_asks_exactly_what_is_neither_accepted_nor_gated_nor_a_repeat",
    ),
    "16 a hanging check costs its own deadline; ten thousand samples after it still score; in any thread": (
        f"{HERE}::test_after_a_hanging_check_ten_thousand_samples_still_score_in_another_thread",
        "workers/test_pool.py::test_a_stuck_job_does_not_touch_its_neighbours",
        "workers/test_pool.py::test_works_from_many_threads_at_once",
        "workers/test_pool.py::test_works_inside_a_running_event_loop",
    ),
    "19 a response of 32k tokens under a context of 4k: question and reference whole, tail kept, cut marked": (
        "judges/test_truncate.py::test_a_response_of_32k_tokens_is_judged_under_a_4k_context",
    ),
    "20 adapters: score at the last valid token, empty responses, the same keys on every sample": (
        "adapters/test_verl_batch.py::test_an_empty_response_has_no_tokens_and_no_text",
        "adapters/test_reward_function.py::test_rows_of_any_kind_have_a_status_and_never_raise",
        "adapters/test_reward_loop.py::test_one_row_gives_exactly_the_two_keys",
        "verl/test_classic.py",
        "verl/test_worker.py",
        "verl/test_loop.py",
    ),
    "21 one interface for all engines, and the stub is one of them": (
        "judges/test_llm.py::test_it_is_a_judge_and_its_engine_a_backend",
        "judges/test_scripted.py::test_every_family_can_be_scripted",
        "judges/test_openai_judge.py::test_each_fault_has_its_outcome_and_a_bounded_cost",
        "judges/test_classifier.py::test_raw_scores_reach_the_grade_under_every_policy_that_asks",
    ),
}


@pytest.mark.parametrize("promise", SHOWN_BY)
def test_every_named_test_is_there(promise: str) -> None:
    for name in SHOWN_BY[promise]:
        file, _, function = name.partition("::")
        tree = ast.parse((TESTS / file).read_text("utf-8"))
        found = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        assert not function or function in found, name


class Told:
    """A rule that says what the question tells it to."""

    name, version, isolated = "told", 1, False
    meta_keys: ClassVar[tuple[str, ...]] = ()

    def check(self, sample: hv.Sample) -> hv.Verdict:
        outcome = Outcome(sample.question)
        return hv.Verdict(outcome, float(outcome is Outcome.CORRECT), "rule:told")


TABLE: dict[str, tuple[tuple[float, float], tuple[float, float], tuple[float, float]]] = {
    # rule accepts: judge yes, no; rule rejects: yes, no; rule undecided: yes, no; the judge's weight is 0.3
    "rule_only": ((1.0, 1.0), (0.0, 0.0), (0.0, 0.0)),
    "addon": ((1.0, 1.0), (0.0, 0.0), (0.3, 0.0)),
    "addon, all failures": ((1.0, 1.0), (0.3, 0.0), (0.3, 0.0)),
    "mixed": ((1.0, 0.7), (0.3, 0.0), (0.3, 0.0)),
    "judge_only": ((0.3, 0.0), (0.3, 0.0), (0.3, 0.0)),
    "veto": ((0.3, 0.0), (0.0, 0.0), (0.0, 0.0)),
    "sum": ((1.3, 1.0), (0.3, 0.0), (0.3, 0.0)),
}
RULES = ("correct", "incorrect", "undecided")
ASKED: dict[str, tuple[bool, bool, bool]] = {
    "rule_only": (False, False, False),
    "addon": (False, False, True),
    "addon, all failures": (False, True, True),
    "mixed": (True, True, True),
    "judge_only": (True, True, True),
    "veto": (True, False, False),
    "sum": (True, True, True),
}


@pytest.mark.parametrize(("name", "rule"), list(itertools.product(TABLE, RULES)))
def test_every_policy_gives_its_number_for_every_rule_and_judge(name: str, rule: str) -> None:
    policy = {"name": name.partition(",")[0], "judge_weight": 0.3, "trust_reject": "all" not in name}
    judges = (True, False, Outcome.FAILED)
    grades = []
    for says in judges:
        with hv.Verifier(rules=[Told()], policy=policy, judges=[ScriptedJudge(says)]) as verifier:
            grades += verifier.grade([hv.Sample("a town", "Ulm", rule)])
    yes, no, failed = grades
    row = RULES.index(rule)
    assert (yes.score, no.score) == pytest.approx(TABLE[name][row])
    assert [grade.judge_asked for grade in grades] == [ASKED[name][row]] * 3
    assert failed.graded is not ASKED[name][row]
    assert failed.score == (0.0 if ASKED[name][row] else yes.score)


def test_addon_asks_what_is_left_in_one_call() -> None:
    accepted = [hv.Sample(f"town {i}", "Ulm", "correct") for i in range(4)]
    gated = [hv.Sample(text, "Ulm", "undecided") for text in ("", "...", "Solution:", "None")]
    cached = [hv.Sample(f"known {i}", "Ulm", "undecided") for i in range(3)]
    fresh = [hv.Sample(f"new {i}", "Ulm", "undecided") for i in range(5)]
    judge, cache = ScriptedJudge(True), MemoryCache()
    with hv.Verifier(rules=[Told()], policy="addon", judges=[judge], cache=cache) as verifier:
        verifier.grade(cached)
        before = dict(verifier.stats["judge"])
        verifier.grade([*accepted, *gated, *cached, *fresh, *fresh])
        counts = {name: verifier.stats["judge"][name] - before[name] for name in before}
    assert judge._script.batch_sizes == [3, 5]
    assert [counts[name] for name in ("asked", "gated", "cached", "deduplicated", "called")] == [
        13,
        4,
        3,
        5,
        5,
    ]


@pytest.mark.parametrize("policy", ["addon", "veto"])
def test_a_number_against_a_number_costs_no_call(policy: str) -> None:
    judge = ScriptedJudge(True)
    pairs = [
        ("13", "12"),
        (r"\boxed{41}", "14"),
        ("#### 1,200", "1300"),
        ("-3", "3"),
        (r"\frac{1}{3}", "1/2"),
    ]
    with hv.Verifier(policy=policy, judges=[judge]) as verifier:
        grades = verifier.grade(hv.Sample(*pair) for pair in pairs)
    assert judge.prompts == []
    assert [(grade.score, grade.outcome.value) for grade in grades] == [(0.0, "incorrect")] * len(pairs)


@pytest.mark.parametrize(
    ("said", "preset"),
    [
        (Outcome.CORRECT, "generic"),
        (Outcome.INCORRECT, "generic"),
        (Outcome.INVALID, "compass_verifier"),
        (Outcome.UNPARSEABLE, "generic"),
        (Outcome.FAILED, "generic"),
        (Outcome.TIMED_OUT, "generic"),
        (Outcome.TOO_LONG, "generic"),
    ],
)
def test_every_outcome_of_a_judge_reaches_the_grade_as_it_is(said: Outcome, preset: str) -> None:
    judge = ScriptedJudge(said, preset)
    with hv.Verifier(rules=[Told()], policy="addon", judges=[judge]) as verifier:
        (grade,) = verifier.grade([hv.Sample("a town", "Ulm", "undecided")])
    assert (grade.judge.outcome, grade.votes[0].outcome) == (said, said)
    assert grade.to_dict()["judge_outcome"] == said.value
    assert grade.graded is (said in (Outcome.CORRECT, Outcome.INCORRECT, Outcome.INVALID))
    assert (grade.score > 0) is (said is Outcome.CORRECT)


STORED = (  # label, then what three judges said: yes, no, or nothing that could be read
    (True, "yy-"), (True, "yyn"), (True, "nyy"), (True, "ynn"), (True, "yyy"), (True, "-yy"),
    (False, "nnn"), (False, "yny"), (False, "n-n"), (False, "nyn"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("combine", "accepted", "kappa"),
    [
        ("majority", (5, 1), 7 / 12),  # observed 8/10, by chance 6*6 + 4*4 of 100: (80 - 52) / (100 - 52)
        ("all", (3, 0), 4 / 9),  # observed 7/10, by chance 6*3 + 4*7 of 100: (70 - 46) / (100 - 46)
        ("any", (6, 2), 6 / 11),  # observed 8/10, by chance 6*8 + 4*2 of 100: (80 - 56) / (100 - 56)
    ],
)
def test_a_panel_replayed_over_stored_verdicts_gives_the_figures_counted_by_hand(
    combine: str, accepted: tuple[int, int], kappa: float
) -> None:
    votes = {
        "y": hv.Verdict(Outcome.CORRECT, 1.0),
        "n": hv.Verdict(Outcome.INCORRECT),
        "-": hv.Verdict(Outcome.UNPARSEABLE),
    }
    panel = Panel(combine)
    said = [panel.decide([votes[letter] for letter in row], [1.0] * 3).score >= 0.5 for _, row in STORED]
    labels = [label for label, _ in STORED]
    right, wrong = (
        sum(s for s, label in zip(said, labels, strict=True) if label is kind) for kind in (True, False)
    )
    assert (right, wrong) == accepted
    assert agreement_beyond_chance(labels, said) == pytest.approx(kappa)


def agreement_beyond_chance(labels: Sequence[bool], said: Sequence[bool]) -> float:
    """Cohen's kappa."""
    n, yes, accepted = len(labels), sum(labels), sum(said)
    observed = sum(a is b for a, b in zip(labels, said, strict=True)) / n
    chance = (yes * accepted + (n - yes) * (n - accepted)) / n**2
    return (observed - chance) / (1 - chance)


class Stuck:
    """A check that never ends on one text."""

    name, version, isolated, cached = "stuck", 1, True, False
    meta_keys: ClassVar[tuple[str, ...]] = ()

    def check(self, sample: hv.Sample) -> hv.Verdict:
        while sample.response == "hang":
            pass
        return hv.Verdict(Outcome.UNDECIDED, source="rule:stuck")


@pytest.mark.load
@pytest.mark.slow
def test_after_a_hanging_check_ten_thousand_samples_still_score_in_another_thread() -> None:
    found: dict[str, Any] = {}
    rules = ["exact", "gsm8k", Stuck()]

    def work() -> None:
        with hv.Verifier(rules=rules, rule_deadline_s=0.5, workers=1) as verifier:
            (found["hung"],) = verifier.grade([hv.Sample("hang", "7")])
            found["grades"] = verifier.grade(hv.Sample(f"#### {i}", "7") for i in range(10_000))
            (found["undecided"],) = verifier.grade([hv.Sample("a town", "Ulm")])

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found["hung"].outcome is Outcome.TIMED_OUT
    # At its deadline, and not at the backstop.
    assert found["hung"].rule.reason == timed_out(PROCESSOR).reason
    assert len(found["grades"]) == 10_000
    assert sum(grade.score for grade in found["grades"]) == 1.0
    assert all(grade.graded for grade in found["grades"])
    assert found["undecided"].outcome is Outcome.UNDECIDED
