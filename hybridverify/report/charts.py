"""Figures as tables whose cells hold small drawings: a share with its interval on an axis that all rows have in common.

The numbers stand beside the drawing, so that nothing is told by colour or place alone. All coordinates are percent
of the cell's width: a drawing fits every screen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import quote

from hybridverify.report.embed import escaped

Ends = Sequence[float] | None


class Axis(NamedTuple):
    """What a drawing's width stands for."""

    low: float
    high: float

    @classmethod
    def around(cls, ends: Sequence[Ends]) -> Axis:
        """Round limits within [0, 1], or below, around all intervals.

        >>> Axis.around([(0.83, 0.88), (0.91, 0.97), None])
        Axis(low=0.8, high=1.0)
        """
        known = [each for each in ends if each is not None]
        if not known:
            return cls(0.0, 1.0)
        low = math.floor(min(each[0] for each in known) * 10 + 1e-9) / 10
        high = math.ceil(max(each[1] for each in known) * 10 - 1e-9) / 10
        high = min(1.0, max(high, low + 0.2))
        return cls(min(low, round(high - 0.2, 1)), high)

    def percent(self, value: float) -> str:
        """A coordinate."""
        place = (value - self.low) / (self.high - self.low)
        return f"{100 * min(1.0, max(0.0, place)):.2f}%"

    def ticks(self) -> list[float]:
        """Both ends and the middle."""
        return [self.low, (self.low + self.high) / 2, self.high]


@dataclass(frozen=True)
class Share:
    """One drawn figure: its value and interval, or none where it is not defined."""

    value: float | None
    ends: Ends = None
    as_share: bool = True
    """Written as a percentage, else as a plain number (kappa, J)."""

    def text(self) -> str:
        """The number for people."""
        if self.value is None:
            return "–"
        return f"{self.value:.1%}" if self.as_share else f"{self.value:.3f}"

    def between(self) -> str:
        """The interval for people."""
        if self.ends is None:
            return ""
        low, high = self.ends
        return f"{100 * low:.1f}–{100 * high:.1f}" if self.as_share else f"{low:.3f}–{high:.3f}"


@dataclass(frozen=True)
class Line:
    """A row of a figure. `query` filters the rows of the page; `tone` names a colour."""

    name: str
    shares: tuple[Share, ...]
    counts: tuple[int | str, ...] = ()
    query: Mapping[str, str] | None = None
    tone: str = ""
    main: bool = False


def table(
    caption: str,
    first: str,
    drawn: Sequence[str],
    counted: Sequence[str],
    lines: Sequence[Line],
    note: str = "",
    axes: Sequence[Axis] | None = None,
    broad: bool = False,
) -> str:
    """A figure: one line for each row of `lines`, each share drawn on the axis of its column."""
    axes = axes or [
        Axis.around([line.shares[i].ends for line in lines if line.shares[i].value is not None])
        for i in range(len(drawn))
    ]
    head = f'<th scope="col">{escaped(first)}</th>'
    for index, (title, axis) in enumerate(zip(drawn, axes, strict=True)):
        as_share = all(line.shares[index].as_share for line in lines)
        head += f'<th scope="col" class="axis">{_scale(axis, as_share)}</th>'
        head += f'<th scope="col" class="n">{escaped(title)}</th>'
    head += "".join(f'<th scope="col" class="n">{escaped(title)}</th>' for title in counted)
    body = "".join(_row(line, axes) for line in lines)
    return _card(caption, head, body, note, broad)


def stacked(parts: Sequence[tuple[str, int, str]]) -> str:
    """One bar of shares; the figure below it names them."""
    whole = sum(count for _, count, _ in parts) or 1
    drawn, at = "", 0.0
    for name, count, tone in parts:
        width = 100 * count / whole
        title = f"<title>{escaped(name)}: {count}</title>"
        drawn += f'<rect class="fill {tone}" x="{at:.3f}%" width="{width:.3f}%" height="100%">{title}</rect>'
        at += width
    return f'<svg class="stacked" role="img" aria-label="shares of outcomes">{drawn}</svg>'


def plain_table(
    caption: str, head: Sequence[str], rows: Sequence[Sequence[object]], note: str = "", broad: bool = False
) -> str:
    """A table of numbers and words."""
    titles = "".join(
        f'<th scope="col"{_number_class(i)}>{escaped(title)}</th>' for i, title in enumerate(head)
    )
    body = "".join(
        "<tr>"
        + "".join(f"<td{_number_class(i)}>{escaped(value)}</td>" for i, value in enumerate(row))
        + "</tr>"
        for row in rows
    )
    return _card(caption, titles, body, note, broad)


def _card(caption: str, head: str, body: str, note: str, broad: bool) -> str:
    told = f'<p class="note">{escaped(note)}</p>' if note else ""
    return (
        f'<figure class="card{" broad" if broad else ""}"><figcaption>{escaped(caption)}</figcaption>'
        f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>{told}</figure>'
    )


def link(query: Mapping[str, str], text: str) -> str:
    """A link that filters the rows of this page."""
    state = "&".join(f"{name}={quote(value, safe='', errors='replace')}" for name, value in query.items())
    return f'<a href="#{escaped(state)}">{escaped(text)}</a>'


def _row(line: Line, axes: Sequence[Axis]) -> str:
    name = link(line.query, line.name) if line.query else escaped(line.name)
    swatch = f'<i class="swatch {line.tone}"></i>' if line.tone else ""
    cells = f'<th scope="row">{swatch}{name}</th>'
    for share, axis in zip(line.shares, axes, strict=True):
        between = f" <small>{share.between()}</small>" if share.ends else ""
        cells += f'<td class="axis">{_drawn(share, axis, line.tone)}</td><td class="n">{share.text()}{between}</td>'
    cells += "".join(f'<td class="n">{_count(count)}</td>' for count in line.counts)
    return f'<tr class="main">{cells}</tr>' if line.main else f"<tr>{cells}</tr>"


def _count(count: int | str) -> str:
    return f"{count:,}" if isinstance(count, int) else escaped(count)


def _drawn(share: Share, axis: Axis, tone: str) -> str:
    grid = "".join(
        f'<line class="grid" x1="{x}" x2="{x}" y1="0" y2="100%"/>' for x in map(axis.percent, axis.ticks())
    )
    if share.value is None:
        return f'<svg class="ci" aria-hidden="true">{grid}</svg>'
    ends = ""
    if share.ends is not None:
        low, high = map(axis.percent, share.ends)
        ends = f'<line class="whisker {tone}" x1="{low}" x2="{high}" y1="50%" y2="50%"/>'
    dot = f'<circle class="dot {tone}" cx="{axis.percent(share.value)}" cy="50%" r="4"/>'
    between = f", interval {share.between()}" if share.ends else ""
    return f'<svg class="ci" role="img" aria-label="{share.text()}{between}">{grid}{ends}{dot}</svg>'


def _scale(axis: Axis, as_share: bool) -> str:
    texts = ""
    ticks = axis.ticks()
    for index, tick in enumerate(ticks):
        anchor = "start" if index == 0 else "end" if index == len(ticks) - 1 else "middle"
        label = f"{100 * tick:.0f}" if as_share else f"{tick:.2g}"
        texts += f'<text x="{axis.percent(tick)}" y="11" text-anchor="{anchor}">{label}</text>'
    return f'<svg class="scale" aria-hidden="true">{texts}</svg>'


def _number_class(index: int) -> str:
    return ' class="n"' if index else ""
