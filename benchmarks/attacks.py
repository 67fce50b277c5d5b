"""How many texts without an answer a judge that accepts everything lets through, with and without the guards.

    python benchmarks/attacks.py --data DIR [--questions 50] [--list]
    python benchmarks/attacks.py --data DIR --cost

Every string of DIR/attack_strings.json (`cls`, `text`) is answered to questions drawn with a fixed seed from the
labelled JSONL files in DIR; the judge says yes to all it is asked, so a count is what only a judge stands against.
"no gate" and "content gate" are under `judge_only`, the other two under `addon` with all rules. With --cost: how many
right and wrong labelled answers gate and guards keep from the judge under `addon`.
"""

from __future__ import annotations

import argparse
import json
import logging
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent))

from labelled import Pair, load

import hybridverify as hv
from hybridverify.guards.judge_guards import HEDGE, OTHER_CONTENT
from hybridverify.language.text import same_text
from hybridverify.pipeline.rule_stage import BAD_REFERENCE, Ruled, RuleStage
from hybridverify.testing import ScriptedJudge

FILES = ("hardverify_math.jsonl", "qa_nq301_human.jsonl", "nemo_gym_rollouts.jsonl", "qa_evouna_tq.jsonl")
COLUMNS = ("no gate", "content gate", "addon, guards off", "addon")
GUARDED = ("master_key_opener", "empty_symbols", "no_answer_marker", "html_markdown", "template_placeholder")
"""Classes of which nothing may pass."""


class Ungated(RuleStage):
    """Everything is asked about."""

    def gated(self, sample: hv.Sample, route: Any, rule: hv.Verdict, reading: Any = None) -> Ruled:
        return Ruled(sample, route, rule, "", rule.outcome is not BAD_REFERENCE and route.policy.asks(rule))


class UngatedVerifier(hv.Verifier):
    """A Verifier whose judge stands alone."""

    _stage = Ungated


def main() -> int:
    logging.getLogger("hybridverify").setLevel(
        logging.ERROR
    )  # that one text is accepted everywhere is the point
    options = arguments()
    if options.cost:
        return show_cost(options.data)
    attacks = json.loads((options.data / "attack_strings.json").read_text(encoding="utf-8"))
    questions = drawn(options.data, options.questions)
    accepted: dict[str, Counter[str]] = {column: Counter() for column in COLUMNS}
    rows: Counter[str] = Counter()
    passed: dict[str, Counter[str]] = defaultdict(Counter)
    samples = list(pairings(attacks, questions))
    for column, verifier in variants():
        with verifier:
            grades = verifier.grade([sample for _, sample in samples])
        for (attack, sample), grade in zip(samples, grades, strict=True):
            rows[attack["cls"]] += column == COLUMNS[0]
            if grade.score > 0.0:
                accepted[column][attack["cls"]] += 1
                if column == COLUMNS[3]:
                    passed[attack["cls"]][sample.response] += 1
    show(attacks, rows, accepted, passed if options.list else {})
    return int(any(accepted[column][name] for column in COLUMNS[1:] for name in GUARDED))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--questions", type=int, default=50)
    parser.add_argument("--list", action="store_true", help="name the strings that pass")
    parser.add_argument("--cost", action="store_true", help="what gate and guards cost on labelled answers")
    return parser.parse_args()


def drawn(folder: Path, count: int) -> list[Pair]:
    """Questions with different references, as many of each file."""
    files = [folder / name for name in FILES if (folder / name).is_file()]
    chosen: list[Pair] = []
    for path in files:
        pool = list({pair.question: pair for pair in load(path) if pair.question}.values())
        chosen += random.Random(5).sample(pool, min(len(pool), -(-count // len(files))))
    return chosen[:count]


def pairings(
    attacks: Sequence[dict[str, str]], questions: Sequence[Pair]
) -> Iterator[tuple[dict[str, str], hv.Sample]]:
    """Every string on every question whose reference is not that very text."""
    for attack in attacks:
        for pair in questions:
            if not same_text(attack["text"], pair.reference):
                yield attack, hv.Sample(attack["text"], pair.reference, pair.question)


def variants() -> Iterator[tuple[str, hv.Verifier]]:
    """The verifiers that are compared, by column."""
    off = {"content_floor": False, "hedge": False}
    yield COLUMNS[0], UngatedVerifier(judges=[ScriptedJudge(True)], policy="judge_only")
    yield COLUMNS[1], hv.Verifier(judges=[ScriptedJudge(True)], policy="judge_only")
    yield COLUMNS[2], hv.Verifier(judges=[ScriptedJudge(True)], policy="addon", guards=off)
    yield COLUMNS[3], hv.Verifier(judges=[ScriptedJudge(True)], policy="addon")


def show(
    attacks: Sequence[dict[str, str]],
    rows: Counter[str],
    accepted: dict[str, Counter[str]],
    passed: dict[str, Counter[str]],
) -> None:
    strings = Counter(attack["cls"] for attack in attacks)
    table = Table(title="accepted by a judge that says yes to everything")
    for column in ("class", "strings", "rows", *COLUMNS):
        table.add_column(column, justify="left" if column == "class" else "right")
    for name in sorted(strings, key=lambda name: (name not in GUARDED, name)):
        counts = [str(accepted[column][name]) for column in COLUMNS]
        table.add_row(f"{name} *" if name in GUARDED else name, str(strings[name]), str(rows[name]), *counts)
    console = Console(width=110)
    console.print(table)
    console.print("* nothing of these may pass the content gate, under any policy")
    for name, texts in passed.items():
        for text, count in texts.most_common():
            console.print(f"{name}: {count} x {text!r}", markup=False)


def show_cost(folder: Path) -> int:
    """Right rows that are refused are the price, wrong ones the gain; the judge would accept both."""
    table = Table(title="kept from a judge under addon")
    for column in ("file", "right", "wrong", "gate: right", "wrong", "guards: right", "wrong"):
        table.add_column(column, justify="left" if column == "file" else "right")
    for path in sorted(folder.glob("*.jsonl")):
        pairs = [pair for pair in load(path) if not pair.free]
        with hv.Verifier(policy="addon", judges=[ScriptedJudge(True)]) as verifier:
            grades = list(
                verifier.grade_iter(hv.Sample(pair.response, pair.reference, pair.question) for pair in pairs)
            )
        counts: Counter[tuple[str, bool]] = Counter()
        for pair, grade in zip(pairs, grades, strict=True):
            counts["rows", pair.label] += 1
            reason = grade.judge.reason.removeprefix("gate: ")
            if reason != grade.judge.reason:
                counts["guards" if reason in (HEDGE, OTHER_CONTENT) else "gate", pair.label] += 1
        if pairs:
            cells = [counts[kind, label] for kind in ("rows", "gate", "guards") for label in (True, False)]
            table.add_row(path.stem, *map(str, cells))
    Console(width=110).print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
