"""Every row of the page on what the rules leave open is left open."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hybridverify import Outcome, Sample, Verifier

_PAGE = Path(__file__).parents[1] / "docs" / "left_open.md"
_HEADS = ("| reference |", "|---")


def _kinds() -> Iterator[tuple[str, list[list[str]]]]:
    for part in _PAGE.read_text(encoding="utf-8").split("\n## ")[1:]:
        name, *lines = part.splitlines()
        rows = [
            line.strip("| ").split(" | ")
            for line in lines
            if line.startswith("|") and not line.startswith(_HEADS)
        ]
        yield name, [[cell.strip().strip("`") for cell in row] for row in rows]


@pytest.mark.parametrize(("name", "rows"), list(_kinds()))
def test_rows_of_this_kind_stay_open(name: str, rows: list[list[str]]) -> None:
    told = [
        r"The answer is \boxed{%s}."
        if "\\" in row[1] or not row[1].replace(" ", "").isalpha()
        else "The answer is %s."
        for row in rows
    ]
    samples = [
        Sample(said % answer, reference, question="".join(question))
        for said, (reference, answer, *question) in zip(told, rows, strict=True)
    ]
    grades = Verifier().grade(samples)
    decided = [row for row, grade in zip(rows, grades, strict=True) if grade.outcome is not Outcome.UNDECIDED]
    assert len(rows) >= 10
    assert not decided
