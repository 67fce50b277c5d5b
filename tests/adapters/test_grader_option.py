"""A trainer's option `grader`: another system's numbers, on its own scale, and a log line that says so."""

from __future__ import annotations

from pathlib import Path

from hybridverify.adapters.options import parse_options
from hybridverify.adapters.reward_function import compute_score


def test_the_reward_function_pays_what_that_system_pays() -> None:
    rewards = [compute_score("math", text, "7", grader="math_dapo_answer") for text in ("Answer: 7", "so 7")]
    assert [reward["score"] for reward in rewards] == [1.0, -1.0]
    assert [reward["acc"] for reward in rewards] == [1.0, 0.0]


def test_the_log_names_the_grader_and_a_named_judge_is_asked() -> None:
    told = parse_options({"grader": "hendrycks", "judge": "tinyv", "base_url": "http://j/v1", "model": "m"})
    assert told.describe().startswith("grader hendrycks, policy addon")
    assert told.settings["policy"] == {"name": "addon", "trust_reject": False}


def test_the_option_goes_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / "conf.yaml"
    file.write_text("grader: math_dapo\n", "utf-8")
    told = parse_options({"config": str(file), "grader": "hendrycks"})
    assert told.describe().startswith("grader hendrycks, policy rule_only")
    assert told.settings["reward"] is None
