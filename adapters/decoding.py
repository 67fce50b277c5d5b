"""Token ids to text, a whole batch at a time."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

from hybridverify.adapters.byte_level import ByteTable, core_texts, is_byte_level

DECODERS = ("batch_decode", "decode", "_decode")
"""The methods of a tokenizer that may change its texts."""

FEW = 16
"""With fewer rows the tokenizer itself is as fast as the checks for the faster way."""

_tables: WeakKeyDictionary[Any, ByteTable] = WeakKeyDictionary()


def decoded(tokenizer: Any, rows: Sequence[Any]) -> list[str]:
    """The text of each row of ids (NumPy arrays) without special tokens. No ids give ""."""
    said = rows if all(map(len, rows)) else [row for row in rows if len(row)]
    texts = _texts(tokenizer, said)
    if len(said) == len(rows):
        return texts
    rest = iter(texts)
    return [next(rest) if len(row) else "" for row in rows]


def _texts(tokenizer: Any, rows: Sequence[Any]) -> list[str]:
    """A faster way, for tokenizers for which transformers would only call the tokenizer's core row by row. The
    `batch_decode` of release 5 takes half as long again, because it finds out the kind of every short row."""
    if len(rows) > FEW and (core := _core(tokenizer)) is not None:
        texts = _by_table(tokenizer, core, rows) if is_byte_level(core) else core_texts(core, rows)
        if texts[:1] == list(tokenizer.batch_decode(rows[:1], skip_special_tokens=True)):
            return texts
    if not rows:
        return []
    # Arrays, not lists: transformers 5 examines every single number of a list.
    return list(map(str, tokenizer.batch_decode(rows, skip_special_tokens=True)))


def _by_table(tokenizer: Any, core: Any, rows: Sequence[Any]) -> list[str]:
    table = _tables.get(tokenizer)
    if table is None or not table.holds(core):
        table = _tables[tokenizer] = ByteTable(core)
    return table.texts(rows)


def _core(tokenizer: Any) -> Any:
    """The `tokenizers.Tokenizer` inside one of transformers; None if anything else may change the text."""
    kind: Any = getattr(sys.modules.get("transformers"), "PreTrainedTokenizerFast", None)
    if kind is None or not isinstance(tokenizer, kind) or tokenizer.clean_up_tokenization_spaces:
        return None
    mine = type(tokenizer)
    changed = any(
        name in vars(tokenizer) or getattr(mine, name) is not getattr(kind, name) for name in DECODERS
    )
    return None if changed else tokenizer.backend_tokenizer
