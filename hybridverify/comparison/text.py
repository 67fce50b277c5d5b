"""What a comparison says in words, and the lines of one example. Texts of models are escaped."""

from __future__ import annotations

from hybridverify.comparison.changes import Comparison, Example
from hybridverify.language.printable import one_line

_WIDTH = 160
_PAID = {1: "now right", 0: "", -1: "no longer right"}


def summary_line(found: Comparison) -> str:
    """How many rows change, and what that does to the score."""
    mean = found.to_dict()["mean_score"]
    return (
        f"{rows(found.rows)}: {found.changed} change, {found.paid(+1)} now right, {found.paid(-1)} no longer right; "
        f"mean score {mean['old']:.3f} before, {mean['new']:.3f} after"
    )


def rows(count: int) -> str:
    """A number of rows.

    >>> rows(1), rows(2)
    ('1 row', '2 rows')
    """
    return "1 row" if count == 1 else f"{count} rows"


def paid(direction: int) -> str:
    """What a change does to what is paid.

    >>> paid(1), paid(-1)
    ('now right', 'no longer right')
    """
    return _PAID[direction]


def example_lines(example: Example) -> list[str]:
    """One row that changed: where it stands, its texts, and what either side took for the answer."""
    old, new = example.old, example.new
    head = f"{example.place}: {old.outcome} -> {new.outcome}"
    parts = [
        ("question", example.question),
        ("reference", example.reference),
        ("response", example.response),
        ("old answer", old.answer),
        ("new answer", new.answer),
    ]
    told = [f"  {name + ':':<12}{one_line(text, _WIDTH)}" for name, text in parts if text]
    return [one_line(head, _WIDTH), *told]
