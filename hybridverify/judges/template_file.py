"""A user's own judge prompt: a text file, with an optional head that says how the reply is to be read.

    ---
    form: chat                # or raw: the text is sent as it is, without a chat template
    system: You grade answers.
    parser: line              # word line last_word marked json score rating, or the name of a preset
    heading: "Grade:"         # what the label or score stands after (line, score)
    labels: {correct: [C], incorrect: [I]}
    max_tokens: 64
    ---
    Question: {question}
    Reference: {reference}
    Answer: {answer}
    End with a line "Grade: C" or "Grade: I".

Parsers: `word`, the whole reply is a label; `line`, the label after the heading (`last: true`: of several the
last one counts); `last_word`, the label as the last sentence; `marked`, one label such as [[A=B]] anywhere;
`json`, under `key`; `score`, a number after the heading, out of `scale` (10); `rating`, the last [[number]], out
of `scale`. Without a parser it is `line` where there is a heading, `marked` where all labels have brackets, else
`word`; without labels, the reply has to be one of yes/no, true/false, correct/incorrect, accept/reject.
`omit: [question]` leaves a field out on purpose, `fence: true` puts each value between tags with a keyed hash.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from hybridverify.errors import ConfigError, did_you_mean
from hybridverify.judges.base import Sampling
from hybridverify.judges.json_reply import read_json
from hybridverify.judges.parse import Menu, Read
from hybridverify.judges.presets import PRESETS, Preset
from hybridverify.judges.scores import read_rating, read_total
from hybridverify.judges.template import FIELDS, Template, require

PARSERS = ("word", "line", "last_word", "marked", "json", "score", "rating")
ANY_LABEL = Menu(
    correct=("yes", "true", "correct", "accept"), incorrect=("no", "false", "incorrect", "reject")
)
_MAX_TOKENS = 512
_MAX_BYTES = 1_000_000


@dataclass(frozen=True)
class Head:
    """The head of a template file, checked. Field names are the keys."""

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


def load_template(path: str | Path, base: Preset | None = None) -> Preset:
    """The preset that a template file makes. With a `base`, only its prompt is replaced: the parser, and what
    the head does not say, stay the base's. Raises ConfigError that names the file and what is wrong."""
    where = f"template_file {path}"
    text = _read(Path(path), where)
    given, body = _split(text, where)
    head = _head(given, where)
    template = Template.parse(body, where)
    require(template.fields, where, head.omit)
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    if base is None and head.parser in PRESETS:
        base = PRESETS[head.parser]
    made = (
        replace(base, template=template, digest=digest) if base else _own(Path(path), template, head, digest)
    )
    return _overridden(made, head, given, base is not None)


def _read(path: Path, where: str) -> str:
    try:
        data = path.read_bytes()[: _MAX_BYTES + 1]
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise ConfigError(f"{where}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{where}: is not UTF-8 at byte {error.start}") from error
    if len(data) > _MAX_BYTES:
        raise ConfigError(f"{where}: is larger than {_MAX_BYTES} bytes")
    return text.replace("\r\n", "\n")


def _split(text: str, where: str) -> tuple[dict[str, Any], str]:
    """The head as a mapping, and the template: without the line end that closes the file."""
    if not text.startswith("---\n"):
        return {}, text.removesuffix("\n")
    head, closed, body = text[4:].partition("\n---\n")
    if not closed:
        raise ConfigError(f"{where}: the head is opened with '---' and not closed")
    import yaml  # only a template with a head needs it

    try:
        given = yaml.safe_load(head)
    except yaml.YAMLError as error:
        raise ConfigError(f"{where}: the head is no YAML: {' '.join(str(error).split())}") from error
    if not isinstance(given, dict):
        raise ConfigError(f"{where}: the head needs 'key: value' lines")
    return given, body.removesuffix("\n")


def _head(given: Mapping[str, Any], where: str) -> Head:
    known = {f.name: f for f in fields(Head)}
    for name, value in given.items():
        if name not in known:
            raise ConfigError(f"{where}: no setting {name!r}; {did_you_mean(str(name), known)}")
        if not _fits(name, value):
            raise ConfigError(f"{where}: {name}: {value!r} is not possible")
    settings: dict[str, Any] = {n: tuple(v) if n == "omit" else v for n, v in given.items()}
    head = Head(**settings)
    if head.parser and head.parser not in (*PARSERS, *PRESETS):
        hint = did_you_mean(head.parser, (*PARSERS, *PRESETS))
        raise ConfigError(f"{where}: no parser {head.parser!r}; {hint}")
    if head.parser in ("line", "score") and not head.heading:
        raise ConfigError(f"{where}: parser {head.parser} needs heading, the text that it reads after")
    return head


