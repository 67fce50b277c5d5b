"""Reward functions to copy into a training script: one in the form of TRL's GRPOTrainer, one in the form of verl.

The verifier is made once, not once a batch: it keeps worker processes, and a judge if you name one.
"""

from __future__ import annotations

from typing import Any

from hybridverify.adapters.reward_function import compute_score

import hybridverify as hv

verifier = hv.Verifier()  # add judges=[...] and policy="addon" for a judge


def trl_reward(
    prompts: list[Any], completions: list[Any], answer: list[str], **columns: Any
) -> list[float | None]:
    """For `GRPOTrainer(reward_funcs=trl_reward)` and a column `answer`. None means that the row has no grade: where TRL
    has other reward functions it goes by them, where it has only this one it counts a 0 and warns."""
    rows = zip(prompts, completions, answer, strict=True)
    grades = verifier.grade([hv.Sample(text(reply), right, text(asked)) for asked, reply, right in rows])
    return [grade.score if grade.graded else None for grade in grades]


def text(turns: Any) -> str:
    """TRL gives plain text, or for chat data a list of messages."""
    return turns if isinstance(turns, str) else turns[-1]["content"]


def verl_reward(
    data_source: str, solution_str: str, ground_truth: str, extra_info: Any = None
) -> dict[str, Any]:
    """For verl's `custom_reward_function`; name the adapter there directly unless you want to change the result."""
    result = dict(compute_score(data_source, solution_str, ground_truth, extra_info))
    result["score"] = float(result["score"]) - (0.1 if len(solution_str) > 4000 else 0.0)  # your own penalty
    return result


if __name__ == "__main__":
    chat = [[{"role": "user", "content": "What is 3/4 of 20?"}]] * 3
    replies = [
        [{"role": "assistant", "content": said}] for said in (r"\boxed{15}", r"\boxed{16}", "No idea.")
    ]
    print("TRL: ", trl_reward(chat, replies, ["15", "15", "15"]))
    print("verl:", verl_reward("openai/gsm8k", "20 / 4 * 3 = 15\n#### 15", "15")["score"])
