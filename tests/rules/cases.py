"""Reads the case files: one JSON object a line, each with a `why` that becomes the test's name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hybridverify.types import Sample

_FOLDER = Path(__file__).parent.parent / "cases"


def rows(name: str) -> list[Any]:
    """The rows of `tests/cases/<name>.jsonl` as pytest parameters."""
    import pytest

    lines = (_FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [pytest.param(row, id=f"{at}-{row['why']}") for at, row in enumerate(map(json.loads, lines))]


def sample(row: dict[str, Any]) -> Sample:
    """The sample of a row; the form stands in the meta data, as the batch flow puts it there."""
    meta = {"form": row["form"]} if "form" in row else {}
    return Sample(row["response"], row["reference"], row.get("question", ""), meta=meta)
