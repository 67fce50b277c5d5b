"""Comparing clock times, durations and dates."""

from __future__ import annotations

from hybridverify.language import expressions as re
from hybridverify.maths.algebra.nodes import Num
from hybridverify.maths.comparing.rules import Case, Comparison, different, equal, undecided
from hybridverify.maths.comparing.scalar_rules import proportion_and_number, proportions
from hybridverify.maths.values.kinds import Clock, Date, Proportion, Quantity, Scalar

_TIME_WORDS = ("time", "clock", "when ", "hour", "minute")
_DURATIONS = ("how long", "duration", "how much time", "how many hours")
_PROPORTION = re.compile(r"[A-Za-z})](?::| : )[A-Za-z({\\]")
"""`AB:BC` in a question."""
_MAX_QUESTION = 20_000


def clocks(left: Clock, right: Clock, case: Case) -> Comparison:
    """12 h and 24 h times; am and pm must agree, and where one is absent nobody knows."""
    if left == right:
        return equal()
    if _may_be_one(left, case) and _may_be_one(right, case):
        return proportions(_as_proportion(left), _as_proportion(right), case)
    gap = _seconds(left) - _seconds(right)
    if bool(left.half) != bool(right.half):
        return _one_half_told(left if right.half else right, gap, case)
    if gap == 0:
        return equal("clock")
    return different("clock") if left.half else _apart_by(gap, case)


def _apart_by(gap: int, case: Case) -> Comparison:
    """So many seconds, where half a day is no difference: surely two times, unless one was rounded."""
    return undecided("clock") if gap % (12 * 3600) == 0 or case.speaks_of("roughly") else different("clock")


def _one_half_told(bare: Clock, gap: int, case: Case) -> Comparison:
    """Only one says am or pm: the bare one tells it by an hour of the afternoon, or may not have to."""
    if bare.hour >= 12 and gap == 0:
        return equal("clock")
    if bare.hour > 12 and not case.speaks_of("roughly"):
        return different("clock")
    if case.conventions.clock == "loose" and gap % (12 * 3600) == 0:
        return equal("clock")
    return _apart_by(gap, case)


def _seconds(clock: Clock) -> int:
    """Since midnight, taken as told where neither am nor pm is."""
    hour = clock.hour
    if clock.half:
        hour = hour % 12 + (12 if clock.half == "pm" else 0)
    return (hour * 60 + clock.minute) * 60 + clock.second


def clock_and_proportion(left: Clock, right: Proportion, case: Case) -> Comparison:
    """`3:30` may be a proportion."""
    return proportions(_as_proportion(left), right, case) if _may_be_one(left, case) else undecided("clock")


def clock_and_number(left: Clock, right: Scalar, case: Case) -> Comparison:
    """`7:10` and 7/10."""
    return (
        proportion_and_number(_as_proportion(left), right, case)
        if _may_be_one(left, case)
        else undecided("clock")
    )


def duration_and_clock(left: Quantity, right: Clock, case: Case) -> Comparison:
    """An hour and a half, and 1:30 where the question asks how long it is."""
    amount = left.value.exact if left.unit.dimension == (("time", 1),) else None
    same = amount is not None and not right.half and amount * left.unit.factor == _seconds(right)
    return equal("duration") if same and case.asks(*_DURATIONS) else undecided("duration")


def proportion_and_clock(left: Proportion, right: Clock, case: Case) -> Comparison:
    """As above, the reference a proportion that is no time: it says what the question asks for."""
    return undecided("clock") if _is_timed(right, case) else proportions(left, _as_proportion(right), case)


def _may_be_one(clock: Clock, case: Case) -> bool:
    """Only where the question asks for one: `15:30` is a time of the day to everybody else."""
    asked = case.asks("ratio", "odds", "proportion", " scale") or _PROPORTION.search(
        case.question[:_MAX_QUESTION]
    )
    return bool(asked) and not _is_timed(clock, case)


def _is_timed(clock: Clock, case: Case) -> bool:
    return bool(clock.half or clock.second or clock.minute < 10 or case.asks(*_TIME_WORDS))


def _as_proportion(clock: Clock) -> Proportion:
    return Proportion((Scalar(Num(clock.hour)), Scalar(Num(clock.minute))))


def dates(left: Date, right: Date, case: Case) -> Comparison:
    """Same day; the year may be absent on one side only if it is on both. Day and month may have changed places."""
    if left == right:
        return equal("date")
    if case.speaks_of("moving"):
        return undecided("date")  # another year, another season
    mine, theirs = (left.month, left.day), (right.month, right.day)
    if left.year and right.year and left.year % 100 != right.year % 100:
        return different("date")
    return undecided("date") if mine in (theirs, theirs[::-1]) else different("date")
