"""Which column holds what: the names a user gave, else the default names, else verl's layout or a known alias.

The files of well-known programs (dumps.py) are told by several keys together. An alias is used only if the default name
is absent and a single alias is present. Choosing between two columns might grade the wrong text without notice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from hybridverify.errors import InputError, SampleError, did_you_mean
from hybridverify.records.cells import MISSING, is_chat, is_response_list, references, spoken
from hybridverify.records.cells import value_at as value_at
from hybridverify.records.dumps import is_present, known_dump, picked, told
from hybridverify.records.rows import PROMPT_INDEX, SAMPLE_INDEX, Place, Row, log
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
    """The columns of one input; "" if it has no such column.

    `pick` is the path of positions in the list of references, and rows that differ in `apart` are of different prompts,
    as in `dumps.Dump`.
    """

    question: str
    reference: str
    response: str
    data_source: str
    meta: Mapping[str, str]
    by: Sequence[str] = ()
    pick: str = ""
    apart: Sequence[str] = ()

    @classmethod
    def find(cls, names: ColumnNames, head: Sequence[Row], file: str) -> Layout:
        """Find the columns by the first rows of `file`. Raises InputError if one is missing or unclear."""
        chosen = {role: getattr(names, role) or _default(role, head) for role in _DEFAULTS}
        dump = None if all(map(chosen.get, ("response", "reference"))) else known_dump(head, file)
        usual = dump.columns(head) if dump else {}
        columns = {role: _column(role, chosen[role], usual, head, file) for role in _DEFAULTS}
        for option, column in _others_named(names):
            _need(column, head, file, option)
        layout = cls(**columns, meta={**_given_meta(head), **names.meta}, by=tuple(names.by))
        if dump is None:
            return layout
        log.info("%s: %s", file, told(dump, columns))
        pick = dump.pick if layout.reference == usual["reference"] else ""
        return replace(layout, pick=pick, apart=dump.apart)

    def top_columns(self, names: Sequence[str]) -> list[str]:
        """The file's columns that samples and figures need."""
        named = (self.question, self.reference, self.response, self.data_source, self.pick)
        paths = [*named, *self.meta.values(), *self.by, *self.apart, PROMPT_INDEX, SAMPLE_INDEX]
        return [name for name in names if any(path == name or path.startswith(name + ".") for path in paths)]

    def spread(self, row: Row, index: int) -> Iterator[tuple[Row, Any]]:
        """The row and its response; or for each of several responses the row with this one, and where it was.

        `index` is the row's number over all inputs, from 0. Lists within other values stay as they are.
        """
        value = row.get(self.response) if self._is_flat else value_at(row, self.response)
        if type(value) is str or not is_response_list(value):
            yield row, value
        elif isinstance(at := row.get(SAMPLE_INDEX), int):
            yield row, value_at(value, str(at))  # this row was spread before
        else:
            for number, response in enumerate(value or [None]):  # a row without any response is still a row
                one = {**row, self.response: response} if self.response in row else dict(row)
                yield {**one, PROMPT_INDEX: index, SAMPLE_INDEX: number}, response

    def response_of(self, row: Row) -> Any:
        """The response of a row that `spread` gave."""
        value = value_at(row, self.response)
        at = row.get(SAMPLE_INDEX)
        return value_at(value, str(at)) if is_response_list(value) and isinstance(at, int) else value

    def sample(self, place: Place, row: Row, response: Any = MISSING) -> Sample:
        """The row as a sample, with one of its responses. A reference without text does not count; see `Sample`."""
        value = self.response_of(row) if response is MISSING else response
        if self._is_flat:
            reference = row.get(self.reference)
            question = row.get(self.question, "") if self.question else ""
            source = row.get(self.data_source, "") if self.data_source else ""
            if type(value) is type(reference) is type(question) is type(source) is str and not self.meta:
                return Sample(value, [reference], question, source)
        return self._any_sample(place, row, value)

    @cached_property
    def _is_flat(self) -> bool:
        """Whether all columns are of the first level, as far as their names tell: a short way for most files."""
        return not self.pick and not any(
            "." in path for path in (self.question, self.reference, self.response, self.data_source)
        )

    def _any_sample(self, place: Place, row: Row, response: Any) -> Sample:
        meta = {key: value_at(row, path) for key, path in self.meta.items()}
        reference = value_at(row, self.reference)
        if self.pick:
            reference = picked(reference, value_at(row, self.pick))
        try:
            return Sample(
                response=spoken(response, "assistant"),
                reference=list(references(reference)),
                question=spoken(value_at(row, self.question), "user"),
                data_source=value_at(row, self.data_source),
                meta={key: value for key, value in meta.items() if value is not None},
            )
        except SampleError as error:
            raise InputError(f"{place}: {self._named(str(error))}") from error

    def _named(self, message: str) -> str:
        for role in _DEFAULTS:
            message = message.replace(f"Sample.{role}", f"column {getattr(self, role)!r}")
        return f"{message.partition(';')[0]}; name the text inside it by dots, or another column"


