"""ms-swift's own reward and advantage code with our ORM class, without its training."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
import torch
import toy

pytest.importorskip("swift", reason="ms-swift is not installed")

from hybridverify.adapters.ms_swift import AsyncHybridORM, HybridORM
from swift.rewards import orms
from swift.rl_core.advantage import compute_advantages
from swift.rl_core.data import GRPOSample
from swift.rl_core.grpo_algorithm import compute_rewards_per_func


class Ours(HybridORM):
    options: ClassVar[dict[str, Any]] = {"cache": None}


class Judged(HybridORM):
    options: ClassVar[dict[str, Any]] = toy.judged()


class Awaited(AsyncHybridORM):
    options: ClassVar[dict[str, Any]] = toy.judged()


class AsNone(HybridORM):
    options: ClassVar[dict[str, Any]] = toy.judged(ungraded="none")


def samples(rows: list[tuple[str, str, str]]) -> list[GRPOSample]:
    return [
        GRPOSample(
            messages=[{"role": "user", "content": question}, {"role": "assistant", "content": said}],
            extra={"solution": reference},
            request_id=str(i),
        )
        for i, (question, said, reference) in enumerate(rows)
    ]


def rewards(kind: Any, rows: list[tuple[str, str, str]]) -> torch.Tensor:
    orms["hybridverify"] = kind
    made = orms["hybridverify"](args=None)
    return compute_rewards_per_func(samples(rows), [made], [None], torch.device("cpu"))


GROUP = [(toy.QUESTION, said, toy.REFERENCE) for said in toy.GROUP]


def advantages(kind: Any) -> list[float]:
    paid = rewards(kind, GROUP)
    found, _ = compute_advantages(paid, torch.ones(1), num_generations=4, scale_rewards="none")
    return found.tolist()


def test_the_rewards_of_a_batch() -> None:
    paid = rewards(Ours, [(q, said, reference) for q, said, reference, _ in toy.SUMS])
    assert paid[:, 0].tolist() == [reward for *_, reward in toy.SUMS]


@pytest.mark.parametrize("kind", [Judged, Awaited])
def test_a_row_without_a_grade_has_no_advantage(kind: Any) -> None:
    assert advantages(kind) == pytest.approx([2 / 3, -1 / 3, -1 / 3, 0.0], abs=1e-6)


def test_none_would_be_summed_to_0_which_is_wrong() -> None:
    assert advantages(AsNone) == pytest.approx([0.75, -0.25, -0.25, -0.25], abs=1e-6)


def test_the_lines_of_the_page() -> None:
    kind = toy.page("ms_swift")["Ours"]
    assert orms["hybridverify"] is kind
    assert rewards(kind, [("What is 6*7?", r"\boxed{42}", "42")])[:, 0].tolist() == [1.0]
