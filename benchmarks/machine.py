"""Writes the figures of a benchmark together with what they were measured on."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("vllm", "torch", "transformers")


def write(file: Path, figures: Any) -> None:
    """`figures` under that name, beside the command, the commit, the cards, their driver and the versions."""
    told = {**measured_on(), "figures": figures}
    file.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def measured_on() -> dict[str, Any]:
    """The machine and the command of this process. A tree without Git tells its commit by the variable COMMIT."""
    cards = said_by("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader")
    return {
        "command": " ".join((Path(sys.argv[0]).name, *sys.argv[1:])),
        "date": date.today().isoformat(),
        "commit": os.environ.get("COMMIT") or "".join(said_by("git", "-C", str(ROOT), "rev-parse", "HEAD")),
        "cards": cards,
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "versions": {name: found for name in PACKAGES if (found := version_of(name))},
    }


def said_by(*command: str) -> Sequence[str]:
    """The lines that a command prints; none where there is no such command, or it fails."""
    with suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
        return done.stdout.splitlines()
    return []


def version_of(package: str) -> str:
    """Its version, "" where it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
