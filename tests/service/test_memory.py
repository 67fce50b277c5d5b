"""What a large request held goes back to the system."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

WORK = """
import sys
from hybridverify.service.memory import return_large_blocks
if sys.argv[1] == "mended":
    return_large_blocks()
def held():
    return int(open("/proc/self/statm").read().split()[1]) * 4096 >> 20
def bodies(size):
    made = [(b"x" * size, b"y" * 100_000) for _ in range(16)]
    return [small for _, small in made]
first = bodies(4 << 20)
kept = bodies(3 << 20)
print(held())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the parameters are glibc's")
def test_large_blocks_leave_no_holes() -> None:
    assert held("mended") + 20 < held("untouched")


def held(how: str) -> int:
    """MiB of a process that frees large blocks between small ones."""
    done = subprocess.run([sys.executable, "-c", WORK, how], capture_output=True, text=True, check=True)
    return int(done.stdout)
