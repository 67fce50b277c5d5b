"""The table in tests/verl/README.md names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "tests" / "verl" / "README.md"


def named_tests() -> list[tuple[Path, str]]:
    found = re.findall(r"`([\w/]+\.py)::(\w+)`", TABLE.read_text(encoding="utf-8"))
    return [((ROOT if "/" in file else TABLE.parent) / file, test) for file, test in found]


def test_every_test_in_the_table_of_promises_exists() -> None:
    missing = [
        f"{file.name}::{test}"
        for file, test in named_tests()
        if not file.exists() or f"def {test}(" not in file.read_text(encoding="utf-8")
    ]
    assert missing == []


def test_no_point_is_without_a_test() -> None:
    rows = re.findall(r"^\| (\d+) \|.*::", TABLE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert [int(number) for number in rows] == list(range(1, 25))
