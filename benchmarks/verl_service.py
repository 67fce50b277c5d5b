"""verl's managers with a verifier of their own against the same managers with one service for all of them.

    .venv-verl/bin/python benchmarks/verl_service.py [--rows 2048] [--answers 8] [--rounds 5] [--kinds 0 1] [--json OUT]

Both ways get the same rows in the same round, in turn: the classic manager a batch, and the reward loop's manager one
trajectory at a time, all awaited at once, as verl's reward worker does. Rows are decided by rules. Processor time is
that of this process, with that of the service added; what workers prove is the same for both. Ratios are taken within a
round, then the median. Ends 1 if one of them pays another reward.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from hybridverify.adapters.graders import close_graders
from hybridverify.adapters.verl_manager import HybridRewardManager
from hybridverify.adapters.verl_reward_loop import HybridRewardManager as LoopManager
from omegaconf import OmegaConf
from service import running_s, serving
from verl_figures import asked, tell
from verl_manager import ROWS, WORDS, batch_of, load_tokenizer

SETTINGS: dict[str, Any] = {"cache": None, "workers": 2}
WAYS = ("here", "service")
Figures = dict[str, float]


def main() -> int:
    """The exit code."""
    arguments = asked(str(__doc__), rows=2048, rounds=5, kinds=[0, 1])
    logging.getLogger("hybridverify").setLevel(logging.ERROR)
    tokenizer = load_tokenizer(arguments.tokenizer)
    kinds = [name for name in ROWS if name != WORDS]
    with serving(SETTINGS) as (address, process):
        figures = {
            f"{name}, {kinds[kind]}": measure(
                make(tokenizer, address), kinds[kind], tokenizer, arguments, str(process.pid)
            )
            for kind in arguments.kinds
            for name, make in MANAGERS.items()
        }
    close_graders()
    title = "rows a second, and the service's share of them (medians of the rounds)"
    tell(figures, arguments.json, title, "manager, rows", lambda name: ".0%" if "share" in name else ".0f")
    return 0


Pay = Callable[[Any], list[float]]
"""The rewards of a batch."""


def classic(tokenizer: Any, address: str) -> dict[str, Pay]:
    made = {
        "here": HybridRewardManager(tokenizer, 0, **SETTINGS),
        "service": HybridRewardManager(tokenizer, 0, service=address),
    }

    def pays(manager: Any) -> Pay:
        return lambda batch: manager(batch).sum(-1).tolist()

    return {way: pays(manager) for way, manager in made.items()}


def loop(tokenizer: Any, address: str) -> dict[str, Pay]:
    config = OmegaConf.create({"reward": {}})
    made = {
        "here": LoopManager(config, tokenizer, **SETTINGS),
        "service": LoopManager(config, tokenizer, service=address),
    }

    def pays(manager: Any) -> Pay:
        async def all_rows(batch: Any) -> list[float]:
            told = await asyncio.gather(*(manager.run_single(batch[i : i + 1]) for i in range(len(batch))))
            return [one["reward_score"] for one in told]

        return lambda batch: asyncio.run(all_rows(batch))

    return {way: pays(manager) for way, manager in made.items()}


MANAGERS = {"classic": classic, "loop": loop}


def measure(
    pays: dict[str, Pay], kind: str, tokenizer: Any, arguments: argparse.Namespace, service: str
) -> Figures:
    """Rows a second by either way, by the clock and by processor time, and what of the first the second reaches."""
    rounds: list[Figures] = []
    for number in range(arguments.rounds + 1):
        rows = ROWS[kind](arguments.rows // arguments.answers, arguments.answers, f"service {number}")
        batch = batch_of(tokenizer, rows, arguments.answers)
        figures: Figures = {}
        paid = {}
        for way in WAYS[:: -1 if number % 2 else 1]:
            gc.collect()
            wall, cpu = time.perf_counter(), time.process_time() + running_s(service)
            paid[way] = pays[way](batch)
            figures[f"{way}, clock"] = len(batch) / (time.perf_counter() - wall)
            figures[f"{way}, processor"] = len(batch) / (time.process_time() + running_s(service) - cpu)
        if paid["here"] != paid["service"]:
            raise SystemExit(f"{kind}: the service pays other rewards")
        for by in ("clock", "processor"):
            figures[f"share, {by}"] = figures[f"service, {by}"] / figures[f"here, {by}"]
        rounds.append(figures)
    kept = rounds[1:]  # the first imports and is thrown away
    return {name: statistics.median(figures[name] for figures in kept) for name in kept[0]}


if __name__ == "__main__":
    sys.exit(main())
