"""Rows constructed from labelled ones: what must be refused though it looks right, and what must be accepted though
it is written otherwise. Everything is drawn from one fold, so that no text crosses from training to evaluation. Three
strategies are left out of training (`left_out`): they say what one that was not seen comes to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice

from embedded import blind, facts, forms, fuller, knowing, yesno
from embedded.draws import Draws, Kind
from embedded.near import near_number
from embedded.rows import Row
from hybridverify.judges.embedded.alternatives import alternatives
from hybridverify.judges.embedded.overlap import overlap, plain_words

_SAYS_ITSELF = frozenset(("two_lists", "yes_no"))
_GUESSES = frozenset(
    ("noun", "fragment", "common", "vague", "empty_words", "echo", "attack_beside", "run", "range")
)
"""Kinds that may hit the reference by chance; runs and ranges may, and stay wrong."""
_MAY_HOLD = frozenset(("run", "range"))
_TRIES = 4


def _foreign_reference(draws: Draws, row: Row) -> Row:
    return replace(row, references=draws.other(row).references)


def _foreign_answer(draws: Draws, row: Row) -> str:
    return draws.other(row).response


def _replaced(draws: Draws, row: Row) -> str | None:
    """The right text in its place in the response is put out by another of the same type."""
    here = [
        text
        for text in alternatives(row.references)
        if len(text) > 2 and text.casefold() in row.response.casefold()
    ]
    if not here:
        return None
    old = max(here, key=len)
    new = near_number(old, draws.rng) if draws.rng.random() < 0.4 else None
    new = new or draws.foreign(row)
    changed = re.sub(re.escape(old), lambda match: new, row.response, flags=re.IGNORECASE)
    left = max(overlap(text, changed, row.question).nearness for text in alternatives(row.references))
    return changed if left < 1.0 else None  # another spelling, or another of several right answers


def _near_name(draws: Draws, row: Row) -> str | None:
    """Another first name, another surname, or another middle word."""
    own, foreign = draws.short(row).split(), draws.short(draws.other(row)).split()
    if not 2 <= len(own) <= 4 or len(foreign) < 2:
        return None
    at = draws.rng.choice((0, len(own) - 1))
    own[at] = foreign[0] if at == 0 else foreign[-1]
    return " ".join(own)


def _foreign_short(draws: Draws, row: Row) -> str | None:
    """Another answer of the like in a form of right answers."""
    other = replace(row, references=(draws.foreign(row),))
    kind = draws.rng.choice(
        [kind for kind in forms.KINDS if kind.name in ("with_noun", "in_question", "placed")]
    )
    found = kind.make(draws, other)
    return found if isinstance(found, str) else None


OWN = (
    Kind("foreign_reference", False, 1.6, _foreign_reference),
    Kind("foreign_answer", False, 0.8, _foreign_answer),
    Kind("replaced", False, 3.0, _replaced),
    Kind("near_name", False, 1.0, _near_name),
    Kind("foreign_short", False, 1.6, _foreign_short),
)
KINDS = (*OWN, *blind.KINDS, *knowing.KINDS, *facts.KINDS, *forms.KINDS, *fuller.KINDS, *yesno.KINDS)
LEFT_OUT = (*blind.LEFT_OUT, *knowing.LEFT_OUT)


class Maker:
    """Makes rows from the rows of one fold."""

    def __init__(self, rows: Sequence[Row], seed: int) -> None:
        self._draws = Draws(rows, seed)

    def rows(self, draws: int) -> Iterable[Row]:
        """`draws` rounds over all right rows; each round makes at most one row from each."""
        weights = [kind.weight for kind in KINDS]
        for _ in range(draws):
            for row in self._draws.right:
                for kind in self._draws.rng.choices(KINDS, weights, k=_TRIES):
                    made = self._made(kind, row)
                    if made is not None:
                        yield replace(made, origin=f"made:{kind.name}")
                        break

    def left_out(self, count: int) -> Iterable[Row]:
        """Rows of the strategies that training never sees."""
        for kind in LEFT_OUT:
            order = self._draws.rng.sample(self._draws.right, len(self._draws.right))
            found = (made for row in order if (made := self._made(kind, row)) is not None)
            for made in islice(found, count):
                yield replace(made, origin=f"test:left:{kind.name}")

    def _made(self, kind: Kind, row: Row) -> Row | None:
        found = kind.make(self._draws, row)
        if found is None or found == "":
            return None
        made = replace(row, response=found) if isinstance(found, str) else found
        label = made.label if kind.name in _SAYS_ITSELF else kind.label
        if not label and (_is_right(made) or (kind.name in _GUESSES - _MAY_HOLD and _holds(made))):
            return None
        return replace(made, label=label)


_FRAME = re.compile(
    r"\\boxed\{|\}|</?answer>|####|\*\*|^(?:The answer is|The answer is:|It is|It was|I think it is|I think:|Answer:)\s"
)


def _is_right(row: Row) -> bool:
    """Whether a constructed answer is the reference after all."""
    said = plain_words(_FRAME.sub(" ", row.response))
    same = row.response.strip() in row.references
    return same or any(
        plain_words(text) == said for text in alternatives(row.references) if plain_words(text)
    )


def _holds(row: Row) -> bool:
    return any(
        overlap(text, row.response, row.question).placed in ("same", "early", "late")
        for text in alternatives(row.references)
    )
