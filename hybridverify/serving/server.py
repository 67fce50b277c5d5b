"""Runs a judge server: an OpenAI-compatible vLLM or SGLang, started, watched and stopped.

The engine runs under a small guard process (guard.py), so that nothing of it is left when this process ends, even by
SIGKILL.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import fields, replace
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

from hybridverify.errors import ConfigError, HybridVerifyError, JudgeUnavailable, did_you_mean
from hybridverify.judges.presets import Preset
from hybridverify.judges.presets import preset as preset_named
from hybridverify.judges.translation.prompt import TRANSLATE
from hybridverify.serving.context import context_need, model_limit
from hybridverify.serving.death import death, last_word
from hybridverify.serving.engines import ENGINES, Engine, choose_engine
from hybridverify.serving.log import EngineLog
from hybridverify.serving.ready import served_names, usable_port
from hybridverify.serving.settings import ServeSettings

__all__ = ["ENGINES", "Engine", "JudgeServer", "ServeSettings"]

_log = logging.getLogger(__name__)
_GUARD = Path(__file__).with_name("guard.py")
_POLL_S = 0.25
_MARGIN_S = 15.0  # seconds for the guard itself after the grace time: KILL, and reaping


class JudgeServer:
    """A server for one judge preset and model: ready inside `with`, gone after it.

        with JudgeServer("tinyv", "zhangchenxu/TinyV-1.5B", port=0) as server:
            backend = {"name": "openai", "model": server.model, "base_url": server.base_url}
            verifier = hv.Verifier(policy="addon", judges=[{"preset": "tinyv", "backend": backend}])

    `settings` are those of ServeSettings: host, port, dtype and so on; the preset sets the context length where
    `max_model_len` does not. `timeout_s` bounds the start, `grace_s` the time between asking the engine to leave
    and killing it. `log` takes the engine's output: a file to append to, an open text file, or None.
    `engines` maps names to `Engine`s, for one's own. A server is started once.

    Raises ConfigError for settings that cannot work, JudgeUnavailable where the engine dies or is not ready in
    time; the message says why.
    """

    def __init__(
        self,
        preset: str | Preset,
        model: str,
        *,
        engine: str = "auto",
        timeout_s: float = 600.0,
        grace_s: float = 15.0,
        log: str | Path | TextIO | None = None,
        engines: Mapping[str, Engine] = ENGINES,
        **settings: Any,
    ) -> None:
        self.preset = _servable(preset)
        asked = _serve_settings(model, settings)
        self.engine = choose_engine(engine, engines)
        self.settings = _listening(_for_preset(self.preset, asked))
        self.timeout_s = timeout_s
        self.grace_s = grace_s
        self._log_to = log
        self._log: EngineLog | None = None
        self._guard: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._ready = False

    @property
    def model(self) -> str:
        """The name under which the server serves the judge."""
        return self.settings.name

    @property
    def base_url(self) -> str:
        """The value for `base_url` of the `openai` backend."""
        return self.settings.base_url

    @property
    def on_loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        return self.settings.host in ("localhost", "::1") or self.settings.host.startswith("127.")

    @property
    def command(self) -> list[str]:
        """The engine's command line."""
        return list(self.engine.command(self.settings))

    def __enter__(self) -> JudgeServer:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Start the engine and wait until it is ready."""
        if self._guard is not None:
            raise ConfigError("a JudgeServer is started once; make another")
        with ExitStack() as undo:
            undo.callback(self.stop)
            self._launch()
            self._wait_until_ready()
            undo.pop_all()

    def wait(self) -> None:
        """Wait while the server lives. Raises JudgeUnavailable if it ends by itself."""
        if self._guard is not None:
            self._guard.wait()
            raise self._death()

    def stop(self) -> None:
        """Ask the engine to leave and kill what stays. Returns when nothing of it is left. Safe to repeat."""
        if os.getpid() != self._owner:  # not started, or in a fork, which has no server
            return
        if self._guard is not None and self._guard.poll() is None:
            self._guard.terminate()
            self._wait_for_guard()
        if self._log is not None:
            self._log.close()

    def _launch(self) -> None:
        self._owner = os.getpid()
        self._log = EngineLog(self._log_to)
        self._guard = subprocess.Popen(
            [sys.executable, "-I", str(_GUARD), str(self._owner), str(self.grace_s), *self.command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            start_new_session=True,  # Ctrl-C is passed on by this process, in order
        )
        assert self._guard.stdout is not None
        self._log.drain(self._guard.stdout)

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + self.timeout_s
        while time.monotonic() < deadline:
            names = served_names(self.settings)
            if self._ended_within(0.0 if names else _POLL_S):
                raise self._death()
            if names:
                self._check_served(names)
                self._ready = True
                return
        raise self._not_ready()

    def _ended_within(self, wait_s: float) -> bool:
        assert self._guard is not None
        try:
            self._guard.wait(wait_s)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _check_served(self, names: list[str]) -> None:
        if self.model not in names:
            raise JudgeUnavailable(f"{self.base_url} is another server: it serves {', '.join(names)}")

    def _death(self) -> HybridVerifyError:
        assert self._guard is not None
        assert self._log is not None
        tail = self._log.tail()
        return death(self.engine.name, self.settings, tail, self._guard.returncode, self._ready)

    def _not_ready(self) -> JudgeUnavailable:
        assert self._log is not None
        said = last_word(self._log.tail(wait_s=0.0))
        return JudgeUnavailable(
            f"{self.engine.name} was not ready after {self.timeout_s:g} s (--timeout-s); it said last: {said}"
        )

    def _wait_for_guard(self) -> None:
        assert self._guard is not None
        try:
            self._guard.wait(self.grace_s + _MARGIN_S)
        except subprocess.TimeoutExpired:
            self._guard.kill()
            self._guard.wait()
            _log.warning("%s did not leave in time; look for processes of it", self.engine.name)


def _servable(preset: str | Preset) -> Preset:
    if preset == "embedded":
        raise ConfigError("the embedded judge runs in process; it needs no server: --judge embedded")
    if preset == TRANSLATE.name:
        return TRANSLATE
    return preset_named(preset) if isinstance(preset, str) else preset


def _serve_settings(model: str, given: Mapping[str, Any]) -> ServeSettings:
    known = [field.name for field in fields(ServeSettings)]
    for name in given:
        if name not in known:
            raise ConfigError(f"JudgeServer: no setting {name!r}; {did_you_mean(name, known)}")
    return ServeSettings(model, **given)


def _listening(settings: ServeSettings) -> ServeSettings:
    return replace(settings, port=usable_port(settings.host, settings.port))


def _for_preset(preset: Preset, settings: ServeSettings) -> ServeSettings:
    """The settings with a context length: the preset's need, or the model's limit if that is smaller."""
    if settings.max_model_len:
        return settings
    need = context_need(preset)
    limit = model_limit(settings.model, settings.revision)
    if 0 < limit < need:
        _log.warning(
            "%s takes %d tokens, and the preset %s asks for %d: long prompts will be cut or refused",
            settings.model,
            limit,
            preset.name,
            need,
        )
        need = limit
    return replace(settings, max_model_len=need)
