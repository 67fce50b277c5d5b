"""Settings: from a file, a mapping or arguments to the parts of a Verifier.

In: what the user wrote. Out: checked values, and judges, rules and backends made by their names. `settings` holds the
schema and reads files, `judge_entries` holds the schema of judges, `checking` puts faults into words. `arguments`
checks the arguments of `Verifier`, `registry` knows names and `module:function`. Every fault is a ConfigError that
names the key.

Entry points: `load_settings`, `load_serve`, `Settings`, `ServeEntry`. They bring pydantic, so they are loaded when they
are first named: a Verifier that is made of arguments does without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hybridverify.config.settings import ServeEntry, Settings, load_serve, load_settings

__all__ = ["ServeEntry", "Settings", "load_serve", "load_settings"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from hybridverify.config import settings

    return getattr(settings, name)
