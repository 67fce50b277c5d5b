"""The tables that `compare` prints: how outcomes changed, and why."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from hybridverify.cli.agree_table import TABLE_STYLE, console
from hybridverify.comparison import Comparison
from hybridverify.comparison.text import example_lines, paid
from hybridverify.language.printable import one_line

_MAX_LINES = 20
_MAX_EXAMPLES = 5
_WHY_WIDTH = 60


def print_changes(found: Comparison) -> None:
    """Outcomes against outcomes; where rows changed, the reasons and some examples."""
    screen: Console = console()
    screen.print(_transitions(found))
    if not found.changed:
        return
    screen.print(_reasons(found))
    examples = [found.examples[reason][0] for reason, _ in found.by_weight()[:_MAX_EXAMPLES]]
    for example in examples:
        for line in example_lines(example):
            screen.print(Text(line), soft_wrap=True)


def _transitions(found: Comparison) -> Table:
    old = sorted({pair[0] for pair in found.transitions})
    new = sorted({pair[1] for pair in found.transitions})
    title = f"Rows by outcome: {found.old} (down), {found.new} (across)"
    table = Table(title=Text(one_line(title, _WHY_WIDTH * 2)), **TABLE_STYLE)
    table.add_column("")
    for name in new:
        table.add_column(Text(one_line(name, _WHY_WIDTH)), justify="right")
    for name in old:
        counts = (found.transitions[name, other] for other in new)
        table.add_row(Text(one_line(name, _WHY_WIDTH)), *(str(count) if count else "." for count in counts))
    return table


def _reasons(found: Comparison) -> Table:
    lines = found.by_weight()
    table = Table(title="Rows that change, and why", **TABLE_STYLE)
    table.add_column("rows", justify="right")
    for title in ("old", "new", "paid", "why before", "why now"):
        table.add_column(title)
    for reason, count in lines[:_MAX_LINES]:
        texts = (reason.old, reason.new, paid(reason.paid), reason.old_why or "-", reason.new_why or "-")
        table.add_row(str(count), *(Text(one_line(text, _WHY_WIDTH)) for text in texts))
    if len(lines) > _MAX_LINES:
        table.caption = f"the first {_MAX_LINES} of {len(lines)} lines; --json has all of them"
    return table
