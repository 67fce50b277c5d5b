"""The ways of answering that training shows: each says what it is, none of those left out is among them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT / "benchmarks") not in sys.path:
    sys.path.insert(0, str(ROOT / "benchmarks"))

from embedded import blind, facts, forms, knowing, scenes, yesno  # noqa: E402
from embedded.calibrate import error, fitted, weighted  # noqa: E402
from embedded.draws import Draws, asks, is_name, noun_of, predicate_of  # noqa: E402
from embedded.made import KINDS, LEFT_OUT, Maker  # noqa: E402
from embedded.pack import files, packed  # noqa: E402
from embedded.rows import Row  # noqa: E402
from embedded.strategies import BLIND, table  # noqa: E402
from embedded.weights import quantized  # noqa: E402

from hybridverify.judges.embedded.overlap import plain_words  # noqa: E402


def row(question: str, reference: str, response: str) -> Row:
    return Row(question, tuple(reference.split("/")), response, True, "set", 0)


ROWS = [
    row("who painted the red barn", "Ada Holm", "The red barn was painted by Ada Holm."),
    row("who built the old mill", "Ivo Brandt/Ivo J. Brandt", "Ivo Brandt built the old mill in 1903."),
    row("when was the first bridge opened", "1871", "The first bridge was opened in 1871."),
    row("when did the last ferry sail", "14 March 1932", "The last ferry sailed on 14 March 1932."),
    row("where is the largest oak", "Oldfield", "The largest oak is in Oldfield."),
    row("which city has two rivers", "Marlow/the city of Marlow", "Marlow has two rivers."),
    row("how many towers are there", "7/seven", "There are seven towers."),
    row("what is the roof made of", "red clay tiles", "The roof is made of red clay tiles."),
    row("what nests on the roof", "a heron", "A heron nests on the roof."),
    row("what are the two colours", "black and white", "Black and white."),
    row("what happens to the water above the gate", "it flows over the gate", "It flows over the gate."),
]


@pytest.fixture(scope="module")
def made() -> list[Row]:
    return list(Maker(ROWS, 3).rows(400))


def test_every_kind_makes_rows_and_says_whether_they_are_right(made: list[Row]) -> None:
    kinds = {row.origin.removeprefix("made:") for row in made}
    rare = {"number_form", "wrong_number_form", "head", "of_generic", "first_name"}
    assert {kind.name for kind in KINDS} - kinds <= rare
    says = {kind.name: kind.label for kind in KINDS if kind.name not in ("two_lists", "yes_no")}
    assert all(row.label is says.get(row.origin.removeprefix("made:"), row.label) for row in made)
    assert {row.label for row in made if row.origin == "made:yes_no"} == {True, False}


def test_no_wrong_row_is_the_reference(made: list[Row]) -> None:
    for one in made:
        if not one.label:
            assert plain_words(one.response) not in [plain_words(text) for text in one.references]


def test_strategies_left_out_are_in_no_training_row(made: list[Row]) -> None:
    left = list(Maker(ROWS, 3).left_out(4))
    names = {one.origin for one in left}
    assert names == {f"test:left:{kind.name}" for kind in LEFT_OUT}
    assert not {kind.name for kind in LEFT_OUT} & {kind.name for kind in KINDS}
    assert not any(one.label for one in left)
    assert not {one.origin.removeprefix("made:") for one in made} & {kind.name for kind in LEFT_OUT}


def test_a_list_of_candidates_is_wrong_though_it_holds_the_answer(made: list[Row]) -> None:
    held = [one for one in made if one.origin == "made:listing" and "Holm" in one.references[0]]
    assert held
    assert any("Holm" in one.response for one in held)
    assert not any(one.label for one in held)
    assert {kind.name for kind in blind.KINDS} == BLIND


def test_scenes_come_in_pairs_of_right_and_wrong_and_out_the_same() -> None:
    found = list(scenes.rows(120, 2, 5))
    assert found == list(scenes.rows(120, 2, 5))
    assert {one.fold for one in found} == {2}
    assert sum(one.label for one in found) == len(found) - sum(one.label for one in found)
    assert len({one.origin for one in found}) > 10
    for one in found:
        if not one.label:
            assert plain_words(one.response) != plain_words(one.references[0])


def test_names_in_short_forms_are_right() -> None:
    draws = Draws(ROWS, 1)
    kind = next(kind for kind in forms.KINDS if kind.name == "person")
    said = {kind.make(draws, ROWS[0]) for _ in range(600)}
    assert {"Holm", "A. Holm", "Holm, Ada"} <= said
    assert kind.make(draws, ROWS[2]) is None


def test_one_word_other_is_wrong_and_a_synonym_is_right() -> None:
    draws = Draws(ROWS, 2)
    assert all(kind.label is (kind.name in ("synonym", "relisted")) for kind in facts.KINDS)
    kin = next(kind for kind in facts.KINDS if kind.name == "kin")
    said = [str(kin.make(draws, ROWS[7])) for _ in range(30)]
    assert not any("red clay tiles" in text for text in said)
    assert any("tiles" in text for text in said)


def test_denials_hold_the_answer() -> None:
    draws = Draws(ROWS, 4)
    denied = next(kind for kind in knowing.KINDS if kind.name == "denied")
    assert all("Ada Holm" in str(denied.make(draws, ROWS[0])) for _ in range(40))


def test_questions_for_yes_or_no_have_both_answers() -> None:
    draws = Draws(ROWS, 6)
    found = [yesno.KINDS[0].make(draws, ROWS[at % len(ROWS)]) for at in range(200)]
    rows_made = [one for one in found if isinstance(one, Row)]
    assert len(rows_made) == 200
    assert all(one.question.endswith("?") for one in rows_made)
    plain = {(one.references[0].lower(), one.response.lower().strip("."), one.label) for one in rows_made}
    assert ("no", "yes", True) not in plain
    assert ("yes", "no", True) not in plain


@pytest.mark.parametrize(
    ("question", "kind", "noun", "predicate"),
    [
        ("who painted the red barn", "who", "", "painted the red barn"),
        ("Which chemist found it?", "what", "", ""),
        ("which island was sold", "where", "island", ""),
        ("who is she", "who", "", ""),
        ("how many towers are there", "number", "", ""),
    ],
)
def test_questions_are_taken_apart(question: str, kind: str, noun: str, predicate: str) -> None:
    assert (asks(row(question, "x", "x")), noun_of(question), predicate_of(question)) == (
        kind,
        noun,
        predicate,
    )


def test_names_are_told_from_phrases() -> None:
    assert is_name("Ada Holm")
    assert not is_name("red clay tiles")
    assert not is_name("Ada")


# ---- calibration and files


def test_scores_are_fitted_to_several_shares_of_right_answers() -> None:
    rng = np.random.default_rng(1)
    labels = rng.random(20_000) < 0.9
    logits = np.where(labels, 2.0, -2.0) + rng.normal(0, 2.0, len(labels))
    temperature, shift = fitted(logits, labels)
    assert temperature == pytest.approx(1.0, abs=0.1)  # logits of even odds by themselves
    assert shift == pytest.approx(0.0, abs=0.1)
    chances = 1 / (1 + np.exp(-(logits / temperature + shift)))
    assert error(chances, labels, weighted(labels, 0.5)) < 0.02
    weights = weighted(labels, 0.2)
    assert weights[labels].sum() / weights.sum() == pytest.approx(0.2)


def test_a_table_counts_each_kind_apart() -> None:
    origins = np.array(["made:both"] * 8 + ["made:person"] * 8)
    labels = np.array([False] * 8 + [True] * 8)
    lines = table(origins, labels, np.array([True, True, *[False] * 6, *[True] * 8]), "made:")
    assert [line.split()[-1] for line in lines] == ["0.2500", "0.0000"]


def test_packed_weights_are_the_steps_that_ship() -> None:
    rng = np.random.default_rng(2)
    state = {
        "layers.0.out.weight": rng.normal(size=(24, 16)).astype(np.float32),
        "words.weight": rng.normal(size=(40, 16)).astype(np.float32),
        "head.bias": np.zeros(1, np.float32),
    }
    arrays = packed(state)
    whole = arrays["layers.0.out.weight"] * arrays["layers.0.out.weight.scale"][:, None]
    assert (quantized(whole.T)[0] == quantized(state["layers.0.out.weight"].T)[0]).all()
    assert {name for part in files(arrays) for name in part} == set(arrays)


def test_every_list_of_phrases_is_used() -> None:
    held = json.loads((ROOT / "benchmarks/embedded/phrases.json").read_text("utf-8"))
    code = "".join(path.read_text("utf-8") for path in (ROOT / "benchmarks/embedded").glob("*.py"))
    assert all(f'"{module}", "{name}"' in code for module, lists in held.items() for name in lists)
