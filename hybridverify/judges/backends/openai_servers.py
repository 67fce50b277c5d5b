"""The judge servers of one backend: which one gets the next request, which are put aside, which have the model."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from hybridverify.errors import Fault, JudgeUnavailable, did_you_mean
from hybridverify.judges.backends.openai_errors import Trouble, no_judge, trouble
from hybridverify.judges.backends.openai_settings import Settings

log = logging.getLogger("hybridverify")

CHECK_TIMEOUT_S = 10.0
"""Seconds. A list of models is short: a server that takes longer to send it is not ready to judge."""
ASIDE_S = 0.5
LONGEST_ASIDE_S = 30.0
NO_LIST_STATUSES = (403, 404, 405, 501)
NO_MODEL = "-"
"""The name where only the list of models is wanted."""
"""Status codes of servers and gateways that can judge but show no list of models."""


class Server:
    """One address: its connections, its requests in flight, and whether it is known to serve the model."""

    def __init__(self, url: str, settings: Settings) -> None:
        self.url = url
        self.host = urlsplit(url).hostname or ""
        self.settings = settings
        self.in_flight = 0
        self.asked = 0
        self.failures = 0
        self.aside_until = 0.0
        self.busy_until = 0.0
        self.ready = False
        self.models: tuple[str, ...] = ()
        self.context_tokens = 0
        self._client: Any = None

    async def post(self, path: str, fields: Mapping[str, Any], timeout_s: float) -> str:
        """Send one request and return the reply's text. Raises the SDK's errors, and TimeoutError after `timeout_s`.

        The SDK's own limit counts the silence between two bytes, which a server that sends slowly never reaches.
        """
        self.in_flight += 1
        self.asked += 1
        try:
            call = self.client().post(path, cast_to=str, body=dict(fields))
            return str(await asyncio.wait_for(call, timeout_s))
        finally:
            self.in_flight -= 1

    async def check(self) -> Trouble | None:
        """Ask once for the list of models. Sets `ready`, `models` and `context_tokens`, or returns the fault."""
        import openai

        if not self.settings.model_check:
            self.ready = True
            return None
        limit_s = min(self.settings.timeout_s, CHECK_TIMEOUT_S)
        try:
            listed = _models(await asyncio.wait_for(self.client().get("/models", cast_to=str), limit_s))
        except openai.APIStatusError as error:
            if error.status_code not in NO_LIST_STATUSES:
                return trouble(error, self.settings.secrets())
            listed = {}
        except (openai.APIError, asyncio.TimeoutError) as error:
            return trouble(error, self.settings.secrets())
        self.models = tuple(listed)
        self.context_tokens = listed.get(self.settings.model, 0)
        self.ready = not listed or self.settings.model in listed
        if not listed and self.settings.model != NO_MODEL:
            log.warning(
                "the judge at %s shows no list of models: cannot check %r (--no-model-check does not ask for one)",
                self.host,
                self.settings.model,
            )
        return None

    def succeeded(self) -> None:
        self.failures, self.aside_until, self.busy_until = 0, 0.0, 0.0

    def failed(self, cause: Trouble) -> None:
        """Put the server aside, longer each time. Others take its share until its turn comes again."""
        rest_s = min(ASIDE_S * 2**self.failures, LONGEST_ASIDE_S)
        now = time.monotonic()
        self.busy_until = max(self.busy_until, now + cause.retry_after_s)
        self.aside_until = max(self.busy_until, now + rest_s)
        self.failures = min(self.failures + 1, 10)

    def client(self) -> Any:
        """The SDK's client, made at first use. Its own retries are off: they stay with one address, obey a
        Retry-After of up to two minutes, and know no time budget."""
        if self._client is None:
            import openai

            timeout = openai.Timeout(
                self.settings.timeout_s, connect=min(self.settings.timeout_s, CHECK_TIMEOUT_S)
            )
            room = self.settings.max_in_flight + 8
            # Of httpx up to SDK 2, of httpx2 from SDK 3 on.
            limits = type(openai.DEFAULT_CONNECTION_LIMITS)(
                max_connections=room, max_keepalive_connections=room
            )
            # Given explicitly: SDKs before 1.56 make a client of their own that httpx 0.28 refuses.
            own = _headers(self.settings)
            keyless = own and not self.settings.api_key_env and "Authorization" not in own
            hooks = {"request": [_without_key]} if keyless else {}
            http_client = openai.DefaultAsyncHttpxClient(timeout=timeout, limits=limits, event_hooks=hooks)
            parts = urlsplit(self.url)
            self._client = openai.AsyncOpenAI(
                base_url=urlunsplit((parts.scheme, parts.netloc, parts.path, "", "")),
                default_query=dict(parse_qsl(parts.query)) or None,
                api_key=self.settings.api_key(),
                default_headers=own or None,
                max_retries=0,
                timeout=timeout,
                http_client=http_client,
            )
        return self._client

    async def aclose(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()


def _headers(settings: Settings) -> dict[str, str]:
    """The user's headers. They replace the SDK's, in any spelling."""
    return {_SPELLED.get(name.lower(), name): value for name, value in settings.sent_headers().items()}


async def _without_key(request: Any) -> None:
    """Take the placeholder of a key out: a gateway that is given its key in another header would check this one too."""
    request.headers.pop("authorization", None)


_SPELLED = {"authorization": "Authorization", "user-agent": "User-Agent", "accept": "Accept"}
"""The SDK's own spelling of the headers that it sends."""


