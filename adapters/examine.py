"""verl's `num_examine`: prints that many rows of each data source in every batch.

The only module of the library that prints, because the trainer asks for it. Model text may hold anything, so it is
trimmed, and only visible characters of it reach the terminal.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Sequence

from hybridverify.types import Grade, Sample

MAX_CHARACTERS = 1_000
"""The most characters of a text: enough for a question, and for the beginning and the end of a response."""


def print_rows(
    samples: Sequence[Sample], grades: Sequence[Grade], rewards: Sequence[float], num_examine: int
) -> None:
    """Print the first `num_examine` rows of each data source, under verl's headings."""
    if num_examine < 1:
        return
    shown: dict[str, int] = defaultdict(int)
    for sample, grade, reward in zip(samples, grades, rewards, strict=True):
        shown[sample.data_source] += 1
        if shown[sample.data_source] <= num_examine:
            _print(_described(sample, grade, reward))


def printable(text: str) -> str:
    """The text trimmed in the middle, with line breaks, control characters and changes of the writing direction
    escaped.

    >>> printable("a\\nb"), printable("\\x1b[2J"), len(printable("x" * 5_000)) < 1_100
    ('a\\\\nb', '\\\\x1b[2J', True)
    """
    left_out = len(text) - MAX_CHARACTERS
    if left_out > 0:
        half = MAX_CHARACTERS // 2
        return f"{_escaped(text[:half])} [... {left_out} characters ...] {_escaped(text[-half:])}"
    return _escaped(text)


def _described(sample: Sample, grade: Grade, reward: float) -> str:
    references = sample.references[0] if len(sample.references) == 1 else repr(sample.references)
    fields = {
        "data_source": sample.data_source,
        "prompt": sample.question,
        "response": sample.response,
        "ground_truth": references,
        "score": repr(reward),
        "status": f"{grade.outcome} {grade.rule.reason or grade.judge.reason}".rstrip(),
    }
    return "\n".join(f"[{name}] {printable(value)}" for name, value in fields.items())


def _escaped(text: str) -> str:
    return "".join(character if character.isprintable() else _escape(character) for character in text)


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def _print(text: str) -> None:
    """The text in the screen's encoding: a character that it lacks must not end a step."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    print(text.encode(encoding, "backslashreplace").decode(encoding), flush=True)  # noqa: T201
