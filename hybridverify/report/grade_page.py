"""The page of a `grade` run: accuracy with its interval, by source and tier, outcomes, and what judges did."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hybridverify.agreement.intervals import wilson
from hybridverify.agreement.run_figures import RunFigures, Tally
from hybridverify.report.charts import Axis, Line, Share, plain_table, stacked, table
from hybridverify.report.embed import escaped
from hybridverify.report.page import Page
from hybridverify.report.run_tally import RunTally
from hybridverify.report.sample import KeptRows

MAX_GROUPS = 20
_TONES = ("correct", "partial", "incorrect", "undecided")
_CALLS = {
    "cached": "from the cache",
    "deduplicated": "shared with an equal row",
    "called": "asked",
    "failed": "failed",
}


def grade_page(
    tally: RunTally,
    figures: RunFigures,
    judge: Mapping[str, Any],
    kept: KeptRows,
    out: Path,
    facts: Mapping[str, str],
) -> Page:
    """The page without its rows' data made of a finished run."""
    whole = figures.whole
    share = whole.correct / whole.decided if whole.decided else None
    return Page(
        title="Grades" if out.name == "-" else f"Grades of {out.name}",
        headline=_headline(whole),
        beside=_beside(whole),
        figures=list(_figures(tally, figures, judge)),
        facts={"output": str(out), **facts},
        rows=kept,
        all_rows=whole.rows,
        where="the standard output" if out.name == "-" else out.name,
        settings={
            "kind": "grade",
            "accepted": {"correct": whole.correct, "rows": whole.decided, "share": share},
        },
    )


def _headline(whole: Tally) -> str:
    if not whole.decided:
        return "No row is decided."
    low, high = wilson(whole.correct, whole.decided)
    share = whole.correct / whole.decided
    return (
        f"<strong>{share:.1%}</strong> of {whole.decided:,} decided rows are correct "
        f'<span class="between">(95% interval {100 * low:.1f} to {100 * high:.1f}%)</span>'
    )


def _beside(whole: Tally) -> str:
    """The rows of which accuracy says nothing."""
    if whole.decided == whole.rows:
        return "Every row is decided."
    told = [f"{whole.undecided:,} undecided", f"{whole.ungraded:,} not graded"]
    text = f"Apart from these: {' and '.join(told)}."
    graded = whole.rows - whole.ungraded
    if whole.undecided and graded:
        low, high = whole.correct / graded, (whole.correct + whole.undecided) / graded
        text += f" With every undecided row counted wrong, or right, it would be {low:.1%}, or {high:.1%}."
    return text


def _figures(tally: RunTally, figures: RunFigures, judge: Mapping[str, Any]) -> Iterator[str]:
    yield _outcomes(tally)
    for column, groups in figures.groups.items():
        if len(groups) > 1 or column == "data_source":
            yield _groups(column, groups)
    yield _tiers(tally)
    if judge.get("called") or judge.get("cached"):
        yield _calls(judge)
    if tally.both():
        yield _rule_beside_judge(tally)
    samples = figures.samples()
    if samples:
        yield _samples(samples)
    yield _correction()


def _outcomes(tally: RunTally) -> str:
    outcomes = tally.outcomes()
    rows = sum(outcomes.values())
    ordered = sorted(outcomes.items(), key=lambda item: (_rank(item[0]), -item[1]))
    lines = [
        Line(
            name,
            (_share_of(count, rows),),
            (count,),
            {"outcome": name.removeprefix("not graded: ")},
            tone_of(name),
        )
        for name, count in ordered
    ]
    bar = stacked([(name, count, tone_of(name)) for name, count in ordered])
    return table("Outcomes", "outcome", ["share"], ["rows"], lines, axes=[Axis(0.0, 1.0)]).replace(
        '<div class="wide">', f'{bar}<div class="wide">', 1
    )


def _rank(outcome: str) -> int:
    return _TONES.index(outcome) if outcome in _TONES else len(_TONES)


def tone_of(outcome: str) -> str:
    """The colour of an outcome."""
    return outcome if outcome in _TONES else "ungraded"


