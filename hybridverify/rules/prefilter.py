"""What every checker settles before it compares, in one place: no reference, same text, no answer, hedges.

A checker opens a case; it gets either the verdict, or the extraction and the references to compare. So the
same sample ends the same way whichever checkers a chain holds.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, Protocol

from hybridverify.answers.box_unit import with_unit_after
from hybridverify.answers.choice_decision import SEVERAL_OPTIONS, leaves_open
from hybridverify.answers.extract import HASH, Extraction, Mark, extract_as
from hybridverify.answers.mark_letters import options_disagree
from hybridverify.answers.marks import may_have_tag
from hybridverify.answers.name_sentence import names_answer
from hybridverify.answers.options import labelled_text, letter_for, read_options
from hybridverify.answers.references import read_reference
from hybridverify.answers.sentence_reference import with_values
from hybridverify.answers.suited import are_yes_or_no, named_values_agree, suited
from hybridverify.answers.unmarked import alternatives
from hybridverify.conventions import Conventions
from hybridverify.gate.content import reason_against
from hybridverify.language.patterns import DIGIT, SEVERAL, TELLING_WORD
from hybridverify.language.text import same_text
from hybridverify.maths import numerals
from hybridverify.rules.base import Checker, verdict
from hybridverify.rules.echo import ECHO
from hybridverify.rules.reference_looks import (
    is_plain_number,
    may_be_list,
    may_be_measured,
    may_be_names,
    may_be_option,
    may_be_sentences,
)
from hybridverify.types import CORRECT, INCORRECT, UNDECIDED, Outcome, Sample, Verdict

_MAX_BODY = 4_000
"""Longest response that is compared as a whole with a reference, spelling folded."""
_LEAST_REPEATED, _SPACES = 16, 2
"""A response so long, of so many words, that stands in the question repeats it."""
_UNMARKED = (Mark.BARE, Mark.NONE, Mark.CONCLUSION)


class AnswerChecker(Checker, Protocol):
    """A checker that compares the extracted answer."""

    @property
    def conventions(self) -> Conventions: ...

    @property
    def thinking_tags(self) -> tuple[str, str]: ...


class Case(NamedTuple):
    """A sample that is worth comparing. References are read out of their marks; none is blank."""

    extraction: Extraction
    references: tuple[str, ...]
    question: str = ""

    @property
    def answer(self) -> str:
        return self.extraction.answer


class Settled(NamedTuple):
    """What ends a case without any comparison: a verdict of whichever checker opened it."""

    outcome: Outcome
    answer: str
    reason: str


def open_case(checker: AnswerChecker, sample: Sample) -> Case | Verdict:
    """The case of a sample, or this checker's verdict where there is nothing to compare."""
    found = opened(sample, checker.conventions, checker.thinking_tags)
    return found if isinstance(found, Case) else verdict(checker, *found)


def opened(sample: Sample, conventions: Conventions, tags: tuple[str, str]) -> Case | Settled:
    """The case of a sample, or what every checker says of it:

    - no readable reference: `bad_reference`;
    - answer or whole response in the same words and signs as a reference: correct, before anything else;
    - nothing in it (the content gate), an empty mark, unfinished thinking, nothing in the form the task
      fixes: incorrect, with that word as the reason;
    - a hedge against references of one value each: incorrect;
    - no answer in a task that fixes no form, or one beyond the limits: undecided.
    """
    global _last
    form = form_of(sample) if sample.meta else "auto"
    of, said, under, between, found = _last  # in one tuple: threads may miss each other's, and mix nothing
    if of is not sample or under is not conventions or said != form or between != tags:
        found = _open(sample, form, conventions, tags)
        _last = (sample, form, conventions, tags, found)
    return found


def form_of(sample: Sample) -> str:
    """The mark that the sample's task fixes."""
    return str(sample.meta.get("form", "auto"))


_last: tuple[object, object, object, object, Case | Settled]
_last = (None, None, None, None, Settled(Outcome.SKIPPED, "", ""))
"""The last sample, what it was opened under, and what came of it: the checkers of a chain open the same case."""


def _open(sample: Sample, form: str, conventions: Conventions, tags: tuple[str, str]) -> Case | Settled:
    raw = sample.references
    plain = is_plain_number(raw)
    references = raw if plain else _read_references(sample, conventions)
    if not references:
        return Settled(Outcome.BAD_REFERENCE, "", "no reference to compare with")
    reading = extract_as(
        sample.response, form, tags, conventions.multiple_boxes, conventions.number_fallback, sample.question
    )
    if plain and reading.mark is HASH and _is_only_mark(reading):
        # As below, in fewer steps: such an answer passes the gate, no folding makes it another, and it is the one mark.
        settled = Settled(CORRECT, raw[0], "same text") if reading.answer == raw[0] else None
    else:
        if not plain:
            reading = _with_unit(reading, references, conventions)
        if reading.answer.rstrip("} ").endswith(")") or (not plain and are_yes_or_no(references)):
            reading = suited(reading, references)
        settled = _settled(reading, references, sample, form, conventions)
    return settled or Case(reading, references, sample.question)


def _read_references(sample: Sample, conventions: Conventions) -> tuple[str, ...]:
    """The references, each sentence with the value that it gives."""
    references = _read_all(sample.references, conventions.escapes)
    return with_values(references, sample.question) if may_be_sentences(references) else references


