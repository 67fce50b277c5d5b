"""Texts that decline to answer, point at an answer elsewhere, or name nothing at all.

A refusal holds only words of a closed vocabulary: one that denies, one of knowing or answering, and words that stand
around them. After these it may repeat words of the question. Separate from content.py because question and references
may say that just this is the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from hybridverify.answers.options import read_options
from hybridverify.answers.sentences import sentences_of
from hybridverify.gate.fold import (
    folded_words,
    known_parts,
    reference_words,
    table,
)
from hybridverify.language import expressions as re
from hybridverify.language.asked import read_question

MAX_WORDS = 60
"""The most words of a refusal. A longer excuse says something."""
_MAX_QUESTION = 20_000
_SHORT_REFERENCE = 6
_STEM = 5
""" "determine" and "determined" share this many letters."""
_LETTER = re.compile(r"(?<!\w)(?:[B-HJ-Z]|A(?!\s+\w))(?!['’\w])")
"""A capital letter alone: the letter of an option, or a name."""
_PRAISE = frozenset(("right", "correct", "true"))
_TRUTH = frozenset(("yes", "no", "true", "false", "correct", "incorrect"))


def refuses(core: str, said: Sequence[str], references: Sequence[str], question: str = "") -> bool:
    """Whether the text declines to answer, and neither the question nor a reference takes that for an answer.

    >>> text = "there is not enough information to answer that"
    >>> question = "How many mills are there?"
    >>> [refuses(text, text.split(), [reference], question) for reference in ("12", "It cannot be determined.")]
    [True, False]
    >>> refuses("Answer: not fair", ["answer", "not", "fair"], ["unfair"], "Is the die fair or unfair?")
    False
    """
    if len(said) > MAX_WORDS or _LETTER.search(core):
        return False
    lead, rest = _lead(said)
    if not _declines(lead) or not _adds_nothing(core, lead, rest, references, question):
        return False
    if rest and lead[-1] in table("DENIALS") and _offers_two(question):
        return False
    told = {part for word in (*lead, *rest) for part in known_parts(word, _vocabulary()) or (word,)}
    return not _is_wanted(told, references) and not _is_offered(told, references, question)


def _offers_two(question: str) -> bool:
    """Whether one of two may be what is asked for: then "Answer: not fair" says "unfair"."""
    return read_question(question).decides or "or" in folded_words(question[:_MAX_QUESTION])


def _is_wanted(told: set[str], references: Sequence[str]) -> bool:
    """Whether a reference declines as well, or is about not knowing."""
    return any(_declines(reference_words(one)) or _is_named(told, one) for one in references)


def turns_to_an_answer(said: Sequence[str]) -> bool:
    """Whether an answer follows the excuse in the same sentence: "I am not sure, but I think it was Ada"."""
    turns, vocabulary = table("TURNS"), _vocabulary()
    for at, word in enumerate(said):
        if word in turns:
            rest = said[at + 1 :]
            if not _declines(part for other in rest for part in known_parts(other, vocabulary)):
                return any(not known_parts(other, vocabulary) for other in rest)
    return False


def points_elsewhere(said: Sequence[str], references: Sequence[str], question: str = "") -> bool:
    """Whether the text says where the answer is, and not what it is: "The one that the passage mentions"."""
    words = set(said)
    if not words <= table("POINTING", "ABOUT_POINTING", "EMPTY_WORDS") or len(said) < 2:
        return False
    pointing = words & table("POINTING", "ABOUT_POINTING") - table("EMPTY_WORDS")
    if not pointing & table("POINTING") and not (words & _PRAISE and _asks_for_a_thing(question)):
        return False
    return all(pointing.isdisjoint(reference_words(reference)) for reference in references)


def _asks_for_a_thing(question: str) -> bool:
    """Whether there is a question, and it does not ask what is right."""
    asked = set(folded_words(question[:_MAX_QUESTION]))
    return (
        bool(asked)
        and not read_question(question).yes_no
        and asked.isdisjoint(_PRAISE | table("LABELS", "VERDICTS"))
    )


def names_nothing(core: str, said: Sequence[str], references: Sequence[str], question: str = "") -> bool:
    """Whether the text has only words of grammar ("of the", "because it is"), and no short reference holds them."""
    if not set(said) <= table("EMPTY_WORDS") or core.isupper():  # WHO, IT and US are names
        return False
    phrase = f" {' '.join(said)} "
    if not references or any(_may_be_of_grammar(phrase, reference_words(one)) for one in references):
        return False
    about_words = not table("GRAMMAR").isdisjoint(folded_words(question[:_MAX_QUESTION]))
    return not about_words and not read_question(question).yes_no and not _is_choice(phrase, question)


def _may_be_of_grammar(phrase: str, words: Sequence[str]) -> bool:
    """Whether a reference allows words of grammar as the answer: it holds them or no others, or says yes or no."""
    if not set(words) - table("EMPTY_WORDS") or not _TRUTH.isdisjoint(words):
        return True
    if len(phrase.replace(" ", "")) == 1 and len(words) < _SHORT_REFERENCE // 2:
        return True
    return len(words) <= _SHORT_REFERENCE and phrase in f" {' '.join(words)} "


def is_silent(word: str) -> bool:
    """Whether a refusal may hold the word. Of a long text the rest is read only if it begins with such words."""
    return bool(known_parts(word, _vocabulary()))


@lru_cache(maxsize=1)
def _vocabulary() -> frozenset[str]:
    tables = (
        "DENIALS",
        "KNOWING",
        "UNKNOWING",
        "ABOUT_KNOWING",
        "ITSELF",
        "GIVING_UP",
        "AROUND_KNOWING",
        "FILLERS",
    )
    return table(*tables) - table("OTHERS")


def _lead(said: Sequence[str]) -> tuple[list[str], list[str]]:
    """The words up to the first that no refusal holds, split in scripts without blanks; and the words from there on."""
    lead: list[str] = []
    for at, word in enumerate(said):
        parts = known_parts(word, _vocabulary())
        if not parts:
            return lead, list(said[at:])
        lead += parts
    return lead, []


def _declines(words: Iterable[str]) -> bool:
    told = set(words)
    if not told.isdisjoint(table("UNKNOWING")):
        return True
    itself = not told.isdisjoint(table("ITSELF"))
    if itself and not told.isdisjoint(table("GIVING_UP")):
        return True
    if told.isdisjoint(table("DENIALS")):
        return False
    return not told.isdisjoint(table("KNOWING", "ABOUT_KNOWING") if itself else table("KNOWING"))


def _adds_nothing(
    core: str, lead: list[str], rest: list[str], references: Sequence[str], question: str
) -> bool:
    """Whether the words that follow add nothing. They may be the question's own ("It is not known who built the
    mill"), or go on in the single sentence of a writer that speaks of itself ("I have no information about
    mills")."""
    further = [word for word in rest if not known_parts(word, _vocabulary())]
    if not further:
        return True
    if turns_to_an_answer((*lead, *rest)):
        return False
    asked = set(folded_words(question[:_MAX_QUESTION]))
    new = set(further) - asked
    if not new:
        return table("TURNS").isdisjoint(rest)
    if table("ITSELF").isdisjoint(lead) or len(sentences_of(core)) > 1:
        return False
    wanted = set[str]().union(*map(reference_words, references)) - asked
    return _beginnings(wanted).isdisjoint(_beginnings(new))


