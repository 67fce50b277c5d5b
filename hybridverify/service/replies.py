"""Answers: JSON in ASCII, written with turns for other requests in between; faults as one line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from starlette.responses import Response

from hybridverify.service.bites import Bites, in_bites
from hybridverify.service.rows import telling
from hybridverify.types import Grade

WRITTEN_AT_ONCE = 128
"""Items of a list that are written in one go."""
FEW, DEEPEST = 32, 8
"""How long a list may be, and how deep it may lie, that is written item by item."""
RETRY = {"Retry-After": "1"}


def error(status: int, message: str, headers: Mapping[str, str] | None = None) -> Response:
    """An answer of one line. A connection whose request was not read to its end cannot go on."""
    unread = {"Connection": "close"} if status in (401, 408, 413, 415, 429) else {}
    return written({"error": message}, status, {**unread, **(headers or {})})


def written(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """The value as an answer, in ASCII: a text may hold half a character, which no encoding knows."""
    return Response(json.dumps(value), status, headers, "application/json")


async def written_whole(value: Any) -> Response:
    """`written`, for a request's own value, which may be large. Raises Malformed where it is nested so deeply that it
    could be read and cannot be written."""
    with telling("body"):
        text = await _text(value, Bites())
    return Response(text, media_type="application/json")


async def _text(value: Any, bites: Bites, depth: int = 0) -> str:
    if bites.over:
        await bites.rest()
    if depth < DEEPEST and isinstance(value, dict):
        pairs = [f"{json.dumps(name)}: {await _text(item, bites, depth + 1)}" for name, item in value.items()]
        return f"{{{', '.join(pairs)}}}"
    if depth < DEEPEST and isinstance(value, list):
        if len(value) <= FEW:
            items = [await _text(item, bites, depth + 1) for item in value]
        else:
            items = await in_bites(_pieces(value), lambda at, piece: json.dumps(piece)[1:-1])
        return f"[{', '.join(items)}]"
    return json.dumps(value)


def _pieces(value: Sequence[Any]) -> Iterator[Sequence[Any]]:
    return (value[at : at + WRITTEN_AT_ONCE] for at in range(0, len(value), WRITTEN_AT_ONCE))


async def written_in_bites(grades: Sequence[Grade], write: Callable[[Grade], Any]) -> str:
    """`{"grades": [...]}`, with turns for other requests in between."""
    pieces = _pieces(grades)
    texts = await in_bites(pieces, lambda at, piece: json.dumps(list(map(write, piece)))[1:-1])
    return f'{{"grades": [{", ".join(texts)}]}}'
