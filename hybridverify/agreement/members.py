"""The graders that are compared (the rules, the judge, each policy), and their results.

A grade counts as right if its score is at least .5, before `reward` maps it. A row that is undecided or failed is not
accepted; such rows are also counted separately, and `accuracy_decided` leaves them out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from hybridverify.agreement.cases import Case, Setup, replay
from hybridverify.agreement.figures import Figures, cell, figures_of
from hybridverify.policies import POLICIES, RIGHT_FROM, JudgeOnly, OnJudgeError, Policy, RuleOnly, TinyvOnly
from hybridverify.types import Outcome

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Indices = NDArray[np.int64]
    Groups = Mapping[str, Mapping[str, Indices]]

CONFIGURED = "configured"
"""The name for the result of a run if routes have policies of their own."""
MAX_GROUPS = 40
_DECIDED = (Outcome.CORRECT, Outcome.INCORRECT, Outcome.PARTIAL, Outcome.INVALID)


@dataclass(frozen=True)
class Say:
    """The result of one grader on one case."""

    accepted: bool
    outcome: Outcome
    asked: bool = False

    @property
    def decided(self) -> bool:
        """False if the grader was undecided or failed."""
        return self.outcome in _DECIDED


Grader = Callable[[Case], Say]


@dataclass(frozen=True)
class Summary:
    """Figures of one grader on some rows, with those it left open. `asked`: rows that a judge was wanted for."""

    figures: Figures
    outcomes: Mapping[str, int]
    asked: int

    @property
    def undecided(self) -> int:
        """Rows that the grader left undecided without a fault."""
        return self.outcomes.get(Outcome.UNDECIDED.value, 0)

    @property
    def failed(self) -> int:
        """Rows without a verdict for any other reason. `outcomes` has the reasons."""
        decided = sum(self.outcomes.get(outcome.value, 0) for outcome in _DECIDED)
        return self.figures.rows - decided - self.undecided

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            **self.figures.to_dict(),
            "undecided": self.undecided,
            "failed": self.failed,
            "outcomes": dict(sorted(self.outcomes.items())),
            "asked": self.asked,
        }


@dataclass(frozen=True)
class Split:
    """Row counts by label."""

    right: int = 0
    wrong: int = 0

    def to_dict(self) -> dict[str, int]:
        """JSON-ready."""
        return {"right": self.right, "wrong": self.wrong}


@dataclass(frozen=True)
class Member:
    """One grader over all rows and by group. A rescue is accepted here and not by the rules, a veto the reverse."""

    whole: Summary
    by: Mapping[str, Mapping[str, Summary]] = field(default_factory=dict)
    rescues: Split = Split()
    vetoes: Split = Split()
    disagreements: tuple[int, ...] = ()
    """Positions of the cases where acceptance differs from the label."""

    def to_dict(self, numbers: Sequence[int]) -> dict[str, Any]:
        """JSON-ready; disagreements as row numbers."""
        groups = {
            column: {name: part.to_dict() for name, part in parts.items()}
            for column, parts in self.by.items()
        }
        return {
            **self.whole.to_dict(),
            "rescues": self.rescues.to_dict(),
            "vetoes": self.vetoes.to_dict(),
            "disagreements": [numbers[index] for index in self.disagreements],
            "by": groups,
        }


def rule_says(case: Case) -> Say:
    """The rule chain alone."""
    return Say(case.rule.sure and case.rule.score >= RIGHT_FROM, case.rule.outcome)


def judge_says(setup: Setup) -> Grader:
    """The judge alone, or the panel, after the content gate. A judge that failed gives no verdict."""
    return policy_says(lambda case: JudgeOnly(), replace(setup, on_error=OnJudgeError()))


def policy_says(policy_of: Callable[[Case], Policy], setup: Setup) -> Grader:
    """The result of a run under a policy."""

    def says(case: Case) -> Say:
        replayed = replay(case, policy_of(case), setup)
        decision = replayed.decision
        return Say(decision.score >= RIGHT_FROM, decision.outcome, replayed.asked)

    return says


def hybrid_graders(cases: Sequence[Case], setup: Setup) -> dict[str, Grader]:
    """Each policy by name, with the settings of the configuration if it names that policy."""
    kinds = dict(POLICIES) if setup.judges else {RuleOnly.name: RuleOnly}
    if setup.policy.name != TinyvOnly.name:
        kinds.pop(TinyvOnly.name, None)  # equal to `judge_only` at its default weight
    graders = {name: policy_says(_settings_of(kind(), setup), setup) for name, kind in kinds.items()}
    if setup.routed:
        graders[CONFIGURED] = policy_says(lambda case: case.configured, setup)
    return graders


def _settings_of(default: Policy, setup: Setup) -> Callable[[Case], Policy]:
    def policy(case: Case) -> Policy:
        for configured in (case.configured, setup.policy):
            if configured.name == default.name:
                return configured
        return default

    return policy


def measure(
    cases: Sequence[Case], grader: Grader, groups: Groups, accepted_by_rule: Sequence[bool]
) -> Member:
    """All figures of one grader."""
    says = [grader(case) for case in cases]
    cells = cells_of(cases, says)
    rescues, vetoes = Counter[bool](), Counter[bool]()
    for case, say, by_rule in zip(cases, says, accepted_by_rule, strict=True):
        if say.accepted != by_rule:
            (rescues if say.accepted else vetoes)[case.label] += 1
    return Member(
        _summary(says, cells, np.arange(len(cases))),
        {
            column: {name: _summary(says, cells, rows) for name, rows in parts.items()}
            for column, parts in groups.items()
        },
        Split(rescues[True], rescues[False]),
        Split(vetoes[True], vetoes[False]),
        tuple(i for i, (case, say) in enumerate(zip(cases, says, strict=True)) if say.accepted != case.label),
    )


def cells_of(cases: Sequence[Case], says: Sequence[Say]) -> Indices:
    """The cell of every case."""
    pairs = zip(cases, says, strict=True)
    return np.array([cell(say.decided, case.label, say.accepted) for case, say in pairs], dtype=np.int64)


def _summary(says: Sequence[Say], cells: Indices, rows: Indices) -> Summary:
    mine = [says[index] for index in rows]
    return Summary(
        figures_of(cells[rows]),
        Counter(say.outcome.value for say in mine),
        sum(say.asked for say in mine),
    )


def groups_of_cases(cases: Sequence[Case]) -> dict[str, dict[str, Indices]]:
    """For every column the rows of each value, the largest groups first. Beyond the limit, small groups are joined."""
    found: dict[str, dict[str, list[int]]] = {}
    for index, case in enumerate(cases):
        for column, value in case.groups.items():
            found.setdefault(column, {}).setdefault(value or "(none)", []).append(index)
    told = {column: parts for column, parts in found.items() if list(parts) != ["(none)"]}
    return {column: _largest(parts) for column, parts in told.items()}


def _largest(parts: Mapping[str, list[int]]) -> dict[str, Indices]:
    ordered = sorted(parts.items(), key=lambda part: (-len(part[1]), part[0]))
    kept = {name: np.array(rows) for name, rows in ordered[:MAX_GROUPS]}
    rest = sorted(index for _, rows in ordered[MAX_GROUPS:] for index in rows)
    return {**kept, f"({len(ordered) - MAX_GROUPS} others)": np.array(rest)} if rest else kept
