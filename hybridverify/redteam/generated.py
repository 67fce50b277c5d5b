"""Questions made by a script, with computed references, for users without a labelled file."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, Final

from hybridverify.redteam.facts import FACTS, SEVERAL
from hybridverify.redteam.generated_choice import CHOICE
from hybridverify.redteam.generated_drill import DRILL
from hybridverify.redteam.generated_stories import STORIES

Maker = Callable[[random.Random], "tuple[str, str]"]
MAKERS: Final[Mapping[str, tuple[Maker, ...]]] = {"drill": DRILL, "maths": STORIES, "choice": CHOICE}
_TRIES = 40  # tries for each wanted question before a maker counts as exhausted


def generated_rows(count: int = 1100, seed: int = 0) -> list[dict[str, Any]]:
    """`count` different questions of each family except words, and all facts: dicts with question, reference,
    data_source.

    >>> rows = generated_rows(20)
    >>> len(rows) - len(FACTS) - len(SEVERAL), sorted({row["data_source"] for row in rows})
    (60, ['choice', 'drill', 'facts', 'maths'])
    """
    rows: list[dict[str, Any]] = []
    for family, makers in MAKERS.items():
        random_ = random.Random(f"{seed} {family}")
        made: dict[str, str] = {}
        for number in range(count * _TRIES):
            if len(made) == count:
                break
            question, reference = makers[number % len(makers)](random_)
            made.setdefault(question, reference)
        rows += [{"question": q, "reference": ref, "data_source": family} for q, ref in made.items()]
    facts = [*FACTS, *((question, list(references)) for question, references in SEVERAL)]
    return rows + [{"question": q, "reference": ref, "data_source": "facts"} for q, ref in facts]
