"""The report as Markdown: quality, cost, and the kinds of disagreement."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from training.gap import escaped
from training.steps import RATES
from training.task import PARTS

MAX_KINDS = 12


def page(told: Sequence[dict[str, Any]]) -> str:
    """The whole page."""
    sections = [
        "# Training runs",
        "First → last: means of the first and the last five steps. Shares are of all rollouts of a step.",
        quality(told),
        cost(told),
        held_out(told),
        *(kinds(one) for one in told),
    ]
    return "\n\n".join(section for section in sections if section) + "\n"


def quality(told: Sequence[dict[str, Any]]) -> str:
    """Reward and truth, first and last."""
    head = [
        "run",
        "steps",
        "reward",
        "true",
        *(f"true: {part}" for part in PARTS),
        *(n.replace("_", " ") for n in RATES[2:]),
    ]
    rows = []
    for one in told:
        first, last = one["first"], one["last"]
        moves = [share_move(first.get(name), last.get(name)) for name in RATES]
        parts = [
            share_move(first.get("true_by_part", {}).get(part), last.get("true_by_part", {}).get(part))
            for part in PARTS
        ]
        reward = f"{plain(first.get('reward'), 3)} → {plain(last.get('reward'), 3)}"
        rows.append([escaped(one["name"]), str(len(one["steps"])), reward, moves[1], *parts, *moves[2:]])
    return table(head, rows)


def cost(told: Sequence[dict[str, Any]]) -> str:
    """Seconds a step, over the whole run but its first step, which compiles and warms up."""
    from training.steps import averaged

    names = ["step", "rollout", "reward_busy", "reward_row", "reward_after", "log_probs", "update", "weights"]
    head = ["run", *(f"{name.replace('_', ' ')} (s)" for name in names), "tokens a response", "tokens/s"]
    rows = []
    for one in told:
        usual = averaged(one["steps"][1:] or one["steps"])
        seconds = usual.get("seconds", {})
        rows.append(
            [
                escaped(one["name"]),
                *(plain(seconds.get(name), 3 if name == "reward_row" else 2) for name in names),
                plain(usual.get("tokens_per_response"), 0),
                plain(usual.get("tokens_per_second"), 0),
            ]
        )
    return table(head, rows)


def held_out(told: Sequence[dict[str, Any]]) -> str:
    """True accuracy on the test questions, where a run kept its validations."""
    rows = [
        [
            escaped(one["name"]),
            str(check["step"]),
            share(check["reward"]),
            share(check["true"]),
            *(share(check["true_by_part"][part]) for part in PARTS),
        ]
        for one in told
        for check in one["validation"]
    ]
    head = ["held-out test", "step", "reward", "true", *(f"true: {part}" for part in PARTS)]
    return table(head, rows) if rows else ""


def kinds(one: dict[str, Any]) -> str:
    """The most frequent disagreements of a run, with one example each."""
    rows = [
        [
            gap["kind"],
            gap["part"],
            gap["truth"],
            gap["decided_by"],
            gap["status"],
            str(gap["rows"]),
            f"{gap['first_steps']} → {gap['last_steps']}",
            escaped(gap["examples"][-1]["reference"], 40),
            escaped(gap["examples"][-1]["answer"], 60),
        ]
        for gap in one["gap"][:MAX_KINDS]
    ]
    head = ["reward", "part", "truth", "decided by", "status", "rows", "first → last", "reference", "answer"]
    return f"## {escaped(one['name'])}: where reward and truth part\n\n{table(head, rows)}" if rows else ""


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def share_move(first: float | None, last: float | None) -> str:
    return f"{share(first)} → {share(last)}"


def share(value: float | None) -> str:
    """
    >>> share(0.1234), share(None)
    ('12.3 %', '-')
    """
    return "-" if value is None else f"{100 * value:.1f} %"


def plain(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"
