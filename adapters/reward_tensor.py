"""Scores where verl's trainers look for them. The one place of the managers that needs torch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch


def reward_tensor(responses: Any, lengths: Sequence[int], rewards: Sequence[float]) -> Any:
    """float32 like `responses`, zero but for the last valid token; an empty response has none.

    verl's own assembly writes at index -1 for an empty response, the last pad.
    """
    tensor = torch.zeros_like(responses, dtype=torch.float32)
    for i, (tokens, reward) in enumerate(zip(lengths, rewards, strict=True)):
        if tokens:
            tensor[i, tokens - 1] = reward
    return tensor
