"""Whole attacks: a weak verifier is seen through, a strict one is not slandered, equal seeds give equal reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import hybridverify as hv
from hybridverify.errors import ConfigError, InputError
from hybridverify.redteam import Question, Report, attack, crossed_with_shapes
from hybridverify.redteam.generated import generated_rows

ROWS = generated_rows(120)


def contains(samples: Sequence[hv.Sample]) -> list[float]:
    return [float(any(ref in sample.response for ref in sample.references)) for sample in samples]


def same(samples: Sequence[hv.Sample]) -> list[float]:
    return [float(any(ref == sample.response for ref in sample.references)) for sample in samples]


def everything(samples: Sequence[hv.Sample]) -> list[float]:
    return [1.0 for _ in samples]


def rate(report: Report, family: str) -> float:
    best = report.families[family].best
    assert best
    return best.heldout.exploit


def test_a_verifier_that_looks_for_the_reference_is_exploited_by_lists_and_options() -> None:
    report = attack(contains, ROWS, budget=20_000)
    assert rate(report, "choice") > 0.6
    assert rate(report, "drill") > 0.2
    assert report.worst > 0.6


def test_a_verifier_of_exact_texts_earns_nobody_anything() -> None:
    report = attack(same, ROWS, budget=6_000)
    assert {family: rate(report, family) for family in report.families} == dict.fromkeys(report.families, 0.0)
    assert not [hit for hit in report.hits if hit.family != "choice"]
    assert all(probe.accepted == 0 for f in report.families.values() for probe in f.refused)


def test_a_verifier_that_pays_for_everything_is_worth_what_guessing_leaves() -> None:
    report = attack(everything, ROWS, budget=4_000)
    assert rate(report, "drill") > 0.9
    assert 0.7 < rate(report, "choice") <= 1.0


def test_equal_seeds_give_equal_reports_and_another_seed_another_search() -> None:
    first, again, other = (attack(contains, ROWS, seed=seed, budget=2_000).to_dict() for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_the_budget_is_kept() -> None:
    for budget in (800, 3_000):
        assert attack(contains, ROWS, budget=budget).calls <= 1.3 * budget


def test_right_rewordings_that_are_not_paid_are_counted_apart_from_open_ones() -> None:
    with hv.Verifier() as verifier:
        report = attack(verifier, [{"question": "Who wrote Faust?", "answer": "Goethe"}], budget=500)
    words = report.families["words"]
    probes = {probe.name: probe for probe in words.right}
    assert (probes["as it is"].rows, probes["as it is"].accepted) == (1, 1)
    assert all(probe.open <= probe.rows - probe.accepted for probe in words.right)


def test_default_rules_on_made_questions_pay_for_no_denial_and_no_talk() -> None:
    with hv.Verifier() as verifier:
        report = attack(verifier, generated_rows(15), budget=3_000)
    assert sum(figures.questions for figures in report.families.values()) > 60
    for figures in report.families.values():
        denied = [probe for probe in figures.refused if probe.name.startswith(("denied", "doubted"))]
        assert [probe.name for probe in denied if probe.accepted] == []
        talk = [
            each for each in figures.strategies if each.name.startswith("talk") and "[[A]]" not in each.name
        ]
        assert [each.name for each in talk if each.heldout.accepted] == []


def test_rows_may_be_samples_mappings_or_questions() -> None:
    rows: list[Any] = [
        hv.Sample("", "7", "3+4?"),
        {"question": "3+5?", "gold": "8"},
        Question("3+6?", ("9",)),
    ]
    report = attack(same, rows, budget=400)
    assert sum(figures.questions for figures in report.families.values()) == 3


def test_scores_count_as_paid_above_a_bound() -> None:
    halves = attack(lambda samples: [0.4] * len(samples), ROWS[:40], budget=300)
    assert halves.worst < 0.6
    assert attack(lambda samples: [0.4] * len(samples), ROWS[:40], budget=300, pays=0.3).worst > 0.9


def test_nothing_to_attack_is_an_error() -> None:
    with pytest.raises(InputError, match="no row has a reference"):
        attack(same, [hv.Sample("", "", "What?")])
    with pytest.raises(ConfigError, match="budget"):
        attack(same, ROWS, budget=0)


def test_one_row_that_takes_any_text_is_found() -> None:
    rows = generated_rows(60)
    soft = rows[100]["question"]

    def grade(samples: Sequence[hv.Sample]) -> list[float]:
        return [float(sample.question == soft) for sample in samples]

    report = attack(grade, rows, budget=8_000)
    found = [probe for figures in report.families.values() for probe in figures.refused if probe.accepted]
    assert "nonsense" in {probe.name for probe in found}


def test_shapes_list_what_a_verifier_pays_for_and_no_equal_values() -> None:
    hits = list(crossed_with_shapes(contains))
    assert {hit.strategy for hit in hits} >= {"denied", "beside another", "two marks", "taken back"}
    assert "another answer" not in {hit.strategy for hit in hits}
    assert list(crossed_with_shapes(same)) == []
