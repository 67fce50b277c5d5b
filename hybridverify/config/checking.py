"""Checks settings by a schema of pydantic, and says in one line what is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from hybridverify.errors import ConfigError, did_you_mean

Model = TypeVar("Model", bound=BaseModel)
_EXPECTED = {
    "bool_parsing": "expected true or false",
    "bool_type": "expected true or false",
    "model_type": "expected keys and values",
    "dict_type": "expected keys and values",
}
"""What users read in place of pydantic's words for a kind of fault."""


class Strict(BaseModel):
    """Base of every part of the schema: an unknown key is a fault."""

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)


def checked_by(model: type[Model], settings: dict[str, Any], where: str) -> Model:
    """The settings as the model. Raises ConfigError, one line that begins with `where` and names the key; unknown keys
    come first, with the nearest known name."""
    try:
        return model.model_validate(settings)
    except ValidationError as error:
        faults = error.errors()
        first = next((fault for fault in faults if fault["type"] == "extra_forbidden"), faults[0])
        raise ConfigError(where + _one_line(model, first)) from error


def _one_line(model: type[BaseModel], fault: Any) -> str:
    inner = {part.__name__ for field in model.model_fields.values() for part in _models(field.annotation)}
    path = [str(part) for part in fault["loc"] if part not in inner]  # pydantic names the choices of a union
    if fault["type"] == "extra_forbidden":
        known = _known(model, path[:-1])
        return f"{'.'.join(path)}: no such setting; {did_you_mean(path[-1], known)}"
    if fault["type"] == "missing":
        return f"{'.'.join(path)}: is missing"
    expected = _EXPECTED.get(fault["type"], fault["msg"])
    return f"{'.'.join(path)}: {expected}, got {str(fault['input'])[:80]!r}"


def _known(model: type[BaseModel], path: Sequence[str]) -> list[str]:
    """The keys of the model, or of the model that the first key of the path holds."""
    field = model.model_fields.get(path[0]) if path else None
    owner = next(_models(field.annotation), model) if field else model
    return list(owner.model_fields)


def _models(kind: Any) -> Iterator[type[BaseModel]]:
    """The models in an annotation, such as `CacheEntry | str` or `dict[str, RouteEntry]`."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        yield kind
    for part in get_args(kind):
        yield from _models(part)
