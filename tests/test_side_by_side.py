"""Several batches at a time: the same grades, no question asked twice, and none where the order matters."""

from __future__ import annotations

import gc
import itertools
import threading
from collections.abc import Sequence
from typing import Any

import pytest

from hybridverify import Sample, Verifier
from hybridverify.errors import JudgeUnavailable
from hybridverify.judges.backends.scripted import ScriptedBackend
from hybridverify.judges.base import Failure, Prompt, Reply, Sampling
from hybridverify.judges.llm import LLMJudge
from hybridverify.pipeline.collecting import SELDOM, seldom_collected
from hybridverify.pipeline.streaming import chunk_ends, overlapped
from hybridverify.verifier import JUDGED_CHUNK

ROWS = 3 * JUDGED_CHUNK + 7


class Wide(ScriptedBackend):
    """An engine that works on several batches at a time. It knows an answer that ends on an even digit."""

    batches_at_once = 3

    def __init__(self) -> None:
        super().__init__(lambda text: "True" if text.rstrip()[-1] in "02468" else "False")
        self.together = 0
        self.most = 0

    def complete(self, prompts: Sequence[Prompt], sampling: Sampling) -> list[Reply | Failure]:
        with self._lock:
            self.together += 1
            self.most = max(self.most, self.together)
        try:
            return super().complete(prompts, sampling)
        finally:
            with self._lock:
                self.together -= 1


def judge(backend: ScriptedBackend) -> LLMJudge:
    from hybridverify.judges.hooks import Hooks

    hooks = Hooks.from_setting(
        {"preprocess": lambda text_responses, **_: list(text_responses), "postprocess": _score}
    )
    return LLMJudge("generic", backend, hooks=hooks)


def _score(texts: list[str]) -> list[float]:
    return [1.0 if text == "True" else 0.0 for text in texts]


def samples(rows: int = ROWS) -> list[Sample]:
    return [Sample(f"It is {number}", "?", f"Which number is it, row {number}?") for number in range(rows)]


def grades(backend: ScriptedBackend, rows: Sequence[Sample], **settings: Any) -> tuple[list[float], Verifier]:
    verifier = Verifier(rules=["exact"], judges=[judge(backend)], policy="judge_only", **settings)
    return [grade.score for grade in verifier.grade(rows)], verifier


def test_grades_and_their_order_are_those_of_one_batch() -> None:
    wide, narrow = Wide(), ScriptedBackend(Wide()._replies)
    assert grades(wide, samples())[0] == grades(narrow, samples())[0]
    assert max(wide.batch_sizes) == JUDGED_CHUNK
    assert narrow.batch_sizes == [ROWS]


@pytest.mark.parametrize("total", [1, 127, 128, 513, 1543, 4096, 100_000])
def test_chunks_begin_and_end_small_and_leave_nothing_out(total: int) -> None:
    ends = list(chunk_ends(total, 512))
    sizes = [end - begin for begin, end in itertools.pairwise(ends)]
    assert ends[0] == 0
    assert ends[-1] == total
    assert min(sizes) > 0
    assert max(sizes) <= 512
    assert sizes[0] <= 128
    assert sizes[-1] <= 128


def test_the_engine_is_asked_before_the_rules_of_a_whole_batch_have_run() -> None:
    wide = Wide()
    grades(wide, samples())
    assert min(wide.batch_sizes) < JUDGED_CHUNK // 4
    assert sum(wide.batch_sizes) == ROWS


def test_the_collector_runs_more_seldom_until_the_last_of_several_blocks_ends() -> None:
    before = gc.get_threshold()
    with seldom_collected():
        with seldom_collected():
            assert gc.get_threshold()[0] == SELDOM
        assert gc.get_threshold()[0] == SELDOM
    assert gc.get_threshold() == before


@pytest.mark.parametrize("own", [(0, 10, 10), (SELDOM + 1, 5, 5)])
def test_a_program_that_has_set_the_collector_keeps_its_setting(own: tuple[int, int, int]) -> None:
    before = gc.get_threshold()
    try:
        gc.set_threshold(*own)
        with seldom_collected():
            assert gc.get_threshold() == own
        gc.set_threshold(*before)
        with seldom_collected():
            gc.set_threshold(*own)
        assert gc.get_threshold() == own
    finally:
        gc.set_threshold(*before)


def test_equal_questions_in_different_batches_are_asked_once() -> None:
    wide = Wide()
    rows = [Sample(f"It is {number % 50}", "?", "Which number is it?") for number in range(ROWS)]
    scores, verifier = grades(wide, rows)
    assert sum(wide.batch_sizes) == 50
    assert verifier.stats["judge"]["deduplicated"] == ROWS - 50
    assert scores == [float(number % 50 % 2 == 0) for number in range(ROWS)]


@pytest.mark.parametrize("settings", [{"max_calls": 10**6}, {"monitor": {"act": True}}])
def test_one_batch_where_a_grade_depends_on_the_rows_before(settings: dict[str, Any]) -> None:
    wide = Wide()
    grades(wide, samples(), **settings)
    assert wide.batch_sizes == [ROWS]


def test_what_another_thread_asks_is_waited_for_and_asked_again_if_that_fails() -> None:
    first_asks, second_waits = threading.Event(), threading.Event()

    def answer(text: str) -> object:
        if not first_asks.is_set():
            first_asks.set()
            second_waits.wait(60)
            return JudgeUnavailable("the engine died")
        return "True"

    backend = ScriptedBackend(answer)
    verifier = Verifier(rules=["exact"], judges=[judge(backend)], policy="judge_only")
    row = [Sample("It is 4", "?", "Which number is it?")]
    errors: list[Exception] = []

    def fails() -> None:
        try:
            verifier.grade(row)
        except JudgeUnavailable as error:
            errors.append(error)

    first = threading.Thread(target=fails)
    first.start()
    assert first_asks.wait(60)
    scores: list[float] = []
    second = threading.Thread(target=lambda: scores.extend(grade.score for grade in verifier.grade(row)))
    second.start()
    second_waits.set()
    first.join(60)
    second.join(60)
    assert len(errors) == 1
    assert scores == [1.0]


def test_an_error_of_one_chunk_is_raised_in_its_place() -> None:
    def second(number: int) -> list[int]:
        if number == 2:
            raise ValueError("two")
        return [number]

    found: list[int] = []
    stream = overlapped(iter(range(5)), lambda chunk: chunk, second, at_once=3)
    with pytest.raises(ValueError, match="two"):
        found.extend(stream)
    assert found == [0, 1]


def test_a_stream_that_is_left_ends_its_threads() -> None:
    before = threading.active_count()
    stream = overlapped(iter(range(100)), lambda chunk: chunk, lambda chunk: [chunk], at_once=3)
    assert next(stream) == 0
    stream.close()
    assert threading.active_count() == before
