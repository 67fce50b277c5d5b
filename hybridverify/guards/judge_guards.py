"""Guards of the judge stage: rows that no judge is asked about, and accepts that are asked again. The content gate
comes before them. `CHECKS` lists the checks; each has a module of its own."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from enum import Flag, auto
from functools import cache, lru_cache
from typing import Any, NamedTuple

from hybridverify.answers import fenced
from hybridverify.answers.choice_decision import leaves_open
from hybridverify.answers.options import stem_of
from hybridverify.answers.sentences import QUESTION_MARKS
from hybridverify.errors import ConfigError, refuse_unknown
from hybridverify.guards.alternation import JOINTS, joins_another
from hybridverify.guards.candidates import JOINING, ROW, offers_several
from hybridverify.guards.choices import names_two_options, offered
from hybridverify.guards.content_floor import shares_content
from hybridverify.guards.denial import denies, refutes
from hybridverify.guards.hedge import hedges
from hybridverify.guards.other_date import gives_another_date
from hybridverify.guards.ranges import gives_range
from hybridverify.guards.rival_parts import holds_rival
from hybridverify.guards.rival_values import gives_a_rival
from hybridverify.guards.seen import as_words
from hybridverify.guards.sole_value import gives_another_value
from hybridverify.judges.base import Subject
from hybridverify.language.asked import read_question
from hybridverify.language.patterns import RUN
from hybridverify.language.pieces import runs
from hybridverify.rules.asking import only_asks
from hybridverify.rules.echo import ECHO, echoes
from hybridverify.rules.prefilter import read_references
from hybridverify.rules.reference_looks import may_be_option

_log = logging.getLogger("hybridverify")

OTHER_CONTENT = "other_content"
HEDGE = "hedge"
DENIED = "denied"
_POLAR = frozenset(("yes", "no"))
_LISTING = frozenset(",;[")
"""Signs of a reference that may be a list."""


@dataclass(frozen=True)
class Guards:
    """Settings: which guards are on.

    These rows are incorrect, and no judge is shown them. With `content_floor` (on): an answer in words without a
    number where every reference is a number in digits; a bare number where the references are words; another day
    than the reference; another value with words of praise ("15 (correct)"); an answer that names the reference only
    to deny it ("not in Ulm"); only words of the question ("Peru's capital"). With `echo` (on): an expression that the
    question wants worked out ("17 * 23" for "Compute 17 * 23"). With `hedge` (on): a list or range of values where
    the reference is one value, or a list of candidates ("Ulm? Bonn?"), or of options where one is asked for, or a
    mere question, or a second year, day, formula or yes/no in its place, or a name or thing that is joined to it
    ("Ulm unless Bonn"). All three compare answer and reference, as rules do.
    So a policy that asks a judge in spite of a sure reject also asks about these.

    `swap_check` (off): judges whose preset has a second order of reference and answer are asked in both orders, in
    one batch; where the two disagree the vote is undecided. `canary` (0): the share of accepted rows that is asked
    again beside a foreign reference; a judge that accepts that too is undecided about the row. `seed` draws the rows
    and references of the canary.

    >>> Guards().content_floor, Guards().swap_check, Guards().canary
    (True, False, 0.0)
    """

    content_floor: bool = True
    hedge: bool = True
    echo: bool = True
    swap_check: bool = False
    canary: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("content_floor", "hedge", "echo", "swap_check"):
            if not isinstance(getattr(self, name), bool):
                raise ConfigError(f"guards.{name}: expected true or false, got {getattr(self, name)!r}")
        if isinstance(self.canary, bool) or not isinstance(self.canary, (int, float)):
            raise ConfigError(f"guards.canary: expected a share in [0, 1], got {self.canary!r}")
        if not 0.0 <= self.canary <= 1.0:
            raise ConfigError(f"guards.canary: expected a share in [0, 1], got {self.canary!r}")
        if isinstance(self.seed, bool) or not isinstance(self.seed, int):
            raise ConfigError(f"guards.seed: expected a whole number, got {self.seed!r}")

    @classmethod
    def from_setting(cls, setting: Mapping[str, Any] | Guards | None) -> Guards:
        """Build from a mapping; a `Guards` is returned as it is. Raises ConfigError with the nearest known name."""
        if isinstance(setting, Guards):
            return setting
        refuse_unknown("guards", {} if setting is None else setting, [field.name for field in fields(cls)])
        return cls(**(setting or {}))

    def describe(self) -> dict[str, Any]:
        """All settings that may change a grade, for fingerprints. They are no part of a judge's cache key."""
        return asdict(self)

    def refusal(self, subject: Subject) -> str:
        """The reason why no judge is asked about this subject, or "" where one may be asked.

        Without a mark the answer may stand anywhere in the response, so all of it counts.
        """
        sample = subject.sample
        text = subject.answer if subject.marked else subject.reply or subject.answer
        signs = signs_of(sample.references, sample.question)
        for check in CHECKS:
            if getattr(self, check.setting) and check.reads & signs and check.refuses(subject, text):
                return check.reason
        return ""


