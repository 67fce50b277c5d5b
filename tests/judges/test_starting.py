"""What is said while an engine starts, where its log goes, and how vLLM starts on a CPU."""

from __future__ import annotations

import json
import logging
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hybridverify.cli import waiting
from hybridverify.cli.progress import progress_bar
from hybridverify.errors import ConfigError, JudgeUnavailable
from hybridverify.judges.backends import engine_logs, starting
from hybridverify.judges.backends.vllm import VLLMBackend
from hybridverify.judges.backends.vllm_settings import EngineSettings
from hybridverify.judges.base import Prompt, Sampling
from tests.judges.tiny_models import save_fast_tokenizer
from tests.judges.vllm_fake import FakeVLLM

VARIABLE = "VLLM_LOGGING_CONFIG_PATH"


@pytest.fixture(autouse=True)
def nothing_set_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("VLLM_CONFIGURE_LOGGING", raising=False)
    monkeypatch.setenv(VARIABLE, "")
    logger = logging.getLogger("vllm")
    before = list(logger.handlers)
    yield
    for handler in set(logger.handlers) - set(before):
        handler.close()
    logger.handlers = before


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeVLLM:
    return FakeVLLM().install(monkeypatch)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    (tmp_path / "model").mkdir()
    save_fast_tokenizer(tmp_path / "model")
    (tmp_path / "model" / "config.json").write_text('{"max_position_embeddings": 64}')
    return str(tmp_path / "model")


def on_cpu(monkeypatch: pytest.MonkeyPatch, is_cpu: bool = True) -> None:
    platform = SimpleNamespace(is_cpu=lambda: is_cpu)
    monkeypatch.setitem(sys.modules, "vllm.platforms", SimpleNamespace(current_platform=platform))


def arguments_of(fake: FakeVLLM, folder: str, **options: Any) -> dict[str, Any]:
    backend = VLLMBackend(folder, **options)
    backend.start()
    backend.close()
    return dict(fake.engines[-1].arguments)


