"""The reward-model worker of verl 0.4.1 to 0.7.0: a judge in the worker's own GPU memory, `rm_scores` out.

Placed under `Role.RewardModel` by verl_main.py (`reward_model.strategy=verifier`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from hybridverify.adapters.graders import grader_for
from hybridverify.adapters.options import parse_options
from hybridverify.adapters.reward_tensor import reward_tensor
from hybridverify.adapters.rewards import payment
from hybridverify.adapters.systems import from_reward_model
from hybridverify.adapters.verl_batch import rows_of
from verl import DataProto
from verl.single_controller.base import Worker
from verl.single_controller.base.decorator import Dispatch, register

__all__ = ["HybridRewardModelWorker"]


class HybridRewardModelWorker(Worker):  # type: ignore[misc]
    """Grades its shard of the batch. `config` is verl's `reward_model` section. Options are its `worker_kwargs`
    (verl_main.py), else its `reward_kwargs`.

    Each worker holds one engine, which sleeps between two uses if the backend can.
    """

    def __init__(self, config: Any, role: str = "reward") -> None:
        Worker.__init__(self)
        self.config = config
        given = config.get("worker_kwargs") or config.get("reward_kwargs") or {}
        self.options = parse_options({**from_reward_model(config), **dict(given)})
        self.tokenizer: Any = None

    @register(dispatch_mode=Dispatch.ONE_TO_ALL)  # type: ignore[untyped-decorator]
    def init_model(self) -> None:
        """Load the policy's tokenizer and check the options. The engine itself starts at first use."""
        from verl.utils import hf_tokenizer
        from verl.utils.fs import copy_to_local

        model = self.config.model
        folder = model.get("input_tokenizer") or model.path
        self.tokenizer = hf_tokenizer(
            copy_to_local(folder), trust_remote_code=model.get("trust_remote_code", False)
        )
        grader_for(self.options)

    @register(dispatch_mode=Dispatch.DP_COMPUTE_PROTO)  # type: ignore[untyped-decorator]
    def compute_rm_score(self, data: Any) -> Any:
        """`rm_scores`, a tensor of the shape of `responses` that is zero except for the last valid token, and the
        extra columns."""
        data = data.to("cpu")
        rows = rows_of(data, self.tokenizer, drop_tool_tokens=self.options.drop_tool_tokens)
        grader = grader_for(self.options)
        grader.cut.add(rows.cut)
        with grader.awake():
            grades = grader.grade_rows(rows.samples, rows.problems)
        paid = payment(
            rows, grades, self.options.overlong
        )  # a shard need not hold a whole group, so there are no means
        extra = paid.columns
        return DataProto.from_dict(
            tensors={"rm_scores": reward_tensor(data.batch["responses"], rows.response_tokens, paid.rewards)},
            non_tensors={name: np.array(values, dtype=object) for name, values in extra.items()},
            meta_info={"reward_extra_keys": list(extra)},
        )

    @register(dispatch_mode=Dispatch.ONE_TO_ALL)  # type: ignore[untyped-decorator]
    def start_profile(self, **kwargs: Any) -> None:
        """Does nothing. The trainer calls it on every worker."""

    @register(dispatch_mode=Dispatch.ONE_TO_ALL)  # type: ignore[untyped-decorator]
    def stop_profile(self) -> None:
        """See `start_profile`."""
