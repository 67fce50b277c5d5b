"""`hybridverify grade`: its options, and its last lines."""

from __future__ import annotations

import shlex
import threading
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from hybridverify.cli import judge_options, options
from hybridverify.cli.messages import error, note, reader_gone, say, warn, with_way_out
from hybridverify.errors import ConfigError, HybridVerifyError, InputError

if TYPE_CHECKING:
    from hybridverify.agreement.run_figures import RunFigures
    from hybridverify.cli.ray import RayGrader
    from hybridverify.cli.run import FileJob, FileRun, RunTotals
    from hybridverify.report import RunReport
    from hybridverify.verifier import Verifier

_READY_S = 60.0
_SILENCE_S = 3.0  # seconds; a running judge answers sooner


def grade(
    context: typer.Context,
    inputs: Annotated[
        list[Path],
        typer.Argument(metavar="IN...", help=options.INPUTS),
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="OUT", help=".jsonl or .csv (also .gz), .parquet, or - for stdout"
        ),
    ],
    config: options.ConfigFile = None,
    policy: Annotated[
        str,
        typer.Option(
            metavar="P",
            help="how rule and judge are combined: rule_only, addon, mixed, judge_only, tinyv_only, veto or sum",
        ),
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
    resume: Annotated[bool, typer.Option("--resume", help="continue an interrupted run")] = False,
    failed_only: Annotated[
        bool, typer.Option("--failed-only", help="grade only the rows that have no grade in OUT")
    ] = False,
    engine: Annotated[str, typer.Option(metavar="NAME", help="where to run: local or ray")] = "local",
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="number of processes for rules, or of Ray actors; default: the number of cores"
        ),
    ] = None,
    max_ungraded: Annotated[
        float,
        typer.Option(
            min=0.0, max=1.0, metavar="SHARE", help="exit 1 if a larger share of the rows has no grade"
        ),
    ] = 1.0,
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="grade only the first N rows of the input")
    ] = None,
    skip_bad_lines: Annotated[
        bool, typer.Option("--skip-bad-lines", help="leave out lines that cannot be read, and count them")
    ] = False,
    keep_shape: Annotated[
        bool,
        typer.Option(
            "--keep-shape",
            help="beside a list of responses write lists of grades, not a row for each response",
        ),
    ] = False,
    timing: Annotated[
        bool,
        typer.Option(
            "--timing", help="add the columns hv_cached and hv_seconds, which differ from run to run"
        ),
    ] = False,
    monitor: Annotated[
        bool, typer.Option("--monitor", help="report at the end what judges accepted after the rules did not")
    ] = False,
    by: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="figures for each value of this column; may be repeated"),
    ] = None,
    summary: Annotated[
        Path | None, typer.Option(metavar="FILE", help="write the figures of the run as JSON; - for stdout")
    ] = None,
    price_in: Annotated[
        float, typer.Option(min=0.0, metavar="PRICE", help="of a million tokens that judges read")
    ] = 0.0,
    price_out: Annotated[
        float, typer.Option(min=0.0, metavar="PRICE", help="of a million tokens that judges write")
    ] = 0.0,
    report: options.Report = None,
    progress: options.Progress = None,
) -> int:
    """Grade the rows of files. OUT gets the input's columns and the hv_* columns."""
    from hybridverify.cli.inputs import expanded
    from hybridverify.cli.report import check_report
    from hybridverify.cli.run import FileJob
    from hybridverify.cli.run_summary import check_summary
    from hybridverify.cli.settings import JudgeOptions, asks_judges, verifier_settings

    columns = options.column_names(
        response_column, reference_column, question_column, data_source_column, meta, by
    )
    files = expanded(inputs, (out, summary, report))
    check_summary(summary, files, out)
    check_report(report, files, {"--output": out, "--summary": summary})
    job = FileJob(
        files,
        out,
        columns,
        resume,
        failed_only,
        timing,
        limit,
        keep_shape=keep_shape,
        skip_bad_lines=skip_bad_lines,
    )
    server = judge_options.ServerOptions.given(api_key_env, header, rpm, no_model_check)
    asked = JudgeOptions(judge, backend, model, base_url, server)
    settings = verifier_settings(config, policy, asked, cache, no_cache, workers, grader)
    if settings.get("judges") and not asks_judges(settings):
        warn("the policy asks no judge; name one that does, such as --policy addon")
    probed = judge_options.with_probe(settings, no_probe or engine != "local")
    verifier = _grader(engine, {**probed, "stop_on_outage": True}, workers)
    arguments = context.obj if isinstance(context.obj, list) else []
    told = _Told(summary, price_in, price_out, max_ungraded, monitor, report)
    return _Session(job, verifier, asks_judges(settings), progress, arguments, told).run()


