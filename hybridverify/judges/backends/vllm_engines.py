"""The vLLM engines of this process: one for equal settings, until its last user releases it."""

from __future__ import annotations

import atexit
import os
import threading

from hybridverify.judges.backends.vllm_engine import Engine
from hybridverify.judges.backends.vllm_settings import EngineSettings

_engines: dict[tuple[int, str], Engine] = {}
_lock = threading.Lock()


def engine_for(settings: EngineSettings, user: object) -> Engine:
    """This process's engine for these settings. It lives until its last user releases it."""
    key = (os.getpid(), settings.key)  # after a fork the child makes its own
    with _lock:
        engine = _engines.get(key) or _engines.setdefault(key, Engine(settings))
        engine.users.add(user)
        return engine


def release(settings: EngineSettings, user: object) -> None:
    """Release the engine. When the last user does, the engine ends and frees its memory."""
    with _lock:
        engine = _engines.get((os.getpid(), settings.key))
        if engine is None:
            return
        engine.users.discard(user)
        if engine.users:
            return
        del _engines[(os.getpid(), settings.key)]
    engine.close()


@atexit.register
def _close_all() -> None:
    """End the engines of this process at exit: their processes would outlive it."""
    for (pid, _), engine in list(_engines.items()):
        if pid == os.getpid():
            engine.close()
