"""`hybridverify.make_reward`: one object that is called as each trainer calls its reward functions.

    reward = hybridverify.make_reward(policy="addon", judge="embedded")
    GRPOTrainer(reward_funcs=reward, ...)             # TRL; `reward.awaited` where trainers await
    vf.Rubric(funcs=[reward.awaited])                 # verifiers

call_forms.py says which calls are known. The files trl.py, verifiers.py, ms_swift.py, skyrl.py and areal.py beside
this one hold what a trainer wants beyond a call: a signature, a class, an environment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hybridverify.adapters.call_forms import Call, read_call
from hybridverify.adapters.columns import COLUMN_OPTIONS, Columns
from hybridverify.adapters.metrics import PREFIX, step_metrics
from hybridverify.adapters.sources import Source, source_of
from hybridverify.adapters.ungraded import GROUP_MEAN, checked, rewards

from hybridverify.types import Grade

__all__ = ["AwaitedReward", "Reward", "make_reward"]

Paid = float | None | list[float | None]


def make_reward(
    source: Any = None,
    *,
    ungraded: str | float | None = GROUP_MEAN,
    name: str = "hybridverify",
    **options: Any,
) -> Reward:
    """A reward function for any trainer.

    `source`: a configuration file, a mapping, or an object with `grade(samples)`, such as a `Verifier` or a client of
    our server. Without it, `options` are those of the other adapters (options.py), or `base_url=` alone, the
    address of a server. `reference_column=`, `question_column=` and `data_source_column=` name columns that are called
    otherwise than usual. `ungraded`: what a row without a grade earns: the mean of its group where the call holds the
    group (`group_mean`), `None` (`none`), or a number. `name` is what trainers log it under.

    Raises ConfigError, in one line, for wrong options.

    >>> reward = make_reward(cache=None)
    >>> reward(prompts=["6*7?", "6*7?"], completions=["#### 42", "#### 41"], answer=["42", "42"])
    [1.0, 0.0]
    >>> reward(prompt="6*7?", completion=[{"role": "assistant", "content": "It is 42."}], answer="42")
    1.0
    """
    columns = Columns(*(str(options.pop(name, "")) for name in COLUMN_OPTIONS))
    return Reward(source_of(source, options), checked(ungraded), columns, name)


class Reward:
    """Called as trainers call; made by `make_reward`. It can be pickled, uses no signals, and may be called from any
    thread.

    Raises InputError, in one line, for a call that is no trainer's, and JudgeUnavailable if the judge stays silent.
    """

    def __init__(
        self,
        source: Source,
        ungraded: str | float = GROUP_MEAN,
        columns: Columns | None = None,
        name: str = "",
    ) -> None:
        self.source, self.ungraded, self.columns = source, ungraded, columns or Columns()
        self.__name__ = name or "hybridverify"

    @property
    def awaited(self) -> AwaitedReward:
        """The same, to be awaited: rows that wait at the same time share their judge batches."""
        return AwaitedReward(self)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """The reward of each row, or of the one row of the call."""
        call = read_call(arguments, named, self.columns)
        return self.pay(call, self.source.grade(call.samples, call.problems), named)

    def pay(self, call: Call, grades: Sequence[Grade], named: Mapping[str, Any]) -> Paid:
        """What the call gets for these grades. Fills the trainer's log if it lent one."""
        paid = rewards(grades, call, self.ungraded)
        if "log_extra" in named and callable(named["log_extra"]):
            _log_columns(named["log_extra"], grades)
        if "log_metric" in named and callable(named["log_metric"]):
            _log_numbers(named["log_metric"], grades)
        return paid[0] if call.single else paid

    def __repr__(self) -> str:
        return f"<{self.__name__}: a reward of hybridverify>"


class AwaitedReward:
    """`Reward` for callers that await. A class with an awaited `__call__`, which TRL and ms-swift look for."""

    def __init__(self, reward: Reward) -> None:
        self.reward = reward
        self.__name__ = reward.__name__

    async def __call__(self, *arguments: Any, **named: Any) -> Any:
        """As `Reward`, without blocking the event loop."""
        call = read_call(arguments, named, self.reward.columns)
        grades = await self.reward.source.agrade(call.samples, call.problems)
        return self.reward.pay(call, grades, named)

    def __repr__(self) -> str:
        return f"<{self.__name__}: an awaited reward of hybridverify>"


def _log_columns(log_extra: Callable[[str, list[Any]], None], grades: Sequence[Grade]) -> None:
    """Columns of TRL's table of completions."""
    log_extra("hv_outcome", [grade.outcome.value for grade in grades])
    log_extra("hv_graded", [grade.graded for grade in grades])
    log_extra("hv_answer", [grade.rule.answer or grade.judge.answer for grade in grades])


def _log_numbers(log_metric: Callable[[str, float], None], grades: Sequence[Grade]) -> None:
    """Shares of the rows of a step."""
    counts = step_metrics(grades)
    rows = counts.pop(f"{PREFIX}rows") or 1
    for name, count in counts.items():
        log_metric(name, count / rows)
