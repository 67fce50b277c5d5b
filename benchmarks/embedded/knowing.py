"""Answers that hold the right text and must be refused: denied, taken back, doubted, beside another claim, turned
round, one thing beside it, a part of it. Some have twins that are right and look alike."""

from __future__ import annotations

import re

from embedded.banks import OPPOSITES
from embedded.draws import Draws, Kind, asks, content_words, framed, is_name
from embedded.near import near_number
from embedded.phrases import texts
from embedded.rows import Row
from hybridverify.judges.embedded.alternatives import alternatives
from hybridverify.judges.embedded.overlap import FUNCTION_WORDS

_DENIALS = texts("knowing", "denials")
_DOUBTS = texts("knowing", "doubts")
_TAKEN_BACK = texts("knowing", "taken_back")
_BOTH = texts("knowing", "both")
_BESIDE = texts("knowing", "beside")
_PLACE = texts("knowing", "place")
_PERSON = texts("knowing", "person")
_TIME = texts("knowing", "time")
_THING = texts("knowing", "thing")
_HEADS = texts("knowing", "heads")
_FRAMES = (
    "{}",
    "{}",
    "{}",
    "It is {}.",
    "It was {}.",
    "{}.",
    "The answer is {}.",
    "\\boxed{{{}}}",
    "Answer: {}",
)


def _framed(text: str, draws: Draws) -> str:
    return draws.pick(_FRAMES).format(text)


def _beside_it(draws: Draws, row: Row) -> str:
    """What is named by it, stands near it, or is its opposite."""
    kind, text = asks(row), draws.short(row)
    if draws.rng.random() < 0.2:
        return _framed(f"{text} {draws.pick(_HEADS)}", draws)
    lists = {"who": _PERSON, "where": _PLACE, "when": _TIME}
    own = lists.get(kind, _THING)
    return _framed(draws.pick(own if draws.rng.random() < 0.7 else _THING).format(text), draws)


def _both(draws: Draws, row: Row) -> str:
    texts = list(draws.pair(row))
    draws.rng.shuffle(texts)
    return draws.pick(_BOTH).format(*texts)


def _two_numbers(draws: Draws, row: Row) -> str | None:
    """Two years or numbers, one of them right."""
    text = draws.short(row)
    other = near_number(text, draws.rng)
    if not other or other == text:
        return None
    texts = [text, other]
    draws.rng.shuffle(texts)
    frames = (
        *_BOTH,
        "It was in {0}. It was in {1}.",
        "{0}, also {1}",
        "{0} is correct. {1} is correct.",
        "If so then {0}, if not {1}.",
        "in {0} and again in {1}",
        "{0}, then {1}",
    )
    return draws.pick(frames).format(*texts)


def _beside(draws: Draws, row: Row) -> str:
    return draws.pick(_BESIDE).format(*draws.pair(row))


def _beside_right(draws: Draws, row: Row) -> str:
    """The twin: the other one is put aside."""
    right, wrong = draws.pair(row)
    return draws.pick(
        [text for text in _BESIDE if "From" not in text and "facing" not in text and "next" not in text]
    ).format(wrong, right)


def _taken_back(draws: Draws, row: Row) -> str:
    return draws.pick(_TAKEN_BACK).format(*draws.pair(row))


def _other_claim(draws: Draws, row: Row) -> str | None:
    """ "It was begun in 1887 and finished in 1891": a word of the question goes with the wrong one."""
    return _claims(draws, row, *draws.pair(row))


def _own_claim(draws: Draws, row: Row) -> str | None:
    right, wrong = draws.pair(row)
    return _claims(draws, row, wrong, right)