def test_on_a_cpu_the_engine_starts_eager_unless_it_is_told_otherwise(
    fake: FakeVLLM, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_cpu(monkeypatch)
    assert arguments_of(fake, folder)["enforce_eager"] is True
    assert arguments_of(fake, folder, enforce_eager=False)["enforce_eager"] is False
    assert arguments_of(fake, folder, enforce_eager=True)["enforce_eager"] is True
    told = arguments_of(fake, folder, engine_args={"compilation_config": 3})
    assert "enforce_eager" not in told


def test_elsewhere_the_choice_is_vllms(fake: FakeVLLM, folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    on_cpu(monkeypatch, is_cpu=False)
    assert "enforce_eager" not in arguments_of(fake, folder)
    assert arguments_of(fake, folder, enforce_eager=False)["enforce_eager"] is False


@pytest.mark.parametrize("value", ["yes", 1, 0])
def test_a_wrong_switch_is_refused(value: Any) -> None:
    with pytest.raises(ConfigError, match=r"backend\.enforce_eager: expected true or false"):
        EngineSettings("m", enforce_eager=value)


def test_while_an_engine_starts_it_is_said_what_is_waited_for(
    fake: FakeVLLM, folder: str, tmp_path: Path
) -> None:
    heard: list[str] = []
    with starting.listening(lambda start: heard.append(start.told(start.began + 7))):
        with starting.logs_in(tmp_path):
            arguments_of(fake, folder)
        arguments_of(fake, folder, seed=5)
    log = tmp_path / f"hybridverify-vllm-{os.getpid()}.log"
    assert heard == [
        f"waiting for vllm to load {folder} (7 s); its log: {log}",
        f"waiting for vllm to load {folder} (7 s)",
    ]
    assert starting.waited_for() == ""


def test_vllm_is_told_to_write_into_the_file(
    fake: FakeVLLM, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logger = logging.getLogger("vllm")
    monkeypatch.setattr(logger, "handlers", [])
    with starting.logs_in(tmp_path):
        path = engine_logs.engine_log("vllm")
        assert engine_logs.engine_log("vllm") == path
    assert path is not None
    assert len(logger.handlers) == 1  # imported already: its logger is turned round
    logger.warning("loading shard 1")
    logger.handlers[0].close()
    assert "loading shard 1" in path.read_text("utf-8")
    settings = json.loads(Path(os.environ[VARIABLE]).read_text("utf-8"))
    assert settings["handlers"]["file"]["filename"] == str(path)
    assert settings["loggers"]["vllm"]["handlers"] == ["file"]


def test_a_user_who_has_set_up_vllms_logging_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with starting.logs_in(tmp_path):
        monkeypatch.setenv("VLLM_CONFIGURE_LOGGING", "0")
        assert engine_logs.engine_log("vllm") is None
        monkeypatch.setenv("VLLM_CONFIGURE_LOGGING", "1")
        monkeypatch.setenv(VARIABLE, "/their/own.json")
        assert engine_logs.engine_log("vllm") is None
    assert engine_logs.engine_log("vllm") is None
    with starting.logs_in(tmp_path / "no such folder"):
        monkeypatch.setenv(VARIABLE, "")
        assert engine_logs.engine_log("vllm") is None


def test_sglang_is_told_by_a_variable_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SGLANG_LOGGING_CONFIG_PATH", "")
    with starting.logs_in(tmp_path):
        path = engine_logs.engine_log("sglang")
    settings = json.loads(Path(os.environ["SGLANG_LOGGING_CONFIG_PATH"]).read_text("utf-8"))
    assert path == tmp_path / f"hybridverify-sglang-{os.getpid()}.log"
    assert settings["loggers"]["sglang"]["handlers"] == ["file"]


def test_what_transformers_says_while_it_loads_goes_into_a_file(tmp_path: Path) -> None:
    logger = logging.getLogger("transformers")
    before = (list(logger.handlers), logger.level)
    with starting.logs_in(tmp_path), engine_logs.transformers_logged() as path:
        logger.getChild("modeling").info("loading weights")
    logger.getChild("modeling").info("later")
    assert path is not None
    assert "loading weights" in path.read_text("utf-8")
    assert "later" not in path.read_text("utf-8")
    assert (list(logger.handlers), logger.level) == before
    with engine_logs.transformers_logged() as path:
        assert path is None


def test_an_engine_that_does_not_start_names_its_log(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    FakeVLLM(start_error=RuntimeError("no memory")).install(monkeypatch)
    (tmp_path / f"hybridverify-vllm-{os.getpid()}.log").write_text("first words\n", "utf-8")
    with (
        starting.logs_in(tmp_path),
        pytest.raises(JudgeUnavailable, match=r"no memory.*; see .*hybridverify-vllm-"),
    ):
        VLLMBackend(folder).complete([Prompt(text="x")], Sampling())
    with pytest.raises(JudgeUnavailable) as caught:
        VLLMBackend(folder).complete([Prompt(text="x")], Sampling())
    assert "; see " not in str(caught.value)
    assert starting.waited_for() == ""


def test_without_a_bar_a_slow_start_is_a_line_and_a_quick_one_is_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(waiting, "SILENCE_S", 0.01)
    said, may_tell = threading.Event(), threading.Event()
    tell = waiting._tell

    def told(start: starting.Start) -> None:
        assert may_tell.wait(200)
        tell(start)
        said.set()

    monkeypatch.setattr(waiting, "_tell", told)
    may_tell.set()
    with progress_bar(False, SimpleNamespace(stats={})), starting.starting("an engine"):
        assert said.wait(200)
    assert capsys.readouterr().err.startswith("waiting for an engine (")
    said.clear()
    may_tell.clear()
    with waiting.engines_announced(lines=True):
        with starting.starting("a quick one"):
            pass
        may_tell.set()  # however long it took
        assert said.wait(200)
    assert capsys.readouterr().err == ""


def test_the_bar_has_a_column_for_it() -> None:
    column = waiting.waiting_column()
    assert column.render(None).plain == ""
    with starting.starting("sglang to load m"):
        assert column.render(None).plain.startswith("waiting for sglang to load m (")
