"""The phrases and words of `phrases.json`, by the module that makes rows of them."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any


def texts(module: str, name: str) -> tuple[str, ...]:
    """A list of texts."""
    return tuple(_all()[module][name])


def rows(module: str, name: str) -> tuple[Any, ...]:
    """A list of rows of texts, or of a text and rows."""
    return tuple(_tuple(row) for row in _all()[module][name])


def table(module: str, name: str) -> dict[str, str]:
    """Texts by texts."""
    return dict(_all()[module][name])


def _tuple(value: Any) -> Any:
    return tuple(_tuple(part) for part in value) if isinstance(value, list) else value


@lru_cache(maxsize=1)
def _all() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(__file__).with_name("phrases.json").read_text("utf-8"))
    return found
