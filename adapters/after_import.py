"""Calls a function with another package's module as soon as that module has been executed.

A trainer imports another module's function by `from ... import`. A companion has to replace the function before that,
and nothing heavy may be loaded for it: most processes never train.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

Then = Callable[[ModuleType], None]


def after_import(names: Collection[str], then: Then) -> None:
    """Call `then(module)` for each module of these names: at once if it is loaded, else after it is."""
    for name in names:
        if name in sys.modules:
            then(sys.modules[name])
    sys.meta_path.insert(0, _Watcher(frozenset(names), then))


class _Watcher(MetaPathFinder):
    """Finds what the finders after it find, and has `then` called after the module's own code."""

    def __init__(self, names: frozenset[str], then: Then) -> None:
        self._names, self._then = names, then

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in self._names:
            return None
        for finder in sys.meta_path[sys.meta_path.index(self) + 1 :]:  # another watcher may be among them
            spec = finder.find_spec(fullname, path, target)
            if spec is not None:
                if spec.loader is not None:
                    _follow(spec.loader, self._then)
                return spec
        return None


def _follow(loader: object, then: Then) -> None:
    """Each import has a loader of its own, so only this one is changed."""
    execute: Then = loader.exec_module  # type: ignore[attr-defined]

    def exec_module(module: ModuleType) -> None:
        execute(module)
        then(module)

    loader.exec_module = exec_module  # type: ignore[attr-defined]
