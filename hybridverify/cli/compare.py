"""`hybridverify compare`: two ways to grade the same rows, and which rows change."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer

from hybridverify.cli import options
from hybridverify.cli.messages import error, note, say, warn
from hybridverify.errors import ConfigError, InputError, did_you_mean

if TYPE_CHECKING:
    from hybridverify.comparison import Comparison, Said, Side
    from hybridverify.records import ColumnNames, Entry, Records

_CHUNK_ROWS = 256
_SETTINGS = (".yaml", ".yml", ".toml", ".json")
_ROWS = (".jsonl", ".ndjson", ".csv", ".parquet", ".arrow", ".gz")
_DEFAULT = "default"
_FORMS = "default, a grader's name, conf.yaml, graded.jsonl, scores.jsonl:COLUMN, or :COLUMN of the rows"


def compare(
    old: Annotated[str, typer.Argument(metavar="OLD", help=f"what graded before: {_FORMS}")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="what grades now, in the same forms")],
    inputs: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="ROWS", help=options.INPUTS + "; default: the file with scores that OLD or NEW names"
        ),
    ] = None,
    json_out: Annotated[
        Path | None, typer.Option("--json", metavar="OUT.json", help="write all counts and examples as JSON")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="OUT.jsonl", help="write the rows that change, with both sides"),
    ] = None,
    examples: Annotated[
        int, typer.Option(min=1, metavar="N", help="rows kept as examples of each line of the table")
    ] = 2,
    response_column: options.ResponseColumn = "",
    reference_column: options.ReferenceColumn = "",
    question_column: options.QuestionColumn = "",
    data_source_column: options.DataSourceColumn = "",
    meta: options.MetaColumns = None,
    cache: options.CacheFolder = None,
    no_cache: options.NoCache = False,
    workers: Annotated[
        int | None, typer.Option(metavar="N", help="number of processes for rules; default: the cores")
    ] = None,
) -> int:
    """Grade rows in two ways, or take scores that are there, and say which rows change and why."""
    from hybridverify.cli.inputs import check_writable, expanded
    from hybridverify.comparison import Comparison
    from hybridverify.records import Records

    sides = [_form(role, text) for role, text in (("OLD", old), ("NEW", new))]
    _check_order(old, new, inputs or [])
    files = expanded(inputs, (json_out, out)) if inputs else _rows_of(sides)
    for path in (json_out, out):
        check_writable(path, files)
    _check_form(out)
    columns = options.column_names(
        response_column, reference_column, question_column, data_source_column, meta
    )
    records = Records.open(files, columns, warn)
    maker = _Maker(files, columns, cache, no_cache, workers, records.count)
    with ExitStack() as stack:
        made = []
        for form in sides:
            made.append(maker.side(form))
            stack.callback(made[-1].close)
        found = Comparison(made[0].name, made[1].name, examples)
        return _Session(records, made, found, out, json_out).run()


@dataclass(frozen=True)
class _Form:
    """What OLD or NEW turned out to be: a grader's name, a file of settings, or a column (of `path`, if it is one)."""

    grader: str = ""
    settings: Path | None = None
    path: Path = Path()
    column: str = ""


def _rows_of(sides: Sequence[_Form]) -> list[Path]:
    """The file with scores that one of the sides names."""
    files = [form.path for form in sides if form.column and form.path != Path()]
    if not files:
        raise InputError("ROWS is missing: name a file of rows after OLD and NEW")
    return files[:1]


def _check_order(old: str, new: str, inputs: Sequence[Path]) -> None:
    """Raises InputError where the rows were named first, as `grade` takes them."""
    from hybridverify.config.graders import GRADERS

    if len(inputs) == 1 and str(inputs[0]) in (_DEFAULT, *GRADERS) and not inputs[0].exists():
        raise InputError(f"{inputs[0]}: names a grader; the rows come last: compare {new} {inputs[0]} {old}")


def _check_form(out: Path | None) -> None:
    if out is not None and out.suffix != ".jsonl":
        raise InputError(f"{out}: changed rows are written as .jsonl")


def _form(role: str, text: str) -> _Form:
    from hybridverify.comparison.scores import SCORE_COLUMN
    from hybridverify.config.graders import GRADERS

    if text == _DEFAULT or text in GRADERS:
        return _Form(grader=text)
    if Path(text).suffix.lower() in _SETTINGS:
        return _Form(settings=Path(text))
    if form := _named_column(text):
        return form
    if _holds_rows(text):
        return _Form(path=Path(text), column=SCORE_COLUMN)
    near = did_you_mean(text, [_DEFAULT, *GRADERS])
    raise ConfigError(
        f"{role}: {text!r} is no grader, settings file or score column; {near} (or give {_FORMS})"
    )


