"""Parts of the adversary: what is cut from a question, families, luck, intervals, single strategies."""

from __future__ import annotations

from collections import Counter

import pytest

from hybridverify.agreement.intervals import wilson
from hybridverify.redteam.blind import Pool, blinded
from hybridverify.redteam.dresses import DRESSES
from hybridverify.redteam.formulas import equations, formulas, names, numbers, quantities, task
from hybridverify.redteam.generated import generated_rows
from hybridverify.redteam.informed import MUST_ACCEPT, MUST_REFUSE
from hybridverify.redteam.named import named_strategies
from hybridverify.redteam.questions import FAMILIES, Question, candidate_is, honest_guess
from hybridverify.redteam.sources import SOURCES
from hybridverify.redteam.strategy import MAX_LENGTH, Portfolio, Strategy
from hybridverify.redteam.wording import MARKS, TAILS

CHOICE = Question("Which one floats?\nA) lead\nB) cork\nC) gold\nD) iron", ("B",))
NO_POOL = Pool({})


def response(strategy: Strategy | Portfolio, question: Question) -> str:
    attempt = strategy.attempt(blinded(question, NO_POOL))
    return attempt.response if attempt else ""


@pytest.mark.parametrize(
    ("hits", "rows", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (5, 10, 0.2366, 0.7634),
        (1, 100, 0.0018, 0.0545),
        (0, 0, 0.0, 1.0),
    ],
)
def test_wilson_gives_the_values_of_the_tables(hits: int, rows: int, low: float, high: float) -> None:
    assert list(wilson(hits, rows)) == pytest.approx([low, high], abs=5e-5)


def test_formulas_are_cut_from_dollars_brackets_and_plain_text() -> None:
    assert formulas(r"Compute $19\cdot 31$ and \(5!\).") == (r"19\cdot 31", "5!")
    assert formulas("What is 14 + 5 * 3? Tell me.") == ("14 + 5 * 3",)
    assert formulas("A story of 14 mice and 3 cats.") == ()
    assert equations("Solve $3x+4=19$.") == ("3x+4=19",)


def test_other_pieces_are_cut_from_the_question() -> None:
    assert task("Convert 12 km to m.") == "12 km to m"
    assert quantities("Convert 12 km to m.") == ("12 km",)
    assert numbers("from 3 to 1,200") == ("3", "1,200")
    assert names("Who wrote for Bela Bartok in Rome?") == ("Bela Bartok", "Rome")


@pytest.mark.parametrize("cutter", [formulas, task, quantities, numbers, names])
def test_hostile_questions_are_cut_in_bounded_work(cutter: object) -> None:
    for text in ("$" * 50_000, "1" * 50_000, "((((" * 20_000, "A " * 50_000, "what is " * 9_000):
        assert cutter(text) is not None  # type: ignore[operator]


def test_every_made_question_falls_into_its_own_family() -> None:
    wanted = {"drill": "drill", "maths": "maths", "choice": "choice", "facts": "words"}
    wrong = Counter(
        (row["data_source"], family)
        for row in generated_rows(150)
        if (family := Question.of(row).family) != wanted[row["data_source"]]
    )
    assert sum(wrong.values()) <= 10, wrong


def test_made_questions_are_enough_for_both_halves_and_equal_for_equal_seeds() -> None:
    rows = generated_rows()
    questions = [Question.of(row) for row in rows]
    heldout = Counter(each.family for each in questions if each.heldout)
    assert all(heldout[family] >= 500 for family in ("drill", "maths", "choice"))
    assert generated_rows(40, seed=3) == generated_rows(40, seed=3) != generated_rows(40, seed=4)


def test_a_text_of_one_question_is_in_one_half() -> None:
    one, other = Question("How many?", ("4",)), Question("How many?", ("four",))
    assert one.heldout == other.heldout
    assert one.digest != other.digest


def test_luck_is_the_references_own_text_or_its_option_and_no_unworked_value() -> None:
    assert CHOICE.is_answer("b) cork")
    assert CHOICE.is_answer("cork")
    assert CHOICE.is_answer("(B)")
    assert not CHOICE.is_answer("lead")
    assert candidate_is("1,500", "1500")
    assert candidate_is("15 pounds", "15")
    assert not candidate_is("30/2", "15")
    assert not candidate_is("-15", "15")


def test_the_honest_guess_is_one_over_the_options_or_the_commonest_answer() -> None:
    assert honest_guess([CHOICE]) == 0.25
    words = [Question(f"Who {number}?", (name,)) for number, name in enumerate(("Ann", "ann", "Bo", "Cy"))]
    assert honest_guess(words) == 0.5


