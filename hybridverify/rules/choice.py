"""Multiple choice: the letter of an option, or its text where the question lists the options."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar

from hybridverify.answers.choice_decision import SEVERAL_OPTIONS, leaves_open
from hybridverify.answers.choice_letter import letter_of, letter_set, names_several
from hybridverify.answers.choice_sentence import chosen_letter
from hybridverify.answers.extract import Extraction, Mark
from hybridverify.answers.options import (
    Options,
    label_with_words,
    labelled_text,
    letter_for,
    says,
    stem_of,
)
from hybridverify.answers.thinking import THINKING_TAGS
from hybridverify.conventions import Conventions
from hybridverify.language.asked import read_question
from hybridverify.rules.base import decided, undecided
from hybridverify.rules.echo import says_value
from hybridverify.rules.kinds import Kind, listed_options, offers_options
from hybridverify.rules.prefilter import form_of, open_case, read_answer, read_references
from hybridverify.rules.repeated import written_alike
from hybridverify.types import Sample, Verdict

_GIVEN = (Mark.BOXED, Mark.HASH, Mark.TAG, Mark.STATED)
_CONTRADICTION = "letter and text name different options"


@dataclass(frozen=True)
class Choice:
    r"""Compare option letters in any usual spelling; different letters are incorrect.

    Where nothing says that it is a multiple-choice task (no options in the question, no `form`), a reference
    "A" may be a variable: only letters are compared then. Option texts count under the convention `choice`.

    >>> Choice().check(Sample(r"It is \boxed{\text{(D)}}.", "D")).outcome
    <Outcome.CORRECT: 'correct'>
    >>> Choice().check(Sample("The answer is a circle.", "B", "What is it? (A) a line (B) a circle")).outcome
    <Outcome.CORRECT: 'correct'>
    """

    conventions: Conventions = field(default_factory=Conventions)
    thinking_tags: tuple[str, str] = THINKING_TAGS

    name: ClassVar[str] = "choice"
    version: ClassVar[int] = 10
    isolated: ClassVar[bool] = False
    meta_keys: ClassVar[tuple[str, ...]] = ("form",)
    reads: ClassVar[Kind] = Kind.OPTION
    reads_responses: ClassVar[bool] = True

    def check(self, sample: Sample) -> Verdict:
        case = open_case(self, sample)
        if isinstance(case, Verdict) and (case.sure or case.reason != "no_answer"):
            return case
        options = listed_options(sample.question, sample.references)
        chosen = sample.meta.get("form") == "choice" or offers_options(sample.question, sample.references)
        return self._several(sample, chosen) or self._single(sample, options, chosen)

    def _single(self, sample: Sample, options: Options, chosen: bool) -> Verdict:
        """References that name one option each."""
        wanted = _letters(read_references(sample, self.conventions), options, chosen)
        if not any(wanted):
            return undecided(self, reason="the reference names no option")
        reading = self._reading(sample, options, chosen)
        answer, strict = reading.answer, bool(sample.question) and not chosen
        letter, doubt = self._told(answer, options, chosen, sample.question, strict)
        said = letter
        if not letter and not doubt and not strict:  # good to accept an answer, not to reject one
            said = self._spoken(reading, options, clear=not chosen)
        if not doubt and said and said in wanted:
            if leaves_open(reading.body, sample.question, tuple(sample.references), form_of(sample)):
                return undecided(self, reason=SEVERAL_OPTIONS, answer=answer)
            return decided(self, correct=True, answer=answer, reason="same option")
        wrong = _wrong_choice(letter, doubt, answer, chosen)
        return self._not_wanted(reading, wrong if all(wanted) else "", doubt)

    def _not_wanted(self, reading: Extraction, wrong: str, doubt: str) -> Verdict:
        """Rejects a firm reading that is surely wrong."""
        if reading.firm and wrong:
            return decided(self, correct=False, answer=reading.answer, reason=wrong)
        return undecided(self, reason=doubt or "no option letter", answer=reading.answer)

    def _several(self, sample: Sample, chosen: bool) -> Verdict | None:
        """References that name several options, in whatever order and spelling: `AC`, `A, C`, `A and C`."""
        wanted = _letter_sets(read_references(sample, self.conventions))
        if not all(wanted) or (sample.question and not chosen) or read_question(sample.question).ordered:
            return None
        reading = read_answer(self, sample)
        told = letter_set(reading.answer)
        if told in wanted:
            return decided(self, correct=True, answer=reading.answer, reason="same options")
        if told and chosen and reading.firm:
            return decided(self, correct=False, answer=reading.answer, reason="other options")
        return None

    def _reading(self, sample: Sample, options: Options, chosen: bool) -> Extraction:
        """The reading that all rules share, where it names an option; else the letter that the response gives."""
        reading = read_answer(self, sample)
        if not chosen or (
            reading.firm and self._told(reading.answer, options, chosen, sample.question, strict=False)[0]
        ):
            return reading
        return read_answer(self, sample, "choice")

    def _spoken(self, reading: Extraction, options: Options, clear: bool) -> str:
        """The option that a sentence chooses, or whose text stands behind its letter in other words."""
        if reading.problem not in ("", "no_answer"):
            return ""
        if letter := label_with_words(reading.answer, options):
            return letter
        said = reading.answer if reading.mark in _GIVEN else reading.body
        letter = chosen_letter(said, clear)
        return letter if not options or letter in dict(options) else ""

    def _letter_for(self, answer: str, options: Options, question: str) -> str:
        """The letter of the option that the answer says; an equal value that the question states says none."""
        letter = letter_for(answer, options)
        option = dict(options).get(letter, "")
        if not letter or written_alike(answer, option):
            return letter
        return "" if says_value(stem_of(question), (option,), self.conventions) else letter

    def _told(
        self, answer: str, options: Options, chosen: bool, question: str, strict: bool
    ) -> tuple[str, str]:
        """The letter an answer chooses, and why it may not be trusted. `strict`: a capital alone is a letter."""
        if whole := labelled_text(answer, options):
            return whole, ""
        letter, rest = letter_of(answer)
        if strict and (rest or answer.strip("(). ") != letter):
            return "", ""
        if not letter:
            by_text = self.conventions.choice == "letter_or_text" and answer
            letter = self._letter_for(answer, options, question) if by_text else ""
            return letter, _CONTRADICTION if letter and _opens_on_another(answer, letter, options) else ""
        other = letter_for(rest.strip("()"), options) if rest else ""
        return letter, _CONTRADICTION if other not in ("", letter) else ""


def _opens_on_another(answer: str, letter: str, options: Options) -> bool:
    """ "A Jupiter" where Jupiter is option B: its first word is a label, unless the option is written with an "A"."""
    first, told = answer.split()[0], dict(options)
    return first in told and first != letter and told[letter].split()[0].lower() != first.lower()


def _wrong_choice(letter: str, doubt: str, answer: str, chosen: bool) -> str:
    """Why a choice that is not wanted is surely wrong, "" where it may not be one."""
    if letter:
        return "" if doubt else "another option"
    return "several options" if chosen and names_several(answer) else ""


@lru_cache(maxsize=1024)  # the rows of a group share their references
def _letter_sets(references: tuple[str, ...]) -> tuple[frozenset[str], ...]:
    return tuple(map(letter_set, references))


@lru_cache(maxsize=1024)
def _letters(references: tuple[str, ...], options: Options, chosen: bool) -> tuple[str, ...]:
    return tuple(_wanted(reference, options, chosen) for reference in references)


def _wanted(reference: str, options: Options, chosen: bool) -> str:
    """The letter a reference stands for; a text counts where it is one of the options."""
    letter, rest = letter_of(reference)
    if not chosen:  # "E. coli" and a lower-case "e" are no options
        return letter if not rest and (letter in reference or "(" in reference) else ""
    if letter and rest and options and not says(rest, dict(options).get(letter, "")):
        letter = ""
    return letter or letter_for(reference, options)
