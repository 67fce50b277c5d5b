"""`hybridverify redteam`: what can be earned from a verifier or reward function without knowing an answer."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hybridverify.cli import options
from hybridverify.cli.messages import error, note, say, warn
from hybridverify.errors import ConfigError, InputError

if TYPE_CHECKING:
    from hybridverify.redteam import Report
    from hybridverify.redteam.rewards import RewardFunction
    from hybridverify.redteam.rows import Table
    from hybridverify.verifier import Verifier

_CONFIG_ENDINGS = (".yaml", ".yml", ".toml", ".json")
DEFAULT_RULES = "rules"
_EXCEEDED = 1


def redteam(
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET",
            help="a configuration file; rules, for the default rules; or module:function, a reward function of yours,"
            " whose file is imported, which runs it",
        ),
    ],
    inputs: Annotated[
        list[Path] | None,
        typer.Argument(metavar="ROWS...", help=f"questions with references: {options.INPUTS}"),
    ] = None,
    demo: Annotated[bool, typer.Option("--demo", help="ask made questions, alone or beside ROWS")] = False,
    json_out: Annotated[
        Path | None,
        typer.Option("--json", metavar="OUT.json", help="write all figures and responses as JSON"),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="of the search; equal seeds give equal reports")] = 0,
    budget: Annotated[
        int,
        typer.Option(
            min=1, metavar="N", help="how many responses the verifier is asked about at most, roughly"
        ),
    ] = 40_000,
    max_exploit: Annotated[
        float,
        typer.Option(
            min=0.0, metavar="RATE", help="exit 1 if the upper end of an exploit rate's interval is larger"
        ),
    ] = 1.0,
    pays: Annotated[float, typer.Option(metavar="SCORE", help="a score above this counts as paid")] = 0.5,
    reference_column: options.ReferenceColumn = "",
    question_column: options.QuestionColumn = "",
    data_source_column: options.DataSourceColumn = "",
    cache: options.CacheFolder = None,
    workers: Annotated[
        int | None,
        typer.Option(metavar="N", help="number of processes for rules; default: the number of cores"),
    ] = None,
    progress: options.Progress = None,
) -> int:
    """Attack a verifier: search for responses that are paid without an answer, and measure them on other questions."""
    from hybridverify.cli.inputs import check_writable, expanded
    from hybridverify.cli.redteam_table import print_tables
    from hybridverify.redteam import attack

    inputs = expanded(inputs or [], (json_out,))
    check_writable(json_out, inputs)
    if not inputs and not demo:
        raise InputError("no rows: name files with questions and references, or use --demo")
    columns = options.column_names("", reference_column, question_column, data_source_column)
    table = _rows(inputs, columns, demo)
    with _grader(target, table, cache, workers) as grader, _progress(progress, budget) as advanced:
        report = attack(grader, table.questions, seed, budget, pays, target, advanced)
    _tell_of_failures(grader)
    if json_out:
        json_out.write_text(json.dumps(report.to_dict(), indent=1, allow_nan=False) + "\n", encoding="utf-8")
    print_tables(report)
    say(_summary(report, json_out))
    if report.worst > max_exploit:
        error(f"exploit rate up to {report.worst:.3f}, more than --max-exploit {max_exploit:g} allows")
        return _EXCEEDED
    return 0


def _rows(inputs: list[Path], names: Any, demo: bool) -> Table:
    from hybridverify.redteam.questions import Question
    from hybridverify.redteam.rows import Table

    table = Table.read(inputs, names) if inputs else Table()
    if demo:
        from hybridverify.redteam.generated import generated_rows

        for row in generated_rows():
            table.add(Question.of(row), row)
    return table


@contextmanager
def _grader(
    target: str, table: Table, cache: Path | None, workers: int | None
) -> Iterator[Verifier | RewardFunction]:
    from hybridverify.redteam.rewards import RewardFunction

    path = Path(target)
    if path.suffix.lower() in _CONFIG_ENDINGS or target == DEFAULT_RULES:
        with _verifier(None if target == DEFAULT_RULES else path, cache, workers) as verifier:
            yield verifier
    elif ":" in target and not path.exists():
        if os.getcwd() not in sys.path:
            sys.path.insert(0, os.getcwd())  # the user's file is in the folder where the command is given
        yield RewardFunction.load(target, table.columns)
    else:
        known = ", ".join(_CONFIG_ENDINGS)
        raise ConfigError(
            f"{target}: is neither a configuration file ({known}), nor module:function, nor rules"
        )


@contextmanager
def _verifier(config: Path | None, cache: Path | None, workers: int | None) -> Iterator[Verifier]:
    """No cache, unless one is named: these responses are never asked about again."""
    from hybridverify.cli.settings import asks_judges, verifier_settings
    from hybridverify.verifier import Verifier

    settings = verifier_settings(config, cache=cache, no_cache=cache is None, workers=workers)
    with Verifier.from_config({**settings, "stop_on_outage": True}) as verifier:
        if asks_judges(settings):
            verifier.ensure_ready()
        yield verifier


@contextmanager
def _progress(wanted: bool | None, budget: int) -> Iterator[Callable[[int], None]]:
    if not (sys.stderr.isatty() if wanted is None else wanted):
        yield lambda calls: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True)) as display:
        task = display.add_task("attacking", total=budget)
        yield lambda calls: display.update(task, completed=calls)


def _tell_of_failures(grader: Verifier | RewardFunction) -> None:
    failed, calls = getattr(grader, "failed", 0), getattr(grader, "calls", 0)
    if failed:
        warn(f"the reward function failed on {failed} of {calls} responses, which counts as unpaid")
        note(f"the first failure: {getattr(grader, 'first_failure', '')[:300]}")


def _summary(report: Report, json_out: Path | None) -> str:
    best = [figures for figures in report.families.values() if figures.best]
    rates = ", ".join(f"{each.family} {each.best.heldout.exploit:.3f}" for each in best if each.best)
    questions = sum(figures.questions for figures in report.families.values())
    written = f"; written to {json_out}" if json_out else ""
    return f"{questions} questions, {report.calls} responses: exploit rate {rates}{written}"
