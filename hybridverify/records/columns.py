"""Which column holds what: the names a user gave, else the default names, else verl's layout or a known alias.

An alias is taken only where the default name is absent and one alias alone is present: guessing between two
columns would grade the wrong text without a word.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hybridverify.errors import InputError, SampleError, did_you_mean
from hybridverify.records.rows import Place, Row
from hybridverify.types import Sample

_DEFAULTS = {
    "question": ("question", "extra_info.question"),
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
_OPTIONAL = ("question", "data_source")
_MISSING = object()
_MAX_NAMED = 30  # columns listed in a message


@dataclass(frozen=True)
class ColumnNames:
    """The columns a user named; "" leaves it to the default names. Dots reach into nested columns."""

    question: str = ""
    reference: str = ""
    response: str = ""
    data_source: str = ""
    meta: Mapping[str, str] = field(default_factory=dict)
    """Key in `Sample.meta` → column."""


@dataclass(frozen=True)
class Layout:
    """The columns of one input; "" where it has no such column."""

    question: str
    reference: str
    response: str
    data_source: str
    meta: Mapping[str, str]

    @classmethod
    def find(cls, names: ColumnNames, head: Sequence[Row], file: str) -> Layout:
        """Settle the columns by the first rows of `file`; raises InputError where one is missing or unclear."""
        columns = {role: _find(role, getattr(names, role), head, file) for role in _DEFAULTS}
        for key, column in names.meta.items():
            _need(column, head, file, f"--meta {key}=COLUMN")
        extra = {"extra_info": "extra_info"} if _present("extra_info", head) else {}
        return cls(**columns, meta={**extra, **names.meta})

    def top_columns(self, names: Sequence[str]) -> list[str]:
        """Those of the file's columns that are needed to build samples."""
        paths = [self.question, self.reference, self.response, self.data_source, *self.meta.values()]
        return [name for name in names if any(path == name or path.startswith(name + ".") for path in paths)]

    def spread(self, place: Place, row: Row) -> Iterator[Row]:
        """The row itself, or one row a response where the response column holds a list of them."""
        value = value_at(row, self.response)
        if not is_response_list(value):
            yield row
        elif self.response not in row:
            raise InputError(
                f"{place}: {self.response!r} holds a list of responses; only a column of the first level can be"
                " spread into rows: move it there"
            )
        else:
            for response in value or [None]:  # no response at all is still a row
                yield {**row, self.response: response}

    def sample(self, place: Place, row: Row) -> Sample:
        """The row as a sample. A reference that is no text is no reference; see `Sample`."""
        meta = {key: value_at(row, path) for key, path in self.meta.items()}
        reference = self._reference(row)
        try:
            return Sample(
                response=_spoken(value_at(row, self.response), "assistant"),
                reference=reference,
                question=_spoken(value_at(row, self.question), "user"),
                data_source=value_at(row, self.data_source),
                meta={key: value for key, value in meta.items() if value is not None},
            )
        except SampleError as error:
            raise InputError(f"{place}: {self._named(str(error))}") from error

    def _reference(self, row: Row) -> Any:
        value = value_at(row, self.reference)
        items = value if isinstance(value, list) else [value]
        texts = [str(item) if isinstance(item, bool) else item for item in items]
        return [text for text in texts if isinstance(text, (str, int, float)) and text == text]  # NaN is none

    def _named(self, message: str) -> str:
        for role in _DEFAULTS:
            message = message.replace(f"Sample.{role}", f"column {getattr(self, role)!r}")
        return f"{message}; name the text inside it by dots, or another column"


NO_LAYOUT = Layout("question", "reference", "response", "data_source", {})
"""Of an input without rows."""


def value_at(row: Any, path: str) -> Any:
    """The value under a dotted path, None where there is none. A column whose own name has dots goes first.

    >>> value_at({"reward_model": {"ground_truth": "7"}}, "reward_model.ground_truth")
    '7'
    >>> value_at({"a.b": 1, "a": {"b": 2}}, "a.b")
    1
    """
    value = _walk(row, path)
    return None if value is _MISSING else value


def _walk(row: Any, path: str) -> Any:
    if not isinstance(row, Mapping):
        return _MISSING
    if path in row:
        return row[path]
    for index, letter in enumerate(path):
        if letter == "." and path[:index] in row:
            found = _walk(row[path[:index]], path[index + 1 :])
            if found is not _MISSING:
                return found
    return _MISSING


def is_response_list(value: Any) -> bool:
    """True for a list of responses, false for one response that is a list of chat messages."""
    return isinstance(value, list) and not _is_chat(value)


def _is_chat(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(m, Mapping) and "content" in m for m in value)
    )


def _spoken(value: Any, role: str) -> Any:
    """The text itself; of chat messages the last one of that role."""
    if isinstance(value, bool):
        return str(value)
    if not _is_chat(value):
        return None if value != value else value  # NaN is how some writers spell null
    of_role = [message for message in value if message.get("role") == role]
    return _message_text((of_role or value)[-1]["content"])


def _message_text(content: Any) -> Any:
    if not isinstance(content, list):
        return content
    parts = [part.get("text") if isinstance(part, Mapping) else part for part in content]
    return "".join(part for part in parts if isinstance(part, str))


def _find(role: str, named: str, head: Sequence[Row], file: str) -> str:
    option = f"--{role.replace('_', '-')}-column"
    if named:
        return _need(named, head, file, option)
    for name in _DEFAULTS[role]:
        if _present(name, head):
            return name
    aliases = [name for name in _ALIASES[role] if _present(name, head)]
    if len(aliases) > 1:
        raise InputError(f"{file}: {' and '.join(aliases)} could each be the {role}; name one with {option}")
    if not aliases and role not in _OPTIONAL:
        columns = ", ".join(_columns(head)[:_MAX_NAMED]) or "none"
        raise InputError(f"{file}: no column {role!r}; name it with {option} (columns: {columns})")
    return aliases[0] if aliases else ""


def _need(column: str, head: Sequence[Row], file: str, option: str) -> str:
    if not _present(column, head):
        raise InputError(f"{file}: no column {column!r} ({option}); {did_you_mean(column, _columns(head))}")
    return column


def _present(path: str, head: Sequence[Row]) -> bool:
    return any(_walk(row, path) is not _MISSING for row in head)


def _columns(head: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(key for row in head for key in row))
