"""What surrounds one call of a judge's `decide`: the budget its second attempts draw on, and the ear that hears the
replies. A context variable, because judges are users' to write and one judge may serve several verifiers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from hybridverify.judges.base import Failure, Reply, Request


def _unbounded(wanted: int) -> int:
    return wanted


@dataclass(frozen=True)
class Call:
    """`reserve` says how many more prompts may be sent; `replies` collects what was said, by the request's id."""

    reserve: Callable[[int], int] = _unbounded
    replies: dict[int, str] = field(default_factory=dict)

    def heard(self, requests: Sequence[Request], replies: Sequence[Reply | Failure]) -> None:
        """Keep the text of each reply; a later one takes the place of one that could not be read."""
        for request, reply in zip(requests, replies, strict=True):
            if isinstance(reply, Reply):
                self.replies[id(request)] = "\n\n".join(reply.texts)


_CURRENT: ContextVar[Call | None] = ContextVar("hybridverify_judge_call", default=None)


def current_call() -> Call:
    """The call that is going on in this thread; without one nothing is bounded."""
    return _CURRENT.get() or Call()


@contextmanager
def calling(call: Call) -> Iterator[Call]:
    """Make `call` the current one."""
    token = _CURRENT.set(call)
    try:
        yield call
    finally:
        _CURRENT.reset(token)
