"""The desk: what requests share, and what they do not do to each other."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator, Sequence
from typing import Any

import pytest

import hybridverify as hv
from hybridverify.errors import HybridVerifyError
from hybridverify.judges.base import Prompt, Reply, Sampling
from hybridverify.service import desk
from hybridverify.service.desk import Desk
from hybridverify.service.job import LONGEST_RETRY_S, Full, Job, Rate
from hybridverify.testing import FunctionBackend, ScriptedJudge
from hybridverify.types import Grade, Outcome, Sample, Verdict
from tests.waiting import GIVE_UP_S

OPEN = [Sample(f"the town of {name}", "Ulm", "Where?") for name in ("Ulm", "Bonn", "Kiel", "Trier")]
SURE = [Sample(f"#### {number}", "7") for number in range(20)]


class Held:
    """A judge whose backend waits until the test lets it go on, and keeps what it was asked in one call."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.entered = threading.Event()
        self.batches: list[int] = []
        held = self

        class Backend(FunctionBackend):
            concurrent = True

            def complete(self, prompts: Sequence[Prompt], sampling: Sampling) -> list[Any]:
                held.batches.append(len(prompts))
                held.entered.set()
                assert held.go.wait(GIVE_UP_S)
                return super().complete(prompts, sampling)

        from hybridverify.judges.llm import LLMJudge

        self.judge = LLMJudge("generic", Backend(lambda prompt, sampling: Reply(("ACCEPT",), ("stop",))))


@pytest.fixture
def held() -> Iterator[Held]:
    found = Held()
    yield found
    found.go.set()


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(asyncio.wait_for(work, GIVE_UP_S))


async def finished(desk: Desk, job: Job) -> list[Grade | None]:
    while not job.done:
        await job.changed()
    desk.finish(job)
    return job.grades


HEAVY = [
    Sample(r"\boxed{7}", [str(n) for n in range(65)]),
    Sample(r"\boxed{7}", "7 " * 10_001),
    Sample("x " * 1_000_001 + r"\boxed{7}", "7"),
]


@pytest.mark.parametrize("heavy", HEAVY, ids=["references", "reference", "response"])
def test_a_heavy_row_is_not_graded_on_the_event_loop(heavy: Sample) -> None:
    threads: list[str] = []

    class Watched(hv.Verifier):
        def grade(self, *given: Any, **named: Any) -> list[Grade]:
            threads.append(threading.current_thread().name)
            return super().grade(*given, **named)

    with Watched() as verifier:
        desk = Desk(verifier)

        async def work() -> list[Grade | None]:
            alone = await finished(desk, desk.submit([heavy]))
            return [*alone, *await finished(desk, desk.submit([SURE[7], heavy, SURE[8]]))]

        grades = run(work())
        desk.close()
        assert grades == verifier.grade([heavy, SURE[7], heavy, SURE[8]])
    assert len(threads) == 3
    assert all(name.startswith("hybridverify-open") for name in threads[:2])


class Slow:
    """A rule of the user's in this process, of which nobody knows how long it takes."""

    name, version, isolated, meta_keys = "slow", 1, False, ()

    def check(self, sample: Sample) -> Verdict:
        return Verdict(Outcome.UNDECIDED, 0.0, "rule:slow", "", "no idea")


@pytest.mark.parametrize("rules", ["default", ["exact", "gsm8k", Slow()]], ids=["on the loop", "in a thread"])
def test_grades_are_those_of_the_verifier(rules: Any) -> None:
    judge = ScriptedJudge(lambda question, reference, answer: reference in answer)
    samples = [*SURE, *OPEN, Sample("", "7"), Sample("7", "")]
    with hv.Verifier(rules, policy="addon", judges=[judge]) as verifier:

        async def both() -> list[list[Grade | None]]:
            desk = Desk(verifier)
            jobs = [desk.submit(samples), *(desk.submit([sample]) for sample in samples)]
            found = [await finished(desk, job) for job in jobs]
            assert desk.held == 0
            desk.close()
            return found

        batch, *single = run(both())
        expected = verifier.grade(samples)
    assert [grade.to_dict() for grade in batch] == [grade.to_dict() for grade in expected]
    assert [grades[0].to_dict() for grades in single] == [grade.to_dict() for grade in expected]


def test_open_rows_of_several_requests_share_a_judge_batch(
    held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "GATHER_S", 1.0)  # a busy machine may take longer between two requests
    with hv.Verifier(policy="addon", judges=[held.judge]) as verifier:

        async def all_at_once() -> None:
            one = Desk(verifier)
            first = one.submit(OPEN[:1])
            await asyncio.to_thread(held.entered.wait, GIVE_UP_S)
            jobs = [one.submit([sample]) for sample in OPEN[1:]]
            held.go.set()
            for job in (first, *jobs):
                await finished(one, job)
            one.close()

        run(all_at_once())
    assert held.batches == [1, 3]


def test_sure_rows_do_not_wait_for_the_judge(held: Held) -> None:
    with hv.Verifier(policy="addon", judges=[held.judge]) as verifier:

        async def both() -> None:
            desk = Desk(verifier)
            waiting = desk.submit(OPEN)
            await asyncio.to_thread(held.entered.wait, GIVE_UP_S)
            assert [grade.outcome for grade in await finished(desk, desk.submit(SURE)) if grade] == [
                Outcome.CORRECT if sample.response == "#### 7" else Outcome.INCORRECT for sample in SURE
            ]
            assert not waiting.done
            held.go.set()
            await finished(desk, waiting)
            desk.close()

        run(both())


