"""Words that deny, doubt, suppose or change a value mean the same to every reader of sentences."""

from __future__ import annotations

import pytest

from hybridverify.answers import choice_sentence, closing_line, one_value
from hybridverify.answers.extract import extract
from hybridverify.language import claims
from hybridverify.language.lexicon import entries, lists


@pytest.mark.parametrize("name", lists("signals"))
def test_each_entry_is_found_as_its_kind(name: str) -> None:
    kind = name.removesuffix("_joined")
    for entry in entries("signals", name):
        assert kind in claims.signals(f"so {entry.partition('!')[0].removesuffix('*')} then"), entry


def test_an_entry_is_found_in_no_longer_word() -> None:
    assert not claims.signals("The northern mayor noted it lessened.")


def test_kinds_are_known_by_name() -> None:
    with pytest.raises(ValueError, match="dubious"):
        claims.kinds("unsure dubious")


@pytest.mark.parametrize("doubt", ["It is perhaps", "It might be", "It is hardly known whether it is"])
def test_a_doubted_value_is_no_answer_to_any_reader(doubt: str) -> None:
    assert one_value.value_of(f"{doubt} 31 boxes.") == ""
    assert closing_line.value_of(f"We add all of them.\n{doubt}\n31") == ""
    assert choice_sentence.chosen_letter(f"{doubt} (B).", clear=True) == ""


def test_a_plain_value_is_an_answer_to_every_reader() -> None:
    assert one_value.value_of("It is 31 boxes.") == "31 boxes"
    assert closing_line.value_of("We add all of them.\nIt is\n31") == "31"
    assert choice_sentence.chosen_letter("It is (B).", clear=True) == "B"


@pytest.mark.parametrize("apostrophe", "'’")
def test_a_denial_is_read_with_either_apostrophe(apostrophe: str) -> None:
    told = extract(f"The mill that nobody has seen isn{apostrophe}t in Torsby")
    assert told.answer.endswith("in Torsby")
    assert told.answer.startswith("The mill")
    assert extract("The mill is in Torsby").answer == "in Torsby"


@pytest.mark.parametrize("words", ["half of", "less than", "twice", "the square of"])
def test_words_right_before_a_value_make_another_of_it(words: str) -> None:
    assert extract(rf"It is {words} $\boxed{{31}}$").problem == "not_alone"
    assert extract(rf"So it is {words} $31$.").answer != "31"


def test_words_that_leave_a_value_as_it_is() -> None:
    assert extract(r"It is no less than the total of $\boxed{31}$").answer == "31"
