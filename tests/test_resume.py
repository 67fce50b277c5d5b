"""Runs that are stopped, killed, damaged and repeated: the output is that of an undisturbed run, to the byte."""

from __future__ import annotations

import gzip
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from hybridverify.cli.run import FileJob, FileRun, RunTotals
from hybridverify.errors import InputError
from hybridverify.records.journal import Journal
from hybridverify.types import SKIPPED, Grade, Outcome, Sample, Verdict
from tests.waiting import soon

ENDINGS = ("out.jsonl", "out.parquet", "out.jsonl.gz")


class Grader:
    """Grades by length, counts what it is asked, and can fail: on a row, or for answers it has no verdict on."""

    def __init__(self, stop_at: int = -1, ungraded: Sequence[str] = (), fingerprint: str = "v1") -> None:
        self.asked: list[str] = []
        self._stop_at = stop_at
        self._ungraded = ungraded
        self._fingerprint = fingerprint

    def grade(self, samples: Sequence[Sample]) -> list[Grade]:
        return [self._grade(sample) for sample in samples]

    def grade_iter(self, samples: Iterator[Sample], chunk_size: int) -> Iterator[Grade]:
        chunk: list[Sample] = []
        for sample in samples:
            chunk.append(sample)
            if len(chunk) == chunk_size:
                yield from self._chunk(chunk)
                chunk = []
        yield from self._chunk(chunk)

    def _chunk(self, chunk: Sequence[Sample]) -> Iterator[Grade]:
        for sample in chunk:
            if len(self.asked) == self._stop_at:
                raise KeyboardInterrupt
            self.asked.append(sample.response)
            yield self._grade(sample)

    def _grade(self, sample: Sample) -> Grade:
        graded = sample.response not in self._ungraded
        outcome = Outcome.CORRECT if graded else Outcome.FAILED
        rule = Verdict(outcome, len(sample.response) / 7, "rule:length", sample.response)
        return Grade(rule.score * graded, graded, outcome, rule, SKIPPED, (), "rule_only", self._fingerprint)


def write_input(path: Path, count: int = 100) -> Path:
    rows = [
        {"id": i, "response": f"answer {i} é", "reference": str(i), "nested": {"n": [i]}}
        for i in range(count)
    ]
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write_input(tmp_path / "in.jsonl")


def run(
    source: Path, out: Path, grader: Grader | None = None, warnings: list[str] | None = None, **job: Any
) -> RunTotals:
    chunk_rows = job.pop("chunk_rows", 8)
    warn = (warnings if warnings is not None else list[str]()).append
    return FileRun(FileJob([source], out, chunk_rows=chunk_rows, **job), grader or Grader(), warn).run()


def undisturbed(source: Path, name: str) -> bytes:
    out = source.parent / f"undisturbed-{name}"
    run(source, out)
    return out.read_bytes()


def only_output(out: Path) -> bool:
    """No journal or temporary file is left beside the output."""
    return [path.name for path in out.parent.iterdir() if path.name.startswith(out.name + ".")] == []


# ---- interrupted


@pytest.mark.parametrize("name", ENDINGS)
@pytest.mark.parametrize("stop_at", [0, 1, 12, 64, 99])
def test_a_resumed_run_asks_only_what_is_missing_and_gives_equal_bytes(
    source: Path, name: str, stop_at: int
) -> None:
    out = source.parent / name
    with pytest.raises(KeyboardInterrupt):
        run(source, out, Grader(stop_at))
    assert not out.exists()
    rest = Grader()
    totals = run(source, out, rest, resume=True)
    assert rest.asked == [f"answer {i} é" for i in range(stop_at, 100)]
    assert (totals.rows, totals.kept, totals.outcomes["correct"]) == (100, stop_at, 100)
    assert out.read_bytes() == undisturbed(source, name)
    assert only_output(out)


def test_twelve_verdicts_of_a_stopped_pass_are_on_disk_and_another_judge_starts_anew(source: Path) -> None:
    out = source.parent / "out.jsonl"
    with pytest.raises(KeyboardInterrupt):
        run(source, out, Grader(12))
    journal = Journal(out).path
    assert [json.loads(line)["hv_graded"] for line in journal.read_bytes().splitlines()] == [True] * 12
    other = Grader(fingerprint="v2")
    with pytest.raises(
        InputError, match="row 1 of the earlier output was graded under another configuration: v1"
    ):
        run(source, out, other, resume=True)
    assert len(journal.read_bytes().splitlines()) == 12
    run(source, out, other)
    assert len(other.asked) == 100


