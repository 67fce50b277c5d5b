"""What callers hold, as samples: samples, rows as dicts, tables of pandas, polars, Arrow and `datasets`, or two lists.

None of these libraries is imported: a table is known by its methods. What is none of them is refused in one line that
names the right call.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from hybridverify.errors import HybridVerifyError, SampleError, refuse_unknown
from hybridverify.records.columns import ColumnNames, Layout
from hybridverify.records.rows import Place, Row
from hybridverify.sample import Sample, is_chat

_HEAD_ROWS = 100
_OPTION = re.compile(r"--([a-z]+(?:-[a-z]+)?)-column")
_ROLES = ("question", "reference", "response", "data_source")
"""In the order of the fields of `ColumnNames`."""
_ONE_PAIR = "hybridverify.verify(response, reference) grades one pair"
_FORMS = "grade([Sample(...), ...]), grade(rows) for dicts or a table, or grade(responses, references)"


def samples_of(
    given: Any, references: Any = None, questions: Any = None, columns: Mapping[str, str] | None = None
) -> list[Sample]:
    """A sample for each item, in order. Raises SampleError.

    >>> samples_of(["It is 7."], ["7"])[0].references
    ('7',)
    >>> samples_of([{"completion": "It is 7.", "gold": 7}])[0].response
    'It is 7.'
    """
    if references is not None:
        return _pairs(given, references, questions)
    if questions is not None:
        raise SampleError("grade got questions and no references: grade(responses, references, questions)")
    return list(iter_samples(given, columns))


def iter_samples(given: Any, columns: Mapping[str, str] | None = None) -> Iterator[Sample]:
    """The same, one by one and in constant memory. Columns are found by the first rows."""
    items = iter(_items(given))
    head = list(islice(items, 1))
    if not head:
        return
    first = head[0]
    if isinstance(first, Sample):
        yield first
        for number, item in enumerate(items, 2):
            yield item if type(item) is Sample else _single(item, number)
        return
    head += islice(items, _HEAD_ROWS - 1)
    if isinstance(first, Mapping):
        yield from _from_rows(head, items, columns)
        return
    for number, item in enumerate(chain(head, items), 1):
        yield _single(item, number)


def one_sample(given: Any, call: str) -> Sample:
    """The sample itself, or a row as a sample. Raises SampleError that names `call`."""
    if isinstance(given, Sample):
        return given
    if isinstance(given, Mapping):
        return next(_from_rows([given], iter(()), None))
    raise SampleError(f"{call} takes one Sample, not {_kind(given)}: {call}(Sample(response, reference))")


def _items(given: Any) -> Iterable[Any]:
    """The items of whatever holds them: samples, or rows as dicts."""
    if isinstance(given, Sample):
        raise SampleError(f"grade takes several samples: grade([sample]); {_ONE_PAIR}")
    if isinstance(given, (str, bytes, os.PathLike)):
        raise SampleError(
            f"grade takes samples, not {_kind(given)}; {_ONE_PAIR}; files: hybridverify grade FILE"
        )
    if (rows := _rows_of_table(given)) is not None:
        return rows
    if isinstance(given, Mapping):
        return _columns_as_rows(given)
    if not isinstance(given, Iterable):
        raise SampleError(f"grade takes samples, not {_kind(given)}: {_FORMS}")
    return given


def _rows_of_table(given: Any) -> Iterator[Row] | None:
    """The rows of a table of another library, None for anything else."""
    if hasattr(given, "itertuples"):  # pandas
        names = [str(name) for name in given.columns]
        return (
            {n: _cell(v) for n, v in zip(names, row, strict=True)} for row in given.itertuples(False, None)
        )
    if hasattr(given, "iter_rows"):  # polars
        return (row for row in given.iter_rows(named=True))
    if hasattr(given, "to_pylist") and hasattr(given, "column_names"):  # Arrow
        return (row for row in given.to_pylist())
    return None


def _columns_as_rows(given: Mapping[str, Any]) -> Iterator[Row]:
    if any(hasattr(value, "column_names") for value in given.values()):
        splits = ", ".join(map(str, given))
        raise SampleError(
            f"grade takes one data set, and this holds the splits {splits}: grade(data[{next(iter(given))!r}])"
        )
    if not all(_is_column(value) for value in given.values()):
        raise SampleError(f"grade takes several rows: grade([row]); {_ONE_PAIR}")
    sizes = {str(name): len(value) for name, value in given.items()}
    if len(set(sizes.values())) > 1:
        raise SampleError(f"grade got columns of different lengths: {sizes}")
    return (
        {str(n): _cell(v) for n, v in zip(given, row, strict=True)}
        for row in zip(*given.values(), strict=True)
    )


def _is_column(value: Any) -> bool:
    return (
        hasattr(value, "__len__")
        and hasattr(value, "__iter__")
        and not isinstance(value, (str, bytes, Mapping))
    )


def _cell(value: Any) -> Any:
    """A cell in Python's own types; arrays are lists, and what tables write for absent is None."""
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    return value.tolist() if hasattr(value, "tolist") and hasattr(value, "ndim") else value


def _from_rows(
    head: Sequence[Any], items: Iterator[Any], columns: Mapping[str, str] | None
) -> Iterator[Sample]:
    names = {} if columns is None else dict(columns)
    refuse_unknown("columns", names, _ROLES)
    rows = [dict(row) for row in head if isinstance(row, Mapping)]
    try:
        question, reference, response, source = (names.get(role, "") for role in _ROLES)
        chosen = ColumnNames(question, reference, response, source)
        layout = Layout.find(chosen, rows, "the rows")
        for number, row in enumerate(chain(head, items), 1):
            if not isinstance(row, Mapping):
                raise SampleError(f"row {number} is {_kind(row)}, and those before are dicts")
            yield layout.sample(Place("the rows", number), dict(row))
    except HybridVerifyError as error:
        raise SampleError(_OPTION.sub(_as_argument, str(error))) from error


def _as_argument(option: re.Match[str]) -> str:
    """An option of the command line as an argument of `grade`."""
    return f"columns={{{option[1].replace('-', '_')!r}: NAME}}"


def _single(item: Any, number: int) -> Sample:
    if isinstance(item, Sample):
        return item
    if isinstance(item, tuple) and 2 <= len(item) <= 3:
        return Sample(*item)
    if isinstance(item, str) or is_chat(item):
        raise SampleError("grade got responses without references: grade(responses, references)")
    raise SampleError(f"item {number} is {_kind(item)}, no Sample: {_FORMS}")


def _pairs(responses: Any, references: Any, questions: Any) -> list[Sample]:
    named = {"responses": responses, "references": references, "questions": questions}
    lists = {name: values for name, values in named.items() if values is not None}
    for name, values in lists.items():
        if not _is_column(values):
            one = _ONE_PAIR if name == "responses" else f"one for all: [{name[:-1]}] * len(responses)"
            told = f"takes lists, and {name} is {_kind(values)}; {one}"
            raise SampleError(f"grade(responses, references) {told}")
    if len(set(map(len, lists.values()))) > 1:
        told = ", ".join(f"{len(values)} {name}" for name, values in lists.items())
        raise SampleError(f"grade got lists of different lengths: {told}")
    asked = [""] * len(responses) if questions is None else questions
    pairs = zip(responses, references, asked, strict=True)
    return [Sample(_cell(response), reference, _cell(question)) for response, reference, question in pairs]


def _kind(value: Any) -> str:
    if value is None:
        return "None"
    return {"str": "text", "bytes": "bytes", "dict": "a dict", "list": "a list"}.get(
        type(value).__name__, f"of type {type(value).__name__}"
    )