def _named_column(text: str) -> _Form | None:
    """`:COLUMN` of the rows, or `FILE:COLUMN`."""
    file, _, column = text.rpartition(":")
    if not column:
        return None
    if text == f":{column}":
        return _Form(column=column)
    return _Form(path=Path(file), column=column) if file and _holds_rows(file) else None


def _holds_rows(text: str) -> bool:
    return Path(text).suffix.lower() in _ROWS or Path(text).is_dir()


@dataclass(frozen=True)
class _Maker:
    """Makes both sides from the options they share."""

    files: Sequence[Path]
    columns: ColumnNames
    cache: Path | None
    no_cache: bool
    workers: int | None
    rows: int

    def side(self, form: _Form) -> Side:
        """The side that OLD or NEW names. Raises ConfigError or InputError."""
        from hybridverify.cli.grade import reach_judges
        from hybridverify.cli.settings import JudgeOptions, asks_judges, verifier_settings
        from hybridverify.comparison import GradedSide, ScoredSide
        from hybridverify.records.rows import say_nothing

        if form.column:
            if form.path == Path() and len(self.files) > 1:
                raise InputError(
                    f":{form.column}: one file of rows is needed; name the column as FILE:COLUMN"
                )
            file = self._file(form)
            told = say_nothing if file in self.files else warn  # those rows were warned of already
            scored = ScoredSide(file, form.column, self.columns, told)
            scored.check_count(self.rows)
            return scored
        grader = "" if form.grader == _DEFAULT else form.grader
        settings = verifier_settings(
            form.settings, "", JudgeOptions(), self.cache, self.no_cache, self.workers, grader
        )
        graded = GradedSide(str(form.settings or form.grader), settings)
        if asks_judges(settings):
            reach_judges(graded.verifier)
        return graded

    def _file(self, form: _Form) -> Path:
        return self.files[0] if form.path == Path() else form.path


class _Session:
    """One `compare` with its files, signals and last words."""

    def __init__(
        self,
        records: Records,
        sides: Sequence[Side],
        found: Comparison,
        out: Path | None,
        json_out: Path | None,
    ) -> None:
        self._records = records
        self._sides = sides
        self._found = found
        self._out = out
        self._json_out = json_out
        self._left_out = 0

    def run(self) -> int:
        from hybridverify.cli.stop import Stopped, end_within_grace, stoppable

        try:
            with stoppable():
                self._compare()
        except Stopped as stop:
            end_within_grace(stop.code)
            note("stopped: verdicts so far are in the cache, if there is one")
            return stop.code
        return self._tell()

    def _compare(self) -> None:
        entries = self._records.entries()
        with ExitStack() as stack:
            lines = stack.enter_context(open(self._out, "wb")) if self._out else None
            while chunk := list(islice(entries, _CHUNK_ROWS)):
                old, new = (side.say(chunk) for side in self._sides)
                for entry, before, after in zip(chunk, old, new, strict=True):
                    if self._found.add(entry, before, after) and lines is not None:
                        self._write(lines, entry, before, after)

    def _write(self, lines: IO[bytes], entry: Entry, old: Said, new: Said) -> None:
        from hybridverify.records.encode import Unwritable, stem
        from hybridverify.records.rows import PREFIX

        told = {
            f"{PREFIX}{role}_{name}": getattr(said, name)
            for role, said in (("old", old), ("new", new))
            for name in ("outcome", "score", "why", "answer")
        }
        try:
            lines.write(stem({**entry.row, **told}) + b"}\n")
        except Unwritable as fault:
            self._left_out += 1
            error(f"{entry.place}: {fault}: left out of {self._out}; the other rows are written")

    def _tell(self) -> int:
        from hybridverify.cli.compare_table import print_changes
        from hybridverify.comparison.text import summary_line

        if self._json_out:
            text = json.dumps(self._found.to_dict(), indent=1, allow_nan=False)
            self._json_out.write_text(text + "\n", encoding="utf-8")
        print_changes(self._found)
        written = [str(path) for path in (self._out, self._json_out) if path]
        say(summary_line(self._found) + (f"; written to {' and '.join(written)}" if written else ""))
        return InputError.exit_code if self._left_out else 0
