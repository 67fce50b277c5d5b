"""Shortcuts of the common path change no result: each is held against what it stands in for."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hybridverify.answers import (
    box_context,
    extract,
    extraction,
    foreign_value,
    frame,
    marks,
    one_value,
    outside,
    stated,
    unmarked,
    without_mark,
)
from hybridverify.answers.comments import without_comments
from hybridverify.answers.references import read_reference
from hybridverify.answers.thinking import THINKING_TAGS, may_be_cut, without_thinking
from hybridverify.conventions import DEFAULT, Conventions
from hybridverify.gate import fold
from hybridverify.gate.content import gate_reason
from hybridverify.guards import candidates
from hybridverify.judges.base import Subject
from hybridverify.judges.embedded import judge
from hybridverify.judges.embedded.kinds import is_mathematical
from hybridverify.language import denials, endings, foreign_numbers, number_words, text, wrapping
from hybridverify.language.asked import read_question
from hybridverify.language.joining import CLAUSES
from hybridverify.language.lexicon import entries, lists
from hybridverify.language.lexicon.phrases import beginnings
from hybridverify.language.pieces import pieces
from hybridverify.maths import numerals
from hybridverify.rules import prefilter
from hybridverify.rules.exact import Exact
from hybridverify.types import Sample
from hybridverify.verifier import Verifier
from tests.rules.test_phrases import said

NUMERALS = st.from_regex(text.NUMERAL.pattern, fullmatch=True)
WRITTEN = r"####|#####|###|# | |7|-3|1.50|1,204|x|\boxed{|}|<answer>|</answer>|\boxed 4|$|**|Step 1"
TEXTS = st.lists(st.sampled_from([*WRITTEN.split("|"), "\n", "\t", "\u200b"]), max_size=12).map("".join)
LATEX = (
    r"\frac|\dfrac12|{|}|1|2|34|x|\text{|\left(|\,|\ |$|^|_|,|{,}|\sqrt3|\\|\!|%|the |-|.|\{|\}|~|**|\boxed{"
)
FORMULAS = st.lists(st.sampled_from(LATEX.split("|")), max_size=10).map("".join)


@given(NUMERALS)
def test_a_numeral_has_nothing_to_take_off_and_is_its_own_form(numeral: str) -> None:
    assert wrapping.unwrap(numeral) == stated.strip_label(numeral) == text.canonical(numeral) == numeral
    assert text.words(numeral) == ()
    assert not unmarked.is_hedge(numeral)
    assert read_reference(numeral) == numeral
    assert without_mark.is_bare(numeral) == (len(numeral) <= 200)


@given(TEXTS, st.sampled_from(("auto", "hash", "free")))
@example("so\n###77", "auto")
@example("<answer>6</answer>\n#### 1,204", "auto")
def test_a_number_in_the_last_line_is_what_the_marks_give(body: str, form: str) -> None:
    body = body.strip()
    quick = extract._number_below(body, form)
    if quick is not None:
        assert quick == extract._marked(body, form, "last")


def test_a_number_in_the_last_line_is_no_answer_where_another_form_is_fixed() -> None:
    assert extract._number_below("so\n#### 7", "auto")
    assert not extract._number_below("so\n#### 7", "boxed")
    assert not extract._number_below("B) 7\n#### 7", "choice")


CONTENTS = r"42|-1.50|1,204|x|--1| 5 |\frac12|\frac{3}{40}|\frac{3}{4} |\frac{3}{\sqrt{4}}"
BOXED = st.sampled_from([f"\\boxed{{{content}}}" for content in CONTENTS.split("|")])
AROUND = (
    r"-| |$|{|}|^2| is wrong|it is not |a box: |% |\fbox{3}| or |\boxed{4}|#### 5|<answer>|</answer>"
    r"|.|so |\ne |≤|[ |get"
)
SURROUNDINGS = st.lists(st.sampled_from([*AROUND.split("|"), "\n", "\x08oxed{4}"]), max_size=4).map("".join)


@given(SURROUNDINGS, BOXED, SURROUNDINGS, st.sampled_from(extract.FORMS), st.sampled_from(("last", "join")))
@example("\u200b", r"\boxed{5", "{", "auto", "last")
def test_a_boxed_number_is_what_the_marks_give(
    before: str, box: str, behind: str, form: str, boxes: str
) -> None:
    body = before + box + behind
    quick = extract._number_boxed(body, form, boxes)
    if quick is not None:
        assert quick == extract._marked(body, form, boxes)


WORDS = (
    "it is false that|i do not think that|we reject|no way|contrary to|instead of|the answer|assuming|(|)|,|.|-|so|4"
    "|could be|would be right if|is tempting|stimmt nicht|was my first|scratch that|Correction:|But that is wrong"
    "|it's wrong|isn't|can't|doesn't|or maybe|..|?"
)
DENIALS = (
    *sorted(denials.NOT | denials.BETWEEN),
    *(said("denying", entry) for name in lists("denying") for entry in entries("denying", name)),
    *WORDS.split("|"),
)


@given(SURROUNDINGS)
def test_what_denies_a_box_or_makes_it_part_of_a_formula_is_searched_for(before: str) -> None:
    last = before.rstrip(" \n\t{")[-1:]
    assert last in outside._ENDS or not outside._OPERATOR_BEFORE.search(before.rstrip(" \n\t{"))
    low = frame._led_up(before, len(before))
    assert not low or not low.isascii() or not frame._is_plain(low) or not frame._denies(low)


@pytest.mark.parametrize("word", sorted({*DENIALS, "nije", "could be", "stimmt nicht", "is merely tempting"}))
def test_each_way_to_deny_an_answer_is_searched_for(word: str) -> None:
    low = word.lower()
    assert frame.may_deny(low) or not any(pattern.match(low) for pattern in frame._DENIED_AFTER)


@given(st.lists(st.sampled_from(DENIALS), max_size=6).map(" ".join))
@example("cevap olamaz")
@example("de olmaz")
def test_words_that_deny_an_answer_are_searched_for(words: str) -> None:
    low = frame._led_up(words, len(words))
    assert not low or not low.isascii() or not frame._is_plain(low) or not frame._denies(low)
    behind = words.lower()
    patterns = (*frame._DENIED_AFTER, box_context._REFUSED, box_context._CONDITIONAL)
    assert frame.may_deny(behind) or not any(pattern.match(words) for pattern in patterns)


LEADS = (
    *DENIALS,
    *(
        said("retraction", entry)
        for kind in ("considered", "supposed")
        for entry in entries("retraction", kind)
    ),
    *("\n", "$", ". ", "e.g.", "The answer is", "\\text{", "}", "don't"),
)


@given(st.lists(st.sampled_from(LEADS), max_size=6).map(" ".join))
def test_what_denies_or_considers_a_mark_is_read_where_one_of_its_words_stands(before: str) -> None:
    if box_context.says_nothing_of(before, len(before)):
        assert not frame.denied_before(before, len(before))
        assert not box_context.is_considered(before, len(before))


@pytest.mark.parametrize("word", sorted(foreign_numbers._table()) + sorted(number_words.NUMBER_WORDS))
def test_each_number_in_words_begins_as_one(word: str) -> None:
    told = beginnings(word)
    assert (
        not word.isascii()
        or not number_words.read_words(word)
        or not told.isdisjoint(number_words.number_cues())
    )


def test_most_lines_before_a_box_are_told_at_a_look() -> None:
    assert box_context.says_nothing_of("That makes 3 + 4 = 7 apples.\nThe answer is $", 45)


def test_the_quick_reading_of_a_boxed_number_is_used() -> None:
    assert extract._number_boxed("so $\\boxed{7}$.", "auto", "last")
    assert extract._number_boxed("so $\\boxed{\\frac{7}{12}}$.", "auto", "last")
    assert not extract._number_boxed("so \\boxed{7", "auto", "last")
    assert not extract._number_boxed("not \\boxed{7}", "auto", "last")


@given(TEXTS, st.sampled_from(extract.Mark), st.from_regex("[0-9]{1,9}", fullmatch=True))
def test_an_answer_of_digits_passes_the_gate_whatever_is_around_it(
    around: str, mark: extract.Mark, digits: str
) -> None:
    reading = extract.Extraction(digits, mark, "", f"{around} {digits}", f"{around} Total score: {digits}")
    assert gate_reason(reading, (digits + "0",)) == ""


@given(TEXTS, st.from_regex("[0-9]{1,2}", fullmatch=True), st.from_regex("[0-9]{1,2}", fullmatch=True))
@example("#### 7\n", "7", "7")
@example("", "07", "7")
def test_digits_behind_hashes_are_the_same_case_as_any_other_answer(
    around: str, told: str, wanted: str
) -> None:
    response = f"{around}\n#### {told}"
    shorter = prefilter._open(Sample(response, wanted), "auto", DEFAULT, ("<think>", "</think>"))
    longer = prefilter._open(Sample(response, [wanted, wanted]), "auto", DEFAULT, ("<think>", "</think>"))
    if isinstance(shorter, prefilter.Case):
        assert isinstance(longer, prefilter.Case)
        assert (shorter.extraction, shorter.references * 2, shorter.question) == longer
    else:
        assert shorter == longer


@given(st.from_regex("[0-9]{1,9}", fullmatch=True), st.from_regex("[0-9]{1,9}", fullmatch=True))
def test_two_texts_of_digits_are_the_same_only_where_they_are_equal(one: str, other: str) -> None:
    assert text.same_text(f" {one}", other) == (one == other)


@pytest.mark.parametrize(
    "mark",
    [
        "<|im_end|>",
        "<|eot_id|>",
        "<|endoftext|>",
        "<|return|>",
        "<｜end▁of▁sentence｜>",
        "<end_of_turn>",
        "</s>",
    ],
)
def test_a_quick_look_misses_no_end_of_a_turn(mark: str) -> None:
    assert without_thinking(f"#### 7{mark}user: #### 8", ("<think>", "</think>")) == ("#### 7", True)


def test_a_case_is_opened_anew_for_another_sample_form_conventions_or_tags() -> None:
    sample = Sample(r"<b>\boxed{7}</b> so #### 8", "9", meta={"form": "boxed"})
    joined = Conventions.from_settings({"multiple_boxes": "join"})
    for _ in range(2):
        answers = [
            prefilter.open_case(Exact(), sample),
            prefilter.open_case(Exact(joined), Sample(r"\boxed{1} so \boxed{2}", "9")),
            prefilter.open_case(Exact(), Sample(r"\boxed{1} so \boxed{2}", "9")),
            prefilter.open_case(Exact(thinking_tags=("<b>", "</b>")), sample),
        ]
        told = [
            found.extraction.answer if isinstance(found, prefilter.Case) else found.reason
            for found in answers
        ]
        assert told == ["7", "1, 2", "2", "no_answer"]
    sample.meta["form"] = "hash"  # type: ignore[index]
    assert prefilter.open_case(Exact(), sample).answer == "8"


@given(TEXTS, st.booleans())
def test_hashes_are_found_from_the_end_as_from_the_start(body: str, strict: bool) -> None:
    lines = list(re.finditer(r"(?<!#)####(?!#)[ \t]*([^\n]*)", body))
    counted = [m for m in lines if strict or not marks._is_heading(m.group(1), body, m.end())]
    found = marks.last_hash(body, strict)
    assert (found and (found.start, found.end)) == (counted[-1].span() if counted else None)


@given(FORMULAS, FORMULAS)
@example(r"\dfrac12", r"$\frac{1}{2}$")
def test_no_spelling_drops_adds_or_moves_a_digit(one: str, other: str) -> None:
    for formula in (one, other):
        assert re.findall(r"\d", text.canonical(formula)) == re.findall(r"\d", formula)
    if text.canonical(one) == text.canonical(other) != "":
        assert text.same_text(one, other)


@given(st.text(st.characters(max_codepoint=127)))
def test_plain_letters_fold_as_all_letters_do(plain: str) -> None:
    folded = fold.folded_words(plain + " é")  # the accent takes the long way
    assert fold.folded_words(plain) == folded[:-1]


@pytest.mark.parametrize(
    ("numeral", "value", "places"),
    [("7", "7", -1), ("-0.5", "-1/2", 1), ("007", "7", -1), ("3.10", "31/10", 2), ("-12", "-12", -1)],
)
def test_short_numbers_keep_their_value_and_places(numeral: str, value: str, places: int) -> None:
    number = numerals.read(numeral)
    assert number is not None
    assert (str(number.value), number.places) == (value, places)
    long_way = numerals.read(numeral + "\u200b")
    assert long_way == number


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("What percentage is left?", True),
        ("How many PER CENT are left?", True),
        ("What % is left?", True),
        ("还剩百分之几？", True),
        ("A pen costs 30 cents. How many pens?", False),
        ("How many pens?", False),
    ],
)
def test_a_quick_look_at_the_question_misses_no_percentage(question: str, asked: bool) -> None:
    assert read_question(question).percent is asked


def test_default_conventions_are_one_object_and_equal_ones_hash_alike() -> None:
    assert Conventions.from_settings({}) is DEFAULT
    assert Conventions.from_settings({"rounding": "none"}) != DEFAULT
    assert hash(DEFAULT) == hash(Conventions())


def test_a_batch_of_several_sources_is_counted_as_it_is_graded() -> None:
    told = {"gsm8k": "#### 7", "math": r"\boxed{7}"}
    samples = [Sample(told[name], "7", data_source=name) for name in ("gsm8k", "math", "gsm8k")]
    samples.append(Sample("#### 8", "7"))
    with Verifier(routes={"gsm8k": {"form": "hash"}, "math": {"form": "boxed"}}) as verifier:
        grades = verifier.grade(samples)
        counts = verifier.stats
    assert [grade.outcome.value for grade in grades] == ["correct", "correct", "correct", "incorrect"]
    assert (counts["rules"]["correct"], counts["rules"]["incorrect"]) == (3, 1)
    assert counts["samples"] == {"graded": 4, "ungraded": 0}


SPOKEN = (
    "or|oder|ou|either|perhaps|and|as well as|while|Ulm|Bonn|Ulm.|Bonn,|not|it was|one of|versus|/|+|seven|sev*en"
    "|twenty|He has|5|x = 2|dir|42dir|입니다|42です|है|.|;|!|$|π|f(x)|in|of|a"
)
SENTENCES = st.lists(st.sampled_from(SPOKEN.split("|")), min_size=1, max_size=8).map(" ".join)


@given(SENTENCES)
def test_alternatives_are_looked_for_where_there_are_any(sentence: str) -> None:
    assert extraction._is_hedge(sentence) == unmarked.is_hedge(sentence)


@given(SENTENCES)
def test_copulas_after_a_value_are_looked_for_where_there_are_any(sentence: str) -> None:
    assert sentence[-1:] in endings.MAY_END or endings.without_ending(sentence) == sentence


@given(SENTENCES)
def test_a_value_is_looked_for_in_each_sentence_with_a_number_or_a_number_word(sentence: str) -> None:
    if not any(map(str.isdecimal, sentence)) and not without_mark._has_number_word(sentence):
        assert one_value.value_of(sentence) == foreign_value.value_of(sentence) == ""


@given(TEXTS)
def test_marks_are_looked_for_in_each_text_with_the_sign_of_one(body: str) -> None:
    assert extract._may_be_marked(body) or not marks.has_mark(body)


@given(SENTENCES)
def test_joined_candidates_are_looked_for_where_anything_joins(sentence: str) -> None:
    if not candidates._may_join(sentence):
        cuts = (
            pieces(sentence, candidates._SPOKEN_SIGNS, CLAUSES),
            pieces(sentence, candidates._LIST_SIGNS, candidates._LISTING),
            candidates._joined(sentence),
        )
        assert not any(map(candidates._parts, cuts))


@given(SENTENCES)
def test_an_answer_that_is_taken_for_words_is_no_formula(sentence: str) -> None:
    subject = Subject(Sample(sentence, "Ulm", "Where?"), sentence)
    assert judge._is_mathematical(subject) == is_mathematical("Where?", ["Ulm"], sentence)


@given(st.from_regex("[A-Za-z0-9 ]{1,20}", fullmatch=True))
def test_plain_words_have_nothing_to_take_off(words: str) -> None:
    assert wrapping.unwrap(words) == words.strip()


_SIGNS = (
    "<",
    "<<4*5=20>>",
    "<think>",
    "</think>",
    "<|im_end|>",
    "<|channel|>final<|message|>",
    "</s>",
    "<end_of_turn>",
    "<!--",
    "-->",
    "<\uff5cend\u2581of\u2581sentence\uff5c>",
    "x < 3",
    "42",
    "\n",
    " ",
    "<|im_start|>assistant",
)


@given(st.lists(st.sampled_from(_SIGNS), max_size=8).map("".join))
def test_what_is_not_looked_at_is_not_cut(response: str) -> None:
    if not may_be_cut(response):
        assert without_thinking(response, THINKING_TAGS) == (response, True)
        assert without_comments(response) == response
