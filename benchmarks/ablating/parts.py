"""The alternatives of a regular expression, at any depth: which there are, and the expression without some of them.

Removing all alternatives of a group leaves `(?!)`, which matches nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

NOTHING = "(?!)"
_PREFIX = re.compile(r"\?(?:P<\w+>|<[=!]|[:=!>]|[aiLmsux]*(?:-[imsx]+)?:)")
_REFERENCE = re.compile(r"\\([1-9]\d?)$")


@dataclass(frozen=True)
class Branch:
    """One alternative: where it stands, and its parts (texts and groups)."""

    start: int
    end: int
    items: tuple[str | Group, ...]


@dataclass(frozen=True)
class Group:
    """A bracket, or the whole expression: `opening` and its alternatives."""

    opening: str
    branches: tuple[Branch, ...]

    @property
    def captures(self) -> bool:
        return self.opening == "(" or self.opening.startswith("(?P<")

    @property
    def refuses(self) -> bool:
        return self.opening in ("(?!", "(?<!")


@dataclass
class _Reader:
    text: str
    at: int = 0

    def group(self, opening: str) -> Group:
        branches, items, start = [], list[str | Group](), self.at
        while self.at < len(self.text) and self.text[self.at] != ")":
            if self.text[self.at] == "|":
                branches.append(Branch(start, self.at, tuple(items)))
                self.at, items = self.at + 1, []
                start = self.at
            else:
                items.append(self._item())
        return Group(opening, (*branches, Branch(start, self.at, tuple(items))))

    def _item(self) -> str | Group:
        start, char = self.at, self.text[self.at]
        if char == "\\":
            match = re.compile(r"\\[1-9]\d?|\\.", re.DOTALL).match(self.text, start)
            self.at = match.end() if match else start + 1
        elif char == "[":
            self.at = self._end_of_class()
        elif char == "(":
            return self._bracket()
        else:
            self.at += 1
        return self.text[start : self.at]

    def _end_of_class(self) -> int:
        at = self.at + 1
        at += self.text.startswith("^", at)
        at += self.text.startswith("]", at)
        while self.text[at] != "]":
            at += 2 if self.text[at] == "\\" else 1
        return at + 1

    def _bracket(self) -> str | Group:
        start = self.at
        prefix = _PREFIX.match(self.text, start + 1)
        if self.text.startswith("(?", start) and not prefix:  # flags, comments, conditions: kept as they are
            self.at = start + 1
            self.group("")
            self.at += 1
            return self.text[start : self.at]
        self.at = prefix.end() if prefix else start + 1
        found = self.group(self.text[start : self.at])
        self.at += 1
        return found


def read(pattern: str) -> Group:
    """The expression as a tree. Raises IndexError or ValueError where brackets do not match."""
    reader = _Reader(pattern)
    found = reader.group("")
    if reader.at < len(pattern):
        raise ValueError(f"a bracket too many in {pattern!r}")
    return found


def alternatives(pattern: str) -> list[tuple[Branch, bool]]:
    """The alternatives of all groups that have several, in order; true for those within a negative look.

    >>> [("a(?:b|c)d|e"[branch.start : branch.end], blind) for branch, blind in alternatives("a(?:b|c)d|e")]
    [('a(?:b|c)d', False), ('b', False), ('c', False), ('e', False)]
    """
    return list(_walk(read(pattern), False))


def _walk(group: Group, blind: bool) -> Iterator[tuple[Branch, bool]]:
    blind = blind or group.refuses
    for branch in group.branches:
        if len(group.branches) > 1 and branch.items:
            yield branch, blind
        for item in branch.items:
            if isinstance(item, Group):
                yield from _walk(item, blind)


def without(pattern: str, drop: Collection[int]) -> str:
    """The expression without the alternatives of these numbers.

    >>> without("a(?:b|c)d|e", {1}), without("a(?:b|c)d|e", {0, 3}), without("x(?:b|c)", {0, 1})
    ('a(?:c)d|e', '(?!)', 'x(?:(?!))')
    >>> without("(a)|(b)", {0})
    '(?!)()|(b)'
    """
    tree = read(pattern)
    numbers = {id(branch): number for number, branch in enumerate(_several(tree))}

    def render(group: Group) -> str:
        kept = []
        for branch in group.branches:
            if numbers.get(id(branch)) in drop:
                kept += _groups_alone(branch)
            else:
                kept.append("".join(item if isinstance(item, str) else render(item) for item in branch.items))
        body = "|".join(kept) if kept else NOTHING
        return group.opening + body + (")" if group.opening else "")

    return render(tree)


def _groups_alone(branch: Branch) -> list[str]:
    """What keeps the numbers of other groups, where a branch with groups is removed."""
    openings = "".join(_openings(branch))
    return [NOTHING + openings] if openings else []


def _openings(branch: Branch) -> Iterator[str]:
    for item in branch.items:
        if isinstance(item, Group):
            yield from [item.opening + ")"] if item.captures else []
            for inner in item.branches:
                yield from _openings(inner)


def _several(group: Group) -> Iterator[Branch]:
    return (branch for branch, _ in _walk(group, False))


def marked(pattern: str, name: Callable[[int], str]) -> str:
    """The expression with an empty group behind each alternative, which tells after a match that it was taken.

    >>> marked("(a|b)\\\\1", "m{}".format)
    '(a(?P<m0>)|b(?P<m1>))(?:\\\\1)'
    """
    tree = read(pattern)
    numbers = {id(branch): number for number, branch in enumerate(_several(tree))}
    places: dict[int, int] = {}
    count = 0

    def render(group: Group) -> str:
        nonlocal count
        if group.captures:
            count += 1
            places[len(places) + 1] = count
        written = []
        for branch in group.branches:
            text = "".join(told(item) if isinstance(item, str) else render(item) for item in branch.items)
            if id(branch) in numbers:
                count += 1
                text += f"(?P<{name(numbers[id(branch)])}>)"
            written.append(text)
        return group.opening + "|".join(written) + (")" if group.opening else "")

    def told(item: str) -> str:
        found = _REFERENCE.match(item)
        return f"(?:\\{places[int(found[1])]})" if found else item

    return render(tree)


def own_alternatives(text: str, pieces: dict[str, str]) -> list[int]:
    """Numbers of the alternatives that stand in the expression itself, not in a piece of it."""
    spans = [(start, start + len(piece)) for piece in pieces.values() for start in starts(text, piece)]
    return [
        number
        for number, (branch, _) in enumerate(alternatives(text))
        if not any(low <= branch.start and branch.end <= high for low, high in spans)
    ]


def starts(text: str, piece: str) -> list[int]:
    found, at = [], text.find(piece)
    while at >= 0:
        found.append(at)
        at = text.find(piece, at + 1)
    return found
