"""Bases for objects with a lock that can be pickled."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from hybridverify.judges.base import Failure, Reply

USAGE = ("requests", "prompt_tokens", "output_tokens", "retries", "seconds")
"""What is counted."""


class Locked:
    """Pickles everything but `_lock`, and has a lock of its own wherever it arrives.

    >>> import pickle
    >>> locked = pickle.loads(pickle.dumps(Locked()))
    >>> with locked._lock:
    ...     pass
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _lock=threading.Lock())


class Counting(Locked):
    """An object with a lock that counts what its calls cost."""

    _usage: dict[str, float]

    def usage(self) -> dict[str, float]:
        """Counters since it was made."""
        with self._lock:
            return dict(self._usage)

    def _count(self, replies: Sequence[Reply | Failure], seconds: float) -> None:
        answered = [reply for reply in replies if isinstance(reply, Reply)]
        with self._lock:
            self._usage["requests"] += len(replies)
            self._usage["prompt_tokens"] += sum(reply.prompt_tokens for reply in answered)
            self._usage["output_tokens"] += sum(reply.output_tokens for reply in answered)
            self._usage["seconds"] += seconds
