"""Questions, references and answers from a small grammar of our own: what the labelled sets have few of. Explanations,
definitions, two events beside one another, lists, days, titles, numbered names. Each scene makes right
answers in other words and wrong ones with one thing other. All names are made of syllables."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

from embedded import scenes_named as named
from embedded import scenes_placed as placed
from embedded import scenes_things as things
from embedded import scenes_told as told
from embedded.phrases import texts
from embedded.rows import Row
from embedded.scene_words import Scene

_SCENES: tuple[Callable[[random.Random], Scene], ...] = (
    *[told.craft] * 3,
    *[told.cause] * 2,
    *[things.definition] * 2,
    *[told.ballad] * 2,
    *[placed.events] * 2,
    placed.moved,
    *[named.deed] * 2,
    named.numbered,
    placed.day,
    named.pair,
    *[things.thing] * 2,
    things.title,
    things.plant,
    things.measure,
    *[placed.site] * 2,
)

_FRAMES = texts("scenes", "frames")


def rows(count: int, fold: int, seed: int) -> Iterable[Row]:
    """`count` scenes, of each two right and two wrong answers."""
    rng = random.Random(seed)
    for _ in range(count):
        make = rng.choice(_SCENES)
        question, reference, right, wrong = make(rng)
        question = question if rng.random() < 0.7 else question.rstrip("?").lower()
        for label, said in ((True, right), (False, wrong)):
            for text in rng.sample(said, min(2, len(said))):
                framed = (
                    rng.choice(_FRAMES).format(text) if text[-1] not in '.!"' and "{" not in text else text
                )
                yield Row(question, (reference,), framed, label, f"made:scene_{make.__name__}", fold)
