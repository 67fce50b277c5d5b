"""The figures of an `agree` page: graders, confusion, groups, thresholds."""

from __future__ import annotations

from collections.abc import Iterator

from hybridverify.agreement import Agreement
from hybridverify.agreement.figures import DRAWS
from hybridverify.agreement.intervals import wilson
from hybridverify.agreement.members import Summary
from hybridverify.policies import RIGHT_FROM
from hybridverify.report.charts import Line, Share, plain_table, table
from hybridverify.report.embed import escaped
from hybridverify.report.lines import calibration, thresholds

_MEASURES = ("accuracy", "kappa", "j")


def agree_figures(found: Agreement) -> Iterator[str]:
    """Every figure as markup."""
    yield _graders(found)
    yield _correction()
    yield _confusion(found)
    if found.outcomes:
        rows = [(rule, judge, split.right, split.wrong) for (rule, judge), split in found.outcomes.items()]
        yield plain_table(
            "Rules against judge", ["rules say", "judge says", "labelled right", "labelled wrong"], rows
        )
    for column in found.rule.by:
        yield _by(column, found)
    sweep = found.sweep
    if sweep.kind:
        for name in _swept(found):
            yield thresholds(name, sweep.curves[name], sweep.kind)
        if sweep.calibration:
            yield calibration(sweep.calibration, sweep.kind)
        yield _sweep_facts(found)


def _graders(found: Agreement) -> str:
    lines = [
        Line(
            name,
            tuple(_measure(member.whole, metric) for metric in _MEASURES),
            (
                *(_number(member.whole, metric) for metric in ("recall", "fpr", "precision")),
                member.whole.undecided, member.whole.failed, member.whole.asked,
            ),
            main=name == found.main,
        )
        for name, member in found.members().items()
    ]  # fmt: skip
    counted = ["TPR", "FPR", "precision", "undecided", "failed", "judge asked"]
    note = (
        "J = TPR − FPR is what a policy learns from: how much more often a right answer is rewarded than a wrong one."
        " Accuracy and kappa also depend on how many answers are right here. A grade counts as accepted from"
        f" {RIGHT_FROM} on. Intervals: 95%, bootstrap of rows ({DRAWS} draws, fixed seed), of J Newcombe's."
        " The marked grader is the configured policy; policies that are not configured have their default settings."
    )
    return table(
        "Rules, judge, policies", "grader", ["accuracy", "kappa", "J"], counted, lines, note, broad=True
    )


def _confusion(found: Agreement) -> str:
    rows = []
    for name, member in found.members().items():
        counts = member.whole.figures.confusion()
        rows.append(
            (
                name, counts["tp"], counts["fn"], counts["fp"], counts["tn"],
                *(_number(member.whole, metric) for metric in ("accuracy_decided", "f1", "fnr")),
                f"{member.rescues.right} / {member.rescues.wrong}", f"{member.vetoes.right} / {member.vetoes.wrong}",
                ", ".join(f"{count} {outcome}" for outcome, count in sorted(member.whole.outcomes.items())),
            )
        )  # fmt: skip
    head = [
        "grader", "right, accepted", "right, not accepted", "wrong, accepted", "wrong, not accepted",
        "accuracy of decided", "F1", "FNR", "rescues right / wrong", "vetoes right / wrong", "outcomes",
    ]  # fmt: skip
    note = (
        "Rescues: accepted, and not by the rules. Vetoes: accepted by the rules, and not here. Each with how many of"
        " those rows are labelled right and wrong."
    )
    return plain_table("Confusion", head, rows, note, broad=True)


def _by(column: str, found: Agreement) -> str:
    members = found.main_members()
    lines = []
    for group, rule in found.rule.by[column].items():
        counts = rule.figures.confusion()
        parts = [member.by[column][group] for member in members.values()]
        numbers = [f"{_number(part, 'j')} / {_number(part, 'kappa')}" for part in parts]
        query = {"source": group} if column == "data_source" and not group.startswith("(") else None
        shares = tuple(_accuracy(part) for part in parts)
        lines.append(Line(group, shares, (counts["rows"], counts["right"], *numbers), query))
    counted = ["rows", "right", *(f"J / kappa {name}" for name in members)]
    note = "Accuracy of each grader with Wilson's interval, and its J and kappa."
    return table(f"By {column}", column, list(members), counted, lines, note, broad=len(members) > 1)


def _swept(found: Agreement) -> list[str]:
    """The judge, and the configured policy or, if that has no curve, `addon`."""
    policy = found.main if found.main in found.sweep.curves else "addon"
    return [name for name in ("judge", policy) if name in found.sweep.curves]


def _sweep_facts(found: Agreement) -> str:
    sweep = found.sweep
    scores = {
        "ROC AUC": sweep.roc_auc,
        "average precision": sweep.average_precision,
        "Brier score": sweep.brier,
    }
    rows = [(name, "–" if value is None else f"{value:.3f}") for name, value in scores.items()]
    for name in _swept(found):
        best = sweep.best(name)
        if best is not None:
            rows.append((f"highest kappa of {name} at", f"{best:.3f}"))
    note = (
        f"{sweep.rows:,} rows have a value. From stored verdicts; nothing was asked again. A threshold chosen on these"
        " rows looks better here than on new ones."
    )
    return plain_table(f"Thresholds over {sweep.kind}", ["", "value"], rows, note)


def _correction() -> str:
    """Filled in by the page's script."""
    return (
        '<figure class="card broad" id="correction" hidden><figcaption>At another share of right answers</figcaption>'
        '<p class="controls"><label>right answers <input id="share" type="range" min="1" max="99" step="1" value="50"'
        ' aria-describedby="share-text"></label> <output id="share-text" for="share"></output></p>'
        '<div class="wide"><table id="corrected"></table></div>'
        f'<p class="note">{escaped(_CORRECTION)}</p></figure>'
    )


_CORRECTION = (
    "TPR and FPR are kept as measured here, the share of right answers is yours: accuracy, how many accepted answers"
    " are right, how many refused ones are wrong, and what share is accepted. Intervals: 95%, from the counts."
)


def _accuracy(part: Summary) -> Share:
    """Groups are small: there a bootstrap has no width if all rows are told right."""
    counts = part.figures.confusion()
    return Share(part.figures.values["accuracy"], wilson(counts["tp"] + counts["tn"], counts["rows"]))


def _measure(part: Summary, metric: str) -> Share:
    return Share(part.figures.values[metric], part.figures.intervals[metric], metric == "accuracy")


def _number(part: Summary, metric: str) -> str:
    value = part.figures.values[metric]
    return "–" if value is None else f"{value:.3f}"
