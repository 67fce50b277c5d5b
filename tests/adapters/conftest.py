"""Judges for adapters: scripted, made in Python, so that calls can be counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hybridverify.adapters.graders import close_graders

from hybridverify.judges.backends.scripted import ScriptedBackend
from hybridverify.judges.llm import LLMJudge

MakeJudge = Callable[[Any], tuple[LLMJudge, ScriptedBackend]]


@pytest.fixture
def make_judge() -> MakeJudge:
    """A TinyV judge that answers from a script, and the backend that remembers what it was asked."""

    def make(replies: Any, **options: Any) -> tuple[LLMJudge, ScriptedBackend]:
        backend = ScriptedBackend(replies, **options)
        return LLMJudge(backend=backend, preset="tinyv", retry_unparseable=False), backend

    return make


@pytest.fixture(autouse=True)
def graders_end_with_their_test() -> Iterator[None]:
    """What a grader holds (connections, threads) would be seen by the tests that count them."""
    yield
    close_graders()