NO_LAYOUT = Layout("question", "reference", "response", "data_source", {})
"""The layout of an input without rows."""


def _column(role: str, chosen: str, usual: Mapping[str, str], head: Sequence[Row], file: str) -> str:
    """The column of a role: the chosen one, which has to be there, else the one `usual` in such files."""
    if chosen:
        return _need(chosen, head, file, _option(role))
    return usual.get(role) or _find(role, head, file)


def _others_named(names: ColumnNames) -> Iterator[tuple[str, str]]:
    """The columns that a user named besides those of the roles, each with its option."""
    yield from ((f"--meta {key}=COLUMN", column) for key, column in names.meta.items())
    yield from (("--by", column) for column in names.by)


def _given_meta(head: Sequence[Row]) -> dict[str, str]:
    return {name: name for name in _META if is_present(name, head)}


def _default(role: str, head: Sequence[Row]) -> str:
    return next((name for name in _DEFAULTS[role] if is_present(name, head)), "")


def _option(role: str) -> str:
    return f"--{role.replace('_', '-')}-column"


def _find(role: str, head: Sequence[Row], file: str) -> str:
    """The column with the single other name of this role; "" if the role may be absent."""
    if role == "question" and (verls := _verls_question(head)):
        return verls
    option = _option(role)
    aliases = [name for name in _ALIASES[role] if is_present(name, head)]
    if len(aliases) > 1:
        raise InputError(f"{file}: {' and '.join(aliases)} could each be the {role}; name one with {option}")
    if not aliases and role not in _OPTIONAL:
        columns = ", ".join(_columns(head)[:_MAX_NAMED]) or "none"
        if within := _rows_within(head):
            raise InputError(
                f"{file}: its rows stand in the list {within!r}; write that list alone as the file"
            )
        raise InputError(f"{file}: no column {role!r}; name it with {option} (columns: {columns})")
    return aliases[0] if aliases else ""


def _rows_within(head: Sequence[Row]) -> str:
    """The column that holds the rows themselves, where a file is one object around them; else ""."""
    if len(head) != 1:
        return ""
    lists = [
        name
        for name, value in head[0].items()
        if isinstance(value, list) and value and isinstance(value[0], dict)
    ]
    return lists[0] if len(lists) == 1 else ""


def _verls_question(head: Sequence[Row]) -> str:
    """The chat comes first: in training it is what the adapters show, and equal questions share cached verdicts."""
    if any(is_chat(row.get("prompt")) for row in head):
        return "prompt"
    return "extra_info.question" if is_present("extra_info.question", head) else ""


def _need(column: str, head: Sequence[Row], file: str, option: str) -> str:
    if not is_present(column, head):
        raise InputError(f"{file}: no column {column!r} ({option}); {did_you_mean(column, _columns(head))}")
    return column


def _columns(head: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(key for row in head for key in row))
