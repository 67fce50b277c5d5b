"""Question sets as verl's training rows: a chat as prompt, `data_source` with a suffix that picks a route, the ground
truth, `extra_info`, and the judge's prompt if there is one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from hybridverify.errors import InputError, did_you_mean
from hybridverify.records.cells import is_chat, value_at
from hybridverify.records.columns import ColumnNames, Layout
from hybridverify.records.dumps import is_present
from hybridverify.records.extra_info import ExtraKinds
from hybridverify.records.rows import Place, Row, Tally, Warn, say_nothing
from hybridverify.records.source import Source

_HEAD_ROWS = 100
_GROUP_ROWS = 2048
_PLACEHOLDER = re.compile(r"\{(question|reference)\}")
SCHEMA = pa.schema(
    [
        ("data_source", pa.string()),
        ("prompt", pa.list_(pa.struct([("role", pa.string()), ("content", pa.string())]))),
        ("ability", pa.string()),
        ("reward_model", pa.struct([("style", pa.string()), ("ground_truth", pa.string())])),
    ]
)


@dataclass(frozen=True)
class Recipe:
    """How rows are made. `data_source` replaces that of the rows; without either it is the file's name.

    `instruction` follows each question in the prompt. `truth` makes a ground truth of a reference. `rm_prompt` is a
    text with {question} and {reference}. `extra` names columns that go into `extra_info`, by key.
    """

    data_source: str = ""
    suffix: str = ""
    system: str = ""
    instruction: str = ""
    ability: str = "math"
    split: str = "train"
    truth: Callable[[str], str] = str
    rm_prompt: str = ""
    extra: dict[str, str] = field(default_factory=dict)


@dataclass
class Counts:
    """What was made of the rows, and what was left out, and why."""

    written: int = 0
    sources: Counter[str] = field(default_factory=Counter)
    longest: int = 0
    no_reference: Tally = field(default_factory=Tally)
    no_question: Tally = field(default_factory=Tally)
    several: Tally = field(default_factory=Tally)
    repeated: Tally = field(default_factory=Tally)
    unwritable: Tally = field(default_factory=Tally)
    skipped: Tally = field(default_factory=Tally)
    seen: set[int] = field(default_factory=set)


class QuestionSets:
    """The rows of some files. Raises InputError if a file or column cannot be read."""

    def __init__(
        self,
        files: Sequence[Path],
        names: ColumnNames,
        recipe: Recipe,
        warn: Warn,
        limit: int | None = None,
        skip_bad_lines: bool = False,
    ) -> None:
        self.counts = Counts()
        self._names = names
        self._recipe = recipe
        self._limit = limit
        self._warn = warn
        self._sources = [Source.open(file, skip_bad_lines) for file in files]
        self._heads = [[row for _, row in islice(source.rows(), _HEAD_ROWS)] for source in self._sources]
        self._judged = recipe.rm_prompt != "" or any(
            "rm_prompt" in row for head in self._heads for row in head
        )

    def write(self, out: Path) -> None:
        """Write all rows as Parquet; the file appears when it is whole."""
        beside = out.with_name(out.name + ".tmp")
        extra = self._extra_types()
        schema = self._schema(extra)
        texts = [key for key, kind in extra.items() if pa.types.is_string(kind)]
        try:
            with pq.ParquetWriter(beside, schema) as writer:
                waiting: list[Row] = []
                for row in self.rows():
                    told = row["extra_info"]
                    told.update((key, _text(told[key])) for key in texts)
                    waiting.append(row)
                    if len(waiting) >= _GROUP_ROWS:
                        writer.write_table(pa.Table.from_pylist(waiting, schema=schema))
                        waiting = []
                if waiting:
                    writer.write_table(pa.Table.from_pylist(waiting, schema=schema))
            beside.replace(out)
        finally:
            beside.unlink(missing_ok=True)

    def _extra_types(self) -> dict[str, pa.DataType]:
        """The types of the user's columns of `extra_info`, for which all rows are read once before."""
        kinds = ExtraKinds(self._recipe.extra)
        if self._recipe.extra:
            warn, self._warn = self._warn, say_nothing
            for row in self.rows():
                kinds.add(row["extra_info"])
            self._warn, self.counts = warn, Counts()
        return kinds.types()

    def rows(self) -> Iterator[Row]:
        """The rows that can be rewarded; the others are counted."""
        for source, head in zip(self._sources, self._heads, strict=True):
            if not head:
                self._warn(f"{source} holds no rows")
                continue
            layout = self._layout(head, str(source))
            for place, row in source.rows((), self._warn, self.counts.skipped.note):
                if self._limit is not None and self.counts.written >= self._limit:
                    return
                made = self._row(layout, place, row, source)
                if made is not None:
                    yield made

    def _layout(self, head: Sequence[Row], file: str) -> Layout:
        """The columns of a file; those that go into `extra_info` have to be there."""
        layout = Layout.find(self._names, [_answered(row) for row in head], file)
        known = list(dict.fromkeys(key for row in head for key in row))
        for key, column in self._recipe.extra.items():
            if not is_present(column, head):
                raise InputError(
                    f"{file}: no column {column!r} (--extra {key}={column}); {did_you_mean(column, known)}"
                )
        if not layout.question:
            columns = ", ".join(known)
            raise InputError(
                f"{file}: no column 'question'; name it with --question-column (columns: {columns})"
            )
        return layout

    def _row(self, layout: Layout, place: Place, row: Row, source: Source) -> Row | None:
        sample = layout.sample(place, _answered(row))
        references = [text for text in sample.references if text.strip()]
        if not references:
            self.counts.no_reference.add(place)
        elif not sample.question.strip():
            self.counts.no_question.add(place)
        elif not _is_writable(sample.question, *references):
            self.counts.unwritable.add(place)
        else:
            if len(references) > 1:
                self.counts.several.add(place)
            self._count_repeated(sample.question, references[0], place)
            named = self._recipe.data_source or sample.data_source or source.path.name.partition(".")[0]
            return self._made(layout, row, sample.question, self._recipe.truth(references[0]), named)
        return None

    def _count_repeated(self, question: str, reference: str, place: Place) -> None:
        digest = hash((question, reference))
        if digest in self.counts.seen:
            self.counts.repeated.add(place)
        self.counts.seen.add(digest)

    def _made(self, layout: Layout, row: Row, question: str, reference: str, named: str) -> Row:
        recipe = self._recipe
        source = named if named.endswith(recipe.suffix) else named + recipe.suffix
        prompt = self._prompt(value_at(row, layout.question), question)
        extra = {key: value_at(row, path) for key, path in recipe.extra.items()}
        index, told = self.counts.written, {"question": question, **extra}
        self.counts.written += 1
        self.counts.sources[source] += 1
        self.counts.longest = max(self.counts.longest, sum(len(message["content"]) for message in prompt))
        made = {
            "data_source": source,
            "prompt": prompt,
            "ability": recipe.ability,
            "reward_model": {"style": "rule", "ground_truth": reference},
            "extra_info": {"split": recipe.split, "index": index, **told},
        }
        if recipe.rm_prompt:
            values = {"question": question, "reference": reference}
            made["rm_prompt"] = _PLACEHOLDER.sub(lambda found: values[found[1]], recipe.rm_prompt)
        elif self._judged:
            made["rm_prompt"] = _text(row.get("rm_prompt"))
        return made

    def _prompt(self, asked: Any, question: str) -> list[dict[str, str]]:
        """A chat of the data set as it is; a text as the user's turn."""
        recipe = self._recipe
        system = [{"role": "system", "content": recipe.system}] if recipe.system else []
        if is_chat(asked) and not recipe.instruction:
            return system + [{"role": _text(m.get("role")), "content": _text(m["content"])} for m in asked]
        text = f"{question} {recipe.instruction}" if recipe.instruction else question
        return [*system, {"role": "user", "content": text}]

    def _schema(self, extra: Mapping[str, pa.DataType]) -> pa.Schema:
        own = {"split": pa.string(), "index": pa.int64(), "question": pa.string()}
        schema = SCHEMA.append(pa.field("extra_info", pa.struct([*{**own, **extra}.items()])))
        if self._judged:
            schema = schema.append(pa.field("rm_prompt", pa.string()))
        return schema


def _answered(row: Row) -> Row:
    """The row with an empty response: question sets have none."""
    return {**row, "response": ""}


def _text(value: Any) -> str:
    """A cell as text; half a character is written as a question mark."""
    text = "" if value is None else value if isinstance(value, str) else str(value)
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _is_writable(*texts: str) -> bool:
    """Whether no text holds half a character, which Parquet cannot."""
    try:
        "".join(texts).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