def pick(servers: Sequence[Server]) -> Server:
    """The ready server with the fewest requests in flight; if all are put aside, the one that is back first."""
    now = time.monotonic()
    ready = [server for server in servers if server.ready]
    return min(ready, key=lambda server: (max(server.aside_until - now, 0.0), server.in_flight, server.asked))


def busy_s(servers: Sequence[Server]) -> float:
    """Seconds for which every ready server asks to be left alone (Retry-After); 0 as soon as one is free."""
    now = time.monotonic()
    return max(0.0, min(server.busy_until for server in servers if server.ready) - now)


def wrong_model(servers: Sequence[Server], model: str) -> JudgeUnavailable:
    """The error for servers that answer but serve other models."""
    models = tuple(dict.fromkeys(name for server in servers for name in server.models))
    shown = ", ".join(models[:8]) + (", ..." if len(models) > 8 else "")
    near = did_you_mean(model, models)
    hint = f"; {near}" if near.startswith("did you mean") else ""
    hosts = ", ".join(dict.fromkeys(server.host for server in servers))
    message = f"the judge at {hosts} does not serve {model!r}: it has {shown}{hint}"
    return JudgeUnavailable(message, Fault.SETTINGS)


def not_served(servers: Sequence[Server], model: str) -> JudgeUnavailable:
    """The error where no server has the model. A gateway's list may show other names than those it takes."""
    wrong = wrong_model(servers, model)
    if "did you mean" in str(wrong):
        return wrong
    advice = "if the name is right, switch this check off: --no-model-check (backend.model_check: false)"
    return JudgeUnavailable(f"{wrong}; {advice}", Fault.SETTINGS)


def served_models(settings: Settings) -> tuple[str, ...]:
    """The models that the first of these servers lists; empty if it shows no list. Raises JudgeUnavailable."""

    async def listed() -> tuple[Trouble | None, tuple[str, ...]]:
        server = Server(settings.urls[0], settings)
        try:
            return await server.check(), server.models
        finally:
            await server.aclose()

    cause, models = asyncio.run(listed())
    if cause is not None:
        raise no_judge(settings, cause)
    return models


def _models(text: object) -> dict[str, int]:
    """The names of the models with their context length (0 if not given); empty if the text is no list of models."""
    try:
        listed = json.loads(str(text))
    except (ValueError, RecursionError):
        return {}
    data = listed.get("data") if isinstance(listed, Mapping) else None
    models: dict[str, int] = {}
    for entry in data if isinstance(data, list) else []:
        if isinstance(entry, Mapping) and isinstance(entry.get("id"), str):
            length = entry.get("max_model_len")
            models[entry["id"]] = length if isinstance(length, int) and length > 0 else 0
    return models
