"""Reads the case files: one JSON object a line, each with a `why` that becomes the test's name."""

from __future__ import annotations

import json
from collections.abc import Iterator
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


def every_sample() -> Iterator[Sample]:
    """A sample of each row of each table that has a response and a reference."""
    for path in sorted(_FOLDER.glob("*.jsonl")):
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            response = row.get("response", row.get("answer"))
            reference = row.get("reference", row.get("references"))
            if isinstance(response, str) and reference:
                question, form = row.get("question"), row.get("form")
                meta = {"form": form} if isinstance(form, str) else {}
                yield Sample(response, reference, question if isinstance(question, str) else "", meta=meta)
