"""`python -m hybridverify.demo`: grade the example rollouts and print what came of them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from hybridverify.cli.messages import error
from hybridverify.demo import judge_table, outcome_table, run_demo
from hybridverify.errors import HybridVerifyError

_FILE_WIDTH = 110  # of a pipe or log file, which has no width of its own


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m hybridverify.demo", description=__doc__)
    parser.add_argument(
        "--folder", type=Path, default=Path("demo-output"), help="for the output and the cache"
    )
    options = parser.parse_args(arguments)
    try:
        _show(options.folder)
    except HybridVerifyError as fault:
        error(str(fault))
        return fault.exit_code
    return 0


def _show(folder: Path) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = _FILE_WIDTH
    demo = run_demo(folder)
    asked = demo.for_a_judge()
    console.print(outcome_table(demo.rows))
    console.print(
        f"{len(demo.rows)} rollouts graded in {demo.seconds:.1f} s; of {demo.checked} slow checks"
        f" {demo.from_cache} came from the cache in {demo.cache} (run this again to see it at work)."
    )
    rules, judge = len(demo.decided()) - len(demo.by_the_judge()), len(demo.by_the_judge())
    by_whom = f" ({rules} by rules, {judge} by the embedded judge)" if demo.judged else ""
    console.print(
        f"Sure about {len(demo.decided())}, of which {demo.agreeing()} agree with the label{by_whom};"
        f" undecided about {len(demo.left_open())}: these score 0, and never count as right by guess."
    )
    if asked:
        console.print(judge_table(asked, console.width))
    if demo.judged:
        console.print(
            "The embedded judge is asked about answers in words; mathematics that is left stays open."
        )
    else:
        told = "pip install 'hybridverify[embedded]' adds a judge that needs no server and no GPU."
        console.print(told, markup=False)
    console.print(
        "With a larger model served at this address (vllm serve ..., SGLang, or any other), ask it with:\n"
    )
    console.print(demo.command(), soft_wrap=True, markup=False)
    console.print(f"\nRows with their hv_ columns: {demo.out}")


if __name__ == "__main__":
    sys.exit(main())
