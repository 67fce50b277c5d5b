"""The client of a verifier service: grades samples as a `Verifier` does, with one address as its setting.

Needs nothing but the standard library, for it runs in trainers. Asking twice is harmless, since grading changes
nothing: a request whose connection broke is sent again, and its rows are taken from the one answer that came whole.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import random
import socket
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

from hybridverify.errors import ConfigError, Fault, HybridVerifyError, InputError, ServiceUnavailable
from hybridverify.records.given import samples_of
from hybridverify.service.connections import UNIX, Connections, Reply
from hybridverify.service.request import body_of, parts_of
from hybridverify.service.wire import grade_of
from hybridverify.types import Grade, Sample

IN_FLIGHT = 4
"""Requests of one call at a time: while one is graded, the next is written."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.05, 5.0
UNKNOWN_HOST_S = 3.0
"""How long a host name that nobody knows is looked up again: a service that has just started may still get its name,
a mistyped one never will."""
MARGIN_S = 30.0
"""How much longer than its deadline a request is waited for."""
THREADS = 64


class Client:
    """Asks a service that `hybridverify serve` started.

    base_url: its address, such as http://127.0.0.1:8100; a token may be in it: http://any:TOKEN@host:8100
    token: the service's token, if it has one
    deadline_s: how long a request may take; rows that are not graded by then come back without a grade,
        `timed_out`. 0 leaves it to the service
    retry_for_s: how long a service that does not answer, or is full, is asked again; one whose host name is unknown
        only for some seconds
    timeout_s: how long one answer is waited for, where there is no deadline

        with Client("http://127.0.0.1:8100") as client:
            grades = client.grade([Sample("#### 7", "7")])

    Safe for many threads, and after a fork.
    """

    def __init__(
        self,
        base_url: str,
        token: str | None = None,
        deadline_s: float = 0.0,
        retry_for_s: float = 60.0,
        timeout_s: float = 600.0,
    ) -> None:
        address, inside = _without_token(base_url)
        self.base_url = address
        self._token = _checked(token or inside)
        self._deadline_s, self._retry_for_s = deadline_s, retry_for_s
        self._timeout_s = deadline_s + MARGIN_S if deadline_s else timeout_s
        self._connections = Connections(address, self._timeout_s)
        self._threads: ThreadPoolExecutor | None = None
        self._pid = os.getpid()

    def grade(self, samples: Iterable[Any]) -> list[Grade]:
        """A grade for each sample, same length and order. Rows as dicts and tables are taken as by `Verifier.grade`.
        Raises ServiceUnavailable, and InputError for a row that the service cannot read."""
        parts = list(parts_of(samples_of(samples)))
        if len(parts) < 2:
            return self._grade_part(*parts[0]) if parts else []
        with ThreadPoolExecutor(min(IN_FLIGHT, len(parts)), "hybridverify-client") as threads:
            return [
                grade for part in threads.map(lambda part: self._grade_part(*part), parts) for grade in part
            ]

    async def agrade(self, samples: Iterable[Any]) -> list[Grade]:
        """`grade` without blocking the event loop."""
        if self._threads is None or self._pid != os.getpid():  # after a fork the threads are the parent's
            self._threads, self._pid = ThreadPoolExecutor(THREADS, "hybridverify-client"), os.getpid()
        return await asyncio.get_running_loop().run_in_executor(
            self._threads, self.grade, samples_of(samples)
        )

    def health(self) -> dict[str, Any]:
        """What the service says of itself. Raises ServiceUnavailable."""
        told: dict[str, Any] = self._asked("GET", "/health", None)
        return told

    def close(self) -> None:
        """Close the connections. A later call opens new ones."""
        threads, self._threads = self._threads, None
        if threads is not None and self._pid == os.getpid():
            threads.shutdown()
        self._connections.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return _made, (self.base_url, self._token, self._deadline_s, self._retry_for_s, self._timeout_s)

    def _grade_part(self, first: int, samples: Sequence[Sample]) -> list[Grade]:
        deadline = {"deadline_s": self._deadline_s} if self._deadline_s else {}
        answer = self._asked("POST", "/grade", body_of(samples, first, full=True, **deadline), first)
        try:
            grades = [grade_of(one) for one in answer["grades"]]
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise self._broken(f"an answer that cannot be read: {type(error).__name__}") from None
        if len(grades) != len(samples):
            raise self._broken(f"{len(grades)} grades for {len(samples)} rows")
        return grades

    def _asked(self, method: str, path: str, body: bytes | None, first: int = 0) -> Any:
        """The JSON of the answer, asked for until it comes or the time for that is over."""
        begin = time.monotonic()
        end = begin + self._retry_for_s
        pause_s = FIRST_PAUSE_S
        while True:
            wait_s = pause_s
            try:
                reply = self._connections.request(method, path, body, self._headers(body), self._timeout_s)
                if reply.status == 200:
                    return json.loads(reply.body)
                trouble = self._refused(reply, first)
                wait_s = max(wait_s, _retry_after(reply))
            except socket.gaierror as error:
                trouble = f"its host name cannot be found ({error.strerror}); see base_url"
                end = min(end, begin + UNKNOWN_HOST_S)
            except (OSError, http.client.HTTPException) as error:
                trouble = f"{type(error).__name__}: {error}"
            except ValueError as error:
                trouble = f"an answer that is no JSON: {error}"
            if time.monotonic() + wait_s > end:
                raise self._broken(trouble)
            time.sleep(
                wait_s * random.uniform(0.5, 1.0)
            )  # so that clients that were refused together do not return so
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    def _refused(self, reply: Reply, first: int) -> str:
        """Why the service did not do it, where asking again may help. Raises where it does not."""
        try:
            said = str(json.loads(reply.body)["error"])
        except (ValueError, KeyError, TypeError):
            said = f"status {reply.status}"
        if reply.status in (408, 429, 500, 502, 503, 504):
            return said
        if reply.status in (401, 403, 404, 405):
            raise ServiceUnavailable(f"service {self.base_url}: {said}", Fault.SETTINGS)
        where = f" (rows from {first})" if first else ""
        raise InputError(f"service {self.base_url}: {said}{where}")

    def _headers(self, body: bytes | None) -> dict[str, str]:
        headers = {"Content-Type": "application/json"} if body is not None else {}
        return {**headers, "Authorization": f"Bearer {self._token}"} if self._token else headers

    def _broken(self, trouble: str) -> HybridVerifyError:
        return ServiceUnavailable(f"service {self.base_url} does not answer: {trouble}")


def _made(*arguments: Any) -> Client:
    address, token, deadline_s, retry_for_s, timeout_s = arguments
    return Client(address, token, deadline_s, retry_for_s, timeout_s)


def _checked(token: str) -> str:
    """The token without space around it, as files leave it. Raises ConfigError, which does not show it, for one that
    no header can hold."""
    token = token.strip()
    if not token.isascii() or not token.isprintable():
        raise ConfigError("token: it holds more than printable ASCII on one line")
    return token


def _without_token(base_url: str) -> tuple[str, str]:
    """The address without a user's name and password, which may be written to a log, and the password."""
    if not isinstance(base_url, str):
        raise ConfigError(f"base_url: expected an address as text, not {type(base_url).__name__}")
    base_url = base_url.strip()
    if base_url.startswith(UNIX):
        return base_url, ""
    address = urlsplit(base_url if "//" in base_url else f"http://{base_url}")
    host = address.netloc.rpartition("@")[2]
    return urlunsplit((address.scheme, host, address.path.rstrip("/"), "", "")), unquote(
        address.password or ""
    )


def _retry_after(reply: Reply) -> float:
    told = str(reply.headers.get("Retry-After", ""))
    return min(float(told), 30.0) if told.isascii() and told.isdigit() else 0.0
