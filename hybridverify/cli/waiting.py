"""Says what a command waits for while an engine starts: in the progress bar, or as a line where there is none."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hybridverify.cli.messages import note
from hybridverify.judges.backends.starting import Start, listening, logs_in, waited_for

SILENCE_S = 3.0
"""A start that is over by then is not worth a line."""


@contextmanager
def engines_announced(lines: bool) -> Iterator[None]:
    """Inside the block, engines write their logs into files, and with `lines` a slow start is told in a line."""
    with logs_in(Path(tempfile.gettempdir())):
        if not lines:
            yield
            return
        with listening(_tell_later):
            yield


def _tell_later(start: Start) -> None:
    timer = threading.Timer(SILENCE_S, _tell, [start])
    timer.daemon = True
    timer.start()


def _tell(start: Start) -> None:
    if not start.over:
        note(start.told(time.monotonic()))


def waiting_column() -> Any:
    """A column of a progress bar that shows what is waited for."""
    from rich.progress import ProgressColumn
    from rich.text import Text

    class Waiting(ProgressColumn):
        def render(self, task: Any) -> Text:
            return Text(waited_for(), no_wrap=False)

    return Waiting()
