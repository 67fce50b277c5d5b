r"""Answers that repeat the expression which the question wants worked out: `17 \cdot 23` for "Compute 17 * 23".

Such an answer has the right value, and whoever gave it knows nothing. So an acceptance by value is withheld where
the answer still contains an expression of the question that has the answer's own value, and no reference is written
with it. "Same text as the reference" is decided before, and stays right.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial

from hybridverify.answers.options import stem_of
from hybridverify.conventions import Conventions
from hybridverify.language import expressions as re
from hybridverify.language.asked import Asked, read_question
from hybridverify.language.spoken_operations import spoken_operations
from hybridverify.maths import Reading, answer_reading, compare_readings, reference_reading
from hybridverify.maths.values.kinds import Listing, RealSet, Relation, Unreadable
from hybridverify.rules.asked_form import has_other_form, is_in_polar_form, is_undone
from hybridverify.rules.givens import put_in
from hybridverify.rules.number_notation import is_otherwise, is_rounded_otherwise, notation_of
from hybridverify.rules.repeated import OPERAND, repeats, written_alike
from hybridverify.rules.steps import steps_of
from hybridverify.rules.unsolved import is_left_unsolved, is_relation
from hybridverify.rules.work import has_work
from hybridverify.rules.work_left import are_given, may_have_work
from hybridverify.rules.written_expressions import holds, is_written_so, repeats_relation, written

ECHO = "echo"
"""The reason of an acceptance that is withheld."""
_MAX_ANSWER = 600
_DIGITS = "0123456789.,"
_EXPONENT = re.compile(r"\^\s?\{?\s?\d\b")
"""A small power may be spelled as a product."""


def echoes(question: str, answer: str, references: Sequence[str], conventions: Conventions) -> bool:
    r"""Whether the answer is an expression of the question that was to be worked out.

    >>> from hybridverify.conventions import DEFAULT
    >>> echoes(r"Compute $17\cdot 23$.", "23*17+0", ["391"], DEFAULT)
    True
    >>> echoes("Compute 17*23.", "17*23=391", ["391"], DEFAULT), echoes("Compute 17*23.", "(16+1)*23", ["391"], DEFAULT)
    (False, True)
    >>> echoes("Expand (x+1)^2.", "(x+1)^2", ["x^2+2x+1"], DEFAULT), echoes("How many?", "2^5", ["32"], DEFAULT)
    (True, False)
    """
    if not question or len(answer) > _MAX_ANSWER:
        return False
    if _is_plain(answer) and not _may_be_otherwise(question, references):
        return False  # the usual answer is no expression
    if repeats(question, answer, references, conventions):
        return True
    stem, told = stem_of(question), tuple(references)
    if stem:
        return _is_worked_out_option(stem, answer, told, conventions)
    tasks = _tasks(question)
    if not tasks and not may_have_work(answer):
        return False  # words, where nothing is to be worked out
    return _leaves_task(tasks, answer, told, question, conventions)


def _leaves_task(
    formulas: tuple[str, ...],
    answer: str,
    told: tuple[str, ...],
    question: str,
    conventions: Conventions,
) -> bool:
    """Whether one of the expressions is still to be worked out, to be written otherwise or to be solved."""
    said = set(OPERAND.findall(answer)) if formulas else set()
    repeated = tuple(one for one in formulas if said >= _operands(one))
    if repeated and _repeats_one(repeated, answer, told, question, conventions):
        return True
    if _is_otherwise(formulas, answer, told, question, conventions):
        return True
    if _is_left_to_do(formulas, answer, told, question, conventions):
        return True
    return is_left_unsolved(formulas, answer, told, question, conventions)


def _may_be_otherwise(question: str, references: Sequence[str]) -> bool:
    """Whether a plain number may be what was to be written in another way."""
    asked = read_question(question)
    if not asked.speaks_of("rewriting", "rounding", "notation"):
        return False
    return asked.rewrites or asked.speaks_of("rounding") or not all(map(_is_plain, references))


def _is_plain(text: str) -> bool:
    return not text.lstrip("+-").strip(_DIGITS)


def _tasks(question: str) -> tuple[str, ...]:
    """The expressions that the question may want worked out, those that it names in words too."""
    asked = read_question(question)
    return asked.formulas if asked.speaks_of("choosing") else (*asked.formulas, *spoken_operations(question))


@lru_cache(maxsize=1024)  # every response is held against the formulas of its question
def _operands(formula: str) -> frozenset[str]:
    return frozenset(OPERAND.findall(_EXPONENT.sub("", formula)))


def _is_worked_out_option(stem: str, answer: str, told: tuple[str, ...], conventions: Conventions) -> bool:
    """Where options are offered: an equal value in another spelling, or with work left, chooses none."""
    if any(written_alike(answer, one) for one in told):
        return False
    return says_value(stem, told, conventions) or _has_more_work(answer, told, conventions)


def _has_more_work(answer: str, told: tuple[str, ...], conventions: Conventions) -> bool:
    known = [reference_reading(one, conventions) for one in told]
    return has_work(answer_reading(answer, conventions)) and not any(map(has_work, known))


@lru_cache(maxsize=1024)
def says_value(stem: str, options: tuple[str, ...], conventions: Conventions) -> bool:
    """Whether the question before its options states the value of one: then only its own text or its letter chooses it.

    >>> from hybridverify.conventions import DEFAULT
    >>> says_value("Which of these equals 21/45?", ("7/15",), DEFAULT)
    True
    """
    stated = (*read_question(stem).expressions, *spoken_operations(stem))
    return any(_has_value(one, options, stem, conventions) for one in stated)


@lru_cache(maxsize=1024)
def _repeats_one(
    formulas: tuple[str, ...],
    answer: str,
    references: tuple[str, ...],
    question: str,
    conventions: Conventions,
) -> bool:
    known = [reference_reading(reference, conventions) for reference in references]
    said = answer_reading(answer, conventions)
    steps = steps_of(answer, references, question, conventions)
    for formula in formulas:
        task = reference_reading(formula, conventions)
        if isinstance(task.value, Unreadable) or any(is_written_so(reference, task) for reference in known):
            continue
        if is_relation(task):
            repeated = repeats_relation(said, task)
        else:
            repeated = _are_written_so(steps, task) or (
                (_hold(steps, task) or _is_task_alone(formula, answer, references))
                and _has_value(formula, references, question, conventions)
            )
        if repeated:
            return True
    return False


def _is_task_alone(formula: str, answer: str, references: Sequence[str]) -> bool:
    """`(1+x)^3` for `(x+1)^3`: the same numbers and letters, which no reference is made of."""
    return written_alike(answer, formula) and not any(written_alike(one, formula) for one in references)


def _are_written_so(steps: Sequence[Reading], task: Reading) -> bool:
    return all(written(step) == written(task) for step in steps)


def _hold(steps: Sequence[Reading], task: Reading) -> bool:
    return all(holds(step, task) for step in steps)


@lru_cache(maxsize=1024)
def _is_otherwise(
    numbers: tuple[str, ...],
    answer: str,
    references: tuple[str, ...],
    question: str,
    conventions: Conventions,
) -> bool:
    """`6/16` for "What is 3/8 as a decimal?": one of the numbers is to be written as the references are. `2.7183` for
    "Round 2.71828 to three decimal places": one is to be rounded like them."""
    known = [reference_reading(reference, conventions) for reference in references]
    asked, said = read_question(question), answer_reading(answer, conventions)
    if asked.speaks_of("rounding"):
        otherwise = is_rounded_otherwise(said, known)
    else:
        otherwise = asked.renotates and is_otherwise(said, known)
    if not otherwise:
        return False
    told = (one for one in numbers if notation_of(reference_reading(one, conventions)))
    return any(_has_value(number, references, question, conventions) for number in told)


@lru_cache(maxsize=1024)
def _is_left_to_do(
    formulas: tuple[str, ...],
    answer: str,
    references: tuple[str, ...],
    question: str,
    conventions: Conventions,
) -> bool:
    """The answer has another form than the one that is asked for, or operations are left in it."""
    asked = read_question(question)
    said = answer_reading(answer, conventions)
    known = [reference_reading(reference, conventions) for reference in references]
    if has_other_form(asked, said, known):
        return True
    if is_undone(asked, said, known) and _is_stated(formulas, references, question, conventions):
        return True
    if is_in_polar_form(asked, said) or not _work_for(asked, alone=True)(said):
        return False  # nearly always, and the question's numbers are not looked for
    work = _work_for(asked, are_given(answer, question))
    if not work(said) or any(map(work, known)):
        return False
    if not all(map(work, steps_of(answer, references, question, conventions))):
        return False
    return (
        _wants_work_done(asked, said, formulas, conventions)
        or _is_stated(formulas, references, question, conventions)
        or _is_given(asked, formulas, known, conventions)
    )


def _work_for(asked: Asked, alone: bool) -> Callable[[Reading], bool]:
    """What counts as work left in an answer to a question; a fraction `alone` where its numbers are the question's."""
    return partial(has_work, simplest=asked.simplest, lowest_terms=asked.lowest_terms, alone=alone)


