"""The content floor, hedges, the swap check and the canary."""

from __future__ import annotations

import itertools
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hybridverify as hv
from hybridverify.cache import MemoryCache
from hybridverify.errors import ConfigError
from hybridverify.guards.content_floor import shares_content
from hybridverify.guards.foreign import picked, with_foreign_reference
from hybridverify.guards.hedge import hedges
from hybridverify.guards.judge_guards import CHECKS, Check, Guards, Sign
from hybridverify.judges.base import Failure, Subject
from hybridverify.testing import ScriptedJudge
from hybridverify.types import GRADE_KEYS, Outcome, Sample

TOWN = hv.Sample("He was born in the town of Ulm.", "Ulm", "Where was he born?")


@pytest.mark.parametrize(
    ("answer", "references"),
    [
        ("42", ["42"]),
        ("forty-two", ["42"]),
        ("zweiundvierzig", ["42"]),
        ("quarante-deux", ["42"]),
        ("сорок два", ["42"]),
        ("seitsemän", ["7"]),
        ("XIV", ["14"]),
        ("MCMXCIV", ["1994"]),
        ("(255, 0, 0)", ["red"]),
        ("the town of Ulm", ["(48.4, 10.0)"]),
        ("7", ["seven"]),
        ("½", ["0.5"]),
        ("one half", ["\\frac{1}{2}"]),
        ("四十二", ["42"]),
        ("一半", ["1/2"]),
        ("اثنان وأربعون", ["42"]),
        ("마흔둘", ["42"]),
        ("\\frac{1}{2}", ["0.5"]),
        ("\\sqrt{2}", ["1.4142"]),
        ("-1", ["e^{i\\pi}"]),
        ("∞", ["\\infty"]),
        ("infinity", ["∞"]),
        ("Paris", ["London"]),
        ("∅", ["∅"]),
        ("no solution", ["∅"]),
        ("There are no such integers.", ["0"]),
        ("none of them", ["0"]),
        ("less than", ["<"]),
        ("x = 4", ["4"]),
        ("the fifteenth season", ["15"]),
        ("both of them", ["2"]),
        ("at noon", ["12:00"]),
        ("I choose option B.", ["42"]),
        ("12 apples", ["a dozen"]),
        ("π", ["pi"]),
        ("blue", ["42", "blue"]),
        ("anything", []),
        ("anything", ["", "..."]),
    ],
)
def test_an_answer_that_could_say_it_passes(answer: str, references: list[str]) -> None:
    assert shares_content(answer, references)


@pytest.mark.parametrize(
    ("answer", "references"),
    [
        ("", ["42"]),
        ("...", ["42"]),
        ("It follows from the definition.", ["42"]),
        ("Unfortunately the coefficients are sufficient.", ["42"]),
        ("It follows at once.", ["42"]),
        ("Thought process:", ["3.5"]),
        ("My answer is what the key says, on every count.", ["3.5"]),
        ("Правильный ответ получен верно", ["8"]),
        ("显然正确", ["8"]),
        ("()", ["x + 1"]),
        ("\\boxed{}", ["42"]),
        ("42", ["blue"]),
        ("-3.5", ["the Danube", "Danube"]),
        ("\u200b", ["42"]),
        ("Solution", ["12", "13"]),
    ],
)
def test_an_answer_that_cannot_say_it_does_not(answer: str, references: list[str]) -> None:
    assert not shares_content(answer, references)


def test_a_number_may_be_an_option_of_the_question() -> None:
    assert shares_content("2", ["blue"], "Which colour? 1. red 2. blue")
    assert not shares_content("2", ["blue"], "Which colour?")


@pytest.mark.parametrize(
    ("answer", "references", "hedged"),
    [
        ("1, 2, 3, 4, 5", ["3"], True),
        ("either x = 1 or x = 2", ["2"], True),
        ("$4$ or $6$", ["4"], True),
        ("$x = 4$ or $x = 6$", ["4"], True),
        ("$x = 4 + 6$", ["4"], False),
        (r"\boxed{\frac{1}{2}} \boxed{\frac{1}{3}}", ["1/2"], True),
        (r"\boxed{\frac{1}{2}} \boxed{\frac{1}{2}}", ["1/2"], False),
        (r"\boxed{4} \boxed{5} \boxed{6}", ["5"], True),
        ("A, B, C and D", ["B"], True),
        ("(A) or (C)", ["C"], True),
        ("7", ["7"], False),
        ("12,000", ["12000"], False),
        ("1/2 or 0.5", ["0.5"], False),
        ("50% or 1/2", ["0.5"], False),
        ("1 or 2", ["1 or 2"], False),
        ("1 or 2", ["1", "2"], False),
        ("1, 2, 3", ["{1, 2, 3}"], False),
        ("3, 4", ["5"], False),
        ("red or blue", ["red"], False),
        ("5, because 2 and 3 make 5", ["5"], False),
        ("4 or 5", ["Paris"], False),
        ("one thousand, nine hundred and fourteen", ["1914"], False),
        ("12, 345, 678", ["12345678"], False),
        ("three or four", ["3"], False),
        ("4 or 5", [], False),
    ],
)
def test_a_mere_list_of_values_is_a_hedge_where_one_is_wanted(
    answer: str, references: list[str], hedged: bool
) -> None:
    assert hedges(answer, references) is hedged


