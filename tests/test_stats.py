"""Counters add up exactly, whoever adds and whenever they are read."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from hybridverify.pipeline.stats import Stats


def test_counts_of_many_threads_add_up_while_they_are_read() -> None:
    stats = Stats()

    def work(number: int) -> float:
        for _ in range(1000):
            stats.add("rules", correct=1, seconds=0.5)
            stats.add(f"judge {number % 2}", asked=number)
        return stats.snapshot()["rules"]["correct"]

    with ThreadPoolExecutor(8) as threads:
        seen = list(threads.map(work, range(8)))
    assert stats.snapshot() == {
        "rules": {"correct": 8000, "seconds": 4000.0},
        "judge 0": {"asked": 12000},
        "judge 1": {"asked": 16000},
    }
    assert all(1000 <= count <= 8000 for count in seen)


def test_a_count_of_nothing_is_listed_and_a_snapshot_is_a_copy() -> None:
    stats = Stats()
    stats.add("samples", graded=0, ungraded=2)
    before = stats.snapshot()
    stats.add("samples", graded=1)
    assert before == {"samples": {"graded": 0, "ungraded": 2}}
    assert stats.snapshot() == {"samples": {"graded": 1, "ungraded": 2}}
