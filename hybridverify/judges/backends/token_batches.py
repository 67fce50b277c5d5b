"""Which prompts go through a model together: pure arithmetic on lists of token ids, no engine.

What several prompts begin with is read once: first what all of them share (a judge's instructions), then what
the prompts of one family share (the question, for all candidates of one group).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

MIN_SHARED = 32
"""A shorter beginning saves less than it costs to copy its keys and values."""
_KEPT = 0.8
"""A prompt joins a family as long as all of them keep so much of what they share with their nearest."""

Prompts = Sequence[list[int]]


@dataclass(frozen=True)
class Family:
    """Places of prompts that begin alike; `stem` is how many tokens of each are read once for all."""

    places: tuple[int, ...]
    stem: int


def common_prefix(prompts: Prompts) -> int:
    """How many tokens all prompts begin with, one token of each left over: a forward pass needs one.

    >>> common_prefix([[1, 2, 3], [1, 2, 4, 5]]), common_prefix([[1, 2], [1, 2, 3]]), common_prefix([])
    (2, 1, 0)
    """
    if not prompts:
        return 0
    return _shared(
        min(prompts), max(prompts), min(map(len, prompts)) - 1
    )  # sorted, these two differ earliest


def families(prompts: Prompts, base: int = 0, least: int = MIN_SHARED) -> list[Family]:
    """Prompts grouped by what they share beyond the first `base` tokens; those alone have the rest as stem.

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
    """Places of prompts that go together: families side by side, the longest first, so that what does not fit
    in memory shows at once; prompts without a family come last.

    A batch has at most `batch_size` prompts and, padding and `more` tokens of reply included, at most
    `max_tokens` tokens; a prompt that is longer than that goes alone.
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
    """Whether a prompt that shares so much with the last member may join."""
    return len(family.places) < 2 or shared >= _KEPT * family.stem


def _shared_by(one: Sequence[int], other: Sequence[int]) -> int:
    return _shared(one, other, min(len(one), len(other)) - 1)


def _shared(one: Sequence[int], other: Sequence[int], end: int) -> int:
    return next((place for place in range(end) if one[place] != other[place]), max(0, end))
