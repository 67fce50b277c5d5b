"""The hints of the embedded judge: what counting says of an answer beside its text."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT / "benchmarks") not in sys.path:
    sys.path.insert(0, str(ROOT / "benchmarks"))

from hybridverify.judges.base import Subject  # noqa: E402
from hybridverify.judges.embedded.hints import GROUPS, MARKS  # noqa: E402
from hybridverify.judges.embedded.inputs import beyond, shown  # noqa: E402
from hybridverify.judges.embedded.model import (  # noqa: E402
    HINTS,
    MARK_IDS,
    NO_HINT,
    START,
    TOKENIZER,
    Encoding,
)
from hybridverify.judges.embedded.overlap import (  # noqa: E402
    FUNCTION_WORDS,
    contents,
    key,
    overlap,
)
from hybridverify.types import Sample  # noqa: E402


def marks(question: str, reference: str, answer: str) -> dict[str, str]:
    found = shown(Subject(Sample(answer, reference, question), answer, False, answer)).marks
    return dict(mark.split(":") for mark in found)


@pytest.mark.parametrize(
    ("question", "reference", "answer", "group", "said"),
    [
        ("Why did it close?", "the well dried up because of the drought", "of the", "words", "0"),
        ("Why did it close?", "the well dried up because of the drought", "because of the", "placed", "none"),
        ("Why did it close?", "the well dried up because of the drought", "the drought", "placed", "inside"),
        ("Did she go?", "no", "no", "placed", "same"),
        ("On which day?", "Friday", "every Friday", "extra", "0"),
        ("On which day?", "Friday", "on Fridays", "words", "4"),
        ("Which king?", "Osric IV", "Osric 4", "words", "4"),
        ("Which king?", "Osric IV", "Osric the fourth", "words", "4"),
        ("Which king?", "Osric IV", "Osric 5", "words", "2"),
        ("Who won?", "Ivo Holm", "I. Holm", "words", "4"),
        ("Who won?", "Ivo Holm", "I. Brandt", "words", "0"),
        ("Where was it?", "Oldfield", "New Oldfield", "names", "1"),
        ("Where was it?", "Oldfield", "Oldfield", "names", "0"),
        ("Who won?", "Ada Holm", "Ada Holm and Ivo Brandt", "names", "2"),
        ("Who won?", "Ada Holm", "Ada Holm, Ivo Brandt, Ruth Vale", "items", "2"),
        ("Which two?", "tin and zinc", "zinc, tin", "items", "0"),
        ("When?", "1932", "in 1932", "more", "0"),
        ("When?", "1932", "1932 or 1935", "more", "1"),
        ("When?", "1932", "1931, 1932, 1933", "more", "2"),
        ("Who won?", "Ada Holm", "It wasn't Ada Holm", "denied", "answer"),
        ("Who won?", "nobody", "Ada Holm", "denied", "reference"),
        ("Who won?", "Ada Holm", "Ada Holm", "denied", "none"),
        ("Who beat whom?", "Norway beat Poland", "Poland beat Norway", "order", "turned"),
        ("Who beat whom?", "Norway beat Poland", "Norway did beat Poland", "order", "same"),
        ("Who won?", "Norway", "Norway", "order", "none"),
    ],
)
def test_a_hint_says_what_counting_finds(
    question: str, reference: str, answer: str, group: str, said: str
) -> None:
    assert marks(question, reference, answer)[group] == said


def test_each_group_gives_one_hint_and_each_has_its_place_before_the_text() -> None:
    row = shown(Subject(Sample("", "Ulm", "Where?"), "In Ulm.", False, "In Ulm."))
    assert [mark.split(":")[0] for mark in row.marks] == list(GROUPS)
    assert set(row.marks) <= set(MARKS)
    (encoded,) = Encoding(TOKENIZER)([row])
    assert encoded.ids[0] == START
    assert encoded.ids[HINTS] == [MARK_IDS[mark] for mark in row.marks]
    assert max(*MARK_IDS.values(), NO_HINT) < START - 1


def test_words_of_any_sentence_are_part_of_no_reference_but_of_one_that_has_no_others() -> None:
    assert overlap("To be or not to be", "not to be").placed == "inside"
    assert overlap("The wind of the north", "of the").placed == "none"
    assert overlap("The wind of the north", "it was").letters < 2


def test_forms_of_a_word_share_a_key_and_other_words_do_not() -> None:
    assert key("walls") == key("wall")
    assert key("fishing") == key("fished") == key("fish")
    assert key("walls") != key("wells")
    assert contents(("the", "red", "walls", "of", "it")) == [key("red"), key("wall")]
    assert {"the", "of", "because"} <= FUNCTION_WORDS


@pytest.mark.parametrize(
    ("question", "answer", "left"),
    [
        (
            "Who was the first abbot of Tarn?",
            "The first abbot of Tarn was Odo.",
            "was Odo.",
        ),
        ("Who was the first abbot of Tarn?", "Odo was the first abbot of Tarn.", "Odo ."),
        ("Who was the first abbot of Tarn?", "Odo WAS the first abbot of Tarn", "Odo"),
        ("Who was the first abbot of Tarn?", "Odo was not the first abbot of Tarn", "Odo was not"),
        ("Who was the first abbot of Tarn?", "who was the first abbot of Tarn? yes", "? yes"),
        ("Who was the first abbot of Tarn?", "the abbot of Tarn, Odo", "the abbot of Tarn, Odo"),
        ("Was it Odo?", "Yes, it was Odo", "Yes, it was Odo"),
        ("", "Odo", "Odo"),
    ],
)
def test_what_an_answer_adds_to_the_question(question: str, answer: str, left: str) -> None:
    assert beyond(question, answer) == left


def test_the_reference_is_sought_in_what_is_left() -> None:
    asked = "Which company built the bridge over the Tarn?"
    said = shown(Subject(Sample("", "Tarn Works", asked), asked + " yes", False, asked + " yes"))
    assert said.answer == "? yes"
    assert {"placed:none", "words:0"} <= set(said.marks)
