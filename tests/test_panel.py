"""How votes become one verdict."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridverify.errors import ConfigError
from hybridverify.policies.panel import FOLDS, Panel
from hybridverify.types import Outcome, Verdict

YES, NO = Verdict(Outcome.CORRECT, 1.0), Verdict(Outcome.INCORRECT, 0.0)
DEAD, ODD = Verdict(Outcome.FAILED), Verdict(Outcome.INVALID)


def part(score: float) -> Verdict:
    return Verdict(Outcome.PARTIAL, score)


@pytest.mark.parametrize(
    ("combine", "votes", "weights", "outcome", "score"),
    [
        ("majority", [YES, YES, NO], None, Outcome.CORRECT, 1.0),
        ("majority", [YES, NO, NO], None, Outcome.INCORRECT, 0.0),
        ("majority", [YES, NO], None, Outcome.UNDECIDED, 0.0),
        ("majority", [YES, YES, DEAD], None, Outcome.CORRECT, 1.0),
        ("majority", [YES, NO, DEAD], None, Outcome.UNDECIDED, 0.0),
        ("majority", [YES, DEAD, ODD], None, Outcome.UNDECIDED, 0.0),
        ("majority", [part(0.7), part(0.6), NO], None, Outcome.CORRECT, 1.0),
        ("weighted", [YES, NO, NO], [3.0, 1.0, 1.0], Outcome.CORRECT, 1.0),
        ("weighted", [YES, NO, NO], [2.0, 1.0, 1.0], Outcome.UNDECIDED, 0.0),
        ("all", [YES, YES, NO], None, Outcome.INCORRECT, 0.0),
        ("all", [YES, YES, DEAD], None, Outcome.CORRECT, 1.0),
        ("any", [NO, NO, YES], None, Outcome.CORRECT, 1.0),
        ("mean", [YES, NO, part(0.5)], None, Outcome.PARTIAL, 0.5),
        ("min", [YES, part(0.2), YES], None, Outcome.PARTIAL, 0.2),
        ("max", [NO, part(0.2), YES], None, Outcome.CORRECT, 1.0),
        ("product", [part(0.5), part(0.5)], None, Outcome.PARTIAL, 0.25),
        ("product", [YES, DEAD], None, Outcome.UNDECIDED, 0.0),
        ("add", [YES, YES], [0.3, 0.5], Outcome.PARTIAL, 0.8),
        ("add", [YES, YES], [2.0, 0.5], Outcome.CORRECT, 2.5),
        ("add", [YES, DEAD], [0.3, 0.5], Outcome.UNDECIDED, 0.0),
        (["add", "add"], [YES, YES], [0.3, 0.5], Outcome.PARTIAL, 0.8),
        (["add", "mul"], [YES, part(0.5)], [1.0, 1.0], Outcome.PARTIAL, 0.5),
    ],
)
def test_combinations(
    combine: Any, votes: list[Verdict], weights: Any, outcome: Outcome, score: float
) -> None:
    panel = Panel.from_setting({"combine": combine}, len(votes))
    verdict = panel.decide(votes, weights or [1.0] * len(votes))
    assert verdict.outcome is outcome
    assert verdict.score == pytest.approx(score)


def test_quorum_is_strictly_more_than_the_share_and_a_full_house_suffices() -> None:
    half = Panel(quorum=0.5)
    assert half.decide([YES, DEAD], [1.0, 1.0]).outcome is Outcome.UNDECIDED
    assert half.decide([YES, YES, DEAD, DEAD], [1.0] * 4).outcome is Outcome.UNDECIDED
    assert Panel(quorum=1.0).decide([YES, YES], [1.0, 1.0]).outcome is Outcome.CORRECT
    assert Panel(quorum=0.0).decide([YES, DEAD, DEAD], [1.0] * 3).outcome is Outcome.CORRECT
    assert Panel(quorum=0.0).decide([DEAD, DEAD], [1.0] * 2).outcome is Outcome.UNDECIDED


def test_a_callable_sees_only_parsed_votes_with_their_weights() -> None:
    seen: list[Any] = []

    def combine(votes: Any, weights: Any) -> float:
        seen.append((list(votes), list(weights)))
        return 0.25

    verdict = Panel(combine=combine).decide([YES, NO, DEAD], [1.0, 2.0, 3.0])
    assert seen == [([YES, NO], [1.0, 2.0])]
    assert (verdict.outcome, verdict.score) == (Outcome.PARTIAL, 0.25)


def test_a_callable_that_raises_fails_its_row_and_says_how() -> None:
    verdict = Panel(combine=lambda votes, weights: 1.0 / (weights[0] - 1.0)).decide([YES, NO], [1.0, 2.0])
    assert (verdict.outcome, verdict.reason) == (Outcome.FAILED, "the combination raised ZeroDivisionError")
    assert not verdict.silent


def test_fold_starts_from_the_rule_term_and_is_not_clipped() -> None:
    panel = Panel(combine=("add", "mul"))
    assert panel.fold(1.0, [YES, YES], [0.5, 2.0]) == 3.0
    assert panel.fold(None, [YES, YES], [0.5, 2.0]) == 1.0


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"combine": "majorty"}, "did you mean 'majority'"),
        ({"combine": ["add", "ad"]}, "did you mean 'add'"),
        ({"combine": ["add"]}, "1 entries for 2 judges"),
        ({"quorum": 1.5}, r"\[0, 1\]"),
        ({"quorm": 0.5}, "did you mean 'quorum'"),
    ],
)
def test_faulty_panels_are_refused(setting: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Panel.from_setting(setting, 2)


ballots = st.lists(st.sampled_from([YES, NO, DEAD, ODD]), min_size=1, max_size=9)


@given(ballots, st.randoms())
def test_majority_does_not_depend_on_order_and_its_mirror_is_its_opposite(
    ballot: list[Verdict], random: Any
) -> None:
    weights = [1.0] * len(ballot)
    verdict = Panel().decide(ballot, weights)
    shuffled = list(ballot)
    random.shuffle(shuffled)
    assert Panel().decide(shuffled, weights) == verdict
    mirrored = [{YES: NO, NO: YES}.get(vote, vote) for vote in ballot]
    mirror = {Outcome.CORRECT: Outcome.INCORRECT, Outcome.INCORRECT: Outcome.CORRECT}
    assert Panel().decide(mirrored, weights).outcome is mirror.get(verdict.outcome, verdict.outcome)


@given(st.sampled_from(sorted(FOLDS)), st.floats(0, 1), st.floats(-2, 2))
def test_a_single_fold_without_start_is_the_weighted_vote(name: str, score: float, weight: float) -> None:
    panel = Panel(combine=(name,))
    assert panel.fold(None, [Verdict(Outcome.PARTIAL, score)], [weight]) == weight * score