@pytest.mark.parametrize("name", ENDINGS)
def test_a_half_written_row_is_done_again_with_a_warning(source: Path, name: str) -> None:
    out, warnings = source.parent / name, list[str]()
    with pytest.raises(KeyboardInterrupt):
        run(source, out, Grader(40))
    journal = Journal(out).path
    whole = journal.read_bytes()
    journal.write_bytes(whole[:-9])
    grader = Grader()
    run(source, out, grader, warnings, resume=True)
    assert warnings == [f"{out}: the last row was only half written: it is graded again"]
    assert len(grader.asked) == 61
    assert out.read_bytes() == undisturbed(source, name)


@pytest.mark.parametrize("damage", [b"\0" * 500, b"\0" * 70_000 + b"\n", b'{"id": 40', b"garbage\n"])
def test_whatever_a_crash_left_behind_the_last_row_is_cut_off(source: Path, damage: bytes) -> None:
    out = source.parent / "out.jsonl"
    with pytest.raises(KeyboardInterrupt):
        run(source, out, Grader(40))
    with open(Journal(out).path, "ab") as journal:
        journal.write(damage)
    grader = Grader()
    run(source, out, grader, resume=True)
    assert len(grader.asked) == 60
    assert out.read_bytes() == undisturbed(source, "out.jsonl")


def test_an_output_that_was_cut_itself_is_completed(source: Path) -> None:
    out, whole = source.parent / "out.jsonl", undisturbed(source, "out.jsonl")
    for cut, kept in ((len(whole) // 2, range(40, 60)), (whole.index(b"\n") + 1, range(1, 2)), (3, range(1))):
        out.write_bytes(whole[:cut])
        totals = run(source, out, resume=True)
        assert (totals.rows, totals.kept in kept) == (100, True)
        assert out.read_bytes() == whole


def test_an_input_that_grew_is_completed(source: Path) -> None:
    for name in ENDINGS:
        out = source.parent / name
        run(write_input(source, 90), out)
        grader = Grader()
        totals = run(write_input(source, 100), out, grader, resume=True)
        assert (len(grader.asked), totals.rows) == (10, 100)
        assert out.read_bytes() == undisturbed(source, name)


@pytest.mark.parametrize("name", ENDINGS)
def test_resuming_a_finished_output_asks_nothing_and_leaves_the_file_alone(source: Path, name: str) -> None:
    out = source.parent / name
    run(source, out)
    before, grader = (out.read_bytes(), out.stat().st_ino), Grader()
    totals = run(source, out, grader, resume=True)
    assert (totals.rows, totals.kept, grader.asked) == (100, 100, [])
    assert (out.read_bytes(), out.stat().st_ino) == before
    assert only_output(out)


def test_resuming_without_an_earlier_output_starts_afresh(source: Path) -> None:
    out, warnings = source.parent / "out.jsonl", list[str]()
    assert run(source, out, warnings=warnings, resume=True).kept == 0
    assert (warnings, out.read_bytes()) == ([], undisturbed(source, "out.jsonl"))


def stop_after_the_last_row(totals: RunTotals) -> None:
    if totals.rows == 100:
        raise KeyboardInterrupt


def test_a_run_killed_between_the_last_row_and_the_last_step_is_finished_by_resuming(source: Path) -> None:
    for name in ENDINGS:
        out = source.parent / name
        with pytest.raises(KeyboardInterrupt):
            FileRun(
                FileJob([source], out), Grader(), list[str]().append, advanced=stop_after_the_last_row
            ).run()
        again = Grader()
        run(source, out, again, resume=True)
        assert again.asked == []
        assert out.read_bytes() == undisturbed(source, name)


def test_an_output_that_is_being_taken_up_again_stays_what_counts_until_it_is_copied(tmp_path: Path) -> None:
    def lines() -> Iterator[bytes]:
        yield b'{"a": 1}\n'
        raise KeyboardInterrupt

    journal = Journal(tmp_path / "out.jsonl")
    with pytest.raises(KeyboardInterrupt):
        journal.start({}, lines())
    journal.close()
    assert not journal.exists()


def test_starting_over_says_what_is_given_up(source: Path) -> None:
    out, warnings = source.parent / "out.jsonl", list[str]()
    with pytest.raises(KeyboardInterrupt):
        run(source, out, Grader(40))
    assert run(source, out, warnings=warnings).kept == 0
    assert warnings == [f"{out}.partial: rows of an interrupted run are given up (--resume would keep them)"]


# ---- refused


def change_row(lines: list[str]) -> list[str]:
    return [line.replace("answer 3 é", "answer three") for line in lines]


def drop_row(lines: list[str]) -> list[str]:
    return lines[:50]


def swap_rows(lines: list[str]) -> list[str]:
    return [lines[1], lines[0], *lines[2:]]


@pytest.mark.parametrize("name", ENDINGS)
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (change_row, "row 4 of the earlier output does not match row 4 of"),
        (drop_row, "row 51 of the earlier output has no row in the input, which has 50"),
        (swap_rows, "row 1 of the earlier output does not match row 1 of"),
    ],
)
def test_an_output_of_other_rows_is_refused_and_kept(
    source: Path, name: str, change: Callable[[list[str]], list[str]], message: str
) -> None:
    out = source.parent / name
    run(source, out)
    before = out.read_bytes()
    lines = change(source.read_text("utf-8").splitlines(keepends=True))
    source.write_text("".join(lines), "utf-8")
    with pytest.raises(InputError, match=message):
        run(source, out, resume=True)
    assert out.read_bytes() == before
    assert only_output(out)


