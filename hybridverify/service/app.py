"""The endpoints. One page: what a request goes through, from its first byte to its answer.

Starlette and not FastAPI: rows are checked by hand, so that a fault names its row, and pydantic would cost more than
many a rule.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Scope

from hybridverify._version import __version__
from hybridverify.config import ServeEntry
from hybridverify.errors import HybridVerifyError
from hybridverify.service import gym, trainers
from hybridverify.service.around import Counted, admits
from hybridverify.service.asked import (
    disconnected,
    ensure_plain_json,
    lines_of,
    media_type,
    query,
    read_number,
)
from hybridverify.service.bites import in_bites
from hybridverify.service.body import MIB, Memory, read_body
from hybridverify.service.desk import Desk
from hybridverify.service.job import Full, Job
from hybridverify.service.metrics import Metrics
from hybridverify.service.parsing import parsed_in_bites
from hybridverify.service.replies import RETRY, error, written, written_in_bites, written_whole
from hybridverify.service.rows import Malformed, boolean, ensure_few, kind, mapping, number, sample_of, shown
from hybridverify.service.wire import full
from hybridverify.types import Grade, Sample
from hybridverify.verifier import Verifier

GRADE_KEYS = ("rows", "deadline_s", "full")
ROW_KEYS = ("response", "reference", "question", "data_source", "meta")
DEADLINE_HEADER = "x-deadline-s"
LATE = "the request's deadline passed"
UNGRADED = (
    "/get_reward: a row has no grade, and its trainer is told 503. Trainers ask again, and then go without a reward, "
    "which stops some; ?ungraded=NUMBER in the address pays such rows. This is told once; /metrics counts them"
)
HELD_BODIES, HELD_MIB = 16, 256
"""What bodies may hold at one time: so many of the largest, and at least so much."""
logger = logging.getLogger("hybridverify")

Handler = Callable[[Request], Awaitable[Response]]


class Service:
    """A verifier behind HTTP."""

    def __init__(
        self,
        verifier: Verifier,
        settings: ServeEntry,
        desk: Desk,
        token: str = "",
        metrics: Metrics | None = None,
    ) -> None:
        self.verifier, self.settings, self.desk = verifier, settings, desk
        self.metrics = metrics or Metrics()
        self._token = token.encode()
        self._most = int(settings.max_body_mb * MIB)
        self._memory = Memory(max(HELD_MIB * MIB, HELD_BODIES * self._most))
        routes = [
            Route("/health", self._health),
            Route("/metrics", self._guarded(self._metrics)),
            Route("/grade", self._guarded(self._grade), methods=["POST"]),
            Route("/get_reward", self._guarded(self._get_reward), methods=["POST"]),
            Route("/verify", self._guarded(self._verify), methods=["POST"]),
            Route("/seed_session", self._guarded(self._session), methods=["POST"]),
            Route("/close_session", self._guarded(self._session), methods=["POST"]),
            Route("/aggregate_metrics", self._guarded(self._aggregate), methods=["POST"]),
        ]
        self._paths = {route.path for route in routes}
        self._told_ungraded = False
        self._told_refusals: set[int] = set()
        errors = {404: self._no_such_path, 405: _other_method}
        app = Starlette(routes=routes, exception_handlers=errors)
        app.router.redirect_slashes = False  # to an address that the client's own head would name
        self.app = Counted(app, self._paths, self.answered)

    def _guarded(self, handler: Handler) -> Handler:
        """The handler, for those who know the token; every fault is an answer of one line."""

        async def handle(request: Request) -> Response:
            if not admits(self._token, request.headers.get("authorization", "")):
                why = "the right token is needed: Authorization: Bearer TOKEN"
                self._tell_refusal(request, 401, why)
                return error(401, why, {"WWW-Authenticate": "Bearer"})
            try:
                return await handler(request)
            except Malformed as fault:
                self._tell_refusal(request, fault.status, str(fault))
                return error(fault.status, str(fault), RETRY if fault.status in (429, 503) else {})
            except Full as fault:
                later = {"Retry-After": str(fault.retry_after_s)}
                return error(429, f"too many rows are waiting; come again in {fault.retry_after_s} s", later)
            except HybridVerifyError as fault:
                return error(503, str(fault), RETRY)
            except Exception as fault:  # a fault of ours: told once, in short, and no other request notices
                logger.error("%s in %s", type(fault).__name__, request.url.path, exc_info=fault)
                return error(500, f"{type(fault).__name__} in the service")

        return handle

    def _tell_refusal(self, request: Request, status: int, why: str) -> None:
        """Log the first refusal of each status, whose reason trainers do not log; of 503 `_rewards` tells."""
        if status not in self._told_refusals and status != 503:
            self._told_refusals.add(status)
            path = shown(request.url.path)
            logger.warning("a request to %s was refused (%d: %s); more of them: /metrics", path, status, why)

    async def _no_such_path(self, request: Request, fault: Exception) -> Response:
        return error(404, f"{shown(request.url.path)}: not found; there are {', '.join(sorted(self._paths))}")

    def count(self) -> None:
        """Bring the counters up to date. Also done every second, for any process may tell the sum of all."""
        self.metrics.stats(self.verifier.stats)
        self.metrics.waiting(self.desk.held)

    def answered(self, scope: Scope, path: str, status: int, seconds: float) -> None:
        """A request is over, whatever became of it."""
        self._memory.give_back(scope)
        self.metrics.request(path, status, seconds)

    async def _health(self, request: Request) -> Response:
        return written({"status": "ok", "service": "hybridverify", "version": __version__})

    async def _metrics(self, request: Request) -> Response:
        self.count()
        return Response(self.metrics.text(), media_type="text/plain; version=0.0.4")

    async def _grade(self, request: Request) -> Response:
        """One row, a batch, or lines of rows, for which lines come back as they are graded."""
        query(request, "deadline_s")
        if media_type(request) == "application/x-ndjson":
            most = self.settings.max_rows
            rows = await self._body(request, lambda body: lines_of(body, most))
            samples = await self._samples(rows)
            self._check(samples)
            lines = self._streamed(samples, self._deadline(request, None))
            return StreamingResponse(lines, media_type="application/x-ndjson")
        given = mapping(await self._body(request), "body")
        mapping(given, "body", GRADE_KEYS if "rows" in given else ROW_KEYS)
        if "rows" not in given:
            (grade,) = await self._graded(request, [sample_of(given, "body")])
            return written(grade.to_dict())
        rows = given["rows"]
        if not isinstance(rows, list):
            raise Malformed(f"body, rows: expected a list, got {kind(rows)}")
        write = full if boolean(given.get("full", False), "body, full") else Grade.to_dict
        deadline_s = number(given["deadline_s"], "body, deadline_s") if "deadline_s" in given else None
        grades = await self._graded(request, await self._samples(rows), deadline_s)
        return Response(await written_in_bites(grades, write), media_type="application/json")

    async def _samples(self, rows: Sequence[Any]) -> list[Sample]:
        """The rows of a batch. Raises Malformed."""
        ensure_few(len(rows), self.settings.max_rows)
        return await in_bites(rows, lambda at, row: sample_of(row, f"row {at}"))

    async def _get_reward(self, request: Request) -> Response:
        """The forms of OpenRLHF (lists) and slime (one row; its answer is a bare number)."""
        options = query(request, "deadline_s", "data_source", "ungraded")
        source, pay = options.get("data_source", ""), options.get("ungraded", "error")
        given = mapping(await self._body(request), "body")
        if "query" not in given:
            (grade,) = await self._graded(request, [trainers.one_sample(given, source)])
            return written(self._rewards([grade], pay)[0])
        samples = await trainers.batch_samples(given, source, self.settings.max_rows)
        grades = await self._graded(request, samples)
        paid = self._rewards(grades, pay)
        logs = {"hv_graded": [float(grade.graded) for grade in grades]}
        return written({"rewards": paid, "scores": paid, "extra_logs": logs})

    def _rewards(self, grades: Sequence[Grade], ungraded: str) -> list[float]:
        """`trainers.rewards`. The first refusal is told on this side too: trainers log a status and not its reason."""
        try:
            return trainers.rewards(grades, ungraded)
        except Malformed as fault:
            if fault.status == 503 and not self._told_ungraded:
                self._told_ungraded = True
                logger.warning(UNGRADED)
            raise

    async def _verify(self, request: Request) -> Response:
        """The form of a resources server of NeMo Gym."""
        options = query(request, "deadline_s", "reference", "question")
        given = await self._body(request)
        fields = {"reference": "expected_answer", "question": "question", **options}
        (grade,) = await self._graded(request, [gym.gym_sample(given, fields)])
        return await written_whole(gym.gym_answer(given, grade))

    async def _session(self, request: Request) -> Response:
        """NeMo Gym opens a session before it verifies, and may close it; grading needs none."""
        return written(gym.session(await self._body(request)))

    async def _aggregate(self, request: Request) -> Response:
        """NeMo Gym asks for a run's figures at its end."""
        return written(await gym.aggregate(await self._body(request)))

    async def _body(self, request: Request, read: Callable[[bytes], Awaitable[Any]] = parsed_in_bites) -> Any:
        ensure_plain_json(request)
        return await read(await read_body(request, self._most, self.settings.body_timeout_s, self._memory))

    async def _graded(
        self, request: Request, samples: Sequence[Sample], deadline_s: float | None = None
    ) -> list[Grade]:
        """The grades, in order. Rows that are not graded in time say so. Raises Full and Malformed."""
        self._check(samples)
        job = self.desk.submit(samples)
        try:
            await self._wait(request, job, self._deadline(request, deadline_s))
        finally:
            self.desk.finish(job, LATE)
        self.metrics.rows(job.grades)
        if job.error is not None:
            raise job.error
        return [grade for grade in job.grades if grade is not None]

    def _check(self, samples: Sequence[Sample]) -> None:
        """Raises Malformed and Full for rows that are not taken."""
        try:
            for source in {sample.data_source for sample in samples}:
                self.verifier.fingerprint(source)
        except HybridVerifyError as fault:  # unknown_source: error
            raise Malformed(str(fault)) from None
        self.desk.ensure_room(len(samples))

    async def _wait(self, request: Request, job: Job, deadline_s: float) -> None:
        """Wait until the job is done, its time is over, or nobody waits for it any more."""
        if job.done:
            return
        gone = asyncio.ensure_future(disconnected(request))
        changed = asyncio.ensure_future(job.changed())
        try:
            await asyncio.wait(
                {gone, changed}, timeout=deadline_s or None, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            gone.cancel()
            changed.cancel()

    async def _streamed(self, samples: Sequence[Sample], deadline_s: float) -> AsyncIterator[bytes]:
        job = self.desk.submit(samples, streams=True, ensured=True)
        end = asyncio.get_running_loop().time() + deadline_s if deadline_s else None
        try:
            while not job.done:
                left = None if end is None else end - asyncio.get_running_loop().time()
                try:
                    await asyncio.wait_for(job.changed(), left)
                except asyncio.TimeoutError:
                    break
                yield self._written(job)
            self.desk.finish(job, LATE)
            yield self._written(job)
            if job.error is not None:
                yield json.dumps({"error": str(job.error)}).encode() + b"\n"
        finally:
            self.desk.finish(job)
            self.metrics.rows(job.grades)

    def _written(self, job: Job) -> bytes:
        lines = []
        for index in job.told():
            grade = job.grades[index]
            if grade is not None:
                lines.append(json.dumps({"row": index, **grade.to_dict()}) + "\n")
        return "".join(lines).encode()

    def _deadline(self, request: Request, told_s: float | None) -> float:
        """Seconds that the request may take; 0 is no limit. Its body wins over its header, its address, and the
        settings."""
        if told_s is not None:
            return told_s
        for where, given in (
            (DEADLINE_HEADER, request.headers.get(DEADLINE_HEADER)),
            ("?deadline_s", request.query_params.get("deadline_s")),
        ):
            if given is not None:
                return number(read_number(given), where)
        return self.settings.deadline_s


async def _other_method(request: Request, fault: Any) -> Response:
    allowed = str(fault.headers["Allow"])
    asked = "GET" if "GET" in allowed else allowed
    return error(405, f"{shown(request.url.path)}: ask by {asked}", {"Allow": allowed})
