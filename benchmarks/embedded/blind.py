"""Answers that know nothing and want to be accepted: echoes, fragments, words of any sentence, lists of candidates,
hedges. A list that happens to hold the right answer is one of them."""

from __future__ import annotations

import re

from embedded.attacks import attack, refusal
from embedded.banks import COMMON
from embedded.draws import Draws, Kind, asks, content_words, framed, noun_of
from embedded.near import near_number
from embedded.phrases import texts
from embedded.rows import Row

_EMPTY_WORDS = texts("blind", "empty_words")
_FRAGMENTS = texts("blind", "fragments")
_HEDGES = texts("blind", "hedges")
_LISTS = (
    "\n",
    "\n\n",
    ", ",
    "; ",
    " / ",
    " | ",
    " - ",
    " and ",
    " or ",
    ". ",
    "? ",
    "! ",
    " ",
    "\t",
    " • ",
    " – ",
    "...",
    " & ",
    " + ",
)
_ITEMS = texts("blind", "items")
_LEADS = texts("blind", "leads")
_WRAPS = ("{}", "{}", "{}", "{}", "\\boxed{{{}}}", "<answer>{}</answer>", "#### {}", "The answer is {}.")


def _listing(draws: Draws, row: Row, hold: bool) -> str:
    """Up to 25 candidates, the right one among them or not."""
    count = draws.pick((2, 3, 3, 4, 5, 6, 8, 12, 25))
    near = draws.rng.random() < 0.3
    texts: list[str] = []
    while len(texts) < count:
        changed = near_number(draws.short(row), draws.rng) if near else None
        texts.append(changed or draws.foreign(row))
    if hold:
        texts[draws.rng.choice((0, draws.rng.randrange(count), count - 1))] = draws.short(row)
    if draws.rng.random() < 0.45:
        joined = draws.pick(_LISTS).join(texts)
    else:
        item = draws.pick(_ITEMS)
        joined = "".join(item.format(text, at=at) for at, text in enumerate(texts, 1)).strip(" ,;")
    return draws.pick(_WRAPS).format(draws.pick(_LEADS) + joined)


def _run(draws: Draws, row: Row) -> str | None:
    """Years or numbers one after the other, the right one among them."""
    found = re.search(r"\b\d{4}\b|\d+", draws.short(row))
    if not found or len(found.group()) > 4:
        return None
    value, count = int(found.group()), draws.pick((3, 4, 6, 10, 20))
    low = max(0, value - draws.rng.randrange(count))
    form = draws.pick(("{}", "{}", "in {}", "It was in {}.", "It was {}.", "{}?", "- {}", "maybe {}"))
    return draws.pick((", ", "\n", " ", " ", " or ", "; ", " and ", " / ")).join(
        form.format(low + at) for at in range(count)
    )


def _range(draws: Draws, row: Row) -> str | None:
    text = draws.short(row)
    found = re.search(r"\b\d{4}\b", text)
    if not found or len(found.group()) != 4:
        return None
    value = int(found.group())
    low, high = max(0, value - draws.rng.randint(0, 60)), value + draws.rng.randint(1, 60)
    return draws.pick(
        (
            "{}-{}",
            "between {} and {}",
            "from {} to {}",
            "{} to {}",
            "somewhere between {} and {}",
            "{}–{}",
            "no less than {} and no more than {}",
        )
    ).format(low, high)


def _echo(draws: Draws, row: Row) -> str:
    question = row.question.rstrip("? ")
    forms = (
        question,
        f"{question}?",
        f"The question is: {question}.",
        f"I was asked {question}",
        f"{question} is what we need to find.",
        f"{question}: {draws.foreign(row)}",
        f"The answer to {question} is known.",
        re.sub(r"^(?:who|what|when|where|which|how)\s+", "", question, flags=re.IGNORECASE),
        f"The one who {question[4:]}",
        f"the {noun_of(question) or 'one'} in question",
    )
    return draws.pick(forms)


def _fragment(draws: Draws, row: Row) -> str:
    """Words of the question, or of any text."""
    words = content_words(row.question)
    if words and draws.rng.random() < 0.5:
        size = draws.pick((1, 1, 2, 3))
        at = draws.rng.randrange(len(words))
        return framed(" ".join(words[at : at + size]), draws)
    return framed(draws.pick(_FRAGMENTS), draws)


def _common(draws: Draws, row: Row) -> str:
    return framed(draws.pick(COMMON), draws)


def _noun(draws: Draws, row: Row) -> str:
    """One plain word of another answer."""
    words = [
        word for word in content_words(draws.other(row, False).response) if word.islower() and len(word) > 2
    ]
    return framed(draws.pick(words), draws) if words else "water"


def _empty(draws: Draws, row: Row) -> str:
    """Words of closed classes; against a long reference, which holds them."""
    return framed(draws.pick(_EMPTY_WORDS), draws)


def _vague(draws: Draws, row: Row) -> str:
    noun = noun_of(row.question).casefold()
    by_kind = {
        "who": (
            "a man",
            "a famous person",
            "someone",
            "the author",
            "a woman",
            "an artist",
            "the president",
            "a team",
        ),
        "where": (
            "in a city",
            "on an island",
            "in the north",
            "somewhere in the south",
            "in another town",
            "near the coast",
            "in the mountains",
        ),
        "when": (
            "last century",
            "in the past",
            "a long time ago",
            "in the spring",
            "some years ago",
            "in the 20th century",
            "recently",
        ),
        "number": ("many", "several", "a few", "a lot", "more than one", "some", "quite a number"),
        "what": (
            "a thing",
            "an object",
            "something important",
            "a kind of material",
            "a name",
            "an old custom",
            "a word",
        ),
    }
    text = (
        f"{draws.pick(('a', 'some', 'the', 'a certain', 'another', 'a famous', 'an old'))} {noun}"
        if noun and draws.rng.random() < 0.4
        else draws.pick(by_kind[asks(row)])
    )
    return framed(text, draws)


KINDS = (
    Kind("listing", False, 2.6, lambda draws, row: _listing(draws, row, True)),
    Kind("listing_without", False, 0.6, lambda draws, row: _listing(draws, row, False)),
    Kind("run", False, 4.0, _run),
    Kind("echo", False, 0.7, _echo),
    Kind("fragment", False, 0.7, _fragment),
    Kind("noun", False, 0.4, _noun),
    Kind("empty_words", False, 0.6, _empty),
    Kind("vague", False, 0.6, _vague),
    Kind("hedge", False, 0.3, lambda draws, row: draws.pick(_HEDGES)),
    Kind("attack", False, 1.2, lambda draws, row: attack(draws.rng)),
    Kind(
        "attack_beside",
        False,
        0.4,
        lambda draws, row: f"{draws.foreign(row)}{draws.pick(('. ', chr(10), ' '))}{attack(draws.rng)}",
    ),
    Kind("refusal", False, 0.3, lambda draws, row: refusal(draws.rng)),
)
LEFT_OUT = (Kind("range", False, 1.0, _range), Kind("common", False, 1.0, _common))
"""Never trained on."""
