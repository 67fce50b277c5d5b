"""Every phrase of the lexicon is found where it is said, and by the quick look that comes before."""

from __future__ import annotations

from typing import cast

import pytest

from hybridverify.answers import frame
from hybridverify.language.lexicon import entries, lists
from hybridverify.language.lexicon.phrases import _Phrases, beginnings, cue_words, cues, phrases
from hybridverify.language.lexicon.vocabulary import words_of

LISTS = [(file, name) for file in ("phrases", "retraction", "denying") for name in lists(file)]


def said(file: str, entry: str, which: int = 0) -> str:
    """A phrase as somebody may say it: the first word of each place, or another one."""
    words = (word.removesuffix("?") for word in entry.split(" ") if word != ",?")
    return " ".join(_said(file, word, which) for word in words)


def _said(file: str, word: str, which: int) -> str:
    if word[0] == "[":
        other, _, name = word[1:-1].rpartition(".")
        told = entries(other or file, name)
        return said(other or file, told[which % len(told)], which)
    if word[0] == ".":
        return "more"
    words = word.split("|")
    return words[which % len(words)].replace("*", "ly").replace("+", " ")


@pytest.mark.parametrize(("file", "name"), LISTS)
def test_each_phrase_is_found(file: str, name: str) -> None:
    for entry in entries(file, name):
        text = f"so {said(file, entry)} then"
        assert phrases(file, name).search(text), text


@pytest.mark.parametrize(("file", "name"), LISTS)
def test_no_way_to_say_a_phrase_is_missed_by_its_own_look(file: str, name: str) -> None:
    sought = cast(_Phrases, phrases(file, name))
    for entry in entries(file, name):
        for which in range(40):
            text = f"so {said(file, entry, which)} then".upper()
            assert sought._may_be_in(text) or not sought._expression.search(text), text


def test_what_a_text_cannot_hold_is_not_compiled() -> None:
    sought = cast(_Phrases, phrases("retraction", "slip", before="x?"))
    assert not sought.search("We took the apples. One is left")
    assert "search" not in vars(sought._expression)
    assert sought.search("Sorry, we made one mistake")


@pytest.mark.parametrize("name", lists("retraction"))
def test_no_phrase_is_missed_by_the_quick_look(name: str) -> None:
    for entry in entries("retraction", name):
        text = f"so {said('retraction', entry)} then"
        assert not text.isascii() or not beginnings(text).isdisjoint(cues("retraction", name)), text


@pytest.mark.parametrize("name", frame._LEADING)
def test_no_word_that_a_phrase_needs_is_missed(name: str) -> None:
    for entry in entries("denying", name):
        text = f"so {said('denying', entry)} then"
        words = frozenset(words_of(text.lower()))
        assert not text.isascii() or not words.isdisjoint(cue_words("denying", name)), text


def test_a_phrase_is_found_in_no_longer_word_and_in_no_two_sentences() -> None:
    assert not phrases("retraction", "slip").search("we have many errorless days")
    assert not phrases("phrases", "weighed").search("If so. It would")
    assert phrases("phrases", "weighed").search("if so, it would")


def test_either_apostrophe_is_read() -> None:
    for apostrophe in "'’":
        assert phrases("retraction", "given_up").search(f"I don{apostrophe}t believe it")
