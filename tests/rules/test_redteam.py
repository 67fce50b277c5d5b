"""The default chain seen from outside: near misses, traps and everyday spellings; redteam.jsonl says why for each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from hybridverify import Verifier
from tests.rules import cases


@pytest.fixture(scope="module")
def verifier() -> Iterator[Verifier]:
    with Verifier(workers=1) as made:
        yield made


@pytest.mark.parametrize("row", cases.rows("redteam"))
def test_the_chain_says_what_the_table_says(verifier: Verifier, row: dict[str, Any]) -> None:
    """`not_correct` and `not_incorrect` leave the other sure verdict and `undecided` open."""
    verdict = verifier.grade([cases.sample(row)])[0].rule
    outcome, expected = verdict.outcome.value, row["expected"]
    if expected.startswith("not_"):
        assert outcome != expected.removeprefix("not_"), (verdict.source, verdict.reason)
    else:
        assert outcome == expected, (verdict.source, verdict.reason)
