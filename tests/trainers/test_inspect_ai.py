"""inspect_ai's own `eval` with its mock model and our scorer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import toy
from hybridverify.adapters.inspect_ai import hybridverify
from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.solver import generate


def output(text: str) -> ModelOutput:
    made = ModelOutput.from_content("mockllm/model", text)
    made.usage = ModelUsage(
        input_tokens=1, output_tokens=1, total_tokens=2
    )  # else its tokenizer is downloaded
    return made


def run(rows: Sequence[tuple[str, str, Any]], folder: Path, **options: Any) -> Any:
    """The log of an evaluation of (question, response, target)."""
    model = get_model("mockllm/model", custom_outputs=[output(response) for _, response, _ in rows])
    samples = [Sample(input=question, target=target, id=i) for i, (question, _, target) in enumerate(rows)]
    task = Task(dataset=MemoryDataset(samples), solver=generate(), scorer=hybridverify(**options))
    (log,) = eval(task, model=model, log_dir=str(folder), display="none", max_connections=1, max_samples=1)
    assert log.status == "success", log.error and log.error.message
    return log


def scores(log: Any) -> list[Any]:
    return [sample.scores["hybridverify"] for sample in sorted(log.samples, key=lambda sample: sample.id)]


def metrics(log: Any) -> dict[str, float]:
    return {name: metric.value for name, metric in log.results.scores[0].metrics.items()}


def test_right_and_wrong_answers(tmp_path: Path) -> None:
    log = run([(q, r, t) for q, r, t, _ in toy.SUMS], tmp_path, cache=None)
    found = scores(log)
    assert [score.value for score in found] == ["C", "I", "C", "I"]
    assert [score.answer for score in found][:2] == ["42", "41"]
    assert found[0].explanation.startswith("correct")
    assert found[0].metadata["hv_rule_outcome"] == "correct"
    assert found[0].metadata["hv_fingerprint"]
    assert metrics(log)["accuracy"] == 0.5


def test_what_nobody_could_decide_is_unscored_and_leaves_the_accuracy_alone(tmp_path: Path) -> None:
    rows = [
        ("What is 6*7?", r"\boxed{42}", "42"),
        ("What is 6*7?", r"\boxed{42}", "41"),
        ("Name a river.", "The answer is the one through Vienna.", "Danube, second longest of Europe"),
        ("What is 6*7?", r"\boxed{42}", ""),
    ]
    log = run(rows, tmp_path, policy="rule_only", cache=None)
    found = scores(log)
    assert [score.value for score in found[:2]] == ["C", "I"]
    assert [math.isnan(score.value) for score in found[2:]] == [True, True]
    assert [score.reason for score in found[2:]] == ["scoring_failed"] * 2
    assert [score.metadata["hv_status"] for score in found[2:]] == ["undecided", "bad_reference"]
    assert metrics(log)["accuracy"] == 0.5


def test_a_judge_that_cannot_be_read_is_a_failed_grader(tmp_path: Path) -> None:
    log = run([(toy.QUESTION, answer, toy.REFERENCE) for answer in toy.GROUP], tmp_path, **toy.judged())
    found = scores(log)
    assert [score.value for score in found[:3]] == ["C", "I", "I"]
    assert math.isnan(found[3].value)
    assert found[3].reason == "grader_failed"
    assert metrics(log)["accuracy"] == pytest.approx(1 / 3)


def test_any_text_of_the_target_may_match(tmp_path: Path) -> None:
    log = run([("What is 6*7?", r"\boxed{42}", ["41", "42"])], tmp_path, cache=None)
    assert scores(log)[0].value == "C"


def test_the_lines_of_the_page(tmp_path: Path) -> None:
    data = MemoryDataset([Sample(input="What is 6*7?", target="42")])
    task = toy.page("inspect_ai", Task=Task, dataset=data, generate=generate)["task"]
    model = get_model("mockllm/model", custom_outputs=[output(r"\boxed{42}")])
    (log,) = eval(task, model=model, log_dir=str(tmp_path), display="none")
    assert scores(log)[0].value == "C"
