"""What callers hold: samples, rows, tables and lists, and one line that names the right call for anything else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa
import pytest

import hybridverify as hv
from hybridverify.errors import HybridVerifyError

SEVEN = hv.Sample("7", "7")
CHAT = [
    {"role": "user", "content": "3+4?"},
    {"role": "assistant", "content": [{"type": "text", "text": "It is 7."}]},
]


class Frame:
    """A table with the methods of pandas that are used; cells may be NA."""

    columns = ("response", "reference")

    def itertuples(self, index: bool, name: str | None) -> Iterator[tuple[Any, ...]]:
        assert (index, name) == (False, None)
        yield from (("7", 7), ("8", float("nan")), (NAType(), 7))


class NAType:
    """Stands for the NA of pandas, which may not be compared."""

    def __eq__(self, other: object) -> bool:
        raise TypeError("boolean value of NA is ambiguous")

    __hash__ = None  # type: ignore[assignment]


class Polars:
    """A table with the method of polars."""

    def iter_rows(self, named: bool) -> Iterator[Mapping[str, Any]]:
        yield {"completion": "so 7", "answer": "7"}
        yield {"completion": "8", "answer": "7"}


@pytest.fixture(scope="module")
def verifier() -> Iterator[hv.Verifier]:
    with hv.Verifier() as made:
        yield made


@pytest.mark.parametrize(
    ("given", "outcomes"),
    [
        (([SEVEN, hv.Sample("8", "7")],), ["correct", "incorrect"]),
        (([("7", "7"), ("8", "7", "3+4?")],), ["correct", "incorrect"]),
        (([{"response": "7", "reference": 7}],), ["correct"]),
        (({"response": ["7", "8"], "gold": ["7", "7"]},), ["correct", "incorrect"]),
        ((["7", "8"], ["7", ["6", "8"]]), ["correct", "correct"]),
        ((["7"], [7.0], ["3+4?"]), ["correct"]),
        (([CHAT], ["7"], [CHAT]), ["correct"]),
        (([{"prompt": CHAT[:1], "response": CHAT, "reward_model": {"ground_truth": "7"}}],), ["correct"]),
        ((Frame(),), ["correct", "bad_reference", "incorrect"]),
        ((pa.table({"response": ["7"], "reference": ["7"]}),), ["correct"]),
        ((iter([SEVEN]),), ["correct"]),
        (([],), []),
        ((iter(()),), []),
        (([SEVEN], False), ["correct"]),
    ],
)
def test_what_people_hold_is_graded_in_order(
    verifier: hv.Verifier, given: tuple[Any, ...], outcomes: list[str]
) -> None:
    assert [grade.outcome.value for grade in verifier.grade(*given)] == outcomes
    if len(given) == 1 and not isinstance(given[0], Iterator):
        assert [grade.outcome.value for grade in verifier.grade_iter(*given)] == outcomes


def test_columns_of_other_names_are_named(verifier: hv.Verifier) -> None:
    rows = [{"a": "7", "b": {"c": ["6", "7"]}}]
    (grade,) = verifier.grade(rows, columns={"response": "a", "reference": "b.c.1"})
    assert grade.outcome is hv.Outcome.CORRECT
    assert len(verifier.grade(Polars())) == 2  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((SEVEN,), r"grade\(\[sample\]\)"),
        (("7",), r"verify\(response, reference\).*hybridverify grade FILE"),
        (("7", "7"), "responses is text"),
        ((["7"], "7"), r"references is text; one for all: \[reference\] \* len\(responses\)"),
        ((["7"], ["7", "8"]), "1 responses, 2 references"),
        ((["7"], None, ["?"]), "questions and no references"),
        ((["7"],), r"without references: grade\(responses, references\)"),
        (([CHAT],), r"without references: grade\(responses, references\)"),
        (([None],), "item 1 is None"),
        (([SEVEN, 7],), "item 2 is of type int"),
        ((7,), "not of type int: grade"),
        ((None,), "not None: grade"),
        (({"response": "7", "reference": "7"},), r"grade\(\[row\]\)"),
        (({"response": ["7"], "reference": []},), "different lengths"),
        (({"test": pa.table({"response": ["7"]})},), r"grade\(data\['test'\]\)"),
        (([{"response": "7"}],), r"no column 'reference'.*columns=\{'reference': NAME\}"),
        (([{"response": ["7", "8"], "reference": "7"}],), "row 1 .*must be text, not list"),
        (([{"response": "7", "reference": "7"}, 5],), "row 2 is of type int"),
    ],
)
def test_anything_else_is_refused_in_one_line_that_names_the_call(
    verifier: hv.Verifier, given: tuple[Any, ...], message: str
) -> None:
    with pytest.raises(HybridVerifyError, match=message) as caught:
        verifier.grade(*given)
    assert "\n" not in str(caught.value)


def test_faults_of_single_calls_name_the_call_too(verifier: hv.Verifier) -> None:
    with pytest.raises(HybridVerifyError, match=r"for several: Verifier\(\).grade\(responses, references\)"):
        hv.verify(["7"], ["7"])  # type: ignore[arg-type]
    with pytest.raises(HybridVerifyError, match=r"explain\(Sample\(response, reference\)\)"):
        verifier.explain("7")  # type: ignore[arg-type]
    with pytest.raises(HybridVerifyError, match=r"columns\.respons: .*did you mean 'response'"):
        verifier.grade([{"response": "7", "reference": "7"}], columns={"respons": "response"})


def test_a_sample_reads_chats_and_what_tables_write_for_nothing() -> None:
    sample = hv.Sample(CHAT, {"ground_truth": "7", "style": "rule"}, CHAT)  # type: ignore[arg-type]
    assert (sample.response, sample.references, sample.question) == ("It is 7.", ("7",), "3+4?")
    assert hv.Sample(float("nan"), [None, float("nan"), "7"]).references == ("7",)  # type: ignore[arg-type, list-item]
    assert hv.Sample(NAType(), NAType()).references == ()  # type: ignore[arg-type]
