"""Joins the parts to one file. Its own policy forbids every request, and every script but those two that it brings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from hybridverify._version import __version__
from hybridverify.report.contradictions import DISAGREEMENTS
from hybridverify.report.embed import escaped, json_text, source_hash
from hybridverify.report.sample import KeptRows

ASSETS = Path(__file__).with_name("assets")
KATEX_SHA256 = "fa140498b8cfc8302cbe5e7cb1bdbc1f952bc38b3fa258ede09e73edbf9a74bc"
"""Of `katex.min.js` in the npm release katex 0.19.1."""
_SCRIPTS = ("data", "text", "state", "filter", "list", "detail", "rates", "main")
"""In this order they make one script."""
_MAX_RANGES = 200


@dataclass(frozen=True)
class Page:
    """What a page says. `headline`, `beside` and `figures` are markup, everything else is text."""

    title: str
    headline: str
    beside: str
    figures: Sequence[str]
    facts: Mapping[str, str]
    rows: KeptRows
    all_rows: int
    where: str
    """What holds all rows: the output, or the inputs."""
    settings: Mapping[str, Any]
    """For the scripts: what kind of page it is, and the numbers of its calculators."""


def render(page: Page) -> str:
    """The page as text; equal figures give equal bytes."""
    style, script, katex = _asset("page.css"), _script(), _asset("katex.min.js")
    policy = (
        f"default-src 'none'; script-src {source_hash(script)} {source_hash(katex)}; "
        f"style-src {source_hash(style)}; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    )
    settings = {**page.settings, "disagreements": {str(bit): name for bit, name in DISAGREEMENTS.items()}}
    parts = {
        "policy": policy,
        "style": style,
        "title": escaped(page.title),
        "headline": page.headline,
        "beside": page.beside,
        "figures": "\n".join(page.figures),
        "facts": "".join(
            f"<dt>{escaped(name)}</dt><dd>{escaped(text)}</dd>" for name, text in page.facts.items()
        ),
        "left_out": _left_out(page),
        "version": escaped(__version__),
        "data": f'{{"settings":{json_text(settings)},"rows":{page.rows.data}}}',
        "script": script,
        "katex": katex,
    }
    return "".join(text if even else parts[text] for text, even in _template())


@lru_cache(maxsize=1)
def _template() -> tuple[tuple[str, bool], ...]:
    """The template's pieces; every other one is the name of a part. Filled in once: no part is read as a template."""
    pieces = _asset("page.html").replace("{{", "}}").split("}}")
    return tuple(
        (piece if index % 2 == 0 else piece.strip(), index % 2 == 0) for index, piece in enumerate(pieces)
    )


def _asset(name: str) -> str:
    return (ASSETS / name).read_text("utf-8")


@lru_cache(maxsize=1)
def _script() -> str:
    parts = "\n".join(_asset(f"{name}.js") for name in _SCRIPTS)
    return f'(function () {{\n"use strict";\n{parts}\n}})();\n'


def _left_out(page: Page) -> str:
    """How many rows are not in the page, and where they are."""
    kept = page.rows
    missing = page.all_rows - kept.rows
    if not missing:
        return f"<p>The page holds all {page.all_rows:,} rows of {escaped(page.where)}.</p>"
    lost = kept.disagreeing - kept.disagreeing_kept
    first = "All rows that disagree are here" if not lost else f"{lost:,} of the rows left out disagree"
    ranges = _ranges(kept.numbers, page.all_rows)
    more = " …" if len(ranges) > _MAX_RANGES else ""
    return (
        f"<p>The page holds {kept.rows:,} of {page.all_rows:,} rows: first those that disagree, then a sample with a"
        f" fixed seed. <strong>{missing:,} rows are left out.</strong> {first}. Every row is in"
        f" {escaped(page.where)}; its place there stands beside each row. Figures are about all rows.</p>"
        f'<details><summary>Rows left out</summary><p class="ranges">{", ".join(ranges[:_MAX_RANGES])}{more}</p>'
        "</details>"
    )


def _ranges(kept: Sequence[int], last: int) -> list[str]:
    """The numbers up to `last` that are not kept.

    >>> _ranges([2, 3, 7], 9)
    ['1', '4–6', '8–9']
    """
    found, before = [], 0
    for number in (*kept, last + 1):
        if number - before > 1:
            found.append(f"{before + 1}–{number - 1}" if number - before > 2 else str(before + 1))
            if len(found) > _MAX_RANGES:
                break
        before = number
    return found
