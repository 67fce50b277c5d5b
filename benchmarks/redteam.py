r"""What can be earned from verifiers without knowing an answer: `hybridverify.redteam` on labelled and made questions.

    python benchmarks/redteam.py --shapes [--checkers rules]
    python benchmarks/redteam.py [--data DIR] [--files a,b] [--made 1100] [--checkers rules,contains,...] [--json OUT]
    python benchmarks/redteam.py [--data DIR] --checkers translate --model M [--base-url U]
    python benchmarks/redteam.py [--data DIR] --checkers in_league

Checkers: `rules` (the default chain), `embedded` (policy addon with the embedded judge), `prime_math` (that rule
alone), `translate` (policy addon with the translating judge and the model of --model), `in_league` (the same with
a model that knows the answers and writes them, whatever it is shown), `math-verify`, `math-verify|prime_math` (either
accepts), `contains` (the reference stands in the response).
math-verify runs in a process of its own that is killed after three seconds. A table of families and checkers, the same
as JSON, and with --findings every kind of response that was paid for and should not have been.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent))

from graders import Process
from labelled import Pair
from translating import engine_of

import hybridverify as hv
from hybridverify.judges.base import Backend, Prompt, Sampling
from hybridverify.judges.translation.prompt import NONE
from hybridverify.redteam import Question, Report, attack, crossed_with_shapes
from hybridverify.redteam.generated import generated_rows
from hybridverify.redteam.rows import Table as Rows
from hybridverify.redteam.trial import Hit
from hybridverify.testing import FunctionBackend

FILES = (
    "hardverify_math", "math_variants", "gsm8k_openai", "qa_nq301_human", "qa_evouna_tq", "nemo_gym_rollouts",
    "fresh_cases", "bug_cases",
)  # fmt: skip
BUDGETS = {
    "rules": 100_000,
    "prime_math": 60_000,
    "contains": 100_000,
    "embedded": 32_000,
    "translate": 32_000,
    "in_league": 32_000,
    "math-verify": 6_000,
}
LONGEST = 300
"""Characters of a response that math-verify is asked about: long lists take it seconds each, and are not accepted."""
Ask = Callable[[Sequence[hv.Sample]], "Sequence[float | hv.Grade]"]


def main() -> int:
    logging.getLogger("hybridverify").setLevel(logging.ERROR)
    options = arguments()
    rows = questions(options)
    if options.shapes:
        return shapes(options)
    reports: dict[str, Report] = {}
    for name in options.checkers.split(","):
        begin = time.monotonic()
        with checker(name, backend_of(name, options, rows)) as ask:
            budget = options.budget or BUDGETS.get(name, BUDGETS["math-verify"])
            reports[name] = attack(ask, rows, seed=options.seed, budget=budget, checker=name)
        print(f"{name}: {reports[name].calls} calls, {time.monotonic() - begin:.0f} s", file=sys.stderr)
        write(reports, options)
    show(reports)
    return 0


def shapes(options: argparse.Namespace) -> int:
    """How often each kind of response that must be refused is paid, over references of every shape."""
    lines = []
    for name in options.checkers.split(","):
        with checker(name, backend_of(name, options, ())) as ask:
            hits = list(dict.fromkeys(crossed_with_shapes(ask, options.seed)))
        counts = Counter(hit.strategy for hit in hits)
        print(f"{name}: {', '.join(f'{kind} {count}' for kind, count in counts.most_common()) or 'nothing'}")
        lines += [json.dumps({**hit._asdict(), "checker": name}, ensure_ascii=False) for hit in hits]
    if options.findings:
        options.findings.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


def write(reports: dict[str, Report], options: argparse.Namespace) -> None:
    """Everything so far: a slow checker must not cost the figures of those before it."""
    if options.json:
        figures = {name: report.to_dict() | {"hits": len(report.hits)} for name, report in reports.items()}
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    if options.findings:
        lines = [json.dumps(row, ensure_ascii=False) for name in reports for row in findings(reports[name])]
        options.findings.write_text("\n".join(lines) + "\n", encoding="utf-8")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="folder with labelled JSONL files")
    parser.add_argument("--files", default=",".join(FILES), help="names without ending")
    parser.add_argument("--made", type=int, default=1100, help="questions of each made family")
    parser.add_argument("--checkers", default="rules,prime_math,contains,embedded,math-verify|prime_math")
    parser.add_argument("--budget", type=int, default=0, help="verifier calls for each checker")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--shapes", action="store_true", help="cross probes with references of every shape instead"
    )
    parser.add_argument(
        "--model",
        default="",
        help="for `translate`: a model that transformers loads, or its name at --base-url",
    )
    parser.add_argument("--base-url", default="", metavar="U", help="of a server that has the model")
    parser.add_argument("--options", default="{}", metavar="JSON", help="more options of the backend")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--findings", type=Path, help="JSONL of responses that should not have been paid for")
    return parser.parse_args()


def questions(options: argparse.Namespace) -> list[Question]:
    """Those of the files that have a question, and the made ones. Words between slashes are references of their own."""
    made = [Question.of(row) for row in generated_rows(options.made, options.seed)]
    if not options.data:
        return made
    paths = [options.data / f"{name}.jsonl" for name in options.files.split(",")]
    found = Rows.read([path for path in paths if path.is_file()]).questions
    return [replace(each, references=each.alternatives) for each in found if each.question] + made


@contextmanager
def checker(name: str, backend: Backend | None = None) -> Iterator[Ask]:
    """The verifier of that name. `backend` is what the translating judge asks."""
    if name == "contains":
        yield lambda samples: [float(any(r in s.response for r in s.references)) for s in samples]
    elif name.startswith("math-verify"):
        with math_verify("|" in name) as ask:
            yield ask
    else:
        with hv.Verifier.from_config({"cache": None, **settings(name, backend)}) as verifier:
            yield verifier.grade


def settings(name: str, backend: Backend | None) -> dict[str, Any]:
    """What the configuration of that checker says."""
    if name == "embedded":
        return {"policy": "addon", "judges": [{"preset": "embedded"}]}
    if backend is not None:
        return {"policy": "addon", "judges": [{"preset": "translate", "backend": backend}]}
    return {} if name == "rules" else {"rules": [name]}


def backend_of(name: str, options: argparse.Namespace, rows: Sequence[Question]) -> Backend | None:
    """What the translating judge of this checker asks: a model, or one that knows the answers."""
    if name == "translate":
        return engine_of(options)
    return knowing(rows) if name == "in_league" else None


def knowing(rows: Sequence[Question]) -> FunctionBackend:
    """A model that writes the reference of the question that it is shown."""
    known = {row.question.strip(): row.references[0] for row in rows}

    def reply(prompt: Prompt, _sampling: Sampling) -> str:
        asked = prompt.messages[-1].content.partition("\nText: ")[0].removeprefix("Question: ")
        return known.get(asked, NONE)

    return FunctionBackend(reply, "in league")


@contextmanager
def math_verify(or_prime_math: bool) -> Iterator[Ask]:
    """math-verify alone, or where it does not accept our reader too."""
    process = Process("math-verify", timeout_s=3.0)
    own = hv.Verifier(rules=["prime_math"])

    def accepts(sample: hv.Sample) -> bool:
        pairs = [
            Pair("", "", sample.question, ref, sample.response, True, False) for ref in sample.references
        ]
        if len(sample.response) > LONGEST:
            return False
        return any(process.ask(pair).verdict for pair in pairs)

    def ask(samples: Sequence[hv.Sample]) -> list[float]:
        first = (
            [grade.score > 0.5 for grade in own.grade(samples)] if or_prime_math else [False] * len(samples)
        )
        return [float(yes or accepts(sample)) for yes, sample in zip(first, samples, strict=True)]

    try:
        yield ask
    finally:
        process.stop()
        own.close()


def show(reports: dict[str, Report]) -> None:
    """One line a family and checker."""
    table = Table(title="Exploit rates on the held-out half", caption="95 % Wilson intervals")
    for column in ("family", "checker", "held out", "best strategy", "rate", "honest", "exploit"):
        table.add_column(column, overflow="fold")
    for family in next(iter(reports.values())).families:
        for name, report in reports.items():
            figures = report.families[family]
            if figures.best:
                tally = figures.best.heldout
                low, high = tally.interval
                exploit = f"{tally.exploit:.3f} ({low:.3f}-{high:.3f})"
                rates = (f"{tally.rate:.3f}", f"{figures.honest:.3f}", exploit)
                table.add_row(family, name, str(tally.rows), figures.best.name, *rates)
    Console(width=150, markup=False).print(table)


def findings(report: Report, most: int = 5) -> Iterator[dict[str, Any]]:
    """A few rows of every strategy and probe that was paid for and should not have been."""
    seen: Counter[tuple[str, str]] = Counter()
    for hit in report.hits:
        seen[hit.strategy, hit.family] += 1
        if seen[hit.strategy, hit.family] <= most:
            yield _finding(report, hit, "blind")
    for figures in report.families.values():
        for group, probes in (("must be refused", figures.refused), ("must be accepted", figures.right)):
            for probe in probes:
                for hit in probe.examples:
                    counts = {"rows": probe.rows, "accepted": probe.accepted, "open": probe.open}
                    yield _finding(report, hit, group) | counts


def _finding(report: Report, hit: Hit, group: str) -> dict[str, Any]:
    return {**hit._asdict(), "checker": report.checker, "group": group}


if __name__ == "__main__":
    sys.exit(main())
