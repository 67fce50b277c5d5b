"""lighteval's own `apply_metric` with our metrics, and its own log of them.

Its pipeline needs another release of latex2sympy2_extended than Math-Verify does, so it is not run.
"""

from __future__ import annotations

from typing import Any

import pytest
import toy

pytest.importorskip("lighteval", reason="lighteval is not installed")

from hybridverify.adapters.lighteval import mean_of_scored, metrics
from lighteval.metrics import apply_metric
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.requests import Doc


def applied(rows: list[tuple[str, list[str], str]], **options: Any) -> dict[str, float]:
    """Each metric over (question, responses, reference)."""
    made = metrics(**options)
    docs = [Doc(query=question, choices=["no", reference], gold_index=1) for question, _, reference in rows]
    responses = [ModelResponse(text=said) for _, said, _ in rows]
    outputs = apply_metric(responses=responses, docs=docs, metrics=made)
    return {
        name: fold([output[name] for output in outputs])
        for metric in made
        for name, fold in metric.get_corpus_aggregations().items()
    }


def test_the_share_of_right_answers() -> None:
    found = applied([(q, [said], reference) for q, said, reference, _ in toy.SUMS], cache=None)
    assert found == {"hv_correct": 0.5, "hv_unscored": 0.0}


def test_what_nobody_could_decide_stays_out_of_the_mean() -> None:
    found = applied([(toy.QUESTION, [said], toy.REFERENCE) for said in toy.GROUP], **toy.judged())
    assert found == {"hv_correct": pytest.approx(1 / 3), "hv_unscored": 0.25}


def test_several_responses_of_a_sample_count_by_their_mean() -> None:
    found = applied([(toy.QUESTION, list(toy.GROUP), toy.REFERENCE)], **toy.judged())
    assert found == {"hv_correct": pytest.approx(1 / 3), "hv_unscored": 0.25}


def test_no_score_at_all_is_no_number() -> None:
    assert str(mean_of_scored([float("nan")])) == "nan"


def test_the_lines_of_the_page() -> None:
    assert [metric.metric_name for metric in toy.page("lighteval")["ours"]] == ["hv_correct", "hv_unscored"]
