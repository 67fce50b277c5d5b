"""Agreement: replayed policies equal real runs, the figures equal scikit-learn's, nothing is asked twice."""

from __future__ import annotations

import itertools
import json
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from hybridverify.agreement import agreement
from hybridverify.agreement.cases import Case, Collector, Setup, replay
from hybridverify.agreement.figures import METRICS, cell, figures_of
from hybridverify.agreement.members import MAX_GROUPS, groups_of_cases, hybrid_graders
from hybridverify.agreement.rows import LabelledRecords, LabelledRow, read_label
from hybridverify.errors import ConfigError, InputError
from hybridverify.policies import JudgeOnly, make_policy
from hybridverify.records import ColumnNames, Records
from hybridverify.testing import ScriptedJudge
from hybridverify.types import Outcome, Sample, Verdict
from hybridverify.verifier import Verifier

RULES = ("correct", "incorrect", "partial", "undecided", "timed_out", "failed")
JUDGES = ("correct", "incorrect", "invalid", "unparseable", "failed")
SCORES = {"correct": 1.0, "partial": 0.6}


@dataclass(frozen=True)
class Told:
    """A rule that says what the first word of the question tells it to."""

    name: ClassVar[str] = "told"
    version: ClassVar[int] = 1
    isolated: ClassVar[bool] = False
    meta_keys: ClassVar[tuple[str, ...]] = ()

    def check(self, sample: Sample) -> Verdict:
        word = sample.question.split()[0]
        return Verdict(Outcome(word), SCORES.get(word, 0.0), "rule:told")


def judge(place: int = 1, **settings: Any) -> ScriptedJudge:
    """A judge that says what a word of the question tells it to."""
    return ScriptedJudge(
        lambda question, reference, answer: question.split()[place], "compass_verifier", **settings
    )


def every_sample() -> list[Sample]:
    told = [
        f"{rule} {first} {second}"
        for rule in RULES
        for first in JUDGES
        for second in ("correct", "incorrect")
    ]
    answered = [Sample("the answer is 12", "13", question) for question in told]
    gated = [
        Sample(text, "13", f"{rule} correct correct") for rule in RULES for text in ("Solution:", "", "None")
    ]
    refused = [Sample("It is what the book wants.", "13", f"{rule} correct correct") for rule in RULES]
    return [*answered, *gated, *refused, Sample("the answer is 12", [], "correct correct correct")]


def labelled(samples: Sequence[Sample]) -> list[LabelledRow]:
    return [LabelledRow(sample, index % 2 == 0, index + 1) for index, sample in enumerate(samples)]


def collected(settings: Mapping[str, Any], samples: Sequence[Sample]) -> tuple[list[Case], Setup]:
    with Collector.of({"rules": [Told()], "cache": None, **settings}) as collector:
        return list(collector.collect(labelled(samples))), collector.setup


POLICIES: list[dict[str, Any]] = [
    {"name": "rule_only"},
    {"name": "addon"},
    {"name": "addon", "trust_reject": False, "judge_weight": 0.4},
    {"name": "mixed"},
    {"name": "mixed", "judge_weight": 0.8},
    {"name": "judge_only"},
    {"name": "tinyv_only", "judge_weight": 0.3},
    {"name": "veto"},
    {"name": "sum", "rule_weight": 0.5, "judge_weight": 0.25},
]
ERRORS: list[Any] = ["mask", "zero", "rule_score", "neutral", {"invalid": "mask", "failed": "neutral"}]
PANELS: list[dict[str, Any]] = [
    {"judges": [judge()]},
    {"judges": [judge(1, name="one"), judge(2, name="two", weight=3.0)], "panel": {"combine": "weighted"}},
    {"judges": [judge(1, name="one"), judge(2, name="two")], "panel": {"combine": ["add", "min"]}},
]