def _wants_work_done(asked: Asked, said: Reading, formulas: Sequence[str], conventions: Conventions) -> bool:
    """Whether the question tells to calculate, to simplify or to solve: "Compute 17 * 23", "Solve 2x+3 = 11"."""
    if asked.calculates or asked.simplest or _holds_matrix(said):
        return True
    return any(_is_to_solve(reference_reading(formula, conventions)) for formula in formulas)


def _holds_matrix(reading: Reading) -> bool:
    """A determinant, a sum of matrices."""
    return any(kind == "env" for kind, _ in reading.tokens)


def _is_to_solve(task: Reading) -> bool:
    """An equation, an inequality or a system of them."""
    parts = task.value.items if isinstance(task.value, Listing) else (task.value,)
    return all(isinstance(part, (Relation, RealSet)) for part in parts)


def _is_stated(
    formulas: Sequence[str], references: tuple[str, ...], question: str, conventions: Conventions
) -> bool:
    """Whether an expression of the question has the value of a reference."""
    return any(_has_value(formula, references, question, conventions) for formula in formulas)


def _is_given(
    asked: Asked, formulas: tuple[str, ...], known: Sequence[Reading], conventions: Conventions
) -> bool:
    """Whether one has it once the numbers that the question gives are put in."""
    told = put_in(formulas, conventions) if asked.speaks_of("calculating") else ()
    return any(_are_equal(one, known, asked.question, conventions) for one in told)


@lru_cache(maxsize=1024)  # other answers to the question ask the same
def _has_value(formula: str, references: tuple[str, ...], question: str, conventions: Conventions) -> bool:
    task = reference_reading(formula, conventions)
    known = [reference_reading(reference, conventions) for reference in references]
    return not is_relation(task) and _are_equal(task, known, question, conventions)


def _are_equal(task: Reading, known: Sequence[Reading], question: str, conventions: Conventions) -> bool:
    return any(compare_readings(reference, task, question, conventions).equal for reference in known)
