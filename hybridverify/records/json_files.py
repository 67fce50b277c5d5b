"""JSON rows: one object a line, or one array of objects, read with constant memory.

Earlier programs leave files that are cut, or have glued or blank lines. All readable rows are read, and a fault is
reported with its line.
"""

from __future__ import annotations

import codecs
import io
import json
from collections.abc import Iterator
from typing import IO, Any

from hybridverify.errors import InputError, UnreadableLine
from hybridverify.records.rows import Place, Row, Rows, Skip, Warn

_CHUNK = 1 << 20
_MAX_ITEM = 1 << 28  # the largest row of an array: without a limit a broken array would be read to its end
_DECODER = json.JSONDecoder()
_SPACES = " \t\r\n"
_GZIP = b"\x1f\x8b"


def read_json(stream: IO[bytes], file: str, warn: Warn, skip: Skip | None = None) -> Rows:
    """Rows of a JSON file of either kind. The first character that is no blank decides which. With `skip`, lines that
    cannot be read are left out; an array that is broken is refused."""
    start = stream.read(4096)
    while start and not start.removeprefix(codecs.BOM_UTF8).strip():
        more = stream.read(4096)
        start = start + more if more else b""
    stream.seek(0)
    if start.startswith(_GZIP):
        raise InputError(
            f"{file}: is compressed by gzip; give it a name that ends in .gz, or unpack it first"
        )
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise InputError(f"{file}: is UTF-16; write it as UTF-8")
    if start.removeprefix(codecs.BOM_UTF8).lstrip()[:1] == b"[":
        return _array_rows(stream, file)
    return _line_rows(stream, file, warn, skip)


def _line_rows(stream: IO[bytes], file: str, warn: Warn, skip: Skip | None) -> Rows:
    row_number = 0
    for line_number, line in enumerate(stream, 1):
        if line_number == 1:
            line = line.removeprefix(codecs.BOM_UTF8)
        if not line.strip():
            continue
        cut = row_number > 0 and not line.endswith(b"\n")  # a first line that is no JSON is no cut row
        objects = _objects(line, cut, line_number, file, warn)
        for row in objects if skip is None else _readable(objects, skip):
            row_number += 1
            yield Place(file, row_number, line_number), row


def _readable(objects: Iterator[Row], skip: Skip) -> Iterator[Row]:
    """The objects of a line; none if one of them cannot be read."""
    try:
        yield from list(objects)
    except InputError as error:
        skip(str(error))


def _objects(line: bytes, cut: bool, number: int, file: str, warn: Warn) -> Iterator[Row]:
    """The objects of one line: usually one, more if a missing newline glued two together. A line that may be `cut` is
    told of, and is no fault."""
    position = 0
    try:
        text = line.decode("utf-8").strip(_SPACES)
        while position < len(text):
            value, position = _DECODER.raw_decode(text, position)
            if not isinstance(value, dict):
                raise UnreadableLine(_no_object(value, f"line {number} of {file}"))
            yield value
            while position < len(text) and text[position] in _SPACES:
                position += 1
    except UnicodeDecodeError as error:
        if not cut:
            raise UnreadableLine(f"line {number} of {file} is not UTF-8 (byte {error.start})") from error
        _warn_half(number, file, warn)
    except (ValueError, RecursionError) as error:
        if not cut or isinstance(error, RecursionError):
            raise UnreadableLine(f"line {number} of {file} is not JSON: {_what(error)}") from error
        _warn_half(number, file, warn)


def _warn_half(number: int, file: str, warn: Warn) -> None:
    warn(f"line {number} of {file} is only half written (the file ends inside it): skipped")


def _object(value: Any, where: str) -> Row:
    if isinstance(value, dict):
        return value
    raise InputError(_no_object(value, where))


def _no_object(value: Any, where: str) -> str:
    return f"{where} holds a {_kind(value)}, not an object with columns"


def _kind(value: Any) -> str:
    return {list: "list", str: "text", bool: "truth value", type(None): "null"}.get(type(value), "number")


def _what(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at character {error.pos + 1}"
    return str(error).split(";")[0]  # a number with more digits than Python converts


def _array_rows(stream: IO[bytes], file: str) -> Rows:
    with io.TextIOWrapper(stream, encoding="utf-8-sig") as characters:
        yield from _items(_Text(characters, file), file)


def _items(text: _Text, file: str) -> Rows:
    text.take()  # the bracket that opens the array
    number = 0
    while text.peek() != "]":
        number += 1
        yield Place(file, number), _object(text.value(number), f"row {number} of {file}")
        mark = text.peek()
        if mark == ",":
            text.take()
        elif mark != "]":
            raise InputError(f"{file}: the array is not closed after row {number}")
    text.take()
    if text.peek():
        raise InputError(f"{file}: there is more text after the array of {number} rows")


class _Text:
    """A text that is read piece by piece. Only the unused part is kept."""

    def __init__(self, stream: IO[str], file: str) -> None:
        self._stream = stream
        self._file = file
        self._buffer = ""
        self._at = 0

    def peek(self) -> str:
        """The next character that is no blank; "" at the end."""
        while True:
            while self._at < len(self._buffer):
                if self._buffer[self._at] not in _SPACES:
                    return self._buffer[self._at]
                self._at += 1
            if not self._more(_CHUNK):
                return ""

    def take(self) -> None:
        self.peek()
        self._at += 1

    def value(self, number: int) -> Any:
        """The next JSON value. Twice as much is read each time until it is complete."""
        self.peek()
        size = _CHUNK
        while True:
            try:
                value, self._at = _DECODER.raw_decode(self._buffer, self._at)
                return value
            except (ValueError, RecursionError) as error:
                unfinished = isinstance(error, json.JSONDecodeError)
                if unfinished and len(self._buffer) - self._at < _MAX_ITEM and self._more(size):
                    size *= 2
                    continue
                what = error.msg if isinstance(error, json.JSONDecodeError) else _what(error)
                raise InputError(f"row {number} of {self._file} is not JSON: {what}") from error

    def _more(self, size: int) -> bool:
        try:
            piece = self._stream.read(size)
        except UnicodeDecodeError as error:
            raise InputError(f"{self._file} is not UTF-8: {error.reason}") from error
        self._buffer = self._buffer[self._at :] + piece
        self._at = 0
        return bool(piece)
