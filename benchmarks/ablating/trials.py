"""Cases of the tests and labelled rows, run on a package without some of its entries, each time in a new process.

A case is a test function that takes what its `parametrize` gives, or nothing: it passes or fails. A row's result are
the outcome of the rules, that of the rules with a judge that says yes to all it is asked, and what it was asked about.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import inspect
import os
import pickle
import sys
import time
import traceback
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from ablating.cases import Case, cases_of, graded, passes
from ablating.hearing import Recorder
from ablating.loading import Changes, Package

SLOWEST_S = 0.5
"""A case that takes longer is left out: it starts processes or waits."""

T = TypeVar("T")
Result = Any
Id = tuple[str, str, int]
"""A case: file, function and number of its parameters; a row: "", its file and its number."""


class Crash(RuntimeError):
    """The package cannot be loaded, or the process died."""


def in_child(work: Callable[[], T]) -> T:
    """What the work returns, done in a forked process. Raises Crash."""
    reading, writing = os.pipe()
    sys.stdout.flush()
    gc.freeze()
    child = os.fork()
    if not child:
        _work_and_leave(work, reading, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    os.waitpid(child, 0)
    answer: tuple[bool, Any] = pickle.loads(data) if data else (False, "died")  # noqa: S301  from our own child
    if not answer[0]:
        raise Crash(answer[1])
    result: T = answer[1]
    return result


def _work_and_leave(work: Callable[[], object], reading: int, writing: int) -> None:
    gc.disable()
    os.close(reading)
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    try:
        answer = True, work()
    except BaseException as error:  # whatever it is, the parent is told
        answer = False, f"{type(error).__name__}: {error}"
    with contextlib.suppress(BaseException), os.fdopen(writing, "wb") as pipe:
        pickle.dump(answer, pipe)
    os._exit(0)


def module_of(entry: str) -> str:
    """The module of an entry, from its id."""
    return entry.partition(":")[0]


@dataclass
class Runner:
    """Runs cases and rows on a package."""

    package: Package
    tests: Sequence[Path]
    rows: dict[str, list[Any]] = field(default_factory=dict)
    runs: int = 0
    asked: int = 0
    begun: float = field(default_factory=time.perf_counter)

    def first(self) -> tuple[dict[Id, Result], dict[Id, str]]:
        """What every case and row gives on the package as it is, and its text; those that vary are left out."""
        one, texts, loaded, expressions = in_child(self._all)
        for module in loaded:
            if module in self.package.files:
                self.package.code(module)
            elif module.partition(".")[0] not in ("tests", self.package.name):
                with contextlib.suppress(Exception):
                    importlib.import_module(module)
        for expression in expressions:
            self.package.compiled(*expression)
        other = in_child(self._rows)
        return {id: result for id, result in one.items() if id[0] or other.get(id) == result}, texts

    def _all(self) -> tuple[dict[Id, Result], dict[Id, str], list[str], list[tuple[Any, ...]]]:
        Changes(self.package).install()
        results: dict[Id, Result] = {}
        texts = {}
        for id, case in self.cases(None):
            begin = time.perf_counter()
            passed = passes(case)
            if passed and time.perf_counter() - begin < SLOWEST_S:
                results[id] = passed
                texts[id] = repr(case.arguments) + case.source
        results |= self._graded()
        for name, pairs in self.rows.items():
            for number, pair in enumerate(pairs):
                texts["", name, number] = f"{pair.question}\n{pair.reference}\n{pair.response}"
        return results, texts, list(sys.modules), list(self.package.expressions)

    def _rows(self) -> dict[Id, Result]:
        Changes(self.package).install()
        return self._graded()

    def _graded(self) -> dict[Id, Result]:
        found = {}
        for name, pairs in self.rows.items():
            for number, result in enumerate(graded(pairs)):
                if "timed_out" not in result:
                    found["", name, number] = result
        return found

    def record(self, ids: Collection[Id], modules: Collection[str]) -> Recorder:
        """Which expressions and alternatives ever match."""

        def work() -> Recorder:
            recorder = Recorder(modules)
            Changes(self.package, (), recorder).install()
            cases = list(self.cases({id[:2] for id in ids}))
            recorder.on = True
            for id, case in cases:
                if id in ids:
                    passes(case)
            for pairs in self.rows.values():
                graded(pairs)
            recorder.on = False
            recorder.expressions.clear()  # they stay in this process
            return recorder

        return in_child(work)

    def heard(self, ids: Collection[Id], modules: Collection[str]) -> dict[Id, set[str]]:
        """The expressions and alternatives that match in each of these cases and rows."""

        def work() -> dict[Id, set[str]]:
            recorder = Recorder(modules, once=False)
            Changes(self.package, (), recorder).install()
            cases = {id: case for id, case in self.cases({id[:2] for id in ids}) if id in ids}
            found = {}
            recorder.on = True
            for id in sorted(ids):
                recorder.used = set()
                if id[0]:
                    passes(cases[id])
                else:
                    graded([self.rows[id[1]][id[2]]])
                found[id] = recorder.used
            return found

        return in_child(work)

    def changed(self, removed: Collection[str], expected: dict[Id, Result]) -> set[Id]:
        """The cases and rows that end differently without these entries."""
        self.runs += 1
        self.asked += len(expected)
        if self.runs % 100 == 0:
            print(
                f"{time.perf_counter() - self.begun:6.0f} s  {self.runs} runs, {self.asked} results",
                file=sys.stderr,
            )

        def work() -> set[Id]:
            Changes(self.package, removed).install()
            wanted = {id[:2] for id in expected if id[0]}
            found = {id for id, case in self.cases(wanted) if id in expected and not passes(case)}
            for name, pairs in self.rows.items():
                numbers = [n for n in range(len(pairs)) if ("", name, n) in expected]
                results = graded([pairs[n] for n in numbers])
                for number, result in zip(numbers, results, strict=True):
                    if result != expected["", name, number] and "timed_out" not in result:
                        found.add(("", name, number))
            return found

        try:
            return in_child(work)
        except Crash:
            return set(expected)

    def breaking(self, entries: Sequence[str], base: Sequence[str]) -> set[str]:
        """The entries without which the package cannot be loaded."""
        found: set[str] = set()
        while fault := self._fault([*base, *(left := [entry for entry in entries if entry not in found])]):
            own = [entry for entry in left if module_of(entry) == fault]  # a few modules load much faster
            if not self._fault([*base, *own]):
                own = left
            low, high = 0, len(own)  # without the first `high` it does not load
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (low, middle) if self._fault([*base, *own[:middle]]) else (middle, high)
            found.add(own[low])
        return found

    def _fault(self, removed: Collection[str]) -> str:
        """The module in which loading ends without these entries; "" if the package loads."""
        modules = sorted(set(map(module_of, removed)))

        def work() -> str:
            Changes(self.package, removed).install()
            for module in modules:
                try:
                    importlib.import_module(module)
                except Exception as error:
                    frames = traceback.walk_tb(error.__traceback__)
                    inner = [frame.f_globals.get("__name__", "") for frame, _ in frames]
                    return str([module, *(name for name in inner if name in self.package.files)][-1])
            return ""

        try:
            return in_child(work)
        except Crash:
            return "the process died"

    def cases(self, wanted: Collection[tuple[str, str]] | None) -> Iterator[tuple[Id, Case]]:
        """The cases of these files and functions, or all."""
        root = str(self.package.root)
        for path in self.tests:
            name = path.relative_to(self.package.root).as_posix()
            if wanted is not None and all(file != name for file, _ in wanted):
                continue
            sys.path[:0] = [root, str(path.parent)]
            try:
                module = importlib.import_module(
                    ".".join(path.relative_to(self.package.root).with_suffix("").parts)
                )
            except Exception:
                if wanted is not None:
                    raise
                continue
            for function, tested in vars(module).items():
                if not function.startswith("test_") or not inspect.isfunction(tested):
                    continue
                if wanted is None or (name, function) in wanted:
                    for number, case in enumerate(cases_of(tested, vars(module))):
                        yield (name, function, number), case
