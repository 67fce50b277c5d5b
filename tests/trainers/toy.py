"""Small material for real trainers and harnesses: rows, a judge that sometimes fails, a policy with a script."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest

QUESTION = "Who wrote the play?"
RIGHT, WRONG, LOST = "It was the bard of Avon.", "It was the man from Stagira.", "It was the other one."
"""Answers that the rules leave to the judge, which cannot be read about the last."""
REFERENCE = "William Shakespeare"
GROUP = (RIGHT, WRONG, WRONG, LOST)
SUMS = [
    ("What is 6*7?", r"So it is \boxed{42}.", "42", 1.0),
    ("What is 6*7?", r"So it is \boxed{41}.", "42", 0.0),
    ("Half of 3?", r"\boxed{\frac{3}{2}}", "1.5", 1.0),
    ("Half of 3?", "no idea", "1.5", 0.0),
]
"""Question, response, reference, reward by the rules alone."""


def judged(**more: Any) -> dict[str, Any]:
    """Options of a judge with a script, which leaves one row in four without a grade."""
    replies = {RIGHT: "True", WRONG: "False", LOST: "neither this nor that"}
    judge = {
        "preset": "tinyv",
        "backend": {"name": "scripted", "replies": replies},
        "retry_unparseable": False,
    }
    return {"policy": "addon", "judges": [judge], "cache": None, "max_ungraded": 1.0, **more}


def package_folder(name: str, told: str) -> Path:
    """Where an installed package lies, without importing it; the test is skipped where there is none."""
    found = importlib.util.find_spec(name)
    if found is None or not found.submodule_search_locations:
        pytest.skip(f"{told} is not installed")
    (folder,) = found.submodule_search_locations
    return Path(folder)


def page(name: str, **space: Any) -> dict[str, Any]:
    """What the lines of a page of docs/trainers define, with the reader's own things in `space`."""
    path = Path(__file__).parent.parent.parent / "docs" / "trainers" / f"{name}.md"
    for block in re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL):
        exec(compile(block, name, "exec"), space)  # noqa: S102 - our own page
    return space