@pytest.mark.parametrize("name", ENDINGS)
def test_another_configuration_and_other_columns_are_refused(source: Path, name: str) -> None:
    out = source.parent / name
    run(source, out)
    with pytest.raises(InputError, match="graded under another configuration: v1"):
        run(source, out, Grader(fingerprint="v2"), resume=True)
    with pytest.raises(InputError, match="has other hv_ columns"):
        run(source, out, resume=True, timing=True)
    assert only_output(out)


def test_an_interrupted_run_goes_on_only_with_the_same_columns(source: Path) -> None:
    from hybridverify.records import ColumnNames

    out = source.parent / "out.jsonl"
    with pytest.raises(KeyboardInterrupt):
        run(source, out, Grader(40))
    with pytest.raises(InputError, match="was begun with another columns"):
        run(source, out, resume=True, names=ColumnNames(reference="id"))
    with pytest.raises(InputError, match="was begun with another timing"):
        run(source, out, resume=True, timing=True)


def test_two_runs_do_not_write_one_output_at_a_time(source: Path) -> None:
    pytest.importorskip("fcntl")
    out = source.parent / "out.jsonl"
    busy = Journal(out)
    busy.start({})
    try:
        with pytest.raises(InputError, match="another run is writing it"):
            run(source, out)
    finally:
        busy.remove()
    assert run(source, out).rows == 100


# ---- failed rows again


@pytest.mark.parametrize("name", ENDINGS)
def test_failed_rows_are_asked_again_and_all_others_stay(source: Path, name: str) -> None:
    out = source.parent / name
    failing = [f"answer {i} é" for i in (0, 7, 8, 99)]
    run(source, out, Grader(ungraded=failing))
    before = lines_of(out)
    grader = Grader(ungraded=failing[2:3])
    totals = run(source, out, grader, failed_only=True)
    after = lines_of(out)
    assert grader.asked == failing
    assert (totals.rows, totals.kept, totals.ungraded) == (100, 96, 1)
    assert [i for i in range(100) if before[i] != after[i]] == [0, 7, 99]
    assert only_output(out)
    run(source, out, failed_only=True)
    assert out.read_bytes() == undisturbed(source, name)


def lines_of(out: Path) -> list[Any]:
    if out.name.endswith("parquet"):
        return list(pq.read_table(out).to_pylist())
    data = out.read_bytes()
    return (gzip.decompress(data) if out.name.endswith("gz") else data).splitlines(keepends=True)


def test_nothing_failed_means_nothing_is_written(source: Path) -> None:
    out = source.parent / "out.jsonl"
    run(source, out)
    inode = out.stat().st_ino
    assert run(source, out, failed_only=True).kept == 100
    assert out.stat().st_ino == inode
    assert only_output(out)


