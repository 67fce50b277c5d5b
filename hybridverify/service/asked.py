"""What stands around the body of a request: options in its address, its type, its end."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from hybridverify.service.bites import Bites
from hybridverify.service.lists import Lists
from hybridverify.service.parsing import parsed_in_bites
from hybridverify.service.rows import Malformed, mapping, shown

LONGEST_NUMBER = 40
LINES_PER_ROW = 3
"""Blank lines may stand between rows."""


def query(request: Request, *known: str) -> dict[str, str]:
    """The options in the address. Raises Malformed for others."""
    given = dict(request.query_params)
    mapping(given, "address", known)
    return given


def read_number(given: str) -> Any:
    """The number in a header or an address; the text itself where it is none."""
    if len(given) > LONGEST_NUMBER or not given.isascii() or "_" in given:
        return given
    try:
        return float(given)
    except ValueError:
        return given


def media_type(request: Request) -> str:
    """The content type without its parameters."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def ensure_plain_json(request: Request) -> None:
    """Raises Malformed for a body of another type, and for a compressed one: how long that is shows too late."""
    if (told := media_type(request)) not in ("application/json", "application/x-ndjson"):
        got = shown(told) if told else "none"
        raise Malformed(f"content-type: expected application/json or application/x-ndjson, got {got}", 415)
    coding = request.headers.get("content-encoding", "").strip().lower()
    if coding not in ("", "identity"):
        raise Malformed(f"content-encoding: expected none, got {shown(coding)}; send the body as it is", 415)


async def lines_of(body: bytes, most: int) -> list[Any]:
    """What stands in lines of JSON, at most so many; blank ones are left out. Raises Malformed."""
    count = body.count(b"\n")
    if count > most * LINES_PER_ROW:
        raise Malformed(f"body: {count} lines, and a request may have {most} rows", 413)
    bites, lists = Bites(), Lists(len(body))
    made: list[Any] = []
    for line in filter(bytes.strip, body.split(b"\n")):
        if bites.over:
            await bites.rest()
        made.append(await parsed_in_bites(line, f"row {len(made)}", lists))
    return made


async def disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
