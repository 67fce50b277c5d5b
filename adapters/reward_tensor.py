"""Scores in the form that verl's trainers read. The only module of the managers that needs torch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch


def reward_tensor(responses: Any, lengths: Sequence[int], rewards: Sequence[float]) -> Any:
    """A float32 tensor of the shape of `responses`, (rows, longest response): zero except for the last valid token.
    An empty response has none. (verl's own code writes at index -1 for an empty response, the last pad.)"""
    last = np.asarray(lengths, dtype=np.int64) - 1
    said = np.flatnonzero(last >= 0)
    # NumPy, because index_put of torch wakes all its threads for these few numbers: 5 to 30 ms a batch.
    tensor = np.zeros(tuple(responses.shape), dtype=np.float32)
    tensor[said, last[said]] = np.asarray(rewards, dtype=np.float32)[said]
    return torch.from_numpy(tensor).to(responses.device)
