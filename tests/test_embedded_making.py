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
from embedded.quantized import chances, held_out_rows  # noqa: E402
from embedded.reworded import reworded  # noqa: E402
from embedded.rows import FOLDS, Row, folds_of  # noqa: E402

from hybridverify.judges.base import Subject  # noqa: E402
from hybridverify.judges.embedded import EmbeddedJudge  # noqa: E402
from hybridverify.judges.embedded.encoding import Encoding  # noqa: E402
from hybridverify.judges.embedded.inputs import shown  # noqa: E402
from hybridverify.judges.embedded.model import TOKENIZER, WEIGHTS  # noqa: E402
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
