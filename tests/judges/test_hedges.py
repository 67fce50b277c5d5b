"""Answers that leave two candidates open, with twins that give one; hedges.jsonl says why for each."""

from __future__ import annotations

from typing import Any

import pytest

import hybridverify as hv
from hybridverify.guards.alternation import joins_another
from hybridverify.guards.candidates import offers_several
from hybridverify.guards.choices import offered
from hybridverify.guards.judge_guards import is_one_statement, may_join
from hybridverify.testing import ScriptedJudge
from tests.rules.cases import rows


@pytest.fixture(scope="module")
def verifier() -> hv.Verifier:
    return hv.Verifier(policy="addon", judges=[ScriptedJudge(True)], cache=None, workers=1)


@pytest.mark.parametrize("row", rows("hedges"))
def test_a_judge_that_always_says_yes_pays_for_one_answer_only(
    verifier: hv.Verifier, row: dict[str, Any]
) -> None:
    sample = hv.Sample(f"\\boxed{{{row['answer']}}}", row["reference"], row["question"])
    (grade,) = verifier.grade([sample])
    assert (grade.score == 0.0) is row["refused"], (grade.rule.reason, grade.judge.reason)


def test_other_spellings_of_the_reference_are_no_rivals() -> None:
    assert not joins_another("Bern or Berne", ["Bern", "Berne"])
    assert joins_another("Bern or Basel", ["Bern", "Berne"])


@pytest.mark.parametrize("row", rows("hedges"))
def test_the_quick_look_leaves_out_no_joint(row: dict[str, Any]) -> None:
    joins = joins_another(row["answer"], [row["reference"]], row["question"])
    assert may_join(row["answer"], row["question"]) or not joins
    several = offers_several(row["answer"], [row["reference"]], row["question"])
    assert not (is_one_statement(row["answer"]) and several)


def test_the_quick_look_is_worth_its_while() -> None:
    assert not may_join("She was born in the city of Bern.", "Where was she born?")
    assert is_one_statement("She was born in the city of Bern.")


def test_a_row_of_names_is_no_statement() -> None:
    assert not is_one_statement("Anna Berg Karl Roth Ulm Peters Max Kern")


def test_long_texts_are_left_to_judges() -> None:
    assert not joins_another("Bern or Basel. " * 100, ["Bern"])


def test_a_question_offers_what_stands_beside_its_or() -> None:
    assert offered("Is the line straight or curved?") == {"straight", "curved"}
    assert offered("Where is Bern?") == frozenset()
