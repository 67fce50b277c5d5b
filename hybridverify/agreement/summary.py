"""Agreement with labels: the rules, the judge and every policy, from verdicts that were gathered once.

`collect` in cases.py asks the judges; nothing here does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from hybridverify.agreement.cases import Case, Setup, replay
from hybridverify.agreement.members import (
    CONFIGURED,
    Grader,
    Member,
    Split,
    groups_of_cases,
    hybrid_graders,
    judge_says,
    measure,
    rule_says,
)
from hybridverify.agreement.sweep import Sweep, sweep
from hybridverify.policies import JudgeOnly, RuleOnly, TinyvOnly

CALLS = ("asked", "called", "cached", "deduplicated", "failed", "prompt_tokens", "output_tokens")
"""Counters of `Verifier.stats["judge"]` in the report."""


@dataclass(frozen=True)
class Differences:
    """Positions of cases on which two graders differ."""

    rescues: tuple[int, ...] = ()
    """The judge accepts what the rules do not."""
    vetoes: tuple[int, ...] = ()
    """The judge rejects what the rules accept."""


@dataclass(frozen=True)
class Agreement:
    """All figures. Without a judge, `judge` is a member without rows, and only `rule_only` is in `hybrid`."""

    cases: Sequence[Case]
    setup: Setup
    rule: Member
    judge: Member
    hybrid: Mapping[str, Member]
    main: str
    """The name of the configured policy in `hybrid`."""
    judges: Mapping[str, Member] = field(default_factory=dict)
    """Each judge of a panel alone; of a cascade, each step together with the steps before it."""
    sweep: Sweep = field(default_factory=Sweep)
    differences: Differences = field(default_factory=Differences)
    outcomes: Mapping[tuple[str, str], Split] = field(default_factory=dict)
    """(rule outcome, judge outcome) → rows by label."""
    calls: Mapping[str, int] = field(default_factory=dict)

    def members(self) -> dict[str, Member]:
        """Every grader under the name it is shown with."""
        if not self.setup.judges:
            return {"rule": self.rule, **self.hybrid}
        in_turn = self.setup.panel is not None and self.setup.panel.in_turn
        title = "up to judge" if in_turn else "judge"
        panel = {f"{title} {name}": member for name, member in self.judges.items()}
        return {"rule": self.rule, "judge": self.judge, **panel, **self.hybrid}

    def main_members(self) -> dict[str, Member]:
        """The rules, the judge and the configured policy; the rules alone where no judge was asked."""
        if not self.setup.judges:
            return {"rule": self.rule}
        return {"rule": self.rule, "judge": self.judge, self.main: self.hybrid[self.main]}

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready: `rule`, `judge` and `hybrid` by policy. Undefined figures are None."""
        numbers = [case.number for case in self.cases]
        judge = {
            **self.judge.to_dict(numbers),
            "calls": dict(self.calls),
            "thresholds": self.sweep.to_dict(),
            "judges": {name: member.to_dict(numbers) for name, member in self.judges.items()},
        }
        hybrid = {name: member.to_dict(numbers) for name, member in self.hybrid.items()}
        return {"rule": self.rule.to_dict(numbers), "judge": judge, "hybrid": hybrid}


def agreement(cases: Sequence[Case], setup: Setup, calls: Mapping[str, float] | None = None) -> Agreement:
    """Figures of all graders over these cases. `calls` are the counters of the judge stage.

    >>> from hybridverify.types import Outcome, Verdict
    >>> right, wrong = Verdict(Outcome.CORRECT, 1.0), Verdict(Outcome.INCORRECT)
    >>> cases = [Case(True, right), Case(True, wrong), Case(False, wrong), Case(False, wrong)]
    >>> figures = agreement(cases, Setup()).to_dict()["rule"]
    >>> figures["accuracy"], figures["recall"], figures["kappa"]
    (0.75, 0.5, 0.5)
    """
    groups = groups_of_cases(cases)
    by_rule = [rule_says(case).accepted for case in cases]

    def measured(grader: Grader) -> Member:
        return measure(cases, grader, groups, by_rule)

    plain = Agreement(
        cases,
        setup,
        rule=measured(rule_says),
        judge=measure((), rule_says, {}, ()),
        hybrid={name: measured(grader) for name, grader in hybrid_graders(cases, setup).items()},
        main=CONFIGURED if setup.routed else setup.policy.name,
        calls={name: int((calls or {}).get(name, 0)) for name in CALLS},
    )
    return _with_judge(plain, measured) if setup.judges else plain


def _with_judge(plain: Agreement, measured: Callable[[Grader], Member]) -> Agreement:
    cases, setup = plain.cases, plain.setup
    swept: dict[str, Callable[[Setup], Grader]] = {"judge": judge_says}
    for name in plain.hybrid:
        if name not in (RuleOnly.name, JudgeOnly.name, TinyvOnly.name):
            swept[name] = partial(_hybrid, cases, name)
    return replace(
        plain,
        judge=measured(judge_says(setup)),
        judges={name: measured(_alone(setup, index)) for index, name in _panel_names(setup)},
        sweep=sweep(cases, setup, swept),
        differences=_differences(cases, judge_says(setup)),
        outcomes=_outcomes(cases, setup),
    )


def _hybrid(cases: Sequence[Case], name: str, setup: Setup) -> Grader:
    return hybrid_graders(cases, setup)[name]


def _panel_names(setup: Setup) -> list[tuple[int, str]]:
    """The judges of a panel, numbered if two have the same name."""
    if len(setup.judges) < 2:
        return []
    often = Counter(setup.judges)
    return [
        (index, name if often[name] == 1 else f"{name} #{index + 1}")
        for index, name in enumerate(setup.judges)
    ]


def _alone(setup: Setup, index: int) -> Grader:
    """One judge of a panel. Of a cascade, all steps up to that judge: the difference to the step before is its own
    effect."""
    if setup.panel is not None and setup.panel.in_turn:
        stepwise = judge_says(setup)
        return lambda case: stepwise(replace(case, votes=case.votes[: index + 1]))
    grader = judge_says(replace(setup, panel=None, weights=(1.0,)))
    return lambda case: grader(replace(case, votes=case.votes[index : index + 1]))


def _differences(cases: Sequence[Case], judge: Grader) -> Differences:
    says = [(rule_says(case), judge(case)) for case in cases]
    return Differences(
        tuple(i for i, (rule, judged) in enumerate(says) if judged.accepted and not rule.accepted),
        tuple(
            i
            for i, (rule, judged) in enumerate(says)
            if rule.accepted and judged.decided and not judged.accepted
        ),
    )


def _outcomes(cases: Sequence[Case], setup: Setup) -> dict[tuple[str, str], Split]:
    counts: Counter[tuple[str, str, bool]] = Counter()
    for case in cases:
        said = (
            "gated" if case.gate and case.referenced else replay(case, JudgeOnly(), setup).judge.outcome.value
        )
        counts[case.rule.outcome.value, said, case.label] += 1
    pairs = sorted({(rule, judge) for rule, judge, _ in counts})
    return {pair: Split(counts[(*pair, True)], counts[(*pair, False)]) for pair in pairs}
