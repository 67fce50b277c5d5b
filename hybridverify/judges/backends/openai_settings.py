"""Settings of the `openai` backend, checked when it is made, and the addresses of judge servers.

Separate from the backend so that its other parts can be given one frozen object.
"""

from __future__ import annotations

import ipaddress
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from hybridverify.errors import ConfigError, did_you_mean
from hybridverify.judges.backends.checks import switch
from hybridverify.language import expressions as re

REQUEST_FORMS = ("auto", "chat", "completions_text", "completions_ids")


@dataclass(frozen=True)
class Settings:
    """The checked arguments of `OpenAIBackend`. Raises ConfigError naming the option that is wrong."""

    model: str
    urls: tuple[str, ...]
    request: str = "auto"
    api_key_env: str = ""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    rpm: float = 0
    model_check: bool = True
    timeout_s: float = 60.0
    batch_deadline_s: float = 0.0
    max_retries: int = 3
    backoff_s: float = 0.5
    max_in_flight: int = 64
    prompts_per_request: int = 64
    context_tokens: int = 0
    extra_body: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.model, str) or not self.model.strip():
            raise ConfigError("backend.model: give the name under which the server serves the judge")
        if self.request not in REQUEST_FORMS:
            hint = did_you_mean(str(self.request), REQUEST_FORMS)
            raise ConfigError(f"backend.request: no form {self.request!r}; {hint}")
        if self.api_key_env and not self.api_key().isascii():
            raise ConfigError(
                f"backend.api_key_env: the value of {self.api_key_env} cannot be a key: not ASCII"
            )
        if not isinstance(self.extra_body, Mapping) or not _is_json(self.extra_body):
            raise ConfigError(
                "backend.extra_body: must be a mapping of fields of the request, as JSON has them"
            )
        for name in ("timeout_s", "max_in_flight", "prompts_per_request"):
            _at_least(name, getattr(self, name), above_zero=True)
        for name in ("batch_deadline_s", "max_retries", "backoff_s", "context_tokens", "rpm"):
            _at_least(name, getattr(self, name), above_zero=False)
        switch("model_check", self.model_check)
        _check_headers(self.headers)
        self.sent_headers()

    @property
    def host(self) -> str:
        """The host names alone, for rows' reasons: ports differ from run to run, and URLs may hold keys."""
        return ", ".join(dict.fromkeys(urlsplit(url).hostname or "" for url in self.urls))

    @property
    def places(self) -> str:
        """The host names with their ports, for the message that ends a command."""
        parts = [urlsplit(url) for url in self.urls]
        named = [f"{part.hostname}:{part.port}" if part.port else str(part.hostname or "") for part in parts]
        return ", ".join(dict.fromkeys(named))

    def api_key(self) -> str:
        """The key. It is read at each use, so that no field holds it. Raises ConfigError if it is not set.

        Servers without a key ignore the placeholder. Without it the SDK would send the user's OPENAI_API_KEY to any
        server that `base_url` names.
        """
        if not self.api_key_env:
            return "EMPTY"
        key = os.environ.get(self.api_key_env, "").strip()
        if not key:
            raise ConfigError(f"backend.api_key_env: the variable {self.api_key_env} is not set")
        return key

    def sent_headers(self) -> dict[str, str]:
        """The user's headers, with `${NAME}` replaced by that variable. Raises ConfigError if it is not set."""
        return {name: _VARIABLE.sub(_variable, value) for name, value in self.headers.items()}

    def secrets(self) -> tuple[str, ...]:
        """What no message may hold."""
        return (*([self.api_key()] if self.api_key_env else []), *self.sent_headers().values())


_VARIABLE = re.compile(r"\$\{([A-Za-z_]\w*)\}")
_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_OWN_HEADERS = ("content-length", "content-type", "host", "transfer-encoding")


def _variable(match: re.Match[str]) -> str:
    value = os.environ.get(match[1], "").strip()
    if not value:
        raise ConfigError(f"backend.headers: the variable {match[1]} is not set")
    return value


