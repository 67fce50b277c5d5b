"""A judge that is contacted only when its first request is sent, so that figures can be made again from the cache
after its server is gone."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

from hybridverify.judges.base import Judge, Request, Subject
from hybridverify.types import Verdict

READY_S = 60.0
"""Seconds that a server may take to start."""


class ReachedLate:
    """A judge, unchanged, except that it ends the run if it cannot be reached, instead of failing every row."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._reached = False
        self._lock = threading.Lock()
        self.name, self.weight = judge.name, judge.weight

    def decide(self, requests: Sequence[Request]) -> list[Verdict]:
        """Ask, after the engine has answered once. Raises JudgeUnavailable if it does not within a minute."""
        with self._lock:
            if not self._reached and hasattr(self._judge, "ensure_ready"):
                self._judge.ensure_ready(READY_S)
            self._reached = True
        return self._judge.decide(requests)

    def identity(self) -> Mapping[str, Any]:
        """See `Judge`."""
        return self._judge.identity()

    def prepare(self, subjects: Sequence[Subject]) -> list[Request | Verdict]:
        """See `Judge`."""
        return self._judge.prepare(subjects)

    def usage(self) -> Mapping[str, float]:
        """See `Judge`."""
        return self._judge.usage()

    def close(self) -> None:
        """See `Judge`."""
        self._judge.close()

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._judge, name)  # optional attributes of a judge: `needs_reference`, `concurrent`
        if name == "asker":  # the judge that is asked instead of this one is contacted late too
            found = self.__dict__[name] = ReachedLate(found)
        return found
