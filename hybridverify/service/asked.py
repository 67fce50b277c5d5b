"""What stands around the body of a request: options in its address, its type, its end."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from hybridverify.service.rows import mapping, parsed, sample_of
from hybridverify.types import Sample


def query(request: Request, *known: str) -> dict[str, str]:
    """The options in the address. Raises Malformed for others."""
    given = dict(request.query_params)
    mapping(given, "address", known)
    return given


def read_number(given: str) -> Any:
    try:
        return float(given[:40])
    except ValueError:
        return given


def media_type(request: Request) -> str:
    """The content type without its parameters."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def lines_of(body: bytes) -> list[Sample]:
    """Samples from lines of JSON. Raises Malformed."""
    lines = [line for line in body.split(b"\n") if line.strip()]
    return [sample_of(parsed(line, f"row {at}"), f"row {at}") for at, line in enumerate(lines)]


async def disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
