"""Where reward and truth part: each rollout, and how many there are of each kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from training.rollouts import Rollout, Run
from training.steps import flag, rescued

MAX_CHARACTERS = 600
EDGE = 5
"""Steps at both ends of a run whose counts are compared."""


def disagreements(run: Run) -> Iterator[Rollout]:
    """The rollouts whose reward says something else than the truth, in order of steps."""
    for _, rows in sorted(run.steps.items()):
        yield from (row for row in rows if row.accepted != row.right)


def kind(row: Rollout) -> tuple[str, ...]:
    """What tells one sort of disagreement from another: direction, part, why, who decided, status."""
    return (
        "false accept" if row.accepted else "false reject",
        row.part,
        row.verdict,
        decided_by(row),
        str(row.columns.get("hv_status", "")),
    )


def decided_by(row: Rollout) -> str:
    """Who said the reward: a rule, the judge, nobody (no grade); rows without our columns do not say."""
    columns = row.columns
    if "hv_graded" not in columns:
        return "no columns"
    if not flag(columns, "hv_graded"):
        return "nobody"
    if rescued(columns) or (flag(columns, "hv_judge_asked") and columns.get("hv_rule_outcome") != "correct"):
        return "judge"
    return f"rule: {columns.get('hv_rule_outcome', '')}"


def line(run: str, row: Rollout) -> dict[str, Any]:
    """One disagreement for `gap.jsonl`."""
    direction, part, why, who, status = kind(row)
    return {
        "run": run,
        "step": row.step,
        "kind": direction,
        "part": part,
        "truth": why,
        "decided_by": who,
        "status": status,
        "question": row.truth.question,
        "reference": row.truth.reference,
        "answer": row.answer[:MAX_CHARACTERS],
        "pred": str(row.columns.get("pred", ""))[:MAX_CHARACTERS],
        "reward": row.reward,
        "output": row.output[-MAX_CHARACTERS:],
    }


def counted(run: Run) -> list[dict[str, Any]]:
    """How many of each kind, the most frequent first; in the first and last steps too, so that a rise shows."""
    found: dict[tuple[str, ...], list[Rollout]] = defaultdict(list)
    for row in disagreements(run):
        found[kind(row)].append(row)
    steps = sorted(run.steps)
    first, last = set(steps[:EDGE]), set(steps[-EDGE:])
    return [
        {
            "kind": key[0],
            "part": key[1],
            "truth": key[2],
            "decided_by": key[3],
            "status": key[4],
            "rows": len(rows),
            "first_steps": _among(rows, first),
            "last_steps": _among(rows, last),
            "examples": [shown(row) for row in _different(rows)],
        }
        for key, rows in sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
    ]


def shown(row: Rollout) -> dict[str, Any]:
    return {"step": row.step, "reference": row.truth.reference, "answer": row.answer[:MAX_CHARACTERS]}


def escaped(text: str, limit: int = 80) -> str:
    """Model text as it may stand in a Markdown table: on one line, no markup, no control characters.

    >>> escaped("a|b <b>\\n`x`")
    'a\\\\|b &lt;b&gt; \\\\`x\\\\`'
    """
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    text = f"{text[: limit - 1]}…" if len(text) > limit else text
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\\", "\\\\")
    return "".join(f"\\{c}" if c in "|`*_[]$~#" else c for c in text)


def _among(rows: Iterable[Rollout], steps: set[int]) -> int:
    return sum(row.step in steps for row in rows)


def _different(rows: Iterable[Rollout], count: int = 3) -> list[Rollout]:
    """The latest rows of different questions."""
    latest = {row.truth.question: row for row in rows}
    return list(latest.values())[-count:]
