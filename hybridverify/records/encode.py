"""Rows as bytes of JSON lines: equal values give equal bytes. Values that JSON cannot hold are refused.

A finished line is a stem (the input's columns) and a tail (the `hv_` columns). A resumed run compares stems to see
whether a line belongs to a row.
"""

from __future__ import annotations

import datetime
import decimal
import json
import math
import re
import uuid
from collections.abc import Callable, Mapping
from functools import lru_cache
from json.encoder import encode_basestring
from operator import itemgetter
from typing import Any

from hybridverify.records.rows import PREFIX, Row
from hybridverify.types import GRADE_KEYS

_SURROGATE = re.compile("[\ud800-\udfff]")
_TAIL_START = f', "{PREFIX}'.encode()
_NUMBERS, _TEXTS = ("score", "rule_score", "judge_score"), ("answer", "reason")
_REPEATED = tuple(key for key in GRADE_KEYS if key not in (*_NUMBERS, *_TEXTS))


class Unwritable(Exception):
    """A value that the output's format cannot hold; the row is left out and reported."""

    def __init__(self, column: str, what: str) -> None:
        super().__init__(f"column {column!r} holds {what}")


def stem(row: Row, nulled: Callable[[], None] = lambda: None) -> bytes:
    """The row's JSON object without its closing brace. Raises Unwritable.

    NaN and infinity, which JSON lacks, become null; `nulled` is then called.

    >>> stem({"question": "2+2?", "n": 1})
    b'{"question": "2+2?", "n": 1'
    """
    try:
        return _utf8(_ENCODER.encode(row)[:-1])
    except (TypeError, ValueError, RecursionError) as error:
        try:
            encoded = _utf8(_ENCODER.encode(_finite(row))[:-1])
        except (TypeError, ValueError, RecursionError):
            raise _unwritable(row) from error
    nulled()
    return encoded


def tail(columns: Mapping[str, Any]) -> bytes:
    """The rest of the line: grade columns (named without prefix), the brace and the newline.

    >>> tail({"score": 1.0, "graded": True})
    b', "hv_score": 1.0, "hv_graded": true}\\n'
    """
    told = _of_grade(columns) or ", ".join([_field(key, value) for key, value in columns.items()])
    return b", " + _utf8(told) + b"}\n"


def _of_grade(columns: Mapping[str, Any]) -> str:
    """The columns of a grade at a fifth of the cost: all but five take few values, and are written once. "" for other
    columns, and for values of other types."""
    if tuple(columns) != GRADE_KEYS:
        return ""
    score, rule, judge, answer, reason = _varied(columns)
    if not (type(score) is type(rule) is type(judge) is float and type(answer) is type(reason) is str):
        return ""
    if not math.isfinite(score + rule + judge):
        return ""
    try:
        form = _form(*_repeated(columns))
    except TypeError:  # a list, in an output that another program has changed
        return ""
    return form % (score, rule, judge, encode_basestring(answer), encode_basestring(reason))


_varied, _repeated = itemgetter(*_NUMBERS, *_TEXTS), itemgetter(*_REPEATED)


@lru_cache(maxsize=1024, typed=True)
def _form(*repeated: Any) -> str:
    """A line with places for what differs from row to row."""
    written = {
        key: _field(key, value).replace("%", "%%") for key, value in zip(_REPEATED, repeated, strict=True)
    }
    places = {key: f'"{PREFIX}{key}": %r' for key in _NUMBERS} | {
        key: f'"{PREFIX}{key}": %s' for key in _TEXTS
    }
    return ", ".join([(written | places)[key] for key in GRADE_KEYS])


def _field(key: str, value: Any) -> str:
    return f'"{PREFIX}{key}": {_value(value)}'


def _value(value: Any) -> str:
    """A value of a grade as the encoder writes it; a third of the cost for the types that most are of."""
    kind = type(value)
    if kind is float and math.isfinite(value):
        return repr(value)
    if kind is str:
        return encode_basestring(value)
    if kind is bool:
        return "true" if value else "false"
    return _ENCODER.encode(value)


def split_line(line: bytes, row_stem: bytes) -> dict[str, Any]:
    """The grade columns of a finished line; empty if the line belongs to another row or is cut."""
    if not (line.startswith(row_stem + _TAIL_START) and line.endswith(b"}\n")):
        return {}
    try:
        columns: dict[str, Any] = json.loads(b"{" + line[len(row_stem) + 2 :])
    except ValueError:
        return {}
    return {key.removeprefix(PREFIX): value for key, value in columns.items()}


def _utf8(text: str) -> bytes:
    """Writes lone surrogates, left where a text was cut, as JSON escapes."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text).encode("utf-8")


def _plain(value: Any) -> Any:
    """Values of typed tables that have one plain spelling."""
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, (decimal.Decimal, uuid.UUID)):
        return str(value)
    raise TypeError(type(value).__name__)


_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, default=_plain)


def _finite(value: Any) -> Any:
    """The value with null for every NaN and infinity."""
    if isinstance(value, Mapping):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _unwritable(row: Row) -> Unwritable:
    for column, value in row.items():
        what = _culprit(value)
        if what:
            return Unwritable(str(column), what)
    return Unwritable(", ".join(map(str, row)), "values nested too deeply")


def _culprit(value: Any) -> str:
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, Mapping):
            pending.extend(item.values())
        elif isinstance(item, (list, tuple)):
            pending.extend(item)
        elif isinstance(item, (bytes, bytearray, set, frozenset, complex, datetime.timedelta)):
            return type(item).__name__
    return ""
