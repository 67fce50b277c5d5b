"""Which prompts go through a model together: pure arithmetic on lists of token ids, no engine.

Common beginnings are read once: first the beginning that all prompts share (a judge's instructions), then the one
that the prompts of a family share (the question, for all candidates of one group).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

MIN_SHARED = 32
"""Copying the keys and values of a shorter beginning costs more than reading it again."""
_KEPT = 0.8
"""A prompt joins a family only if all members keep this part of the beginning that they share with their neighbours."""

Prompts = Sequence[list[int]]


@dataclass(frozen=True)
class Family:
    """Places of prompts that begin alike. `stem` is the number of tokens that are read once for all of them."""

    places: tuple[int, ...]
    stem: int


def common_prefix(prompts: Prompts) -> int:
    """The number of tokens that all prompts begin with. One token of each is left over, because a forward pass needs
    one.

    >>> common_prefix([[1, 2, 3], [1, 2, 4, 5]]), common_prefix([[1, 2], [1, 2, 3]]), common_prefix([])
    (2, 1, 0)
    """
    if not prompts:
        return 0
    return _shared(
        min(prompts), max(prompts), min(map(len, prompts)) - 1
    )  # sorted, these two differ earliest


def families(prompts: Prompts, base: int = 0, least: int = MIN_SHARED) -> list[Family]:
    """Prompts grouped by the beginning that they share after the first `base` tokens. A prompt alone has all the rest
    as stem.

    >>> families([[1, 2, 3], [7, 8], [1, 2, 4]], least=2)
    [Family(places=(0, 2), stem=2), Family(places=(1,), stem=1)]
    """
    order = sorted(range(len(prompts)), key=prompts.__getitem__)
    shared = [_shared_by(prompts[one], prompts[other]) for one, other in pairwise(order)]
    found: list[Family] = []
    for number, place in enumerate(order):
        before = shared[number - 1] if number else 0
        after = shared[number] if number < len(shared) else 0
        if before >= max(base + least, _KEPT * after) and _takes(found[-1], before):
            found[-1] = Family((*found[-1].places, place), min(before, found[-1].stem))
        else:
            found.append(Family((place,), len(prompts[place]) - 1))
    return found


def batches(
    prompts: Prompts, groups: Sequence[Family], more: int, batch_size: int, max_tokens: int
) -> Iterator[list[int]]:
    """Places of prompts that go through the model together. Families stay together, the longest first, so that a
    batch that does not fit into memory shows at once; prompts without a family come last.

    A batch has at most `batch_size` prompts and `max_tokens` tokens, padding and `more` tokens of reply included. A
    prompt that is longer than that goes alone.
    """
    longest = {group: max(len(prompts[place]) for place in group.places) for group in groups}
    batch: list[int] = []
    widest = 0
    for group in sorted(groups, key=lambda group: (len(group.places) < 2, -longest[group])):
        for place in group.places:
            widest = max(widest, len(prompts[place]) + more)
            if batch and (len(batch) == batch_size or (len(batch) + 1) * widest > max_tokens):
                yield batch
                batch, widest = [], len(prompts[place]) + more
            batch.append(place)
    if batch:
        yield batch


def _takes(family: Family, shared: int) -> bool:
    """Whether a prompt that shares this many tokens with the last member may join."""
    return len(family.places) < 2 or shared >= _KEPT * family.stem


def _shared_by(one: Sequence[int], other: Sequence[int]) -> int:
    return _shared(one, other, min(len(one), len(other)) - 1)


def _shared(one: Sequence[int], other: Sequence[int], end: int) -> int:
    return next((place for place in range(end) if one[place] != other[place]), max(0, end))
