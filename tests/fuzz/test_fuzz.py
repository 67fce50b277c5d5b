"""The fuzzing targets on the seeds, and on whatever hypothesis thinks of: a short form of `make fuzz`."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.targets import TARGETS, seeds, text
from tests.fuzz.words import TOKENS

SLOWEST_S = 2.0


@pytest.mark.load
@pytest.mark.parametrize("target", TARGETS)
def test_what_must_hold_of_any_text_holds_of_the_seeds(target: str) -> None:
    chosen = random.Random(7).sample(seeds(target), 60)
    for data in chosen:
        begin = time.process_time()
        TARGETS[target](data)
        assert time.process_time() - begin < SLOWEST_S, data


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_what_must_hold_of_any_text_holds_of_random_bytes(target: str) -> None:
    @settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.binary(max_size=120))
    def holds(data: bytes) -> None:
        TARGETS[target](data)

    holds()


def test_inputs_reach_both_plain_text_and_words_of_the_field() -> None:
    assert text(b"\x10abc") == "abc"
    assert text(b"\x90\x00\x01") == TOKENS[0] + TOKENS[1]


def test_a_target_that_is_broken_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fuzz.targets.MAX_SHOWN", -5)
    with pytest.raises(AssertionError, match="more shown than allowed"):
        TARGETS["extraction"](b"\x10\\boxed{17}")
