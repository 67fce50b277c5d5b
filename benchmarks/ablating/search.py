"""Which entries are needed: all are removed at once, and what then changes leads to those that must come back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from ablating.trials import Id

Changed = Callable[[Sequence[str], dict[Id, Any]], set[Id]]
"""The cases and rows that end differently without these entries."""
Concerned = Callable[[Collection[Id]], dict[Id, set[str]]]
"""The entries that a case or row has to do with: no other one can matter to it."""


def needed(
    entries: Sequence[str],
    base: Sequence[str],
    expected: dict[Id, Any],
    changed: Changed,
    concerned: Concerned,
) -> dict[str, Id]:
    """Those of the entries that must stay, each with a case or row that needs it; without the rest nothing changes.

    `base` is removed all the time. Of several entries for the same purpose one stays.
    """
    kept: dict[str, Id] = {}
    while failing := changed([*base, *entries], expected):
        near = concerned(failing)
        while failing:
            left = [entry for entry in entries if entry not in kept]
            if not left:
                raise ValueError("what is removed from the start is needed")
            common = Counter(entry for id in failing for entry in near[id])
            left.sort(key=lambda entry: common[entry])  # rare ones first: more cases can share a run
            hunts = [
                Hunt(id, [entry for entry in left if entry in near[id]] or left) for id in sorted(failing)
            ]
            kept |= _ends(hunts, base, expected, changed)
            left = [entry for entry in entries if entry not in kept]
            failing = changed([*base, *left], {id: expected[id] for id in failing})
        entries = [entry for entry in entries if entry not in kept]
    return kept


@dataclass
class Hunt:
    """The search for one entry that a case needs: it changes without the first `high`, not without the first `low`."""

    id: Id
    entries: list[str]
    low: int = 0
    high: int = 0

    def __post_init__(self) -> None:
        self.high = len(self.entries)

    @property
    def middle(self) -> int:
        return (self.low + self.high) // 2

    @property
    def done(self) -> bool:
        return self.high - self.low <= 1


def _ends(
    hunts: Sequence[Hunt], base: Sequence[str], expected: dict[Id, Any], changed: Changed
) -> dict[str, Id]:
    """For each case, the last entry of the shortest beginning of its own without which it changes.

    Cases share a run where they do not ask for an entry to be both there and not there.
    """
    open_hunts = [hunt for hunt in hunts if not hunt.done]
    while open_hunts:
        together, removed = _compatible(open_hunts)
        bad = changed([*base, *removed], {hunt.id: expected[hunt.id] for hunt in together})
        for hunt in together:
            if hunt.id in bad:
                hunt.high = hunt.middle
            else:
                hunt.low = hunt.middle
        open_hunts = [hunt for hunt in open_hunts if not hunt.done]
    found: dict[str, Id] = {}
    for hunt in hunts:
        found.setdefault(hunt.entries[hunt.low], hunt.id)
    return found


def _compatible(hunts: Sequence[Hunt]) -> tuple[list[Hunt], list[str]]:
    together: list[Hunt] = []
    removed: set[str] = set()
    present: set[str] = set()
    for hunt in hunts:
        out, stay = set(hunt.entries[: hunt.middle]), set(hunt.entries[hunt.middle :])
        if out.isdisjoint(present) and stay.isdisjoint(removed):
            together.append(hunt)
            removed |= out
            present |= stay
    return together, sorted(removed)
