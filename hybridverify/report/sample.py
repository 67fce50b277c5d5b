"""Which rows the page holds: those that disagree, then a sample of the others, as many as fit.

The order is decided by the row's number and a fixed seed alone, so that a run that was resumed shows the same rows.
Memory is bounded by the page: a row that cannot be among those is dropped at once, before its texts are cut.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import NamedTuple, Protocol

from hybridverify.report.embed import markup_safe, plain_json, written_size
from hybridverify.report.encode import FIELDS, Names, encoded
from hybridverify.report.rows import Limits, ReportRow

MAX_BYTES = 9_500_000
"""Of the rows in the page; with the scripts and the figures it stays within 10 MB."""
MAX_ROWS = 10_000
"""With so many the page opens within a second."""
SEED = 20240229
_HELD_SHARE = (
    1.2  # of MAX_BYTES in characters: texts that rows share are written once, so that more rows may fit
)
_ROW_CHARACTERS = (1_600, 16_000)  # at least, at most
_SPARE = 1.1  # of the rows that are needed; chance never makes it short of them
_MASK = 0xFFFFFFFF

Rank = tuple[int, int]


class KeptRows(NamedTuple):
    """The rows of the page as JSON, and what is not there."""

    data: str
    rows: int
    """How many rows the page holds."""
    disagreeing: int
    """How many rows disagree, in the page or not."""
    disagreeing_kept: int
    numbers: tuple[int, ...]


class Offered(Protocol):
    """A row that may come to stand in the page: texts still whole, or cut."""

    @property
    def number(self) -> int: ...

    def size(self) -> int:
        """About how many characters it takes in the page."""

    def row(self) -> ReportRow:
        """What the page shows of it."""


class RowSample:
    """Holds the best rows so far. `expected` is how many will come; by it texts are cut."""

    def __init__(self, expected: int, max_bytes: int = MAX_BYTES) -> None:
        least, most = _ROW_CHARACTERS
        self.limits = Limits.sharing(max(least, min(most, max_bytes // max(1, expected))))
        self.disagreeing = 0
        self._max_bytes = max_bytes
        self._room = int(max_bytes * _HELD_SHARE)
        self._heap: list[tuple[int, int, int, Offered]] = []  # the worst row first
        self._worst: Rank = (1, int((_MASK + 1) * _SPARE * MAX_ROWS / max(1, expected)))
        """What ranks behind it is dropped: at first the part of the sample that cannot be needed, later the best rank
        that was ever dropped."""

    def offer(self, number: int, disagrees: bool, make: Callable[[], Offered]) -> None:
        """One more row; `make` is called only if there may be room for it."""
        self.disagreeing += disagrees
        rank = (int(not disagrees), _mixed(number))
        if rank >= self._worst:
            return
        row = make()
        size = row.size()
        self._room -= size
        heapq.heappush(self._heap, (-rank[0], -rank[1], size, row))
        while (self._room < 0 or len(self._heap) > MAX_ROWS) and self._heap:
            first, second, size, _ = heapq.heappop(self._heap)
            self._worst = (-first, -second)
            self._room += size

    def kept(self, improve: Callable[[Offered], ReportRow] = lambda held: held.row()) -> KeptRows:
        """The rows that fit, in their order. `improve` makes each row, those that disagree first."""
        names, texts = Names(), Names()
        found: list[tuple[int, str]] = []
        room, disagreeing = self._max_bytes, 0
        for first, _, _, held in sorted(self._heap, key=lambda held: (-held[0], -held[1])):
            listed = len(names.listed), len(texts.listed)
            text = plain_json(encoded(improve(held), names, texts))
            room -= written_size(text) + 1
            for new in (names.listed[listed[0] :], texts.listed[listed[1] :]):
                room -= written_size(plain_json(new)) if new else 0
            if room < 0:
                break
            found.append((held.number, text))
            disagreeing += first == 0
        found.sort()
        lists = f'"names":{plain_json(names.listed)},"texts":{plain_json(texts.listed)}'
        data = f'{{"fields":{plain_json(FIELDS)},{lists},"rows":[{",".join(text for _, text in found)}]}}'
        numbers = tuple(number for number, _ in found)
        return KeptRows(markup_safe(data), len(found), self.disagreeing, disagreeing, numbers)


def _mixed(number: int) -> int:
    """The number in a fixed, even disorder (the last steps of MurmurHash3)."""
    mixed = (number ^ SEED) & _MASK
    mixed = ((mixed ^ (mixed >> 16)) * 0x85EBCA6B) & _MASK
    mixed = ((mixed ^ (mixed >> 13)) * 0xC2B2AE35) & _MASK
    return mixed ^ (mixed >> 16)