# ---- in a run


def graded(
    sample: hv.Sample, judge: ScriptedJudge, policy: Any = "judge_only", **settings: Any
) -> tuple[hv.Grade, dict[str, Any]]:
    with hv.Verifier(policy=policy, judges=[judge], **settings) as verifier:
        (grade,) = verifier.grade([sample])
        return grade, dict(verifier.stats["judge"])


@pytest.mark.parametrize(
    ("sample", "reason"),
    [
        (hv.Sample("It is plainly what the book wants.", "42"), "gate: other_content"),
        (hv.Sample("1, 2, 3, 4, 5, 6 or 7", "5"), "gate: hedge"),
    ],
)
def test_what_a_guard_refuses_costs_no_call_and_is_incorrect(sample: hv.Sample, reason: str) -> None:
    judge = ScriptedJudge(True)
    settings: dict[str, Any] = {"policy": "addon", "rules": [Unsure()]}
    with hv.Verifier(judges=[judge], **settings) as verifier:
        (grade,) = verifier.grade([sample])
    assert (grade.score, grade.graded, grade.outcome.value) == (0.0, True, "incorrect")
    assert (grade.judge.outcome, grade.judge.reason) == (Outcome.SKIPPED, reason)
    assert judge.prompts == []
    off = {"content_floor": False, "hedge": False}
    with hv.Verifier(judges=[judge], guards=off, **settings) as verifier:
        (grade,) = verifier.grade([sample])
    assert grade.judge_asked
    assert grade.score > 0.0


@pytest.mark.parametrize(
    "policy", ["mixed", "judge_only", "sum", {"name": "addon", "trust_reject": False}], ids=str
)
def test_policies_that_do_not_trust_rejects_ask_in_spite_of_a_refusal(policy: Any) -> None:
    judge = ScriptedJudge(True)
    grade, _ = graded(hv.Sample("It is plainly what the book wants.", "42"), judge, policy, rules=[Unsure()])
    assert grade.judge_asked


class Unsure:
    """A rule that never decides."""

    name, version, isolated = "unsure", 1, False
    meta_keys: tuple[str, ...] = ()

    def check(self, sample: hv.Sample) -> hv.Verdict:
        return hv.Verdict(Outcome.UNDECIDED, source="rule:unsure")


def test_an_answer_that_stands_anywhere_in_an_unmarked_response_passes_the_floor() -> None:
    judge = ScriptedJudge(True)
    sample = hv.Sample("First 6 times 7 makes 42.\n\nWith that everything is shown, as we wanted it.", "42")
    grade, _ = graded(sample, judge, "addon", rules=[Unsure()])
    assert grade.judge_asked


def test_a_judge_that_needs_no_reference_is_asked_whatever_the_reference_holds() -> None:
    judge = ScriptedJudge(0.8, "rubric")
    sample = hv.Sample("It is plainly so.", "42", meta={"criteria": "clarity"})
    grade, _ = graded(sample, judge)
    assert grade.score == 0.8


def by_order(with_reference_first: bool, with_answer_first: bool) -> ScriptedJudge:
    """A judge whose verdict depends on which of the two stands first."""
    judge = ScriptedJudge("generic")

    def reply(prompt: str) -> str:
        text = prompt[prompt.index("<question") :]
        first = text.index("<reference") < text.index("<answer")
        return "ACCEPT" if (with_reference_first if first else with_answer_first) else "REJECT"

    judge._script._replies = reply
    return judge


