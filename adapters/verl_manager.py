"""The classic reward manager of verl 0.4.1 to 0.7.0: called with a whole batch, gives a tensor.

    import hybridverify.adapters.verl_manager            # registers the name, see verl_main.py
    reward_model.reward_manager=hybridverify +reward_model.reward_kwargs.policy=addon

Later releases never call it; they take `verl_reward_loop`.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import Any

from hybridverify.adapters import advantage
from hybridverify.adapters.examine import print_rows
from hybridverify.adapters.graders import grader_for
from hybridverify.adapters.metrics import step_metrics
from hybridverify.adapters.options import parse_options
from hybridverify.adapters.registration import CLASSIC_BASES, CLASSIC_REGISTRIES, base_class, register
from hybridverify.adapters.reward_tensor import reward_tensor
from hybridverify.adapters.rewards import payment
from hybridverify.adapters.trainer_log import log_in_trainer
from hybridverify.adapters.verl_batch import rows_of

with suppress(ImportError):  # no verl
    from hybridverify.adapters.verl_worker import HybridRewardModelWorker

__all__ = ["HybridRewardManager", "HybridRewardModelWorker"]

logger = logging.getLogger(__name__)


_Base: Any = base_class(CLASSIC_BASES)


class HybridRewardManager(_Base):  # type: ignore[misc]
    """Grades a whole batch. Keyword arguments beyond verl's four are options (options.py).

    `compute_score`, which verl fills with its own default, is not used: the options decide what is asked. `metrics`
    holds the numbers of the last batch and of this process so far (metrics.py). Raises ConfigError for wrong options,
    and JudgeUnavailable if the judge stays silent (outage.py).
    """

    def __init__(
        self,
        tokenizer: Any,
        num_examine: int,
        compute_score: Any = None,
        reward_fn_key: str = "data_source",
        **options: Any,
    ) -> None:
        self.tokenizer = tokenizer
        self.num_examine = num_examine
        self.compute_score = compute_score
        self.reward_fn_key = reward_fn_key
        self.options = parse_options(options)
        self.metrics: dict[str, float] = {}
        log_in_trainer()
        grader_for(
            self.options
        )  # a fault of the configuration shows here, not in the middle of the first step

    def __call__(self, data: Any, return_dict: bool = False) -> Any:
        """The reward tensor, shape (rows, longest response); with `return_dict` also the columns of `EXTRA_KEYS`."""
        if "rm_scores" in data.batch.keys():  # noqa: SIM118 - a TensorDict refuses `in` without keys()
            return self._given(data, return_dict)
        rows = rows_of(data, self.tokenizer, self.reward_fn_key, self.options.drop_tool_tokens)
        grader = grader_for(self.options)
        grader.cut.add(rows.cut)
        grades = grader.grade_rows(rows.samples, rows.problems)
        self.metrics = {**step_metrics(grades), "hv/without_tools": rows.cut, **grader.metrics()}
        logger.info("%s", self.metrics)
        paid = payment(rows, grades, self.options.overlong, by_group=True)
        tensor = reward_tensor(data.batch["responses"], rows.response_tokens, paid.rewards)
        print_rows(rows.samples, grades, paid.rewards, self.num_examine)
        if not return_dict:
            return tensor
        return {"reward_tensor": tensor, "reward_extra_info": paid.columns}

    def _given(self, data: Any, return_dict: bool) -> Any:
        """The scores that a reward model put into the batch, unchanged."""
        tensor = data.batch["rm_scores"]
        if not return_dict:
            return tensor
        names = data.meta_info.get("reward_extra_keys", [])
        extra = {name: data.non_tensor_batch[name] for name in names if name in data.non_tensor_batch}
        return {"reward_tensor": tensor, "reward_extra_info": extra}


register(HybridRewardManager, CLASSIC_REGISTRIES)
advantage.install()
