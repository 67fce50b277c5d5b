"""Links that lead out of the folder of pages: to the page made from that file, else they become plain text."""

from __future__ import annotations

import re
from typing import Any

MADE = {"../benchmarks/README.md": "figures.md", "../CHANGELOG.md": "changes.md"}
OUTSIDE = re.compile(r"!?\[([^\]]*)\]\((\.\./[^)#]*)(#[^)]*)?\)")


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """The text of a page before it is rendered; called by mkdocs."""
    depth = page.file.src_uri.count("/")

    def inside(link: re.Match[str]) -> str:
        target = MADE.get(link[2].removeprefix("../" * depth) if depth else link[2])
        if target is not None:
            return f"[{link[1]}]({'../' * depth}{target}{link[3] or ''})"
        return link[0] if depth and not link[2].startswith("../" * (depth + 1)) else f"`{link[1]}`"

    return OUTSIDE.sub(inside, markdown)