@pytest.mark.parametrize(
    ("orders", "outcome", "judged"),
    [
        ((True, True), Outcome.CORRECT, Outcome.CORRECT),
        ((False, False), Outcome.INCORRECT, Outcome.INCORRECT),
        ((True, False), Outcome.UNDECIDED, Outcome.UNDECIDED),
        ((False, True), Outcome.UNDECIDED, Outcome.UNDECIDED),
    ],
)
def test_swap_asks_both_orders_in_one_call_and_disagreement_is_undecided(
    orders: tuple[bool, bool], outcome: Outcome, judged: Outcome
) -> None:
    judge = by_order(*orders)
    grade, stats = graded(TOWN, judge, guards={"swap_check": True})
    assert (grade.outcome, grade.judge.outcome) == (outcome, judged)
    assert grade.graded is (outcome is not Outcome.UNDECIDED)
    assert judge._script.batch_sizes == [2]
    assert [check.source for check in grade.checks] == ["swap:scripted"]
    assert (stats["asked"], stats["swap_asked"]) == (1, 1)
    assert stats["swap_disagreed"] == (judged is Outcome.UNDECIDED)


def test_a_second_order_without_a_verdict_leaves_none() -> None:
    replies = iter(["ACCEPT", Failure(Outcome.TIMED_OUT, "no answer in time")])
    judge = ScriptedJudge(lambda *_: next(replies))
    grade, _ = graded(TOWN, judge, guards={"swap_check": True})
    assert (grade.graded, grade.judge.outcome) == (False, Outcome.TIMED_OUT)
    assert grade.judge.reason == "swap check: no answer in time"


def test_swap_needs_a_judge_with_a_second_order() -> None:
    with pytest.raises(ConfigError, match=r"guards.swap_check: .* generic"):
        hv.Verifier(policy="judge_only", judges=[ScriptedJudge(True, "tinyv")], guards={"swap_check": True})


def test_in_a_panel_only_judges_with_a_second_order_are_swapped() -> None:
    one, other = ScriptedJudge(True, name="one"), ScriptedJudge(True, "tinyv", name="other")
    settings: dict[str, Any] = {"guards": {"swap_check": True}, "panel": {"combine": "all"}}
    with hv.Verifier(policy="judge_only", judges=[one, other], **settings) as verifier:
        (grade,) = verifier.grade([TOWN])
    assert (len(one.prompts), len(other.prompts)) == (2, 1)
    assert [check.source for check in grade.checks] == ["swap:one"]


def test_a_judge_that_accepts_a_foreign_reference_too_is_undecided_in_its_own_field() -> None:
    judge = ScriptedJudge(True)
    grade, stats = graded(TOWN, judge, guards={"canary": 1.0})
    assert (grade.graded, grade.outcome, grade.judge.outcome) == (False, Outcome.UNDECIDED, Outcome.UNDECIDED)
    assert "foreign reference" in grade.judge.reason
    assert [(check.source, check.outcome) for check in grade.checks] == [("canary:scripted", Outcome.CORRECT)]
    assert (stats["canary_asked"], stats["canary_broken"]) == (1, 1)
    assert tuple(grade.to_dict()) == GRADE_KEYS


def test_an_honest_judge_passes_its_canaries_which_are_asked_in_one_batch() -> None:
    judge = ScriptedJudge(lambda question, reference, answer: reference in answer)
    samples = [hv.Sample(f"It is city {i}, I think.", f"city {i}", f"Which? {i}") for i in range(8)]
    with hv.Verifier(
        policy="judge_only", rules=[Unsure()], judges=[judge], guards={"canary": 1.0}
    ) as verifier:
        grades = verifier.grade([*samples, hv.Sample("It is a river.", "city 9")])
    assert [grade.outcome.value for grade in grades] == ["correct"] * 8 + ["incorrect"]
    assert [len(grade.checks) for grade in grades] == [1] * 8 + [0]  # a reject needs no canary
    assert judge._script.batch_sizes == [9, 8]
    for _, reference, answer in judge.asked[9:]:
        assert reference not in answer


def test_a_canary_that_failed_takes_nothing_away() -> None:
    replies = itertools.chain(["ACCEPT"], itertools.repeat(Failure(Outcome.FAILED, "gone")))
    grade, _ = graded(TOWN, ScriptedJudge(lambda *_: next(replies)), guards={"canary": 1.0})
    assert (grade.outcome, grade.checks[0].outcome) == (Outcome.CORRECT, Outcome.FAILED)


