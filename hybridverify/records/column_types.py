"""The Parquet types of rows that have none, found while the rows are read for the first time."""

from __future__ import annotations

import pyarrow as pa

from hybridverify.errors import InputError
from hybridverify.records.reading import Entry
from hybridverify.records.rows import Place, Row

_BATCH_ROWS = 512
_CONFLICTS = (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError)
ADVICE = "a Parquet column has one type: write .jsonl instead, or make the values alike"


class ColumnTypes:
    """Collects rows and finds types that fit all of them: whole numbers with decimals, null with anything.

    `unwritable` holds, by entry number, the rows with a value that Parquet cannot hold, and `places` where they stand.
    """

    def __init__(self) -> None:
        self.schema = pa.schema([])
        self.unwritable: dict[int, tuple[str, str]] = {}
        self.places: dict[Place, tuple[str, str]] = {}
        self._waiting: list[Entry] = []

    def add(self, entry: Entry) -> None:
        """Take one more row into account. Raises InputError if a column's types cannot be joined."""
        self._waiting.append(entry)
        if len(self._waiting) >= _BATCH_ROWS:
            self.settle()

    def settle(self) -> pa.Schema:
        """The columns of all rows so far."""
        entries, self._waiting = self._waiting, []
        try:
            self.schema = _unify(self.schema, _schema_of([entry.row for entry in entries]))
        except (*_CONFLICTS, UnicodeEncodeError, OverflowError):
            for entry in entries:
                self._add_one(entry)
        return self.schema

    def _add_one(self, entry: Entry) -> None:
        for column, value in entry.row.items():
            try:
                one = pa.schema([(column, pa.array([value]).type)])
                self.schema = _unify(self.schema, one)
            except UnicodeEncodeError:
                self._refuse(entry, column, "half a character (a lone surrogate)")
                return
            except OverflowError:
                self._refuse(entry, column, "a whole number of more than 64 bits")
                return
            except _CONFLICTS as error:
                raise InputError(
                    f"{entry.place}, column {column!r}: {_clash(error, self.schema, column)}"
                ) from error

    def _refuse(self, entry: Entry, column: str, what: str) -> None:
        self.unwritable[entry.number] = self.places[entry.place] = (column, what)


def _schema_of(rows: list[Row]) -> pa.Schema:
    names = dict.fromkeys(name for row in rows for name in row)
    return pa.schema([(name, pa.array([row.get(name) for row in rows]).type) for name in names])


def _unify(one: pa.Schema, other: pa.Schema) -> pa.Schema:
    return pa.unify_schemas([one, other], promote_options="permissive")


def _clash(error: Exception, schema: pa.Schema, column: str) -> str:
    index = schema.get_field_index(column)
    before = f" ({schema.field(index).type} in earlier rows)" if index >= 0 else ""
    return f"{str(error).splitlines()[0]}{before}; {ADVICE}"