def _claims(draws: Draws, row: Row, first: str, second: str) -> str | None:
    asked = [
        word
        for word in re.findall(r"[a-z]+", row.question.casefold())
        if word in OPPOSITES and word not in FUNCTION_WORDS
    ]
    if not asked:
        return None
    word = draws.pick(asked)
    against = draws.pick(OPPOSITES[word])
    frames = (
        "{a}: {0}; {w}: {1}",
        "It was {a} in {0} and {w} in {1}.",
        "{0} is the {a} one, {1} the {w} one.",
        "{0} saw it {a}, {1} saw it {w}.",
        "The {a} one is {0}, but the {w} one is {1}.",
        "{a} was {0}, {w} was {1}.",
        "For {a} it is {0}, for {w} it is {1}.",
        "{1} ({w}), {0} ({a})",
        "With {a} comes {0}; with {w} comes {1}.",
    )
    return draws.pick(frames).format(first, second, a=against, w=word)


def _turned_word(draws: Draws, row: Row) -> str | None:
    """A word that question and response share becomes its opposite in the response: another role."""
    asked = set(re.findall(r"[a-z]+", row.question.casefold()))
    here = [
        word for word in re.findall(r"[a-z]+", row.response.casefold()) if word in OPPOSITES and word in asked
    ]
    if not here or len(row.response) > 250:
        return None
    word = draws.pick(here)
    return re.sub(rf"\b{word}\b", draws.pick(OPPOSITES[word]), row.response, flags=re.IGNORECASE)


def _wrong_role(draws: Draws, row: Row) -> str | None:
    """The answer in the place of another part: "She died on ..." where the birth is asked for."""
    asked = [
        word
        for word in re.findall(r"[a-z]+", row.question.casefold())
        if word in OPPOSITES and word not in FUNCTION_WORDS
    ]
    if not asked:
        return None
    against = draws.pick(OPPOSITES[draws.pick(asked)])
    frames = (
        "It {a} {0}.",
        "{0} {a} it.",
        "She {a} in {0}.",
        "He {a} on {0}.",
        "{0} was the {a} one.",
        "the {a}: {0}",
        "It was {a} in {0}.",
        "{0}, the {a} one",
        "{0} is when it {a}.",
    )
    return draws.pick(frames).format(draws.short(row), a=against)


def _part(draws: Draws, row: Row) -> str | None:
    """One word of several, or the beginning of a long text."""
    text = draws.pick(list(alternatives(row.references)[:4]) or [""])
    words = content_words(text)
    if len(words) < 2 or ((asks(row) in ("who", "where") and len(words) < 4) or is_name(text)):
        return None
    if len(words) > 3 and draws.rng.random() < 0.4:
        return _framed(" ".join(draws.rng.sample(words, 2)), draws)
    word = draws.pick(words)
    alone = {single.casefold() for single in alternatives(row.references)}
    return None if word.casefold() in alone else _framed(word, draws)


def _first_name(draws: Draws, row: Row) -> str | None:
    text = draws.short(row)
    if asks(row) != "who" or not is_name(text):
        return None
    return _framed(text.split()[0], draws)


KINDS = (
    Kind(
        "denied",
        False,
        1.6,
        lambda draws, row: (
            framed(draws.pick(_DENIALS).format(draws.short(row)), draws)
            if draws.rng.random() < 0.3
            else draws.pick(_DENIALS).format(draws.short(row))
        ),
    ),
    Kind("doubted", False, 0.8, lambda draws, row: draws.pick(_DOUBTS).format(draws.short(row))),
    Kind("both", False, 3.0, _both),
    Kind("two_numbers", False, 2.5, _two_numbers),
    Kind("beside", False, 1.2, _beside),
    Kind("beside_right", True, 1.6, _beside_right),
    Kind("other_claim", False, 1.4, _other_claim),
    Kind("own_claim", True, 1.2, _own_claim),
    Kind("turned_word", False, 4.0, _turned_word),
    Kind("wrong_role", False, 1.2, _wrong_role),
    Kind("beside_it", False, 2.6, _beside_it),
    Kind("part", False, 2.5, _part),
    Kind("first_name", False, 0.2, _first_name),
)
LEFT_OUT = (Kind("taken_back", False, 1.0, _taken_back),)
"""Never trained on: what a strategy that was not seen comes to."""
