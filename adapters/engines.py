"""Finds engines of this process that can never start when a manager is made, and not after ten minutes of waiting.

A server may start later, so the adapters wait for it (outage.py). A missing package or folder stays missing.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from hybridverify.errors import ConfigError

PACKAGES = {"vllm": "vllm", "sglang": "sglang", "transformers": "transformers"}


def check_engines(judges: Iterable[Any]) -> None:
    """Raises ConfigError for an entry of `judges` whose engine is not installed or whose folder does not exist."""
    for judge in judges:
        backend = judge.get("backend") if isinstance(judge, Mapping) else None
        settings = backend if isinstance(backend, Mapping) else {"name": backend}
        name = str(settings.get("engine") or settings.get("name"))
        if name in PACKAGES:
            _check(name, str(settings.get("model") or ""))


def _check(name: str, model: str) -> None:
    package = PACKAGES[name]
    if package not in sys.modules and importlib.util.find_spec(package) is None:
        raise ConfigError(
            f"judge backend {name!r} runs in this process and needs the package {package}: "
            f"pip install 'hybridverify[{name}]', or give base_url= of a server"
        )
    if os.path.isabs(model) and not os.path.exists(model):
        raise ConfigError(f"judge's model: there is no {model!r} on this machine")
