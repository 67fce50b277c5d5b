"""ms-swift: an ORM class for `--external_plugins`.

    # plugin.py, given as --external_plugins plugin.py --reward_funcs hybridverify
    from swift.rewards import orms
    from hybridverify.adapters.ms_swift import HybridORM

    class Ours(HybridORM):
        options = {"policy": "addon", "judge": "embedded"}

    orms["hybridverify"] = Ours

ms-swift sums rewards without the missing ones, so that `None` is paid as 0: a row without a grade earns the mean of
its group. Works without ms-swift, which only calls what it is given.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from hybridverify.adapters.any_trainer import make_reward

__all__ = ["AsyncHybridORM", "HybridORM"]


class HybridORM:
    """Called by ms-swift with the completions of a batch and the columns of its rows."""

    options: ClassVar[Mapping[str, Any]] = {}
    """The arguments of `make_reward`."""

    def __init__(self, args: Any = None, **_: Any) -> None:
        self.args = args
        self.reward = make_reward(**self.options)

    def __call__(self, completions: Any, **columns: Any) -> Any:
        """The reward of each completion."""
        return self.reward(completions=completions, **columns)


class AsyncHybridORM(HybridORM):
    """The same, awaited: ms-swift runs it beside other awaited rewards."""

    async def __call__(self, completions: Any, **columns: Any) -> Any:
        """The reward of each completion."""
        return await self.reward.awaited(completions=completions, **columns)
