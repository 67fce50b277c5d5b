"""The queue in which verl's v1 trainer (0.9.0 and later) leaves the columns of a step's rows."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any


def reward_columns(keys: Sequence[str], partition_id: str) -> list[Mapping[str, Any]]:
    """`reward_extra_info` of the rows with these keys, in order, asked for as verl's own validation does; empty for a
    row that has none."""
    queue = sys.modules["transfer_queue"]  # this process trains, so verl has loaded it
    data = queue.kv_batch_get(keys=keys, partition_id=partition_id, select_fields=["extra_fields"])
    return [(field or {}).get("reward_extra_info") or {} for field in data.pop("extra_fields").tolist()]
