"""The watch over what judges rescue, and how it is told."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import pytest

import hybridverify as hv
from hybridverify.errors import ConfigError
from hybridverify.guards.monitor import Monitor, Observed, Watch
from hybridverify.guards.monitor_report import merged, merged_reports, shown_safely
from hybridverify.testing import ScriptedJudge
from hybridverify.types import Outcome

UNDECIDED = hv.Verdict(Outcome.UNDECIDED)
YES, NO = hv.Verdict(Outcome.CORRECT, 1.0, "judge:a"), hv.Verdict(Outcome.INCORRECT, 0.0, "judge:a")


def rows(accepts: Sequence[bool], answer: str = "a town") -> list[Observed]:
    return [
        Observed(f"{answer} {i}", f"q{i}", (f"r{i}",), UNDECIDED, said, (said,))
        for i, accept in enumerate(accepts)
        for said in [YES if accept else NO]
    ]


def test_rates_count_what_was_asked_and_not_yet_accepted() -> None:
    monitor = Monitor()
    right = hv.Verdict(Outcome.CORRECT, 1.0, "rule:exact")
    failed = hv.Verdict(Outcome.FAILED, source="judge:a")
    monitor.observe(rows([True, False, False, True]))
    monitor.observe([Observed("x", "", ("y",), right, YES, (YES,))])
    monitor.observe([Observed("x", "", ("y",), UNDECIDED, failed, (failed,))])
    numbers = monitor.numbers()
    assert (numbers["asked"], numbers["rescued"], numbers["rescue_rate"]) == (4, 2, 0.5)
    assert numbers["accept_rate:judge:a"] == 0.6
    assert numbers["length_ratio"] == len("a town 0") / len("r0")
    assert all(isinstance(value, (int, float)) for value in numbers.values())


def test_a_moved_rescue_rate_warns_once_and_stays_in_the_numbers(caplog: pytest.LogCaptureFixture) -> None:
    monitor = Monitor(Watch(window=10, max_drift=0.3))
    with caplog.at_level(logging.WARNING, "hybridverify"):
        monitor.observe(rows([False] * 8 + [True] * 2))
        assert not monitor.report().suspicious
        monitor.observe(rows([True] * 10))
        monitor.observe(rows([True] * 10))
    assert [record.name for record in caplog.records] == ["hybridverify"]
    assert "moved from 0.20 to 1.00" in caplog.text
    numbers = monitor.numbers()
    assert (numbers["alarms"], numbers["first_rescue_rate"], numbers["recent_rescue_rate"]) == (1, 0.2, 1.0)


def test_a_fallen_rescue_rate_is_a_drift_too() -> None:
    monitor = Monitor(Watch(window=10, max_drift=0.3))
    monitor.observe(rows([True] * 10))
    monitor.observe(rows([False] * 10))
    assert "moved from 1.00 to 0.00" in monitor.report().alarms[0]


def test_the_first_window_alone_raises_no_drift() -> None:
    monitor = Monitor(Watch(window=10, max_drift=0.0))
    monitor.observe(rows([True, False] * 4))
    assert not monitor.report().suspicious


def test_a_bound_on_the_rescue_rate_needs_no_earlier_window() -> None:
    monitor = Monitor(Watch(window=10, max_rescue_rate=0.5))
    monitor.observe(rows([True] * 9))
    assert not monitor.report().suspicious
    monitor.observe(rows([True]))
    assert "above 0.50" in monitor.report().alarms[0]


def test_one_text_for_many_references_is_suspicious_and_many_equal_rollouts_are_not() -> None:
    monitor = Monitor(Watch(max_repeats=5))
    monitor.observe([Observed("Ulm", "q", ("Ulm, Germany",), UNDECIDED, YES)] * 50)
    assert not monitor.report().suspicious
    monitor.observe([Observed("As shown.", "", (str(i),), UNDECIDED, YES) for i in range(6)])
    report = monitor.report()
    assert report.repeated[0] == ("As shown.", 6)
    assert report.alarms == ('"As shown." was accepted against 6 different references',)
    assert report.numbers["repeats"] == 6


def test_spelling_and_case_do_not_hide_a_repeated_text() -> None:
    monitor = Monitor()
    texts = ["As shown", "as  shown.", "AS SHOWN!", "**as shown**"]
    monitor.observe([Observed(text, "", (str(i),), UNDECIDED, YES) for i, text in enumerate(texts)])
    assert [entry.references for entry in monitor.report().repeated] == [4]


def test_broken_canaries_are_an_alarm() -> None:
    monitor = Monitor()
    broken = hv.Verdict(Outcome.CORRECT, 1.0, "canary:a")
    monitor.observe([Observed("x", "", ("y",), UNDECIDED, UNDECIDED, (), (broken,))] * 9)
    assert not monitor.report().suspicious
    monitor.observe([Observed("x", "", ("y",), UNDECIDED, UNDECIDED, (), (broken,))])
    assert "10 of 10 accepts held for a foreign reference too" in monitor.report().alarms[0]
    assert monitor.numbers()["broken_rate:canary:a"] == 1.0


def test_memory_is_bounded() -> None:
    monitor = Monitor()
    monitor.observe([Observed(f"text number {i}", "", (str(i),), UNDECIDED, YES) for i in range(6000)])
    assert len(monitor.repeats._texts) == 4096
    monitor.observe([Observed("one", "", (str(i),), UNDECIDED, YES) for i in range(3000)])
    assert monitor.report().repeated[0].references == 1024


def test_texts_of_a_model_are_shown_without_control_characters() -> None:
    monitor = Monitor(Watch(max_repeats=1))
    hostile = "ok\x1b[31m\u202egnal\u200b\n" + "x" * 200
    monitor.observe([Observed(hostile, "", (str(i),), UNDECIDED, YES) for i in range(3)])
    for line in (*monitor.report().lines(), *monitor.report().alarms):
        assert line.isprintable()
        assert len(line) < 200
    assert shown_safely("\x07") == "\\x07"


def test_numbers_of_several_processes_are_added_and_rates_weighted() -> None:
    one, other = Monitor(), Monitor()
    one.observe(rows([True] * 3))
    other.observe(rows([False]))
    both = merged([one.numbers(), other.numbers()])
    assert (both["asked"], both["rescued"], both["rescue_rate"]) == (4, 3, 0.75)
    assert merged([]) == {}


def test_reports_of_several_processes_become_one() -> None:
    one, other = Monitor(Watch(max_repeats=1)), Monitor(Watch(max_repeats=1))
    for monitor, references in ((one, "abc"), (other, "de")):
        monitor.observe([Observed("As shown.", "", (r,), UNDECIDED, YES) for r in references])
    both = merged_reports([one.report(), other.report()])
    assert both.repeated == (("As shown.", 5),)
    assert len(both.alarms) == 2
    assert merged_reports([]).lines() == ["no judge was asked about a row that the rules had not accepted"]


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"windw": 3}, "monitor.windw: no such setting; did you mean 'window'"),
        ({"window": 0}, "monitor.window: expected a whole number from 1"),
        ({"max_drift": 2}, "monitor.max_drift"),
        (3, "monitor: expected a mapping"),
    ],
)
def test_a_wrong_watch_is_refused_by_name(setting: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        hv.Verifier(monitor=setting)


def test_a_run_shows_its_numbers_in_the_stats_and_its_texts_in_the_monitor() -> None:
    samples = [hv.Sample("It is the town of Ulm.", f"Ulm {i}", "Where?") for i in "abc"]
    with hv.Verifier(policy="judge_only", judges=[ScriptedJudge(True)]) as verifier:
        verifier.grade(samples)
        assert verifier.stats["monitor"]["rescue_rate"] == 1.0
        assert verifier.stats["monitor"]["accept_rate:judge:scripted"] == 1.0
        (repeated,) = verifier.monitor.repeated
        assert (repeated.text, repeated.references) == ("It is the town of Ulm.", 3)
        assert verifier.monitor.to_dict()["repeated"][0]["references"] == 3
    with hv.Verifier() as verifier:
        assert "monitor" not in verifier.stats


def test_drift_of_a_judge_that_starts_to_accept_everything_is_noticed_in_a_run(
    caplog: pytest.LogCaptureFixture,
) -> None:
    judge = ScriptedJudge(lambda question, reference, answer: "always" in answer)
    honest = [hv.Sample(f"It is number {i} on the list.", f"Ulm {i}") for i in range(20)]
    hacked = [hv.Sample(f"It is always so {i}, you see.", f"Ulm {i}") for i in range(20)]
    with (
        caplog.at_level(logging.WARNING, "hybridverify"),
        hv.Verifier(policy="judge_only", judges=[judge], monitor={"window": 20}) as verifier,
    ):
        verifier.grade(honest)
        verifier.grade(hacked)
        assert verifier.monitor.suspicious
    assert "the rescue rate moved from 0.00 to 1.00" in caplog.text
