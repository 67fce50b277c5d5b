"""Options that several commands share, each with one name and one help text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def _column(of: str) -> typer.models.OptionInfo:
    found: typer.models.OptionInfo = typer.Option(
        metavar="COLUMN", help=f"name of the {of} column; a.b is field b of column a"
    )
    return found


INPUTS = ".jsonl .json .csv (also .gz), .parquet, or a saved datasets folder"

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
CacheFolder = Annotated[Path | None, typer.Option(metavar="DIR", help="folder for the cache of verdicts")]
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
