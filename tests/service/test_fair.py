"""The order in which waiting rows are served."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hybridverify.service.fair import FairQueue


def test_a_single_row_is_not_queued_after_ten_thousand() -> None:
    queue: FairQueue[str] = FairQueue(grain=8)
    queue.push(["long"] * 10_000)
    queue.push(["other"] * 10_000)
    queue.take(8)
    queue.push(["short"])
    assert queue.take(8, whole=True) == ["short"]


def test_a_long_request_advances_beside_any_number_of_short_ones() -> None:
    queue: FairQueue[str] = FairQueue(grain=8)
    queue.push(["long"] * 64)
    served: list[str] = []
    for _ in range(200):
        queue.push(["short"])
        served += queue.take(8, whole=True)
    assert served.count("long") == 64
    assert "long" in served[:40]


def test_two_long_requests_take_turns() -> None:
    queue: FairQueue[str] = FairQueue(grain=2)
    queue.push("aaaaaa")
    queue.push("bbbbbb")
    assert "".join(queue.take(12)) == "aabbaabbaabb"


def test_rows_that_come_later_stand_behind_those_of_their_request() -> None:
    queue: FairQueue[str] = FairQueue(grain=2)
    entry = queue.push("ab")
    queue.push("xy")
    queue.push("cd", entry)
    assert "".join(queue.take(6)) == "abxycd"


def test_dropped_rows_are_not_served() -> None:
    queue: FairQueue[str] = FairQueue(grain=2)
    entry = queue.push("abcd")
    queue.push("x")
    queue.take(1, whole=True)
    queue.take(2)
    assert queue.drop(entry) == 2
    assert (len(queue), queue.take(9)) == (0, [])


@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 12)), max_size=40), st.integers(1, 9), st.booleans()
)
def test_every_row_is_served_once_and_in_its_own_order(
    steps: list[tuple[int, int]], grain: int, whole: bool
) -> None:
    queue: FairQueue[tuple[int, int]] = FairQueue(grain)
    served: list[tuple[int, int]] = []
    for request, (rows, taken) in enumerate(steps):
        queue.push((request, row) for row in range(rows))
        got = queue.take(taken, whole) if taken else []
        assert len(got) <= taken
        served += got
    while len(queue):
        served += queue.take(grain, whole)
    assert sorted(served) == [
        (request, row) for request, (rows, _) in enumerate(steps) for row in range(rows)
    ]
    for request in range(len(steps)):
        own = [row for of, row in served if of == request]
        assert own == sorted(own)
