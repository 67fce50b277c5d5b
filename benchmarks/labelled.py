"""Labelled answer pairs from JSONL files, whichever of the usual key names they use."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FREE_NOTES = ("any verdict", "verdict acceptable", "reject acceptable", "reject is acceptable")
"""Notes of hostile rows whose verdict is free: they count for time and survival, not for accuracy."""


@dataclass(frozen=True)
class Pair:
    """One labelled row. `free`: only time, errors and memory count."""

    name: str
    kind: str
    question: str
    reference: str
    response: str
    label: bool
    free: bool


def load(path: Path, limit: int = 0, certainty: str = "sure") -> list[Pair]:
    """The labelled pairs of a file, `limit` of them drawn with a fixed seed (0: all).

    Rows without a reference or a plain verdict (scenarios, stored judge verdicts) are passed over, and so are
    rows that state another `certainty` than wanted.
    """
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip())
    pairs = list(_pairs(row for row in rows if row.get("certainty", certainty) == certainty))
    if limit and len(pairs) > limit:
        pairs = [pairs[i] for i in sorted(random.Random(7).sample(range(len(pairs)), limit))]
    return pairs


def _pairs(rows: Iterator[dict[str, Any]]) -> Iterator[Pair]:
    for number, row in enumerate(rows, 1):
        reference, response = row.get("gold", row.get("reference")), row.get("response")
        label = next(
            (row[key] for key in ("label", "right") if isinstance(row.get(key), bool)), row.get("verdict")
        )
        if label in ("A", "B"):
            label = label == "A"
        if not isinstance(label, bool) or not isinstance(reference, str) or not isinstance(response, str):
            continue
        note = str(row.get("note") or "")
        yield Pair(
            name=str(row.get("id", f"line {number}")),
            kind=str(row.get("kind") or row.get("area") or ""),
            question=str(row.get("question") or ""),
            reference=reference,
            response=boxed(response) if row.get("form") == "answer" else response,
            label=label,
            free=any(phrase in note for phrase in FREE_NOTES),
        )


def boxed(answer: str) -> str:
    r"""A bare answer with the usual mark, so that all graders see the same text.

    >>> boxed("$x+1$")
    '\\boxed{x+1}'
    """
    if "\\boxed" in answer:
        return answer
    text = answer.strip()
    for mark in ("$$", "$"):
        inner = text[len(mark) : -len(mark)]
        if text == mark + inner + mark and inner and mark not in inner:
            text = inner
            break
    return f"\\boxed{{{text}}}"
