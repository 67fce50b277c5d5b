"""The words by which sentences announce, deny and doubt: data in TOML files, read here and nowhere else.

In: the name of a file and of a list in it. Out: its entries in their order, each once. A list is words set apart by
blanks; `_` inside an entry is a blank of it, and `[list]` or `[file.list]` stands for all entries of another list.
Readers take entries from here and keep no lists of their own.

Entry point: `entries`.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING or sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_FOLDER = Path(__file__).parent


def read(name: str) -> str:
    """The text of one file."""
    return (_FOLDER / f"{name}.toml").read_text(encoding="utf-8")


@cache
def lists(name: str) -> dict[str, str]:
    """The lists of one file, as they are written."""
    return tomllib.loads(read(name))


def entries(name: str, *kinds: str) -> tuple[str, ...]:
    """The entries of one or several lists of a file.

    >>> entries("denying", "if_joined")[:3], "it is" in entries("announcing", "choosing")
    (('如果', '假如', '假设'), True)
    """
    told = (entry for kind in kinds for entry in lists(name)[kind].split())
    return tuple(dict.fromkeys(one for entry in told for one in _meant(name, entry)))


def _meant(name: str, entry: str) -> tuple[str, ...]:
    """The entry; for `[list]` or `[file.list]` all entries of that list."""
    if entry[0] != "[" or entry[-1] != "]" or "_" in entry:
        return (entry.replace("_", " "),)
    file, _, kind = entry[1:-1].rpartition(".")
    return entries(file or name, kind)
