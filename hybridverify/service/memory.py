"""Memory of large requests goes back to the system. Left alone, it stays with a serving process for ever."""

from __future__ import annotations

import contextlib

ALONE_BYTES = 1 << 20
"""A block of this size or more is mapped by itself, and unmapped when it is freed. Usual requests are smaller."""
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""Numbers of the parameters in glibc's malloc.h."""


def return_large_blocks() -> None:
    """Fix the size from which blocks are mapped by themselves. glibc raises it with each large block that is freed, up
    to 32 MiB; bodies of requests then lie between other blocks, and what they leave are holes. On systems with another
    libc nothing happens."""
    with contextlib.suppress(ImportError, OSError, TypeError, AttributeError):  # no ctypes, or another libc
        import ctypes

        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_MMAP_THRESHOLD, ALONE_BYTES)
        mallopt(_TRIM_THRESHOLD, ALONE_BYTES)
