"""What an answer adds to the question: the words that remain where it says the question again."""

from __future__ import annotations

import math
import re

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_SHARE = 0.5
"""Of the question's words, side by side: a shorter piece may be part of the answer."""
_LEAST = 4
"""Words of a piece; a question of fewer is not looked for."""
_MOST = 400
"""Words of answer and question that are compared."""


def beyond(question: str, answer: str) -> str:
    """The answer without long pieces of the question, or the answer itself where it has none.

    >>> beyond("Who was the first governor of Tarn?", "Ada Holm was the first governor of Tarn.")
    'Ada Holm .'
    >>> beyond("Who was the first governor of Tarn?", "Who was the first governor of Tarn? Yes")
    '? Yes'
    >>> beyond("Who was the first governor of Tarn?", "the first governor, Ada Holm")
    'the first governor, Ada Holm'
    """
    given = list(_WORD.finditer(answer))
    said, asked = (
        [word.group().casefold() for word in words][:_MOST] for words in (given, _WORD.finditer(question))
    )
    least = max(_LEAST, math.ceil(_SHARE * len(asked)))
    if min(len(said), len(asked)) < least:
        return answer
    runs = _runs(said, asked)
    kept, end, at = [], 0, 0
    while at < len(said):
        size = runs[at]
        if size >= least:
            kept.append(answer[end : given[at].start()])
            end = given[at + size - 1].end()
        at += size if size >= least else 1
    return " ".join(" ".join([*kept, answer[end:]]).split()) if kept else answer


def _runs(said: list[str], asked: list[str]) -> list[int]:
    """For each word of `said`, how many words from there on stand side by side in `asked` as well."""
    found, after = [0] * len(said), [0] * (len(asked) + 1)
    for at in range(len(said) - 1, -1, -1):
        here = [after[place + 1] + 1 if word == said[at] else 0 for place, word in enumerate(asked)]
        found[at], after = max(here), [*here, 0]
    return found
