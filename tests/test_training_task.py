"""The training task: rows are the same for a seed, and the truth decides what it was built to decide."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT / "benchmarks") not in sys.path:
    sys.path.insert(0, str(ROOT / "benchmarks"))

from training.facts import TABLE, facts, split_facts  # noqa: E402
from training.final import final_answer  # noqa: E402
from training.measures import spelled  # noqa: E402
from training.quantities import quantity  # noqa: E402
from training.task import BEGIN, INSTRUCTION, PARTS, task  # noqa: E402
from training.truth import RIGHT, Truth, true, verdict  # noqa: E402

COUNT = Truth("How many apples does she have left?", "24", Fraction(24))
DRIVE = Truth(
    "How long is the drive? Give the number and its unit.", "1.5 hours", Fraction(5400), "time", Fraction(0)
)
SLEEP = Truth("How many hours is that?", "1.5", Fraction(5400), "time", Fraction(3600))
PRICE = Truth("How much is it? Give the number and its unit.", "$3.50", Fraction(7, 2), "money", Fraction(0))
SHARE = Truth("What share of the cards is red?", "three quarters", Fraction(3, 4), "share")
ROUGH = Truth("How many? Off by at most 2 counts as right.", "about 47", Fraction(47), within=Fraction(2))
WEEK = Truth("How many days are in a week?", "seven", Fraction(7))
STATES = Truth("In which country is Boston?", "United States", forms=("United States", "USA", "US", "U.S.A."))
TOWN = Truth("What is the capital of France?", "Paris", forms=("Paris",))
WRITER = Truth("Who wrote Emma?", "Austen", forms=("Austen", "Jane Austen"))
WATER = Truth("What is the formula of water?", "H2O", forms=("H2O",))

RIGHT_ANSWERS = [
    *[
        (COUNT, answer)
        for answer in ("24", "24.0", "twenty-four", "24 apples", "24 apples left", "two dozen")
    ],
    *[
        (COUNT, answer)
        for answer in (r"\text{24 apples}", "$24$", "x = 24", "4 \\times 6 = 24", "24 (twenty-four)")
    ],
    *[
        (COUNT, answer)
        for answer in ("24 or twenty-four", "She has 24 left"[4:], r"\frac{48}{2}", "48/2", "**24**")
    ],
    *[(DRIVE, answer) for answer in ("1.5 hours", "90 minutes", "90 min", "1 hour 30 minutes", "1 h 30 min")],
    *[
        (DRIVE, answer)
        for answer in ("an hour and a half", "one and a half hours", r"1\frac{1}{2}\text{ hours}")
    ],
    *[
        (DRIVE, answer)
        for answer in ("5400 s", "90 minutes (1.5 hours)", "90 minutes = 1.5 hours", r"90\ \text{min}")
    ],
    *[
        (DRIVE, answer)
        for answer in ("1h 30m", "1.5 hours a week", "90 minutes/day", r"3 \times 30 = 90 \text{ min}")
    ],
    *[(COUNT, answer) for answer in (r"\(24\)", "24.", "3(8) = 24", "24 (rounded to the nearest ten)")],
    *[(SLEEP, answer) for answer in ("1.5", "3/2", "1 1/2", "one and a half", "90 minutes", "1.5 hours")],
    *[
        (PRICE, answer)
        for answer in ("$3.50", r"\$3.50", "3.50 dollars", "350 cents", "3 dollars and 50 cents")
    ],
    *[(SHARE, answer) for answer in ("3/4", "0.75", r"75\%", "75 percent", "three fourths", "3 out of 4")],
    *[(SHARE, answer) for answer in (r"\dfrac34", "three quarters of the cards", "3/4 = 75%")],
    *[(WEEK, answer) for answer in ("7", "seven", "7 days", "seven days", "x = 7. days")],
    *[(ROUGH, answer) for answer in ("47", "about 45", r"\approx 49")],
    *[(STATES, answer) for answer in ("USA", "the United States", "It is the U.S.A.", "US (United States)")],
    *[
        (TOWN, answer)
        for answer in ("Paris", "paris.", r"\text{Paris}", "Paris, France", "Paris is the capital")
    ],
    *[(WRITER, answer) for answer in ("Jane Austen", "Austen wrote Emma", "Austen (Jane Austen)")],
    *[(WATER, answer) for answer in ("H2O", "H_2O", r"\text{H}_2\text{O}", "H₂O", r"\ce{H2O}")],
]
WRONG_ANSWERS = [
    *[
        (COUNT, answer, "another value")
        for answer in ("25", "-24", "2.4", "24,000", "forty-two", "24/2", "24 dozen")
    ],
    *[(COUNT, answer, "another unit") for answer in ("24%", "24 minutes", "$24")],
    *[(COUNT, answer, "hedged") for answer in ("not 24", "at least 24", "more than 24", "24?", "nearly 24")],
    *[(COUNT, answer, "several answers") for answer in ("24 or 25", "24 (25)", "25 = 24")],
    *[(COUNT, answer, "unread") for answer in ("24, 25", "24 25", "apples left", "2 + 22", "24/0")],
    *[(COUNT, answer, "other words") for answer in ("24 elephants",)],
    *[(COUNT, answer, "no answer") for answer in ("", " ")],
    *[(DRIVE, answer, "no unit") for answer in ("1.5", "90")],
    *[
        (DRIVE, answer, "another value")
        for answer in ("1.5 minutes", "90 hours", "1 hour 20 minutes", "1.5 seconds")
    ],
    *[(DRIVE, answer, "another unit") for answer in ("90 meters", "$90")],
    *[(SLEEP, answer, "another value") for answer in ("90", "1.5 minutes")],
    *[(PRICE, answer, "another value") for answer in ("3.50 cents", "$350", "350 dollars")],
    *[(SHARE, answer, "no unit") for answer in ("75", "seventy-five")],
    *[(WEEK, answer, "another unit") for answer in ("7 weeks", "7 hours")],
    *[(WEEK, answer, "another value") for answer in ("8 days",)],
    *[(SHARE, answer, "another value") for answer in ("25%", "57", "one quarter", "0.75%")],
    *[(SHARE, answer, "another unit") for answer in ("0.75 dollars",)],
    *[(ROUGH, answer, "another value") for answer in ("44", "50")],
    *[(STATES, answer, "another name") for answer in ("Canada", "Boston", "country")],
    *[
        (TOWN, answer, "several answers")
        for answer in ("Paris or Lyon", "not Paris", "Paris, Texas", "Paris Match")
    ],
    *[(TOWN, answer, "hedged") for answer in ("Paris?",)],
    *[(WRITER, answer, "another name") for answer in ("Jane", "Emma", "Charlotte Brontë")],
    *[(WRITER, answer, "several answers") for answer in ("Jane Austen and Mary Shelley",)],
    *[(WATER, answer, "another name") for answer in ("H2O2", "HO2", "H 2 O")],
]


@pytest.mark.parametrize(("truth", "answer"), RIGHT_ANSWERS)
def test_right_answers_are_right(truth: Truth, answer: str) -> None:
    assert verdict(truth, f"We think. \\boxed{{{answer}}}") == RIGHT


@pytest.mark.parametrize(("truth", "answer", "why"), WRONG_ANSWERS)
def test_their_wrong_twins_are_not(truth: Truth, answer: str, why: str) -> None:
    assert verdict(truth, f"We think. \\boxed{{{answer}}}") == why


@pytest.mark.parametrize(
    ("response", "answer"),
    [
        (r"\boxed{1} no, \boxed{2}", "2"),
        (r"\boxed{\frac{1}{2}} of it", r"\frac{1}{2}"),
        (r"\boxed{24} and cut off \boxed{25", "24"),
        (r"\boxed{\{a\}}", r"\{a\}"),
        ("The answer is 5.\nOr so.", "5."),
        ("Answer: Paris", "Paris"),
        ("**Answer:** 24", "24"),
        ("First.\nIt is Oslo.\n", "It is Oslo."),
        ("", ""),
        ("}{" * 3, "}{}{}{"),
    ],
)
def test_the_final_answer_is_the_last_box_or_what_is_stated(response: str, answer: str) -> None:
    assert final_answer(response) == answer


@pytest.mark.parametrize(
    ("response", "why"),
    [
        (r"It takes \boxed{1.5} hours.", RIGHT),
        (r"\(\boxed{90}\text{ minutes}\)", RIGHT),
        (r"\boxed{90}", "no unit"),
        (r"\boxed{90} hours", "another value"),
        (r"\boxed{90}. In hours", "no unit"),
        (r"\boxed{90} and so on", "no unit"),
    ],
)
def test_a_unit_may_stand_right_behind_the_box(response: str, why: str) -> None:
    assert verdict(DRIVE, response) == why


def test_dollars_may_stand_right_before_the_box() -> None:
    assert verdict(PRICE, r"They pay \$\boxed{3.50}") == RIGHT
    assert verdict(PRICE, r"They pay $\boxed{3.50}$") == "no unit"


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="0123456789abn andhlfourinets/.,-%$\\{}()=½²\n", max_size=120) | st.text(max_size=60))
def test_any_text_gets_a_verdict(text: str) -> None:
    for truth in (COUNT, DRIVE, SHARE, TOWN):
        assert verdict(truth, text) == verdict(truth, text)
        assert true(truth, f"\\boxed{{{text}}}") in (True, False)


def test_long_texts_are_read_once() -> None:
    for piece in ("\\boxed{", "{", "}", "answer is ", "one hundred ", "1/", "a ", "Paris "):
        for truth in (COUNT, TOWN):
            assert not true(truth, piece * 20_000 + "\\boxed{" + piece * 20_000)


@pytest.mark.parametrize("value", [0, 7, 13, 20, 45, 100, 101, 312, 999, 1000, 2005, 7421, 12000])
def test_spelled_numbers_are_read_back(value: int) -> None:
    read = quantity(spelled(value))
    assert read is not None
    assert read.value == value


def test_every_reference_is_right_and_no_question_tells_its_answer() -> None:
    rows = [row for split in task(3, 300, 60).values() for row in split]
    for row in rows:
        truth = Truth.loads(row["extra_info"]["truth"])
        assert true(truth, f"\\boxed{{{truth.reference}}}"), truth
        if truth.forms:
            assert not true(truth, f"\\boxed{{{truth.question}}}"), truth
            assert all(true(truth, f"The answer is {form}") for form in truth.forms), truth


def test_every_fact_is_right_in_all_its_forms() -> None:
    known = facts(TABLE.read_text(encoding="utf-8"))
    assert len(known) >= 150
    for phrasings in known:
        assert len({truth.question for truth in phrasings}) == len(phrasings)
        for truth in phrasings:
            assert true(truth, f"\\boxed{{{truth.reference}}}"), truth
            assert not true(truth, f"\\boxed{{{truth.question}}}"), truth
            assert not true(truth, f"\\boxed{{{truth.reference} or Atlantis}}"), truth


def test_rows_depend_on_the_seed_alone() -> None:
    assert task(5, 30, 12) == task(5, 30, 12)
    assert task(5, 30, 12) != task(6, 30, 12)


def test_the_test_shares_neither_question_nor_fact_with_training() -> None:
    made = task(7, 600, 120)
    asked = {split: {row["extra_info"]["question"] for row in rows} for split, rows in made.items()}
    assert len(asked["train"]) == 600
    assert not asked["train"] & asked["test"]
    train, test = split_facts(7)
    assert (
        not {truth.forms for truth in test if truth.forms} & {truth.forms for truth in train} - shared_forms()
    )


def shared_forms() -> set[tuple[str, ...]]:
    """Two facts may have one answer: Seoul is in a country, and South Korea has a capital."""
    known = [phrasings[0].forms for phrasings in facts(TABLE.read_text(encoding="utf-8"))]
    return {forms for forms in known if known.count(forms) > 1}


def test_rows_are_written_in_verls_columns(tmp_path: Path) -> None:
    command = [
        sys.executable,
        str(ROOT / "benchmarks/training/task.py"),
        str(tmp_path),
        "--train",
        "9",
        "--test",
        "3",
    ]
    subprocess.run(command, check=True, capture_output=True)
    rows = pyarrow.parquet.read_table(tmp_path / "train.parquet").to_pylist()
    assert [row["extra_info"]["part"] for row in rows[:3]] == list(PARTS)
    for row in rows:
        assert set(row) == {"prompt", "data_source", "ability", "reward_model", "extra_info"}
        (message,) = row["prompt"]
        assert message["content"] == f"{BEGIN}{row['extra_info']['question']}\n{INSTRUCTION}"
        assert row["reward_model"]["ground_truth"] == json.loads(row["extra_info"]["truth"])["reference"]
