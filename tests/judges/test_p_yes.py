"""P(yes): the label's place, spellings summed, bounds for what the engine left out, and the verdicts made of it."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pytest

from hybridverify.errors import ConfigError
from hybridverify.judges.base import Reply
from hybridverify.judges.p_yes import label_probability, require_labels
from hybridverify.judges.parse import Menu
from hybridverify.judges.presets import PRESETS
from hybridverify.judges.verdicts import Scoring, verdict
from hybridverify.types import Outcome, Verdict

TRUE_FALSE = Menu(correct=("True",), incorrect=("False",))


def logs(probabilities: Mapping[str, float]) -> dict[str, float]:
    return {token: math.log(p) for token, p in probabilities.items()}


def judged(
    preset: str,
    text: str,
    *positions: Mapping[str, float],
    score: str = "p_yes",
    threshold: float = 0.5,
    abstain: tuple[float, float] | None = None,
) -> Verdict:
    reply = Reply((text,), ("stop",), positions)
    return verdict(PRESETS[preset], Scoring(score, threshold, abstain), "judge:x", reply)


def test_spellings_are_summed() -> None:
    found = label_probability(
        "True", [logs({"True": 0.4, " true": 0.2, "TRUE": 0.1, "False": 0.2, "the": 0.1})], TRUE_FALSE
    )
    assert found is not None
    assert found.p_yes == pytest.approx(0.7 / 0.9)
    assert found.mass == pytest.approx(0.9)


def test_the_beginning_of_a_label_counts_for_it() -> None:
    menu = PRESETS["xverify"].menu
    assert menu is not None
    found = label_probability("Incorrect", [logs({"In": 0.6, "Cor": 0.3, "I": 0.1})], menu)
    assert found is not None
    assert found.p_yes == pytest.approx(1 / 3)
    assert found.mass == pytest.approx(0.9)


def test_a_label_outside_the_list_counts_as_at_most_the_smallest_value() -> None:
    found = label_probability("True", [logs({"True": 0.7, "It": 0.2, "Yes": 0.04})], TRUE_FALSE)
    assert found is not None
    assert found.p_yes == pytest.approx(0.7 / 0.74)
    assert found.mass == pytest.approx(0.7)
    alone = label_probability("True", [logs({"True": 0.9})], TRUE_FALSE)
    assert alone is not None
    assert alone.p_yes == pytest.approx(0.9)  # what is left over is less than the smallest value


def test_the_place_after_reasoning_follows_the_last_heading() -> None:
    menu, heading = PRESETS["general_verifier"].menu, PRESETS["general_verifier"].heading
    assert menu is not None
    text = 'I might say "Final Decision: Yes", yet no. **Final Decision:** No'
    pieces = [
        'I might say "',
        "Final",
        " Decision",
        ":",
        " Yes",
        '", yet no. **',
        "Final",
        " Decision",
        ":",
        "**",
        " No",
    ]
    positions = [logs({piece: 0.9}) for piece in pieces]
    positions[4] = logs({" Yes": 0.99, " No": 0.01})
    positions[10] = logs({" No": 0.8, " Yes": 0.2})
    found = label_probability(text, positions, menu, heading)
    assert found is not None
    assert found.p_yes == pytest.approx(0.2)


def test_the_place_inside_a_box_is_the_letter_s() -> None:
    menu = PRESETS["compass_verifier_cot"].menu
    assert menu is not None
    pieces = ["Same", ".\n", "Final", " Judgment", ":", " \\", "boxed", "{", "A", "}", " -", " COR", "RECT"]
    positions = [logs({piece: 0.9}) for piece in pieces]
    positions[8] = logs({"A": 0.6, "B": 0.3, "C": 0.1})
    found = label_probability("".join(pieces), positions, menu, "Final Judgment:")
    assert found is not None
    assert [found.p_yes, found.mass, found.invalid] == pytest.approx([2 / 3, 0.9, 0.1])


def test_the_place_after_thinking_is_the_first_token_after_it() -> None:
    family = PRESETS["tinyv_qwen3_think"]
    assert family.menu is not None
    pieces = ["<think>", "True", "?", "</think>", "\n\n", "False"]
    positions = [logs({piece: 0.9}) for piece in pieces]
    positions[5] = logs({"False": 0.75, "True": 0.25})
    found = label_probability("".join(pieces), positions, family.menu, family.heading)
    assert found is not None
    assert found.p_yes == pytest.approx(0.25)


def test_a_leading_blank_that_the_engine_stripped_does_not_matter() -> None:
    found = label_probability("True", [logs({" True": 0.8, " False": 0.2})], TRUE_FALSE)
    assert found is not None
    assert found.p_yes == pytest.approx(0.8)


def test_without_a_place_there_is_no_probability() -> None:
    assert label_probability("Yes", [], TRUE_FALSE) is None
    assert label_probability("Yes", [{}], TRUE_FALSE) is None
    assert label_probability("Yes", [logs({"other": 0.9})], TRUE_FALSE) is None
    assert (
        label_probability("Answer: hm", [logs({"Answer:": 0.9}), logs({" hm": 0.9})], TRUE_FALSE, "Answer:")
        is None
    )


def test_the_score_is_p_yes_and_the_threshold_decides() -> None:
    for p, threshold, correct in ((0.7, 0.5, True), (0.7, 0.8, False), (0.3, 0.5, False), (0.5, 0.5, True)):
        got = judged("tinyv", "True", logs({"True": p, "False": 1 - p}), threshold=threshold)
        assert got.outcome is (Outcome.CORRECT if correct else Outcome.INCORRECT)
        assert got.score == got.p_yes == pytest.approx(p)


def test_inside_the_band_nothing_is_decided() -> None:
    outcomes = [
        judged("tinyv", "True", logs({"True": p, "False": 1 - p}), abstain=(0.2, 0.8)).outcome.value
        for p in (0.1, 0.2, 0.5, 0.8, 0.9)
    ]
    assert outcomes == ["incorrect", "undecided", "undecided", "undecided", "correct"]


def test_p_yes_rises_with_the_positive_label() -> None:
    values = [
        judged("tinyv", "True", logs({"True": p, "False": 1 - p})).p_yes for p in (0.01, 0.2, 0.5, 0.77, 0.99)
    ]
    assert values == sorted(values)
    assert len(set(values)) == 5


def test_little_mass_on_the_labels_is_unparseable() -> None:
    got = judged("tinyv", "It", logs({"It": 0.6, "True": 0.3, "False": 0.1}))
    assert (got.outcome, got.score) == (Outcome.UNPARSEABLE, 0.0)
    assert got.p_mass == pytest.approx(0.4)


def test_without_log_probabilities_p_yes_is_unparseable_not_a_guess() -> None:
    got = judged("tinyv", "True")
    assert (got.outcome, got.p_yes, got.p_mass) == (Outcome.UNPARSEABLE, -1.0, -1.0)


def test_a_judge_that_means_c_is_invalid() -> None:
    got = judged("compass_verifier", "C", logs({"C": 0.9, "A": 0.08}))
    assert got.outcome is Outcome.INVALID


def test_in_label_mode_the_label_decides_and_p_yes_is_noted() -> None:
    got = judged("tinyv", "True", logs({"True": 0.6, "False": 0.4}), score="label", threshold=0.9)
    assert (got.outcome, got.score) == (Outcome.CORRECT, 1.0)
    assert [got.p_yes, got.p_mass] == pytest.approx([0.6, 1.0])


@pytest.mark.parametrize(
    ("menu", "message"),
    [
        (None, "no label at a fixed place"),
        (Menu(correct=("A",), incorrect=("AB",)), "begin alike"),
        (Menu(correct=("not wrong",), incorrect=("NOT",)), "begin alike"),
    ],
)
def test_labels_that_cannot_be_told_apart_are_refused(menu: Menu | None, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        require_labels(menu, "mine")


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "rubric"])
def test_every_yes_no_family_has_labels_that_p_yes_can_tell_apart(name: str) -> None:
    require_labels(PRESETS[name].menu, name)


@pytest.mark.parametrize(
    "wrong",
    [
        {"score": "p_no"},
        {"score": "p_yes", "threshold": 1.5},
        {"score": "p_yes", "abstain": (0.8, 0.2)},
        {"score": "p_yes", "abstain": (0.2,)},
        {"score": "label", "abstain": (0.2, 0.8)},
    ],
)
def test_wrong_scoring_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match=r"score|threshold|abstain"):
        Scoring(**wrong)  # type: ignore[arg-type]
