"""Token ids to text, a whole batch at a time."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

DECODERS = ("batch_decode", "decode", "_decode")
"""Methods of a tokenizer that have a say in its texts."""


def decoded(tokenizer: Any, rows: Sequence[Any]) -> list[str]:
    """The text of each row of ids (NumPy arrays), special tokens left out; no ids, no text."""
    said = rows if all(map(len, rows)) else [row for row in rows if len(row)]
    texts = _texts(tokenizer, said)
    if len(said) == len(rows):
        return texts
    rest = iter(texts)
    return [next(rest) if len(row) else "" for row in rows]


def _texts(tokenizer: Any, rows: Sequence[Any]) -> list[str]:
    """By the tokenizer's core where transformers would do no more than call it row by row: `batch_decode` of its
    release 5 takes half as long again for finding out of what kind each short row is."""
    if not rows:
        return []
    if (core := _core(tokenizer)) is not None:
        first, *_ = texts = _by_core(core, rows)
        if [first] == list(tokenizer.batch_decode(rows[:1], skip_special_tokens=True)):
            return texts
    # Arrays, not lists: transformers 5 looks at every single number of a list.
    return list(map(str, tokenizer.batch_decode(rows, skip_special_tokens=True)))


def _by_core(core: Any, rows: Sequence[Any]) -> list[str]:
    """Row by row: `decode_batch` spends half as much processor time again in its threads, which others need too."""
    return [core.decode(row.tolist(), skip_special_tokens=True) for row in rows]


def _core(tokenizer: Any) -> Any:
    """The `tokenizers.Tokenizer` behind one of transformers; None where anything else has a say in the text."""
    kind: Any = getattr(sys.modules.get("transformers"), "PreTrainedTokenizerFast", None)
    if kind is None or not isinstance(tokenizer, kind) or tokenizer.clean_up_tokenization_spaces:
        return None
    mine = type(tokenizer)
    changed = any(
        name in vars(tokenizer) or getattr(mine, name) is not getattr(kind, name) for name in DECODERS
    )
    return None if changed else tokenizer.backend_tokenizer