def _grader(engine: str, settings: Mapping[str, Any], workers: int | None) -> Verifier | RayGrader:
    if engine == "local":
        from hybridverify.verifier import Verifier

        return Verifier.from_config(settings)
    if engine != "ray":
        raise ConfigError(f"--engine: {engine!r} is not one of local, ray")
    from hybridverify.cli.ray import RayGrader

    return RayGrader(settings, workers)


def reach_judges(verifier: Verifier | RayGrader, limit_s: float = _READY_S) -> None:
    """Wait for judges that are still starting. Raises JudgeUnavailable after the time limit."""
    from hybridverify.judges.backends.starting import waited_for

    def tell() -> None:
        if not waited_for():  # a model that is being loaded is announced by its name
            note(f"waiting for the judge, up to {limit_s:.0f} s")

    patience = threading.Timer(_SILENCE_S, tell)
    patience.daemon = True
    patience.start()
    try:
        verifier.ensure_ready(limit_s)
    finally:
        patience.cancel()


class _Told(NamedTuple):
    """What is told at the end, and what makes the exit code 1."""

    summary: Path | None
    price_in: float
    price_out: float
    max_ungraded: float
    monitor: bool
    report: Path | None = None


class _Session:
    """One `grade` with its progress bar, signals and last line."""

    def __init__(
        self,
        job: FileJob,
        verifier: Verifier | RayGrader,
        asks_judges: bool,
        progress: bool | None,
        arguments: list[str],
        told: _Told,
    ) -> None:
        self._job = job
        self._verifier = verifier
        self._asks_judges = asks_judges
        self._progress = progress
        self._arguments = arguments
        self._told = told

    def run(self) -> int:
        from hybridverify.cli.progress import progress_bar
        from hybridverify.cli.report import new_report
        from hybridverify.cli.run import FileRun
        from hybridverify.cli.stop import Stopped, end_within_grace, stoppable

        run: FileRun | None = None
        watcher = new_report(self._verifier) if self._told.report is not None else None
        with self._verifier:
            try:
                with stoppable(), progress_bar(self._progress, self._verifier) as bar:
                    ready = partial(reach_judges, self._verifier) if self._asks_judges else None
                    run = FileRun(self._job, self._verifier, warn, bar.opened, bar.advanced, ready, watcher)
                    totals = run.run()
            except Stopped as stop:
                end_within_grace(stop.code)
                self._stopped(run, "stopped")
                return stop.code
            except BrokenPipeError:
                return reader_gone()
            except HybridVerifyError as fault:
                error(with_way_out(fault))
                if not isinstance(fault, InputError):
                    self._stopped(run, "kept")
                return fault.exit_code
            return self._finished(totals, run.figures, watcher)

    def _finished(self, totals: RunTotals, figures: RunFigures, watcher: RunReport | None) -> int:
        from hybridverify.cli.progress import summary
        from hybridverify.cli.report import run_facts
        from hybridverify.cli.run_summary import judge_figures, lines, write_summary
        from hybridverify.records.streams import STDOUT

        if totals.left_out.count:
            error(
                f"{totals.left_out}: left out, the other rows are written; write .parquet, or mend the input"
            )
        self._tell_of_judges()
        told = self._told
        judge = judge_figures(self._verifier.stats["judge"], told.price_in, told.price_out)
        if told.summary is not None:
            write_summary(told.summary, figures, judge, self._job.out, totals.skipped.count)
        if told.report is not None and watcher is not None:
            facts = run_facts(self._job, self._verifier)
            watcher.write(told.report, figures, judge, self._job.out, facts, self._verifier)
        taken = self._job.to_stdout or told.summary == STDOUT  # standard output is the rows' or the figures'
        tell = note if taken else say
        for line in lines(figures, judge):
            tell(line)
        tell(summary(totals, self._verifier, self._job.out))
        if fault := totals.labels.fault:
            warn(fault)
        return self._exit_code(totals)

    def _exit_code(self, totals: RunTotals) -> int:
        if totals.left_out.count:
            return InputError.exit_code
        if totals.rows and totals.ungraded / totals.rows > self._told.max_ungraded:
            error(f"{totals.ungraded} of {totals.rows} rows are not graded, more than --max-ungraded allows")
            return 1
        return 1 if totals.labels.fault else 0

    def _tell_of_judges(self) -> None:
        """The whole report if it was asked for, else one line if something is suspicious."""
        report = self._verifier.monitor
        if self._told.monitor:
            for line in report.lines():
                note(line)
        elif report.suspicious:
            note(f"suspicious: {report.alarms[0]} ({len(report.alarms)} in all; --monitor tells more)")

    def _stopped(self, run: FileRun | None, word: str) -> None:
        """How many rows were graded and how to go on; nothing if no row was finished."""
        if run is None or not run.journal.exists():
            return
        again = shlex.join(["hybridverify", *judge_options.without_secrets(self._arguments)])
        if "--resume" not in self._arguments and not self._job.failed_only:
            again += " --resume"
        note(f"{word}: {run.journal.rows()} rows are in {run.journal.path}; to go on: {again}")
