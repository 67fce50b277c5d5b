"""The reward-loop manager of verl 0.6.1 to 0.9.1: one trajectory at a time, awaited.

    reward.reward_manager.source=importlib
    reward.reward_manager.name=HybridRewardManager
    reward.reward_manager.module.path=pkg://hybridverify.adapters.verl_reward_loop
    +reward.reward_kwargs.policy=addon +reward.reward_kwargs.base_url=http://judge:8000/v1 ...

The CLASS name goes into `name`; no release reads `module.name`.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Mapping, Sequence
from typing import Any

from hybridverify.adapters import advantage
from hybridverify.adapters.graders import grader_for
from hybridverify.adapters.options import Options, engine_of, parse_options
from hybridverify.adapters.overlong import completed
from hybridverify.adapters.programs import refuse_sandbox
from hybridverify.adapters.registration import LOOP_BASES, LOOP_REGISTRIES, base_class, register
from hybridverify.adapters.rewards import carried, payment
from hybridverify.adapters.systems import from_reward_model
from hybridverify.adapters.trainer_log import log_in_trainer
from hybridverify.adapters.verl_batch import response_tokens, rows_of

from hybridverify.errors import ConfigError

__all__ = ["HybridRewardManager"]

logger = logging.getLogger(__name__)

FUNCTION_PATH = "reward.custom_reward_function.path=pkg://hybridverify.adapters.reward_function"


_Base: Any = base_class(LOOP_BASES)


class HybridRewardManager(_Base):  # type: ignore[misc]
    """Grades the last output of a trajectory. Rows awaited at the same time share their judge batches.

    Options come from `reward_kwargs` of the configuration (options.py). `compute_score`, which verl fills with its
    own default, is not used. Raises ConfigError for wrong options, and JudgeUnavailable if the judge stays silent
    (outage.py).
    """

    def __init__(
        self,
        config: Any,
        tokenizer: Any,
        compute_score: Any = None,
        reward_router_address: str | None = None,
        reward_model_tokenizer: Any = None,
        **options: Any,
    ) -> None:
        _init_base(super().__init__, config, tokenizer, compute_score)
        self.config, self.tokenizer, self.compute_score = config, tokenizer, compute_score
        self.reward_router_address = reward_router_address
        self.reward_model_tokenizer = reward_model_tokenizer
        self._given = options
        self.options = loop_options(config, reward_router_address or "", options)
        _warn_of_bypass(config)
        grader_for(self.options)  # a fault of the configuration shows here, not at the first reward

    def __reduce__(self) -> Any:
        arguments = (
            self.config,
            self.tokenizer,
            self.compute_score,
            self.reward_router_address,
            self.reward_model_tokenizer,
        )
        return _rebuild, (type(self), arguments, self._given)  # the base keeps an event loop

    async def run_single(self, data: Any) -> dict[str, Any]:
        """`reward_score` and `reward_extra_info` of one trajectory."""
        last = slice(len(data) - 1, len(data))
        rows = rows_of(data, self.tokenizer, drop_tool_tokens=self.options.drop_tool_tokens, part=last)
        grader = grader_for(self.options)
        grader.cut.add(rows.cut)
        problem = rows.problems.get(0)
        grade = grader.unread(problem) if problem else await grader.agrade_one(rows.samples[0])
        paid = payment(rows, [grade], self.options.overlong)
        (reward,) = carried(
            rows, paid.rewards
        )  # for a response without a token verl itself would write it on a pad
        columns = {name: values[0] for name, values in paid.columns.items()}
        return {"reward_score": float(reward), "reward_extra_info": columns}

    @property
    def metrics(self) -> dict[str, float]:
        """The counters of this worker process so far, only numbers (metrics.py)."""
        return grader_for(self.options).metrics()

    @classmethod
    def assemble_rm_scores(cls, data: Any, scores: Sequence[float]) -> Any:
        """The score tensor of a batch (0.8.0 and later). verl's own puts an empty response's score on the last pad."""
        from hybridverify.adapters.reward_tensor import reward_tensor

        return reward_tensor(data.batch["responses"], response_tokens(data), scores)


def loop_options(config: Any, router_address: str = "", given: Mapping[str, Any] | None = None) -> Options:
    """The options in verl's configuration, in the form of any release, and those given by keyword.

    Raises ConfigError for unknown ones, and for a judge that needs a GPU in these workers, which have none.
    """
    reward, legacy = _section(config, "reward"), _section(config, "reward_model")
    kwargs = reward.get("reward_kwargs") or legacy.get("reward_kwargs") or {}
    hosted = reward.get("reward_model") or {}
    model = hosted.get("model_path") or (legacy.get("model") or {}).get("path") or ""
    words = {**from_reward_model(legacy), **dict(kwargs), **(given or {})}
    typed = completed(words, _section(config, "data"), reward, legacy)
    options = parse_options(typed, router_address, str(model))
    for judge in options.settings.get("judges") or ():
        _refuse_engine(judge)
    sections = [section.get("sandbox_fusion") for section in (reward, legacy)]
    refuse_sandbox(options.settings, *sections, _section(config, "sandbox_fusion"))
    return options


def _refuse_engine(judge: Any) -> None:
    if name := engine_of(judge):
        raise ConfigError(
            f"judge backend {name!r} runs in this process, and reward workers have no GPU: give base_url=, "
            "or let verl host the model (reward.reward_model.enable=true)"
        )


def _warn_of_bypass(config: Any) -> None:
    reward = _section(config, "reward")
    hosted = reward.get("reward_model") or {}
    function = reward.get("custom_reward_function") or {}
    if hosted.get("enable") and not function.get("path"):
        logger.warning(
            "reward.reward_model.enable=true without a custom reward function sends every row to verl's own "
            "discriminative scoring and never calls this manager; add %s",
            FUNCTION_PATH,
        )


def _section(config: Any, name: str) -> Any:
    section = config.get(name) if hasattr(config, "get") else getattr(config, name, None)
    return {} if section is None else section


def _init_base(init: Any, config: Any, tokenizer: Any, compute_score: Any) -> None:
    """Arguments of the base class: two before 0.7.1, three later, none without verl."""
    arguments = (config, tokenizer, compute_score)
    if _Base is not object:
        init(*arguments[: len(inspect.signature(init).parameters)])


def _rebuild(kind: Any, arguments: tuple[Any, ...], options: Mapping[str, Any]) -> Any:
    return kind(*arguments, **options)


register(HybridRewardManager, LOOP_REGISTRIES)
advantage.install()
log_in_trainer()  # here, because the trainer's process only loads this class (0.8.0 and later); workers make it
