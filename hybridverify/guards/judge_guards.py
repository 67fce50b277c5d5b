"""Guards of the judge stage: what a judge is not asked about beyond the content gate, and which of its accepts are
asked again. The checks themselves are in content_floor.py, hedge.py, candidates.py, denial.py, other_date.py
and foreign.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from hybridverify.conventions import DEFAULT
from hybridverify.errors import ConfigError, refuse_unknown
from hybridverify.guards.candidates import offers_several
from hybridverify.guards.content_floor import shares_content
from hybridverify.guards.denial import denies
from hybridverify.guards.hedge import hedges
from hybridverify.guards.other_date import gives_another_date
from hybridverify.judges.base import Subject
from hybridverify.rules.echo import ECHO, echoes
from hybridverify.rules.prefilter import read_references

OTHER_CONTENT = "other_content"
HEDGE = "hedge"
DENIED = "denied"
_VALUE = re.compile(r"\d|(?<![A-Za-z])[A-Z](?![A-Za-z])")


@dataclass(frozen=True)
class Guards:
    """Which guards are on.

    `content_floor` (on): an answer in words without a number is not shown to a judge where every reference is a
    number in digits, nor a bare number where the references are words, nor another day than the reference, nor
    an answer that names the reference only as what it is not ("not in Ulm"): such rows are incorrect. `echo` (on):
    nor is an expression that the question wants worked out ("17 * 23" for "Compute 17 * 23"). `hedge`
    (on): nor is a mere list of values where the reference is one, or of candidates ("Ulm? Bonn?"). All three compare
    answer and reference, as rules do: a policy that asks a judge in spite of a sure reject asks in spite of
    them.

    `swap_check` (off): judges whose preset has a second order of reference and answer are asked in both, in one
    batch; where the two disagree the vote is undecided. `canary` (0): the share of accepted rows that is asked
    again beside a foreign reference; a judge that accepts that too is undecided about the row. `seed` draws the
    canary's rows and references.

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
        """Build from a mapping, or as it is. Raises ConfigError with the nearest name."""
        if isinstance(setting, Guards):
            return setting
        refuse_unknown("guards", {} if setting is None else setting, [field.name for field in fields(cls)])
        return cls(**(setting or {}))

    def describe(self) -> dict[str, Any]:
        """Everything that may change a grade, for fingerprints; no part of a judge's cache key."""
        return asdict(self)

    def refusal(self, subject: Subject) -> str:
        """Why no judge is asked about this subject, "" where it may be asked.

        Without a mark the answer may stand anywhere in the response, so all of it counts for the floor.
        """
        sample = subject.sample
        text = subject.answer if subject.marked else subject.reply or subject.answer
        wanted = sample.references
        if self.hedge and _hedges(subject.answer, text, wanted, sample.question):
            return HEDGE
        if self.echo and echoes(sample.question, subject.answer, read_references(sample, DEFAULT), DEFAULT):
            return ECHO
        return _other_content(text, wanted, sample.question) if self.content_floor else ""


def _hedges(answer: str, text: str, wanted: Sequence[str], question: str) -> bool:
    """Whether the answer lists values, or the text candidates. Without a digit or a letter alone there is no value."""
    may_list = not answer.isascii() or _VALUE.search(answer)
    return (bool(may_list) and hedges(answer, wanted)) or offers_several(text, wanted, question)


def _other_content(text: str, wanted: Sequence[str], question: str) -> str:
    """Why the text cannot say what a reference says. A date has a digit."""
    if not shares_content(text, wanted, question):
        return OTHER_CONTENT
    if any(map(str.isdigit, text)) and gives_another_date(text, wanted):
        return OTHER_CONTENT
    return DENIED if denies(text, wanted, question) else ""
