"""Waiting for a dark judge, and the fuse, on a clock of our own."""

from __future__ import annotations

import logging
from dataclasses import replace

import pytest
from hybridverify.adapters.outage import (
    HOLD_S,
    MIN_BAD_REPLY_ROWS,
    WARNING_EVERY_S,
    Outage,
    answered,
    unavailable,
    wrong_settings,
)

from hybridverify.errors import Fault, JudgeUnavailable
from hybridverify.types import SKIPPED, Grade, Outcome, Verdict

pytestmark = pytest.mark.load

RULE = Verdict(Outcome.UNDECIDED, source="rule")


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def judged(outcome: Outcome, *, cached: bool = False, fault: Fault = Fault.ENGINE) -> Grade:
    verdict = Verdict(outcome, float(outcome is Outcome.CORRECT), "judge:fake", cached=cached, fault=fault)
    return Grade(verdict.score, verdict.sure, outcome, RULE, verdict, judge_asked=True)


BY_RULE = Grade(1.0, True, Outcome.CORRECT, Verdict(Outcome.CORRECT, 1.0, "rule"), SKIPPED)
SILENT = judged(Outcome.FAILED)
GOOD = judged(Outcome.CORRECT)
UNREADABLE = judged(Outcome.UNPARSEABLE)
OWN = judged(Outcome.FAILED, fault=Fault.ROW)


def waited(outage: Outage, grades: list[Grade], clock: Clock) -> list[float]:
    """All pauses of one batch whose rows stay lost."""
    patience, pauses = outage.patience(), []
    outage.observe(grades)
    while pause := patience.pause(grades):
        pauses.append(pause)
        clock.now += pause
        outage.observe(grades)
    return pauses


def test_a_dark_judge_is_waited_for_with_backoff_until_the_time_is_spent() -> None:
    clock = Clock()
    pauses = waited(Outage(wait_s=100, clock=clock), [SILENT, SILENT], clock)
    assert pauses[:6] == [1, 2, 4, 8, 16, 30]
    assert sum(pauses) == pytest.approx(100)


def test_the_wait_is_spent_once_and_not_again_for_every_batch() -> None:
    clock = Clock()
    outage = Outage(wait_s=10, max_ungraded=1.0, clock=clock)
    assert sum(waited(outage, [SILENT], clock)) == pytest.approx(10)
    assert waited(outage, [SILENT], clock) == []
    outage.observe([GOOD])
    assert sum(waited(outage, [SILENT], clock)) == pytest.approx(10)


