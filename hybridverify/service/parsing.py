"""JSON of any size, read with turns for other requests in between.

Python's own reader takes a whole text in one go, and holds the event loop for as long: a second for a body of 16 MB. A
large text is read here in windows. What fits into one is read by Python's reader; a list or an object that does not is
taken apart.
"""

from __future__ import annotations

import codecs
import json
from typing import Any

from hybridverify.language import expressions as re
from hybridverify.service.bites import Bites
from hybridverify.service.lists import Lists
from hybridverify.service.rows import Malformed, decoder, parsed, telling

WINDOW = 65_536
"""Characters that are read in one go: a millisecond or so, where they hold nothing but small values."""
DEEPEST = 100
"""Lists and objects inside one another that are each larger than a window."""
_SPACE = re.compile(r"[ \t\n\r]*")
_DECODED_AT_ONCE = 1 << 20


async def parsed_in_bites(body: bytes, where: str = "body", lists: Lists | None = None) -> Any:
    """`rows.parsed`, for a body of any size, or for a piece of one whose lists are counted together. Raises
    Malformed."""
    if len(body) <= WINDOW:
        value = parsed(body, where)
        if lists is not None:
            lists.count([value], body.decode(), 0, len(body))
        return value
    bites = Bites()
    text = await _decoded(body, where, bites)
    with telling(where):
        return await _Reader(text, bites, lists or Lists(len(text))).whole()


async def _decoded(body: bytes, where: str, bites: Bites) -> str:
    utf8, pieces = codecs.getincrementaldecoder("utf-8")(), []
    for at in range(0, len(body), _DECODED_AT_ONCE):
        if bites.over:
            await bites.rest()
        piece = body[at : at + _DECODED_AT_ONCE]
        left = len(utf8.getstate()[0])  # bytes of a character that began in the piece before
        try:
            pieces.append(utf8.decode(piece, final=at + len(piece) == len(body)))
        except UnicodeDecodeError as error:
            raise Malformed(f"{where}: not UTF-8, at byte {at - left + error.start}", 400) from None
    return "".join(pieces)


class _Reader:
    """Reads one text. Its methods return a value and where it ends; they raise what `json` raises."""

    def __init__(self, text: str, bites: Bites, lists: Lists) -> None:
        self._text, self._bites = text, bites
        self._begin, self._window = 0, text[:WINDOW]
        self._runs_from = 0
        self._lists = lists

    async def whole(self) -> Any:
        value, end = await self._value(self._space(0), 0)
        if end != len(self._text):
            raise json.JSONDecodeError("Extra data", self._text, end)
        return value

    async def _value(self, at: int, depth: int) -> tuple[Any, int]:
        """The value that begins at `at`, and the space behind it."""
        if self._bites.over:
            await self._bites.rest()
        value, end = self._small(at) or await self._large(at, depth)
        return value, self._space(end)

    def _small(self, at: int) -> tuple[Any, int] | None:
        """A value that ends inside a window. None for a larger one, and for one that has a fault."""
        found = self._in_window(at)
        if found is None and at != self._begin:
            self._begin, self._window = at, self._text[at : at + WINDOW]
            found = self._in_window(at)
        return found

    def _in_window(self, at: int) -> tuple[Any, int] | None:
        if at - self._begin >= len(self._window):
            return None
        try:
            value, end = decoder.raw_decode(self._window, at - self._begin)
        except json.JSONDecodeError:
            return None
        if end > len(self._window) - len("e-1") and self._begin + len(self._window) < len(self._text):
            return None  # a number may go on behind the window
        self._lists.count([value], self._text, at, self._begin + end)
        return value, self._begin + end

    async def _large(self, at: int, depth: int) -> tuple[Any, int]:
        if self._text[at : at + 1] not in ("[", "{"):
            return decoder.raw_decode(self._text, at)
        if depth == DEEPEST:
            raise RecursionError
        take = self._list if self._text[at] == "[" else self._object
        return await take(self._space(at + 1), depth + 1)

    async def _list(self, at: int, depth: int) -> tuple[list[Any], int]:
        values: list[Any] = []
        if self._text[at : at + 1] == "]":
            return values, at + 1
        while True:
            run, at = self._run(at)
            values += run
            value, at = await self._value(at, depth)
            values.append(value)
            if self._closed(at, "]"):
                return values, at + 1
            at = self._space(at + 1)

    def _run(self, at: int) -> tuple[list[Any], int]:
        """As many elements as end in a window, and where the next one begins. None of them where that cannot be told
        at once: if the window's last comma stands inside an element."""
        if at < self._runs_from:
            return [], at
        self._runs_from = at + WINDOW
        cut = self._text.rfind(",", at, at + WINDOW)
        if cut <= at:
            return [], at
        try:
            run = decoder.decode(f"[{self._text[at:cut]}]")
        except json.JSONDecodeError:
            return [], at
        self._lists.count(run, self._text, at, cut)
        return run, self._space(cut + 1)

    async def _object(self, at: int, depth: int) -> tuple[dict[str, Any], int]:
        values: dict[str, Any] = {}
        if self._text[at : at + 1] == "}":
            return values, at + 1
        while True:
            if self._text[at : at + 1] != '"':
                fault = "Expecting property name enclosed in double quotes"
                raise json.JSONDecodeError(fault, self._text, at)
            name, at = await self._value(at, depth)
            if self._text[at : at + 1] != ":":
                raise json.JSONDecodeError("Expecting ':' delimiter", self._text, at)
            values[name], at = await self._value(self._space(at + 1), depth)
            if self._closed(at, "}"):
                return values, at + 1
            at = self._space(at + 1)

    def _closed(self, at: int, bracket: str) -> bool:
        """Whether the list or object ends here; else a comma stands here."""
        if (mark := self._text[at : at + 1]) not in (bracket, ","):
            raise json.JSONDecodeError("Expecting ',' delimiter", self._text, at)
        return mark == bracket

    def _space(self, at: int) -> int:
        """Where the space that begins at `at` ends."""
        found = _SPACE.match(self._text, at)
        return found.end() if found else at
