"""Grades over the wire: what comes back is equal to what was sent."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridverify.errors import Fault
from hybridverify.service.wire import full, grade_of
from hybridverify.types import Grade, Outcome, Verdict

texts = st.text(max_size=20) | st.sampled_from(["\ud800", "\x00", "</s>", "\u202e1", "é"])
numbers = st.floats(-5, 5)
verdicts = st.builds(
    Verdict,
    st.sampled_from(Outcome),
    numbers,
    texts,
    texts,
    texts,
    st.booleans(),
    st.floats(0, 9),
    st.sampled_from([-1.0, 0.0, 0.25, 1.0]),
    st.sampled_from([-1.0, 0.5]),
    st.sampled_from(Fault),
)
grades = st.builds(
    Grade,
    numbers,
    st.booleans(),
    st.sampled_from(Outcome),
    verdicts,
    verdicts,
    st.lists(verdicts, max_size=3).map(tuple),
    texts,
    texts,
    st.booleans(),
    st.lists(verdicts, max_size=2).map(tuple),
)


@given(grades)
def test_a_grade_comes_back_equal(grade: Grade) -> None:
    back = grade_of(json.loads(json.dumps(full(grade))))
    assert back == grade
    assert back.rule.fault is grade.rule.fault
    assert back.to_dict() == grade.to_dict()


@pytest.mark.parametrize("told", [{}, {"score": 1.0}, {"score": "x"}])
def test_anything_else_is_refused(told: dict[str, object]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        grade_of(told)