def _settled(
    reading: Extraction, references: tuple[str, ...], sample: Sample, form: str, conventions: Conventions
) -> Settled | None:
    """What every rule would say of this reading, None where they have to look."""
    raw = sample.references
    listed = may_be_option(sample.question, references, form)
    if listed and sample.question and options_disagree(reading.body, sample.question, form):
        return Settled(UNDECIDED, "", "marks_disagree")
    if reading.mark in _UNMARKED and _repeats_question(reading.body, sample.question, raw):
        return Settled(UNDECIDED, "", ECHO)
    if accepting := _accepting(reading, references, sample, conventions):
        if listed and leaves_open(reading.body, sample.question, references, form):
            return Settled(UNDECIDED, "", SEVERAL_OPTIONS)
        return Settled(CORRECT, *accepting)
    if reason := _reason_against(reading, references, sample):
        return Settled(INCORRECT, reading.answer, reason)
    return _nothing_to_compare(reading)


def _reason_against(reading: Extraction, references: tuple[str, ...], sample: Sample) -> str:
    """The gate's reason, which no plain number needs, or that of a hedge; "" for none."""
    hedge = _hedge(reading, references) if reading.problem == "hedge" else ""
    if DIGIT.search(reading.answer) and numerals.read(reading.answer):
        return hedge
    raw = sample.references
    return (
        reason_against(reading, raw if references == raw else (*references, *raw), sample.question) or hedge
    )


def _accepting(
    reading: Extraction, references: tuple[str, ...], sample: Sample, conventions: Conventions
) -> tuple[str, str] | None:
    """The answer and the reason for which it is right as it stands."""
    raw = sample.references
    if _says_the_same(reading, raw, references, conventions.text == "fold", sample.question):
        return reading.answer or reading.shown, "same text"
    if not sample.question or is_plain_number(references):
        return None
    if may_be_list(references) and named_values_agree(reading, references, sample.question):
        return reading.answer, "values by name"
    if may_be_names(references) and names_answer(reading, references, sample.question):
        return reading.answer, "named in a sentence"
    return None


def _nothing_to_compare(reading: Extraction) -> Settled | None:
    if reading.answer and reading.problem != "limit":
        return None
    return Settled(UNDECIDED, "", reading.problem or "no_answer")


def _repeats_question(body: str, question: str, references: tuple[str, ...]) -> bool:
    """Whether an unmarked response is nothing but a piece of the question, and no reference is all of it."""
    said = body.strip(" .?!:").lower()
    if len(said) < _LEAST_REPEATED or said.count(" ") <= _SPACES or said not in question.lower():
        return False
    if any(same_text(body, reference) for reference in references):
        return False
    options = read_options(question)
    return not (letter_for(body.strip(" ."), options) or labelled_text(body, options))


def _is_only_mark(reading: Extraction) -> bool:
    """Whether a number in plain digits is marked and nothing else can be."""
    answer, body = reading.answer, reading.body
    if not (answer.isdigit() and answer.isascii()) or "box" in body:
        return False
    return not (("/" in body or "|" in body) and may_have_tag(body))


def _hedge(reading: Extraction, references: tuple[str, ...]) -> str:
    """The reason against several values where one is wanted, "" for none."""
    return "hedge" if all(_is_one_value(reference, reading.answer) for reference in references) else ""


def _with_unit(reading: Extraction, references: tuple[str, ...], conventions: Conventions) -> Extraction:
    """As told by box_unit.py, where the references may have units: a quick look for all others."""
    if reading.mark is not Mark.BOXED or not _opens_on_number(reading.answer):
        return reading
    if not may_be_measured(references):
        return reading
    return with_unit_after(reading, references, conventions)


def _opens_on_number(answer: str) -> bool:
    first = answer.lstrip("-+\\$").removeprefix("frac").lstrip("{")[:1]
    return first.isdigit() or first == "."


def read_answer(checker: AnswerChecker, sample: Sample, form: str = "") -> Extraction:
    """The extraction of a sample under the checker's conventions, in the sample's form unless another is given."""
    chosen, tags = checker.conventions, checker.thinking_tags
    form = form or form_of(sample)
    return extract_as(
        sample.response, form, tags, chosen.multiple_boxes, chosen.number_fallback, sample.question
    )


def read_references(sample: Sample, conventions: Conventions) -> tuple[str, ...]:
    """The readable references of a sample."""
    return _read_all(sample.references, conventions.escapes)


@lru_cache(maxsize=4096)
def _read_all(raw: tuple[str, ...], escapes: bool) -> tuple[str, ...]:
    return tuple(text for reference in raw if (text := read_reference(reference, escapes)))


def _says_the_same(
    reading: Extraction, raw: tuple[str, ...], references: tuple[str, ...], fold_words: bool, question: str
) -> bool:
    if reading.answer and _is_one_of(reading.answer, references, fold_words, question):
        return True
    body = reading.body
    told = body or reading.shown  # where no reader sees anything, the very text of a reference is one still
    if reading.problem == "unfinished_thinking" or not told:
        return False
    if told in map(str.strip, raw):
        return True
    if not body or reading.mark not in _UNMARKED or len(body) > _MAX_BODY:
        return False
    return _is_one_of(body, raw, fold_words, question)


def _is_one_of(text: str, references: tuple[str, ...], fold_words: bool, question: str) -> bool:
    return any(same_text(text, reference, fold_words, question) for reference in references)


def _is_one_value(reference: str, answer: str) -> bool:
    """A number, a formula, or a text that is one of the alternatives: "red" of "either red or blue"."""
    if numerals.read(reference) is not None:
        return True
    if SEVERAL.search(reference):
        return False
    return not TELLING_WORD.search(reference) or any(
        same_text(part, reference) for part in alternatives(answer)
    )