def _check_headers(headers: object) -> None:
    if not isinstance(headers, Mapping):
        raise ConfigError("backend.headers: expected names and values")
    for name, value in headers.items():
        if not isinstance(name, str) or not _HEADER_NAME.fullmatch(name):
            raise ConfigError(f"backend.headers: {name!r} is no name of a header")
        if name.lower() in _OWN_HEADERS:
            raise ConfigError(f"backend.headers: {name} is set by the client")
        if not isinstance(value, str) or not value.isascii() or not value.isprintable():
            raise ConfigError(f"backend.headers: the value of {name} must be text of one line, in ASCII")


def _at_least(name: str, value: object, *, above_zero: bool) -> None:
    if (
        isinstance(value, bool)
        or not isinstance(value, (int, float))
        or value < 0
        or (above_zero and not value)
    ):
        raise ConfigError(
            f"backend.{name}: must be {'above 0' if above_zero else '0 or more'}, got {value!r}"
        )


def _is_json(value: object) -> bool:
    try:
        json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        return False
    return True


def addresses(base_url: str | Sequence[str]) -> tuple[str, ...]:
    """Every address in full, in order and without repeats. Raises ConfigError for a text that is no address.

    >>> addresses(["localhost:8000", "https://judge.example/v1/", "[fd00::7]:30000"])
    ('http://localhost:8000/v1', 'https://judge.example/v1', 'http://[fd00::7]:30000/v1')
    """
    given = list(base_url) if isinstance(base_url, (list, tuple)) else [base_url]
    if not given:
        raise ConfigError("backend.base_url: give at least one address, such as http://localhost:8000/v1")
    return tuple(dict.fromkeys(address(one) for one in given))


def address(text: object) -> str:
    """One address with its scheme, an IPv6 host in brackets, and `/v1` where no path is given.

    >>> address("10.0.0.5:8000"), address("fd00::7:30000")
    ('http://10.0.0.5:8000/v1', 'http://[fd00::7]:30000/v1')
    """
    if not isinstance(text, str) or not text.strip():
        raise ConfigError(f"backend.base_url: expected an address, got {text!r}")
    bare = text.strip()
    scheme, mark, rest = bare.partition("://")
    if not mark:
        scheme, rest = "http", bare
    place, slash, path = rest.partition("/")
    try:
        parts = urlsplit(f"{scheme.lower()}://{_bracketed(place)}{slash}{path}")
        if parts.port == 0 or not parts.hostname:
            raise ValueError("no host")
    except ValueError as error:
        raise ConfigError(f"backend.base_url: {_shown(bare)!r} is no address ({error})") from None
    if parts.scheme not in ("http", "https"):
        raise ConfigError(f"backend.base_url: {_shown(bare)!r} must start with http:// or https://")
    path = parts.path.rstrip("/")
    path = path.removesuffix(next(filter(path.endswith, _ENDPOINTS), ""))
    return urlunsplit((parts.scheme, parts.netloc, path or "/v1", parts.query, ""))


_ENDPOINTS = ("/chat/completions", "/completions", "/decisions", "/systemone", "/models")
"""What the client adds itself; people copy addresses with it."""


def _bracketed(place: str) -> str:
    """An IPv6 host without brackets gets them. The last group is the port if the rest is a complete address."""
    if place.count(":") < 2 or "[" in place:
        return place
    head, _, tail = place.rpartition(":")
    if _is_ipv6(head) and tail.isdecimal() and len(tail) > 1:
        return f"[{head}]:{tail}"
    return f"[{place}]" if _is_ipv6(place) else place


def _is_ipv6(text: str) -> bool:
    try:
        ipaddress.IPv6Address(text)
    except ValueError:
        return False
    return True


def _shown(text: str) -> str:
    """The address for messages: without user name and password."""
    scheme, mark, rest = text.rpartition("://")
    return f"{scheme}{mark}{rest.rpartition('@')[2]}"
