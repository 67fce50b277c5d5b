"""The error tree. One sample that goes wrong is a `Verdict`; only what stops a batch is raised.

HybridVerifyError
├── ConfigError          a setting is wrong: raised when the Verifier is made            exit 2
├── SampleError          a Sample was built from something that is no text               exit 2
├── InputError           a file, column or row cannot be read                            exit 2
├── JudgeError           on_judge_error="raise" met a judge without a verdict            exit 1
│   ├── BudgetExceeded   max_calls is spent
│   └── NoUsableReply    none of a judge's first replies can be read
└── JudgeUnavailable     the judge cannot be reached at all                              exit 3
    └── ServiceUnavailable   nor the verifier's own service (`hybridverify serve`)
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping
from enum import Enum


class Fault(str, Enum):
    """Whose fault it is that a judge gave no verdict. What nobody says more of is the engine's."""

    ENGINE = "engine"
    """Silence: a refused connection, timeouts, 5xx or 429 for ever, a dead process. Asking again may help."""
    ROW = "row"
    """The row, its criteria, or a user's hook on it: asking again does not help, and the engine is well."""
    SETTINGS = "settings"
    """An engine that is there and refuses everybody (a wrong model name, key or path), or that can never start."""
    FORM = "form"
    """Nobody's: the engine has told that it must be asked in another form, under another cache key. Ask again."""


class HybridVerifyError(Exception):
    """Base class of everything this library raises on purpose."""

    exit_code = 2


class ConfigError(HybridVerifyError):
    """A setting, name or template is wrong. Raised when the object is made, never in the middle of a run."""


class SampleError(HybridVerifyError, TypeError):
    """A `Sample` was given something that is neither text nor a sequence of texts."""


class InputError(HybridVerifyError):
    """A file, column or row of the input cannot be read; the message names file, row and key."""


class UnreadableLine(InputError):
    """A line of the input cannot be read; the others may be."""


class JudgeError(HybridVerifyError):
    """`on_judge_error="raise"` and a judge gave no verdict."""

    exit_code = 1


class BudgetExceeded(JudgeError):
    """More judge calls were needed than `max_calls` allows."""


class NoUsableReply(JudgeError):
    """None of a judge's first replies can be read, so that the others would be paid for in vain."""


class JudgeUnavailable(HybridVerifyError):
    """The judge cannot be reached at all: wrong address, dead server, missing engine.

    `fault` tells silence, which may pass, from settings, for which waiting does not help.
    """

    exit_code = 3

    def __init__(self, message: str = "", fault: Fault = Fault.ENGINE) -> None:
        super().__init__(message)
        self.fault = fault


class ServiceUnavailable(JudgeUnavailable):
    """A service that `hybridverify serve` started does not answer, or refuses this client."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The tail of an error message: the nearest known name, else all of them.

    >>> did_you_mean("gsm8", ["gsm8k", "exact"])
    "did you mean 'gsm8k'?"
    >>> did_you_mean("zzz", ["gsm8k", "exact"])
    'known: exact, gsm8k'
    """
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    return f"did you mean {near[0]!r}?" if near else f"known: {', '.join(names)}"


def refuse_unknown(where: str, settings: object, known: Collection[str]) -> None:
    """Raise ConfigError for the first key that is not known."""
    if not isinstance(settings, Mapping):
        raise ConfigError(f"{where}: expected a mapping, got {settings!r}")
    for name in settings:
        if name not in known:
            raise ConfigError(f"{where}.{name}: no such setting; {did_you_mean(str(name), known)}")
