"""What a question lets one choose between, and answers that choose nothing: "true, false"."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from hybridverify.gate.fold import folded
from hybridverify.language.joining import AND, OR
from hybridverify.language.languages import ARTICLES, PREDICATES
from hybridverify.language.lexicon import entries

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
