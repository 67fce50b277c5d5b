"""Rows of a CSV file with a header line; every value is text."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import IO

from hybridverify.errors import InputError
from hybridverify.records.rows import Place, Rows


def read_csv(stream: IO[bytes], file: str) -> Rows:
    """Rows of the file. Raises InputError, with the line, if the file is malformed."""
    csv.field_size_limit(1 << 30)  # the csv module's limit of 128 kB is less than a long response
    with io.TextIOWrapper(stream, encoding="utf-8-sig", newline="") as text:
        reader = csv.reader(text, strict=True)
        try:
            header = next(reader, [])
            _check_header(header, file)
            for number, fields in enumerate(filter(None, reader), 1):
                place = Place(file, number, reader.line_num)
                if len(fields) != len(header):
                    raise InputError(f"{place} has {len(fields)} fields, the header has {len(header)}")
                yield place, dict(zip(header, fields, strict=True))
        except (csv.Error, UnicodeDecodeError) as error:
            line = reader.line_num + 1
            raise InputError(f"line {line} of {file} cannot be read as CSV: {error}") from error


def _check_header(header: Sequence[str], file: str) -> None:
    doubled = sorted({name for name in header if header.count(name) > 1})
    if doubled:
        raise InputError(f"{file}: the column {doubled[0]!r} stands twice in the header")
