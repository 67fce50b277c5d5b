"""Work on the event loop: in bites of a bounded time, with others in between."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from hybridverify.service.turns import BITE_S, Turns


class Costly:
    """Rows that cost what they say, on a clock of their own."""

    def __init__(self) -> None:
        self.now = 0.0
        self.bites: list[list[float]] = []

    def work(self, rows: Sequence[float]) -> None:
        self.bites.append(list(rows))
        self.now += sum(rows)


async def worked_on(rows: Sequence[float], single: float | None = None) -> list[list[float]]:
    costly = Costly()
    turns = Turns(costly.work, 8, lambda: costly.now)
    turns.add(rows)
    if single is not None:
        turns.add([single])
    while sum(map(len, costly.bites)) < len(rows) + (single is not None):
        await asyncio.sleep(0)
    return costly.bites


def test_cheap_rows_are_taken_together() -> None:
    bites = asyncio.run(worked_on([BITE_S / 100] * 24))
    assert [len(bite) for bite in bites] == [8, 8, 8]


def test_costly_rows_are_taken_one_by_one_once_they_are_known() -> None:
    bites = asyncio.run(worked_on([BITE_S * 2] * 12))
    assert [len(bite) for bite in bites] == [8, 1, 1, 1, 1]


def test_bites_grow_again_when_rows_are_cheap() -> None:
    bites = [len(bite) for bite in asyncio.run(worked_on([BITE_S] * 8 + [BITE_S / 100] * 60))]
    assert bites[:2] == [8, 1]
    assert bites == [bites[0], *sorted(bites[1:-1]), bites[-1]]
    assert max(bites[1:]) == 8


def test_a_single_row_waits_for_no_batch() -> None:
    bites = asyncio.run(worked_on([BITE_S] * 40, single=0.0))
    assert [0.0] in bites[:2]


def test_rows_that_cannot_be_worked_on_stop_no_others() -> None:
    done: list[int] = []

    def work(rows: Sequence[int]) -> None:
        if 3 in rows:
            raise ValueError
        done.extend(rows)

    async def run() -> None:
        turns = Turns(work, 4)
        turns.add(range(8))
        while len(done) < 4:
            await asyncio.sleep(0)

    asyncio.run(run())
    assert done == [4, 5, 6, 7]
