"""One request with its retries: backoff with jitter, Retry-After, a time budget, and the next server."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import openai

from hybridverify.errors import Fault
from hybridverify.judges.backends.decisions_wire import TYPED, decision_fields, read_decisions
from hybridverify.judges.backends.openai_breaker import Breaker
from hybridverify.judges.backends.openai_counters import Counters
from hybridverify.judges.backends.openai_dialect import Dialect, Form
from hybridverify.judges.backends.openai_errors import OTHER_FORM, Trouble, trouble
from hybridverify.judges.backends.openai_pace import Pace
from hybridverify.judges.backends.openai_servers import Server, busy_s, pick
from hybridverify.judges.backends.openai_settings import Settings
from hybridverify.judges.backends.openai_wire import Body, UnreadableReply, read_replies, request_fields
from hybridverify.judges.base import Failure, Reply, Sampling
from hybridverify.types import Outcome

Result = Reply | Failure

BUDGET = 1.5
"""All tries of one request together may take this many times `timeout_s`: a minute and a half by default."""
LONGEST_BACKOFF_S = 8.0


@dataclass(frozen=True)
class Asker:
    """Sends one body of prompts until it is answered or given up."""

    settings: Settings
    servers: Sequence[Server]
    breaker: Breaker
    counters: Counters
    dialect: Dialect
    pace: Pace

    async def ask(self, body: Body, sampling: Sampling, tries: int, form: Form) -> list[Result] | Trouble:
        """The results of `body`, asked in this form, or the failure of the last try: OTHER_FORM if this form is no
        longer the one to ask in."""
        left_s = self.settings.timeout_s * BUDGET
        answer: list[Result] | Trouble
        for attempt in range(tries):
            if attempt:
                await asyncio.sleep(backoff_s(self.settings, attempt - 1))
                self.counters.retries += 1
            if (pause_s := busy_s(self.servers)) > 0:
                await asyncio.sleep(pause_s)
            await self.pace.turn()
            started = time.monotonic()
            answer = await self._try(body, sampling, min(left_s, self.settings.timeout_s), form)
            if answer is OTHER_FORM:
                return answer
            left_s -= time.monotonic() - started
            if not isinstance(answer, Trouble):
                self.breaker.succeeded()
                return answer
            if left_s <= 0 or self.breaker.reason or not self._worth_another_try(answer):
                break
        assert isinstance(answer, Trouble)
        self._note(answer)
        return answer

    def _note(self, trouble: Trouble) -> None:
        """Tell the breaker what the last try failed of."""
        if trouble.outcome is Outcome.TOO_LONG:
            self.breaker.succeeded()  # the server is well: it has counted the tokens
        elif trouble.fault is Fault.ROW:
            self.breaker.refused(trouble.reason)
        else:
            self.breaker.failed(trouble.reason, trouble.fault)
            self.counters.timed_out += trouble.outcome is Outcome.TIMED_OUT

    async def _try(
        self, body: Body, sampling: Sampling, limit_s: float, form: Form
    ) -> list[Result] | Trouble:
        if form != self.dialect.form:
            return OTHER_FORM
        server = pick(self.servers)
        fields = self._fields(body, sampling, form)
        self.counters.requests += 1
        started = time.monotonic()
        try:
            text = await server.post(body.path, fields, limit_s)
            results = _read(body, text, sampling, time.monotonic() - started)
        except (openai.APIError, asyncio.TimeoutError, UnreadableReply) as error:
            if isinstance(error, openai.APIStatusError):
                status, told = error.status_code, error.response.text
                lacks = body.kind in TYPED and self.dialect.lacks(status, told, form)
                if lacks or self.dialect.learn(status, told, fields, form):
                    return OTHER_FORM
            cause = trouble(error, self.settings.secrets())
            if cause.blames_server:
                server.failed(cause)
            return cause
        finally:
            self.counters.seconds += time.monotonic() - started
        server.succeeded()
        self.counters.count(results)
        return results

    def _fields(self, body: Body, sampling: Sampling, form: Form) -> dict[str, Any]:
        model, extra = self.settings.model, self.settings.extra_body
        if body.kind in TYPED:
            return decision_fields(body, model, extra)
        return request_fields(body, model, sampling, extra, form)

    def _worth_another_try(self, cause: Trouble) -> bool:
        """With several servers, one that refuses every request (a wrong key, a wrong path) is left out."""
        return cause.retryable or (cause.blames_server and len(self.servers) > 1)


def _read(body: Body, text: str, sampling: Sampling, seconds: float) -> list[Result]:
    if body.kind in TYPED:
        return read_decisions(body, text, seconds)
    return read_replies(body, text, sampling, seconds)


def backoff_s(settings: Settings, attempt: int) -> float:
    """The pause after try number `attempt`. It doubles each time and varies, so that callers do not return all at
    once."""
    longest = min(settings.backoff_s * 2.0**attempt, LONGEST_BACKOFF_S)
    return float(longest * random.uniform(0.5, 1.0))
