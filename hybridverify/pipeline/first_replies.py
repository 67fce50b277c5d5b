"""Looks at the first replies of a judge before the rest is asked, so that a wrong preset costs eight calls and not a
whole run."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from hybridverify.errors import NoUsableReply
from hybridverify.judges.base import Judge
from hybridverify.language.printable import one_line
from hybridverify.types import Outcome, Verdict

FIRST = 8
_SHOWN_CHARS = 120


class FirstReplies:
    """Stops a run if none of a judge's first eight replies can be read. Failures are no replies: they are the
    breaker's."""

    def __init__(self) -> None:
        self._unread: dict[int, int] = {}
        """Replies so far that could not be read, by judge; a judge that was understood once is not watched."""
        self._understood: set[int] = set()
        self._lock = threading.Lock()

    def due(self, judge: Judge) -> int:
        """How many of this judge's next replies are to be looked at before others are asked for."""
        if id(judge) in self._understood:
            return 0
        return FIRST - self._unread.get(id(judge), 0)

    def saw(self, judge: Judge, replies: Iterable[tuple[Verdict, str]]) -> None:
        """Look at some replies. Raises NoUsableReply."""
        if not self.due(judge):
            return
        first: tuple[Verdict, str] | None = None
        with self._lock:
            for verdict, reply in replies:
                if verdict.outcome is Outcome.UNPARSEABLE:
                    self._unread[id(judge)] = self._unread.get(id(judge), 0) + 1
                    first = first or (verdict, reply)
                elif verdict.sure or verdict.outcome in (Outcome.INVALID, Outcome.UNDECIDED):
                    self._understood.add(id(judge))
                    return
            useless = first is not None and self._unread[id(judge)] >= FIRST
        if useless and first is not None:
            raise NoUsableReply(_told(judge.name, *first))


def _told(name: str, verdict: Verdict, reply: str) -> str:
    came = f", such as {one_line(reply, _SHOWN_CHARS)!r}" if reply else ""
    return (
        f"judge {name}: none of its first {FIRST} replies can be read ({verdict.reason}{came}); stopped before more "
        "is paid for: try another preset (`hybridverify judge try` shows what is sent), or go on with --no-probe"
    )
