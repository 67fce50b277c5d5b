"""What a run of `grade` is to do, and how far it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hybridverify.agreement.run_figures import RunFigures
from hybridverify.cli.judge_options import Labels
from hybridverify.errors import InputError
from hybridverify.records import ColumnNames, open_output
from hybridverify.records.rows import Tally
from hybridverify.records.source import Source
from hybridverify.records.streams import STDIN

CHUNK_ROWS = 256  # rows graded at a time, so the most that a kill loses


@dataclass
class RunTotals:
    """How far a run is: figures over the output so far, and what only this run knows of it."""

    figures: RunFigures = field(default_factory=RunFigures)
    kept: int = 0
    """Rows of an earlier run."""
    left_out: Tally = field(default_factory=Tally)
    skipped: Tally = field(default_factory=Tally)
    """Lines of the input that could not be read."""
    labels: Labels = field(default_factory=Labels)

    @property
    def rows(self) -> int:
        """Rows of the output so far, those of earlier runs included."""
        return self.figures.whole.rows

    @property
    def ungraded(self) -> int:
        """Rows without a grade."""
        return self.figures.whole.ungraded

    @property
    def asked(self) -> int:
        """Rows that a judge was asked about."""
        return self.figures.whole.asked

    @property
    def outcomes(self) -> Counter[str]:
        """Rows by outcome."""
        return self.figures.outcomes


@dataclass(frozen=True)
class FileJob:
    """What to grade and where to write it."""

    inputs: Sequence[Path]
    out: Path
    names: ColumnNames = field(default_factory=ColumnNames)
    resume: bool = False
    failed_only: bool = False
    timing: bool = False
    limit: int | None = None
    chunk_rows: int = CHUNK_ROWS
    keep_shape: bool = False
    skip_bad_lines: bool = False

    def __post_init__(self) -> None:
        for path in self.inputs:
            Source.open(path)  # before a model is loaded for nothing
        open_output(self.out, self.timing, self.keep_shape)
        if self.to_stdout:
            if self.resume or self.failed_only:
                raise InputError(
                    "--resume and --failed-only need an output that can be read again; name a file, not -"
                )
        elif any(path.resolve() == self.out.resolve() for path in self.inputs):
            raise InputError(f"{self.out}: is an input too; name another output")

    @property
    def to_stdout(self) -> bool:
        """Whether rows are printed rather than written to a file."""
        return self.out == STDIN

    def settings(self) -> dict[str, Any]:
        """The settings that a resumed run must share with the first."""
        names = {
            role: getattr(self.names, role) for role in ("question", "reference", "response", "data_source")
        }
        columns = {**names, "meta": dict(self.names.meta)}
        return {"columns": columns, "timing": self.timing, "keep_shape": self.keep_shape}
