"""Texts of byte-level tokenizers (the kind of GPT-2: Qwen, Llama 3, DeepSeek and their descendants), many rows at
once.

Their decoder joins the bytes of all tokens and reads them as UTF-8. A table of every token's bytes does the same, for
long rows in a sixth of the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

ROWS_AT_ONCE = 64
"""How many rows are joined at once: few enough that their tokens take little memory beside the batch."""


def is_byte_level(core: Any) -> bool:
    """Whether a `tokenizers.Tokenizer` uses its byte-level decoder and nothing else."""
    from tokenizers.decoders import ByteLevel

    return type(core.decoder) is ByteLevel


def core_texts(core: Any, rows: Sequence[Any]) -> list[str]:
    """The texts by any `tokenizers.Tokenizer`, row by row: `decode_batch` uses half as much processor time again, in
    threads that take it from others."""
    return [core.decode(row.tolist(), skip_special_tokens=True) for row in rows]


class ByteTable:
    """The bytes of every token of `core`, looked up when it first occurs. Special tokens have none."""

    def __init__(self, core: Any) -> None:
        self.core = core
        self._added = core.get_added_tokens_decoder()
        self._special = {token.content for token in self._added.values() if token.special}
        self._bytes = np.empty(core.get_vocab_size(), dtype=object)
        self._met = np.zeros(len(self._bytes), dtype=bool)

    def holds(self, core: Any) -> bool:
        """Whether this is still the table of `core`, which may have been given other tokens since."""
        return core is self.core and core.get_added_tokens_decoder() == self._added

    def texts(self, rows: Sequence[Any]) -> list[str]:
        """The result of `core_texts` for these rows, each an array of at least one id."""
        parts = [rows[i : i + ROWS_AT_ONCE] for i in range(0, len(rows), ROWS_AT_ONCE)]
        return [text for part in parts for text in self._texts(part)]

    def _texts(self, rows: Sequence[Any]) -> list[str]:
        ids = np.concatenate(rows)
        if ids.min() < 0 or ids.max() >= len(self._bytes):  # the tokenizer decides what that means
            return core_texts(self.core, rows)
        for new in np.unique(ids[~self._met.take(ids)]).tolist():
            self._bytes[new] = self._bytes_of(self.core.id_to_token(new) or "")
            self._met[new] = True
        tokens = self._bytes.take(ids).tolist()
        ends = accumulate(map(len, rows), initial=0)
        # Python and Rust replace the same bytes: each longest beginning of a character by one sign
        return [b"".join(tokens[start:end]).decode("utf-8", "replace") for start, end in pairwise(ends)]

    def _bytes_of(self, token: str) -> bytes:
        if token in self._special:
            return b""
        try:
            return bytes(map(_byte_of_sign().__getitem__, token))
        except KeyError:  # an added token, written as it is
            return token.encode("utf-8")


@cache
def _byte_of_sign() -> dict[str, int]:
    """The byte of each of the 256 signs of byte-level tokens. Printable bytes stand for themselves, the others are
    numbered from 256 on."""
    from tokenizers.pre_tokenizers import ByteLevel

    signs = sorted(ByteLevel.alphabet())
    printable = {ord(sign) for sign in signs if ord(sign) < 256}
    others = [byte for byte in range(256) if byte not in printable]
    return dict(zip(signs, [*sorted(printable), *others], strict=True))
