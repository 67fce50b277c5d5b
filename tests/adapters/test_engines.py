"""Engines in this process: held awake for a batch where there is one, in turns where there are several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hybridverify.adapters.grader import Grader
from hybridverify.adapters.options import parse_options

from hybridverify.judges.backends.scripted import ScriptedBackend
from hybridverify.judges.llm import LLMJudge
from hybridverify.types import Sample


class Engine(ScriptedBackend):
    """A scripted backend that notes when it is held awake."""

    def __init__(self) -> None:
        super().__init__("True")
        self.log: list[str] = []

    def wake(self) -> None:
        self.log.append("wake")

    def sleep(self) -> None:
        self.log.append("sleep")

    def complete(self, prompts: Sequence[Any], sampling: Any) -> Any:
        self.log.append("asked")
        return super().complete(prompts, sampling)


def grader_of(engines: Sequence[Engine]) -> Grader:
    judges = [LLMJudge(backend=engine, preset="tinyv") for engine in engines]
    return Grader(parse_options({"judges": judges, "policy": "judge_only", "cache": None}))


def test_one_engine_is_held_awake_for_the_batch_and_sleeps_after_a_fault_as_well() -> None:
    engine = Engine()
    grader = grader_of([engine])
    with grader.awake():
        grader.grade([Sample("The bard", "Shakespeare")])
    assert engine.log == ["wake", "asked", "sleep"]
    with pytest.raises(RuntimeError), grader.awake():
        raise RuntimeError("the trainer was stopped")
    assert engine.log[-1] == "sleep"


def test_several_engines_are_not_awake_together() -> None:
    engines = [Engine(), Engine()]
    grader = grader_of(engines)
    with grader.awake():
        grader.grade([Sample("The bard", "Shakespeare")])
    assert [engine.log for engine in engines] == [["asked"], ["asked"]]
