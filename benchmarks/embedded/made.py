"""Rows constructed from labelled ones: what must be refused though it looks right, and what must be accepted though
it is written otherwise. Everything is drawn from one fold, so that no text crosses from training to evaluation."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from embedded.attacks import attack, refusal
from embedded.near import near_number, type_of
from embedded.reworded import reworded
from embedded.rows import Row
from hybridverify.judges.embedded.alternatives import alternatives
from hybridverify.judges.embedded.overlap import overlap, plain_words

_NUMBER = re.compile(r"\d+")
_SENTENCES = (
    "The answer is {}.",
    "It is {}.",
    "It was {}.",
    "{}.",
    "I believe it is {}.",
    "That would be {}.",
    "Answer: {}",
)
_DENIALS = (
    "It is not {}.",
    "Not {}",
    "It was never {}.",
    "Certainly not {}.",
    "Anything but {}.",
    "{} is wrong.",
    "The answer isn't {}.",
)
_HEDGES = (
    "{} or {}",
    "Either {} or {}.",
    "It might be {}, but {} is possible too.",
    "Perhaps {}, perhaps {}.",
    "{} / {}",
    "One of: {}, {}",
)
_INSTEAD = (
    "{1}, not {0}",
    "It is {1} rather than {0}.",
    "Not {0} but {1}.",
    "Many people say {0}, but the answer is {1}.",
    "Unlike {0}, {1} is right.",
)


class Maker:
    """Makes rows from the rows of one fold."""

    def __init__(self, rows: Sequence[Row], seed: int) -> None:
        self._rng = random.Random(seed)
        self._right = [row for row in rows if row.label]
        self._by_question: dict[str, list[Row]] = defaultdict(list)
        for row in self._right:
            self._by_question[row.question].append(row)
        self._of_type: dict[str, list[Row]] = defaultdict(list)
        for row in self._right:
            self._of_type[type_of(row)].append(row)

    def rows(self, draws: int) -> Iterable[Row]:
        """`draws` rounds over all right rows; each round makes at most one row of one kind from each."""
        kinds: list[tuple[str, bool, Callable[[Row], str | Row | None], float]] = [
            ("foreign_reference", False, self._foreign_reference, 2.0),
            ("foreign_answer", False, self._foreign_answer, 1.0),
            ("replaced", False, self._replaced, 2.5),
            ("near_number", False, self._near_number, 1.5),
            ("near_name", False, self._near_name, 1.0),
            ("denied", False, self._denied, 0.6),
            ("hedged", False, self._hedged, 1.0),
            ("listed", False, self._listed, 0.5),
            ("instead_of", False, self._instead_of, 0.6),
            ("attack", False, lambda row: attack(self._rng), 2.0),
            ("refusal", False, lambda row: refusal(self._rng), 0.3),
            ("echo", False, self._echo, 0.6),
            ("reworded", True, self._reworded, 2.5),
            ("instead", True, self._instead, 0.6),
        ]
        weights = [weight for *_, weight in kinds]
        for _ in range(draws):
            for row in self._right:
                name, label, make, _ = self._rng.choices(kinds, weights)[0]
                found = make(row)
                if isinstance(found, str):
                    found = replace(row, response=found)
                if found is not None and (label or not _is_right(found)):
                    yield replace(found, label=label, origin=f"made:{name}")

    def _other(self, row: Row, same_type: bool = True) -> Row:
        pool = self._of_type[type_of(row)] if same_type and self._rng.random() < 0.8 else self._right
        for _ in range(20):
            other = self._rng.choice(pool)
            if other.question != row.question:
                break
        return other

    def _short(self, row: Row) -> str:
        """One spelling of a row's reference: the one its answer used, as far as that is short."""
        texts = [text for text in alternatives(row.references) if len(text) < 60]
        if not texts:
            return alternatives(row.references)[0][:100]
        best = max(texts, key=lambda text: overlap(text, row.response).nearness)
        return best if self._rng.random() < 0.6 else self._rng.choice(texts)

    def _foreign_reference(self, row: Row) -> Row:
        return replace(row, references=self._other(row).references)

    def _foreign_answer(self, row: Row) -> str:
        return self._other(row).response

    def _replaced(self, row: Row) -> str | None:
        """The right text in its place in the response is put out by another of the same type."""
        here = [
            text
            for text in alternatives(row.references)
            if len(text) > 2 and text.casefold() in row.response.casefold()
        ]
        if not here:
            return None
        old = max(here, key=len)
        new = near_number(old, self._rng) if self._rng.random() < 0.5 else None
        new = new or self._short(self._other(row))
        changed = re.sub(re.escape(old), lambda match: new, row.response, flags=re.IGNORECASE)
        left = max(overlap(text, changed, row.question).nearness for text in alternatives(row.references))
        return changed if left < 1.0 else None  # another spelling, or another of several right answers

    def _near_number(self, row: Row) -> Row | str | None:
        short = self._short(row)
        changed = near_number(short, self._rng)
        if changed is None:
            return None
        if self._rng.random() < 0.5:
            return self._rng.choice(_SENTENCES).format(changed) if self._rng.random() < 0.5 else changed
        return replace(row, references=(changed,), response=self._sentence(short))

    def _near_name(self, row: Row) -> str | None:
        """Another first name, another surname, or another middle word."""
        own, foreign = self._short(row).split(), self._short(self._other(row)).split()
        if not 2 <= len(own) <= 4 or len(foreign) < 2:
            return None
        at = self._rng.choice((0, len(own) - 1))
        own[at] = foreign[0] if at == 0 else foreign[-1]
        return self._sentence(" ".join(own))

    def _denied(self, row: Row) -> str:
        return self._rng.choice(_DENIALS).format(self._short(row))

    def _hedged(self, row: Row) -> str:
        both = [self._short(row), self._short(self._other(row))]
        self._rng.shuffle(both)
        return self._rng.choice(_HEDGES).format(*both)

    def _listed(self, row: Row) -> str:
        if (
            self._rng.random() < 0.4
            and (numbers := _NUMBER.findall(self._short(row)))
            and len(numbers[0]) < 3
        ):
            low = max(0, int(numbers[0]) - self._rng.randint(0, 5))
            return ", ".join(str(low + step) for step in range(self._rng.randint(6, 12)))
        texts = [self._short(row), *(self._short(self._other(row)) for _ in range(self._rng.randint(2, 5)))]
        self._rng.shuffle(texts)
        return ", ".join(texts)

    def _instead_of(self, row: Row) -> str:
        return self._rng.choice(_INSTEAD).format(self._short(row), self._short(self._other(row)))

    def _instead(self, row: Row) -> str:
        return self._rng.choice(_INSTEAD).format(self._short(self._other(row)), self._short(row))

    def _echo(self, row: Row) -> str:
        question = row.question.rstrip("?")
        return self._rng.choice(
            (
                question,
                f"{question}?",
                f"The question is: {question}.",
                f"I was asked {question}",
                f"{question} is what we need to find.",
            )
        )

    def _reworded(self, row: Row) -> Row | str | None:
        texts = alternatives(row.references)
        if self._rng.random() < 0.5:
            return self._sentence(reworded(self._short(row), row.question, self._rng))
        mine = self._rng.choice(self._by_question[row.question])  # another right answer to the same question
        if len(mine.response) < 60 and len(texts) > 1:  # against one spelling only
            return replace(row, references=(self._short(row),), response=mine.response)
        return (
            replace(mine, references=tuple(self._rng.sample(texts, len(texts)))) if len(texts) > 1 else None
        )

    def _sentence(self, text: str) -> str:
        return self._rng.choice(_SENTENCES).format(text) if self._rng.random() < 0.4 else text


def _is_right(row: Row) -> bool:
    """Whether a constructed answer is the reference after all."""
    same = row.response.strip() in row.references
    return same or any(
        plain_words(text) == plain_words(row.response) for text in alternatives(row.references)
    )