def test_rows_that_wait_one_by_one_warn_together(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    outage = Outage(wait_s=100, clock=clock)
    outage.observe([SILENT])
    with caplog.at_level(logging.WARNING, "hybridverify"):
        rows = [outage.patience() for _ in range(50)]
        assert all(row.pause([SILENT]) for row in rows)
        assert len(caplog.records) == 1
        clock.now += WARNING_EVERY_S
        assert all(row.pause([SILENT]) for row in rows)
    assert len(caplog.records) == 2


def test_rows_decided_by_rule_and_readable_replies_are_not_waited_for() -> None:
    clock = Clock()
    outage = Outage(clock=clock)
    assert waited(outage, [BY_RULE, GOOD, UNREADABLE, judged(Outcome.TOO_LONG)], clock) == []


def test_a_row_that_fails_by_itself_is_not_waited_for_and_is_no_sign_of_life() -> None:
    clock = Clock()
    outage = Outage(clock=clock)
    assert waited(outage, [OWN], clock) == []
    assert waited(outage, [OWN, BY_RULE, OWN], clock) == []
    assert not unavailable(OWN)
    assert not answered(OWN)
    assert not answered(judged(Outcome.TOO_LONG, fault=Fault.ROW))
    assert sum(waited(outage, [OWN, SILENT], clock)) == pytest.approx(outage.wait_s)


def test_rows_that_fail_by_themselves_blow_the_fuse_only_after_many_and_no_server_is_blamed() -> None:
    outage = Outage(wait_s=0)
    outage.observe([OWN])
    outage.record([OWN] * (MIN_BAD_REPLY_ROWS - 1))
    with pytest.raises(JudgeUnavailable, match="256 by their own fault") as caught:
        outage.record([OWN])
    assert "server" not in str(caught.value)


def test_a_refusal_is_told_with_the_judge_it_came_from() -> None:
    refused = replace(judged(Outcome.FAILED, fault=Fault.SETTINGS).judge, reason="no such model")
    grade = replace(SILENT, judge=refused)
    assert wrong_settings([GOOD, grade]) == "judge fake: no such model"
    assert wrong_settings([GOOD, SILENT, OWN, BY_RULE]) == ""
    assert wrong_settings([replace(grade, judge_asked=False)]) == ""


def test_one_row_that_the_judge_fails_on_is_not_waited_for_while_it_answers_others() -> None:
    clock = Clock()
    outage = Outage(clock=clock)
    outage.record([GOOD] * 20)
    assert waited(outage, [GOOD, SILENT], clock) == []


def test_a_lone_row_gives_up_waiting_when_another_call_saw_an_answer() -> None:
    clock = Clock()
    outage = Outage(clock=clock)
    outage.record([GOOD] * 20)
    patience = outage.patience()
    outage.observe([SILENT])
    assert patience.pause([SILENT]) > 0
    outage.observe([GOOD])
    assert patience.pause([SILENT]) == 0


def test_the_fuse_blows_for_a_dark_judge_and_again_on_the_second_call() -> None:
    clock = Clock()
    outage = Outage(wait_s=0, clock=clock)
    outage.observe([SILENT])
    with pytest.raises(JudgeUnavailable, match="1 of the last 1 rows"):
        outage.record([SILENT])
    with pytest.raises(JudgeUnavailable, match=r"max_ungraded=0\.2"):
        outage.check()


def test_after_the_hold_the_judge_gets_one_more_chance() -> None:
    clock = Clock()
    outage = Outage(wait_s=0, clock=clock)
    outage.observe([SILENT])
    with pytest.raises(JudgeUnavailable):
        outage.record([SILENT])
    clock.now += HOLD_S
    outage.check()
    outage.observe([GOOD])
    outage.record([GOOD, GOOD])
    outage.check()


def test_half_of_the_replies_failing_blows_the_fuse_at_a_fifth_and_not_at_full_tolerance() -> None:
    grades = [GOOD, SILENT] * 8
    strict, tolerant = Outage(wait_s=0), Outage(wait_s=0, max_ungraded=1.0)
    for outage in (strict, tolerant):
        outage.observe(grades)
    with pytest.raises(JudgeUnavailable, match="8 of the last 16 rows"):
        strict.record(grades)
    tolerant.record(grades)
    tolerant.check()


def test_a_share_below_the_fuse_is_let_through() -> None:
    outage = Outage(wait_s=0)
    outage.observe([GOOD])
    outage.record([GOOD] * 90 + [SILENT] * 10)
    outage.check()


def test_the_share_is_of_the_last_1024_rows() -> None:
    outage = Outage(wait_s=0)
    outage.observe([GOOD])
    outage.record([GOOD] * 5000)
    outage.record([SILENT] * 204)
    with pytest.raises(JudgeUnavailable, match="205 of the last 1024 rows"):
        outage.record([SILENT])


def test_unreadable_replies_stop_a_run_only_after_many_rows() -> None:
    outage = Outage(wait_s=0)
    outage.observe([UNREADABLE])
    outage.record([UNREADABLE] * (MIN_BAD_REPLY_ROWS - 1))
    with pytest.raises(JudgeUnavailable, match="not readable"):
        outage.record([UNREADABLE])


def test_rows_without_a_reference_never_count() -> None:
    no_reference = Grade(0.0, False, Outcome.BAD_REFERENCE, RULE, SKIPPED)
    outage = Outage(wait_s=0, max_ungraded=0.0)
    outage.record([no_reference] * 2000)
    outage.check()


def test_a_cached_verdict_is_no_sign_of_life() -> None:
    assert answered(GOOD)
    assert not answered(judged(Outcome.CORRECT, cached=True))


def test_a_silent_voter_of_a_panel_loses_the_row_but_shows_the_others_alive() -> None:
    votes = (SILENT.judge, GOOD.judge)
    no_quorum = Grade(
        0.0, False, Outcome.UNDECIDED, RULE, Verdict(Outcome.UNDECIDED), votes, judge_asked=True
    )
    assert unavailable(no_quorum)
    assert answered(no_quorum)


@pytest.mark.parametrize("cannot_tell", [judged(Outcome.UNDECIDED), replace(GOOD, graded=False)])
def test_a_judge_that_answers_that_it_cannot_tell_stops_no_run(cannot_tell: Grade) -> None:
    outage = Outage(wait_s=0)
    outage.record([cannot_tell] * 4 * MIN_BAD_REPLY_ROWS)
    with pytest.raises(JudgeUnavailable, match="not readable"):
        outage.record([UNREADABLE] * 4 * MIN_BAD_REPLY_ROWS)


def test_graded_rows_count_however_they_are_told() -> None:
    """Rows that are only counted stand in the window as soon as it is looked at."""
    told, counted = Outage(max_ungraded=0.2), Outage(max_ungraded=0.2)
    for outage in (told, counted):
        outage.record([UNREADABLE] * 55)
    for _ in range(MIN_BAD_REPLY_ROWS - 56):
        told.record([BY_RULE])
        counted.record_graded(1)
    with pytest.raises(JudgeUnavailable, match="55 of the last 256 rows"):
        told.record([BY_RULE])
    with pytest.raises(JudgeUnavailable, match="55 of the last 256 rows"):
        counted.record_graded(1)
    clean = Outage(max_ungraded=0.2)
    clean.record_graded(300)
    clean.record([UNREADABLE] * 60)  # a sixth of 360
    with pytest.raises(JudgeUnavailable, match="80 of the last 380 rows"):
        clean.record([UNREADABLE] * 20)
