"""The page of `agree`: every grader beside the labels, where they differ, thresholds, and the rows.

The rows are read a second time, for their texts: a case holds only a part of them, and memory stays bounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hybridverify.agreement import Agreement
from hybridverify.agreement.cases import Case, Setup, replay
from hybridverify.agreement.members import CONFIGURED, Summary
from hybridverify.agreement.rows import LabelledRow
from hybridverify.agreement.text import summary_line
from hybridverify.policies import RIGHT_FROM
from hybridverify.report.agree_figures import agree_figures
from hybridverify.report.contradictions import WRONG_ACCEPT, WRONG_REJECT, disagreements
from hybridverify.report.embed import escaped
from hybridverify.report.page import Page, render
from hybridverify.report.rows import GradedRow
from hybridverify.report.run_report import AsksRules, explainer
from hybridverify.report.sample import MAX_ROWS, KeptRows, RowSample
from hybridverify.types import SKIPPED, Grade, Outcome, Verdict


def agreement_page(
    found: Agreement, rows: Iterable[LabelledRow], facts: Mapping[str, str], ask: AsksRules | None = None
) -> str:
    """The page as text. `rows` are those of the cases, in the same order; `facts` (inputs, ...) are listed.
    `ask` tells every rule's verdict on a sample."""
    kept = _kept(found, rows, ask)
    main = found.hybrid[found.main].whole
    page = Page(
        title="Agreement with labels",
        headline=_headline(found.main, main),
        beside=_beside(found, main),
        figures=list(agree_figures(found)),
        facts={**facts, "summary": summary_line(found)},
        rows=kept,
        all_rows=len(found.cases),
        where=facts.get("inputs", "the inputs"),
        settings={"kind": "agree", "graders": {name: _rates(m.whole) for name, m in found.members().items()},
                  "main": found.main},
    )  # fmt: skip
    return render(page)


def _kept(found: Agreement, rows: Iterable[LabelledRow], ask: AsksRules | None) -> KeptRows:
    sample = RowSample(len(found.cases))
    for number, (case, row) in enumerate(zip(found.cases, rows, strict=True), 1):
        grade = grade_of_case(case, found)
        accepted = grade.score >= RIGHT_FROM
        bits = disagreements(grade)
        if accepted != case.label:
            bits |= WRONG_ACCEPT if accepted else WRONG_REJECT
        place = str(case.place) if case.place else ""
        held = GradedRow(row.sample, grade, number, sample.limits, place, int(case.label), bits)
        sample.offer(number, accepted != case.label, held.light)
    return sample.kept(explainer(ask, MAX_ROWS))  # labelled files are small, and every row is asked about


def grade_of_case(case: Case, found: Agreement) -> Grade:
    """What the configured policy makes of a case. The judges' verdicts stand beside it also where it asks nobody."""
    setup: Setup = found.setup
    policy = case.configured if found.main == CONFIGURED else setup.policy
    replayed = replay(case, policy, setup)
    judge = replayed.judge
    if judge.outcome is Outcome.SKIPPED and case.gate:
        judge = Verdict(Outcome.SKIPPED, 0.0, "gate", "", case.gate)
    elif judge.outcome is Outcome.SKIPPED and len(case.votes) == 1:
        judge = case.votes[0]
    decision = replayed.decision
    return Grade(
        decision.score,
        decision.graded,
        decision.outcome,
        case.rule,
        judge if judge.reason or judge.outcome is not Outcome.SKIPPED else SKIPPED,
        case.votes,
        policy.name,
        "",
        replayed.asked,
    )


def _headline(name: str, main: Summary) -> str:
    value, ends = main.figures.values["accuracy"], main.figures.intervals["accuracy"]
    if value is None or ends is None:
        return "There are no rows."
    j, between = main.figures.values["j"], main.figures.intervals["j"]
    text = (
        f"{escaped(name)} agrees with the labels on <strong>{value:.1%}</strong> of {main.figures.rows:,} rows "
        f'<span class="between">(95% interval {100 * ends[0]:.1f} to {100 * ends[1]:.1f}%)</span>'
    )
    if j is not None and between is not None:
        text += f'; J <strong>{j:.3f}</strong> <span class="between">({between[0]:.3f} to {between[1]:.3f})</span>'
    return text


def _beside(found: Agreement, main: Summary) -> str:
    counts = main.figures.confusion()
    return (
        f"{counts['right']:,} rows are labelled right, {counts['wrong']:,} wrong. {counts['fp']:,} wrong answers are"
        f" accepted, {counts['fn']:,} right ones are not. {main.undecided:,} undecided and {main.failed:,} failed rows"
        " count as not accepted."
    )


def _rates(whole: Summary) -> dict[str, Any]:
    counts: Sequence[str] = ("tp", "fn", "fp", "tn")
    confusion = whole.figures.confusion()
    return {name: confusion[name] for name in counts}
