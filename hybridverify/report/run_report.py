"""The report of a `grade` run: sees each row once, while it is written, and makes the page at the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from hybridverify.agreement.run_figures import RunFigures
from hybridverify.records import Entry
from hybridverify.report.contradictions import disagreements
from hybridverify.report.grade_page import grade_page
from hybridverify.report.page import render
from hybridverify.report.rows import GradedRow, ReportRow, grade_of
from hybridverify.report.run_tally import RunTally
from hybridverify.report.sample import Offered, RowSample
from hybridverify.types import Grade, Sample, Verdict

MAX_EXPLAINED = 500
"""Rows of which the page tells every rule's verdict, those that disagree first. The rules that the run did not need are
asked for them when the page is made. Of the other rows it tells what the rules said that the run asked."""


class RunReport:
    """Collects a run's rows in bounded memory. `opened`, then `add` for each row, then `write`."""

    def __init__(self) -> None:
        self.tally = RunTally()
        self.rows = 0
        self._sample = RowSample(1)

    def opened(self, rows: int) -> None:
        """How many rows will come; texts are cut by it."""
        self._sample = RowSample(rows)

    def add(self, entry: Entry, columns: Mapping[str, Any], grade: Grade | None) -> None:
        """One row of the output, in its order. `grade` is None where an earlier run finished it."""
        self.rows += 1
        given = grade if grade is not None else grade_of(columns)
        self.tally.add(given)
        sample, number, bits = entry.sample, self.rows, disagreements(given)
        limits = self._sample.limits
        self._sample.offer(
            number, bits != 0, lambda: GradedRow(sample, given, number, limits, disagreement=bits).light()
        )

    def write(
        self,
        path: Path,
        figures: RunFigures,
        judge: Mapping[str, Any],
        out: Path,
        facts: Mapping[str, str],
        verifier: object = None,
    ) -> None:
        """Make the page and write it."""
        kept = self._sample.kept(explainer(getattr(verifier, "rule_verdicts", None)))
        page = grade_page(self.tally, figures, judge, kept, out, facts)
        path.write_bytes(render(page).encode("utf-8", "replace"))


class AsksRules(Protocol):
    """`Verifier.rule_verdicts`."""

    def __call__(self, sample: Sample) -> list[Verdict]: ...


def explainer(ask: AsksRules | None, most: int = MAX_EXPLAINED) -> Callable[[Offered], ReportRow]:
    """Makes the rows of the page; the first `most` of them with the verdicts of all rules."""
    left = most if ask is not None else 0

    def explained(held: Offered) -> ReportRow:
        nonlocal left
        if ask is None or left <= 0 or not isinstance(held, GradedRow):
            return held.row()
        left -= 1
        return held.told(ask(held.sample))

    return explained
