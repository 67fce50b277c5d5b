"""A connection whose client does not read its answer ends; else what it does not read would fill the memory."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("uvicorn")

from hybridverify.service.protocol import PatientProtocol


class Transport:
    """A connection with so many bytes that nobody has read yet."""

    left, aborted = 1000, False

    def get_write_buffer_size(self) -> int:
        return self.left

    def abort(self) -> None:
        self.aborted = True


class Clock:
    """A loop's clock that the test turns."""

    def __init__(self) -> None:
        self.waiting: list[asyncio.TimerHandle] = []

    def call_later(self, seconds: float, call: Any, *arguments: Any) -> Any:
        loop = asyncio.new_event_loop()
        handle = asyncio.TimerHandle(seconds, call, arguments, loop)
        loop.close()
        self.waiting.append(handle)
        return handle

    def passes(self) -> None:
        due, self.waiting = self.waiting, []
        for handle in due:
            if not handle.cancelled():
                handle._callback(*handle._args)  # type: ignore[attr-defined]


class Flow:
    """uvicorn's flow control, which is not what is tested."""

    def pause_writing(self) -> None: ...

    def resume_writing(self) -> None: ...


@pytest.fixture
def protocol() -> Any:
    made: Any = object.__new__(PatientProtocol)
    made.loop, made.transport, made.flow = Clock(), Transport(), Flow()
    made.pause_writing()
    return made


def test_who_reads_nothing_is_hung_up_on(protocol: Any) -> None:
    protocol.loop.passes()
    assert protocol.transport.aborted


def test_who_reads_slowly_is_waited_for(protocol: Any) -> None:
    for left in (900, 500, 499):
        protocol.transport.left = left
        protocol.loop.passes()
        assert not protocol.transport.aborted
    protocol.loop.passes()
    assert protocol.transport.aborted


def test_nobody_is_watched_who_has_read_all(protocol: Any) -> None:
    protocol.resume_writing()
    protocol.loop.passes()
    assert not protocol.transport.aborted
