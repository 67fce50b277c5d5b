"""Standard input as a file: rows are read several times, so what comes in is first kept on disk."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from pathlib import Path
from typing import IO

STDIN = Path("-")
"""The name of standard input on the command line."""
STDOUT = STDIN
"""The name of standard output."""
_SHOWN: dict[Path, str] = {}
"""Files that stand for something else, and its name in messages."""


def spooled(stream: IO[bytes], name: str = "standard input") -> Path:
    """A file of JSON lines with everything that `stream` gives; it is removed when the process ends."""
    folder = Path(tempfile.mkdtemp(prefix="hybridverify-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = folder / "stdin.jsonl"
    with open(path, "wb") as kept:
        shutil.copyfileobj(stream, kept, 1 << 20)
    _SHOWN[path] = name
    return path


def shown_name(path: Path) -> str:
    """What a file is called in messages."""
    return _SHOWN.get(path) or str(path)
