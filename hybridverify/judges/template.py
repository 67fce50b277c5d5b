"""Prompt templates: literal text with `{field}` slots, checked when loaded and filled in a single pass.

`str.format` is not used, because values and templates are full of LaTeX. A value is never parsed: its braces, slots,
dollars and backslashes stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from hybridverify.errors import ConfigError, did_you_mean
from hybridverify.language import expressions as re

CRITIQUE = "critique"
"""The text of a second judge. Only a `classifier` with a `critique` has one."""
FIELDS = ("question", "reference", "response", "answer", "criteria", "rm_prompt", CRITIQUE)

_NAMES = "|".join(FIELDS)
_SLOT = re.compile(
    r"\{\{\{(?P<inside>[A-Za-z_]\w*)\}\}\}"  # {{{answer}}}: the value between single braces
    r"|\{\{(?P<literal>[^{}]*)\}\}"  # {{text}}: text between single braces, as in str.format
    r"|(?P<latex>\\[A-Za-z]+\{[^{}\n]*\})"  # \boxed{A}: the braces belong to LaTeX
    r"|\{(?P<name>[A-Za-z_]\w*)\}"
    rf"|\{{\s*(?P<broken>{_NAMES})\b"
)


@dataclass(frozen=True)
class Slot:
    """A slot: the place of a value in a template."""

    name: str


@dataclass(frozen=True)
class Template:
    """A text with slots. `{{x}}` stands for `{x}`; `\\boxed{A}` is left as it is.

    >>> Template.parse("{question} is \\\\boxed{{{answer}}}?").fill({"question": "Q", "answer": "{reference}"})
    'Q is \\\\boxed{{reference}}?'
    """

    parts: tuple[str | Slot, ...]

    @classmethod
    def parse(cls, text: str, where: str = "template") -> Template:
        """Read the slots of `text`. Raises ConfigError that names an unknown or malformed slot."""
        parts: list[str | Slot] = []
        end = 0
        for match in _SLOT.finditer(text):
            parts += [text[end : match.start()], *_part(match, where)]
            end = match.end()
        parts.append(text[end:])
        return cls(_merge(parts))

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """The names of the slots, each once, in order."""
        return tuple(dict.fromkeys(part.name for part in self.parts if isinstance(part, Slot)))

    def fill(self, values: Mapping[str, str]) -> str:
        """The text with each slot replaced by its value."""
        texts, slots = self._pieces
        filled = texts.copy()
        for place, name in slots:
            filled[place] = values[name]
        return "".join(filled)

    @cached_property
    def _pieces(self) -> tuple[list[str], list[tuple[int, str]]]:
        """The parts with "" in the slots, and where the slots are."""
        texts = [part if isinstance(part, str) else "" for part in self.parts]
        return texts, [(place, part.name) for place, part in enumerate(self.parts) if isinstance(part, Slot)]


def require(fields: tuple[str, ...], where: str, omitted: tuple[str, ...] = ()) -> None:
    """Raise ConfigError, naming the missing fields, for slots that cannot ask for a verdict.

    `{answer}` and `{response}` can replace each other, `{criteria}` the reference, `{rm_prompt}` the question and the
    reference. `omitted` are fields that are left out on purpose.
    """
    if not {"response", "answer"} & set(fields):
        raise ConfigError(f"{where}: the field {{response}} (or {{answer}}) is missing")
    stand_ins = {"question": {"question", "rm_prompt"}, "reference": {"reference", "criteria", "rm_prompt"}}
    for name, any_of in stand_ins.items():
        if name not in omitted and not any_of & set(fields):
            raise ConfigError(
                f"{where}: the field {{{name}}} is missing; to leave it out on purpose, say omit: [{name}]"
            )


def _part(match: re.Match[str], where: str) -> list[str | Slot]:
    if match["inside"] is not None:
        return ["{", _slot(match["inside"], where), "}"]
    if match["literal"] is not None:
        return [_literal(match["literal"], "{{%s}}", "{%s}", where)]
    if match["latex"] is not None:
        command, _, inner = match["latex"][:-1].partition("{")
        return [command + _literal(inner, command + "{%s}", command + "{{{%s}}}", where)]
    if match["broken"] is not None:
        raise ConfigError(f"{where}: malformed field {match.group()!r}...; write {{{match['broken']}}}")
    return [_slot(match["name"], where)]


def _slot(name: str, where: str) -> Slot:
    if name not in FIELDS:
        braces = f"{{{{{name}}}}}"
        raise ConfigError(
            f"{where}: unknown field {{{name}}}; {did_you_mean(name, FIELDS)} (as plain text write {braces})"
        )
    return Slot(name)


def _literal(inner: str, found: str, wanted: str, where: str) -> str:
    """Braces that are text. The name of a field between them is refused: it would be left over in the prompt."""
    name = inner.strip()
    if name in FIELDS:
        raise ConfigError(f"{where}: {found % inner} would be left over as text; write {wanted % name}")
    return f"{{{inner}}}"


def _merge(parts: list[str | Slot]) -> tuple[str | Slot, ...]:
    merged: list[str | Slot] = []
    for part in parts:
        if isinstance(part, str) and merged and isinstance(merged[-1], str):
            merged[-1] += part
        elif part != "":
            merged.append(part)
    return tuple(merged)
