"""Each expression and each of its alternatives taken away alone, where it stands: minutes, where `search.py` takes
hours.

The package is loaded once. Of an entry only the cases and rows in which it matched are run, up to the first that ends
differently. Words are not tried: what a module makes of them when it is loaded cannot be taken back.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from ablating.cases import graded, passes
from ablating.hearing import Recorder
from ablating.loading import Changes
from ablating.trials import Crash, Id, Runner, in_child

Found = tuple[str, Id | None]
"""The state of an entry, and the case or row that needs it."""
Uses = dict[str, list[Id]]


def alone(
    runner: Runner, expected: dict[Id, Any], modules: Collection[str], seconds: float
) -> dict[str, Found]:
    """What comes of each expression and alternative. None is tried for longer than these seconds of processor time."""

    def work() -> dict[str, Found]:
        recorder = Recorder(modules, once=False)
        Changes(runner.package, (), recorder).install()
        trial = Trial(runner, recorder, expected, seconds)
        matched, asked = in_child(trial.uses)
        found = {id: trial.tried(id, matched.get(id, [])) for id in recorder.expressions}
        for entry in recorder.entries:
            uses = asked.get(entry.parent, []) if entry.id in recorder.blind else matched.get(entry.id, [])
            found[entry.id] = trial.tried(entry.id, uses)
        return found

    return in_child(work)


@dataclass
class Trial:
    """The package, loaded, with what its cases and rows give."""

    runner: Runner
    recorder: Recorder
    expected: dict[Id, Any]
    seconds: float

    def __post_init__(self) -> None:
        cases = self.runner.cases({id[:2] for id in self.expected if id[0]})
        self._cases = {id: case for id, case in cases if id in self.expected}

    def uses(self) -> tuple[Uses, Uses]:
        """For each entry the cases and rows in which it matched, and in which it was asked; those of few entries first.

        An alternative in a negative look counts where its expression is asked: there it may keep it from matching.
        """
        heard, asked = {}, {}
        self.recorder.on = True
        for id in self.expected:
            self.recorder.used, self.recorder.asked = set(), set()
            forget(self.runner.package.name)
            self._result(id)
            heard[id], asked[id] = self.recorder.used, self.recorder.asked
        order = random.Random(1)
        ids = sorted(heard, key=lambda id: len(heard[id]) * order.uniform(0.7, 1.3))
        return _by_entry(heard, ids), _by_entry(asked, ids)

    def tried(self, entry: str, ids: Sequence[Id]) -> Found:
        """The state of one entry, from the cases and rows that use it."""
        if not ids:
            return "never used", None
        try:
            return in_child(self._without(entry, ids))
        except Crash:
            return "needed", None

    def _without(self, entry: str, ids: Sequence[Id]) -> Callable[[], Found]:
        def work() -> Found:
            if not self.recorder.drop(entry):
                return "used", None
            begin = time.process_time()
            for id in ids:
                if self._result(id) != self.expected[id]:
                    return "needed", id
                if time.process_time() - begin > self.seconds:
                    return "used", None
            return "idle", None

        return work

    def _result(self, id: Id) -> Any:
        if id[0]:
            return passes(self._cases[id])
        return graded([self.runner.rows[id[1]][id[2]]])[0]


def _by_entry(used: dict[Id, set[str]], ids: Sequence[Id]) -> Uses:
    found: Uses = {}
    for id in ids:
        for entry in used[id]:
            found.setdefault(entry, []).append(id)
    return found


def forget(package: str) -> None:
    """Empty the caches of the package's functions, so that every case reads all that it needs."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == package:
            for value in list(vars(module).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()
