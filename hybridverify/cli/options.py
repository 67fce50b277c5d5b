"""Options that several commands share, each with one name and one help text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hybridverify.errors import InputError

if TYPE_CHECKING:
    from hybridverify.records import ColumnNames


def _column(of: str) -> typer.models.OptionInfo:
    found: typer.models.OptionInfo = typer.Option(
        metavar="COLUMN", help=f"name of the {of} column; a.b is field b of column a, a.0 the first of a list"
    )
    return found


INPUTS = ".jsonl .json .csv (also .gz), .parquet, a saved datasets folder, 'quoted/*.jsonl', or - for stdin"

ConfigFile = Annotated[
    Path | None, typer.Option("--config", "-c", metavar="C", help="configuration file: .yaml, .toml or .json")
]
Grader = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="give the numbers of another system instead of the rules': math_verify, prime_math, hendrycks, ...",
    ),
]
JudgePreset = Annotated[
    str, typer.Option(metavar="PRESET", help="prompt and parser of the judge; see: presets list")
]
BackendName = Annotated[
    str, typer.Option(metavar="NAME", help="what runs the judge: openai, vllm, sglang, transformers, ...")
]
ModelName = Annotated[str, typer.Option(metavar="M", help="name or folder of the judge's model")]
BaseUrl = Annotated[str, typer.Option(metavar="U", help="address of an OpenAI-compatible server")]
ResponseColumn = Annotated[str, _column("response")]
ReferenceColumn = Annotated[str, _column("reference")]
QuestionColumn = Annotated[str, _column("question")]
DataSourceColumn = Annotated[str, _column("data source")]
MetaColumns = Annotated[
    list[str] | None,
    typer.Option(metavar="KEY=COLUMN", help="put a column into Sample.meta[KEY]; may be repeated"),
]
CacheFolder = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="folder for the cache of verdicts: a judge's, and those of rules that need a worker process (sympy and"
        " Math-Verify); other rules are quicker than a look into it",
    ),
]
NoCache = Annotated[bool, typer.Option("--no-cache", help="use no cache")]
Report = Annotated[
    Path | None,
    typer.Option(
        metavar="OUT.html", help="write one HTML page: figures with intervals, and the rows to browse"
    ),
]
Progress = Annotated[
    bool | None, typer.Option("--progress/--no-progress", help="show a progress bar; default: on a terminal")
]


def column_names(
    response: str,
    reference: str,
    question: str,
    data_source: str,
    meta: Sequence[str] | None = None,
    by: Sequence[str] | None = None,
) -> ColumnNames:
    """The columns that the options name. Raises InputError."""
    from hybridverify.records import ColumnNames

    return ColumnNames(
        question, reference, response, data_source, dict(map(meta_column, meta or [])), tuple(by or ())
    )


def meta_column(text: str) -> tuple[str, str]:
    """One `--meta KEY=COLUMN`. Raises InputError."""
    key, separator, column = text.partition("=")
    if not (key and separator and column):
        raise InputError(f"--meta {text}: expected KEY=COLUMN")
    return key, column
