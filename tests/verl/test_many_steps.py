"""A long run leaves nothing behind: no memory, no threads, no open files."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Write, scripted
from hybridverify.adapters.grader import MAX_RUNNING
from releases import VERSION, LoopWorker, classic_manager, compose, manager_overrides
from toy import batch_of

STEPS, WARM_STEPS, ROWS = 430, 270, 32
"""Half of the rows bring a new text to caches that keep 4,096 of them: these are full after the warm steps."""
MAX_GROWTH_MIB = 8
"""Measured: 4. A kilobyte kept of each row would be 5 MiB more, a batch of each step 19."""


POOL = "hybridverify-batcher"
"""Threads that come as batches overlap, up to MAX_RUNNING: how many there are follows the load."""
FILES_OF_ONE = 4
"""What a thread of the pool may keep open: the cache's connection (data, log, index) and one more."""

pytestmark = pytest.mark.skipif(
    VERSION not in ((0, 7, 0), (0, 9, 1)), reason="what we hold is the same everywhere"
)


def footprint() -> tuple[int, int, int, float]:
    """Threads of the pool and others, open files, MiB of resident memory."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    names = [thread.name for thread in threading.enumerate()]
    return (
        names.count(POOL),
        len(names) - names.count(POOL),
        len(os.listdir("/proc/self/fd")),
        pages * os.sysconf("SC_PAGE_SIZE") / 2**20,
    )


def check_steps(step: Callable[[Any], Any], tokenizer: Any) -> None:
    """Every step brings rows that were never seen: of four, a rule decides two and the judge two."""
    earlier = footprint()[0]  # threads of other tests, which end when their pool is collected
    before = (0, 0, 0, 0.0)
    for number in range(STEPS):
        rows = [
            ("What is it?", f"It makes #### {number}{i}", f"{number}{i % 2}{i}"[-4:])
            if i % 2
            else ("Who?", f"The author is number {number} of {i}", "Bard")
            for i in range(ROWS)
        ]
        step(batch_of(tokenizer, rows))
        if number == WARM_STEPS:
            before = footprint()
    after = footprint()
    assert after[0] - earlier <= MAX_RUNNING
    assert after[1] <= before[1]
    assert after[2] <= before[2] + FILES_OF_ONE * max(0, after[0] - before[0])
    assert after[3] - before[3] < MAX_GROWTH_MIB


@pytest.fixture
def options(config_file: Write, tmp_path: Path) -> dict[str, Any]:
    settings = {"policy": "addon", "judges": [scripted("True")], "cache": {"path": str(tmp_path / "cache")}}
    return {"config_file": config_file(settings)}


def test_four_hundred_steps_of_the_classic_manager(
    tokenizer_folder: Any, tokenizer: Any, options: dict[str, Any]
) -> None:
    manager = classic_manager(compose(tokenizer_folder, manager_overrides(options)), tokenizer, options)
    check_steps(lambda batch: manager(batch, return_dict=True), tokenizer)


def test_four_hundred_steps_of_the_reward_worker(
    tokenizer_folder: Any, tokenizer: Any, options: dict[str, Any]
) -> None:
    worker = LoopWorker(compose(tokenizer_folder, manager_overrides(options)))
    check_steps(worker.score, tokenizer)
