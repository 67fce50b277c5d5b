"""Requests that some thread is asking at this moment, so that no other thread asks the same.

While a call that was cut into batches is `sharing`, answers stay after they came: equal requests of its other batches
are not asked again.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Generic, TypeVar

from hybridverify.cache.content_key import canonical_json

T = TypeVar("T")
R = TypeVar("R")

MOST_KEPT = 1 << 16
"""Answers, which bounds the memory of calls that overlap for ever."""


def names(payloads: Iterable[object]) -> list[str]:
    """Names that are equal where the payloads are, for use within a run: made in a fifth of the time of keys.

    >>> names(["2 = 2?", [["user", "2 = 2?"]], ["2 = 2?", "yes"]])
    ['t2 = 2?', 'm4,6,user2 = 2?', 'l6,3,2 = 2?yes']
    """
    return list(map(_name, payloads))


def _name(payload: object) -> str:
    if type(payload) is str:
        return f"t{payload}"
    if type(payload) is not list or not payload:
        return f"j{canonical_json(payload)}"
    if {*map(type, payload)} == {str}:
        return f"l{','.join(map(str, map(len, payload)))},{''.join(payload)}"
    name = "m"
    for item in payload:
        if not (type(item) is list and len(item) == 2 and type(item[0]) is type(item[1]) is str):
            return f"j{canonical_json(payload)}"
        role, content = item
        name = f"{name}{len(role)},{len(content)},{role}{content}"
    return name


class InFlight(Generic[T]):
    """The answers to come, by judge and key.

    >>> table: InFlight[str] = InFlight()
    >>> table.claimed(1, {"a": "Equal?"})
    ({'a': 'Equal?'}, {})
    >>> own, others = table.claimed(1, {"a": "Equal?", "b": "Same?"})
    >>> table.settle(1, ["a"], {"a": "yes"})
    >>> own, others["a"].result()["a"]
    ({'b': 'Same?'}, 'yes')
    """

    def __init__(self) -> None:
        self._coming: dict[tuple[int, str], Future[Mapping[str, T]]] = {}
        self._kept: dict[tuple[int, str], Future[Mapping[str, T]]] = {}
        self._sharing = 0
        self._lock = threading.Lock()

    @contextmanager
    def sharing(self) -> Iterator[None]:
        """Keep answers until the block ends, the newest `MOST_KEPT`."""
        with self._lock:
            self._sharing += 1
        try:
            yield
        finally:
            with self._lock:
                self._sharing -= 1
                if not self._sharing:
                    self._kept.clear()

    def claimed(
        self, judge: int, wanted: Mapping[str, R]
    ) -> tuple[dict[str, R], dict[str, Future[Mapping[str, T]]]]:
        """The requests that the caller has to ask and then `settle` together, and for the others the futures of the
        answers to the batch that they are in. An answer is missing there if its asker got none."""
        own: dict[str, R] = {}
        others: dict[str, Future[Mapping[str, T]]] = {}
        batch: Future[Mapping[str, T]] = Future()  # one for all: each costs as much as a rule
        with self._lock:
            for key, request in wanted.items():
                coming = self._coming.get((judge, key)) or self._kept.get((judge, key))
                if coming is None:
                    self._coming[judge, key] = batch
                    own[key] = request
                else:
                    others[key] = coming
        return own, others

    def settle(self, judge: int, claimed: Iterable[str], answers: Mapping[str, T]) -> None:
        """Give up the claims of one batch, with the answers that came."""
        batches: set[Future[Mapping[str, T]]] = set()
        with self._lock:
            for key in claimed:
                batch = self._coming.pop((judge, key))
                batches.add(batch)
                if self._sharing and key in answers:
                    self._kept[judge, key] = batch
            while len(self._kept) > MOST_KEPT:
                del self._kept[next(iter(self._kept))]
        for batch in batches:
            batch.set_result(answers)
