"""Prepared features on a device, in batches."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import Tensor

FIRST_TEXT_ID = 100  # below stand the hints


class Rows:
    """The features on the device; `batch` pads what it is asked for."""

    def __init__(self, folder: Path, device: str, hints: bool) -> None:
        found = np.load(folder / "features.npz")
        ids, lengths = found["ids"].astype(np.int64), found["lengths"].astype(np.int64)
        seconds = found["seconds"].astype(np.int64)
        if not hints:
            owner = np.repeat(np.arange(len(lengths)), lengths)
            drop = (ids > 0) & (ids < FIRST_TEXT_ID)
            gone = np.bincount(owner[drop], minlength=len(lengths))
            ids, lengths, seconds = ids[~drop], lengths - gone, seconds - gone
        first, last, self._no_hint = (int(value) for value in found["hints"])
        self._hints = slice(
            first, last
        )  # their place in a row, and what blanks them: judges/embedded/model.py
        self.lengths = lengths
        self.labels, self.folds = found["labels"], found["folds"]
        self.origins = found["origins"].astype(str)
        put = lambda array: torch.from_numpy(array).to(device)  # noqa: E731
        self._ids = put(np.concatenate([ids, [0]]))
        self._starts, self._lengths = put(np.concatenate([[0], np.cumsum(lengths)[:-1]])), put(lengths)
        self._seconds = put(seconds)
        self.device = device

    def batch(self, rows: np.ndarray, hint_drop: float = 0.0) -> tuple[Tensor, Tensor, Tensor]:
        """ids, token types, mask."""
        at = torch.from_numpy(rows).to(self.device)
        width = int(-(-int(self.lengths[rows].max()) // 8) * 8)
        column = torch.arange(width, device=self.device)[None, :]
        mask = column < self._lengths[at][:, None]
        ids = self._ids[torch.where(mask, self._starts[at][:, None] + column, len(self._ids) - 1)]
        if hint_drop:
            ids[torch.rand(len(at), device=self.device) < hint_drop, self._hints] = self._no_hint
        types = ((column >= self._seconds[at][:, None]) & mask).long()
        return ids, types, mask