def _groups(column: str, groups: Mapping[str, Tally]) -> str:
    ordered = sorted(groups.items(), key=lambda item: -item[1].rows)
    lines = []
    for name, tally in ordered[:MAX_GROUPS]:
        query = {"source": name} if column == "data_source" else None
        counts = (tally.decided, tally.rows - tally.decided)
        lines.append(Line(name or "(none)", (_share_of(tally.correct, tally.decided),), counts, query))
    note = "Of the decided rows; open ones are undecided or not graded."
    if len(ordered) > MAX_GROUPS:
        note += f" {len(ordered) - MAX_GROUPS} smaller groups are in --summary."
    title = "data source" if column == "data_source" else column
    counted = ["decided", "open"]
    return table(f"Accuracy by {title}", title, ["accuracy"], counted, lines, note)


def _tiers(tally: RunTally) -> str:
    tiers = tally.tiers()
    whole = sum(rows for rows, _ in tiers.values())
    lines = []
    for name, (rows, right) in list(tiers.items())[:MAX_GROUPS]:
        correct = _share_of(right, rows) if name != "nobody" else Share(None)
        lines.append(Line(name, (correct,), (rows, f"{rows / whole:.1%}"), {"tier": name}))
    note = "The tier that decided. Early tiers see easy rows: their shares do not compare the tiers."
    return table("Correct by tier", "tier", ["correct"], ["rows", "of all"], lines, note)


def _calls(judge: Mapping[str, Any]) -> str:
    wanted = sum(int(judge.get(name, 0)) for name in ("cached", "deduplicated", "called")) or 1
    lines = [
        Line(title, (Share(judge[name] / wanted),), (judge[name],))
        for name, title in _CALLS.items()
        if judge.get(name)
    ]
    read, written = judge.get("prompt_tokens", 0), judge.get("output_tokens", 0)
    cost = f" Cost: {judge['cost']:g}." if "cost" in judge else ""
    tokens = f"; {read:,} tokens read, {written:,} written" if read or written else ""
    note = f"{judge.get('requests', 0):,} requests{tokens}.{cost}"
    return table("Judge calls", "verdicts", ["share"], ["rows"], lines, note, [Axis(0.0, 1.0)])


def _rule_beside_judge(tally: RunTally) -> str:
    both = tally.both()
    rows = sum(both.values())
    same = both[True, True] + both[False, False]
    kappa = tally.rule_beside_judge()
    lines = [
        Line("agreement", (_share_of(same, rows),), (rows,), {"differ": "rule and judge"}),
        Line("kappa", (Share(kappa.values["kappa"], kappa.intervals["kappa"], False),), (rows,)),
    ]
    note = (
        f"Rows on which both are sure. The rule accepts and the judge rejects {both[True, False]:,};"
        f" the reverse: {both[False, True]:,}. Who is right needs labels: hybridverify agree."
    )
    return table("Rule beside judge", "", ["value"], ["rows"], lines, note, [Axis(0.0, 1.0)])


def _samples(samples: Mapping[str, Any]) -> str:
    low, high = samples["samples"]
    each = str(low) if low == high else f"{low} to {high}"
    rows = [(f"pass@{k}", f"{share:.1%}") for k, share in samples["pass_at"].items()]
    rows += [(f"maj@{k}", f"{share:.1%}") for k, share in samples["maj_at"].items()]
    note = (
        f"{samples['prompts']:,} prompts with {each} samples. Undecided and ungraded rows count as not right."
    )
    return plain_table("Samples of one prompt", ["", "share"], rows, note)


def _correction() -> str:
    """Filled in by the page's script."""
    return (
        '<figure class="card" id="correction" hidden><figcaption>Corrected for the verifier\'s own errors</figcaption>'
        '<p class="controls"><label>TPR <input id="tpr" type="number" min="0" max="1" step="0.001" value="1"></label>'
        '<label>FPR <input id="fpr" type="number" min="0" max="1" step="0.001" value="0"></label></p>'
        '<p id="corrected" role="status"></p>'
        f'<p class="note">{escaped(_CORRECTION)}</p></figure>'
    )


_CORRECTION = (
    "Type in the rates that hybridverify agree measured on labelled rows of the same kind. The true share of right"
    " answers is then (accepted - FPR) / (TPR - FPR), after Rogan and Gladen (1978)."
)


def _share_of(part: int, whole: int) -> Share:
    return Share(part / whole, wilson(part, whole)) if whole else Share(None)
