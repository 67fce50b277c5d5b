"""Runs a judge server: an OpenAI-compatible vLLM or SGLang, started, watched and stopped.

In: a preset, a model and settings. Out: an address that answers as long as the `with` block lasts. `engines` makes
the command line, `guard` is the small process that the engine runs under, `ready` waits for it, `log` and `death`
find out why it ended.

Entry points: `JudgeServer`, `ServeSettings`, `ENGINES`, `Engine`.
"""

from hybridverify.serving.server import ENGINES, Engine, JudgeServer, ServeSettings

__all__ = ["ENGINES", "Engine", "JudgeServer", "ServeSettings"]
