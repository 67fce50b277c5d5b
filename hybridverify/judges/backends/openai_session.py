"""Sends a batch: check at first use, limit on requests in flight, splitting, probe of a judge that had failed,
deadline.

Everything here runs on the backend's own event loop and needs no locks.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext

from hybridverify.errors import JudgeUnavailable
from hybridverify.judges.backends.openai_breaker import Breaker
from hybridverify.judges.backends.openai_counters import Counters
from hybridverify.judges.backends.openai_dialect import Dialect, Form
from hybridverify.judges.backends.openai_errors import OTHER_FORM, Trouble, unreachable
from hybridverify.judges.backends.openai_pace import Pace
from hybridverify.judges.backends.openai_retries import Asker, Result, backoff_s
from hybridverify.judges.backends.openai_server_chats import LEAST, ServerForms
from hybridverify.judges.backends.openai_servers import Server, not_served, wrong_model
from hybridverify.judges.backends.openai_settings import Settings
from hybridverify.judges.backends.openai_wire import Body
from hybridverify.judges.backends.render import ChatTokenizer
from hybridverify.judges.base import Failure, Prompt, Sampling
from hybridverify.types import Outcome

log = logging.getLogger("hybridverify")

PROMPTS_IN_FLIGHT = 1024
"""The most prompts that wait at one server at one time. More would only lengthen its queue until requests time out."""
DEADLINE = Failure(Outcome.TIMED_OUT, "the deadline of the batch passed")


class Session:
    """The state of one process: servers, slots, breaker."""

    def __init__(self, settings: Settings, counters: Counters, dialect: Dialect | None = None) -> None:
        self.settings = settings
        self.dialect = dialect or Dialect(settings.host, kept=settings.extra_body)
        self.servers = [Server(url, settings) for url in settings.urls]
        self.breaker = Breaker()
        pace = Pace(settings.rpm)
        self._asker = Asker(settings, self.servers, self.breaker, counters, self.dialect, pace)
        self._checking = asyncio.Lock()
        self._checked_at = 0.0
        self._checked_tries = 0
        self._found: Trouble | JudgeUnavailable | None = None
        self._probing = asyncio.Lock()
        self._slots = asyncio.Semaphore(settings.max_in_flight)
        bulk = max(1, PROMPTS_IN_FLIGHT // settings.prompts_per_request) * len(settings.urls)
        self._bulk_slots = asyncio.Semaphore(min(bulk, settings.max_in_flight))
        self._rechecks: set[asyncio.Task[None]] = set()
        self._forms = ServerForms()

    async def complete(
        self, bodies: Iterator[Body], size: int, sampling: Sampling, form: Form | None = None
    ) -> list[Result]:
        """Results for the positions that `bodies` hold, in a list of `size`, all asked in one form. Raises
        JudgeUnavailable."""
        results: list[Result] = [DEADLINE] * size
        run = self._run(_Feed(bodies), results, sampling, form or self.dialect.form)
        work = asyncio.ensure_future(run)
        try:
            await asyncio.wait([work], timeout=self.settings.batch_deadline_s or None)
        finally:
            work.cancel()
        if work.done():
            work.result()
        return list(results)

    async def ensure_ready(self, tries: int) -> Trouble | None:
        """Check servers until one can be asked, then return None; else return the failure of the last try.

        Raises JudgeUnavailable if servers answer and none of them has the model.
        """
        arrived = time.monotonic()
        async with self._checking:
            # Another call has just waited as long, so its result is taken.
            if not (arrived < self._checked_at and tries <= self._checked_tries):
                try:
                    self._found = await self._check(tries)
                except JudgeUnavailable as error:
                    self._found = error
                self._checked_at, self._checked_tries = time.monotonic(), tries
        if isinstance(self._found, JudgeUnavailable):
            raise self._found
        return self._found

    @property
    def outage(self) -> str:
        """Why nothing can be asked at present; "" if no fault is known."""
        if isinstance(self._found, Trouble):
            return unreachable(self.settings, self._found)
        return str(self._found) if self._found is not None else self.breaker.reason

    def context_tokens(self) -> int:
        """The smallest context length that a server gave, or 0 if none did."""
        return min((server.context_tokens for server in self.servers if server.context_tokens), default=0)

    async def server_chats(self, prompts: Sequence[Prompt]) -> ChatTokenizer | None:
        """How the servers write these chats, if the first that is ready can show it; else None."""
        if len(prompts) < LEAST or await self.ensure_ready(tries=1) is not None:
            return None
        first = next(server for server in self.servers if server.ready)
        options = self.settings.extra_body.get("chat_template_kwargs") or {}
        return await self._forms.chats(first, prompts, options)

    async def aclose(self) -> None:
        """Close all connections."""
        for server in self.servers:
            await server.aclose()

    async def _check(self, tries: int) -> Trouble | None:
        causes: list[Trouble] = []
        for attempt in range(tries):
            if self._has_server():
                return None
            if attempt:
                await asyncio.sleep(backoff_s(self.settings, attempt - 1))
            found = await asyncio.gather(*(server.check() for server in self.servers))
            self._refuse_wrong_models()
            causes = [cause for cause in found if cause is not None]
            if not any(cause.retryable for cause in causes):
                break
        return None if self._has_server() else causes[0]

    def _has_server(self) -> bool:
        return any(server.ready for server in self.servers)

    def _refuse_wrong_models(self) -> None:
        wrong = [server for server in self.servers if server.models and not server.ready]
        if wrong and not self._has_server():
            raise not_served(wrong, self.settings.model)
        for server in wrong:
            log.warning("%s; it is not used", wrong_model([server], self.settings.model))

    async def _run(self, feed: _Feed, results: list[Result], sampling: Sampling, form: Form) -> None:
        cause = await self.ensure_ready(self.settings.max_retries + 1)
        if cause is not None:
            refusal = Failure(Outcome.FAILED, unreachable(self.settings, cause), cause.fault)
            results[:] = [refusal] * len(results)
            return
        self._recheck_late_servers()
        await self._probe(feed, results, sampling, form)
        room = min(self.settings.max_in_flight, len(results))
        await self._work(feed, results, sampling, form, room)

    def _recheck_late_servers(self) -> None:
        """Ask servers that were down at first use again, beside the work. They join when they answer."""
        now = time.monotonic()
        for server in self.servers:
            if not server.ready and server.aside_until < now:
                task = asyncio.ensure_future(_recheck(server))
                self._rechecks.add(task)
                task.add_done_callback(self._rechecks.discard)

    async def _probe(self, feed: _Feed, results: list[Result], sampling: Sampling, form: Form) -> None:
        """Where the judge had been given up, send one request first, alone and without retries."""
        async with self._probing:
            if not self.breaker.reason or self.breaker.resting():
                return
            started = time.monotonic()
            if (body := await feed.next()) is not None:
                _place(results, body, await self._ask(body, sampling, 1, form))
            if self.breaker.reason:
                self.breaker.probe_failed(time.monotonic() - started)

    async def _work(
        self, feed: _Feed, results: list[Result], sampling: Sampling, form: Form, room: int
    ) -> None:
        """Answer the bodies of the feed, up to `room` of them at a time. Each that is found brings the next worker, so
        that a batch of one body takes one."""
        workers: list[asyncio.Task[None]] = []
        try:
            while len(workers) < room and (body := await feed.next()) is not None:
                work = self._answer(body, feed, results, sampling, form)
                workers.append(asyncio.ensure_future(work))
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()

    async def _answer(
        self, body: Body | None, feed: _Feed, results: list[Result], sampling: Sampling, form: Form
    ) -> None:
        """Answer one body after another, beginning with this one."""
        while body is not None:
            if form != self.dialect.form:
                _place(results, body, [OTHER_FORM.failure()] * len(body.prompts))
            elif self.breaker.reason:
                given_up = Failure(Outcome.FAILED, self.breaker.reason, self.breaker.fault)
                _place(results, body, [given_up] * len(body.prompts))
            else:
                _place(results, body, await self._ask(body, sampling, self.settings.max_retries + 1, form))
            body = await feed.next()

    async def _ask(self, body: Body, sampling: Sampling, tries: int, form: Form) -> list[Result]:
        """Send one body. If the server refuses it as a whole, send its halves, down to the prompt that is to blame."""
        async with nullcontext() if body.kind == "chat" else self._bulk_slots, self._slots:
            answer = await self._asker.ask(body, sampling, tries, form)
        if not isinstance(answer, Trouble):
            return answer
        if not answer.splits or len(body.prompts) == 1 or self.breaker.reason:
            return [answer.failure()] * len(body.prompts)
        halves = await asyncio.gather(*(self._ask(half, sampling, tries, form) for half in body.halves()))
        return [result for half in halves for result in half]


class _Feed:
    """Hands out bodies one by one. They are rendered and tokenised on another thread: on the loop, this work would
    delay every reply."""

    def __init__(self, bodies: Iterator[Body]) -> None:
        self._bodies = bodies
        self._lock = asyncio.Lock()
        self._ended = False

    async def next(self) -> Body | None:
        """The next body; None at the end. Once that is known, no thread is asked any more."""
        async with self._lock:
            body = None if self._ended else await asyncio.to_thread(next, self._bodies, None)
            self._ended = body is None
            return body


async def _recheck(server: Server) -> None:
    cause = await server.check()
    if cause is not None:
        server.failed(cause)


def _place(results: list[Result], body: Body, answers: Sequence[Result]) -> None:
    for position, answer in zip(body.positions, answers, strict=True):
        results[position] = answer
