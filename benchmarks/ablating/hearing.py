"""Which compiled expressions match at work, and by which of their alternatives."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any

from ablating import parts
from ablating.entries import Entry

_compile = re.compile


class Recorder:
    """Hears which expressions match, and by which alternatives; of each the first time only, unless `once` is false."""

    def __init__(self, modules: Collection[str], once: bool = True) -> None:
        self.once = once
        self.modules = frozenset(modules)
        self.used: set[str] = set()
        self.asked: set[str] = set()
        """Expressions that were held against a text, whether they matched or not."""
        self._unheard: dict[str, set[str]] = {}
        self.entries: list[Entry] = []
        self.blind: set[str] = set()
        self.expressions: dict[str, list[_Heard]] = {}
        self.on = False

    @property
    def unheard(self) -> set[str]:
        """Alternatives that nobody hears: in a negative look, or in a piece of an expression that is made elsewhere."""
        return self.blind.union(*self._unheard.values())

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
            if ":piece:" in own:
                self._unheard.setdefault(own, set()).add(entry.id)

    def pattern(self, place: str, own: str, text: str, flags: Any, pieces: dict[str, str]) -> Any:
        outer = parts.own_alternatives(text, pieces)
        self.note(own, text, outer)
        names = {at: f"{own}:{number}" for number, at in enumerate(outer)}
        found = parts.alternatives(text)
        for piece, inner in pieces.items():
            self._unheard.pop(piece, None)
            for start in parts.starts(text, inner):
                starts = {
                    branch.start + start: f"{piece}:{n}"
                    for n, (branch, _) in enumerate(parts.alternatives(inner))
                }
                for at, (branch, _) in enumerate(found):
                    if at not in names and branch.start in starts:
                        names[at] = starts[branch.start]
        told = _compile(parts.marked(text, "ablated{}".format), flags) if found else None
        heard = _Heard(self, place, _compile(text, flags), told, names, outer)
        self.expressions.setdefault(place, []).append(heard)
        return heard

    def drop(self, entry: str) -> bool:
        """Take an expression or one of its alternatives away; false for an alternative of a piece."""
        place, _, number = entry.rpartition(":")
        own = place.removesuffix(":alternative")
        dropped = self.expressions.get(entry if own == place else own, [])
        for heard in dropped:
            heard.drop(None if own == place else int(number))
        return bool(dropped)


class _Heard:
    """A compiled expression that says when it matches."""

    def __init__(
        self,
        recorder: Recorder,
        place: str,
        real: re.Pattern[str],
        told: re.Pattern[str] | None,
        names: dict[int, str],
        outer: list[int],
    ) -> None:
        self._recorder, self._place, self._real, self._told = recorder, place, real, told
        self._names, self._outer = dict(names), outer

    def drop(self, number: int | None) -> None:
        """Match no more, or not by the alternative of this number."""
        text = parts.NOTHING if number is None else parts.without(self._real.pattern, {self._outer[number]})
        self._real = _compile(text, 0 if number is None else self._real.flags)

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
        if self._recorder.on:
            self._recorder.asked.add(self._place)
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
        if self._recorder.on:
            self._recorder.asked.add(self._place)
            if self._real.search(text, *places):
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
