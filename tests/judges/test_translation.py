"""Judge `translate`: each side is translated alone, and the rules decide."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import hybridverify as hv
from hybridverify.config.registry import make_judge
from hybridverify.conventions import DEFAULT
from hybridverify.errors import ConfigError
from hybridverify.judges.backends.scripted import ScriptedBackend
from hybridverify.judges.base import Answered, Composed, Judge, Reply, Subject
from hybridverify.judges.translation.judge import TranslatorJudge
from hybridverify.judges.translation.pairs import Form, Pairing, pairing
from hybridverify.judges.translation.proof import Comparer

QUESTION = "Which numbers can be written so?"
REFERENCE = "those that leave a remainder of 3 or 5 when divided by 16"
STANDARD = r"3, 5 \pmod{16}"
WORDS = (
    "numbers that leave 3 or 5 modulo 16",
    "a remainder of 3 or 5 modulo 16",
    "the remainder modulo 16 is 3 or 5",
    "remainder 3 or 5 mod 16",
)
TABLE = {REFERENCE: STANDARD, WORDS[0]: STANDARD, WORDS[1]: STANDARD, WORDS[3]: STANDARD}


def text_of(prompt: str) -> str:
    """The text that a prompt asks to translate."""
    return prompt.rpartition("\nText: ")[2].rpartition("\nStandard form:")[0]


def backend(table: Mapping[str, Any] | None = None, **options: Any) -> ScriptedBackend:
    told = TABLE if table is None else table
    return ScriptedBackend(lambda prompt: told.get(text_of(prompt), "none"), **options)


def sample(answer: str, reference: str = REFERENCE, question: str = QUESTION) -> hv.Sample:
    return hv.Sample(rf"So it is \boxed{{\text{{{answer}}}}}", reference, question)


def verifier(
    engine: ScriptedBackend, *, settings: Mapping[str, Any] | None = None, **options: Any
) -> hv.Verifier:
    judge = {"preset": "translate", "backend": engine, **(settings or {})}
    return hv.Verifier(judges=[judge], policy="addon", **options)


def judged(engine: ScriptedBackend, one: hv.Sample, **settings: Any) -> hv.Grade:
    with verifier(engine, settings=settings) as made:
        return made.grade([one])[0]


def test_equality_of_the_translations_is_proved_by_the_rules() -> None:
    grade = judged(backend(), sample(WORDS[0]))
    assert (grade.judge.outcome, grade.judge.reason, grade.score) == (hv.Outcome.CORRECT, "translated", 1.0)
    assert grade.judge.source == "judge:translate"


def test_no_prompt_holds_both_sides() -> None:
    engine = backend()
    judged(engine, sample(WORDS[0]))
    assert sorted(map(text_of, engine.prompts)) == sorted((REFERENCE, WORDS[0]))
    assert not any(REFERENCE in prompt and WORDS[0] in prompt for prompt in engine.prompts)


def test_a_group_of_eight_answers_costs_nine_requests_at_most() -> None:
    engine = backend()
    group = [sample(f"congruent to 3 or {number} modulo 16") for number in range(5, 13)]
    with verifier(engine) as made:
        grades = made.grade(group)
    assert len(engine.prompts) == 9
    assert sum(text_of(prompt) == REFERENCE for prompt in engine.prompts) == 1
    assert [grade.score for grade in grades] == [1.0, *[0.0] * 7]


def test_equal_answers_are_translated_once() -> None:
    engine = backend()
    with verifier(engine) as made:
        made.grade([sample(WORDS[0])] * 8)
    assert len(engine.prompts) == 2


def test_a_reference_is_asked_once_for_ever(tmp_path: Path) -> None:
    first, second = backend(), backend()
    with verifier(first, cache=tmp_path) as made:
        assert made.grade([sample(WORDS[0])])[0].score == 1.0
    with verifier(second, cache=tmp_path) as made:
        grades = made.grade([sample(WORDS[0]), sample(WORDS[1])])
        assert made.stats["judge"]["cached"] == 3
    assert [text_of(prompt) for prompt in second.prompts] == [WORDS[1]]
    assert [grade.score for grade in grades] == [1.0, 1.0]


def test_what_is_no_translation_is_kept_too(tmp_path: Path) -> None:
    first, second = backend({}), backend({})
    for engine in (first, second):
        with verifier(engine, cache=tmp_path) as made:
            assert made.grade([sample(WORDS[0])])[0].judge.reason == "no translation of the answer"
    assert (len(first.prompts), len(second.prompts)) == (2, 0)


def test_translations_are_filed_under_a_stage_of_their_own(tmp_path: Path) -> None:
    from hybridverify.cache.commands import stats

    with verifier(backend(), cache=tmp_path) as made:
        made.grade([sample(WORDS[0])])
    assert stats(tmp_path).stages["translation"] == 2
    assert "judge" not in stats(tmp_path).stages


def test_another_model_and_another_sampling_ask_anew(tmp_path: Path) -> None:
    engines = [backend(), backend(model="other"), backend()]
    settings: list[dict[str, Any]] = [{}, {}, {"samples": 3}]
    for engine, own in zip(engines, settings, strict=True):
        with verifier(engine, settings=own, cache=tmp_path) as made:
            made.grade([sample(WORDS[0])])
    assert [len(engine.prompts) for engine in engines] == [2, 2, 2]


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (r"3, 7 \pmod{16}", "translation of the answer: invents number 7"),
        (r"3 \pmod{16}", "translation of the answer: drops number 5"),
        ("3, 5", "translation of the answer: drops mod"),
        ("It is clear.\nThe answer is 3", "no translation of the answer"),
        ("none", "no translation of the answer"),
        ("", "no translation of the answer"),
    ],
)
def test_an_unfaithful_translation_proves_nothing(reply: str, reason: str) -> None:
    grade = judged(backend({REFERENCE: STANDARD, WORDS[0]: reply}), sample(WORDS[0]))
    assert (grade.judge.outcome, grade.judge.reason) == (hv.Outcome.UNDECIDED, reason)


@pytest.mark.parametrize("careless", ["g(t) = 3t+4", "g(t) = (3t)+4"])
def test_a_translation_with_another_value_than_its_text_proves_nothing(careless: str) -> None:
    reference, right, wrong = r"g(t)=3t+4 \text{ is the one}", "g(t) = 4 + t*3", "g(t) = 3(t+4)"
    engine = backend({reference: "g(t) = 3t+4", wrong: careless, right: right})
    with verifier(engine) as made:
        rows = [
            hv.Sample(rf"\boxed{{{answer}}}", reference, "Which function is it?") for answer in (wrong, right)
        ]
        grades = made.grade(rows)
    assert [grade.score for grade in grades] == [0.0, 1.0]
    assert grades[0].judge.reason == "translation of the answer: has another value"


def test_one_translated_side_may_be_enough() -> None:
    grade = judged(backend({WORDS[0]: STANDARD}), sample(WORDS[0], STANDARD))
    assert grade.judge.reason == "translated"
    grade = judged(backend({REFERENCE: STANDARD}), hv.Sample(rf"\boxed{{{STANDARD}}}", REFERENCE, QUESTION))
    assert grade.judge.reason == "translated"


def test_any_of_several_references_may_be_proved() -> None:
    one = hv.Sample(rf"\boxed{{{WORDS[0]}}}", ["those that leave 4 when divided by 9", REFERENCE], QUESTION)
    assert judged(backend(), one).judge.reason == "translated"


def test_an_echo_stays_an_echo_after_translation() -> None:
    question = "Compute $17 \\cdot 23$."
    answer = "the product is 17 times 23"
    grade = judged(backend({answer: r"17 \cdot 23"}), sample(answer, "391", question))
    assert grade.score == 0.0


def test_only_a_given_answer_is_translated() -> None:
    engine = backend({})
    with verifier(engine) as made:
        made.grade(
            [
                hv.Sample(
                    "I found no answer here.\n\nThe text speaks of 3 and 5 modulo 16.", REFERENCE, QUESTION
                )
            ]
        )
    assert engine.prompts == []


@pytest.mark.parametrize(
    ("response", "asked"),
    [
        ("$remainder 3 or 5 mod 16$", WORDS[3]),
        ("**remainder 3 or 5 mod 16**", WORDS[3]),
        ("remainder 3 or 5 mod 16.", WORDS[3]),
        ("I know that remainder 3 or 5 mod 16 is wrong.\n\nSo what is it?", ""),
    ],
)
def test_a_response_of_one_line_is_its_own_answer_whatever_marks_it_has(response: str, asked: str) -> None:
    engine = backend()
    with verifier(engine) as made:
        grade = made.grade([hv.Sample(response, REFERENCE, QUESTION)])[0]
    assert {text_of(prompt) for prompt in engine.prompts} - {REFERENCE} == ({asked} if asked else set())
    assert grade.score == float(bool(asked))


def test_a_row_that_the_rules_settle_is_not_translated() -> None:
    engine = backend()
    judge = TranslatorJudge(engine)
    rows = [hv.Sample(r"\boxed{7}", "7"), hv.Sample(r"\boxed{8}", "7")]
    subjects = [Subject(row, row.response[7:-1], True, row.response) for row in rows]
    said = judge.prepare(subjects)
    assert [one.outcome for one in said if isinstance(one, hv.Verdict)] == [
        hv.Outcome.CORRECT,
        hv.Outcome.INCORRECT,
    ]
    assert engine.prompts == []


def test_an_engine_that_fails_is_a_failure_and_no_verdict() -> None:
    down = {"outcome": "failed", "reason": "connection refused"}
    grade = judged(backend({REFERENCE: STANDARD, WORDS[0]: down}), sample(WORDS[0]))
    assert (grade.judge.outcome, grade.graded) == (hv.Outcome.FAILED, False)
    grade = judged(backend({REFERENCE: down, WORDS[0]: STANDARD}), sample(WORDS[0], REFERENCE))
    assert grade.judge.outcome is hv.Outcome.FAILED


def test_a_cut_reply_is_no_translation() -> None:
    cut = {"text": STANDARD, "finish_reason": "length"}
    assert judged(backend({**TABLE, WORDS[0]: cut}), sample(WORDS[0])).judge.outcome is hv.Outcome.UNDECIDED


def _pairing(reference: Form, answer: Form) -> Pairing:
    return pairing(Comparer(DEFAULT), "", [reference.original], [reference], answer)


def test_a_sure_difference_of_all_three_comparisons_is_one() -> None:
    assert _pairing(Form("27", "27"), Form("31", "31")) == (False, True, "not proved equal in translation")
    assert not _pairing(Form("the count of them", "27"), Form("31", "31")).different
    assert not _pairing(Form("27", "27"), Form("31", "31", "drops a negation")).different
    assert not _pairing(Form("27", ""), Form("31", "31")).different


def test_rejects_only_where_it_is_told_to() -> None:
    def verdict(rejects: bool) -> hv.Verdict:
        judge = TranslatorJudge(backend(), translate_rejects=rejects)
        subject = Subject(hv.Sample(r"\boxed{31}", "27"), "31", True)
        said = [hv.Verdict(hv.Outcome.UNDECIDED, answer=text) for text in ("27", "31")]
        return judge.conclude(subject, [Answered(one) for one in said])[0]

    assert verdict(False).outcome is hv.Outcome.UNDECIDED
    assert (verdict(True).outcome, verdict(True).reason) == (hv.Outcome.INCORRECT, "translated")


def test_what_tells_the_things_of_a_question_apart_may_not_be_lost_on_both_sides() -> None:
    red, blue = (
        Form("It is the box, the red one.", "the box"),
        Form("It is the box, the blue one.", "the box"),
    )
    assert not pairing(Comparer(DEFAULT), "", [red.original], [red], blue).same
    assert pairing(
        Comparer(DEFAULT), "", [red.original], [red], Form("It is the box, the red one.", "the box")
    ).same


def test_a_name_may_not_be_lost_on_the_way_to_another_one() -> None:
    other, same = Form("y = 5", "5"), Form("x = 5", "5")
    question = "The numbers $x$ and $y$ are whole. Find $x$."

    def is_same(reference: Form, answer: Form) -> bool:
        return pairing(Comparer(DEFAULT), question, ["x = 5"], [reference], answer).same

    assert not is_same(Form("x = 5", "x = 5"), other)
    assert not is_same(same, other)
    assert is_same(same, same)


def _draws(*texts: str) -> Reply:
    return Reply(texts, ("stop",) * len(texts))


@pytest.mark.parametrize(
    ("right", "samples", "agree", "accepted"),
    [
        (2, 3, None, True),
        (1, 3, None, False),
        (1, 3, 1, True),
        (2, 5, None, False),
        (3, 5, None, True),
        (2, 5, 2, True),
    ],
)
def test_enough_pairs_have_to_agree(right: int, samples: int, agree: int | None, accepted: bool) -> None:
    table = {
        REFERENCE: _draws(*[STANDARD] * samples),
        WORDS[0]: _draws(*[STANDARD] * right, *["none"] * (samples - right)),
    }
    settings = {"samples": samples, **({} if agree is None else {"agree": agree})}
    engine = backend(table)
    assert judged(engine, sample(WORDS[0]), **settings).score == float(accepted)
    assert {sampling.n for sampling in engine.samplings} == {samples}
    assert all(sampling.temperature > 0 for sampling in engine.samplings)


def test_explain_shows_what_was_translated_to_what() -> None:
    with verifier(backend()) as made:
        steps = made.explain(sample(WORDS[0])).steps
    told = [step.reading for step in steps if step.tier == "translation:translate"]
    assert told == [f"{REFERENCE} → {STANDARD}", f"{WORDS[0]} → {STANDARD}"]


def test_works_in_a_panel_with_other_judges() -> None:
    from hybridverify.testing import ScriptedJudge

    judges: list[Any] = [{"preset": "translate", "backend": backend()}, ScriptedJudge(False)]
    with hv.Verifier(judges=judges, policy="addon", panel={"combine": "any"}) as made:
        (grade,) = made.grade([sample(WORDS[0])])
    assert (grade.score, len(grade.votes)) == (1.0, 2)


def test_the_canary_asks_beside_a_foreign_reference() -> None:
    with verifier(backend(), guards={"canary": 1.0}) as made:
        (grade,) = made.grade([sample(WORDS[0])])
        assert made.stats["judge"]["canary_asked"] == 1
    assert grade.score == 1.0


def test_the_budget_of_calls_holds() -> None:
    engine = backend()
    with verifier(engine, max_calls=1) as made:
        (grade,) = made.grade([sample(WORDS[0])])
    assert (len(engine.prompts), grade.judge.outcome) == (1, hv.Outcome.FAILED)


@pytest.mark.parametrize(("units", "score"), [("convert", 1.0), ("same", 0.0)])
def test_conventions_of_the_verifier_reach_the_comparison(units: str, score: float) -> None:
    reference, answer = "the rope has a length of 27 metres", "a length of 2700 centimetres"
    engine = backend({reference: "27 m", answer: "2700 cm"})
    with verifier(engine, conventions={"units": units}) as made:
        (grade,) = made.grade([sample(answer, reference, "How long is the rope?")])
    assert (len(engine.prompts), grade.score) == (2, score)


def test_conventions_of_a_route_reach_the_comparison() -> None:
    reference, answer = "the rope has a length of 27 metres", "a length of 2700 centimetres"
    engine = backend({reference: "27 m", answer: "2700 cm"})
    with verifier(engine, routes={"strict": {"conventions": {"units": "same"}}}) as made:
        row = sample(answer, reference, "How long is the rope?")
        strict = hv.Sample(row.response, row.references, row.question, "strict")
        scores = [grade.score for grade in made.grade([row, strict])]
    assert scores == [1.0, 0.0]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"samples": 0}, "samples"),
        ({"samples": 3, "agree": 4}, "agree"),
        ({"threshold": 0.7}, "threshold"),
        ({"samples": 3, "sampling": {"temperature": 0.0}}, "temperature"),
    ],
)
def test_faults_of_the_settings_are_named(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        make_judge({"preset": "translate", "backend": "scripted", **settings})


def test_is_a_judge_that_travels() -> None:
    judge = make_judge({"preset": "translate", "backend": {"name": "scripted", "replies": "none"}})
    assert isinstance(judge, Judge)
    assert isinstance(judge, Composed)
    assert pickle.loads(pickle.dumps(judge)).identity() == judge.identity()  # noqa: S301


def test_answers_without_a_pipeline() -> None:
    engine = backend()
    judge = TranslatorJudge(engine)
    subjects = [Subject(sample(words), words, True, sample(words).response) for words in WORDS[:2]]
    requests = judge.prepare(subjects)
    verdicts = judge.decide([one for one in requests if not isinstance(one, hv.Verdict)])
    assert [verdict.reason for verdict in verdicts] == ["translated", "translated"]
    assert len(engine.prompts) == 3
    assert judge.usage()["requests"] == 3


def test_agree_asks_no_more_than_a_run() -> None:
    from hybridverify.agreement.cases import Collector
    from hybridverify.agreement.rows import LabelledRow

    engine = backend()
    rows = [LabelledRow(sample(WORDS[0]), True), LabelledRow(sample("remainder 7 mod 16"), False)]
    with Collector.of(
        {"policy": "addon", "judges": [{"preset": "translate", "backend": engine}], "cache": None}
    ) as made:
        cases = list(made.collect(rows))
    assert [case.votes[0].outcome for case in cases] == [hv.Outcome.CORRECT, hv.Outcome.UNDECIDED]
    assert len(engine.prompts) == 3


def test_a_reward_function_takes_it_by_name() -> None:
    from hybridverify.adapters.reward_function import compute_score

    table = {"Text: remainder 3 or 5 mod 16": STANDARD, f"Text: {REFERENCE}": STANDARD}
    judges = [{"preset": "translate", "backend": {"name": "scripted", "replies": table}}]
    row = ("maths", rf"\boxed{{{WORDS[3]}}}", REFERENCE, {"question": QUESTION})
    result = compute_score(*row, policy="addon", judges=judges, cache=None)
    assert (result["score"], result["hv_judge_asked"], result["hv_judge_score"]) == (1.0, 1, 1.0)