def test_an_attacker_sees_no_reference_of_the_held_out_half_and_not_its_own() -> None:
    questions = [Question(f"Who was number {n}?", (f"Person {n}",)) for n in range(40)]
    pool = Pool.of(questions)
    for question in questions:
        seen = pool.seen_by(question)
        assert question.references[0] not in seen
        assert not {each.references[0] for each in questions if each.heldout} & set(seen)


def test_strategies_say_what_their_names_tell() -> None:
    drill = Question(r"Compute $19\cdot 31$.", ("589",))
    assert response(Strategy("formulas"), drill) == r"19\cdot 31"
    assert response(Strategy("formulas", dress="plus zero", mark="boxed"), drill) == r"\boxed{19\cdot 31+0}"
    assert response(Strategy("letters", count=0, join="lines"), CHOICE) == "A\nB\nC\nD"
    assert response(Strategy("letters", count=2, join="or", frame="maybe"), CHOICE) == "Maybe A or B."
    assert response(Strategy("formulas"), CHOICE) == ""
    assert response(Portfolio((Strategy("formulas"), Strategy("letters"))), CHOICE) == "A"
    assert response(Strategy("unsolved"), Question("Solve $3x+4=19$.", ("5",))) == "(19-4)/3"


def test_a_response_settles_on_a_candidate_only_where_it_names_one() -> None:
    blind = blinded(CHOICE, NO_POOL)

    def committed(**genes: object) -> str:
        attempt = Strategy("letters", **genes).attempt(blind)  # type: ignore[arg-type]
        assert attempt
        return attempt.committed

    assert committed() == "A"
    assert committed(count=2, join="not") == "A"
    assert committed(count=2, join="or") == ""
    assert committed(count=3, mark="first boxed at last") == "A"
    assert committed(count=0, mark="each answer line") == ""
    assert committed(join="lettered") == ""


def test_every_named_strategy_has_a_name_of_its_own_and_no_response_is_long() -> None:
    named = named_strategies()
    assert len({each.name for each in named}) == len(named) > 200
    long = Question("word " * 5_000 + "$" + "1+" * 250 + "1$", ("7",))
    longest = max(len(response(each, long)) for each in named)
    assert longest <= MAX_LENGTH + max(map(len, TAILS.values()))


def test_sources_dresses_and_marks_bear_any_text() -> None:
    for text in ("", "\\", "{", "$", "a{}b{q}", "\x00", "(" * 300):
        blind = blinded(Question(text, ("1",)), NO_POOL)
        assert all(isinstance(source(blind), tuple) for source in SOURCES.values())
        assert all(isinstance(dress(text), str) for dress in DRESSES.values())
        assert all(isinstance(mark([text], "".join), str) for mark in MARKS.values())


@pytest.mark.parametrize(
    ("dress", "text", "dressed"),
    [
        ("quotient by an inverse", "3*4", r"\frac{3}{1/4}"),
        ("power of e", r"3\cdot 4", r"e^{\ln 3+\ln 4}"),
        ("decimal power", r"\sqrt{8}", "8^{0.5}"),
        ("root in two", r"\sqrt{8}", r"\sqrt{2}\sqrt{8/2}"),
        ("by Horner", "x^2+5x+6", "x(x+5)+6"),
        ("letters below", "x^2+5x+6", "x^2(1+5/x+6/x^2)"),
        ("half expanded", "(x+1)(x+3)", "x(x+3)+1(x+3)"),
        ("remainder by floor", r"9 \bmod 4", r"9-4\lfloor 9/4\rfloor"),
        ("by Horner", "7", "(7)"),
    ],
)
def test_a_dress_works_nothing_out(dress: str, text: str, dressed: str) -> None:
    assert DRESSES[dress](text) == dressed


def test_probes_put_reference_and_other_answer_in_their_places() -> None:
    question = Question("Who?", ("{B} Ann",))
    assert MUST_REFUSE["corrected"](question, "{B} Ann", "Bo") == (
        "The answer is {B} Ann. Correction: the answer is Bo."
    )
    assert MUST_REFUSE["a digit changed"](Question("How many?", ("12.5",)), "12.5", "") == "12.8"
    assert MUST_REFUSE["the opposite"](Question("Is it?", ("yes",)), "yes", "") == "no"
    assert MUST_REFUSE["the opposite"](question, r"\left(3\right)", "") == ""
    assert MUST_REFUSE["roles turned"](question, "Ann before Bo", "") == "Bo before Ann"
    assert MUST_ACCEPT["not another"](question, "Ann", "") == ""


def test_families_are_known_by_name() -> None:
    assert {Question.of(row).family for row in generated_rows(30)} == set(FAMILIES)
