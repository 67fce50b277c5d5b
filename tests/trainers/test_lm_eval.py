"""lm-eval's own `simple_evaluate` on a task of ours, with a model that answers from the document."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import lm_eval
import pytest
import toy
from hybridverify.adapters.lm_eval import CORRECT, UNSCORED, processor
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager

from hybridverify.errors import InputError

TASK = """
task: toy
dataset_path: json
dataset_kwargs: {{data_files: {{test: {rows}}}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{question}}}}"
doc_to_target: "{{{{answer}}}}"
generation_kwargs: {{until: ["END"]}}
process_results: !function utils.process_results
{filters}
metric_list:
  - {{metric: hv_correct, aggregation: mean, higher_is_better: true}}
  - {{metric: hv_unscored, aggregation: mean, higher_is_better: false}}
"""


class Scripted(LM):
    """Answers with what the document says that it should."""

    def generate_until(self, requests: Any, disable_tqdm: bool = False) -> list[str]:
        return [request.doc["said"] for request in requests]

    def loglikelihood(self, requests: Any, disable_tqdm: bool = False) -> Any:
        raise NotImplementedError

    def loglikelihood_rolling(self, requests: Any, disable_tqdm: bool = False) -> Any:
        raise NotImplementedError


FILTERS = """
filter_list:
  - name: graded
    filter:
      - {function: custom, filter_fn: !function utils.grade_all}
      - {function: take_first}
"""


def evaluate(
    folder: Path, rows: list[tuple[str, str, str]], options: dict[str, Any], filters: str = ""
) -> Any:
    lines = [json.dumps({"question": q, "said": said, "answer": answer}) for q, said, answer in rows]
    (folder / "rows.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (folder / "toy.yaml").write_text(
        TASK.format(rows=folder / "rows.jsonl", filters=filters), encoding="utf-8"
    )
    lines = [
        "from hybridverify.adapters.lm_eval import processor",
        f"process_results = processor(**{options!r})",
        "grade_all = process_results.grade_all",
    ]
    text = "\n".join(lines)
    (folder / "utils.py").write_text(text, encoding="utf-8")
    manager = TaskManager(include_path=str(folder), include_defaults=False)
    return lm_eval.simple_evaluate(
        model=Scripted(), tasks=["toy"], task_manager=manager, bootstrap_iters=0, cache_requests=False
    )


def test_the_share_of_right_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "cache"))
    found = evaluate(tmp_path, [(q, said, answer) for q, said, answer, _ in toy.SUMS], {"cache": None})
    numbers = found["results"]["toy"]
    assert (numbers[f"{CORRECT},none"], numbers[f"{UNSCORED},none"]) == (0.5, 0.0)


def test_what_nobody_could_decide_stays_out_of_the_mean(tmp_path: Path) -> None:
    found = evaluate(tmp_path, [(toy.QUESTION, said, toy.REFERENCE) for said in toy.GROUP], toy.judged())
    numbers = found["results"]["toy"]
    assert numbers[f"{CORRECT},none"] == pytest.approx(1 / 3)
    assert numbers[f"{UNSCORED},none"] == 0.25


def test_a_task_that_does_not_generate_is_refused_in_one_line() -> None:
    with pytest.raises(
        InputError, match=r"^lm-eval: no text to grade; the task needs output_type: generate_until"
    ):
        processor(cache=None)({"question": "?", "answer": "4"}, [(-1.5, True)])


def test_all_documents_are_graded_in_one_batch_by_a_filter(tmp_path: Path) -> None:
    rows = [(toy.QUESTION, said, toy.REFERENCE) for said in toy.GROUP]
    found = evaluate(tmp_path, rows, toy.judged(), FILTERS)
    numbers = found["results"]["toy"]
    assert numbers[f"{CORRECT},graded"] == pytest.approx(1 / 3)
    assert numbers[f"{UNSCORED},graded"] == 0.25
    from hybridverify.adapters.graders import process_metrics

    assert process_metrics()["hv/judge/asked"] == 4  # once for each, not twice
