"""Reads the body of a request: never more than allowed, never longer than allowed."""

from __future__ import annotations

import asyncio

from starlette.requests import Request

from hybridverify.service.rows import Malformed

MIB = 1 << 20


class Memory:
    """How many bytes of bodies this process holds at one time."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.held = 0


async def read_body(request: Request, most: int, timeout_s: float, memory: Memory) -> bytes:
    """The body. Raises Malformed with status 413, 408 or 429, or 400 where the client has gone.

    The caller gives the bytes back to `memory` when the request is answered.
    """
    told = request.headers.get("content-length", "0")
    if not (told.isascii() and told.isdigit()) or len(told) > 15 or int(told) > most:
        raise Malformed(f"body: more than {most / MIB:g} MiB", 413)
    chunks: list[bytes] = []
    size = 0
    end = asyncio.get_running_loop().time() + timeout_s
    try:
        while True:
            left = end - asyncio.get_running_loop().time()
            try:
                message = await asyncio.wait_for(request.receive(), max(left, 0.001))
            except asyncio.TimeoutError:
                raise Malformed(f"body: not complete after {timeout_s:g} s", 408) from None
            if message["type"] == "http.disconnect":
                raise Malformed("body: the client has gone", 400)
            chunk = message.get("body", b"")
            size += len(chunk)
            memory.held += len(chunk)
            if size > most:
                raise Malformed(f"body: more than {most / MIB:g} MiB", 413)
            if memory.held > memory.most:
                raise Malformed("too many large requests at one time", 429)
            chunks.append(chunk)
            if not message.get("more_body", False):
                return b"".join(chunks)
    except BaseException:
        memory.held -= size
        raise
