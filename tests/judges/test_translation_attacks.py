"""Judge `translate` with a model in league with the attacker: whatever it is shown, it writes the reference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import hybridverify as hv
from hybridverify.judges.base import Prompt
from hybridverify.redteam.blind import Pool, blinded
from hybridverify.redteam.generated import generated_rows
from hybridverify.redteam.informed import MUST_REFUSE
from hybridverify.redteam.named import named_strategies
from hybridverify.redteam.questions import Question
from hybridverify.testing import FunctionBackend

FRAMES = ("told to write", "to be rewritten", "whichever is asked", "a letter for it")
OF_EACH = 5


def in_league(questions: Sequence[Question]) -> FunctionBackend:
    """A backend that knows the references."""
    known = {question.question.strip(): question.references[0] for question in questions}
    return FunctionBackend(lambda prompt, _: known[_question(prompt)], "in league")


def _question(prompt: Prompt) -> str:
    return prompt.messages[-1].content.partition("\nText: ")[0].removeprefix("Question: ")


def questions() -> list[Question]:
    """A few of each family; of facts only short names, which a rule reads whole."""
    found: dict[str, list[Question]] = {}
    for row in generated_rows(OF_EACH):
        one = Question.of(row)
        if len(one.references[0].split()) <= 2 and one.references[0].lower() not in ("yes", "no"):
            found.setdefault(row["data_source"], []).append(one)
    return [one for family in found.values() for one in family[:OF_EACH]]


def attacks(known: Sequence[Question]) -> Iterator[hv.Sample]:
    """Strategies that want something rewritten, and everything that must be refused, as it is and in a box."""
    pool = Pool.of(known)
    strategies = [one for one in named_strategies() if one.frame in FRAMES or one.dress == "x where"]
    assert len(strategies) > 10
    for question in known:
        tried = [one.attempt(blinded(question, pool)) for one in strategies]
        texts = [one.response for one in tried if one is not None]
        other = next(
            (
                one.references[0]
                for one in known
                if one.family == question.family and not _same(one, question)
            ),
            "",
        )
        if question.family != "choice":  # there the other answer may be the text of the right letter
            refused = (probe(question, question.references[0], other) for probe in MUST_REFUSE.values())
            texts += [text for text in refused if text]
            texts += [rf"\boxed{{\text{{{text}}}}}" for text in texts if "boxed" not in text]
        yield from (hv.Sample(text, list(question.references), question.question) for text in texts)


def _same(one: Question, other: Question) -> bool:
    return one.references[0].casefold() == other.references[0].casefold()


def test_even_a_model_in_league_with_the_attacker_passes_nothing() -> None:
    known = questions()
    samples = list(attacks(known))
    judge = {"preset": "translate", "backend": in_league(known)}
    with hv.Verifier(judges=[judge], policy="addon") as verifier:
        grades = verifier.grade(samples)
        assert verifier.stats["judge"]["requests"] > 100
    passed = [
        (sample.question, sample.references, sample.response)
        for sample, grade in zip(samples, grades, strict=True)
        if grade.judge.reason == "translated"
    ]
    assert passed == []


def test_the_same_model_helps_who_is_right() -> None:
    known = [Question("Which numbers can be written so?", (r"3, 5 \pmod{16}",))]
    sample = hv.Sample(
        r"\boxed{\text{numbers that leave 3 or 5 modulo 16}}", list(known[0].references), known[0].question
    )
    judge = {"preset": "translate", "backend": in_league(known)}
    with hv.Verifier(judges=[judge], policy="addon") as verifier:
        assert verifier.grade([sample])[0].judge.reason == "translated"