def test_guards_are_in_the_fingerprint_and_not_in_the_key_of_the_main_question() -> None:
    cache = MemoryCache()
    judge = ScriptedJudge(lambda question, reference, answer: reference in answer)
    plain, _ = graded(TOWN, judge, cache=cache)
    guards = {"swap_check": True, "canary": 1.0}
    guarded, stats = graded(TOWN, judge, cache=cache, guards=guards)
    assert plain.fingerprint != guarded.fingerprint
    assert (stats["cached"], stats["called"]) == (1, 2)
    again, stats = graded(TOWN, judge, cache=cache, guards=guards)
    assert (stats["cached"], stats["called"]) == (3, 0)
    assert again.to_dict() == guarded.to_dict()


def test_without_judges_guards_are_in_no_fingerprint() -> None:
    with hv.Verifier() as plain, hv.Verifier(guards={"seed": 3}) as other:
        assert plain.fingerprint() == other.fingerprint()


def test_explain_shows_the_extra_passes() -> None:
    with hv.Verifier(
        policy="judge_only", judges=[ScriptedJudge(True)], guards={"swap_check": True, "canary": 1}
    ) as verifier:
        steps = verifier.explain(TOWN).steps
    assert [step.tier for step in steps if ":" in step.tier][-2:] == ["swap:scripted", "canary:scripted"]


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"canery": 0.1}, "guards.canery: no such setting; did you mean 'canary'"),
        ({"canary": 1.5}, r"guards.canary: expected a share in \[0, 1\]"),
        ({"canary": True}, "guards.canary"),
        ({"swap_check": "yes"}, "guards.swap_check: expected true or false"),
        ({"seed": 0.5}, "guards.seed"),
        ("all", "guards: expected a mapping"),
    ],
)
def test_a_wrong_guard_is_refused_by_name(setting: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        hv.Verifier(guards=setting)


def test_guards_come_from_a_configuration_file(tmp_path: Path) -> None:
    file = tmp_path / "conf.yaml"
    file.write_text("guards: {canary: 0.25, hedge: false}\ncache: null\n")
    with hv.Verifier.from_config(file) as verifier:
        assert verifier._guards == Guards(canary=0.25, hedge=False)
    file.write_text("guards: {canary: 2}\n")
    with pytest.raises(ConfigError, match=r"conf.yaml: guards.canary"):
        hv.Verifier.from_config(file)
    file.write_text("guards: {swapcheck: true}\n")
    with pytest.raises(ConfigError, match="did you mean 'swap_check'"):
        hv.Verifier.from_config(file)


# ---- the foreign reference


def subject(answer: str, *references: str) -> Subject:
    return Subject(Sample(answer, list(references), "Which?"), answer)


@pytest.mark.parametrize(
    ("answer", "references"),
    [
        ("7", ("7",)),
        ("Ulm", ("Ulm",)),
        ("B", ("B",)),
        ("x + 1", ("1 + x",)),
        ("the Danube, a copper kettle", ("granite",)),
        ("-83 417 0.0625 29/31 5038 -6.4 176 2/17 90210 61 29 31 0 0625 6 4 2 17 83", ("5",)),
        ("nothing", ()),
    ],
)
def test_the_foreign_reference_shares_nothing_with_answer_and_references(
    answer: str, references: tuple[str, ...]
) -> None:
    row = subject(answer, *references)
    for seed in range(20):
        (foreign,) = with_foreign_reference(row, seed).sample.references
        words = set(foreign.lower().split())
        assert words.isdisjoint(" ".join((answer, *references)).lower().split())
        assert with_foreign_reference(row, seed).answer == answer


def test_a_foreign_reference_is_of_the_same_kind() -> None:
    assert with_foreign_reference(subject("7", "7")).sample.references[0].lstrip("-")[0].isdigit()
    assert with_foreign_reference(subject("Ulm", "Ulm")).sample.references[0].replace(" ", "").isalpha()
    assert len(with_foreign_reference(subject("B", "B")).sample.references[0]) == 1


def test_which_rows_are_picked_depends_on_texts_and_seed_alone() -> None:
    rows = [subject(str(i), str(i)) for i in range(2000)]
    chosen = [picked(row, 0.25, 1, "canary") for row in rows]
    assert chosen == [picked(row, 0.25, 1, "canary") for row in rows]
    assert chosen != [picked(row, 0.25, 2, "canary") for row in rows]
    assert 400 < sum(chosen) < 600
    assert all(b for a, b in zip(chosen, [picked(row, 0.5, 1, "canary") for row in rows], strict=True) if a)


def test_values_for_a_formula_or_a_name_are_no_answer_either() -> None:
    assert hedges("1, 2, 3", [r"2\sqrt{3}"])
    assert not hedges("1, 2, 3", [r"1 \le n \le 3"])
    assert not shares_content("either x = 1 or x = 2", ["Montevideo"])


@pytest.mark.parametrize(
    ("answer", "reference", "question", "shared"),
    [
        ("Yes", "Montevideo", "Which city is meant?", False),
        ("</x>True", "Montevideo", "Which city is meant?", False),
        ("Yes", "It does", "Which is it: does it converge?", True),
        ("True", "the claim holds", "Which holds: is the claim true?", True),
        ("right", "the right bank", "On which bank?", True),
        ("Yes", "Montevideo", "", True),
        ("A", "42", "Which?", True),
    ],
)
def test_a_verdict_is_no_answer_to_a_question_for_somebody_or_something(
    answer: str, reference: str, question: str, shared: bool
) -> None:
    assert shares_content(answer, [reference], question) is shared


@pytest.mark.parametrize(
    ("answer", "reference", "question", "shared"),
    [
        ("Which river runs through Ulm?", "the Danube", "Which river runs through Ulm?", False),
        ("**which river runs through ulm**", "the Danube", "Which river runs through Ulm?", False),
        ("The river that runs through Ulm", "the Danube", "Which river runs through Ulm?", False),
        ("to be or not to be", "To be, or not to be", "To be or not to be?", True),
        ("Heads or", "tails", "Heads or?", True),
        ("Emma", "the lady of the house", "Who marries in Emma?", True),
        ("Emma", "Knightley", "Who marries in Emma?", False),
        ("Japan", "the Japanese Empire", "Who signed the treaty about Japan?", True),
        ("Japan", "the Pope", "Who signed the treaty about Japan?", False),
    ],
)
def test_the_question_is_no_answer_to_itself(
    answer: str, reference: str, question: str, shared: bool
) -> None:
    assert shares_content(answer, [reference], question) is shared


HOSTILE = st.text(st.sampled_from("1xA or,;=\\{}$\u200b\u0301\u202e解🙂\ud800 \n"), max_size=80)


@given(HOSTILE, HOSTILE, HOSTILE)
def test_no_text_makes_a_guard_raise_and_a_reference_is_never_refused(
    answer: str, reference: str, question: str
) -> None:
    row = Subject(Sample(answer, [reference], question), answer, True)
    assert all(isinstance(check.says(row, answer), bool) for check in CHECKS)
    assert with_foreign_reference(row).sample.references != row.sample.references
    same = Subject(Sample(answer, [answer], question), answer, True)
    assert Guards().refusal(same) == ""


@pytest.mark.parametrize(
    "answer", [r"\sum_{k=1}^{4} \sin k", r"3\lim_{t\to0}\frac{\sin t}{t}", r"\int_0^1 \cos t\,dt"]
)
def test_functions_of_bound_letters_make_no_guard_raise(answer: str) -> None:
    row = Subject(Sample(answer, ["3"], r"Evaluate $\lim_{t\to 0}\frac{\sin 3t}{t}$."), answer, True)
    assert all(isinstance(check.says(row, answer), bool) for check in CHECKS)


def test_a_guard_that_fails_refuses_nothing_and_says_so_once(caplog: pytest.LogCaptureFixture) -> None:
    def fails(subject: Subject, text: str) -> bool:
        raise RuntimeError(text)

    check = Check("echo", "a test", Sign.ANY, fails)
    row = Subject(TOWN, "Ulm")
    assert not check.refuses(row, "Ulm")
    assert not check.refuses(row, "Ulm")
    assert [record.getMessage() for record in caplog.records] == [
        "the guard 'a test' failed with RuntimeError and let an answer pass to the judges; please report it"
    ]


@pytest.mark.load
@pytest.mark.parametrize(
    "piece", ["1, ", "A or ", "x = ", "\\boxed{1}", "either ", "解", "one ", "\\text{", " "]
)
def test_long_texts_take_no_time(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    begin = time.process_time()
    for answer, reference in ((text, "7"), ("7", text), (text, text)):
        row = Subject(Sample(answer, [reference], text), answer, True)
        Guards().refusal(row)
        with_foreign_reference(row)
        picked(row, 0.5, 0, "canary")
    assert time.process_time() - begin < 2.0


def test_a_section_left_empty_is_the_default() -> None:
    with hv.Verifier.from_config({"guards": None, "monitor": None, "audit": None, "cache": None}) as verifier:
        assert verifier._guards == Guards()
