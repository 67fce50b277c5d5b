"""The keys and values of what all prompts of a judge begin with, read once and kept from call to call."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

from hybridverify.judges.backends.token_batches import MIN_SHARED, Prompts, common_prefix

_MIN_PROMPTS = 3
"""Beginnings are kept from so many prompts on: those of one or two tell little of what others will share."""


@dataclass(frozen=True)
class Prefix:
    """Token ids, and the cache of a model that has read them. Without tokens, nothing is shared."""

    ids: tuple[int, ...] = ()
    cache: Any = None

    def __len__(self) -> int:
        return len(self.ids)

    def starts(self, prompts: Prompts) -> bool:
        """Whether every prompt begins with it and goes on."""
        size = len(self.ids)
        return all(len(prompt) > size and tuple(prompt[:size]) == self.ids for prompt in prompts)

    def repeated(self, rows: int) -> Any:
        """A cache for that many rows, which decoding may write to; None where nothing is shared."""
        if not self.ids:
            return None
        cache = copy.deepcopy(self.cache)
        if rows > 1:
            cache.batch_repeat_interleave(rows)
        return cache


NOTHING = Prefix()


def prefix_length(prompts: Prompts) -> int:
    """How long a beginning of these prompts is worth keeping; 0 for none."""
    shared = common_prefix(prompts) if len(prompts) >= _MIN_PROMPTS else 0
    return shared if shared >= MIN_SHARED else 0


def shareable(model: Any, cache: Any) -> bool:
    """Whether rows may follow this cache after a gap of padding: plain attention over all positions only.

    A sliding window counts places, not positions, and a recurrent state holds no places at all.
    """
    if not all(hasattr(cache, name) for name in ("batch_repeat_interleave", "batch_select_indices")):
        return False
    layers = getattr(cache, "layers", None) or ()
    if type(cache).__name__ != "DynamicCache" or any(type(one).__name__ != "DynamicLayer" for one in layers):
        return False
    config = model.config.get_text_config() if hasattr(model.config, "get_text_config") else model.config
    return not (getattr(config, "sliding_window", None) and getattr(config, "use_sliding_window", True))
