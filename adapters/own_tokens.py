"""Which tokens of a response the model wrote itself. Text of tools between them is not the model's answer.

verl's masks tell: `response_mask` of the agent loops, `loss_mask` of the multi-turn rollouts up to 0.5.0, which
covers the prompt as well.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from hybridverify.adapters.decoding import decoded

from hybridverify.errors import ConfigError

logger = logging.getLogger(__name__)

AUTO = "auto"
MASKS = ("response_mask", "loss_mask")
GAP = "\n"
"""Replaces the text that is left out. Without it the 4 before a call and the 2 after it would be read as 42."""


def check_setting(drop: Any) -> None:
    """Raises ConfigError for a wrong value of `drop_tool_tokens`."""
    if not isinstance(drop, bool) and drop != AUTO:
        raise ConfigError(f"drop_tool_tokens: expected auto, true or false, got {drop!r}")


def own_texts(
    tokenizer: Any, rows: Sequence[Any], masks: Sequence[Any], drop: bool | str
) -> tuple[list[str], int]:
    """The text of each row of ids, and how many texts differ from those with the tools' tokens.

    `auto` uses a mask only if it marks some of a row's tokens and not all. `true` uses every mask, also one that
    marks nothing.
    """
    if drop is False or not masks:
        return decoded(tokenizer, rows), 0
    marked = {i: own for i, row in enumerate(rows) if (own := _own(masks, i, len(row), drop)) is not None}
    if not marked:
        return decoded(tokenizer, rows), 0
    pieces = {i: _runs(rows[i], own) for i, own in marked.items()}
    parts = iter(decoded(tokenizer, [piece for row in pieces.values() for piece in row]))
    whole = decoded(tokenizer, rows)
    texts = list(whole)
    for i, row in pieces.items():
        texts[i] = GAP.join(next(parts) for _ in row)
    return texts, sum(text != before for text, before in zip(texts, whole, strict=True))


class CutRows:
    """Counts the rows of a process that are graded without the text of tools. The first is logged."""

    def __init__(self) -> None:
        self.rows = 0

    def add(self, rows: int) -> None:
        if rows and not self.rows:
            logger.warning(
                "text of tools in responses is not graded, because their mask marks it; drop_tool_tokens=false "
                "grades it as well. Logged once for each process"
            )
        self.rows += rows


def masks_of(data: Any, part: slice, width: int) -> list[Any]:
    """The masks of a part of a batch, cut to the places of the response. A mask that is shorter is not used."""
    names = [name for name in MASKS if name in data.batch.keys()]  # noqa: SIM118 - of a TensorDict
    found = [array(data.batch[name][part]) for name in names]
    return [mask[:, mask.shape[-1] - width :] != 0 for mask in found if mask.shape[-1] >= width]


def _own(masks: Sequence[Any], row: int, count: int, drop: bool | str) -> Any:
    """Which tokens of a row are the model's own; None if all are, or there is no mask."""
    said = [part for mask in masks if not (part := mask[row][:count]).all()]  # nearly always None
    if drop == AUTO:
        said = [part for part in said if part.any()]
    if not said:
        return None
    own = np.logical_and.reduce(said)
    return None if drop == AUTO and not own.any() else own


def _runs(ids: Any, own: Any) -> list[Any]:
    """The stretches of ids that stand together.

    >>> [run.tolist() for run in _runs(np.array([5, 6, 7, 8]), np.array([True, False, True, True]))]
    [[5], [7, 8]]
    """
    edges = np.flatnonzero(np.diff(own)) + 1
    bounds = [0, *edges.tolist(), len(ids)]
    return [ids[start:end] for start, end in pairwise(bounds) if end > start and own[start]]


def array(tensor: Any) -> Any:
    """The tensor as a NumPy array, wherever it lies."""
    return np.asarray(tensor.cpu() if hasattr(tensor, "cpu") else tensor)
