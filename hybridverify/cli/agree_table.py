"""The tables that `agree` prints. Texts from rows are printed as they are, never as markup."""

from __future__ import annotations

from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from hybridverify.agreement import Agreement
from hybridverify.agreement.members import Summary
from hybridverify.agreement.text import TITLES, ends, figure
from hybridverify.language.printable import printable

_FILE_WIDTH = 140
"""The width where the output is no terminal: a file needs no wrapping."""
_ROOM_FOR_INTERVALS = 120
_ROOM_FOR_MOST = 110
_ROOM_FOR_ALL = 132
_WITH_INTERVAL = ("accuracy", "kappa")
_MOST = tuple(metric for metric in TITLES if metric != "j")
_FEWER = ("accuracy", "fpr", "fnr", "kappa", "j")
MAX_GROUPS_SHOWN = 12
TABLE_STYLE: dict[str, Any] = {"box": SIMPLE_HEAD, "pad_edge": False, "padding": (0, 1, 0, 0)}


def print_tables(found: Agreement) -> None:
    """All graders on all rows, then accuracy and kappa by group."""
    screen = console()
    screen.print(graders_table(found, screen.width))
    for column in found.rule.by:
        screen.print(groups_table(found, column))


def console() -> Console:
    """Where tables are printed: a terminal as wide as it is, or a file."""
    found = Console(highlight=False)
    return found if found.is_terminal else Console(highlight=False, width=_FILE_WIDTH)


def graders_table(found: Agreement, width: int) -> Table:
    """One line a grader; the configured policy is marked. Narrow terminals get fewer figures."""
    metrics = tuple(TITLES) if width >= _ROOM_FOR_ALL else _MOST if width >= _ROOM_FOR_MOST else _FEWER
    intervals = _WITH_INTERVAL if width >= _ROOM_FOR_INTERVALS else ()
    table = Table(
        title="Agreement with labels",
        **TABLE_STYLE,
        caption="undecided and failed rows count as not accepted; * marks the configured policy",
    )
    table.add_column("grader", no_wrap=True, min_width=12)
    for title in (*(TITLES[metric] for metric in metrics), "undecided", "failed", "asked"):
        table.add_column(title, justify="right")
    for name, member in found.members().items():
        whole = member.whole
        marked = f"{name} *" if name == found.main else name
        cells = [_figure(whole, metric, metric in intervals) for metric in metrics]
        table.add_row(_text(marked), *cells, *map(str, (whole.undecided, whole.failed, whole.asked)))
    return table


def groups_table(found: Agreement, column: str) -> Table:
    """Accuracy and kappa of rules, judge and the configured policy for each value of a column."""
    groups, members = found.rule.by[column], found.main_members()
    shown = list(groups)[:MAX_GROUPS_SHOWN]
    table = Table(title=_text(f"Accuracy / kappa by {column}"), **TABLE_STYLE)
    for name in (column, "rows", "right", *members):
        table.add_column(_text(name), justify="left" if name == column else "right")
    for group in shown:
        counts = groups[group].figures.confusion()
        parts = [member.by[column][group] for member in members.values()]
        cells = [f"{figure(part, 'accuracy')} / {figure(part, 'kappa')}" for part in parts]
        table.add_row(_text(group), str(counts["rows"]), str(counts["right"]), *cells)
    if len(groups) > len(shown):
        table.caption = f"the largest {len(shown)} of {len(groups)} groups; --json and --report hold more"
    return table


def _figure(summary: Summary, metric: str, with_interval: bool) -> str:
    interval = ends(summary, metric) if with_interval else ""
    return f"{figure(summary, metric)}\n{interval}" if interval else figure(summary, metric)


def _text(text: str) -> Text:
    return Text(printable(text).replace("\n", "\\n"))
