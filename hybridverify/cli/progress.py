"""The progress bar of `grade`, and its last line."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from hybridverify.cli.run import RunTotals

_EVERY_S = 0.2
_TOLD_FIRST = ("correct", "partial", "incorrect", "undecided")


class Counting(Protocol):
    """A Verifier, or an object with the same counters."""

    @property
    def stats(self) -> Mapping[str, Mapping[str, float]]: ...


class Bar(Protocol):
    """What a run reports to."""

    def opened(self, rows: int) -> None: ...

    def advanced(self, totals: RunTotals) -> None: ...


class NoBar:
    """A progress bar that prints nothing, for pipes and log files."""

    def opened(self, rows: int) -> None:
        """See `Bar`."""

    def advanced(self, totals: RunTotals) -> None:
        """See `Bar`."""


@contextmanager
def progress_bar(wanted: bool | None, verifier: Counting) -> Iterator[Bar]:
    """A bar with rows/s, judge calls and time left on stderr. By default only on a terminal."""
    from hybridverify.cli.waiting import engines_announced, waiting_column

    shown = sys.stderr.isatty() if wanted is None else wanted
    if not shown:
        with engines_announced(lines=True):
            yield NoBar()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TextColumn("{task.fields[judge]}"),
        TimeRemainingColumn(),
        waiting_column(),
    )
    with engines_announced(lines=False), Progress(*columns, console=Console(stderr=True)) as display:
        yield _RichBar(display, verifier)


class _RichBar:
    def __init__(self, display: Any, verifier: Counting) -> None:
        self._display = display
        self._verifier = verifier
        self._task = display.add_task("reading", total=None, rate="", judge="")
        self._begin = self._shown = time.monotonic()

    def opened(self, rows: int) -> None:
        self._begin = time.monotonic()
        self._display.update(self._task, description="grading", total=rows)

    def advanced(self, totals: RunTotals) -> None:
        now = time.monotonic()
        done = totals.rows + totals.left_out.count
        if now - self._shown < _EVERY_S and done < (self._display.tasks[0].total or 0):
            return
        self._shown = now
        fresh = (totals.rows - totals.kept) / max(now - self._begin, 1e-6)
        calls = self._verifier.stats["judge"]["called"]
        self._display.update(
            self._task,
            completed=done,
            rate=f"{fresh:,.0f} rows/s",
            judge=f"{calls:,.0f} judge calls" if calls else "",
        )


def summary(totals: RunTotals, verifier: Counting, out: Path) -> str:
    """The last line: rows, outcomes, and how many were asked, cached and left ungraded."""
    others = sorted(set(totals.outcomes) - set(_TOLD_FIRST))
    told = [name for name in (*_TOLD_FIRST[:1], *_TOLD_FIRST[1:], *others) if totals.outcomes[name]]
    outcomes = ", ".join(f"{totals.outcomes[name]} {name}" for name in told) or "none"
    cached = int(verifier.stats["judge"]["cached"])
    kept = f" ({totals.kept} of them from before)" if totals.kept else ""
    where = "standard output" if str(out) == "-" else out
    rows = "1 row" if totals.rows == 1 else f"{totals.rows} rows"
    asked = f"judge asked for {totals.asked}, {cached} from cache"
    return f"{rows}{kept}: {outcomes}; {asked}; {totals.ungraded} not graded; written to {where}"
