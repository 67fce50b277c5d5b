"""Log-probabilities of long replies, which are read where the label stands."""

from __future__ import annotations

import math
import pickle
from types import SimpleNamespace
from typing import Any

import pytest

from hybridverify.judges.backends.vllm_logprobs import Positions, positions_of, with_texts
from hybridverify.judges.p_yes import label_probability
from hybridverify.judges.parse import Menu

WORDS = {1: "The sums differ", 2: ".\n", 3: "Verdict:", 4: " No", 5: " Yes", 6: " no", 7: " No"}
MENU = Menu(correct=("Yes",), incorrect=("No",))
TOLD = [{1: -0.1, 2: -3.0}, {2: 0.0}, {3: -0.2, 1: -2.0}, {5: -1.2, 4: -0.5, 7: -4.0}]
"""At the last position the token that was drawn is not the likeliest, and two tokens have one text."""


def as_mappings() -> Any:
    return [{token: SimpleNamespace(logprob=value) for token, value in one.items()} for one in TOLD]


def as_lists() -> Any:
    ends = [sum(map(len, TOLD[: place + 1])) for place in range(len(TOLD))]
    tokens = [token for one in TOLD for token in one]
    return SimpleNamespace(
        token_ids=tokens, logprobs=[v for one in TOLD for v in one.values()], end_indices=ends
    )


@pytest.fixture(params=[as_mappings, as_lists])
def positions(request: pytest.FixtureRequest) -> Positions:
    found = positions_of(request.param())
    with_texts([found], WORDS.__getitem__)
    return found


def test_both_forms_of_vllm_are_read_alike(positions: Positions) -> None:
    assert len(positions) == 4
    assert list(positions[3].items()) == [(" No", -0.5), (" Yes", -1.2)]
    assert positions[-1] == positions[3]
    assert positions[1:3] == ({".\n": 0.0}, {"Verdict:": -0.2, "The sums differ": -2.0})
    assert "".join(map(positions.written, range(4))) == "The sums differ.\nVerdict: Yes"
    with pytest.raises(IndexError):
        positions[4]


def test_they_survive_the_way_to_another_process(positions: Positions) -> None:
    other = pickle.loads(pickle.dumps(positions))  # noqa: S301
    assert list(other) == list(positions)


def test_p_yes_is_that_of_mappings_and_only_the_label_is_read(
    positions: Positions, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "The sums differ.\nVerdict: Yes"
    known = label_probability(text, tuple(positions), MENU, "Verdict:")
    read: list[int] = []
    of = Positions.__getitem__

    def noted(self: Positions, place: int) -> object:
        read.append(place)
        return of(self, place)

    monkeypatch.setattr(Positions, "__getitem__", noted)
    found = label_probability(text, positions, MENU, "Verdict:")
    assert read == [3]
    yes, no = math.exp(-1.2), math.exp(-0.5)
    assert found == known
    assert found is not None
    assert found.p_yes == pytest.approx(yes / (yes + no))


def test_a_reply_without_its_first_blank_is_still_found(positions: Positions) -> None:
    short = positions_of([{4: SimpleNamespace(logprob=-0.1)}, {2: SimpleNamespace(logprob=-0.1)}])
    with_texts([short], WORDS.__getitem__)
    found = label_probability("No.\n", short, MENU)
    assert found is not None
    assert found.p_yes < 0.5
