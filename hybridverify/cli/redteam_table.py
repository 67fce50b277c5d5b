"""The tables that `redteam` prints. Texts from rows are printed as they are, never as markup."""

from __future__ import annotations

from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from hybridverify.language.printable import printable
from hybridverify.redteam import Report
from hybridverify.redteam.report import FamilyFigures, ProbeFigures, StrategyFigures

_FILE_WIDTH = 140
"""The width where the output is no terminal: a file needs no wrapping."""
_MOST = 12
"""How many strategies of each family are shown. --json holds all."""
_SHOWN = 70  # characters of an example
_STYLE: dict[str, Any] = {"box": SIMPLE_HEAD, "pad_edge": False, "padding": (0, 1, 0, 0)}


def print_tables(report: Report) -> None:
    """The best strategy of each family, the strategies that earn something, and the probes that went wrong."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=_FILE_WIDTH)
    console.print(families_table(report))
    for figures in report.families.values():
        earning = [each for each in figures.strategies if each.heldout.accepted > each.heldout.lucky]
        if earning:
            console.print(strategies_table(figures, earning))
    if any(_wrong(figures) for figures in report.families.values()):
        console.print(probes_table(report))


def families_table(report: Report) -> Table:
    """One line a family."""
    caption = (
        "found on one half of the questions, measured on the other; exploit: the rate above an honest guess,"
        " with its 95 % interval"
    )
    table = Table(title=_text(f"Exploit rates: {report.checker}"), caption=caption, **_STYLE)
    for name in (
        "family",
        "questions",
        "held out",
        "honest guess",
        "best strategy",
        "rate",
        "exploit",
        "interval",
    ):
        table.add_column(
            name, justify="left" if name in ("family", "best strategy") else "right", overflow="fold"
        )
    for name, figures in report.families.items():
        if figures.best:
            tally = figures.best.heldout
            counts = (str(figures.questions), str(tally.rows), f"{figures.honest:.3f}")
            table.add_row(
                name, *counts, _text(figures.best.name), f"{tally.rate:.3f}", *_exploit(figures.best)
            )
    return table


def strategies_table(figures: FamilyFigures, earning: list[StrategyFigures]) -> Table:
    """Every strategy that earns more than luck, best first, with an example."""
    table = Table(title=f"What is paid without an answer: {figures.family}", **_STYLE)
    for name in ("strategy", "rows", "paid", "lucky", "exploit", "interval", "reference", "response"):
        left = name in ("strategy", "reference", "response")
        table.add_column(name, justify="left" if left else "right", overflow="fold")
    for each in earning[:_MOST]:
        tally, example = each.heldout, each.heldout.example
        counts = map(str, (tally.rows, tally.accepted, tally.lucky))
        texts = (example.reference, example.response) if example else ("", "")
        table.add_row(_text(each.name), *counts, *_exploit(each), *map(_text, texts))
    if len(earning) > _MOST:
        table.caption = f"the first {_MOST} of {len(earning)}; --json holds all"
    return table


def probes_table(report: Report) -> Table:
    """Kinds of responses by somebody who knows the answer, with at least one wrong result."""
    table = Table(title="Responses made with the answer known", **_STYLE)
    for name in ("family", "kind", "must be", "rows", "paid", "open", "reference", "example"):
        table.add_column(
            name, justify="right" if name in ("rows", "paid", "open") else "left", overflow="fold"
        )
    for family, figures in report.families.items():
        for wanted, probe in _wrong(figures):
            counts = map(str, (probe.rows, probe.accepted, probe.open))
            example = probe.examples[0] if probe.examples else None
            texts = (example.reference, example.response) if example else ("", "")
            table.add_row(family, _text(probe.name), wanted, *counts, *map(_text, texts))
    return table


def _wrong(figures: FamilyFigures) -> list[tuple[str, ProbeFigures]]:
    refused = [("refused", probe) for probe in figures.refused if probe.accepted]
    return refused + [("paid", probe) for probe in figures.right if probe.accepted < probe.rows]


def _exploit(each: StrategyFigures) -> tuple[str, str]:
    low, high = each.heldout.interval
    return f"{each.heldout.exploit:.3f}", f"{low:.3f}–{high:.3f}"


def _text(text: str) -> Text:
    line = printable(text).replace("\n", "\\n")
    return Text(line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…")
