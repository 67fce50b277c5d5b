"""The files that a command line names: quoted patterns, standard input, and outputs that cannot be written."""

from __future__ import annotations

import glob
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from hybridverify.cli.messages import note
from hybridverify.errors import InputError
from hybridverify.records.streams import STDIN, STDOUT, spooled

_LEFT_BEHIND = (".partial", ".tmp", ".settings")
"""Endings of files that a run keeps beside its output."""


def expanded(inputs: Sequence[Path], outputs: Sequence[Path | None] = ()) -> list[Path]:
    """The inputs with patterns replaced by the files that match, in the order of their numbers, and standard input
    kept on disk. A pattern does not match an output of the same command. Raises InputError."""
    found: list[Path] = []
    for path in inputs:
        if path == STDIN:
            found.append(_standard_input(found))
        elif not path.exists() and glob.has_magic(str(path)):
            found += _matches(str(path), [out.resolve() for out in outputs if out])
        else:
            found.append(path)
    return found


def _standard_input(before: Sequence[Path]) -> Path:
    if sys.stdin is None:
        raise InputError("-: standard input is closed")
    if sys.stdin.isatty():
        note("reading JSON lines from standard input; Ctrl-D ends them")
    path = spooled(sys.stdin.buffer)
    if path in before:
        raise InputError("-: standard input can be named once")
    return path


def _matches(pattern: str, outputs: Sequence[Path]) -> list[Path]:
    paths = [Path(name) for name in glob.glob(pattern, recursive=True) if not name.endswith(_LEFT_BEHIND)]
    kept = [path for path in paths if path.resolve() not in outputs]
    if not kept:
        raise InputError(f"{pattern}: no file matches")
    return sorted(kept, key=_by_numbers)


def _by_numbers(path: Path) -> list[tuple[int, str]]:
    """Sorts step 9 before step 10."""
    parts = re.split(r"([0-9]{1,18})", str(path))
    return [(int(part), "") if part.isdecimal() and part.isascii() else (-1, part) for part in parts]


def check_writable(out: Path | None, inputs: Sequence[Path]) -> None:
    """Check the output paths before anything is graded: one that cannot be written would cost the whole run."""
    if out is None:
        return
    if out == STDOUT:
        raise InputError("-: standard output is for the result; name a file")
    if not out.parent.is_dir():
        raise InputError(f"{out}: there is no folder {out.parent}")
    if not os.access(out.parent, os.W_OK):
        raise InputError(f"{out}: nothing may be written in the folder {out.parent}; name another output")
    if out.is_dir():
        raise InputError(f"{out}: is a folder; name a file in it")
    if any(path.resolve() == out.resolve() for path in inputs):
        raise InputError(f"{out}: is an input too; name another output")
