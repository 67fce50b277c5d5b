"""Reward functions for verl's `custom_reward_function`: one row, one row awaited, a batch.

    reward.custom_reward_function.path=pkg://hybridverify.adapters.reward_function
    +reward.custom_reward_function.reward_kwargs.policy=addon

Every row gets the keys of `status.EXTRA_KEYS`, whatever happened to it, in a dict that can be read as a number, too
(row_score.py). Loads neither torch nor verl.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from hybridverify.adapters.cells import meta_of, question_of, references_of, text_of
from hybridverify.adapters.grader import Grader
from hybridverify.adapters.graders import grader_for
from hybridverify.adapters.options import Options, parse_options, plain
from hybridverify.adapters.row_score import RowScore
from hybridverify.adapters.status import extra_info

from hybridverify.types import Grade, Sample

__all__ = ["compute_score", "compute_score_async", "compute_score_batch"]

VERL_ARGUMENTS = (
    "reward_router_address",
    "reward_model_tokenizer",
    "sandbox_fusion_url",
    "concurrent_semaphore",
    "memory_limit_mb",
)
"""Arguments that verl's managers pass beside the row. They are no options of ours."""


def compute_score(
    data_source: Any, solution_str: Any, ground_truth: Any, extra_info: Any = None, **kwargs: Any
) -> dict[str, float | int | str]:
    """Grade one response; `kwargs` are options (see options.py) and what verl's managers add.

    >>> compute_score("openai/gsm8k", "6 * 7 makes 42. #### 42", "42", cache=None)["score"]
    1.0
    """
    sample, problem = _sample(data_source, solution_str, ground_truth, extra_info)
    grader = _grader(kwargs)
    return _result(grader.unread(problem) if problem else grader.grade_one(sample))


async def compute_score_async(
    data_source: Any, solution_str: Any, ground_truth: Any, extra_info: Any = None, **kwargs: Any
) -> dict[str, float | int | str]:
    """`compute_score` for event loops. Rows awaited at the same time share their batches."""
    sample, problem = _sample(data_source, solution_str, ground_truth, extra_info)
    grader = _grader(kwargs)
    return _result(grader.unread(problem) if problem else await grader.agrade_one(sample))


def compute_score_batch(
    data_sources: Sequence[Any],
    solution_strs: Sequence[Any],
    ground_truths: Sequence[Any],
    extra_infos: Sequence[Any] | None = None,
    **kwargs: Any,
) -> list[dict[str, float | int | str]]:
    """`compute_score` for a whole batch, the form that verl's `batch` manager calls."""
    extras = [None] * len(solution_strs) if extra_infos is None else extra_infos
    rows = [_sample(*row) for row in zip(data_sources, solution_strs, ground_truths, extras, strict=True)]
    problems = {i: problem for i, (_, problem) in enumerate(rows) if problem}
    return list(map(_result, _grader(kwargs).grade_rows([sample for sample, _ in rows], problems)))


def _sample(data_source: Any, solution: Any, ground_truth: Any, extra: Any) -> tuple[Sample, str]:
    """The row as a sample, and the reason if it cannot be read."""
    try:
        return Sample(
            response=text_of(solution),
            reference=references_of(ground_truth),
            question=_question(extra),
            data_source=text_of(data_source),
            meta=meta_of(extra),
        ), ""
    except Exception as error:  # the border to a trainer: one bad row must not end a run
        return Sample("", ()), f"{type(error).__name__}: {error}"


def _question(extra: Any) -> str:
    if not isinstance(extra, Mapping):
        return ""
    return text_of(extra.get("question")) or question_of(extra.get("raw_prompt"))


def _result(grade: Grade) -> dict[str, float | int | str]:
    return RowScore(extra_info(grade, grade.score))


def _grader(kwargs: Mapping[str, Any]) -> Grader:
    given = {name: plain(value) for name, value in kwargs.items() if name not in VERL_ARGUMENTS}
    router = str(kwargs.get("reward_router_address") or "")
    model = str(getattr(kwargs.get("reward_model_tokenizer"), "name_or_path", "") or "")
    try:
        return grader_for(_options(json.dumps(given), router, model))
    except TypeError:  # options given in Python may hold objects of the library
        return grader_for(parse_options(given, router, model))


@lru_cache(maxsize=64)
def _options(given: str, router_address: str, router_model: str) -> Options:
    """Options parsed once, not for each row. The key is JSON, because a dict cannot be one, in the user's order,
    which decides between routes."""
    return parse_options(json.loads(given), router_address, router_model)
