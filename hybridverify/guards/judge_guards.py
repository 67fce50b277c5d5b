"""Guards of the judge stage: rows that no judge is asked about, and accepts that are asked again. The content gate
comes before them. The checks are in content_floor.py, hedge.py, candidates.py, rival_values.py, denial.py,
other_date.py and foreign.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from hybridverify.errors import ConfigError, refuse_unknown
from hybridverify.guards.candidates import offers_several
from hybridverify.guards.content_floor import shares_content
from hybridverify.guards.denial import denies
from hybridverify.guards.hedge import hedges
from hybridverify.guards.other_date import gives_another_date
from hybridverify.guards.rival_values import gives_a_rival
from hybridverify.judges.base import Subject
from hybridverify.language import expressions as re
from hybridverify.rules.echo import ECHO, echoes
from hybridverify.rules.prefilter import read_references

OTHER_CONTENT = "other_content"
HEDGE = "hedge"
DENIED = "denied"
_VALUE = re.compile(r"\d|(?<![A-Za-z])[A-Z](?![A-Za-z])")


@dataclass(frozen=True)
class Guards:
    """Settings: which guards are on.

    These rows are incorrect, and no judge is shown them. With `content_floor` (on): an answer in words without a
    number where every reference is a number in digits; a bare number where the references are words; another day than
    the reference; an answer that names the reference only to deny it ("not in Ulm"). With `echo` (on): an expression
    that the question wants worked out ("17 * 23" for "Compute 17 * 23"). With `hedge` (on): a list of values where
    the reference is one value, or of candidates ("Ulm? Bonn?"), or a second year, day or yes/no in its place. All
    three compare answer and reference, as rules do. So a policy that asks a judge in spite of a sure reject also asks
    about these.

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
        wanted = sample.references
        if self.hedge and _hedges(subject.answer, text, wanted, sample.question):
            return HEDGE
        if self.echo and _echoes(subject):
            return ECHO
        return _other_content(text, wanted, sample.question) if self.content_floor else ""


def _echoes(subject: Subject) -> bool:
    sample, conventions = subject.sample, subject.conventions
    return echoes(sample.question, subject.answer, read_references(sample, conventions), conventions)


def _hedges(answer: str, text: str, wanted: Sequence[str], question: str) -> bool:
    """Whether the answer lists values, or the text lists candidates. A value has a digit or is a letter alone."""
    may_list = not answer.isascii() or _VALUE.search(answer)
    return (
        (bool(may_list) and hedges(answer, wanted))
        or offers_several(text, wanted, question)
        or gives_a_rival(text, wanted, question)
    )


def _other_content(text: str, wanted: Sequence[str], question: str) -> str:
    """Why the text cannot say what a reference says, or "". Without a digit there is no date."""
    if not shares_content(text, wanted, question):
        return OTHER_CONTENT
    if any(map(str.isdigit, text)) and gives_another_date(text, wanted):
        return OTHER_CONTENT
    return DENIED if denies(text, wanted, question) else ""
