"""AReaL: a reward function for its workflows, which run it in processes of their own.

    from hybridverify.adapters.areal import reward_function

    workflow = RLVRWorkflow(reward_fn=reward_function(policy="addon", judge="embedded"), ...)

It can be pickled; each process makes its own verifier at the first row. AReaL stops waiting after its `timeout_seconds`
(15) and pays 0: a judge that may take longer needs `AsyncRewardWrapper(reward, timeout_seconds=...)`. A call is one row
without its group: a row without a grade earns 0.0, or `ungraded`.
"""

from __future__ import annotations

from typing import Any

from hybridverify.adapters.any_trainer import Reward, make_reward
from hybridverify.adapters.ungraded import NONE, checked

from hybridverify.errors import ConfigError

__all__ = ["reward_function"]


def reward_function(source: Any = None, **options: Any) -> ArealReward:
    """`make_reward` with AReaL's signature; the arguments are the same.

    >>> reward_function(cache=None)("6*7?", "It is 42.", [1], [2], answer="42")
    1.0
    """
    if checked(options.get("ungraded", 0.0)) == NONE:
        raise ConfigError("ungraded: AReaL wants a number for every row; take one")
    made = make_reward(source, **options)
    return ArealReward(made.source, made.ungraded, made.columns, made.__name__)


class ArealReward(Reward):
    """`Reward`, called in AReaL's way only."""

    def __call__(
        self, prompt: Any, completions: str, prompt_ids: Any = None, completion_ids: Any = None, **data: Any
    ) -> float:
        """The reward of one response. AReaL's prompt is the chat as the model reads it, with the marks of its template
        and the system's message; the row's own chat says better what was asked."""
        asked = {} if data.get("messages") and not self.columns.question else {"prompt": prompt}
        return float(super().__call__(completion=completions, **asked, **data))
