"""The keys and values of the beginning that all prompts of a judge share, read once and kept from call to call."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

from hybridverify.judges.backends.token_batches import MIN_SHARED, Prompts, common_prefix

_MIN_PROMPTS = 3
"""A beginning is kept only for batches of at least this many prompts: fewer say little about later prompts."""


@dataclass(frozen=True)
class Prefix:
    """Token ids, and the cache of a model that has read them. No tokens means that nothing is shared."""

    ids: tuple[int, ...] = ()
    cache: Any = None

    def __len__(self) -> int:
        return len(self.ids)

    def starts(self, prompts: Prompts) -> bool:
        """Whether every prompt begins with it and is longer."""
        size = len(self.ids)
        return all(len(prompt) > size and tuple(prompt[:size]) == self.ids for prompt in prompts)

    def repeated(self, rows: int) -> Any:
        """A cache for that many rows, which decoding may write to; None if nothing is shared."""
        if not self.ids:
            return None
        cache = copy.deepcopy(self.cache)
        if rows > 1:
            cache.batch_repeat_interleave(rows)
        return cache


NOTHING = Prefix()


def prefix_length(prompts: Prompts) -> int:
    """How many tokens of the beginning of these prompts are worth keeping; 0 for none."""
    shared = common_prefix(prompts) if len(prompts) >= _MIN_PROMPTS else 0
    return shared if shared >= MIN_SHARED else 0


def shareable(model: Any, cache: Any) -> bool:
    """Whether rows may follow this cache after a gap of padding. This needs plain attention over all positions: a
    sliding window counts places, not positions, and a recurrent state has no places."""
    if not all(hasattr(cache, name) for name in ("batch_repeat_interleave", "batch_select_indices")):
        return False
    layers = getattr(cache, "layers", None) or ()
    if type(cache).__name__ != "DynamicCache" or any(type(one).__name__ != "DynamicLayer" for one in layers):
        return False
    config = model.config.get_text_config() if hasattr(model.config, "get_text_config") else model.config
    return not (getattr(config, "sliding_window", None) and getattr(config, "use_sliding_window", True))
