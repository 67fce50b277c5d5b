"""Which rules and guards are asked about a case: one that is not asked would have said nothing."""

from __future__ import annotations

from typing import ClassVar

import pytest

from hybridverify.cache import NoCache
from hybridverify.config.registry import make_checkers
from hybridverify.conventions import Conventions
from hybridverify.guards.judge_guards import CHECKS, _states_something, signs_of
from hybridverify.judges.base import Subject
from hybridverify.pipeline.chain import NOT_COMPARED, RuleChain, _rows, has_reference
from hybridverify.pipeline.stats import Stats
from hybridverify.rules.base import Checker
from hybridverify.rules.echo import echoes
from hybridverify.rules.exact import Exact
from hybridverify.rules.kinds import Kind
from hybridverify.types import CORRECT, UNDECIDED, Sample, Verdict
from hybridverify.verifier import Verifier
from hybridverify.workers import WorkerPool
from tests.rules.cases import every_sample

TAGS = ("<think>", "</think>")
WAYS: tuple[dict[str, object], ...] = ({}, {"decimal_comma": True, "text": "exact", "choice": "letter"})


def no_pool() -> WorkerPool:
    raise AssertionError("no worker is needed here")


def chain_under(settings: dict[str, object]) -> RuleChain:
    checkers = make_checkers("default", Conventions.from_settings(settings), TAGS)
    return RuleChain(checkers, no_pool, NoCache(), Stats())


def said(checker: Checker, sample: Sample) -> Verdict | Sample:
    prepare = getattr(checker, "prepare", checker.check)
    found: Verdict | Sample = prepare(sample)
    return found


def not_asked(chain: RuleChain, sample: Sample) -> list[Checker]:
    (row,) = _rows([sample])
    plan = chain._plan(row)
    if row.verdict.outcome is not UNDECIDED:
        return []
    return [one for one in chain.checkers if not any(one is other for group in plan for other in group)]


@pytest.mark.parametrize("settings", WAYS, ids=str)
def test_a_rule_that_is_not_asked_would_have_said_nothing(settings: dict[str, object]) -> None:
    chain, skipped = chain_under(settings), 0
    for sample in filter(has_reference, every_sample()):
        for checker in not_asked(chain, sample):
            skipped += 1
            verdict = said(checker, sample)
            outcome = verdict.outcome if isinstance(verdict, Verdict) else CORRECT
            assert outcome is UNDECIDED, (checker.name, sample, verdict)
    assert skipped > 1000


def test_a_guard_that_is_not_asked_would_have_refused_nothing() -> None:
    skipped = 0
    for sample in filter(has_reference, every_sample()):
        signs = signs_of(sample.references, sample.question)
        subject = Subject(sample, sample.response, True, sample.response, Conventions())
        for check in CHECKS:
            if not check.reads & signs:
                skipped += 1
                assert not check.says(subject, sample.response), (check.reason, sample)
    assert skipped > 1000


def test_words_are_no_echo_where_the_question_states_no_expression() -> None:
    for sample in filter(has_reference, every_sample()):
        if not _states_something(sample.question) and sample.response.rstrip(" .").replace(" ", "").isalpha():
            assert not echoes(sample.question, sample.response, sample.references, Conventions()), sample


def test_a_rule_of_the_users_is_asked_about_every_case() -> None:
    asked: list[str] = []

    def listens(sample: Sample) -> None:
        asked.append(sample.response)

    with Verifier(rules=[listens, "gsm8k"]) as verifier:
        grades = verifier.grade([Sample("#### 7", "7"), Sample("Ulm", "Ulm"), Sample("in Bonn", "Ulm")])
    assert asked == ["#### 7", "Ulm", "in Bonn"]
    assert [grade.outcome.value for grade in grades] == ["correct", "correct", "undecided"]


def test_a_case_that_no_rule_reads_is_undecided_with_a_reason() -> None:
    with Verifier(rules=["exact", "gsm8k"]) as verifier:
        (grade,) = verifier.grade([Sample("The answer is a copper kettle.", "a tin drum")])
    assert (grade.rule.outcome, grade.rule.source, grade.rule.reason) == (
        UNDECIDED,
        "rule:exact",
        NOT_COMPARED,
    )
    assert grade.rule.answer == "a copper kettle"


class Lenient(Exact):
    def check(self, sample: Sample) -> Verdict:
        return Verdict(CORRECT, 1.0, "rule:lenient")


def test_a_class_with_a_check_of_its_own_is_asked_about_every_case() -> None:
    with Verifier(rules=[Lenient(), "gsm8k"]) as verifier:
        (grade,) = verifier.grade([Sample("The answer is a copper kettle.", "a tin drum")])
    assert grade.rule.source == "rule:lenient"


class Counted(Exact):
    reads = Kind.NUMBER
    asked: ClassVar[list[str]] = []

    def check(self, sample: Sample) -> Verdict:
        self.asked.append(sample.response)
        return super().check(sample)


def test_a_rule_that_leaves_a_plain_number_open_is_not_asked_about_it_again() -> None:
    with Verifier(rules=[Counted(), "gsm8k"]) as verifier:
        verifier.grade([Sample(r"\boxed{7 of them}", "7"), Sample(r"\boxed{7}", "7"), Sample("#### 8", "7")])
    assert Counted.asked == [r"\boxed{7 of them}", "#### 8"]
