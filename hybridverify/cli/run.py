"""Grades files: read and check, keep the rows that an earlier run finished, grade the rest, write.

`FileRun.run` shows all steps. Progress bars, signals and exit codes are the caller's.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from hybridverify.agreement.run_figures import RunFigures
from hybridverify.cli.job import FileJob as FileJob
from hybridverify.cli.job import RunTotals as RunTotals
from hybridverify.errors import InputError
from hybridverify.records import ColumnNames, Entry, Records, open_output, value_at
from hybridverify.records.encode import Unwritable, tail
from hybridverify.records.grade_columns import column_keys, grade_columns
from hybridverify.records.journal import Journal
from hybridverify.records.resume_rows import EarlierRows
from hybridverify.records.rows import PROMPT_INDEX
from hybridverify.records.stdout_journal import StdoutJournal
from hybridverify.types import Grade, Sample

_MAX_HELD = 4096  # finished rows that wait in memory for an earlier one that is still being graded


DATA_SOURCE = "data_source"
"""Figures are always grouped by it."""


class Grader(Protocol):
    """The methods of a Verifier that a run uses."""

    def grade(self, samples: list[Sample]) -> list[Grade]: ...

    def grade_iter(self, samples: Iterator[Sample], chunk_size: int) -> Iterator[Grade]: ...


class Watcher(Protocol):
    """What looks at every row of the output, such as a report."""

    def opened(self, rows: int) -> None: ...

    def add(self, entry: Entry, columns: Mapping[str, Any], grade: Grade | None) -> None: ...


class _Held(NamedTuple):
    """A row that cannot be written yet: a stem that waits for its grade, or a complete line with its columns."""

    entry: Entry
    start: bytes
    columns: Mapping[str, Any] = {}


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
        watcher: Watcher | None = None,
    ) -> None:
        self.job = job
        self.figures = RunFigures(_groups(job.names))
        self.totals = RunTotals(self.figures)
        self._grader = grader
        self._warn = warn
        self._opened = opened
        self._advanced = advanced
        self._ready = ready
        self._watcher = watcher
        self._output = open_output(job.out, job.timing, job.keep_shape)
        self._retrying = job.failed_only and not (job.resume and Journal(job.out).exists())
        self.journal = self._make_journal()
        self._copied = False
        self._exhausted = False
        self._sent = 0
        self._held: deque[_Held] = deque()

    def _make_journal(self) -> Journal:
        if self.job.to_stdout:
            return StdoutJournal()
        return Journal(self.job.out, ".retry.partial" if self._retrying else ".partial")

    def run(self) -> RunTotals:
        """Grade the job's rows. Raises InputError and the grader's errors. Finished rows are then kept."""
        job = self.job
        records = Records.open(
            job.inputs, job.names, self._warn, self._output.visit, job.limit, job.skip_bad_lines
        )
        self.totals.skipped = records.skipped
        self._output.check(records)
        self._opened(records.count)
        if self._watcher is not None:
            self._watcher.opened(records.count)
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
                if self._ready is not None:
                    self._check_ready()
                if self._sent % self.job.chunk_rows == 0:
                    self.journal.flush()  # the rows of the chunk before; the next one may take its time
                self._sent += 1
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
        self._count(held.entry, columns, kept=False, grade=grade)

    def _write_held_lines(self) -> None:
        while self._held and self._held[0].columns:
            held = self._held.popleft()
            self.journal.append(held.start)
            self._count(held.entry, held.columns, kept=True)

    def _count(
        self, entry: Entry, columns: Mapping[str, Any], kept: bool, grade: Grade | None = None
    ) -> None:
        self.totals.kept += kept
        self.totals.labels.add(bool(columns["judge_asked"]), columns["judge_outcome"], columns["reason"])
        if self._watcher is not None:
            self._watcher.add(entry, columns, grade)
        by, row = entry.layout.by, entry.row
        values = {column: row[column] if column in row else value_at(row, column) for column in by}
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
    sample, apart = entry.sample, entry.layout.apart
    if not sample.question:
        index = entry.row.get(PROMPT_INDEX)
        return str(entry.place) if index is None else f"{entry.place.file}\0{index}"
    told = (sample.data_source, sample.question, *sample.references)
    return "\0".join((*told, *(str(value_at(entry.row, path)) for path in apart)) if apart else told)
