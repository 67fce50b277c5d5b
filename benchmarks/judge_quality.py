"""How well a model judges: rules alone, judge alone, addon and mixed, by the label and over thresholds of P(yes).

    python benchmarks/judge_quality.py --data DIR --model M --engine transformers|vllm|openai
        [--preset generic] [--base-url U] [--files a,b] [--limit N] [--cache DIR] [--json OUT]

Rows are those of agreement.py. Every row that passes the content gate is asked about once; label and P(yes) come
from the same reply, all other lines from stored verdicts: with the same --cache, a second run asks nothing.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agreement import labelled_rows
from rich.progress import track

from hybridverify.agreement import Agreement, agreement
from hybridverify.agreement.cases import Collector

FILES = "hardverify_math,nvidia_answer_judge,qa_nq301_human"
THRESHOLDS = (0.1, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
SHOWN = ("accuracy", "precision", "recall", "fpr", "fnr", "kappa")
LOGPROBS = 20  # the most that servers give


def main() -> None:
    options = arguments()
    everything: dict[str, Any] = {}
    for name in options.files.split(","):
        begin = time.perf_counter()
        found, stats = measured(options, options.data / f"{name}.jsonl")
        seconds = time.perf_counter() - begin
        everything[name] = {**found.to_dict(), "stats": stats, "seconds": seconds}
        print_table(name, found)
        print(
            f"\nasked {stats['called']:.0f}, from cache {stats['cached']:.0f}, {seconds:.0f} s\n", flush=True
        )
        if options.json:
            options.json.write_text(json.dumps(everything, indent=1) + "\n", encoding="utf-8")


def measured(options: argparse.Namespace, file: Path) -> tuple[Agreement, Mapping[str, float]]:
    """The figures of one file, and the counters of the judge stage."""
    rows = list(labelled_rows([file], options.limit))
    with Collector.of(settings(options)) as collector:
        cases = list(track(collector.collect(rows), file.stem, total=len(rows), disable=options.quiet))
        return agreement(cases, collector.setup, collector.stats["judge"]), collector.stats["judge"]


def settings(options: argparse.Namespace) -> dict[str, Any]:
    backend: dict[str, Any] = {"name": options.engine, "model": options.model, **json.loads(options.options)}
    if options.base_url:
        backend["base_url"] = options.base_url
    judge = {
        "preset": options.preset,
        "backend": backend,
        "sampling": {"logprobs": LOGPROBS},
        "retry_unparseable": False,
    }
    return {
        "policy": "addon",
        "judges": [judge],
        "cache": {"path": str(options.cache)} if options.cache else None,
    }


def print_table(name: str, found: Agreement) -> None:
    """One line a grader: at the label, then at each threshold."""
    counts = found.rule.whole.figures.confusion()
    print(
        f"\n{name}: {counts['rows']} rows, {counts['right']} right; ROC AUC of P(yes) {found.sweep.roc_auc}\n"
    )
    print(f"| grader | {' | '.join(SHOWN)} |\n|---{'|---' * len(SHOWN)}|")
    line("rules alone", found.rule.whole.figures.values)
    graders = {"judge": found.judge, **{n: found.hybrid[n] for n in ("addon", "mixed")}}
    for grader, member in graders.items():
        line(f"{grader}, by its label", member.whole.figures.values)
        for threshold in THRESHOLDS:
            figures = found.sweep.curves.get(grader, {}).get(threshold)
            if figures is not None:
                line(f"{grader}, P(yes) >= {threshold:g}", figures)


def line(grader: str, figures: Mapping[str, float | None]) -> None:
    cells = ["-" if (value := figures[name]) is None else f"{value:.3f}" for name in SHOWN]
    print(f"| {grader} | {' | '.join(cells)} |")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, metavar="DIR")
    parser.add_argument("--model", required=True)
    parser.add_argument("--engine", default="transformers", choices=("transformers", "vllm", "openai"))
    parser.add_argument("--base-url", default="", metavar="U", help="of the server (openai)")
    parser.add_argument("--options", default="{}", metavar="JSON", help="more options of the backend")
    parser.add_argument("--preset", default="generic")
    parser.add_argument("--files", default=FILES)
    parser.add_argument(
        "--limit", type=int, default=300, metavar="N", help="at most N rows of a file (0: all)"
    )
    parser.add_argument("--cache", type=Path, metavar="DIR")
    parser.add_argument("--json", type=Path, metavar="OUT")
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    return parser.parse_args()


if __name__ == "__main__":
    main()
