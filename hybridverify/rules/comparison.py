"""The verdict on an answer that a rule compared with the references, the same for every rule.

Separate from prefilter.py, which settles what needs no comparison.
"""

from __future__ import annotations

from typing import NamedTuple

from hybridverify.answers.choice_decision import SEVERAL_OPTIONS, leaves_open
from hybridverify.answers.references import any_may_list
from hybridverify.answers.sentences import QUESTION_MARKS
from hybridverify.conventions import Conventions
from hybridverify.rules.asking import ASKED, only_asks
from hybridverify.rules.base import decided, undecided
from hybridverify.rules.echo import ECHO, echoes
from hybridverify.rules.other_units import OTHER_UNIT, counts_another
from hybridverify.rules.prefilter import AnswerChecker, Case
from hybridverify.rules.reference_looks import may_be_option, option_numbers
from hybridverify.rules.work_left import WORK_LEFT, leaves_work
from hybridverify.types import Verdict


class Reasons(NamedTuple):
    """What a rule says of an answer that it compared."""

    same: str
    different: str
    unclear: str


_NO_ANSWERS = ((ECHO, echoes), (WORK_LEFT, leaves_work), (OTHER_UNIT, counts_another))
"""What an equal value may be under a question, and the reason that it is then held back with."""
SAME_NUMBER = Reasons("same number", "different number", "numbers that prove nothing")


def compared(checker: AnswerChecker, case: Case, equal: bool | None, reasons: Reasons) -> Verdict:
    """The verdict on an answer that is a reference's, is surely none, or, where `equal` is None, nobody can tell.

    A sure reject needs an answer that was given as one, and references that may not list it.
    """
    if equal:
        return accepted(checker, case, reasons.same)
    found = case.extraction
    if equal is False and found.firm and not any_may_list(case.references, found.answer):
        if any(
            label + found.answer in case.question for label in option_numbers(case.question, case.references)
        ):
            return undecided(checker, reason="the text of an option", answer=found.answer)
        return decided(checker, correct=False, answer=found.answer, reason=reasons.different)
    return undecided(checker, reason=reasons.unclear, answer=found.answer)


def accepted(checker: AnswerChecker, case: Case, reason: str) -> Verdict:
    """The verdict on an answer whose value is a reference's: correct, unless it is held back."""
    if why := held_back(case, checker.conventions):
        return undecided(checker, reason=why, answer=case.answer)
    return decided(checker, correct=True, answer=case.answer, reason=reason)


def held_back(case: Case, conventions: Conventions) -> str:
    """Why an equal value is no answer: it only repeats what was to be worked out, it leaves an operation undone, it
    is a question itself, or several options stand beside each other. "" where it is one."""
    if case.question:
        for reason, holds in _NO_ANSWERS:
            if holds(case.question, case.answer, case.references, conventions):
                return reason
    if not QUESTION_MARKS.isdisjoint(case.answer) and only_asks(case.answer, case.references):
        return ASKED
    if not may_be_option(case.question, case.references):
        return ""
    several = leaves_open(case.extraction.body, case.question, case.references)
    return SEVERAL_OPTIONS if several else ""
