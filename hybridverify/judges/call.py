"""The context of one call of a judge's `decide`: the budget for its second attempts, and the replies that it got.

A context variable, because users write judges of their own, and one judge may serve several verifiers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from hybridverify.errors import Fault
from hybridverify.judges.base import Backend, Failure, Prompt, Reply, Request, Sampling


def _unbounded(wanted: int) -> int:
    return wanted


@dataclass(frozen=True)
class Call:
    """`reserve` takes a number of prompts and returns how many of them may be sent. `replies` holds the text of the
    replies by the id of their request. `form` is that of the engine's requests when the cache keys were made, None if
    there are no keys; an engine that must be asked otherwise fails with Fault.FORM."""

    reserve: Callable[[int], int] = _unbounded
    replies: dict[int, str] = field(default_factory=dict)
    form: Any = None

    def heard(self, requests: Sequence[Request], replies: Sequence[Reply | Failure]) -> None:
        """Keep the text of each reply. A later one replaces one that could not be read."""
        for request, reply in zip(requests, replies, strict=True):
            if isinstance(reply, Reply):
                self.replies[id(request)] = "\n\n".join(reply.texts)


CURRENT: ContextVar[Call | None] = ContextVar("hybridverify_judge_call", default=None)
"""Set by whoever calls `decide`, for the time of the call."""


def current_call() -> Call:
    """The present call of this thread. Outside of a call nothing is limited."""
    return CURRENT.get() or Call()


def completed(backend: Backend, prompts: Sequence[Prompt], sampling: Sampling) -> list[Reply | Failure]:
    """The engine's results. Where no cache key depends on it, prompts that must be asked in another form are asked
    again at once; an engine tells so a few times at most."""
    replies = backend.complete(prompts, sampling)
    while current_call().form is None:
        again = [row for row, reply in enumerate(replies) if getattr(reply, "fault", None) is Fault.FORM]
        if not again:
            break
        second = backend.complete([prompts[row] for row in again], sampling)
        replies = list(replies)
        for row, reply in zip(again, second, strict=True):
            replies[row] = reply
    return replies
