"""A package without some of its entries: its modules are read, changed and run in a process of their own.

`install` is called once in a fresh process, before the package is imported there.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from ablating import parts
from ablating.entries import PATTERN, PIECE, Entry, changed, list_words
from ablating.hearing import Recorder

_compile = re.compile


class Package:
    """The modules of a package: their files, and code that is made once and used in many processes."""

    def __init__(self, root: Path, name: str) -> None:
        self.root, self.name = root, name
        self.files = dict(_modules(root, name))
        self.expressions: dict[tuple[Any, ...], re.Pattern[str]] = {}
        self._codes: dict[str, CodeType] = {}
        self._sources: dict[str, str] = {}

    def source(self, module: str) -> str:
        if module not in self._sources:
            self._sources[module] = self.files[module].read_text(encoding="utf-8")
        return self._sources[module]

    def entries(self, module: str) -> list[Entry]:
        """What can be taken away from the module and from the word lists beside it."""
        found = changed(module, self.source(module), ())[1]
        for file in self.lists(module):
            found += list_words(module, file.stem, file.read_text(encoding="utf-8"), ())[1]
        return found

    def lists(self, module: str) -> list[Path]:
        """The files of word lists that the module reads."""
        file = self.files[module]
        return sorted(file.parent.glob("*.toml")) if file.name == "__init__.py" else []

    def code(self, module: str) -> CodeType:
        """The code of the module as it is."""
        if module not in self._codes:
            self._codes[module] = compile(
                self.source(module), str(self.files[module]), "exec", dont_inherit=True
            )
        return self._codes[module]

    def compiled(self, pattern: Any, flags: Any = 0) -> re.Pattern[str]:
        """`re.compile` that forgets nothing."""
        key = (pattern, int(flags))
        try:
            found = self.expressions.get(key)
        except TypeError:
            return _compile(pattern, flags)
        if found is None:
            found = self.expressions[key] = _compile(pattern, flags)
        return found


def _modules(root: Path, name: str) -> Iterable[tuple[str, Path]]:
    for path in sorted((root / name).rglob("*.py")):
        parts_ = path.relative_to(root).with_suffix("").parts
        yield ".".join(parts_[:-1] if parts_[-1] == "__init__" else parts_), path


class Changes:
    """What is removed, and what is heard of expressions when `recorder` is given."""

    def __init__(
        self, package: Package, removed: Collection[str] = (), recorder: Recorder | None = None
    ) -> None:
        self.package, self.removed, self.recorder = package, frozenset(removed), recorder
        self.modules = {id.split(":")[0] for id in removed}
        self._alternatives: dict[str, set[int]] = {}
        for id in removed:
            place, _, number = id.rpartition(":")
            if place.endswith(":alternative"):
                self._alternatives.setdefault(place, set()).add(int(number))

    def install(self) -> None:
        """Import the package through this from now on."""
        for module in [name for name in sys.modules if name.split(".")[0] == self.package.name]:
            del sys.modules[module]
        sys.meta_path.insert(0, _Finder(self))
        re.compile = self.package.compiled  # type: ignore[assignment]

    def changes(self, module: str) -> bool:
        return module in self.modules or (self.recorder is not None and module in self.recorder.modules)

    def code(self, module: str) -> CodeType:
        if not self.changes(module):
            return self.package.code(module)
        tree, _ = changed(module, self.package.source(module), self.removed)
        return compile(tree, str(self.package.files[module]), "exec", dont_inherit=True)

    def words(self, module: str) -> Callable[[str], str]:
        """What reads a file of word lists: the text without the removed words."""
        texts = {
            file.stem: list_words(module, file.stem, file.read_text(encoding="utf-8"), self.removed)[0]
            for file in self.package.lists(module)
        }
        return texts.__getitem__

    def functions(self, module: str) -> dict[str, Callable[..., Any]]:
        """What a changed module calls for its expressions; pieces stand before the expressions they are part of."""
        pieces: dict[str, str] = {}

        def piece(place: str, text: Any) -> Any:
            if not isinstance(text, str) or "|" not in text:
                return text
            own = f"{place}:alternative"
            try:
                outer = parts.own_alternatives(text, pieces)
            except (IndexError, ValueError):
                return text  # no whole expression
            if self.recorder:
                self.recorder.note(own, text, outer)
            pieces[own] = parts.without(text, {outer[number] for number in self._alternatives.get(own, ())})
            return pieces[own]

        def pattern(place: str, text: str, flags: Any = 0) -> Any:
            own = f"{place}:alternative"
            if self.recorder:
                return self.recorder.pattern(place, own, text, flags, pieces)
            if place in self.removed:
                return self.package.compiled(parts.NOTHING, 0)
            drop = self._alternatives.get(own)
            if drop:
                outer = parts.own_alternatives(text, pieces)
                text = parts.without(text, {outer[number] for number in drop})
            return self.package.compiled(text, flags)

        return {PATTERN: pattern, PIECE: piece}


class _Finder:
    def __init__(self, changes: Changes) -> None:
        self._changes = changes

    def find_spec(self, name: str, path: object = None, target: object = None) -> Any:
        file = self._changes.package.files.get(name)
        if file is None:
            return None
        loader = _Loader(name, str(file))
        loader.changes = self._changes
        folder = [str(file.parent)] if file.name == "__init__.py" else None
        return importlib.util.spec_from_file_location(
            name, file, loader=loader, submodule_search_locations=folder
        )


class _Loader(importlib.machinery.SourceFileLoader):
    changes: Changes

    def get_code(self, fullname: str) -> CodeType:
        return self.changes.code(fullname)

    def exec_module(self, module: ModuleType) -> None:
        if self.changes.changes(module.__name__):
            module.__dict__.update(self.changes.functions(module.__name__))
        super().exec_module(module)
        if self.changes.changes(module.__name__) and self.changes.package.lists(module.__name__):
            module.__dict__["read"] = self.changes.words(module.__name__)
        for kind in list(vars(module).values()):
            if inspect.isclass(kind) and kind.__module__ == module.__name__:
                _run_here(module, kind)


def _run_here(module: ModuleType, kind: Any) -> None:
    """A rule that runs in workers runs in this process: its proofs are bounded by steps, and a worker would load the
    package as it is."""
    if getattr(kind, "isolated", None) is True and hasattr(module, "prepare_worker"):
        kind.isolated = False
        module.prepare_worker()