class Sign(Flag):
    """What stands in the references of a sample, and what its question may offer."""

    ANY = auto()
    DIGIT = auto()
    LETTER = auto()
    """A letter alone, which may be an option's."""
    POLAR = auto()
    """A yes or a no."""
    OPTION = auto()
    """There may be options."""


@lru_cache(maxsize=1024)  # the rows of a group share them
def signs_of(references: tuple[str, ...], question: str = "") -> Sign:
    """The signs of all references together, under a question.

    >>> signs_of(("Ulm",)) == Sign.ANY, signs_of(("Yes.", "2 x")) == Sign.ANY | Sign.DIGIT | Sign.LETTER | Sign.POLAR
    (True, True)
    """
    found = Sign.ANY | Sign.OPTION if may_be_option(question, references) else Sign.ANY
    for text in references:
        words = runs(text.lower())
        found |= Sign.DIGIT if any(map(str.isdigit, text)) else Sign.ANY
        found |= Sign.LETTER if any(len(word) == 1 for word in words) else Sign.ANY
        found |= Sign.POLAR if not _POLAR.isdisjoint(words) else Sign.ANY
    return found


class Check(NamedTuple):
    """A guard: the setting that switches it on, the reason that it gives, the signs without one of which it would say
    nothing, and whether it refuses a subject whose answer stands in this text."""

    setting: str
    reason: str
    reads: Sign
    says: Callable[[Subject, str], bool]

    def refuses(self, subject: Subject, text: str) -> bool:
        """Whether it refuses the subject. A check that fails refuses nothing: one answer must not stop a batch."""
        try:
            return self.says(subject, text)
        except Exception as error:  # hostile text may find a fault of ours, and must not end a run
            _tell_once(self.reason, type(error).__name__)
            return False


@cache
def _tell_once(reason: str, fault: str) -> None:
    _log.warning(
        "the guard %r failed with %s and let an answer pass to the judges; please report it", reason, fault
    )


def _lists(subject: Subject, _: str) -> bool:
    """Whether the answer lists values or gives a range. A value has a digit or is a letter alone."""
    answer, references = subject.answer, subject.sample.references
    may_list = not answer.isascii() or any(len(run) == 1 or not run.isalpha() for run in runs(answer))
    return may_list and (
        hedges(answer, references) or gives_range(answer, references, subject.sample.question)
    )


def _tells_several(subject: Subject, text: str) -> bool:
    """Whether the response is JSON with several answers, and no reference is."""
    sample = subject.sample
    if any("{" in reference for reference in sample.references):
        return False
    may_list = read_question(sample.question).several or any(map(_LISTING.intersection, sample.references))
    return fenced.tells_several(subject.reply or text, lists=not may_list)


def _lists_options(subject: Subject, text: str) -> bool:
    question, references = subject.sample.question, subject.sample.references
    if leaves_open(subject.reply or text, question, references):
        return True
    return names_two_options(subject.answer, references, question)


def _asks_back(subject: Subject, text: str) -> bool:
    return not QUESTION_MARKS.isdisjoint(text) and only_asks(text, subject.sample.references)


def _offers(subject: Subject, text: str) -> bool:
    if is_one_statement(text):
        return False
    return offers_several(_worded(subject, text), subject.sample.references, subject.sample.question)


