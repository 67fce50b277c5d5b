"""`hybridverify agree`: labelled rows against rules, judge and policies."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hybridverify.cli import judge_options, options
from hybridverify.cli.messages import note, say, warn
from hybridverify.types import Outcome

if TYPE_CHECKING:
    from hybridverify.agreement import Agreement
    from hybridverify.agreement.cases import Case, Collector
    from hybridverify.agreement.rows import LabelledRecords


def agree(
    inputs: Annotated[
        list[Path],
        typer.Argument(metavar="LABELLED...", help=options.INPUTS),
    ],
    label_column: Annotated[
        str,
        typer.Option(
            metavar="L", help="column with true/false, 1/0 or right/wrong; default: label, right or verdict"
        ),
    ] = "",
    config: options.ConfigFile = None,
    by: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN", help="also give the figures for each value of this column; may be repeated"
        ),
    ] = None,
    report: options.Report = None,
    json_out: Annotated[
        Path | None, typer.Option("--json", metavar="OUT.json", help="write all figures as JSON")
    ] = None,
    policy: Annotated[
        str, typer.Option(metavar="P", help="the policy that the summary and the lists of rows are about")
    ] = "",
    grader: options.Grader = "",
    judge: options.JudgePreset = "",
    backend: options.BackendName = "",
    model: options.ModelName = "",
    base_url: options.BaseUrl = "",
    api_key_env: judge_options.ApiKeyEnv = "",
    header: judge_options.Headers = None,
    rpm: judge_options.Rpm = 0.0,
    no_model_check: judge_options.NoModelCheck = False,
    no_probe: judge_options.NoProbe = False,
    response_column: options.ResponseColumn = "",
    reference_column: options.ReferenceColumn = "",
    question_column: options.QuestionColumn = "",
    data_source_column: options.DataSourceColumn = "",
    meta: options.MetaColumns = None,
    cache: options.CacheFolder = None,
    no_cache: options.NoCache = False,
    workers: Annotated[
        int | None,
        typer.Option(metavar="N", help="number of processes for rules; default: the number of cores"),
    ] = None,
    progress: options.Progress = None,
) -> int:
    """Compare rules, judge and every policy with labels. Each judge is asked once about a row, for all policies."""
    from hybridverify.agreement.cases import Collector
    from hybridverify.agreement.extra import require_extra
    from hybridverify.agreement.rows import LabelledRecords
    from hybridverify.cli.inputs import check_writable, expanded
    from hybridverify.cli.report import check_report
    from hybridverify.cli.settings import JudgeOptions, verifier_settings
    from hybridverify.records import Records

    require_extra()
    inputs = expanded(inputs, (report, json_out))
    check_writable(json_out, inputs)
    check_report(report, inputs, {"--json": json_out})
    server = judge_options.ServerOptions.given(api_key_env, header, rpm, no_model_check)
    asked = JudgeOptions(judge, backend, model, base_url, server)
    settings = verifier_settings(config, policy, asked, cache, no_cache, workers, grader)
    columns = options.column_names(
        response_column, reference_column, question_column, data_source_column, meta
    )
    records = LabelledRecords.open(Records.open(inputs, columns, warn), label_column, by or (), warn)
    with Collector.of(judge_options.with_probe(settings, no_probe)) as collector:
        return _Session(records, collector, progress, report, json_out).run(inputs)


class _Session:
    """One `agree` with its progress bar, signals and last line."""

    def __init__(
        self,
        records: LabelledRecords,
        collector: Collector,
        progress: bool | None,
        report: Path | None,
        json_out: Path | None,
    ) -> None:
        self._records = records
        self._collector = collector
        self._progress = progress
        self._report = report
        self._json_out = json_out

    def run(self, inputs: Sequence[Path]) -> int:
        from hybridverify.agreement import agreement
        from hybridverify.cli.stop import Stopped, end_within_grace, stoppable

        cases: list[Case] = []
        try:
            with stoppable():
                cases.extend(self._collected())
        except Stopped as stop:
            end_within_grace(stop.code)
            note(
                "stopped: verdicts so far are in the cache, if there is one; the same command goes on from there"
            )
            return stop.code
        found = agreement(cases, self._collector.setup, self._collector.stats["judge"])
        self._write(found, inputs)
        self._show(found)
        return self._told_of_judges(cases)

    def _told_of_judges(self, cases: list[Case]) -> int:
        """The exit code: 1, with a warning, if a judge gave no usable label at all."""
        faults = []
        for number, name in enumerate(self._collector.setup.judges):
            labels = judge_options.Labels()
            for case in cases:
                vote = case.votes[number] if case.votes else None
                if vote is not None and vote.outcome is not Outcome.SKIPPED:
                    labels.add(True, vote.outcome.value, vote.reason)
            if labels.fault:
                faults.append(f"{name}: {labels.fault}")
        for fault in faults:
            warn(fault)
        return 1 if faults and len(faults) == len(self._collector.setup.judges) else 0

    def _collected(self) -> Iterator[Case]:
        from hybridverify.cli.progress import progress_bar
        from hybridverify.cli.run import RunTotals

        totals = RunTotals()
        with progress_bar(self._progress, self._collector) as bar:
            bar.opened(self._records.count)
            for case in self._collector.collect(self._records.rows()):
                totals.figures.whole.rows += 1
                bar.advanced(totals)
                yield case

    def _write(self, found: Agreement, inputs: Sequence[Path]) -> None:
        if self._json_out:
            text = json.dumps(found.to_dict(), indent=1, allow_nan=False)
            self._json_out.write_text(text + "\n", encoding="utf-8")
        if self._report:
            from hybridverify.report import agreement_page

            facts = {"inputs": ", ".join(map(str, inputs)), **self._facts()}
            page = agreement_page(found, self._records.rows(), facts, self._collector.rule_verdicts)
            self._report.write_bytes(page.encode("utf-8", "replace"))

    def _facts(self) -> dict[str, str]:
        """The settings and versions that the figures depend on."""
        setup = self._collector.setup
        return {
            "label columns": ", ".join(sorted(set(self._records.columns.values()))),
            "policy": "by route" if setup.routed else setup.policy.describe(),
            "judges": ", ".join(setup.judges) or "none",
            "verdicts gathered under": setup.fingerprint,
        }

    def _show(self, found: Agreement) -> None:
        from hybridverify.agreement.text import summary_line
        from hybridverify.cli.agree_table import print_tables

        print_tables(found)
        written = [str(path) for path in (self._report, self._json_out) if path]
        say(summary_line(found) + (f"; written to {' and '.join(written)}" if written else ""))
