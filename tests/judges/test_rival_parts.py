"""Another value beside that of the reference, with twins that hold one value only."""

from __future__ import annotations

import pytest

import hybridverify as hv
from hybridverify.conventions import DEFAULT
from hybridverify.guards.rival_parts import holds_rival
from hybridverify.testing import ScriptedJudge

RIVALS = [
    ("48 vs 36", "48"),
    ("36; 48", "48"),
    (r"48 \approx 36", "48"),
    ("48 = 36", "48"),
    ("48 if n is even, else 36", "48"),
    (r"\begin{cases} 48 \\ 36 \end{cases}", "48"),
    ("from 36 to 48", "48"),
    ("-6; 6", "-6"),
    ("x = 4 or x = 9", "9"),
    ("7 kg or 9 kg", "9 kg"),
    ("$7.25 / $9.50", "$9.50"),
    ("30% and 70%", "70%"),
    ("(4, 1) or (1, 4)", "(1, 4)"),
    ("6:15 am or 6:50 am", "6:50 am"),
    (r"\frac{2}{9} \text{ or } \frac{4}{9}", r"\frac{4}{9}"),
    ("48 (36)", "48"),
    (r"12\text{ kg or }15\text{ kg}", "12 kg"),
    (r"\frac{3}{5} \to \frac{4}{5}", r"\frac{3}{5}"),
    ("48 или 36", "48"),
    ("48 atau 36", "48"),
    ("case 1: 48, case 2: 36", "48"),
    ("48, as well as 36", "48"),
    ("48 unless it is 36", "48"),
    (r"\begin{matrix} 48 \\ 36 \end{matrix}", "48"),
    ("y^2 + 4 or y^2 - 4", "y^2 + 4"),
    ("y^2 + 4 (or y^2 - 4)", "y^2 + 4"),
]
ONE = [
    ("96/2 = 48", "48"),
    ("48 (12 of them are boys)", "48"),
    ("48, since there are 6 rows of 8", "48"),
    ("60 - 12 = 48", "48"),
    ("x = 4, y = 9", "9"),
    ("x^2 - 16 = 0, x = 4", "4"),
    ("9 kg = 9000 g", "9 kg"),
    ("(1, 4)", "(1, 4)"),
    ("1.5 h, that is 90 min", "1.5 h"),
    ("2.75 \\approx 2.8", "2.75"),
    ("48 of 60", "48"),
    ("48 > 36", "48"),
    ("y^2 + 4 = (y - 2)(y + 2) + 8", "y^2 + 4"),
    ("4 + y^2", "y^2 + 4"),
    (r"\begin{pmatrix} 48 \\ 36 \end{pmatrix}", r"\begin{pmatrix} 48 \\ 36 \end{pmatrix}"),
    ("2 or 3", "2 or 3"),
    ("36 or 40", "48"),
    (r"\frac{3}{5} \top", r"\frac{3}{5}"),
    (r"\text{48 m}^{2, 36}", "48"),
    ("48 километров", "48"),
    ("[48, 36 or 12]", "48"),
]


@pytest.mark.parametrize(("answer", "reference"), RIVALS)
def test_another_value_is_a_rival(answer: str, reference: str) -> None:
    assert holds_rival(answer, [reference], "What is it?", DEFAULT)


@pytest.mark.parametrize(("answer", "reference"), ONE)
def test_one_value_has_no_rival(answer: str, reference: str) -> None:
    assert not holds_rival(answer, [reference], "What is it?", DEFAULT)


def test_no_judge_sees_two_values() -> None:
    judge = ScriptedJudge(True)
    with hv.Verifier(policy="addon", judges=[judge], cache=None) as verifier:
        (grade,) = verifier.grade([hv.Sample(r"\boxed{48 \approx 36}", "48", "How many are there?")])
    assert grade.score == 0.0
    assert not judge.asked