def test_an_interrupted_retry_leaves_the_output_as_it_was(source: Path) -> None:
    out = source.parent / "out.jsonl"
    failing = [f"answer {i} é" for i in (10, 20, 30)]
    run(source, out, Grader(ungraded=failing))
    before = out.read_bytes()
    with pytest.raises(KeyboardInterrupt):
        run(source, out, Grader(2), failed_only=True)
    assert out.read_bytes() == before
    run(source, out, failed_only=True)
    assert out.read_bytes() == undisturbed(source, "out.jsonl")


def test_another_judge_may_take_the_failed_rows_and_a_warning_says_so(source: Path) -> None:
    out, warnings = source.parent / "out.jsonl", list[str]()
    run(source, out, Grader(ungraded=["answer 5 é"]))
    run(source, out, Grader(fingerprint="v2"), warnings, failed_only=True)
    prints = [json.loads(line)["hv_fingerprint"] for line in lines_of(out)]
    assert prints == ["v2" if i == 5 else "v1" for i in range(100)]
    assert warnings == [f"{out}: the rows that were kept had been graded under another configuration"]


def test_retrying_needs_a_finished_output(source: Path) -> None:
    out = source.parent / "out.jsonl"
    with pytest.raises(InputError, match="no such output of an earlier run, which --failed-only needs"):
        run(source, out, failed_only=True)
    with pytest.raises(KeyboardInterrupt):
        run(source, out, Grader(40))
    with pytest.raises(InputError, match="finish it with --resume first"):
        run(source, out, failed_only=True)
    assert run(source, out, failed_only=True, resume=True).rows == 100


def test_a_retry_holds_few_finished_rows_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, out = write_input(tmp_path / "in.jsonl", 3000), tmp_path / "out.jsonl"
    run(source, out, Grader(ungraded=["answer 0 é", "answer 2999 é"]))
    monkeypatch.setattr("hybridverify.cli.run._MAX_HELD", 100)
    job = FileRun(FileJob([source], out, failed_only=True), Grader(), list[str]().append)
    most = 0

    def look(totals: RunTotals) -> None:
        nonlocal most
        most = max(most, len(job._held))

    job._advanced = look
    assert job.run().rows == 3000
    assert 0 < most <= 101
    assert out.read_bytes() == undisturbed(source, "out.jsonl")


# ---- killed

SCRIPT = """
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[4])
from test_resume import Grader, FileJob, FileRun

class Slow(Grader):
    def _grade(self, sample):
        time.sleep(float(sys.argv[3]))
        return super()._grade(sample)

job = FileJob([Path(sys.argv[1])], Path(sys.argv[2]), resume=True, chunk_rows=4)
FileRun(job, Slow(), lambda line: None).run()
"""


def start_slow(source: Path, out: Path, seconds: float) -> subprocess.Popen[bytes]:
    here = Path(__file__).resolve().parent
    arguments = [str(source), str(out), str(seconds), str(here)]
    environment = {**os.environ, "PYTHONPATH": str(here.parent)}
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, *arguments], env=environment, stderr=subprocess.PIPE
    )


def kill_until_finished(source: Path, out: Path, seed: int, kills: int) -> int:
    """Kill runs without warning at random moments; then let one finish. Returns how many rows it found."""
    moments = random.Random(seed)
    for _ in range(kills):
        before, process = rows_in(Journal(out).path), start_slow(source, out, 0.01)
        assert soon(lambda: rows_in(Journal(out).path) > before or process.poll() is not None)  # noqa: B023
        time.sleep(moments.uniform(0, 0.2))
        process.send_signal(signal.SIGKILL)
        process.communicate()
    found = rows_in(Journal(out).path)
    process = start_slow(source, out, 0.0)
    _, errors = process.communicate(timeout=200)
    assert process.returncode == 0, errors.decode()
    return found


def rows_in(journal: Path) -> int:
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


@pytest.mark.load
@pytest.mark.parametrize("name", ENDINGS)
def test_a_run_killed_without_warning_gives_equal_bytes(source: Path, name: str) -> None:
    out = source.parent / name
    assert kill_until_finished(source, out, seed=7, kills=2) > 0
    assert out.read_bytes() == undisturbed(source, name)
    assert only_output(out)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
def test_thirty_runs_killed_again_and_again_give_equal_bytes(source: Path, seed: int) -> None:
    name = ENDINGS[seed % len(ENDINGS)]
    out = source.parent / name
    assert kill_until_finished(source, out, seed, kills=4) > 0
    assert out.read_bytes() == undisturbed(source, name)
    assert only_output(out)
