"""The log-probabilities of a reply as vLLM gives them: kept as numbers, and read where somebody looks.

A judge that writes before it decides gives some at every position, and P(yes) needs those of the label alone.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any, overload

Texts = Mapping[int, str]
Top = Mapping[str, float]


class Positions(Sequence[Top]):
    """One mapping for each output position, from token text to log-probability, the likeliest first. Each is made
    when it is asked for. Of several tokens with one text the likeliest counts."""

    __slots__ = ("_ends", "_tokens", "_values", "texts")

    def __init__(self, tokens: Sequence[int], values: Sequence[float], ends: Sequence[int]) -> None:
        self._tokens, self._values, self._ends = array("l", tokens), array("d", values), array("l", ends)
        self.texts: Texts = {}
        """Of all tokens here; `token_ids` names them."""

    @property
    def token_ids(self) -> set[int]:
        """All tokens at any position."""
        return set(self._tokens)

    def written(self, place: int) -> str:
        """The text of the token that the model wrote at a position; the first that vLLM lists."""
        begin = self._ends[place - 1] if place else 0
        return self.texts[self._tokens[begin]] if begin < self._ends[place] else ""

    def __len__(self) -> int:
        return len(self._ends)

    @overload
    def __getitem__(self, place: int) -> Top: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Top]: ...

    def __getitem__(self, place: int | slice) -> Top | Sequence[Top]:
        if isinstance(place, slice):
            return tuple([self[one] for one in range(*place.indices(len(self)))])
        at = range(len(self))[place]
        part = slice(self._ends[at - 1] if at else 0, self._ends[at])
        ranked = zip(self._values[part], self._tokens[part], strict=True)
        top: dict[str, float] = {}
        for value, token in sorted(ranked, key=_value, reverse=True):
            top.setdefault(self.texts[token], value)
        return top


def _value(entry: tuple[float, int]) -> float:
    return entry[0]


def positions_of(given: Any) -> Positions:
    """From vLLM's flat form, or from its list of mappings."""
    flat = getattr(given, "end_indices", None)
    if flat is not None:
        return Positions(given.token_ids, given.logprobs, flat)
    ends, end = [], 0
    for position in given:
        end += len(position)
        ends.append(end)
    values = [found.logprob for position in given for found in position.values()]
    return Positions([*chain.from_iterable(given)], values, ends)


def with_texts(found: Sequence[Positions], text: Callable[[int], str]) -> None:
    """Give all replies of a batch one table of the texts of their tokens."""
    tokens = set[int]().union(*[one.token_ids for one in found])
    texts = {token: text(token) for token in tokens}
    for one in found:
        one.texts = texts
