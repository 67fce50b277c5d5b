"""Rows of a CSV file with a header line; every value is text."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import IO

from hybridverify.errors import InputError, UnreadableLine
from hybridverify.records.rows import Place, Row, Rows, Skip

_OTHER_MARKS = (";", "\t", "|")
"""What some programs write between the columns in place of a comma."""


def read_csv(stream: IO[bytes], file: str, skip: Skip | None = None) -> Rows:
    """Rows of the file. Raises InputError, with the line, if the file is malformed; with `skip`, such lines are left
    out."""
    csv.field_size_limit(1 << 30)  # the csv module's limit of 128 kB is less than a long response
    with io.TextIOWrapper(stream, encoding="utf-8-sig", newline="") as text:
        reader = csv.reader(text, strict=True)
        header = _next(reader, file) or []
        _check_header(header, file)
        number = 0
        while True:
            try:
                fields = _next(reader, file)
                if fields is None:
                    return
                row = _row(header, fields, Place(file, number + 1, reader.line_num)) if fields else None
            except UnreadableLine as error:
                if skip is None:
                    raise
                skip(str(error))
            else:
                if row is not None:
                    number += 1
                    yield Place(file, number, reader.line_num), row


def _next(reader: Iterator[list[str]], file: str) -> list[str] | None:
    """The fields of the next line; None at the end."""
    try:
        return next(reader, None)
    except UnicodeDecodeError as error:  # nothing after it can be read
        raise InputError(f"{file} is not UTF-8 ({error.reason}); write it as UTF-8") from error
    except csv.Error as error:
        raise UnreadableLine(f"line {_line(reader)} of {file} cannot be read as CSV: {error}") from error


def _line(reader: Iterator[list[str]]) -> int:
    return int(getattr(reader, "line_num", 0)) + 1


def _row(header: Sequence[str], fields: Sequence[str], place: Place) -> Row:
    if len(fields) != len(header):
        raise UnreadableLine(f"{place} has {len(fields)} fields, the header has {len(header)}")
    return dict(zip(header, fields, strict=True))


def _check_header(header: Sequence[str], file: str) -> None:
    doubled = sorted(name for name, count in Counter(header).items() if count > 1)
    if doubled:
        raise InputError(f"{file}: the column {doubled[0]!r} stands twice in the header")
    other = next((mark for mark in _OTHER_MARKS if len(header) == 1 and mark in header[0]), "")
    if other:
        raise InputError(f"{file}: the columns of its header are parted by {other!r}; write it with commas")
