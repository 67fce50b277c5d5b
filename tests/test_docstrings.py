"""Every example in a docstring of the package prints what it says."""

from __future__ import annotations

import doctest
import importlib
import inspect
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted((ROOT / "hybridverify").rglob("*.py"))
    if ">>> " in path.read_text("utf-8")
]


def examples(module: ModuleType) -> Iterator[doctest.DocTest]:
    """The examples of a module; `doctest` does not look into cached properties."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    yield from finder.find(module)
    for _, kind in inspect.getmembers(module, inspect.isclass):
        if kind.__module__ == module.__name__:
            for name, member in vars(kind).items():
                if isinstance(member, cached_property):
                    yield from finder.find(member.func, f"{kind.__name__}.{name}", module)


@pytest.mark.parametrize("name", MODULES)
def test_examples_print_what_they_say(name: str) -> None:
    found = list(examples(importlib.import_module(name)))
    assert found
    for example in found:
        assert not doctest.DocTestRunner().run(example).failed
