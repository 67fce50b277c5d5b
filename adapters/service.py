"""`service=ADDRESS`: the rows are graded by a running `hybridverify serve`, one verifier for all reward workers.

In the place of a Verifier inside a grader (grader.py), which waits for a silent service as it does for a silent judge.
`make_reward` and the harnesses, which know no judge's server by default, may say `base_url=` for it.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Collection, Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

from hybridverify.adapters.status import failed_grade

from hybridverify.errors import ConfigError, InputError
from hybridverify.service import Client
from hybridverify.types import Grade, Sample

RETRY_S = 10.0
"""Seconds until the grader's own waiting begins: long enough for a serving process that is started again."""


class ServiceVerifier:
    """Grades through a service. Raises ConfigError if the token's variable is not set."""

    def __init__(self, base_url: str, token_env: str = "") -> None:
        token = os.environ.get(token_env, "") if token_env else ""
        if token_env and not token:
            raise ConfigError(f"service_token_env: the variable {token_env} is not set, or empty")
        self._client = Client(base_url, token, retry_for_s=RETRY_S)
        self._rows = self._calls = 0
        self._lock = threading.Lock()

    def grade(self, samples: Sequence[Sample]) -> list[Grade]:
        """A grade for each sample, same length and order; `failed` for a row that the service cannot read. Raises
        JudgeUnavailable."""
        with self._lock:
            self._rows += len(samples)
            self._calls += 1
        try:
            return self._client.grade(samples)
        except InputError as error:  # one row must not end a run
            if len(samples) == 1:
                return [failed_grade(str(error))]
            half = len(samples) // 2
            return [*self.grade(samples[:half]), *self.grade(samples[half:])]

    @property
    def stats(self) -> dict[str, Mapping[str, float]]:
        """What this process sent. The service counts the rest, at /metrics."""
        return {"service": {"rows": self._rows, "calls": self._calls}}

    def warm(self) -> None:
        """The service is warm."""

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


def service_options(options: Mapping[str, Any], own: Collection[str]) -> Mapping[str, Any]:
    """The options with `service` for a `base_url`, if nothing beside it is about judging: then it is the address of a
    service. `own` are the options that any adapter may have beside it.

    >>> service_options({"base_url": "http://h:8100", "token": "a/b"}, [])
    {'service': 'http://any:a%2Fb@h:8100'}
    """
    if "base_url" not in options or not options.keys() <= {"base_url", "token", "token_env", *own}:
        return options
    named = {name: value for name, value in options.items() if name not in ("base_url", "token", "token_env")}
    named["service"] = _with_token(str(options["base_url"]), str(options.get("token") or ""))
    if options.get("token_env"):
        named["service_token_env"] = options["token_env"]
    return named


def _with_token(base_url: str, token: str) -> str:
    """The address with the token as its password, where the client looks for it."""
    address = urlsplit(base_url if "//" in base_url else f"http://{base_url}")
    if not token:
        return base_url
    host = address.netloc.rpartition("@")[2]
    return urlunsplit(address._replace(netloc=f"any:{quote(token, safe='')}@{host}"))


def check_service(service: str, others: Mapping[str, object]) -> None:
    """Raises ConfigError for an address that is none, and for settings that only the service can have."""
    if not service:
        return
    client = Client(service)
    client.close()
    if others:
        names = ", ".join(sorted(map(str, others)))
        raise ConfigError(
            f"service={client.base_url} grades by its own configuration; leave out {names}, or write it there"
        )
