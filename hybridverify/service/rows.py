"""Rows of a request → samples. Everything in a request is hostile: each fault is one line with row and field."""

from __future__ import annotations

import contextlib
import json
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hybridverify.errors import did_you_mean
from hybridverify.types import Sample

ROW_KEYS = ("response", "reference", "question", "data_source", "meta")
MOST_REFERENCES, LONGEST_REFERENCE = 1024, 1_000_000
"""Of one row, all its references together. Rules read each of them; of a response they read no more than so much."""
MOST_ITEMS = 10_000
"""Messages, or parts of a message, in one row."""
_SHOWN = 60


class Malformed(Exception):
    """The request cannot be read; the text says where and why. `status` is the answer's."""

    def __init__(self, message: str, status: int = 422) -> None:
        super().__init__(message)
        self.status = status


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON value")


def _finite(digits: str) -> float:
    """Python reads `1e999` as infinity: a right answer of that text would be paid, and no JSON could tell it again."""
    if math.isinf(value := float(digits)):
        raise ValueError(f"{digits[:20]} is too large a number")
    return value


decoder = json.JSONDecoder(parse_constant=_no_constant, parse_float=_finite)


def parsed(body: bytes, where: str = "body") -> Any:
    """The JSON of a body. Raises Malformed."""
    with telling(where):
        return decoder.decode(body.decode("utf-8"))


@contextlib.contextmanager
def telling(where: str) -> Iterator[None]:
    """What `json` raises for a text, as a Malformed that names the place."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise Malformed(f"{where}: not UTF-8, at byte {error.start}", 400) from None
    except json.JSONDecodeError as error:
        raise Malformed(f"{where}: not JSON: {error.msg}, at character {error.pos}", 400) from None
    except RecursionError:
        raise Malformed(f"{where}: not JSON that is read here: nested too deeply", 400) from None
    except ValueError as error:  # a number with more digits than Python reads, or NaN
        raise Malformed(f"{where}: not JSON: {str(error)[:_SHOWN]}", 400) from None


def mapping(value: Any, where: str, known: Sequence[str] | None = None) -> dict[str, Any]:
    """The value as an object; with `known`, without other keys. Raises Malformed."""
    if not isinstance(value, dict):
        raise Malformed(f"{where}: expected an object, got {kind(value)}")
    if known is not None:
        for name in value:
            if name not in known:
                raise Malformed(
                    f"{where}, {shown(name)}: no such field; {did_you_mean(name[:_SHOWN], known)}"
                )
    return value


def ensure_few(count: int, most: int) -> None:
    """Raises Malformed for more rows than a request may have."""
    if count > most:
        raise Malformed(f"body: {count} rows, and a request may have {most}", 413)


def listed(value: Any, where: str, expected: str = "a list") -> list[Any]:
    """The value as a list that is not too long. Raises Malformed."""
    if not isinstance(value, list):
        raise Malformed(f"{where}: expected {expected}, got {kind(value)}")
    if len(value) > MOST_ITEMS:
        raise Malformed(f"{where}: {len(value)} items, and {MOST_ITEMS} are read at most")
    return value


def sample_of(row: Any, where: str) -> Sample:
    """A row as a sample. Raises Malformed."""
    mapping(row, where, ROW_KEYS)
    for name in ("response", "reference"):
        if name not in row:
            raise Malformed(f"{where}, {name}: missing")
    return Sample(
        text(row["response"], f"{where}, response"),
        reference(row["reference"], f"{where}, reference"),
        text(row.get("question", ""), f"{where}, question"),
        text(row.get("data_source", ""), f"{where}, data_source"),
        mapping(row.get("meta", {}), f"{where}, meta"),
    )


def text(value: Any, where: str) -> str:
    """The value as a text. Raises Malformed."""
    if type(value) is not str:
        raise Malformed(f"{where}: expected text, got {kind(value)}")
    return value


def reference(value: Any, where: str) -> str | tuple[str, ...]:
    """A text, a number, or a list of them; null is no reference, so that its row alone has no grade. Raises
    Malformed."""
    if value is None:
        return ()
    if isinstance(value, list):
        if len(value) > MOST_REFERENCES:
            raise Malformed(f"{where}: {len(value)} items, and a row may have {MOST_REFERENCES}")
        found: str | tuple[str, ...] = tuple(
            _one_reference(item, f"{where}[{at}]") for at, item in enumerate(value) if item is not None
        )
    else:
        found = _one_reference(value, where)
    if (size := len(found) if isinstance(found, str) else sum(map(len, found))) > LONGEST_REFERENCE:
        raise Malformed(f"{where}: {size} characters, and a row may have {LONGEST_REFERENCE}")
    return found


def _one_reference(value: Any, where: str) -> str:
    if type(value) is str:
        return value
    if type(value) in (int, float):
        return Sample("", value).references[0]
    raise Malformed(f"{where}: expected text, a number or a list of them, got {kind(value)}")


def number(value: Any, where: str) -> float:
    """A finite number from 0. Raises Malformed."""
    if type(value) not in (int, float) or not 0 <= value <= sys.float_info.max:
        raise Malformed(f"{where}: expected a number from 0, got {figure(value)}")
    return float(value)


def boolean(value: Any, where: str) -> bool:
    """True or false. Raises Malformed."""
    if type(value) is not bool:
        raise Malformed(f"{where}: expected true or false, got {kind(value)}")
    return value


def figure(value: Any) -> str:
    """A number itself, as far as it is short; of anything else its kind."""
    return str(value)[:_SHOWN] if type(value) in (int, float) else kind(value)


def kind(value: Any) -> str:
    """What a JSON value is, in words."""
    names: Mapping[type, str] = {dict: "an object", list: "a list", str: "text", bool: "true or false"}
    if value is None:
        return "null"
    return names.get(type(value), "a number")


def shown(name: str) -> str:
    """A key of a request as a message may show it: short, on one line, without control characters."""
    return repr(name[:_SHOWN] + ("..." if len(name) > _SHOWN else ""))
