"""The head of a user's template file: settings between two lines `---`, checked one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from hybridverify.errors import ConfigError, did_you_mean
from hybridverify.judges.parse import Menu
from hybridverify.judges.presets import PRESETS
from hybridverify.judges.template import FIELDS

PARSERS = ("word", "line", "last_word", "marked", "json", "score", "rating")
ANY_LABEL = Menu(
    correct=("yes", "true", "correct", "accept"), incorrect=("no", "false", "incorrect", "reject")
)
"""The labels of a template without `labels`."""


@dataclass(frozen=True)
class Head:
    """The checked head of a template file. Its fields are the keys."""

    form: str = "chat"
    system: str = ""
    parser: str = ""
    heading: str = ""
    key: str = "correct"
    scale: float = 10.0
    last: bool = False
    labels: Mapping[str, Any] = field(default_factory=dict)
    omit: tuple[str, ...] = ()
    fence: bool = False
    max_tokens: int = 0
    context_tokens: int = 0


def split_head(text: str, where: str) -> tuple[dict[str, Any], str]:
    """The head as a mapping, and the template without the line end at the end of the file."""
    if not text.startswith("---\n"):
        return {}, text.removesuffix("\n")
    head, closed, body = text[4:].partition("\n---\n")
    if not closed:
        raise ConfigError(f"{where}: the head is opened with '---' and not closed")
    given = _yaml(head, where)
    if not isinstance(given, dict):
        raise ConfigError(f"{where}: the head needs 'key: value' lines")
    return given, body.removesuffix("\n")


def _yaml(text: str, where: str) -> Any:
    """Reads YAML, but keeps yes, no, true and false as words: they may be labels."""
    import yaml  # only a template with a head needs it

    class Words(yaml.SafeLoader):
        yaml_implicit_resolvers = {  # noqa: RUF012
            first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith(":bool")]
            for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
        }

    try:
        return yaml.load(text, Loader=Words)
    except yaml.YAMLError as error:
        raise ConfigError(f"{where}: the head is no YAML: {' '.join(str(error).split())}") from error


def read_head(given: Mapping[str, Any], where: str) -> Head:
    known = {f.name: f for f in fields(Head)}
    for name, value in given.items():
        if name not in known:
            raise ConfigError(f"{where}: no setting {name!r}; {did_you_mean(str(name), known)}")
        if not _fits(name, value):
            raise ConfigError(f"{where}: {name}: {value!r} is not possible")
    head = Head(**{name: _value(name, value) for name, value in given.items()})
    if head.parser and head.parser not in (*PARSERS, *PRESETS):
        hint = did_you_mean(head.parser, (*PARSERS, *PRESETS))
        raise ConfigError(f"{where}: no parser {head.parser!r}; {hint}")
    if head.parser in ("line", "score") and not head.heading:
        raise ConfigError(f"{where}: parser {head.parser} needs heading, the text that it reads after")
    return head


def _fits(name: str, value: Any) -> bool:
    if name in ("max_tokens", "context_tokens", "scale"):
        return _is_positive(value, whole=name != "scale")
    if name in ("fence", "last"):
        return value in ("true", "false")
    if name == "labels":
        return isinstance(value, dict) and bool(value)
    if name == "omit":
        return isinstance(value, list) and all(item in FIELDS for item in value)
    return isinstance(value, str) and (name != "form" or value in ("chat", "raw"))


def _is_positive(value: Any, whole: bool) -> bool:
    kinds = (int,) if whole else (int, float)
    return isinstance(value, kinds) and not isinstance(value, bool) and value > 0


def _value(name: str, value: Any) -> Any:
    if name in ("fence", "last"):
        return value == "true"
    return tuple(value) if name == "omit" else value


def menu_of(labels: Mapping[str, Any], where: str) -> Menu:
    if not labels:
        return ANY_LABEL
    words: dict[str, tuple[str, ...]] = {}
    for name, value in labels.items():
        if name not in ("correct", "incorrect", "invalid"):
            raise ConfigError(f"{where}: labels.{name}: expected correct, incorrect or invalid")
        listed = value if isinstance(value, list) else [value]
        words[name] = tuple(map(str, listed))
    if not words.get("correct") or not words.get("incorrect"):
        raise ConfigError(f"{where}: labels needs words for both correct and incorrect")
    if not _are_distinct([word.casefold() for listed in words.values() for word in listed]):
        raise ConfigError(f"{where}: labels: a word is empty or stands for two outcomes")
    return Menu(**words)


def _are_distinct(labels: Sequence[str]) -> bool:
    """Whether no label is empty or comes twice."""
    return len(set(labels)) == len(labels) and all(label.strip() for label in labels)
