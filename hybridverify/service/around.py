"""What stands around every endpoint: who is let in, and that each request is counted under its path."""

from __future__ import annotations

import base64
import hmac
import time
from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hybridverify.service.gym import without_rollout

Answered = Callable[[Scope, str, int, float], None]
"""Called with scope, path, status and seconds of a request that is over."""


def admits(token: bytes, header: str) -> bool:
    """Whether an Authorization header holds the token, as a bearer's or as a password: some clients are told an address
    and nothing else, and make the second of `http://any:TOKEN@host`. An empty token admits everybody.

    >>> admits(b"abc", "Bearer abc"), admits(b"abc", "Basic YW55OmFiYw=="), admits(b"abc", "Bearer ab")
    (True, True, False)
    """
    if not token:
        return True
    scheme, _, given = header.partition(" ")
    told = given.strip().encode()
    if scheme.lower() == "basic":
        try:
            told = base64.b64decode(told, validate=True).partition(b":")[2]
        except ValueError:
            return False
    return scheme.lower() in ("bearer", "basic") and hmac.compare_digest(told, token)


class Counted:
    """Counts each request, whatever became of it. Paths that do not exist share a name."""

    def __init__(self, app: ASGIApp, paths: set[str], answered: Answered) -> None:
        self._app, self._paths, self._answered = app, paths, answered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope["path"] = without_rollout(scope["path"])
        begin, status = time.perf_counter(), 499  # nothing was sent: the client had gone

        async def told(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, told)
        finally:
            path = scope["path"] if scope["path"] in self._paths else "other"
            self._answered(scope, path, status, time.perf_counter() - begin)
