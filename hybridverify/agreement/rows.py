"""Labelled rows: the column of the label, the meaning of its values, and the groups of a row."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any

from hybridverify.errors import InputError, did_you_mean
from hybridverify.language.patterns import OPTION_LETTER, TELLING_WORD
from hybridverify.records import Entry, Records
from hybridverify.records.columns import value_at
from hybridverify.records.rows import Row, Tally, Warn
from hybridverify.types import Sample

LABEL_COLUMNS = ("label", "right", "verdict")
"""Names of the label's column if none is given: the first of them, else the one that is there."""
_RIGHT = ("true", "1", "yes", "right", "correct", "a")
_WRONG = ("false", "0", "no", "wrong", "incorrect", "b", "invalid", "c")
"""A, B and C are the letters of CompassVerifier. An invalid response (C) is not right."""

_HEAD_ROWS = 100
_MAX_GROUP_LENGTH = 80
_MAX_LOOKED_AT = 400  # characters of a reference
_NUMBER = re.compile(
    r"[-+−]?[$€£]?(?:[0-9][0-9,]{0,60}(?:\.[0-9]{1,60})?|\.[0-9]{1,60})(?:/[0-9]{1,60})?"
    r"\s?(?:\\?%|[^\W\d_]{1,40})?"
)
_MATHS = re.compile(r"[0-9\\=^_+*/<>|]|\b[a-z]\b")


@dataclass(frozen=True)
class LabelledRow:
    """A sample with a label. `groups` maps a column to this row's value in it."""

    sample: Sample
    label: bool
    number: int = 0
    place: str = ""
    groups: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class LabelledRecords:
    """Records whose labels were checked. `count` rows have a label; the others are left out."""

    records: Records
    columns: Mapping[str, str]
    """File → its label column."""
    by: tuple[str, ...]
    count: int

    @classmethod
    def open(cls, records: Records, named: str, by: Sequence[str], warn: Warn) -> LabelledRecords:
        """Read every label before the first row is graded. Raises InputError for a label that says neither."""
        columns = {}
        for part in records.parts:
            head = [row for _, row in islice(part.source.rows(), _HEAD_ROWS)]
            if head:
                columns[str(part.source)] = _label_column(named, head, str(part.source))
        found = cls(records, columns, tuple(dict.fromkeys(by)), 0)
        return cls(records, columns, found.by, found._survey(warn))

    def rows(self) -> Iterator[LabelledRow]:
        """Every labelled row in order."""
        for entry in self.records.entries():
            label = self._label(entry)
            if label is not None:
                groups = groups_of(entry.sample, {name: value_at(entry.row, name) for name in self.by})
                yield LabelledRow(entry.sample, label, entry.number, str(entry.place), groups)

    def _survey(self, warn: Warn) -> int:
        labelled, unlabelled = 0, Tally()
        absent, seen = dict.fromkeys(self.by), dict[str, None]()
        for entry in self.records.entries():
            if self._label(entry) is None:
                unlabelled.add(entry.place)
                continue
            labelled += 1
            absent = {name: None for name in absent if value_at(entry.row, name) is None}
            seen.update(dict.fromkeys(entry.row))
        if not labelled:
            raise InputError("no row has a label; there is nothing to compare with")
        for name in absent:
            raise InputError(f"no column {name!r} (--by); {did_you_mean(name, seen)}")
        if unlabelled.count:
            warn(f"{unlabelled} without a label: left out")
        return labelled

    def _label(self, entry: Entry) -> bool | None:
        column = self.columns[entry.place.file]
        value = value_at(entry.row, column)
        if value is None or value == "" or value != value:  # NaN, as some writers spell null
            return None
        label = read_label(value)
        if label is None:
            raise InputError(
                f"{entry.place}: label {str(value)[:40]!r} in column {column!r} is neither right nor wrong;"
                " true, false, 1, 0, right, wrong, correct, incorrect are understood"
            )
        return label


def read_label(value: Any) -> bool | None:
    """True for right, False for wrong, None if the value says neither.

    >>> read_label(True), read_label(0), read_label(" Correct"), read_label("B"), read_label(0.5)
    (True, False, True, False, None)
    """
    if isinstance(value, (bool, int, float)):
        return bool(value) if value in (0, 1) else None
    word = value.strip().casefold() if isinstance(value, str) else ""
    return True if word in _RIGHT else False if word in _WRONG else None


def groups_of(sample: Sample, values: Mapping[str, Any]) -> dict[str, str]:
    """The groups of a row: its data source, the kind of its reference, and the values of chosen columns."""
    chosen = {name: _group(value) for name, value in values.items()}
    kinds = {"data_source": _group(sample.data_source), "answer_kind": answer_kind(sample.references)}
    return {**kinds, **chosen}


def answer_kind(references: Sequence[str]) -> str:
    r"""The kind of a reference, in coarse classes, by its form.

    >>> [answer_kind([text]) for text in ("(B)", "1,200.5", "3 km", r"\frac{x}{2}", "Ulm, on the Danube", " ")]
    ['choice', 'number', 'number', 'expression', 'text', 'none']
    """
    text = next((reference.strip() for reference in references if reference.strip()), "")[:_MAX_LOOKED_AT]
    text = text.strip("$ ")
    if not text:
        return "none"
    if OPTION_LETTER.fullmatch(text):
        return "choice"
    if _NUMBER.fullmatch(text):
        return "number"
    return "expression" if _MATHS.search(text) and not TELLING_WORD.search(text) else "text"


def _group(value: Any) -> str:
    text = "" if value is None else str(value)
    return text if len(text) <= _MAX_GROUP_LENGTH else text[: _MAX_GROUP_LENGTH - 1] + "…"


def _label_column(named: str, head: Sequence[Row], file: str) -> str:
    present = [name for name in (named, *LABEL_COLUMNS) if name and _present(name, head)]
    columns = list(dict.fromkeys(chain.from_iterable(head)))
    if named:
        if named in columns and named not in present:
            raise InputError(f"{file}: column {named!r} (--label-column) is empty in all of its first rows")
        if named not in present:
            raise InputError(f"{file}: no column {named!r} (--label-column); {did_you_mean(named, columns)}")
        return named
    if not present:
        raise InputError(
            f"{file}: no column 'label'; name it with --label-column (columns: {', '.join(columns[:30])})"
        )
    if present[0] != LABEL_COLUMNS[0] and len(present) > 1:
        raise InputError(
            f"{file}: {' and '.join(present)} could each be the label; name one with --label-column"
        )
    return present[0]


def _present(column: str, head: Sequence[Row]) -> bool:
    return any(value_at(row, column) is not None for row in head)
