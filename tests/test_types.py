"""Samples, verdicts and grades are plain frozen dataclasses, however they are filled."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import math
import pickle
from typing import Any

import pytest

from hybridverify.errors import SampleError
from hybridverify.policies.base import Decision
from hybridverify.types import SKIPPED, Grade, Outcome, Sample, Verdict

SAMPLE = Sample("so 40 + 2. #### 42", "42", "How many?", "gsm8k", {"form": "hash"})
VERDICT = Verdict(Outcome.PARTIAL, 0.25, "judge:rubric", "42", "half", True, 1.5, 0.3, 0.9)
GRADE = Grade(0.25, True, Outcome.PARTIAL, VERDICT, SKIPPED, (VERDICT,), "mixed", "abc", True, (SKIPPED,))
DECISION = Decision(0.25, True, Outcome.PARTIAL)
ALL = (SAMPLE, VERDICT, GRADE, DECISION)
by_class = pytest.mark.parametrize("made", ALL, ids=lambda made: type(made).__name__)


def values(made: Any) -> dict[str, Any]:
    return {field.name: getattr(made, field.name) for field in dataclasses.fields(made)}


@by_class
def test_every_field_is_an_argument_in_order_with_the_same_default(made: Any) -> None:
    told = list(inspect.signature(type(made)).parameters.values())
    assert [parameter.name for parameter in told] == [field.name for field in dataclasses.fields(made)]
    for parameter, field in zip(told, dataclasses.fields(made), strict=True):
        if field.default is not dataclasses.MISSING:
            assert parameter.default == field.default
    assert type(made)(*values(made).values()) == type(made)(**values(made)) == made


@by_class
def test_fields_are_frozen(made: Any) -> None:
    for field in dataclasses.fields(made):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(made, field.name, None)


@by_class
def test_copies_and_pickles_are_equal(made: Any) -> None:
    for other in (copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):  # noqa: S301
        assert other == made
        assert values(other) == values(made)
        assert repr(other) == repr(made)


def test_an_outcome_is_its_word() -> None:
    for outcome in Outcome:
        assert outcome.value == str(outcome) == f"{outcome}" == outcome == outcome.name.lower()
        assert Outcome(outcome.value) is pickle.loads(pickle.dumps(outcome)) is outcome  # noqa: S301


def test_a_change_makes_another_one() -> None:
    assert dataclasses.replace(SAMPLE, reference=["41", "42"]).references == ("41", "42")
    assert dataclasses.replace(VERDICT, score=1.0) != VERDICT
    assert dataclasses.replace(GRADE, policy="sum").policy == "sum"
    assert SAMPLE.references == ("42",)


def test_verdicts_are_hashed_by_their_fields() -> None:
    assert len({VERDICT, copy.copy(VERDICT), SKIPPED}) == 2
    assert hash(GRADE) == hash(copy.copy(GRADE))


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf])
def test_scores_are_finite(score: float) -> None:
    with pytest.raises(ValueError, match=r"Verdict\.score must be finite"):
        Verdict(Outcome.PARTIAL, score)
    with pytest.raises(ValueError, match=r"Grade\.score must be finite"):
        dataclasses.replace(GRADE, score=score)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"response": b"7"}, r"Sample\.response must be text, not bytes"),
        ({"question": ["7"]}, r"Sample\.question must be text, not list"),
        ({"data_source": {}}, r"Sample\.data_source must be text, not dict"),
        ({"meta": []}, r"Sample\.meta must be a mapping, not list"),
        ({"reference": b"7"}, r"Sample\.reference must be text or a sequence of texts, not bytes"),
        ({"reference": [["7"]]}, r"Sample\.reference must be text, not list"),
    ],
)
def test_a_wrong_argument_is_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(SampleError, match=message):
        Sample(**{"response": "7", "reference": "7", **change})


def test_absent_texts_are_empty_and_numbers_are_written_out() -> None:
    sample = Sample(12.0, 7, None, None, None)  # type: ignore[arg-type]
    assert (sample.response, sample.references, sample.question, sample.data_source) == ("12", ("7",), "", "")
    assert sample.meta == {}


def test_samples_do_not_share_their_meta() -> None:
    assert Sample("7", "7").meta is not Sample("7", "7").meta


def test_a_text_of_a_subclass_is_a_text() -> None:
    class Line(str):
        __slots__ = ()

    assert Sample(Line("7"), Line("7")).references == ("7",)


@dataclasses.dataclass(frozen=True)
class Dated(Sample):
    """A user's own sample."""

    date: str = ""


@dataclasses.dataclass(frozen=True)
class Weighed(Verdict):
    """A user's own verdict."""

    weight: float = 1.0


def test_a_subclass_with_more_fields_is_checked_as_well() -> None:
    assert Dated("7", 7, date="today").references == ("7",)  # type: ignore[arg-type]
    assert Dated("7", "7", date="today") != Sample("7", "7")
    with pytest.raises(SampleError, match=r"Sample\.meta"):
        Dated("7", "7", meta=[])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="finite"):
        Weighed(Outcome.PARTIAL, math.nan, weight=2.0)
