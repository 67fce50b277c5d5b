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
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from hybridverify.errors import ConfigError
from hybridverify.judges.base import Sampling
from hybridverify.judges.json_reply import key_spots, read_json
from hybridverify.judges.parse import Menu, Read, Reading
from hybridverify.judges.presets import PRESETS, Preset
from hybridverify.judges.scores import read_rating, read_total
from hybridverify.judges.template import Template, require
from hybridverify.judges.template_head import PARSERS, Head, menu_of, read_head, split_head

_MAX_TOKENS = 512
_MAX_BYTES = 1_000_000
_READING = ("read", "says", "menu", "heading", "marks", "spots", "samples")
"""The settings of the preset beside it that a head with a parser replaces."""


def load_template(path: str | Path, base: Preset | None = None) -> Preset:
    """The preset that a template file makes. With a `base`, only its prompt is replaced: the parser, and all that the
    head does not set, stay the base's. Raises ConfigError that names the file and the fault."""
    where = f"template_file {path}"
    text = _read(Path(path), where)
    given, body = split_head(text, where)
    head = read_head(given, where)
    template = Template.parse(body, where)
    require(template.fields, where, head.omit)
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    if base is None and head.parser in PRESETS:
        base = PRESETS[head.parser]
    own = _own(Path(path), template, head, digest)
    if base is None:
        return own
    return replace(base, template=template, digest=digest, **_said(base, own, given))


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


def _own(path: Path, template: Template, head: Head, digest: str) -> Preset:
    menu = menu_of(head.labels, f"template_file {path}")
    parser = _parser(head, menu)
    return Preset(
        name=path.stem,
        version=1,
        parser_version=1,
        summary=f"template file {path.name}",
        form="raw" if head.form == "raw" else "chat",
        system=head.system,
        template=template,
        read=_reader(parser, head, menu),
        sampling=Sampling(max_tokens=head.max_tokens or _MAX_TOKENS),
        context_tokens=head.context_tokens,
        marks=_marks(parser, head, menu),
        spots=partial(key_spots, key=head.key) if parser == "json" else None,
        fenced=head.fence,
        says="score" if parser in ("score", "rating") else "label",
        menu=menu if parser in ("word", "line", "json") else None,
        heading=f'"{head.key}":' if parser == "json" else head.heading,
        samples={
            "correct": _sample(parser, head, menu.correct[0], True),
            "incorrect": _sample(parser, head, menu.incorrect[0], False),
        },
        digest=digest,
    )


def _said(base: Preset, own: Preset, given: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of the head, and the base's for all others."""
    fields_of = {
        "form": ("form",),
        "system": ("system",),
        "fence": ("fenced",),
        "context_tokens": ("context_tokens",),
        "labels": _READING,
        "heading": _READING,
    }
    if given.get("parser") in PARSERS:
        fields_of["parser"] = _READING
    said = {name: getattr(own, name) for key in given for name in fields_of.get(key, ())}
    if "max_tokens" in given:
        said["sampling"] = replace(base.sampling, max_tokens=own.sampling.max_tokens)
    return said


def _parser(head: Head, menu: Menu) -> str:
    if head.parser in PARSERS:
        return head.parser
    if head.heading:
        return "line"
    labels = (*menu.correct, *menu.incorrect, *menu.invalid)
    return "marked" if all(label.startswith("[[") and label.endswith("]]") for label in labels) else "word"


def _reader(parser: str, head: Head, menu: Menu) -> Read:
    readers: dict[str, Read] = {
        "word": menu.whole,
        "line": partial(_after, menu=menu, heading=head.heading, last=head.last),
        "last_word": menu.closing,
        "marked": menu.anywhere,
        "json": partial(read_json, key=head.key, menu=menu),
        "score": partial(read_total, heading=head.heading, scale=float(head.scale)),
        "rating": partial(read_rating, scale=float(head.scale)),
    }
    return readers[parser]


def _after(text: str, menu: Menu, heading: str, last: bool) -> Reading:
    return menu.after(text, heading, last=last)


def _marks(parser: str, head: Head, menu: Menu) -> tuple[str, ...]:
    """Finds text in a response that would look like a verdict if the judge quoted it."""
    if parser == "rating":
        return ("[[",)
    if parser == "marked":
        return (*menu.correct, *menu.incorrect, *menu.invalid)
    return (head.heading,) if head.heading else ()


def _sample(parser: str, head: Head, label: str, positive: bool) -> str:
    number = f"{head.scale if positive else 0:g}"
    if parser == "score":
        return f"{head.heading} {number}/{head.scale:g}"
    if parser == "rating":
        return f"[[{number}]]"
    if parser == "json":
        return f'{{"{head.key}": {"true" if positive else "false"}}}'
    return f"{head.heading} {label}".strip()
