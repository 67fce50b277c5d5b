"""Options about the judge's server and its replies, shared by the commands that ask a judge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import typer

from hybridverify.errors import InputError
from hybridverify.policies import NO_QUORUM
from hybridverify.types import Outcome

ApiKeyEnv = Annotated[
    str,
    typer.Option("--api-key-env", metavar="NAME", help="environment variable that holds the judge's API key"),
]
Headers = Annotated[
    list[str] | None,
    typer.Option(
        "--header",
        metavar="NAME=VALUE",
        help="header of every request to the judge; ${VAR} in single quotes is that variable; may be repeated",
    ),
]
Rpm = Annotated[
    float,
    typer.Option("--rpm", min=0.0, metavar="N", help="at most N requests a minute to the judge; 0: no limit"),
]
NoModelCheck = Annotated[
    bool, typer.Option("--no-model-check", help="do not look for the model in the server's list of models")
]
NoProbe = Annotated[
    bool, typer.Option("--no-probe", help="go on even if none of a judge's first eight replies can be read")
]

_UNUSABLE = frozenset(
    o.value for o in (Outcome.UNPARSEABLE, Outcome.FAILED, Outcome.TIMED_OUT, Outcome.TOO_LONG)
)


@dataclass(frozen=True)
class ServerOptions:
    """How the judge's server is asked; what was not given is left to the configuration."""

    api_key_env: str = ""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    rpm: float = 0.0
    no_model_check: bool = False

    @classmethod
    def given(
        cls, api_key_env: str, header: Sequence[str] | None, rpm: float, no_model_check: bool
    ) -> ServerOptions:
        """From the command line. Raises InputError."""
        return cls(api_key_env, dict(map(_header, header or [])), rpm, no_model_check)

    def any(self) -> bool:
        """Whether one of them was given."""
        return bool(self.api_key_env or self.headers or self.rpm or self.no_model_check)

    def over(self, backend: Mapping[str, Any]) -> dict[str, Any]:
        """A backend's entry with these options in it."""
        entry = dict(backend)
        if self.api_key_env:
            entry["api_key_env"] = self.api_key_env
        if self.headers:
            entry["headers"] = {**(entry.get("headers") or {}), **self.headers}
        if self.rpm:
            entry["rpm"] = self.rpm
        if self.no_model_check:
            entry["model_check"] = False
        return entry


def _header(text: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not (name.strip() and separator and value.strip()):
        shown = name if separator else "..."  # it may hold a key
        raise InputError(f"--header {shown}: expected NAME=VALUE, such as --header 'X-Title=my run'")
    return name.strip(), value.strip()


def with_probe(settings: Mapping[str, Any], no_probe: bool) -> dict[str, Any]:
    """The settings of a run that stops if a judge's first replies cannot be read, unless something says otherwise."""
    wanted = settings.get("probe")
    return {**settings, "probe": False if no_probe else True if wanted is None else wanted}


def without_secrets(arguments: Iterable[str]) -> list[str]:
    """A command line that can be shown: header values that are no variables are left out.

    >>> without_secrets(["grade", "--header", "api-key=abc", "--header=X=${Y}"])
    ['grade', '--header', 'api-key=...', '--header=X=${Y}']
    """
    shown, before = [], ""
    for word in arguments:
        start = "--header=" if word.startswith("--header=") else ""
        name, mark, value = word[len(start) :].partition("=")
        hidden = (start or before == "--header") and mark and "${" not in value
        shown.append(f"{start}{name}=..." if hidden else word)
        before = word
    return shown


@dataclass
class Labels:
    """Whether the judge was of any use: counts over the rows that it was asked about."""

    asked: int = 0
    usable: int = 0
    first_reason: str = ""

    def add(self, asked: bool, outcome: str, reason: str) -> None:
        """Count one row."""
        if not asked:
            return
        self.asked += 1
        if outcome not in _UNUSABLE and not _without_quorum(outcome, reason):
            self.usable += 1
        elif not self.first_reason:
            self.first_reason = f"{outcome}: {reason}"

    @property
    def fault(self) -> str:
        """One line if rows were asked and none of them got a usable label, else ""."""
        if self.usable or not self.asked:
            return ""
        rows = "the 1 row" if self.asked == 1 else f"any of the {self.asked} rows"
        return (
            f"the judge gave no usable label for {rows} it was asked about ({self.first_reason}); "
            "`hybridverify judge try` shows what is sent and what comes back"
        )


def _without_quorum(outcome: str, reason: str) -> bool:
    """Whether too few judges of a panel gave a verdict, which makes it undecided."""
    return outcome == Outcome.UNDECIDED.value and reason.startswith(NO_QUORUM)
