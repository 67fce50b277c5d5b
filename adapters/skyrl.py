"""SkyRL: an environment of one turn whose reward is ours.

    from skyrl_gym.envs import register

    register(id="hybridverify", entry_point="hybridverify.adapters.skyrl:HybridEnv")

Rows name it by `env_class: hybridverify` and bring `reward_spec: {ground_truth: ...}`. Options are the keys of
`environment.skyrl_gym.hybridverify`, or the class attribute `options` of a class of your own. An environment sees one
row and no group: a row without a grade earns 0.0, or `ungraded`, and its metadata and metrics say so.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, ClassVar

from hybridverify.adapters.any_trainer import make_reward
from hybridverify.adapters.call_forms import one_row
from hybridverify.adapters.options import plain
from hybridverify.adapters.status import extra_info

from hybridverify.errors import InputError

__all__ = ["HybridEnv"]

_Base: Any = object
with suppress(ImportError):  # no SkyRL
    _Base = importlib.import_module("skyrl_gym.envs.base_text_env").BaseTextEnv


class HybridEnv(_Base):  # type: ignore[misc]
    """Grades the first action and is done."""

    options: ClassVar[Mapping[str, Any]] = {}
    """The arguments of `make_reward`; keys of the environment's configuration override them."""

    def __init__(self, env_config: Any = None, extras: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        self.extras = dict(extras or {})
        spec = self.extras.get("reward_spec")
        if not isinstance(spec, Mapping) or "ground_truth" not in spec:
            raise InputError("SkyRL row: no reward_spec.ground_truth; add reward_spec: {ground_truth: ...}")
        self.reward = make_reward(**{**self.options, **plain(env_config or {})})
        self.prompt: Any = self.extras.get("prompt", "")
        self.metrics: dict[str, Any] = {}

    def init(self, prompt: Any) -> tuple[Any, dict[str, Any]]:
        """The first prompt, as it is."""
        self.prompt = prompt
        return prompt, {}

    def step(self, action: str) -> dict[str, Any]:
        """The reward of the answer; there is no second turn."""
        named = {**self.extras, "prompt": self.prompt, "reward_model": self.extras["reward_spec"]}
        call = one_row(action, _of_row(named), self.reward.columns)
        (grade,) = self.reward.source.grade(call.samples, call.problems)
        reward = self.reward.pay(call, [grade], {})
        self.metrics = {"hv_graded": float(grade.graded), "hv_judge_asked": float(grade.judge_asked)}
        metadata = extra_info(grade, float(reward))  # type: ignore[arg-type]
        return {"observations": [], "reward": reward, "done": True, "metadata": metadata}

    def get_metrics(self) -> dict[str, Any]:
        """Numbers of this episode for SkyRL's log."""
        return self.metrics


def _of_row(named: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that a grade needs; `reward_spec` is the only reference."""
    kept = ("question", "prompt", "data_source", "extra_info", "reward_model")
    return {name: named[name] for name in kept if name in named}
