"""How the embedded judge's training rows are made: folds that share no question, constructed rows that are what they
say."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT / "benchmarks") not in sys.path:
    sys.path.insert(0, str(ROOT / "benchmarks"))

from embedded.attacks import attack  # noqa: E402
from embedded.jobs import FINAL_SEEDS, SEEDS, jobs  # noqa: E402
from embedded.made import Maker  # noqa: E402
from embedded.processors import compared, scored, subjects  # noqa: E402
from embedded.quantized import chances, held_out_rows  # noqa: E402
from embedded.reference import chance  # noqa: E402
from embedded.reworded import reworded  # noqa: E402
from embedded.rows import FOLDS, Row, folds_of  # noqa: E402
from embedded.weights import Held, Node, held, quantized, too_wide  # noqa: E402

from hybridverify.judges.base import Subject  # noqa: E402
from hybridverify.judges.embedded import EmbeddedJudge  # noqa: E402
from hybridverify.judges.embedded.inputs import shown  # noqa: E402
from hybridverify.judges.embedded.model import (  # noqa: E402
    TOKENIZER,
    WEIGHTS,
    Encoding,
    card,
)
from hybridverify.types import Sample  # noqa: E402

PEOPLE = ("Ada Holm", "Ivo Brandt", "Lena Moss", "Otto Kjær", "Ruth Vale", "Sven Aster")


def rows() -> list[Row]:
    return [
        Row(
            f"who built the {place} tower",
            (person, person.split()[1]),
            f"It was built by {person} in 19{at}4.",
            True,
            "set",
            0,
        )
        for at, (person, place) in enumerate(
            zip(PEOPLE, ("red", "old", "tall", "round", "north", "east"), strict=True), 1
        )
    ] * 4


def test_questions_that_are_nearly_alike_share_a_fold() -> None:
    questions = [f"what is thing number {at} made of in town {at}" for at in range(40)]
    doubles = [f"What is the thing number {at} made of in town {at}?" for at in range(40)]
    folds = folds_of(questions + doubles, seed=0)
    assert all(folds[one] == folds[other] for one, other in zip(questions, doubles, strict=True))
    assert set(folds.values()) == set(range(FOLDS))


def test_constructed_rows_come_out_the_same_and_none_refuses_the_reference() -> None:
    made = list(Maker(rows(), 3).rows(6))
    assert made == list(Maker(rows(), 3).rows(6))
    kinds = {row.origin for row in made}
    assert {"made:foreign_reference", "made:replaced", "made:denied", "made:attack", "made:reworded"} <= kinds
    assert {row.label for row in made} == {True, False}
    for row in made:
        if not row.label:
            assert row.response not in row.references
        if row.origin == "made:replaced":
            assert not any(name in row.response for name in row.references)


def test_rewording_keeps_what_is_said() -> None:
    rng = random.Random(1)
    found = {reworded("March 5, 1987", "when was it", rng) for _ in range(60)}
    assert "5 March 1987" in found
    assert all("1987" in text for text in found)
    assert "A. Holm" in {reworded("Ada Holm", "who was it", rng) for _ in range(60)}


def test_attacks_are_of_many_classes() -> None:
    rng = random.Random(2)
    assert len({attack(rng) for _ in range(300)}) > 150


def test_every_held_out_run_of_one_seed_has_its_own_fold() -> None:
    held_out = [(job["seed"], job["held_out"]) for job in jobs() if job.get("held_out")]
    assert sorted(held_out) == [(seed, str(fold)) for seed in range(SEEDS) for fold in range(FOLDS)]
    assert len(jobs()) == len(held_out) + FINAL_SEEDS


def test_a_dry_run_stops_every_run_early() -> None:
    assert {job["steps"] for job in jobs(2)} == {2}
    assert not any("steps" in job for job in jobs())


def test_a_graph_says_of_prepared_rows_what_the_judge_says_of_their_texts(tmp_path: Path) -> None:
    samples = [
        Sample("It was Ruth Vale.", "Ruth Vale", "Who built the mill?"),
        Sample("Otto", "Sven Aster", "Who?"),
    ]
    subjects = [Subject(sample, sample.response, False, sample.response) for sample in samples]
    encoded = Encoding(TOKENIZER)([shown(subject) for subject in subjects])
    path = tmp_path / "features.npz"
    np.savez(
        path,
        ids=np.concatenate([row.ids for row in encoded]).astype(np.uint16),
        lengths=np.array([len(row.ids) for row in encoded]),
        seconds=np.array([row.second for row in encoded]),
        folds=np.array([1, 1]),
        origins=np.array(["set", "made:attack"]),
    )
    judge = EmbeddedJudge(score="p_yes")
    said = [verdict.p_yes for verdict in judge.decide(judge.prepare(subjects))]  # type: ignore[arg-type]
    assert chances(WEIGHTS, path, np.arange(2), threads=2) == pytest.approx(said, abs=1e-5)
    assert held_out_rows(path, 1).tolist() == [0]
    assert held_out_rows(path, 0).tolist() == []


# ---- the same scores on every processor


def test_no_product_of_the_shipped_weights_can_overflow_16_bits() -> None:
    found = held(WEIGHTS)
    products = [node for node in found.nodes if node.kind == "MatMulIntegerToFloat"]
    assert len(products) == 24
    assert all(found.weights[node.inputs[1]].dtype == np.int8 for node in products)
    assert too_wide(found) == []


@pytest.mark.parametrize(("top", "wide"), [(63, False), (64, False), (65, True), (127, True)])
def test_weights_of_more_than_seven_bits_are_found(top: int, wide: bool) -> None:
    steps, scale = quantized(np.random.default_rng(3).normal(size=(64, 8)), top)
    pairs = 255 * (np.abs(steps[0::2].astype(int)) + np.abs(steps[1::2].astype(int)))
    graph = Held([Node("MatMulIntegerToFloat", ["x", "w"], ["y"])], {"w": steps, "scale": scale})
    assert too_wide(graph) == (["w"] if wide else [])
    assert wide or pairs.max() < 2**15


def test_weights_become_steps_of_seven_bits_and_come_back() -> None:
    matrix = np.random.default_rng(4).normal(size=(96, 16))
    steps, scale = quantized(matrix)
    assert np.abs(steps.astype(int)).max() == 63
    assert np.abs(steps * scale - matrix).max() <= scale.max() / 2 + 1e-6
    again, _ = quantized(steps * scale.astype(float))
    assert (again == steps).all()


def test_numpy_computes_the_same_scores_in_another_order_of_sums() -> None:
    some = subjects(5)
    found = held(WEIGHTS)
    judge = EmbeddedJudge(kinds="all")
    said = [verdict.p_yes for verdict in judge.decide(judge.prepare(some))]  # type: ignore[arg-type]
    computed = []
    for row in Encoding(TOKENIZER)([shown(subject) for subject in some]):
        types = np.arange(len(row.ids)) >= row.second
        computed.append(chance(found, np.array([row.ids], np.int32), types.astype(np.int32)[None]))
    assert computed == pytest.approx(said, abs=1e-5)


def test_scores_of_two_processors_are_compared() -> None:
    here = scored(6, "here")
    assert compared({"a": here, "b": here})[1]
    moved = here | {"scores": [here["scores"][0] + 0.02, *here["scores"][1:]]}
    lines, agree = compared({"a": here, "b": moved})
    assert (agree, "2.00e-02 (row 0), 0 verdicts flip" in lines[-1]) == (False, True)
    other = {"correct": "incorrect", "incorrect": "correct", "undecided": "undecided"}
    flipped = here | {"outcomes": [other[outcome] for outcome in here["outcomes"]]}
    lines, agree = compared({"a": here, "b": flipped})
    assert (agree, lines[-2].startswith("row 5 flips")) == (False, True)
    assert not compared({"a": here, "b": here | {"model": "another"}})[1]


def test_the_rows_to_compare_lie_on_both_sides_and_many_near_the_threshold() -> None:
    found = np.array(scored()["scores"])
    assert len(found) == 50
    assert (np.abs(found - card()["threshold"]) < 0.06).sum() >= 15
    assert all(((found > low) & (found < low + 0.25)).sum() >= 3 for low in (0.0, 0.25, 0.5, 0.75))
