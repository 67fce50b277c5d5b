"""Grades files: read and check, keep the rows that an earlier run finished, grade the rest, write.

`FileRun.run` shows all steps. Progress bars, signals and exit codes are the caller's.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from hybridverify.agreement.run_figures import RunFigures
from hybridverify.cli.judge_options import Labels
from hybridverify.errors import InputError
from hybridverify.records import ColumnNames, Entry, Records, open_output, value_at
from hybridverify.records.encode import Unwritable, tail
from hybridverify.records.grade_columns import column_keys, grade_columns
from hybridverify.records.journal import Journal
from hybridverify.records.resume_rows import EarlierRows
from hybridverify.records.rows import Tally
from hybridverify.records.source import Source
from hybridverify.types import Grade, Sample

CHUNK_ROWS = 256  # rows graded at a time, so the most that a kill loses
_MAX_HELD = 4096  # finished rows that wait in memory for an earlier one that is still being graded


DATA_SOURCE = "data_source"
"""Figures are always grouped by it."""


class Grader(Protocol):
    """The methods of a Verifier that a run uses."""

    def grade(self, samples: list[Sample]) -> list[Grade]: ...

    def grade_iter(self, samples: Iterator[Sample], chunk_size: int) -> Iterator[Grade]: ...


@dataclass
class RunTotals:
    """Counts over the output so far, rows of earlier runs included."""

    rows: int = 0
    kept: int = 0
    ungraded: int = 0
    asked: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    left_out: Tally = field(default_factory=Tally)
    labels: Labels = field(default_factory=Labels)

    def add(self, columns: Mapping[str, Any], kept: bool) -> None:
        """Count one row by its grade columns."""
        self.rows += 1
        self.kept += kept
        self.ungraded += not columns["graded"]
        self.asked += bool(columns["judge_asked"])
        self.outcomes[columns["outcome"]] += 1
        self.labels.add(bool(columns["judge_asked"]), columns["judge_outcome"], columns["reason"])


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

    def __post_init__(self) -> None:
        for path in self.inputs:
            Source.open(path)  # before a model is loaded for nothing
        open_output(self.out)
        if any(path.resolve() == self.out.resolve() for path in self.inputs):
            raise InputError(f"{self.out}: is an input too; name another output")

    def settings(self) -> dict[str, Any]:
        """The settings that a resumed run must share with the first."""
        names = {
            role: getattr(self.names, role) for role in ("question", "reference", "response", "data_source")
        }
        return {"columns": {**names, "meta": dict(self.names.meta)}, "timing": self.timing}


@dataclass
class _Held:
    """A row that cannot be written yet: a stem that waits for its grade, or a complete line."""

    entry: Entry
    start: bytes
    columns: dict[str, Any] = field(default_factory=dict)


class FileRun:
    """One run of a job. After an exception, `totals` and `journal` show how far it came."""

    def __init__(
        self,
        job: FileJob,
        grader: Grader,
        warn: Callable[[str], None],
        opened: Callable[[int], None] = lambda rows: None,
        advanced: Callable[[RunTotals], None] = lambda totals: None,
        ready: Callable[[], None] | None = None,
    ) -> None:
        self.job = job
        self.totals = RunTotals()
        self.figures = RunFigures(_groups(job.names))
        self._grader = grader
        self._warn = warn
        self._opened = opened
        self._advanced = advanced
        self._ready = ready
        self._output = open_output(job.out, job.timing)
        self._retrying = job.failed_only and not (job.resume and Journal(job.out).exists())
        self.journal = Journal(job.out, ".retry.partial" if self._retrying else ".partial")
        self._copied = False
        self._exhausted = False
        self._held: deque[_Held] = deque()

    def run(self) -> RunTotals:
        """Grade the job's rows. Raises InputError and the grader's errors. Finished rows are then kept."""
        job = self.job
        records = Records.open(job.inputs, job.names, self._warn, self._output.visit, job.limit)
        self._output.check(records)
        self._opened(records.count)
        try:
            self._write_rows(records)
        except BaseException as fault:
            if isinstance(fault, InputError) and self._copied and self.totals.kept == self.totals.rows:
                self.journal.remove()  # only a copy of the output that was refused
            self.journal.drop_if_empty()
            raise
        finally:
            self.journal.close()
        if self._output.nulled.count:
            self._warn(f"{self._output.nulled}: NaN or infinity is written as null, which JSON has instead")
        if self.totals.kept == self.totals.rows and (self._retrying or self._copied):
            self.journal.remove()  # the output stays as it is, byte for byte
        else:
            self.journal.publish(self._output.assemble(self.journal.path, records, self.journal.beside))
        return self.totals

    def _write_rows(self, records: Records) -> None:
        earlier = self._earlier(records)
        entries = records.entries(self._output.whole_rows)
        while not self._exhausted:
            samples = self._samples(entries, earlier)
            for grade in self._grader.grade_iter(samples, chunk_size=self.job.chunk_rows):
                self._write(grade)
            self._write_held_lines()
        earlier.refuse_rest(records.count)
        if earlier.mixed:
            self._warn(f"{self.job.out}: the rows that were kept had been graded under another configuration")

    def _earlier(self, records: Records) -> EarlierRows:
        """The rows of an earlier run. The journal is open for those that follow."""
        if self._retrying:
            lines = self._begin_retry(records)
        elif self.job.resume:
            lines = self._begin_again(records)
        else:
            lines = self._begin_afresh()
        keys = column_keys(self.job.timing)
        adopts = getattr(self._grader, "adopts", None) or (lambda data_source, fingerprint: False)
        strict = not self._retrying
        return EarlierRows(self.job.out, lines, keys, self._fingerprint, strict, adopts=adopts)

    def _begin_afresh(self) -> Iterator[bytes]:
        if self.journal.exists():
            self._warn(
                f"{self.journal.path}: rows of an interrupted run are given up (--resume would keep them)"
            )
        self.journal.start(self.job.settings())
        return iter(())

    def _begin_again(self, records: Records) -> Iterator[bytes]:
        if self.journal.exists():
            self.journal.reopen(self.job.settings())
        elif self.job.out.exists():
            self._copied = True
            self.journal.start(self.job.settings(), self._output.finished_lines(records))
        else:
            self.journal.start(self.job.settings())
        if self.journal.drop_half_line():
            self._copied = False
            self._warn(f"{self.job.out}: the last row was only half written: it is graded again")
        return self.journal.lines()

    def _begin_retry(self, records: Records) -> Iterator[bytes]:
        unfinished = Journal(self.job.out)
        if unfinished.exists():
            raise InputError(
                f"{unfinished.path}: an interrupted run is waiting; finish it with --resume first"
            )
        if not self.job.out.exists():
            raise InputError(f"{self.job.out}: no such output of an earlier run, which --failed-only needs")
        self.journal.start(self.job.settings())
        return self._output.finished_lines(records)

    def _samples(self, entries: Iterator[Entry], earlier: EarlierRows) -> Iterator[Sample]:
        """The rows to grade. On the way, finished rows are counted, and held if they are written anew."""
        for entry in entries:
            try:
                stem = self._output.stem(entry)
            except Unwritable as error:
                self.totals.left_out.add(entry.place, str(error))
                continue
            found = earlier.match(entry, stem)
            if found is None or (self._retrying and not found[1]["graded"]):
                self._check_ready()
                self._held.append(_Held(entry, stem))
                yield entry.sample
            elif self._retrying:
                self._held.append(_Held(entry, *found))
                if len(self._held) > _MAX_HELD:
                    return
            else:
                self._count(entry, found[1], kept=True)
        self._exhausted = True

    def _check_ready(self) -> None:
        """Check the judges before the first row, unless every row is finished."""
        if self._ready is not None:
            ready, self._ready = self._ready, None
            ready()

    def _write(self, grade: Grade) -> None:
        self._write_held_lines()
        columns = grade_columns(grade, self.job.timing)
        held = self._held.popleft()
        self.journal.append(held.start + tail(columns))
        self._count(held.entry, columns, kept=False)

    def _write_held_lines(self) -> None:
        while self._held and self._held[0].columns:
            held = self._held.popleft()
            self.journal.append(held.start)
            self._count(held.entry, held.columns, kept=True)

    def _count(self, entry: Entry, columns: Mapping[str, Any], kept: bool) -> None:
        self.totals.add(columns, kept)
        values = {column: value_at(entry.row, column) for column in entry.layout.by}
        values[DATA_SOURCE] = entry.sample.data_source
        self.figures.add(columns, values, _prompt(entry))
        self._advanced(self.totals)

    @lru_cache(maxsize=1024)  # noqa: B019 (lives as long as the run)
    def _fingerprint(self, data_source: str) -> str:
        """The fingerprint for rows of this source. A grader without one is shown an empty answer."""
        told = getattr(self._grader, "fingerprint", None)
        if told is not None:
            return str(told(data_source))
        (grade,) = self._grader.grade([Sample("", "1", data_source=data_source)])
        return grade.fingerprint


def _groups(names: ColumnNames) -> list[str]:
    return [DATA_SOURCE, *(column for column in names.by if column != DATA_SOURCE)]


def _prompt(entry: Entry) -> str:
    """What samples of one prompt share: question and references, or without a question the row they stand in."""
    sample = entry.sample
    if not sample.question:
        return str(entry.place)
    return "\0".join((sample.data_source, sample.question, *sample.references))
