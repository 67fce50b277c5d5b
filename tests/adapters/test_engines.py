"""Engines in this process: held awake for a batch where there is one, in turns where there are several."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hybridverify.adapters.engines import check_engines
from hybridverify.adapters.grader import Grader
from hybridverify.adapters.options import parse_options

from hybridverify.errors import ConfigError
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


def entry(**backend: Any) -> dict[str, Any]:
    return {"preset": "tinyv", "backend": backend}


def test_an_engine_that_is_not_installed_is_said_when_the_grader_is_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    for backend in ({"name": "vllm"}, {"name": "sglang"}, {"name": "classifier", "engine": "transformers"}):
        monkeypatch.delitem(sys.modules, backend.get("engine", backend["name"]), raising=False)
        options = parse_options({"judges": [entry(**backend, model="m")], "policy": "judge_only"})
        with pytest.raises(ConfigError, match=r"pip install 'hybridverify\["):
            Grader(options)


def test_a_folder_that_is_not_there_is_said_and_names_are_left_to_the_engine(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "vllm", ModuleType("vllm"))
    with pytest.raises(ConfigError, match="there is no '/nowhere/gv' on this machine"):
        check_engines([entry(name="vllm", model="/nowhere/gv")])
    check_engines([entry(name="vllm", model="org/name"), entry(name="vllm", model=str(tmp_path))])
    check_engines([entry(name="openai", model="/served/under/its/path"), {"preset": "tinyv"}, object()])
