"""Runs a chain of rules over a batch: cheap ones sample by sample in this process, isolated ones in workers.

A rule is asked about the kinds of cases that it reads. The first sure verdict wins, and no later rule changes it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TypeAlias, cast

from hybridverify.answers.extract import HASH
from hybridverify.cache import Cache
from hybridverify.pipeline.isolated import Isolated, PoolOf, prepare
from hybridverify.pipeline.stats import Stats
from hybridverify.rules.base import Checker, broken, undecided, verdict
from hybridverify.rules.kinds import Kind, kinds_of, may_speak, reads
from hybridverify.rules.prefilter import AnswerChecker, Case, form_of, opened, read_references
from hybridverify.rules.reference_looks import is_plain_number
from hybridverify.types import SURE, UNDECIDED, Outcome, Sample, Verdict

NO_RULE = Verdict(Outcome.UNDECIDED, 0.0, "rule", "", "no rule decided")
NO_REFERENCE = Verdict(Outcome.BAD_REFERENCE, 0.0, "rule", "", "no reference to compare with")
NOT_COMPARED = "no rule compares such a reference"

OnOpen: TypeAlias = Callable[[int], None]
Checkers: TypeAlias = tuple[Checker, ...]
Plan: TypeAlias = tuple[Checkers, ...]
"""For each segment of a chain the checkers that are asked."""


@dataclass
class Recording:
    """Whether a verdict carries what every rule that was asked said (`Verdict.said`)."""

    on: bool = False


@dataclass(slots=True)
class Row:
    """A sample on its way through the chain."""

    index: int
    sample: Sample
    verdict: Verdict
    plan: Plan | None = None
    """Who is asked about it; None before it was looked at."""
    asked: Checker | None = None
    """The rule that was asked before there was a plan."""
    prepared: Sample | Verdict | None = None
    """What the isolated checker that follows is asked, made while the readings of the sample are still cached."""


@dataclass(frozen=True, eq=False)
class RuleChain:
    """Checkers in order, with the pool, cache and counters that they share."""

    checkers: Checkers
    pool: PoolOf
    cache: Cache
    stats: Stats
    namespace: str = ""
    recording: Recording = field(default_factory=Recording)

    def check(self, samples: Sequence[Sample], on_open: OnOpen | None = None) -> list[Verdict]:
        """One verdict for each sample: the first sure one, else the most informative of the rest.

        `on_open` is called with the index of each sample that the checkers in this process leave open. At that time
        the readings of this sample are still cached.
        """
        rows = _rows(samples)
        pending = rows
        for number, checkers in enumerate(self._segments):
            if not pending:
                break
            if checkers[0].isolated:
                for checker in checkers:
                    pending = self._run_isolated(number, checker, pending)
            else:
                pending = self._run_inline(number, pending, on_open)
        return [row.verdict for row in rows]

    def check_here(self, samples: Sequence[Sample]) -> list[Verdict | None]:
        """The verdicts of the checkers that come before the first isolated one; None where `check` would go on.

        For callers that must not wait for another process.
        """
        rows = _rows(samples)
        if not self._segments:
            return [row.verdict for row in rows]
        if self._segments[0][0].isolated:
            return [None] * len(rows)
        goes_on = {row.index for row in self._run_inline(0, rows, None)}
        return [None if row.index in goes_on else row.verdict for row in rows]

    @cached_property
    def isolated(self) -> bool:
        """Whether any checker runs in workers."""
        return any(checker.isolated for checker in self.checkers)

    @cached_property
    def bounded(self) -> bool:
        """Whether every checker that runs in this process is one of the library's, whose work is bounded."""
        here = [checker for checker in self.checkers if not checker.isolated]
        return all(type(checker).__module__.startswith("hybridverify.rules.") for checker in here)

    @cached_property
    def _segments(self) -> tuple[Checkers, ...]:
        """The checkers in groups that stand next to each other and run in the same place."""
        return tuple(tuple(group) for _, group in itertools.groupby(self.checkers, key=lambda c: c.isolated))

    @cached_property
    def _isolated(self) -> Isolated:
        return Isolated(self.pool, self.cache, self.stats, self.namespace)

    def _run_inline(self, number: int, pending: Sequence[Row], on_open: OnOpen | None) -> list[Row]:
        """The rows about which more checkers are asked, each prepared for the isolated one that follows."""
        still = []
        for row in pending:
            plan = row.plan or self._plan(row)
            for checker in plan[number]:
                if checker is row.asked:
                    continue
                row.verdict = self._joined(row.verdict, guarded(checker, row.sample))
                if row.verdict.outcome in SURE:
                    break
            if row.verdict.outcome in SURE:
                continue
            following = plan[number + 1 : number + 2]
            if following and following[0]:
                row.prepared = prepare(following[0][0], row.sample)
            if any(plan[number + 1 :]):
                still.append(row)
            if on_open is not None:
                on_open(row.index)
        return still

    def _run_isolated(self, number: int, checker: Checker, pending: Sequence[Row]) -> list[Row]:
        wanted: dict[int, Sample] = {}
        for place, row in enumerate(pending):
            if not self._is_asked(number, checker, row):
                continue
            prepared, row.prepared = row.prepared or prepare(checker, row.sample), None
            if isinstance(prepared, Verdict):
                row.verdict = self._joined(row.verdict, prepared)
            else:
                wanted[place] = prepared
        if wanted:
            for place, said in self._isolated.ask(checker, wanted).items():
                pending[place].verdict = self._joined(pending[place].verdict, said)
        return [row for row in pending if row.verdict.outcome not in SURE]

    def _is_asked(self, number: int, checker: Checker, row: Row) -> bool:
        plan = row.plan or self._plan(row)
        return any(one is checker for one in plan[number])

    def _joined(self, before: Verdict, said: Verdict) -> Verdict:
        """Which of both counts; with what was said so far, if that is recorded."""
        counts = said if before is NO_RULE else later(before, said)
        return counts.but(said=(*before.said, said)) if self.recording.on else counts

    def _plan(self, row: Row) -> Plan:
        """Who is asked about the row. Where every rule would give the same verdict, nobody is, and it gets that one."""
        reader = self._reader
        if row.verdict is NO_REFERENCE:
            row.plan = self._without_reference
        elif reader is None:
            row.plan = self._segments
        else:
            try:
                row.plan = self._planned(row, reader)
            except Exception:  # each rule tells of it itself
                row.plan = self._segments
        return row.plan

    def _planned(self, row: Row, reader: AnswerChecker) -> Plan:
        """Who is asked about a row. What is known already counts as its verdict."""
        sample = row.sample
        found = opened(sample, reader.conventions, reader.thinking_tags)
        if isinstance(found, Case):
            return self._who_compares(row, found, reader)
        if found.outcome is UNDECIDED:
            told = read_references(sample, reader.conventions)
            plan = self._readers(told, sample.references, sample.question, form_of(sample), answered=False)
            return plan if any(plan) else self._settled(row, verdict(reader, *found))
        if found.outcome in SURE and reader is self.checkers[0]:
            return self._settled(row, verdict(reader, *found))
        return self._segments  # rules of the user's may be asked before or after

    def _who_compares(self, row: Row, case: Case, reader: AnswerChecker) -> Plan:
        """Who is asked to compare an answer. The first rule is asked at once about a plain number: it settles most of
        them, and the question need not be read."""
        sample = row.sample
        if self._reads_numbers and is_plain_number(sample.references):
            row.asked = reader
            row.verdict = self._joined(row.verdict, guarded(reader, sample))
            if row.verdict.outcome in SURE:
                return self._nobody
        form, hashed = form_of(sample) if sample.meta else "auto", case.extraction.mark is HASH
        plan = self._readers(case.references, sample.references, sample.question, form, hashed)
        if any(plan):
            return plan
        return self._settled(row, undecided(reader, reason=NOT_COMPARED, answer=case.extraction.answer))

    def _settled(self, row: Row, said: Verdict) -> Plan:
        """Nobody is asked where every rule would say the same."""
        row.verdict = self._joined(row.verdict, said)
        return self._nobody

    @cached_property
    def _reader(self) -> AnswerChecker | None:
        """The first rule that reads kinds of cases, if all that do read answers in the same way."""
        readers = [cast(AnswerChecker, checker) for checker in self.checkers if reads(checker)]
        ways = {(repr(reader.conventions), reader.thinking_tags) for reader in readers}
        return readers[0] if len(ways) == 1 else None

    @cached_property
    def _reads_numbers(self) -> bool:
        """Whether the first rule reads kinds of cases, numbers among them, and runs in this process."""
        first = self.checkers[0]
        return first is self._reader and Kind.NUMBER in reads(first) and not first.isolated

    @cached_property
    def _readers(self) -> Callable[..., Plan]:
        """For references, question, form and mark the checkers that read such a case. Rows of a group share it."""
        return lru_cache(maxsize=4096)(self._who_read)

    def _who_read(
        self,
        references: tuple[str, ...],
        raw: tuple[str, ...],
        question: str,
        form: str,
        hashed: bool = False,
        answered: bool = True,
    ) -> Plan:
        reader = cast(AnswerChecker, self._reader)
        kinds = kinds_of(references, raw, question, form, reader.conventions)
        if hashed:
            kinds |= Kind.HASH
        return self._chosen(lambda checker: may_speak(checker, kinds, answered))

    def _chosen(self, wanted: Callable[[Checker], bool]) -> Plan:
        return tuple(tuple(filter(wanted, checkers)) for checkers in self._segments)

    @cached_property
    def _without_reference(self) -> Plan:
        return self._chosen(lambda checker: not needs_reference(checker))

    @cached_property
    def _nobody(self) -> Plan:
        return tuple(() for _ in self._segments)


def _rows(samples: Sequence[Sample]) -> list[Row]:
    return [
        Row(index, sample, NO_RULE if has_reference(sample) else NO_REFERENCE)
        for index, sample in enumerate(samples)
    ]


def has_reference(sample: Sample) -> bool:
    """Whether any reference holds visible text."""
    return bool("".join(sample.references).strip())


def applies(checker: Checker, sample: Sample) -> bool:
    """Whether this checker can judge the sample: most need a reference."""
    return not needs_reference(checker) or has_reference(sample)


def needs_reference(checker: Checker) -> bool:
    """Whether the checker says nothing without a reference."""
    return bool(getattr(checker, "needs_reference", True))


def guarded(checker: Checker, sample: Sample) -> Verdict:
    """The checker's verdict; `failed` where it raises."""
    try:
        return checker.check(sample)
    except Exception as error:
        return broken(checker, error)


def later(old: Verdict, new: Verdict) -> Verdict:
    """Which of two verdicts in chain order is kept: a sure one, else a failure, else the newer."""
    if new.outcome is not UNDECIDED:
        return new
    if old.outcome is not UNDECIDED:
        return old
    return new if new.answer or not old.answer else new.but(answer=old.answer)
