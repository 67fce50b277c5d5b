"""How figures and a model's texts are written on a terminal and on a page."""

from __future__ import annotations

from collections.abc import Sequence

from hybridverify.agreement.members import Summary
from hybridverify.agreement.summary import Agreement
from hybridverify.language.printable import printable as printable

TITLES = {
    "accuracy": "accuracy",
    "accuracy_decided": "of decided",
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
    "fpr": "FPR",
    "fnr": "FNR",
    "kappa": "kappa",
    "j": "J",
}


def number(value: float | None) -> str:
    """A figure for people.

    >>> number(0.91234), number(None)
    ('0.912', '-')
    """
    return "-" if value is None else f"{value:.3f}"


def interval(ends: Sequence[float] | None) -> str:
    """A 95 % interval.

    >>> interval((0.9, 0.95)), interval(None)
    ('0.900–0.950', '')
    """
    return "" if ends is None else f"{ends[0]:.3f}–{ends[1]:.3f}"


def figure(summary: Summary, name: str) -> str:
    """One figure of a grader."""
    return number(summary.figures.values[name])


def ends(summary: Summary, name: str) -> str:
    """The interval of one figure."""
    return interval(summary.figures.intervals[name])


def rows(count: int) -> str:
    """A number of rows.

    >>> rows(1), rows(20000)
    ('1 row', '20000 rows')
    """
    return "1 row" if count == 1 else f"{count} rows"


def summary_line(found: Agreement) -> str:
    """Row count, accuracy of rules, judge and the configured policy, and the judge's calls."""
    counts = found.rule.whole.figures.confusion()
    told = {"rule": found.rule}
    asked = ""
    if found.setup.judges:
        told = {**told, "judge": found.judge, found.main: found.hybrid[found.main]}
        calls = found.calls
        asked = f"; judge asked for {calls['asked']}, {calls['called']} calls, {calls['cached']} from cache"
    accuracies = ", ".join(f"{name} {figure(member.whole, 'accuracy')}" for name, member in told.items())
    return f"{rows(counts['rows'])} ({counts['right']} right, {counts['wrong']} wrong): accuracy {accuracies}{asked}"
