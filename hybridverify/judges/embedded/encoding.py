"""From texts to the numbers that the model reads. Training and judging share this file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hybridverify.judges.embedded.hints import GROUPS, MARKS
from hybridverify.judges.embedded.inputs import Shown

if TYPE_CHECKING:
    from tokenizers import Tokenizer

START, END = 101, 102
_FIRST_MARK = 1
"""The vocabulary begins with padding, then with places that no text uses: hints stand there."""
MARK_IDS = {name: _FIRST_MARK + place for place, name in enumerate(MARKS)}
NO_HINT = _FIRST_MARK + len(MARKS)
"""Stands in place of hints in a part of the rows in training, so that the text is read too."""
HINTS = slice(1, 1 + len(GROUPS))
"""Their place in a row."""
MAX_QUESTION, MAX_REFERENCE, MAX_ANSWER = 48, 64, 192


class Encoded(NamedTuple):
    """Token ids of one row; from `second` on they are the answer's."""

    ids: list[int]
    second: int


class Encoding:
    """Encodes rows with a tokenizer file. Its added tokens were taken out: "[SEP]" in an answer is plain text."""

    def __init__(self, path: Path) -> None:
        from tokenizers import Tokenizer

        self._tokenizer: Tokenizer = Tokenizer.from_file(str(path))

    def __call__(self, rows: Sequence[Shown]) -> list[Encoded]:
        texts = [text for row in rows for text in (row.question, row.reference, row.answer)]
        ids = iter([found.ids for found in self._tokenizer.encode_batch(texts, add_special_tokens=False)])
        return [_joined(row, next(ids), next(ids), next(ids)) for row in rows]


def _joined(row: Shown, question: list[int], reference: list[int], answer: list[int]) -> Encoded:
    """Start, hints, question, reference, answer; what is too long loses its end, an answer its middle."""
    if len(answer) > MAX_ANSWER:
        half = MAX_ANSWER // 2
        answer = [*answer[:half], *answer[-half:]]
    first = [
        START,
        *(MARK_IDS[name] for name in row.marks),
        *question[:MAX_QUESTION],
        END,
        *reference[:MAX_REFERENCE],
        END,
    ]
    return Encoded([*first, *answer, END], len(first))
