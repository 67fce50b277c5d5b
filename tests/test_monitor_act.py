"""The monitor where it acts: what it holds back, and what it never touches."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hybridverify.adapters.grader import Grader
from hybridverify.adapters.options import parse_options
from hybridverify.adapters.ray_data import GradeBatch
from typer.testing import CliRunner

import hybridverify as hv
from hybridverify.cli.app import app
from hybridverify.config import load_settings
from hybridverify.errors import ConfigError
from hybridverify.guards.monitor import Monitor, Observed, Watch
from hybridverify.guards.repeats import Repeats, reference_keys
from hybridverify.testing import ScriptedJudge
from hybridverify.types import Outcome

TOWNS = [f"{first}{last}" for first in ("Nord", "Ober", "Alt", "Neu", "Burg") for last in
         ("heim", "stadt", "furt", "bach", "au", "feld", "rode", "born", "see", "tal")]  # fmt: skip
ACTING = {"act": True, "max_repeats": 20}


def accepts_all(policy: str | Mapping[str, Any] = "judge_only", **settings: Any) -> hv.Verifier:
    settings.setdefault("monitor", ACTING)
    return hv.Verifier(policy=policy, judges=[ScriptedJudge(True)], **settings)


def fixed_text(references: Sequence[Any], text: str = "It is the town by the river.") -> list[hv.Sample]:
    return [hv.Sample(text, reference, f"Which one is number {i}?") for i, reference in enumerate(references)]


def test_a_fixed_text_is_held_once_it_has_had_too_many_references() -> None:
    with accepts_all() as verifier:
        grades = verifier.grade(fixed_text(TOWNS[:40]))
        assert [grade.score for grade in grades] == [1.0] * 21 + [0.0] * 19
        held = grades[-1]
        assert (held.graded, held.outcome, held.judge_asked) == (False, Outcome.UNDECIDED, True)
        (check,) = held.checks
        assert (check.source, check.outcome) == ("monitor:repeats", Outcome.UNDECIDED)
        reason = "monitor: this text was accepted against more than 20 different references"
        assert {check.reason, held.judge.reason} == {reason}
        assert grades[20].checks == ()
        assert verifier.stats["judge"]["monitor_held"] == 19
        assert verifier.monitor.suspicious
        assert verifier.stats["monitor"]["repeats"] == 21
        (again,) = verifier.grade(fixed_text(TOWNS[:40])[3:4])
        assert again.score == 1.0  # for this reference it was accepted before
        (other,) = verifier.grade(fixed_text(TOWNS[39:40], "It is the old bridge."))
        assert other.score == 1.0


def test_off_by_default_it_only_warns() -> None:
    with accepts_all(monitor=None) as verifier:
        grades = verifier.grade(fixed_text(TOWNS[:40]))
        assert {grade.score for grade in grades} == {1.0}
        assert verifier.monitor.suspicious
        assert "monitor_held" not in verifier.stats["judge"]


@pytest.mark.parametrize(
    ("text", "references"),
    [
        ("yes", ["yes", "Yes, it does.", "true", "Yes it is"] * 25),
        ("It is false", ["no", "No, never", "False"] * 33),
        (
            "7",
            ["7", "seven", "7.0", "7 km", "$7", "seven apples", r"7\text{ cm}", "7 km/h", "$7$ hours"] * 11,
        ),
        ("B", ["B", "(B)", "b.", "B"] * 25),
        ("Ulm", ["Ulm", "Ulm/Ulm, Germany", "Ulm, Germany", "Ulm (city)", "ULM"] * 20),
    ],
)
def test_spellings_of_one_reference_count_once(text: str, references: list[str]) -> None:
    with accepts_all() as verifier:
        assert {grade.score for grade in verifier.grade(fixed_text(references, text))} == {1.0}
        assert verifier.stats["monitor"]["repeats"] <= 1
        assert verifier.stats["judge"].get("monitor_held", 0) == 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["7"], ["8"]),
        (["-7"], ["7"]),
        (["yes"], ["no"]),
        (["A"], ["B"]),
        (["x+1"], ["x-1"]),
        (["(1, 2)"], ["(1, 3)"]),
        (["Ulm, Germany"], ["Bonn, Germany"]),
        (["9 November 1989"], ["9 November 1938"]),
    ],
)
def test_different_values_are_different_references(one: list[str], other: list[str]) -> None:
    assert not reference_keys(one) & reference_keys(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["1/2"], [r"\frac12"]),
        (["50%"], ["0.5"]),
        (["1,200"], ["1200 metres"]),
        (["Ulm", "Bonn"], ["Bonn/Linz"]),
        (["Mercury (planet)"], ["mercury"]),
    ],
)
def test_spellings_share_a_key(one: list[str], other: list[str]) -> None:
    assert reference_keys(one) & reference_keys(other)


def test_the_letter_of_an_option_and_its_text_are_one_reference() -> None:
    questions = [(f"Which town? (A) {a} (B) {b}", b) for a, b in itertools.pairwise(TOWNS)]
    with accepts_all() as verifier:
        grades = verifier.grade([hv.Sample("B", town, question) for question, town in questions])
        assert {grade.score for grade in grades} == {1.0}


def test_a_sure_verdict_of_a_rule_is_never_touched() -> None:
    right = [hv.Sample("The answer is 7.", "7", f"How many are in bag {i}?") for i in range(30)]
    with accepts_all("mixed") as verifier:
        verifier.grade(fixed_text(TOWNS, "The answer is 7."))
        grades = verifier.grade(right)
        assert {(grade.rule.outcome, grade.score, grade.checks) for grade in grades} == {
            (Outcome.CORRECT, 1.0, ())
        }
    with accepts_all("addon") as verifier:
        verifier.grade(fixed_text(TOWNS, "Nordheim"))
        assert verifier.grade([hv.Sample("Nordheim", "Nordheim", "Where?")])[0].score == 1.0


def test_on_judge_error_applies_as_for_any_undecided_vote() -> None:
    with accepts_all(on_judge_error={"undecided": "zero"}) as verifier:
        grades = verifier.grade(fixed_text(TOWNS[:30]))
        assert (grades[-1].score, grades[-1].graded) == (0.0, True)


def test_a_panel_is_held_judge_by_judge() -> None:
    judges = [ScriptedJudge(True, name="kind"), ScriptedJudge(False, name="strict")]
    panel = {"combine": "any"}
    with hv.Verifier(policy="judge_only", judges=judges, panel=panel, monitor=ACTING) as verifier:
        grades = verifier.grade(fixed_text(TOWNS[:40]))
        assert [grade.score for grade in grades] == [1.0] * 21 + [0.0] * 19
        assert [vote.outcome for vote in grades[-1].votes] == [Outcome.UNDECIDED, Outcome.INCORRECT]
        assert len(grades[-1].checks) == 1


def test_threads_cannot_all_take_the_last_place() -> None:
    with accepts_all() as verifier, ThreadPoolExecutor(8) as threads:
        samples = [[sample] for sample in fixed_text(TOWNS)]
        grades = [grade for (grade,) in threads.map(verifier.grade, samples)]
    assert sum(grade.score for grade in grades) == 21


def test_a_rubric_may_accept_one_text_for_many_questions() -> None:
    judge = ScriptedJudge(0.9, preset="rubric")
    samples = [
        hv.Sample("It is the town by the river.", "", f"Write about {town}.", meta={"criteria": "Be brief."})
        for town in TOWNS
    ]
    with hv.Verifier(policy="judge_only", judges=[judge], monitor=ACTING) as verifier:
        assert {grade.score for grade in verifier.grade(samples)} == {0.9}
        assert verifier.stats["judge"].get("monitor_held", 0) == 0


def test_the_fingerprint_tells_an_acting_monitor_from_none_and_is_the_same_without() -> None:
    def of(monitor: Mapping[str, Any] | None, policy: str = "addon") -> str:
        with hv.Verifier(policy=policy, judges=[ScriptedJudge(True)], monitor=monitor) as verifier:
            return verifier.fingerprint()

    assert of(None) == of({"act": False, "max_repeats": 3}) == of({"window": 9})
    assert of({"act": True}) != of(None)
    assert of({"act": True}) != of({"act": True, "max_repeats": 3})
    assert of({"act": True}, "rule_only") == of(None, "rule_only")


def test_no_cache_key_knows_of_it(tmp_path: Path) -> None:
    first, second = ScriptedJudge(True), ScriptedJudge(True)
    with hv.Verifier(policy="judge_only", judges=[first], cache=tmp_path) as verifier:
        verifier.grade(fixed_text(TOWNS[:30]))
    with hv.Verifier(policy="judge_only", judges=[second], cache=tmp_path, monitor=ACTING) as verifier:
        grades = verifier.grade(fixed_text(TOWNS[:30]))
    assert second.asked == []
    assert sum(grade.score for grade in grades) == 21


def grader(**options: Any) -> Grader:
    return Grader(
        parse_options({"policy": "judge_only", "judges": [ScriptedJudge(True)], "cache": None, **options})
    )


@pytest.mark.parametrize(
    ("monitor", "paid"),
    [
        ({}, 21),
        ({"monitor": None}, 21),
        ({"monitor": {"max_repeats": 5}}, 6),
        ({"monitor": {"act": False}}, 40),
        ({"monitor": {"act": True}}, 21),
    ],
)
def test_it_acts_by_default_in_the_adapters_of_trainers(monitor: dict[str, Any], paid: int) -> None:
    own = grader(**monitor)
    assert sum(grade.score for grade in own.grade(fixed_text(TOWNS[:40]))) == paid
    own.close()


def test_a_file_that_says_nothing_of_it_leaves_the_adapters_default(tmp_path: Path) -> None:
    for text, paid in (("{max_repeats: 5}", 6), ("{act: false}", 40)):
        file = tmp_path / "verify.yaml"
        file.write_text(f"policy: judge_only\nmonitor: {text}\n", encoding="utf-8")
        judge = ScriptedJudge(True)
        own = Grader(parse_options({"config": str(file), "judges": [judge], "cache": None}))
        assert sum(grade.score for grade in own.grade(fixed_text(TOWNS[:40]))) == paid
        own.close()


def test_ray_data_grades_rows_and_not_runs() -> None:
    grade = GradeBatch(policy="judge_only", judges=[ScriptedJudge(True)], cache=None)
    batch = {"response": ["It is the town by the river."] * 40, "reference": TOWNS[:40]}
    assert sum(grade({name: list(column) for name, column in batch.items()})["hv_score"]) == 40


def test_the_command_line_never_acts(tmp_path: Path) -> None:
    from hybridverify.cli.settings import JudgeOptions, verifier_settings

    file = tmp_path / "verify.yaml"
    file.write_text("monitor: {act: true, max_repeats: 3}\n", encoding="utf-8")
    assert load_settings(file)["monitor"]["act"] is True
    assert verifier_settings(file, "", JudgeOptions(), None, True, None)["monitor"] == {
        "act": False,
        "max_repeats": 3,
    }
    assert CliRunner().invoke(app, ["config", "check", str(file)]).exit_code == 0


def test_a_wrong_act_is_refused_by_name() -> None:
    with pytest.raises(ConfigError, match=r"monitor\.act: expected true or false, got 'yes'"):
        hv.Verifier(monitor={"act": "yes"})


def test_the_count_is_of_references_and_not_of_questions() -> None:
    monitor = Monitor(Watch(max_repeats=3))
    said = hv.Verdict(Outcome.CORRECT, 1.0, "judge:a")
    rows = [
        Observed("7", f"Sum {i}?", (text,), hv.Verdict(Outcome.UNDECIDED), said)
        for i, text in enumerate(["7", "seven", "7.0", "7 km"])
    ]
    monitor.observe(rows)
    assert not monitor.report().suspicious
    assert monitor.report().numbers["repeats"] == 1


def test_keys_of_many_spellings_are_bounded() -> None:
    repeats, texts = Repeats(1), 120
    for i in range(texts):
        repeats.add(f"text {i}", "", [f"spelling {i} {j}" for j in range(300)])
        for j in range(40):
            repeats.add(f"text {i}", "", [f"town {i} {j} {k}" for k in range(60)])
    assert len(repeats._texts) < texts  # the bound was reached
    assert repeats._keys <= 1 << 18
    assert sum(len(text.keys) for text in repeats._texts.values()) == repeats._keys