def _fits(name: str, value: Any) -> bool:
    if name in ("max_tokens", "context_tokens", "scale"):
        kinds = (int, float) if name == "scale" else (int,)
        return isinstance(value, kinds) and not isinstance(value, bool) and value > 0
    if name in ("fence", "last"):
        return isinstance(value, bool)
    if name == "labels":
        return isinstance(value, dict) and bool(value)
    if name == "omit":
        return isinstance(value, list) and all(item in FIELDS for item in value)
    return isinstance(value, str) and (name != "form" or value in ("chat", "raw"))


def _own(path: Path, template: Template, head: Head, digest: str) -> Preset:
    menu = _menu(head.labels, f"template_file {path}")
    return Preset(
        name=path.stem,
        version=1,
        parser_version=1,
        summary=f"template file {path.name}",
        form="chat",
        template=template,
        read=_reader(head, menu),
        sampling=Sampling(max_tokens=_MAX_TOKENS),
        marks=(head.heading,) if head.heading else (),
        menu=None if head.parser in ("score", "rating") else menu,
        heading=head.heading,
        samples={"correct": _sample(head, menu.correct[0]), "incorrect": _sample(head, menu.incorrect[0])},
        digest=digest,
    )


def _menu(labels: Mapping[str, Any], where: str) -> Menu:
    if not labels:
        return ANY_LABEL
    words: dict[str, tuple[str, ...]] = {}
    for name, value in labels.items():
        if name not in ("correct", "incorrect", "invalid"):
            raise ConfigError(f"{where}: labels.{name}: expected correct, incorrect or invalid")
        listed = value if isinstance(value, list) else [value]
        # YAML reads yes, no, true and false as booleans.
        words[name] = tuple(str(word).lower() if isinstance(word, bool) else str(word) for word in listed)
    if not words.get("correct") or not words.get("incorrect"):
        raise ConfigError(f"{where}: labels needs words for both correct and incorrect")
    everything = [word.casefold() for listed in words.values() for word in listed]
    if len(set(everything)) < len(everything) or not all(word.strip() for word in everything):
        raise ConfigError(f"{where}: labels: a word is empty or stands for two outcomes")
    return Menu(**words)


def _reader(head: Head, menu: Menu) -> Read:
    parser = head.parser or _default_parser(head, menu)
    readers: dict[str, Read] = {
        "word": menu.whole,
        "line": lambda text: menu.after(text, head.heading, last=head.last),
        "last_word": menu.closing,
        "marked": menu.anywhere,
        "json": partial(read_json, key=head.key, menu=menu),
        "score": partial(read_total, heading=head.heading, scale=float(head.scale)),
        "rating": partial(read_rating, scale=float(head.scale)),
    }
    return readers[parser]


def _default_parser(head: Head, menu: Menu) -> str:
    if head.heading:
        return "line"
    labels = (*menu.correct, *menu.incorrect, *menu.invalid)
    return "marked" if all(label.startswith("[[") and label.endswith("]]") for label in labels) else "word"


def _sample(head: Head, label: str) -> str:
    positive = label.casefold() in (word.casefold() for word in _menu(head.labels, "").correct)
    number = f"{head.scale if positive else 0:g}"
    if head.parser == "score":
        return f"{head.heading} {number}/{head.scale:g}"
    if head.parser == "rating":
        return f"[[{number}]]"
    if head.parser == "json":
        return f'{{"{head.key}": {"true" if positive else "false"}}}'
    return f"{head.heading} {label}".strip()


def _overridden(made: Preset, head: Head, given: Mapping[str, Any], based: bool) -> Preset:
    """What the head says, over what the base says."""
    changes: dict[str, Any] = {}
    if "form" in given or not based:
        changes["form"] = head.form
    if "system" in given or not based:
        changes["system"] = head.system
    if "fence" in given or not based:
        changes["fenced"] = head.fence
    if head.context_tokens:
        changes["context_tokens"] = head.context_tokens
    if head.max_tokens:
        changes["sampling"] = replace(made.sampling, max_tokens=head.max_tokens)
    return replace(made, **changes)
