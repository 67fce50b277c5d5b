"""What the page shows of one row: its texts, cut, and what every tier said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

from hybridverify.conventions import Conventions
from hybridverify.language import expressions as re
from hybridverify.report.contradictions import deciding_tier
from hybridverify.report.cut import Place, Shown, cut
from hybridverify.types import SKIPPED, Grade, Outcome, Sample, Verdict

_MAX_REFERENCES = 8
_MAX_NAME = 120
_KEPT = 4  # times as long as the shown response
_OPTIONS = frozenset(each.name for each in fields(Conventions))
_WORD = re.compile(r"[a-z_]+")


@dataclass(frozen=True)
class Limits:
    """How many characters of each text are kept."""

    question: int
    response: int
    reply: int
    short: int = 300

    @classmethod
    def sharing(cls, characters: int) -> Limits:
        """The limits of a row that may have so many characters in all."""
        return cls(int(characters * 0.2), int(characters * 0.55), int(characters * 0.15))


class Said(NamedTuple):
    """One tier: its verdict, what it read, and why. `option` names the convention that decided."""

    who: str
    outcome: str
    score: float
    answer: str
    reason: str
    p_yes: float
    option: str
    reply: Shown


@dataclass(frozen=True)
class ReportRow:
    """One row of the page. `line` is its line in the output, or its place in the inputs; `label` is -1 where there is
    none; `tier` is who decided."""

    number: int
    line: str
    source: str
    outcome: str
    tier: str
    judge: str
    policy: str
    score: float
    disagreement: int
    label: int
    length: int
    question: Shown
    references: tuple[str, ...]
    response: Shown
    place: Place | None
    answer: str
    said: tuple[Said, ...]

    def size(self) -> int:
        """About how many characters it takes in the page."""
        told = sum(len(one.reason) + len(one.answer) + _length(one.reply) + 40 for one in self.said)
        texts = _length(self.question) + _length(self.response) + sum(map(len, self.references))
        return 150 + told + texts + len(self.answer)

    def row(self) -> ReportRow:
        """Itself."""
        return self


@dataclass(frozen=True)
class GradedRow:
    """A row before its texts are cut, which is done for those rows alone that the page has room for."""

    sample: Sample
    grade: Grade
    number: int
    limits: Limits
    line: str = ""
    label: int = -1
    disagreement: int = 0

    def light(self) -> GradedRow | ReportRow:
        """Itself, unless its texts are so long that they had better be cut before many rows are held."""
        long = len(self.sample.response) + len(self.sample.question) > _KEPT * self.limits.response
        return self.row() if long else self

    def size(self) -> int:
        """About how many characters it takes in the page."""
        spoken = (*self.rules(), *self.grade.votes)
        told = sum(min(len(one.reason), self.limits.short) + 60 for one in spoken)
        replies = sum(min(len(one.reply), self.limits.reply) for one in self.grade.votes)
        response = min(len(self.sample.response), self.limits.response)
        return 150 + told + replies + response + min(len(self.sample.question), self.limits.question)

    def rules(self) -> tuple[Verdict, ...]:
        """What every rule that was asked said, if the run recorded it; else the verdict that counted."""
        return self.grade.rule.said or (self.grade.rule,)

    def row(self) -> ReportRow:
        """What the page shows of it."""
        sample, grade, limits = self.sample, self.grade, self.limits
        answer = grade.rule.answer or grade.judge.answer
        votes = grade.votes or ((grade.judge,) if grade.judge is not SKIPPED and grade.judge.reason else ())
        panel = (grade.judge,) if len(grade.votes) > 1 else ()
        response = cut(sample.response, limits.response, answer)
        return ReportRow(
            self.number,
            self.line,
            sample.data_source[:_MAX_NAME],
            grade.outcome.value,
            deciding_tier(grade),
            grade.judge.outcome.value,
            grade.policy,
            grade.score,
            self.disagreement,
            self.label,
            len(sample.response),
            cut(sample.question, limits.question).shown,
            _references(sample, limits),
            response.shown,
            response.answer,
            _short(answer, limits),
            tuple([_said(verdict, limits) for verdict in (*self.rules(), *votes, *panel, *grade.checks)]),
        )

    def told(self, tiers: Sequence[Verdict]) -> ReportRow:
        """The same with the verdicts of all rules, also of those that were not asked."""
        row, asked = self.row(), len(self.rules())
        known = {one.who: one for one in row.said[:asked]}
        ruled = [known.get(verdict.source) or _said(verdict, self.limits) for verdict in tiers]
        return replace(row, said=(*ruled, *row.said[asked:])) if ruled else row


def grade_of(columns: Mapping[str, Any]) -> Grade:
    """The grade of a row that an earlier run finished, as far as its columns tell."""
    asked = bool(columns["judge_asked"])
    reason = str(columns["reason"])
    rule_outcome, judge_outcome = Outcome(columns["rule_outcome"]), Outcome(columns["judge_outcome"])
    by_judge = asked or judge_outcome is not Outcome.SKIPPED
    answer = str(columns["answer"])
    rule = Verdict(
        rule_outcome,
        float(columns["rule_score"]),
        str(columns["rule_source"]),
        answer,
        "" if by_judge else reason,
    )
    judge = Verdict(
        judge_outcome,
        float(columns["judge_score"]),
        "judge" if by_judge else "",
        "",
        reason if by_judge else "",
    )
    return Grade(
        float(columns["score"]),
        bool(columns["graded"]),
        Outcome(columns["outcome"]),
        rule,
        judge,
        (),
        str(columns["policy"]),
        str(columns["fingerprint"]),
        asked,
    )


def _said(verdict: Verdict, limits: Limits) -> Said:
    return Said(
        (verdict.source or "rule")[:_MAX_NAME],
        verdict.outcome.value,
        verdict.score,
        _short(verdict.answer, limits),
        _short(verdict.reason, limits),
        verdict.p_yes,
        _option(verdict.reason),
        cut(verdict.reply, limits.reply).shown,
    )


def _option(reason: str) -> str:
    """The convention that a reason names. A name that is a usual word counts only if it is the whole reason.

    >>> _option("rounding"), _option("same text"), _option("equal by equation_scale")
    ('rounding', '', 'equation_scale')
    """
    named = [word for word in _WORD.findall(reason) if word in _OPTIONS and ("_" in word or word == reason)]
    return named[0] if named else ""


def _references(sample: Sample, limits: Limits) -> tuple[str, ...]:
    shown = [_short(reference, limits) for reference in sample.references[:_MAX_REFERENCES]]
    more = len(sample.references) - len(shown)
    return (*shown, f"… and {more} more") if more else tuple(shown)


def _short(text: str, limits: Limits) -> str:
    if len(text) <= limits.short:
        return text
    return f"{text[: limits.short // 2]} … {text[-limits.short // 2 :]}"


def _length(shown: Shown) -> int:
    return len(shown) if isinstance(shown, str) else sum(map(len, _parts(shown))) + 20


def _parts(shown: Sequence[str | int]) -> Iterator[str]:
    return (part for part in shown if isinstance(part, str))
