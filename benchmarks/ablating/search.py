"""Which entries are needed: all are removed at once, and what then changes leads to those that must come back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ablating.trials import Id

Changed = Callable[[Sequence[str], dict[Id, Any]], set[Id]]
"""The cases and rows that end differently without these entries."""


def needed(
    entries: Sequence[str], base: Sequence[str], expected: dict[Id, Any], changed: Changed
) -> dict[str, Id]:
    """Those of the entries that must stay, each with a case or row that needs it; without the rest nothing changes.

    `base` is removed all the time. Several entries for the same purpose are one: the last of them stays.
    """
    kept: dict[str, Id] = {}
    while True:
        left = [entry for entry in entries if entry not in kept]
        failing = changed([*base, *left], expected)
        if not failing:
            return kept
        if not left:
            raise ValueError("what is removed from the start is needed")
        while failing:
            kept.update(_ends(left, base, {id: expected[id] for id in failing}, changed))
            left = [entry for entry in entries if entry not in kept]
            failing = changed([*base, *left], {id: expected[id] for id in failing})


def _ends(
    entries: Sequence[str], base: Sequence[str], expected: dict[Id, Any], changed: Changed
) -> dict[str, Id]:
    """For each case, the last entry of the shortest beginning of `entries` without which it changes.

    Cases share their runs: each halves its own stretch, in which nothing has changed at the lower end yet.
    """
    found: dict[str, Id] = {}
    waiting = [(0, len(entries), expected)]
    while waiting:
        low, high, ids = waiting.pop()
        if not ids:
            continue
        if high - low == 1:
            found[entries[low]] = min(ids)
            continue
        middle = (low + high) // 2
        bad = changed([*base, *entries[:middle]], ids)
        waiting.append((low, middle, {id: ids[id] for id in bad}))
        waiting.append((middle, high, {id: result for id, result in ids.items() if id not in bad}))
    return found
