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
from ablating.entries import PATTERN, PIECE, Entry, changed

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

    def functions(self, module: str) -> dict[str, Callable[..., Any]]:
        """What a changed module calls for its expressions; pieces stand before the expressions they are part of."""
        pieces: dict[str, str] = {}

        def piece(place: str, text: Any) -> Any:
            if not isinstance(text, str) or "|" not in text:
                return text
            own = f"{place}:alternative"
            try:
                outer = own_alternatives(text, pieces)
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
                outer = own_alternatives(text, pieces)
                text = parts.without(text, {outer[number] for number in drop})
            return self.package.compiled(text, flags)

        return {PATTERN: pattern, PIECE: piece}


def own_alternatives(text: str, pieces: dict[str, str]) -> list[int]:
    """Numbers of the alternatives that stand in the expression itself, not in a piece of it."""
    spans = [(start, start + len(piece)) for piece in pieces.values() for start in _starts(text, piece)]
    return [
        number
        for number, (branch, _) in enumerate(parts.alternatives(text))
        if not any(low <= branch.start and branch.end <= high for low, high in spans)
    ]


def _starts(text: str, piece: str) -> list[int]:
    found, at = [], text.find(piece)
    while at >= 0:
        found.append(at)
        at = text.find(piece, at + 1)
    return found


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
        for kind in list(vars(module).values()):
            if inspect.isclass(kind) and kind.__module__ == module.__name__:
                _run_here(module, kind)


def _run_here(module: ModuleType, kind: Any) -> None:
    """A rule that runs in workers runs in this process: its proofs are bounded by steps, and a worker would load the
    package as it is."""
    if getattr(kind, "isolated", None) is True and hasattr(module, "prepare_worker"):
        kind.isolated = False
        module.prepare_worker()


class Recorder:
    """Hears which expressions match, and by which alternatives; of each the first time only, unless `once` is false."""

    def __init__(self, modules: Collection[str], once: bool = True) -> None:
        self.once = once
        self.modules = frozenset(modules)
        self.used: set[str] = set()
        self.entries: list[Entry] = []
        self.blind: set[str] = set()
        self.on = False

    def note(self, own: str, text: str, outer: list[int]) -> None:
        """Remember the alternatives of an expression."""
        module = own.partition(":")[0]
        parent = own.removesuffix(":alternative") if ":pattern:" in own else ""
        found = parts.alternatives(text)
        for number, at in enumerate(outer):
            branch, blind = found[at]
            place = own.split(":", 1)[1].rpartition(":")[0]
            entry = Entry(
                module, place, "alternative", number, text[branch.start : branch.end], parent=parent
            )
            self.entries.append(entry)
            if blind:
                self.blind.add(entry.id)

    def pattern(self, place: str, own: str, text: str, flags: Any, pieces: dict[str, str]) -> Any:
        outer = own_alternatives(text, pieces)
        self.note(own, text, outer)
        names = {at: f"{own}:{number}" for number, at in enumerate(outer)}
        found = parts.alternatives(text)
        for piece, inner in pieces.items():
            for start in _starts(text, inner):
                starts = {
                    branch.start + start: f"{piece}:{n}"
                    for n, (branch, _) in enumerate(parts.alternatives(inner))
                }
                for at, (branch, _) in enumerate(found):
                    if at not in names and branch.start in starts:
                        names[at] = starts[branch.start]
        told = _compile(parts.marked(text, "ablated{}".format), flags) if found else None
        return _Heard(self, place, _compile(text, flags), told, names)


class _Heard:
    """A compiled expression that says when it matches."""

    def __init__(
        self,
        recorder: Recorder,
        place: str,
        real: re.Pattern[str],
        told: re.Pattern[str] | None,
        names: dict[int, str],
    ) -> None:
        self._recorder, self._place, self._real, self._told, self._names = (
            recorder,
            place,
            real,
            told,
            dict(names),
        )

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def _hear(self, way: str, *arguments: Any) -> None:
        self._recorder.used.add(self._place)
        if self._told is None or not self._names:
            return
        if way == "finditer":
            matches: Iterable[re.Match[str]] = self._told.finditer(*arguments)
        else:
            one = getattr(self._told, way)(*arguments)
            matches = [one] if one else []
        for match in matches:
            for at in list(self._names):
                if match[f"ablated{at}"] is not None:
                    self._recorder.used.add(self._names.pop(at) if self._recorder.once else self._names[at])

    def _once(self, way: str, *arguments: Any, **named: Any) -> Any:
        found = getattr(self._real, way)(*arguments, **named)
        if found and self._recorder.on:
            self._hear(way, *arguments, *named.values())
        return found

    def search(self, *arguments: Any, **named: Any) -> Any:
        return self._once("search", *arguments, **named)

    def match(self, *arguments: Any, **named: Any) -> Any:
        return self._once("match", *arguments, **named)

    def fullmatch(self, *arguments: Any, **named: Any) -> Any:
        return self._once("fullmatch", *arguments, **named)

    def _all(self, text: str, *places: int) -> None:
        if self._recorder.on and self._real.search(text, *places):
            self._hear("finditer", text, *places)

    def finditer(self, text: str, *places: int) -> Any:
        self._all(text, *places)
        return self._real.finditer(text, *places)

    def findall(self, text: str, *places: int) -> Any:
        self._all(text, *places)
        return self._real.findall(text, *places)

    def split(self, text: str, *rest: Any, **named: Any) -> Any:
        self._all(text)
        return self._real.split(text, *rest, **named)

    def sub(self, new: Any, text: str, *rest: Any, **named: Any) -> Any:
        self._all(text)
        return self._real.sub(new, text, *rest, **named)

    def subn(self, new: Any, text: str, *rest: Any, **named: Any) -> Any:
        self._all(text)
        return self._real.subn(new, text, *rest, **named)