def is_one_statement(text: str) -> bool:
    """A quick look: words and blanks up to a full stop, none that joins, and no row of names.

    >>> [is_one_statement(text) for text in ("He was born in Ulm.", "Ulm, Bonn", "Ulm and Bonn", "5 of 6")]
    [True, False, False, False]
    """
    bare = text.rstrip(" .\n")
    words = bare.split(" ")
    if not (bare.isascii() and "".join(words).isalpha() and JOINING.isdisjoint(bare.lower().split(" "))):
        return False
    return len(words) < ROW or any(map(str.islower, words))


def _worded(subject: Subject, text: str) -> str:
    """The words that a reader sees; formulas stay where a reference has numbers."""
    text = "\n".join(text.splitlines())  # there are other ends of lines than the usual one
    if text.isascii() and "\\" not in text and "<" not in text:
        return text
    sample = subject.sample
    return text if Sign.DIGIT in signs_of(sample.references, sample.question) else as_words(text)


def _joins(subject: Subject, text: str) -> bool:
    question, words = subject.sample.question, _worded(subject, text)
    return may_join(words, question) and joins_another(words, subject.sample.references, question)


def may_join(text: str, question: str) -> bool:
    """A quick look for what joins another thing to an answer: a comma, a word, or a choice that the question offers."""
    if not text.isascii() or "," in text or offered(question):
        return True
    return not JOINTS.isdisjoint(RUN.findall(text.lower()))


def _rivals(subject: Subject, text: str) -> bool:
    return gives_a_rival(text, subject.sample.references, subject.sample.question)


def _echoes(subject: Subject, _: str) -> bool:
    """Whether the answer is to be worked out still. Words alone are not, where the question states no expression."""
    sample, conventions = subject.sample, subject.conventions
    if subject.answer.rstrip(" .").replace(" ", "").isalpha() and not _states_something(sample.question):
        return False
    return echoes(sample.question, subject.answer, read_references(sample, conventions), conventions)


def _holds_rival(subject: Subject, _: str) -> bool:
    sample, conventions = subject.sample, subject.conventions
    return holds_rival(subject.answer, read_references(sample, conventions), sample.question, conventions)


def _states_something(question: str) -> bool:
    return bool(read_question(question).formulas or stem_of(question))


def _lacks_content(subject: Subject, text: str) -> bool:
    return not shares_content(text, subject.sample.references, subject.sample.question)


def _dates_otherwise(subject: Subject, text: str) -> bool:
    return any(map(str.isdigit, text)) and gives_another_date(text, subject.sample.references)


def _denies(subject: Subject, text: str) -> bool:
    sample = subject.sample
    if denies(text, sample.references, sample.question):
        return True
    return refutes(subject.reply or text, sample.references, sample.question)


def _gives_another_value(subject: Subject, _: str) -> bool:
    sample, conventions = subject.sample, subject.conventions
    wanted = read_references(sample, conventions)
    return gives_another_value(subject.answer, wanted, sample.question, conventions)


CHECKS = (
    Check("hedge", HEDGE, Sign.DIGIT | Sign.LETTER, _lists),
    Check("hedge", HEDGE, Sign.ANY, _tells_several),
    Check("hedge", HEDGE, Sign.OPTION, _lists_options),
    Check("hedge", HEDGE, Sign.ANY, _asks_back),
    Check("hedge", HEDGE, Sign.ANY, _offers),
    Check("hedge", HEDGE, Sign.ANY, _joins),
    Check("hedge", HEDGE, Sign.DIGIT | Sign.POLAR, _rivals),
    Check("hedge", HEDGE, Sign.DIGIT | Sign.LETTER, _holds_rival),
    Check("echo", ECHO, Sign.ANY, _echoes),
    Check("content_floor", OTHER_CONTENT, Sign.ANY, _lacks_content),
    Check("content_floor", OTHER_CONTENT, Sign.DIGIT, _dates_otherwise),
    Check("content_floor", OTHER_CONTENT, Sign.DIGIT | Sign.POLAR, _gives_another_value),
    Check("content_floor", DENIED, Sign.ANY, _denies),
)
"""In the order in which they are asked."""
