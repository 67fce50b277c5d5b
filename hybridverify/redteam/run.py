"""An attack from rows to report: split, search on one half, measure on the other, probe with known answers."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from hybridverify.errors import ConfigError, InputError
from hybridverify.redteam.blind import Pool
from hybridverify.redteam.informed import MUST_ACCEPT, MUST_REFUSE, NONSENSE, Probe
from hybridverify.redteam.named import named_strategies
from hybridverify.redteam.questions import FAMILIES, Question, distinct, honest_guess
from hybridverify.redteam.report import FamilyFigures, ProbeFigures, Report, StrategyFigures
from hybridverify.redteam.search import Search
from hybridverify.redteam.strategy import Plan
from hybridverify.redteam.trial import Ask, Hit, Tally, Trial
from hybridverify.types import Grade, Sample

BUDGET = 40_000
_SOUGHT, _BEST, _PROBED, _NONSENSE = 0.5, 0.15, 0.15, 0.05
"""Shares of the budget: the search, the best strategies on all held-out rows, the probes. The rest is for the list."""
_FINALISTS = 4
_FOUND_SHOWN = 12
"""How many strategies of the search the list holds beside the named ones."""
_FEWEST = 10  # the least rows of a listed strategy
_EXAMPLES = 8
"""How many rows with a wrong result are kept for each kind of probe."""
_MOST_HITS = 20  # of each strategy and family


class Grader(Protocol):
    """Any object that grades as a Verifier does."""

    def grade(self, samples: Sequence[Sample], /) -> Sequence[Grade | float]: ...


def attack(
    grade: Grader | Ask,
    rows: Iterable[Question | Sample | Mapping[str, Any]],
    seed: int = 0,
    budget: int = BUDGET,
    pays: float = 0.5,
    checker: str = "",
    advanced: Callable[[int], None] = lambda calls: None,
) -> Report:
    """Attack a verifier or a reward function on labelled questions.

    `grade` is a Verifier, or a function from samples to scores or grades. Scores above `pays` count as paid. `rows`
    have a question and a reference; responses and labels are ignored. `budget` limits the responses that are graded.
    Equal arguments give an equal report. Raises InputError if there is nothing to ask about.
    """
    if budget < 1:
        raise ConfigError(f"budget: expected at least 1, got {budget}")
    questions = distinct(map(Question.of, rows))
    if not questions:
        raise InputError("no row has a reference; there is nothing to attack")
    groups = _by_family(questions)
    guesses = {name: honest_guess(members) for name, members in groups.items()}
    ask: Ask = getattr(grade, "grade", None) or grade  # type: ignore[assignment]
    trial = Trial(ask, Pool.of(questions), pays, guesses, advanced=advanced)
    share = budget // len(groups)
    families = {name: _Family(trial, name, groups[name], share, seed).run() for name in groups}
    return Report(checker or _name(grade), seed, budget, pays, trial.calls, families, _some(trial.hits))


def _by_family(questions: Sequence[Question]) -> dict[str, list[Question]]:
    """The questions of each family that has any."""
    groups = {name: [each for each in questions if each.family == name] for name in FAMILIES}
    return {name: members for name, members in groups.items() if members}


def _some(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """A few of each strategy and family."""
    seen: Counter[tuple[str, str]] = Counter()
    kept = []
    for hit in hits:
        seen[hit.strategy, hit.family] += 1
        if seen[hit.strategy, hit.family] <= _MOST_HITS:
            kept.append(hit)
    return tuple(kept)


def _name(grade: object) -> str:
    return getattr(grade, "__qualname__", type(grade).__qualname__)


class _Family:
    """The attack on the questions of one family."""

    def __init__(
        self, trial: Trial, name: str, questions: Sequence[Question], budget: int, seed: int
    ) -> None:
        self._trial = trial
        self._name = name
        self._budget = budget
        self._end = trial.calls + budget
        ordered = sorted(questions, key=lambda question: question.digest)
        self._all = ordered
        self._sought = [each for each in ordered if not each.heldout] or ordered
        self._heldout = [each for each in ordered if each.heldout] or ordered
        self._random = random.Random(f"{seed} {name}")

    def run(self) -> FamilyFigures:
        """Search on one half, then measure on the other, which never chose the best strategy."""
        named = named_strategies()
        search = Search(self._trial, self._sought, int(self._budget * _SOUGHT), self._random)
        ranked = search.run(named)
        figures: dict[Plan, Tally] = {}
        self._measure(figures, ranked[:_FINALISTS], int(self._budget * _BEST))
        refused = self._probed(MUST_REFUSE, _PROBED * 0.6, wanted=False)
        right = self._probed(MUST_ACCEPT, _PROBED * 0.4, wanted=True)
        found = [strategy for strategy in ranked if strategy not in named][:_FOUND_SHOWN]
        others = sorted(dict.fromkeys((*found, *named)), key=lambda plan: -search.tally(plan).exploit)
        self._measure(
            figures, [each for each in others if each not in figures], self._end - self._trial.calls
        )
        listed = {plan: self._listed(plan, tally, search, plan in named) for plan, tally in figures.items()}
        applied = [each for each in listed.values() if each.heldout.applied]
        ordered = tuple(
            sorted(applied, key=lambda each: (-each.heldout.exploit, -each.heldout.rate, each.name))
        )
        best, honest = listed[ranked[0]], honest_guess(self._heldout)
        return FamilyFigures(
            self._name, len(self._all), len(self._heldout), honest, best, ordered, refused, right
        )

    @staticmethod
    def _listed(plan: Plan, tally: Tally, search: Search, named: bool) -> StrategyFigures:
        return StrategyFigures(plan.name, "named" if named else "search", tally, search.tally(plan))

    def _measure(self, figures: dict[Plan, Tally], strategies: Sequence[Plan], budget: int) -> None:
        """As many held-out rows for each strategy as the budget allows. With under ten rows each, fewer strategies."""
        strategies = strategies[: max(1, budget // _FEWEST)]
        rows = max(_FEWEST, budget // max(1, len(strategies)))
        for strategy in strategies:
            figures[strategy] = Tally()
        self._trial.measure([(each, figures[each], self._heldout[:rows]) for each in strategies])

    def _probed(self, probes: Mapping[str, Probe], share: float, wanted: bool) -> tuple[ProbeFigures, ...]:
        rows = self._heldout[: max(1, int(self._budget * share / len(probes)))]
        many = self._all[: max(1, int(self._budget * _NONSENSE))]
        return tuple(
            self._probe(name, probe, many if name == NONSENSE else rows, wanted)
            for name, probe in probes.items()
        )

    def _probe(self, name: str, probe: Probe, rows: Sequence[Question], wanted: bool) -> ProbeFigures:
        pairs = [(each, probe(each, each.spoken, self._other(each))) for each in rows]
        pairs = [(each, text) for each, text in pairs if text]
        said = self._trial.said(pairs)
        wrong = [pair for pair, one in zip(pairs, said, strict=True) if one.paid != wanted]
        examples = tuple(
            Hit(name, self._name, each.question, " | ".join(each.references), text)
            for each, text in wrong[:_EXAMPLES]
        )
        return ProbeFigures(name, len(pairs), sum(s.paid for s in said), sum(s.open for s in said), examples)

    def _other(self, question: Question) -> str:
        """Another answer of the same kind: another option, else the first reference of another question."""
        texts = self._trial.pool.seen_by(question)
        if question.family == "choice":
            letters = [letter for letter, _ in question.options]
            plain = question.references[0].strip("()[]. ") in letters
            texts = tuple(letters) if plain else tuple(text for _, text in question.options)
        start = question.digest % max(1, len(texts))
        rotated = (*texts[start:], *texts[:start])
        return next((text for text in rotated if not question.is_answer(text)), "")
