"""SkyRL's own gym with our environment: registered, made, and one step taken."""

from __future__ import annotations

from typing import Any

import pytest
import skyrl_gym
import toy
from omegaconf import OmegaConf
from skyrl_gym.envs.base_text_env import BaseTextEnv

from hybridverify.errors import ConfigError, InputError

ENTRY = "hybridverify.adapters.skyrl:HybridEnv"


@pytest.fixture(autouse=True)
def registered() -> Any:
    if "hybridverify" not in skyrl_gym.registry:
        skyrl_gym.register(id="hybridverify", entry_point=ENTRY)


def env(options: dict[str, Any], reference: Any, question: str = "What is 6*7?") -> Any:
    """As SkyRL's generator makes it."""
    extras = {
        "reward_spec": {"method": "rule", "ground_truth": reference},
        "data_source": "toy",
        "max_turns": 1,
    }
    made = skyrl_gym.make("hybridverify", env_config=OmegaConf.create(options), extras=extras)
    prompt, _ = made.init([{"role": "user", "content": question}])
    assert prompt[-1]["content"] == question
    return made


def test_one_step_gives_the_reward_and_ends() -> None:
    for question, response, reference, reward in toy.SUMS:
        made = env({"cache": None}, reference, question)
        assert isinstance(made, BaseTextEnv)
        step = made.step(response)
        assert (step["reward"], step["done"], step["observations"]) == (reward, True, [])
        assert step["metadata"]["hv_graded"] == 1
        assert made.get_metrics() == {"hv_graded": 1.0, "hv_judge_asked": 0.0}


def test_a_row_without_a_grade_earns_0_or_the_number_and_says_so() -> None:
    for more, expected in [({}, 0.0), ({"ungraded": 0.25}, 0.25)]:
        made = env(toy.judged(**more), toy.REFERENCE, toy.QUESTION)
        step = made.step(toy.LOST)
        assert step["reward"] == expected
        assert (step["metadata"]["hv_graded"], step["metadata"]["hv_status"]) == (0, "unparseable")
    metrics = BaseTextEnv.aggregate_metrics([made.get_metrics(), {"hv_graded": 1.0, "hv_judge_asked": 0.0}])
    assert metrics["hv_graded"] == 0.5


def test_the_advantage_of_such_a_row_is_that_of_a_wrong_one() -> None:
    """A stand-in for the trainer's own group mean: the gym alone is installed here."""
    paid = [env(toy.judged(), toy.REFERENCE, toy.QUESTION).step(said)["reward"] for said in toy.GROUP]
    mean = sum(paid) / len(paid)
    assert [reward - mean for reward in paid] == [0.75, -0.25, -0.25, -0.25]


def test_faults_are_one_line() -> None:
    with pytest.raises(InputError, match=r"^SkyRL row: no reward_spec\.ground_truth; add reward_spec"):
        skyrl_gym.make("hybridverify", env_config={"cache": None}, extras={})
    with pytest.raises(ConfigError, match=r"^option 'polcy': no such option; did you mean 'policy'\?$"):
        env({"polcy": "rule_only"}, "42")
