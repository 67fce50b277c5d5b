"""What a question lets one choose between, and answers that choose nothing: "true, false", "C. oxygen" where oxygen is
option A."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from hybridverify.answers.options import Options, labelled_text, letter_for, may_list, read_options
from hybridverify.gate.fold import folded
from hybridverify.language.joining import AND, OR
from hybridverify.language.languages import ARTICLES, PREDICATES
from hybridverify.language.lexicon import entries
from hybridverify.language.pieces import pieces

_MAX_ANSWER = 300
_SIGNS, _AROUND = ",;/|()\n", " .*$"
_HOLDING = PREDICATES | ARTICLES | AND | OR | frozenset(entries("joining", "instead", "unsure", "perhaps"))
"""Words beside two choices that leave it open which one is meant."""


@lru_cache(maxsize=512)  # every response to a question asks the same
def offered(question: str) -> frozenset[str]:
    """The words right before and after an "or" of the question.

    >>> sorted(offered("Is it true or false?"))
    ['false', 'true']
    """
    words = [word for word in folded(question) if word not in ARTICLES]
    places = [at for at, word in enumerate(words) if word in OR]
    return frozenset(word for at in places for word in (*words[max(0, at - 1) : at], *words[at + 1 : at + 2]))


def names_two_options(answer: str, references: Sequence[str], question: str) -> bool:
    """Whether the parts of an answer are labels or texts of different options, and one option is asked for.

    >>> asked = "Which is a metal? A. sulfur B. copper"
    >>> [names_two_options(text, ["B"], asked) for text in ("B. sulfur", "copper (A)", "B. copper", "copper, no gas")]
    [True, True, False, False]
    """
    options = read_options(question) if may_list(question) and len(answer) <= _MAX_ANSWER else ()
    if not options or not all(_option_of(text, options) for text in references):
        return False
    parts = [part.strip(_AROUND) for part in pieces(_with_pauses(answer), _SIGNS, AND | OR)]
    whole = labelled_text(answer, options) or letter_for(answer, options)
    if whole and {part for part in parts if part in dict(options)} <= {whole}:
        return False
    return len({_option_of(part, options) for part in parts} - {""}) > 1


def _with_pauses(answer: str) -> str:
    return answer.replace(". ", ";").replace(": ", ";")


def _option_of(text: str, options: Options) -> str:
    """The letter of the option that a text names by its label or by its words, else ""."""
    bare = text.strip("(). ")
    return bare if bare in dict(options) else letter_for(text, options)


def gives_other_choice(said: Sequence[str], references: Sequence[str], question: str) -> bool:
    """Whether an answer with the reference gives another choice of the question too, and little else. `said` are its
    words in lower case, without the reference.

    >>> gives_other_choice(["false"], ["true"], "Is it true or false?"), gives_other_choice(["false"], ["true"], "")
    (True, False)
    """
    choices, own = offered(question), {word for text in references for word in folded(text)}
    if choices.isdisjoint(own):
        return False
    others = choices - own
    return not others.isdisjoint(said) and others | _HOLDING >= set(said)
