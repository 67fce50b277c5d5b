"""TRL: a reward function for `GRPOTrainer` and `RLOOTrainer`, with TRL's own signature.

    from hybridverify.adapters.trl import reward_function

    GRPOTrainer(reward_funcs=reward_function(policy="addon", judge="embedded"), ...)

The reference is the column `answer`, `solution` or another usual name. TRL's table of completions gets the columns
`hv_outcome`, `hv_graded` and `hv_answer`, its log the shares of rows that were asked, rescued and left ungraded. In a
run over several processes a group may be split, and a call sees its part only: there `ungraded="none"` is exact.
"""

from __future__ import annotations

from typing import Any

from hybridverify.adapters.any_trainer import AwaitedReward, Reward, make_reward

__all__ = ["async_reward_function", "reward_function"]


def reward_function(source: Any = None, **options: Any) -> TrlReward:
    """`make_reward` with TRL's signature; the arguments are the same.

    >>> accuracy = reward_function(cache=None)
    >>> accuracy(prompts=["6*7?"], completions=[[{"role": "assistant", "content": "It is 42."}]], answer=["42"])
    [1.0]
    """
    made = make_reward(source, **options)
    return TrlReward(made.source, made.ungraded, made.columns, made.__name__)


def async_reward_function(source: Any = None, **options: Any) -> AwaitedReward:
    """The awaited form: TRL runs it beside other awaited rewards."""
    return reward_function(source, **options).awaited


class TrlReward(Reward):
    """`Reward`, called in TRL's way only."""

    def __call__(self, prompts: Any, completions: Any, **columns: Any) -> Any:
        """The reward of each completion."""
        return super().__call__(prompts=prompts, completions=completions, **columns)