@pytest.mark.parametrize("panel", PANELS, ids=["one judge", "weighted", "folds"])
@pytest.mark.parametrize("errors", ERRORS, ids=str)
def test_a_replayed_policy_gives_what_a_run_under_it_gives(panel: dict[str, Any], errors: Any) -> None:
    samples = every_sample()
    cases, setup = collected({**panel, "on_judge_error": errors, "neutral_score": 0.7}, samples)
    for setting in POLICIES:
        policy = make_policy(setting)
        own = {"rules": [Told()], "policy": policy, "on_judge_error": errors, "neutral_score": 0.7, **panel}
        with Verifier(**own) as verifier:
            grades = verifier.grade(samples)
        for sample, case, grade in zip(samples, cases, grades, strict=True):
            found = replay(case, policy, setup)
            decision = (found.decision.score, found.decision.graded, found.decision.outcome, found.asked)
            expected = (grade.score, grade.graded, grade.outcome, grade.judge_asked)
            assert decision == expected, (setting, sample)


def test_a_judge_without_need_of_a_reference_is_asked_where_there_is_none() -> None:
    sample = Sample("the answer is 12", [], "correct 7", meta={"criteria": "clear"})
    scripted = ScriptedJudge(0.7, "rubric")
    cases, setup = collected({"judges": [scripted]}, [sample])
    assert len(scripted.asked) == 1
    assert replay(cases[0], JudgeOnly(), setup).decision.score == 0.7
    assert replay(cases[0], make_policy("mixed"), setup).decision.outcome is Outcome.BAD_REFERENCE


def test_every_row_behind_the_gate_is_asked_about_once_and_figures_ask_nobody(tmp_path: Path) -> None:
    scripted = judge()
    samples = [*every_sample()[:6], *every_sample()[:6], Sample("None", "13", "undecided correct correct")]
    with Collector.of({"rules": [Told()], "judges": [scripted], "cache": str(tmp_path)}) as collector:
        cases = list(collector.collect(labelled(samples)))
        assert len(scripted.asked) == 6
        assert collector.stats["judge"]["asked"] == 12
        agreement(cases, collector.setup)
        list(collector.collect(labelled(samples)))
        assert len(scripted.asked) == 6
    assert [case.gate != "" for case in cases] == [False] * 12 + [True]


def test_a_configuration_that_would_stop_a_run_masks_in_a_report() -> None:
    cases, setup = collected(
        {"judges": [judge()], "on_judge_error": "raise"}, [Sample("12", "13", "undecided failed")]
    )
    assert not replay(cases[0], make_policy("addon"), setup).decision.graded


def test_policies_take_their_settings_from_the_configuration_and_its_routes() -> None:
    settings = {
        "judges": [judge()],
        "policy": {"name": "addon", "judge_weight": 0.4},
        "routes": {
            "strict": {"policy": "veto"},
            "loose": {"policy": {"name": "addon", "trust_reject": False}},
        },
    }
    samples = [Sample("12", "13", "incorrect correct", data_source=name) for name in ("", "strict", "loose")]
    samples.append(Sample("12", "13", "undecided correct"))
    cases, setup = collected(settings, samples)
    graders = hybrid_graders(cases, setup)
    assert [graders["addon"](case).asked for case in cases] == [False, False, True, True]
    assert [graders["addon"](case).accepted for case in cases] == [False, False, True, False]
    assert [graders["configured"](case).asked for case in cases] == [False, False, True, True]
    assert agreement(cases, setup).main == "configured"


@pytest.mark.parametrize(("name", "told"), [("tinyv_only", True), ("addon", False)])
def test_tinyvs_own_policy_is_told_of_where_it_is_the_run_s(name: str, told: bool) -> None:
    cases, setup = collected({"judges": [judge()], "policy": name}, [Sample("12", "13", "undecided correct")])
    found = agreement(cases, setup)
    assert found.main == name
    assert ("tinyv_only" in found.hybrid) is told
    assert name in found.to_dict()["hybrid"]


def test_a_policy_that_asks_needs_a_judge() -> None:
    for settings in ({"policy": "addon"}, {"routes": {"a": {"policy": "veto"}}}):
        with pytest.raises(ConfigError, match="asks a judge, and none is configured"):
            Collector.of({"cache": None, **settings})


# ---- figures


def reference_figures(labels: Sequence[bool], accepted: Sequence[bool]) -> dict[str, float]:
    from sklearn import metrics

    tn, fp, fn, tp = metrics.confusion_matrix(labels, accepted, labels=[False, True]).ravel().tolist()
    return {
        "accuracy": metrics.accuracy_score(labels, accepted),
        "precision": metrics.precision_score(labels, accepted),
        "recall": metrics.recall_score(labels, accepted),
        "f1": metrics.f1_score(labels, accepted),
        "kappa": metrics.cohen_kappa_score(labels, accepted),
        "fpr": fp / (fp + tn),
        "fnr": fn / (fn + tp),
    }


