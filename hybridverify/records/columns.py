"""Which column holds what: the names a user gave, else the default names, else verl's layout or a known alias.

An alias is used only if the default name is absent and a single alias is present. Choosing between two columns might
grade the wrong text without notice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from hybridverify.errors import InputError, SampleError, did_you_mean
from hybridverify.records.cells import MISSING, is_chat, is_response_list, references, spoken, walk
from hybridverify.records.cells import value_at as value_at
from hybridverify.records.rows import Place, Row
from hybridverify.types import Sample

_DEFAULTS = {
    "question": ("question",),
    "reference": ("reference", "reward_model.ground_truth"),
    "response": ("response",),
    "data_source": ("data_source",),
}
_ALIASES = {
    "question": ("prompt", "problem", "query"),
    "reference": (
        "gold", "answer", "ground_truth", "target", "gold_answer", "expected_answer", "correct_answer",
        "reference_answer", "expected", "answers", "targets", "references",
    ),
    "response": (
        "responses", "output", "outputs", "completion", "completions", "prediction", "predictions",
        "model_output", "model_response", "model_answer", "generation", "generations", "generated_text",
    ),
    "data_source": (),
}  # fmt: skip
_META = ("extra_info", "rm_prompt")
"""Columns of verl that judges' templates may use. They are passed on without being named."""
_OPTIONAL = ("question", "data_source")
_MAX_NAMED = 30  # columns listed in a message


@dataclass(frozen=True)
class ColumnNames:
    """The columns that a user named; "" means the default name. Dots reach into nested columns."""

    question: str = ""
    reference: str = ""
    response: str = ""
    data_source: str = ""
    meta: Mapping[str, str] = field(default_factory=dict)
    """Key in `Sample.meta` → column."""
    by: Sequence[str] = ()
    """Columns that only figures are grouped by."""


@dataclass(frozen=True)
class Layout:
    """The columns of one input; "" if it has no such column."""

    question: str
    reference: str
    response: str
    data_source: str
    meta: Mapping[str, str]
    by: Sequence[str] = ()

    @classmethod
    def find(cls, names: ColumnNames, head: Sequence[Row], file: str) -> Layout:
        """Find the columns by the first rows of `file`. Raises InputError if one is missing or unclear."""
        columns = {role: _find(role, getattr(names, role), head, file) for role in _DEFAULTS}
        for key, column in names.meta.items():
            _need(column, head, file, f"--meta {key}=COLUMN")
        for column in names.by:
            _need(column, head, file, "--by")
        given = {name: name for name in _META if _present(name, head)}
        return cls(**columns, meta={**given, **names.meta}, by=tuple(names.by))

    def top_columns(self, names: Sequence[str]) -> list[str]:
        """The file's columns that samples and figures need."""
        named = (self.question, self.reference, self.response, self.data_source)
        paths = [*named, *self.meta.values(), *self.by]
        return [name for name in names if any(path == name or path.startswith(name + ".") for path in paths)]

    def spread(self, place: Place, row: Row) -> Iterator[Row]:
        """The row itself, or one row for each response if the response column holds a list."""
        value = value_at(row, self.response)
        if not is_response_list(value):
            yield row
        elif self.response not in row:
            raise InputError(
                f"{place}: {self.response!r} holds a list of responses; only a column of the first level can be"
                " spread into rows: move it there"
            )
        else:
            for response in value or [None]:  # a row without any response is still a row
                yield {**row, self.response: response}

    def sample(self, place: Place, row: Row) -> Sample:
        """The row as a sample. A reference without text does not count; see `Sample`."""
        meta = {key: value_at(row, path) for key, path in self.meta.items()}
        try:
            return Sample(
                response=spoken(value_at(row, self.response), "assistant"),
                reference=list(references(value_at(row, self.reference))),
                question=spoken(value_at(row, self.question), "user"),
                data_source=value_at(row, self.data_source),
                meta={key: value for key, value in meta.items() if value is not None},
            )
        except SampleError as error:
            raise InputError(f"{place}: {self._named(str(error))}") from error

    def _named(self, message: str) -> str:
        for role in _DEFAULTS:
            message = message.replace(f"Sample.{role}", f"column {getattr(self, role)!r}")
        return f"{message}; name the text inside it by dots, or another column"


NO_LAYOUT = Layout("question", "reference", "response", "data_source", {})
"""The layout of an input without rows."""


def _find(role: str, named: str, head: Sequence[Row], file: str) -> str:
    option = f"--{role.replace('_', '-')}-column"
    if named:
        return _need(named, head, file, option)
    for name in _DEFAULTS[role]:
        if _present(name, head):
            return name
    if role == "question" and (verls := _verls_question(head)):
        return verls
    return _alias(role, head, file, option)


def _alias(role: str, head: Sequence[Row], file: str, option: str) -> str:
    """The column with the single other name of this role; "" if the role may be absent."""
    aliases = [name for name in _ALIASES[role] if _present(name, head)]
    if len(aliases) > 1:
        raise InputError(f"{file}: {' and '.join(aliases)} could each be the {role}; name one with {option}")
    if not aliases and role not in _OPTIONAL:
        columns = ", ".join(_columns(head)[:_MAX_NAMED]) or "none"
        raise InputError(f"{file}: no column {role!r}; name it with {option} (columns: {columns})")
    return aliases[0] if aliases else ""


def _verls_question(head: Sequence[Row]) -> str:
    """The chat comes first: in training it is what the adapters show, and equal questions share cached verdicts."""
    if any(is_chat(row.get("prompt")) for row in head):
        return "prompt"
    return "extra_info.question" if _present("extra_info.question", head) else ""


def _need(column: str, head: Sequence[Row], file: str, option: str) -> str:
    if not _present(column, head):
        raise InputError(f"{file}: no column {column!r} ({option}); {did_you_mean(column, _columns(head))}")
    return column


def _present(path: str, head: Sequence[Row]) -> bool:
    return any(walk(row, path) is not MISSING for row in head)


def _columns(head: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(key for row in head for key in row))
