"""Why an engine died, in one line with advice, read from its last output."""

from __future__ import annotations

import re
import signal
from collections.abc import Sequence
from dataclasses import dataclass

from hybridverify.errors import ConfigError, HybridVerifyError, JudgeUnavailable
from hybridverify.serving.engines import install_hint
from hybridverify.serving.settings import ServeSettings


@dataclass(frozen=True)
class _Cause:
    """`marks`: words of the engine's log, one of which is enough. `usage`: the command line is at fault."""

    marks: tuple[str, ...]
    means: str
    usage: bool = False


_CAUSES = (
    _Cause(
        ("address already in use",),
        "a port is taken, --port {port} or one that the engine uses within; name another",
        usage=True,
    ),
    _Cause(
        (": error: unrecognized arguments", ": error: argument ", ": error: ambiguous option"),
        "this release of the engine does not know an argument",
        usage=True,
    ),
    _Cause(
        ("greater than the derived max_model_len", "greater than the derived context_length"),
        "the model takes fewer tokens; lower --max-model-len",
    ),
    _Cause(
        ("is less than desired gpu memory utilization",),
        "others hold the GPU's memory; lower --gpu-memory-utilization, or free it",
    ),
    _Cause(
        (
            "no available memory for the cache blocks",
            "larger than the available kv cache memory",
            "tokens that can be stored in kv cache",
            "please try to increase --mem-fraction-static",
        ),
        "too little GPU memory is left for prompts; raise --gpu-memory-utilization or lower --max-model-len",
    ),
    _Cause(
        ("outofmemoryerror", "cuda out of memory", "hip out of memory", "cuda error: out of memory"),
        "out of GPU memory; lower --gpu-memory-utilization or --max-model-len, raise --tensor-parallel-size, "
        "or take a quantised model",
    ),
    _Cause(
        ("gatedrepoerror", "gated repo", "cannot access gated"),
        "the model {model} is gated; accept its terms on its page and set HF_TOKEN",
    ),
    _Cause(
        ("revisionnotfounderror", "not a valid git identifier", "invalid rev id"),
        "the model {model} has no revision {revision!r}",
    ),
    _Cause(
        (
            "offlinemodeisenabled",
            "offline mode is enabled",
            "localentrynotfounderror",
            "we couldn't connect to",
            "outgoing traffic has been disabled",
        ),
        "the model {model} is not on this machine and cannot be loaded from the hub",
    ),
    _Cause(
        (
            "repositorynotfounderror",
            "repository not found for url",
            "is not a valid model identifier",
            "repo id must ",
            "does not appear to have a file named config.json",
            "can't load the configuration of",
            "invalid repository id or local directory",
        ),
        "there is no model {model}; look for a slip in its name, and set HF_TOKEN if it is private",
    ),
    _Cause(
        ("contains custom code which must be executed", "`trust_remote_code=true`"),
        "the model brings code of its own; if you trust it, add: -- --trust-remote-code",
    ),
    _Cause(
        ("are not supported for now", "is not supported for now"),
        "this release of the engine does not know the model's architecture",
    ),
    _Cause(
        (
            "failed to infer device type",
            "found no nvidia driver",
            "no cuda gpus are available",
            "no cuda-capable device",
        ),
        "this build of the engine finds no GPU",
    ),
)
_WORD_OF_THE_LOG = 300
_PREFIX = re.compile(
    r"^(?:\([^()]{1,60}\)\s*)?(?:[A-Z]{4,8} \d\d-\d\d [\d:.]{5,15} (?:\[[^\[\]]{1,80}\] ?)?)?"
)
_ERROR = re.compile(r"^\s*[\w.]{0,100}(?:Error|Exception|error)\b")
_MISSING = re.compile(r"No module named '([\w.]{1,100})'|No module named ([\w.]{1,100})")
_LAST_WORDS = 5  # an engine that keeps running also reports missing modules


def death(
    engine: str, settings: ServeSettings, tail: Sequence[str], code: int, ready: bool
) -> HybridVerifyError:
    """The error to raise for an engine that ended by itself with that exit code."""
    lines = [_PREFIX.sub("", line, count=1).strip() for line in tail]
    when = "died" if ready else "died before it was ready"
    cause, line = _cause(lines)
    if cause is not None:
        means = cause.means.format(model=settings.model, port=settings.port, revision=settings.revision)
        kind = ConfigError if cause.usage else JudgeUnavailable
        return kind(f"{engine} {when}: {means}; it said: {_short(line)}")
    missing = next((found for found in map(_MISSING.search, lines[-_LAST_WORDS:]) if found), None)
    if missing:
        module = missing[1] or missing[2]
        return ConfigError(f"{engine} {when}: it lacks the module {module}; {install_hint(engine)}")
    said = f"; it said: {_short(_telling(lines))}" if lines else "; it said nothing"
    return JudgeUnavailable(f"{engine} {when} ({_ending(code)}){said}")


def _cause(lines: Sequence[str]) -> tuple[_Cause | None, str]:
    folded = [line.casefold() for line in lines]
    for cause in _CAUSES:
        for number, line in enumerate(folded):
            if any(mark in line for mark in cause.marks):
                return cause, lines[number]
    return None, ""


def _telling(lines: Sequence[str]) -> str:
    """The last line that names an error, else the last line."""
    return next((line for line in reversed(lines) if _ERROR.match(line)), lines[-1])


def last_word(tail: Sequence[str]) -> str:
    """The last output of an engine that is still running."""
    return _short(_PREFIX.sub("", tail[-1], count=1).strip()) if tail else "nothing"


def _short(line: str) -> str:
    return line if len(line) <= _WORD_OF_THE_LOG else line[: _WORD_OF_THE_LOG - 3] + "..."


def _ending(code: int) -> str:
    """
    >>> _ending(1), _ending(137)
    ('exit 1', 'killed by SIGKILL, as happens when the machine is out of memory')
    """
    code = code if code >= 0 else 128 - code
    if code <= 128:
        return f"exit {code}"
    try:
        name = signal.Signals(code - 128).name
    except ValueError:
        return f"exit {code}"
    why = ", as happens when the machine is out of memory" if name == "SIGKILL" else ""
    return f"killed by {name}{why}"