def test_what_is_late_is_not_graded_and_comes_once(held: Held) -> None:
    with hv.Verifier(policy="addon", judges=[held.judge]) as verifier:

        async def late() -> Job:
            desk = Desk(verifier)
            job = desk.submit([SURE[7], *OPEN])
            await asyncio.to_thread(held.entered.wait, GIVE_UP_S)
            desk.finish(job, "no time")
            before = list(job.grades)
            held.go.set()
            await asyncio.to_thread(desk.close)
            assert job.grades == before
            assert desk.held == 0
            return job

        sure, *others = run(late()).grades
    assert (sure.score, sure.graded) == (1.0, True)
    assert {(grade.score, grade.graded, grade.outcome) for grade in others} == {
        (0.0, False, Outcome.TIMED_OUT)
    }
    assert others[0].to_dict()["reason"] == "no time"
    assert others[0].fingerprint == sure.fingerprint


def test_a_full_queue_says_when_to_come_again(held: Held) -> None:
    with hv.Verifier(policy="addon", judges=[held.judge]) as verifier:

        async def fill() -> None:
            desk = Desk(verifier, queue_rows=4)
            first = desk.submit(OPEN)
            with pytest.raises(Full) as refused:
                desk.submit([SURE[0]])
            assert 1 <= refused.value.retry_after_s <= LONGEST_RETRY_S
            held.go.set()
            await finished(desk, first)
            await finished(desk, desk.submit([SURE[0]]))
            large = desk.submit(SURE)  # larger than the queue: taken where nothing else waits
            await finished(desk, large)
            desk.close()

        run(fill())


def test_a_request_that_must_fail_fails_alone() -> None:
    judge = ScriptedJudge(
        lambda question, reference, answer: "no label" if "Bonn" in answer else "Ulm" in answer
    )
    with hv.Verifier(policy="addon", judges=[judge], on_judge_error="raise") as verifier:

        async def both() -> tuple[Job, Job]:
            desk = Desk(verifier)
            faulty, fine = desk.submit([OPEN[1]]), desk.submit([OPEN[0], OPEN[2]])
            for job in (faulty, fine):
                await finished(desk, job)
            desk.close()
            return faulty, fine

        faulty, fine = run(both())
    assert isinstance(faulty.error, HybridVerifyError)
    assert fine.error is None
    assert [grade.score for grade in fine.grades if grade] == [1.0, 0.0]


def test_a_fault_of_one_row_leaves_the_others_of_its_batch() -> None:
    def grade(samples: Sequence[Sample]) -> list[Grade]:
        if any("Bonn" in sample.response for sample in samples):
            raise ZeroDivisionError
        return verifier.grade(samples)

    judge = ScriptedJudge(lambda question, reference, answer: reference in answer)
    with hv.Verifier(policy="addon", judges=[judge]) as verifier:

        async def all_rows() -> list[Grade | None]:
            desk = Desk(verifier, grade=grade)
            found = await finished(desk, desk.submit(OPEN))
            desk.close()
            return found

        grades = run(all_rows())
    assert [grade.graded for grade in grades] == [True, False, True, True]
    assert (grades[1].outcome, grades[1].score) == (Outcome.FAILED, 0.0)
    assert grades[1].to_dict()["reason"] == "ZeroDivisionError while the row was graded"


def test_a_stop_answers_every_open_request(held: Held) -> None:
    with hv.Verifier(policy="addon", judges=[held.judge]) as verifier:

        async def stop() -> list[Grade | None]:
            desk = Desk(verifier)
            job = desk.submit(OPEN)
            asyncio.get_running_loop().call_soon(desk.end_all, "stopped")
            found = await finished(desk, job)
            held.go.set()
            await asyncio.to_thread(desk.close)
            return found

        assert {grade.outcome for grade in run(stop())} == {Outcome.TIMED_OUT}


def test_the_rate_guesses_the_time_for_what_waits() -> None:
    now = [0.0]
    rate = Rate(lambda: now[0])
    assert rate.seconds_for(10_000) == 1
    rate.begin()
    now[0] = 2.0
    rate.count(200)
    assert [rate.seconds_for(rows) for rows in (1, 450, 10**9)] == [1, 5, LONGEST_RETRY_S]


def test_time_without_rows_is_no_part_of_the_rate() -> None:
    now = [0.0]
    rate = Rate(lambda: now[0])
    for _ in range(4):
        now[0] += 3600.0
        rate.begin()
        now[0] += 0.5
        rate.count(50)
        rate.rest()
        rate.count(10**6)  # of requests that were given up meanwhile
    assert rate.seconds_for(450) == 5


def test_a_desk_that_was_idle_guesses_by_the_time_that_it_worked() -> None:
    now = [0.0]

    async def refused() -> int:
        found = Desk(verifier, queue_rows=20)
        found._rate = Rate(lambda: now[0])
        now[0] = 3600.0
        job = found.submit(SURE[:10])  # waits for the loop
        now[0] += 1.0
        await finished(found, job)
        now[0] += 3600.0
        waiting = found.submit(SURE)
        with pytest.raises(Full) as full:
            found.submit(SURE)
        await finished(found, waiting)
        found.close()
        return full.value.retry_after_s

    with hv.Verifier() as verifier:
        assert run(refused()) == 3  # 8 rows of the first bite in a second