def _beginnings(words: Iterable[str]) -> set[str]:
    return {word[:_STEM] for word in words}


def _is_named(told: set[str], reference: str) -> bool:
    """Whether the reference is about not knowing, or holds just these words, as a title may."""
    words = reference_words(reference)
    if not told.isdisjoint(table("UNKNOWING") & set(words)):
        return True
    if table("ITSELF").isdisjoint(told) and not _stems(told).isdisjoint(_stems(words)):
        return True
    if any(word in reference for word in told & _topics() if not word.isascii()):
        return True  # scripts without blanks
    telling = table("DENIALS", "KNOWING", "ABOUT_KNOWING", "GIVING_UP")
    return bool(words) and set(words) <= told and not telling.isdisjoint(words)


def _stems(words: Iterable[str]) -> set[str]:
    """The stems of the words that name a topic: "information" of "lack of information"."""
    return _beginnings(word for word in words if word in _topics())


def _is_offered(told: set[str], references: Sequence[str], question: str) -> bool:
    """Whether the question offers "It cannot be determined" as an option, or asks what is known. Without a question,
    or where a letter is wanted, it may be an option."""
    if not table("ITSELF").isdisjoint(told) or not told.isdisjoint(table("UNKNOWING")):
        return False
    if not question or any(
        len(reference.strip()) == 1 and reference.strip().isalpha() for reference in references
    ):
        return True
    if any(not table("NOTHING_CUES").isdisjoint(reference_words(reference)) for reference in references):
        return True
    return not _stems(told).isdisjoint(_stems(folded_words(question[:_MAX_QUESTION])))


@lru_cache(maxsize=1)
def _topics() -> frozenset[str]:
    """Words that a question may be about. Words that any question may hold ("answer") are left out."""
    return table("KNOWING", "UNKNOWING") - table("OPENERS") - frozenset(("say", "tell", "answered", "figure"))


def _is_choice(phrase: str, question: str) -> bool:
    """Whether the question offers these words: "before or at", "(C) at the"."""
    asked = f" {' '.join(folded_words(question[:_MAX_QUESTION]))} "
    if f"{phrase}or " in asked or f" or{phrase}" in asked:
        return True
    return any(folded_words(text) == phrase.split() for _, text in read_options(question))
