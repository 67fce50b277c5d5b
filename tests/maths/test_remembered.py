"""What is remembered of two expressions, or of a verdict, is what would be found again."""

from __future__ import annotations

from hybridverify import Outcome, Sample, Verifier
from hybridverify.maths.algebra.equality import Same, Setting, same_expression
from hybridverify.maths.algebra.nodes import Num, Pow, Sym
from hybridverify.maths.algebra.remembered import remembered_of_two


def test_two_objects_are_asked_about_once_and_equal_ones_are_others() -> None:
    asked: list[tuple[object, object]] = []

    def find(one: object, other: object, under: object) -> int:
        asked.append((one, other))
        return len(asked)

    told = remembered_of_two(find)
    one, other, setting = [1], [1], "under"
    assert [told(one, other, setting), told(one, other, setting)] == [1, 1]
    assert [told(other, one, setting), told(one, [1], setting), told(one, other, "another")] == [2, 3, 4]


def test_the_setting_is_part_of_what_is_remembered() -> None:
    square, minus = Pow(Sym("i"), Num(2)), Num(-1)
    for _ in range(2):
        assert same_expression(square, minus, Setting(imaginary=True)) is Same.EQUAL
        assert same_expression(square, minus) is Same.DIFFERENT


def test_the_same_pair_under_another_question_is_another_pair() -> None:
    pair = r"\boxed{0.5}", "50"
    rows = [Sample(*pair, question=text) for text in ("What is it?", "What percentage is it?")] * 2
    alone = [Verifier().grade([row])[0].outcome for row in rows]
    assert [grade.outcome for grade in Verifier().grade(rows)] == alone
    assert alone[:2] == alone[2:]


def test_an_outcome_is_found_by_its_text() -> None:
    assert {"correct": 1}[Outcome.CORRECT] == 1
