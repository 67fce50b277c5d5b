"""Answers: JSON in ASCII, written with turns for other requests in between; faults as one line."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from starlette.responses import Response

from hybridverify.types import Grade

WRITTEN_AT_ONCE = 128
"""Rows that are written out before other requests have a turn."""
RETRY = {"Retry-After": "1"}


def error(status: int, message: str, headers: Mapping[str, str] | None = None) -> Response:
    """An answer of one line. A connection whose request was not read to its end cannot go on."""
    unread = {"Connection": "close"} if status in (401, 408, 413, 415, 429) else {}
    return written({"error": message}, status, {**unread, **(headers or {})})


def written(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """The value as an answer, in ASCII: a text may hold half a character, which no encoding knows."""
    return Response(json.dumps(value), status, headers, "application/json")


async def in_bites(items: Sequence[Any], work: Callable[[int, Any], Any]) -> list[Any]:
    """`work(index, item)` for each, with turns for other requests in between."""
    made = []
    for at, item in enumerate(items):
        if at and not at % WRITTEN_AT_ONCE:
            await asyncio.sleep(0)
        made.append(work(at, item))
    return made


async def written_in_bites(grades: Sequence[Grade], write: Callable[[Grade], Any]) -> str:
    """`{"grades": [...]}`, with turns for other requests in between."""
    texts = []
    for at in range(0, len(grades), WRITTEN_AT_ONCE):
        if at:
            await asyncio.sleep(0)
        texts.append(json.dumps([write(grade) for grade in grades[at : at + WRITTEN_AT_ONCE]])[1:-1])
    return f'{{"grades": [{", ".join(texts)}]}}'
