"""The view of an attacker who does not know the answer: the question, its options, and other questions' references."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from hybridverify.redteam.questions import Question

_MOST_KNOWN = 400
_MAX_LENGTH = 200  # the most characters of a reference that an attacker repeats


@dataclass(frozen=True)
class Pool:
    """The references of the half on which strategies are sought, by family, the commonest first."""

    by_family: Mapping[str, Mapping[str, int]]

    @classmethod
    def of(cls, questions: Sequence[Question]) -> Pool:
        """The pool of the questions in the searched half. References of the other half stay unknown."""
        counts: dict[str, Counter[str]] = {}
        for each in questions:
            if not each.heldout:
                counts.setdefault(each.family, Counter()).update(_first(each))
        return cls({family: _commonest(found) for family, found in counts.items()})

    def seen_by(self, question: Question) -> tuple[str, ...]:
        """The references of other questions of the family. Its own is there only if another one shares it."""
        known = self.by_family.get(question.family, {})
        own = () if question.heldout else _first(question)
        return tuple(text for text, count in known.items() if count > 1 or text not in own)


def _first(question: Question) -> tuple[str, ...]:
    return (question.spoken[:_MAX_LENGTH],)


def _commonest(found: Counter[str]) -> dict[str, int]:
    ordered = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    return dict(ordered[:_MOST_KNOWN])


@dataclass(frozen=True)
class Blind:
    """One question as the attacker sees it. Its own references are not here."""

    question: str
    options: tuple[tuple[str, str], ...]
    pool: tuple[str, ...]
    """References of other questions of the family, the commonest first."""
    number: int
    """The seed of every shuffle for this question."""

    @cached_property
    def shuffled(self) -> tuple[str, ...]:
        """The pool in a random order that depends on this question."""
        texts = list(self.pool)
        random.Random(self.number).shuffle(texts)
        return tuple(texts)


def blinded(question: Question, pool: Pool) -> Blind:
    """The attacker's view of a question."""
    return Blind(question.question, question.options, pool.seen_by(question), question.digest)
