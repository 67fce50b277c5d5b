"""What a look at the usual end of a response skips could not have found anything there."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridverify.answers.frame import may_deny
from hybridverify.answers.later_answer import overrules
from hybridverify.answers.outside import is_changed_after
from hybridverify.answers.restated import restates
from hybridverify.answers.usual_endings import is_usual
from hybridverify.language import lexicon
from hybridverify.language.lexicon import entries, lists

_FILES = [path.stem for path in Path(lexicon.__file__).parent.glob("*.toml")]
_TOLD = {
    word.strip("?*!")
    for file in _FILES
    for kind in lists(file)
    for entry in entries(file, kind)
    for word in entry.split()
}
_PLAIN = (
    "dollars",
    "years",
    "old",
    "in",
    "of",
    "the",
    "his",
    "week",
    "cookies",
    "left",
    "per",
    "hour",
    "on",
    "gas",
)
_WORDS = st.sampled_from(sorted(filter(str.isascii, _TOLD)) + list(_PLAIN) * 40)
_ENDINGS = st.builds(
    lambda opening, words, stop: opening + " ".join(words) + stop,
    st.sampled_from(["$ ", " ", "", "$. ", ") ", "$, "]),
    st.lists(_WORDS, min_size=1, max_size=6),
    st.sampled_from([".", "", "$", "!", "?", ". "]),
)


@given(_ENDINGS)
def test_a_usual_end_changes_nothing(text: str) -> None:
    if is_usual(text):
        assert not is_changed_after(text, 0)
        assert not may_deny(text.lower())
        assert not overrules("42", text)
        assert not restates("42", text, "How many dollars are left in the week?")


@pytest.mark.parametrize("text", ["$ dollars.", " years old", "$ dollars in his pocket."])
def test_units_and_what_they_belong_to_are_usual(text: str) -> None:
    assert is_usual(text)


@pytest.mark.parametrize(
    "text",
    ["$ or more.", " times that.", " is wrong.", "$, not five.", " 7.", "$ olamaz.", "?", "!", " d\xf3lares"],
)
def test_what_may_change_an_answer_is_not_usual(text: str) -> None:
    assert not is_usual(text)
