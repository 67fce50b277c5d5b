"""Every family's parser on real and hostile replies; the rows stand in tests/cases/parse_<family>.jsonl."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from hybridverify.judges.presets import PRESETS
from hybridverify.types import Outcome

CASES = Path(__file__).resolve().parent.parent / "cases"


def rows() -> list[Any]:
    found = []
    for path in sorted(CASES.glob("parse_*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            found.append(pytest.param(json.loads(line), id=f"{path.stem}:{number}"))
    return found


@pytest.mark.parametrize("row", rows())
def test_a_reply_is_read_as_the_table_says(row: dict[str, Any]) -> None:
    reading = PRESETS[row["preset"]].parse(row["reply"], cut=row.get("cut", False))
    assert reading.outcome.value == row["outcome"], (row["why"], reading.reason)
    certain = {"correct": 1.0, "partial": -1.0}.get(row["outcome"], 0.0)
    assert reading.score == pytest.approx(row.get("score", certain))
    assert reading.reason
    assert "\n" not in reading.reason


def test_every_parser_has_thirty_replies_and_more() -> None:
    counts = {path.stem: len(path.read_text("utf-8").splitlines()) for path in CASES.glob("parse_*.jsonl")}
    shared = {"tinyv_qwen3": "tinyv"}  # the same parser
    assert {f"parse_{shared.get(name, name)}" for name in PRESETS} == set(counts)
    assert min(counts.values()) >= 30


@pytest.mark.parametrize("name", PRESETS)
def test_the_samples_of_a_preset_read_as_what_they_stand_for(name: str) -> None:
    for outcome, reply in PRESETS[name].samples.items():
        assert PRESETS[name].parse(reply).outcome is Outcome(outcome)


HOSTILE = (
    "Verdict:" * 5_000,
    "\\boxed{" * 20_000,
    "{" * 50_000,
    "[[" * 50_000,
    "<think>" * 20_000,
    "<|" * 50_000,
    " " * 100_000,
    "\n" * 100_000,
    "Total Score:\n" * 10_000,
    "Final Decision: Yes " * 5_000,
    "True False " * 10_000,
    "**" * 50_000,
    "9" * 100_000,
    "\ud800" * 10,
    "\x00Tr\x00ue",
)


@pytest.mark.load
@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("index", range(len(HOSTILE)))
def test_a_hostile_reply_is_no_pass_and_takes_no_time(name: str, index: int) -> None:
    begin = time.process_time()
    reading = PRESETS[name].parse(HOSTILE[index], cut=True)
    assert time.process_time() - begin < 1.0
    if not HOSTILE[index].startswith("Final Decision: Yes"):
        assert reading.outcome is Outcome.UNPARSEABLE