@pytest.mark.parametrize("seed", range(5))
def test_figures_are_those_of_scikit_learn(seed: int) -> None:
    random = np.random.default_rng(seed)
    labels, accepted = random.random(60) < 0.6, random.random(60) < 0.5
    accepted[:30] = labels[:30]
    found = figures_of([cell(True, bool(a), bool(b)) for a, b in zip(labels, accepted, strict=True)]).values
    expected = reference_figures(labels.tolist(), accepted.tolist())
    assert {name: found[name] for name in expected} == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("label", "accepted", "undefined"),
    [
        (True, True, {"fpr", "kappa", "j"}),
        (False, False, {"precision", "recall", "f1", "fnr", "kappa", "j"}),
        (False, True, {"recall", "fnr", "j"}),
        (True, False, {"precision", "fpr", "j"}),
    ],
)
def test_a_ratio_with_nothing_to_divide_by_is_none(label: bool, accepted: bool, undefined: set[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figures = figures_of([cell(True, label, accepted)] * 3)
    assert {name for name in METRICS if figures.values[name] is None} == undefined
    assert {name for name in METRICS if figures.intervals[name] is None} == undefined


def test_no_rows_give_no_figures() -> None:
    figures = figures_of([])
    assert {*figures.values.values(), *figures.intervals.values()} == {None}


def test_undecided_rows_lower_one_accuracy_and_not_the_other() -> None:
    cells = [cell(True, True, True)] * 6 + [cell(True, False, True)] * 2 + [cell(False, True, False)] * 2
    values = figures_of(cells).values
    assert (values["accuracy"], values["accuracy_decided"]) == (0.6, 0.75)


def test_intervals_are_those_of_drawing_rows_and_the_same_in_every_run() -> None:
    cells = [cell(True, True, True)] * 70 + [cell(True, False, True)] * 10 + [cell(True, False, False)] * 20
    first, again = figures_of(cells), figures_of(cells[::-1])
    assert first == again
    random = np.random.default_rng(1)
    drawn = [
        figures_of(random.choice(cells, len(cells)), intervals=False).values["kappa"] for _ in range(1500)
    ]
    expected = np.quantile([value for value in drawn if value is not None], (0.025, 0.975))
    assert first.intervals["kappa"] == pytest.approx(expected, abs=0.02)


def test_the_confusion_table_counts_by_label_and_acceptance() -> None:
    table = {(True, True): 4, (True, False): 3, (False, True): 2, (False, False): 1}
    cells = list(itertools.chain.from_iterable([cell(True, *key)] * count for key, count in table.items()))
    counts = {"rows": 10, "right": 7, "wrong": 3, "tp": 4, "fn": 3, "fp": 2, "tn": 1}
    assert figures_of(cells).confusion() == counts


# ---- members


def case(
    label: bool, rule: str, judged: str = "", score: float = -1.0, p_yes: float = -1.0, **more: Any
) -> Case:
    judge_score = SCORES.get(judged, 0.0) if score < 0 else score
    votes = (Verdict(Outcome(judged), judge_score, "judge:j", p_yes=p_yes),) if judged else ()
    return Case(label, Verdict(Outcome(rule), SCORES.get(rule, 0.0), "rule:told"), votes, **more)


ONE_JUDGE = Setup(make_policy("addon"), weights=(1.0,), judges=("j",))


def test_undecided_and_failed_are_told_apart() -> None:
    cases = [
        case(True, "correct", "correct"),
        case(True, "undecided", "failed"),
        case(False, "timed_out", "unparseable"),
        case(False, "undecided", "undecided"),
        case(False, "incorrect", "invalid"),
    ]
    found = agreement(cases, ONE_JUDGE).to_dict()
    left = {name: (found[name]["undecided"], found[name]["failed"]) for name in ("rule", "judge")}
    assert left == {"rule": (2, 1), "judge": (1, 2)}
    assert found["rule"]["outcomes"] == {"correct": 1, "incorrect": 1, "timed_out": 1, "undecided": 2}
    assert (found["judge"]["accuracy"], found["judge"]["accuracy_decided"]) == (0.8, 1.0)
    assert (found["hybrid"]["addon"]["undecided"], found["hybrid"]["addon"]["failed"]) == (1, 2)


def test_rescues_vetoes_and_disagreements_are_those_rows() -> None:
    cases = [
        case(True, "undecided", "correct", number=11),
        case(False, "incorrect", "correct", number=12),
        case(False, "correct", "incorrect", number=13),
        case(True, "correct", "failed", number=14),
        case(True, "correct", "correct", number=15),
    ]
    found = agreement(cases, ONE_JUDGE)
    assert (found.differences.rescues, found.differences.vetoes) == ((0, 1), (2,))
    hybrid = found.to_dict()["hybrid"]
    assert hybrid["addon"]["rescues"] == {"right": 1, "wrong": 0}
    assert hybrid["mixed"]["rescues"] == {"right": 1, "wrong": 1}
    assert hybrid["veto"]["vetoes"] == {"right": 1, "wrong": 1}  # the failed judge leaves row 14 ungraded
    assert hybrid["addon"]["disagreements"] == [13]
    assert found.outcomes["correct", "failed"].right == 1
    assert [hybrid[name]["asked"] for name in ("rule_only", "addon", "veto", "mixed")] == [0, 1, 3, 5]


def test_without_a_judge_its_figures_are_null_and_only_rule_only_is_there() -> None:
    found = agreement([case(True, "correct"), case(False, "undecided")], Setup()).to_dict()
    assert list(found) == ["rule", "judge", "hybrid"]
    assert [found["judge"][name] for name in METRICS] == [None] * len(METRICS)
    assert list(found["hybrid"]) == ["rule_only"]
    json.dumps(found, allow_nan=False)


def test_each_judge_of_a_panel_is_measured_alone() -> None:
    with_panel, setup = collected(
        {"judges": [judge(1, name="a"), judge(2, name="a"), judge(1, name="b")]},
        [
            Sample("12", "13", "undecided correct incorrect"),
            Sample("12", "14", "undecided incorrect correct"),
        ],
    )
    found = agreement(with_panel, setup)
    assert {name: member.whole.figures.values["accuracy"] for name, member in found.judges.items()} == {
        "a #1": 1.0,
        "a #2": 0.0,
        "b": 1.0,
    }
    assert list(found.members())[:5] == ["rule", "judge", "judge a #1", "judge a #2", "judge b"]


def test_groups_are_measured_apart_and_many_small_ones_join() -> None:
    cases = [case(index % 2 == 0, "correct", groups={"kind": f"k{index}"}) for index in range(MAX_GROUPS + 5)]
    cases += [case(True, "correct", groups={"kind": ""})] * 3
    member = agreement(cases, Setup()).rule.by["kind"]
    assert next(iter(member)) == "(none)"
    assert (len(member), member["(6 others)"].figures.rows) == (MAX_GROUPS + 1, 6)
    assert groups_of_cases([case(True, "correct", groups={"data_source": ""})]) == {}


# ---- thresholds


def test_thresholds_replay_stored_probabilities() -> None:
    cases = [
        case(True, "undecided", "correct", p_yes=0.9),
        case(False, "undecided", "correct", p_yes=0.6),
        case(True, "incorrect", "undecided", p_yes=0.45),
        case(False, "correct", "incorrect", p_yes=0.1),
        case(True, "undecided", "failed", p_yes=0.8),
    ]
    found = agreement(cases, ONE_JUDGE).sweep
    assert (found.kind, found.rows) == ("p_yes", 4)
    assert found.curves["judge"][0.4]["recall"] == pytest.approx(2 / 3, abs=1e-6)
    assert found.curves["judge"][0.7]["fpr"] == 0.0
    assert found.curves["addon"][0.7]["fpr"] == 0.5  # what the rules accept is not asked about
    assert found.curves["addon"][0.4]["recall"] == pytest.approx(1 / 3, abs=1e-6)  # and a sure reject neither
    assert found.best("judge") == 0.65
    assert found.roc_auc == 0.75


def test_a_threshold_at_one_half_gives_the_judges_own_labels() -> None:
    random = np.random.default_rng(3)
    values = [round(float(value), 3) for value in random.random(40)]
    cases = [
        case(
            bool(random.random() < value),
            RULES[index % 6],
            "correct" if value >= 0.5 else "incorrect",
            p_yes=value,
        )
        for index, value in enumerate(values)
    ]
    found = agreement(cases, ONE_JUDGE)
    for name, member in (("judge", found.judge), *found.hybrid.items()):
        if name not in ("rule_only", "judge_only"):
            assert found.sweep.curves[name][0.5] == member.whole.figures.values, name


def test_rubric_scores_are_swept_and_labels_are_not() -> None:
    scored = [case(True, "undecided", "partial", 0.8), case(False, "undecided", "partial", 0.6)]
    assert agreement(scored, ONE_JUDGE).sweep.curves["judge"][0.7]["accuracy"] == 1.0
    assert agreement(scored, ONE_JUDGE).sweep.calibration[0].rows == 1
    plain = [case(True, "undecided", "correct"), case(False, "undecided", "incorrect")]
    assert agreement(plain, ONE_JUDGE).sweep.kind == ""


def test_scores_beyond_one_are_swept_at_their_own_values() -> None:
    raw = [case(True, "undecided", "partial", 4.0), case(False, "undecided", "partial", 2.0)]
    found = agreement(raw, ONE_JUDGE).sweep
    assert (min(found.curves["judge"]), max(found.curves["judge"])) == (2.0, 4.0)
    assert (found.calibration, found.brier, found.roc_auc) == ((), None, 1.0)


# ---- rows


def open_rows(
    tmp_path: Path, rows: Sequence[Mapping[str, Any]], label: str = "", by: Sequence[str] = ()
) -> list[LabelledRow]:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    said: list[str] = []
    found = LabelledRecords.open(Records.open([path], ColumnNames(), said.append), label, by, said.append)
    assert found.count == len(list(found.rows()))
    return list(found.rows())


def row(**more: Any) -> dict[str, Any]:
    return {"response": "12", "gold": "12", **more}


@pytest.mark.parametrize("column", ["label", "right", "verdict"])
def test_the_label_is_found_under_its_usual_names(tmp_path: Path, column: str) -> None:
    values: list[Any] = [True, 0, 1.0, "true", "False", "correct", "Wrong", None, ""]
    found = open_rows(tmp_path, [row(**{column: value}) for value in values])
    assert [each.label for each in found] == [True, False, True, True, False, True, False]


def test_two_columns_that_could_be_the_label_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="right and verdict could each be the label"):
        open_rows(tmp_path, [row(right=True, verdict="A")])
    assert open_rows(tmp_path, [row(right=True, verdict="B")], label="verdict")[0].label is False


@pytest.mark.parametrize("value", [0.5, "maybe", 2, ["true"], {"a": 1}])
def test_a_label_that_says_neither_is_refused_with_its_row(tmp_path: Path, value: Any) -> None:
    assert read_label(value) is None
    with pytest.raises(InputError, match=r"row 2 of .*rows\.jsonl: label .* in column 'label' is neither"):
        open_rows(tmp_path, [row(label=True), row(label=value)])


def test_missing_columns_are_named(tmp_path: Path) -> None:
    faults: list[tuple[Callable[[], object], str]] = [
        (lambda: open_rows(tmp_path, [row()]), "no column 'label'; name it with --label-column"),
        (lambda: open_rows(tmp_path, [row(lable=True)], "labl"), "did you mean 'lable'"),
        (
            lambda: open_rows(tmp_path, [row(label=True, kind="x")], by=["knd"]),
            "no column 'knd' .--by.; did you mean",
        ),
        (lambda: open_rows(tmp_path, [row(label="", kind="x")]), "no row has a label"),
    ]
    for build, message in faults:
        with pytest.raises(InputError, match=message):
            build()


def test_rows_carry_the_groups_of_source_kind_and_chosen_columns(tmp_path: Path) -> None:
    rows = [row(label=1, data_source="nq", extra={"model": "m"}), row(label=0, gold="\\frac{1}{x}")]
    first, second = open_rows(tmp_path, rows, by=["extra.model"])
    assert first.groups == {"data_source": "nq", "answer_kind": "number", "extra.model": "m"}
    assert second.groups == {"data_source": "", "answer_kind": "expression", "extra.model": ""}
