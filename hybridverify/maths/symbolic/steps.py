"""How much work sympy may do for one answer, counted in steps that are the same on every machine.

Sympy keeps the results of its basic operations in caches, which count how often they are asked. Over proofs of all
kinds these counts go with processor time within a factor of two, and cost nothing. So a proof that needs too much
ends as `limit` on a fast machine as on a slow or a busy one, long before the worker's deadline.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator

from sympy.core import cache, random

from hybridverify.maths.limits import Limit

MAX_STEPS = 20_000
"""About a third of a second on a processor of 2020."""
LOOK_S = 0.02
"""Processor time between two looks at the count."""


class OutOfSteps(BaseException):
    """Raised from a timer within sympy. No `Exception`, since sympy catches those."""


def steps() -> int:
    """Basic operations since the caches were cleared."""
    counts = (function.cache_info() for function in cache.CACHE)
    return sum(count.hits + count.misses for count in counts)


@contextlib.contextmanager
def bounded(interrupt: bool) -> Iterator[None]:
    """Raise Limit when the block takes more than MAX_STEPS; it begins with empty caches and a fixed seed.

    Whether it does is decided by the count alone. `interrupt`, for worker processes, breaks off a block that goes on
    and on: a signal, which belongs to nobody else there.
    """
    cache.clear_cache()
    random.seed(0)  # the order of sympy's deductions, and the points at which it tries a difference
    try:
        with _looking() if interrupt else contextlib.nullcontext():
            yield
    except OutOfSteps:
        raise Limit("limit") from None
    if steps() > MAX_STEPS:
        raise Limit("limit")


@contextlib.contextmanager
def _looking() -> Iterator[None]:
    def look(*_: object) -> None:
        if steps() > MAX_STEPS:
            raise OutOfSteps

    before = signal.signal(signal.SIGVTALRM, look)
    signal.setitimer(signal.ITIMER_VIRTUAL, LOOK_S, LOOK_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        signal.signal(signal.SIGVTALRM, before)
