"""inspect_ai: a scorer.

    from hybridverify.adapters.inspect_ai import hybridverify

    Task(dataset=..., solver=generate(), scorer=hybridverify(policy="addon", judge="embedded"))

A sample that nobody could decide is unscored: its score is kept with the reason, and metrics leave it out. The target's
texts are the references, of which any one may match; `metadata["data_source"]` picks a route.
"""

from __future__ import annotations

from typing import Any

from hybridverify.adapters.cells import meta_of, text_of
from hybridverify.adapters.sources import source_of
from hybridverify.adapters.status import extra_info
from inspect_ai.scorer import CORRECT, INCORRECT, Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import TaskState

from hybridverify.types import Grade, Outcome, Sample

__all__ = ["hybridverify", "score_of"]


@scorer(metrics=[accuracy(), stderr()])  # type: ignore[untyped-decorator]
def hybridverify(config: Any = None, **options: Any) -> Scorer:
    """Grades the model's output. `config`: a file, a mapping or an object with `grade`; `options`: see make_reward."""
    source = source_of(config, options, training=False)

    async def score(state: TaskState, target: Target) -> Score:
        metadata = state.metadata or {}
        sample = Sample(
            state.output.completion,
            tuple(text for text in target if text),
            state.input_text,
            text_of(metadata.get("data_source")),
            meta_of(metadata),
        )
        (grade,) = await source.agrade([sample], {})
        return score_of(grade)

    return score


def score_of(grade: Grade) -> Score:
    """A grade as inspect_ai's score: `C`, `I`, a number for partial credit, or unscored."""
    told = {**extra_info(grade, grade.score), "hv_policy": grade.policy, "hv_fingerprint": grade.fingerprint}
    answer = grade.rule.answer or grade.judge.answer or None
    reason = str(grade.to_dict()["reason"])
    why = f"{grade.outcome}: {reason}" if reason else str(grade.outcome)
    if not grade.graded or grade.outcome is Outcome.UNDECIDED:
        failed = "grader_failed" if grade.judge_asked else "scoring_failed"
        return Score.unscored(reason=failed, answer=answer, explanation=why, metadata=told)
    if grade.outcome is Outcome.PARTIAL:
        return Score(value=grade.score, answer=answer, explanation=why, metadata=told)
    value = CORRECT if grade.outcome is Outcome.CORRECT else INCORRECT
    return Score(value=value, answer=answer, explanation=why, metadata=told)
