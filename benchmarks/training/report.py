"""Rewards held against the truth: `python benchmarks/training/report.py --data DATA --out OUT RUN [RUN ...]`.

DATA is the folder that `task.py` wrote, a RUN what `rollouts.py` describes. Writes `report.json` (every step of every
run), `report.md` (tables), `gap.jsonl` (each rollout where reward and truth part), and with matplotlib two plots:
`accuracy` and `cost`, as .png and .svg.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from training.gap import counted, disagreements, line
from training.rollouts import Run, questions, read_run
from training.steps import all_steps, all_validations, ends
from training.tables import page


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("runs", type=Path, nargs="+", metavar="RUN")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--no-plots", action="store_true")
    options = parser.parse_args()
    known = questions(options.data)
    runs = [read_run(folder, known) for folder in options.runs]
    for said in write(runs, options.out, plots=not options.no_plots):
        print(said)


def write(runs: Sequence[Run], out: Path, plots: bool = True) -> list[str]:
    """All files; what is said of them."""
    out.mkdir(parents=True, exist_ok=True)
    told = [report(run) for run in runs]
    (out / "report.json").write_text(
        json.dumps({"runs": told}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    (out / "report.md").write_text(page(told), encoding="utf-8")
    with (out / "gap.jsonl").open("w", encoding="utf-8") as file:
        for run in runs:
            for row in disagreements(run):
                file.write(json.dumps(line(run.name, row), ensure_ascii=True) + "\n")
    said = [_said(one) for one in told]
    if not plots:
        return said
    try:
        from training.plots import draw
    except ImportError as error:
        return [*said, f"no plots: {error}"]
    draw(told, out)
    return said


def report(run: Run) -> dict[str, Any]:
    """All numbers of one run."""
    steps = all_steps(run)
    return {
        "name": run.name,
        "meta": run.meta,
        "rows": sum(step["rows"] for step in steps),
        "unmatched_rows": run.unmatched,
        "unread_lines": run.unread,
        "recorded_rewards": run.rewards,
        "rows_without_record": run.columns_missing,
        **ends(steps),
        "gap": counted(run),
        "validation": all_validations(run),
        "steps": steps,
    }


def _said(one: dict[str, Any]) -> str:
    faults = [
        f"{one[name]} {name}"
        for name in ("unmatched_rows", "unread_lines", "rows_without_record")
        if one[name]
    ]
    return ", ".join([f"{one['name']}: {len(one['steps'])} steps, {one['rows']} rows", *faults])


if __name__ == "__main__":
    main()
