"""The first pass over a table whose columns are plain text: nothing in a row can be unreadable, so only empty cells are
counted, a batch at a time. Other tables are read row by row."""

from __future__ import annotations

from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from hybridverify.records.columns import Layout
from hybridverify.records.rows import Place, Tally
from hybridverify.records.source import Source


@dataclass
class Found:
    """What the pass found."""

    rows: int = 0
    no_reference: Tally = field(default_factory=Tally)
    no_response: Tally = field(default_factory=Tally)


def survey_table(source: Source, layout: Layout, most: int | None) -> Found | None:
    """Count the rows, or the first `most`; None if a column holds anything but texts of the first level."""
    schema = source.schema()
    named = [
        path for path in (layout.response, layout.reference, layout.question, layout.data_source) if path
    ]
    if layout.pick or not all(_is_text(schema, name) for name in named):
        return None
    found = Found()
    for batch in source.batches(dict.fromkeys((layout.response, layout.reference))):
        if most is not None:
            batch = batch.slice(0, max(0, most - found.rows))
        absent = pc.is_null(batch.column(layout.response))
        blank = pc.equal(pc.utf8_trim_whitespace(batch.column(layout.reference)), "").fill_null(True)
        _count(found.no_response, absent, source, found.rows)
        _count(found.no_reference, blank, source, found.rows)
        found.rows += batch.num_rows
        if most is not None and found.rows >= most:
            break
    return found


def _is_text(schema: pa.Schema, name: str) -> bool:
    index = schema.get_field_index(name)
    kind = schema.field(index).type if index >= 0 else None
    return kind is not None and (pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _count(tally: Tally, mask: pa.Array, source: Source, before: int) -> None:
    hits = pc.sum(mask).as_py() or 0
    if hits:
        first = before + pc.index(mask, pa.scalar(True)).as_py() + 1
        tally.join(Tally(hits, str(Place(str(source), first))))
