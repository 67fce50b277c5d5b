"""verifiers: rewards for a `Rubric` (up to 0.3), for a rollout or a whole group, and for tasks of `verifiers.v1`.

    from hybridverify.adapters.verifiers import group_reward

    rubric = vf.Rubric(funcs=[group_reward(policy="addon", judge="embedded")])

A rubric takes an exception for 0.0, a task takes it for an error of the rollout. A row without a grade earns its
group's mean in `group_reward`. In `rollout_reward` there is no group: it earns 0.0, which teaches "wrong".
`trace_reward` raises there by default, so that the rollout is marked as failed and trainers leave it out.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from hybridverify.adapters.any_trainer import make_reward
from hybridverify.adapters.call_forms import one_row, rows
from hybridverify.adapters.ungraded import GROUP_MEAN, NONE

from hybridverify.errors import ConfigError, HybridVerifyError

__all__ = ["UngradedRollout", "group_reward", "rollout_reward", "trace_reward"]


class UngradedRollout(HybridVerifyError):
    """Nobody could tell whether this rollout is right."""


def rollout_reward(source: Any = None, **options: Any) -> Callable[..., Coroutine[Any, Any, float]]:
    """A reward function for one rollout. The arguments are those of `make_reward`."""
    reward = _made(source, options).awaited

    async def hybridverify(prompt: Any, completion: Any, answer: Any = "", **fields: Any) -> Any:
        return await reward(prompt=prompt, completion=completion, answer=answer, **fields)

    return _named(hybridverify, reward.__name__)


def group_reward(source: Any = None, **options: Any) -> Callable[..., Coroutine[Any, Any, list[float]]]:
    """A reward function for all rollouts of a prompt. The arguments are those of `make_reward`."""
    reward = _made(source, options)

    async def hybridverify(prompts: Any, completions: Any, answers: Any, states: Any = None) -> Any:
        own = (reward.columns.reference, reward.columns.question, reward.columns.data_source or "data_source")
        cells = {name: [_cell(state, name) for state in states or ()] for name in own if name}
        named = {"prompts": prompts, "answers": answers, **{n: c for n, c in cells.items() if any(c)}}
        call = rows(completions, named, reward.columns, takes_none=False)
        return reward.pay(call, await reward.source.agrade(call.samples, call.problems), {})

    return _named(hybridverify, reward.__name__)


def trace_reward(
    source: Any = None, *, ungraded: str | float | None = NONE, **options: Any
) -> Callable[..., Coroutine[Any, Any, float]]:
    """A reward `(task, trace)` of `verifiers.v1`: to be plugged in by its path, or called in a `@vf.reward` method.

    The reference is the task's field `answer`, or another usual name. Raises UngradedRollout for a row without a
    grade, unless `ungraded` is a number.
    """
    if ungraded == GROUP_MEAN:
        raise ConfigError(
            "ungraded: a task of verifiers.v1 sees one rollout and no group; take 'none' or a number"
        )
    reward = make_reward(source, ungraded=ungraded, **options)

    async def hybridverify(task: Any, trace: Any) -> float:
        fields = task.model_dump() if hasattr(task, "model_dump") else dict(vars(task))
        call = one_row(trace.last_reply, fields, reward.columns)
        (grade,) = await reward.source.agrade(call.samples, call.problems)
        if not grade.graded and reward.ungraded == NONE:
            why = grade.judge.reason or grade.rule.reason
            raise UngradedRollout(f"no grade for this rollout, {grade.outcome}: {why}")
        return float(reward.pay(call, [grade], {}))  # type: ignore[arg-type]

    return _named(hybridverify, reward.__name__)


def _cell(state: Any, name: str) -> Any:
    """A field of a rollout's row, which is its input."""
    row = state.get("input") or {}
    return row.get(name) if name in row else state.get(name)


def _made(source: Any, options: dict[str, Any]) -> Any:
    if options.get("ungraded", GROUP_MEAN) in (None, NONE):
        raise ConfigError(
            "ungraded: a rubric of verifiers wants a number for every rollout; take 'group_mean' or one"
        )
    return make_reward(source, **options)


def _named(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    function.__name__ = name
    return function
