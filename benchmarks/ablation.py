"""What the rules and guards do not need: takes words, patterns and special cases away and says what changes.

    python benchmarks/ablation.py [--data DIR] [--module 'hybridverify.answers.*'] [--list] [--json OUT]

Entries are found in the source: the words of tables, the elements of sets, tuples and mappings at module level, every
`re.compile` there and its alternatives at any depth; and the words of the list files beside a module. All entries of
the chosen modules are removed at once; each case of the tests and each labelled row (DIR holds files as `rules.py`
reads them) that then ends differently leads to the entries it needs, which come back, until nothing differs.
So an entry that stays is needed beside the others that
stay, and those that go can go together. A case is a test function with its parameters: it passes or fails. A row's
result is what the rules say, what they say with a judge that accepts all it is asked, and the answer it is shown.

With --alone each expression and alternative is taken away while all others stay, which also finds the two that do one
thing twice: both are idle. "used" is then what took longer than that.

never used: the word stands in no case and no row, the expression or alternative never matches. idle: used, and
nothing changes without it. What stands in a negative look, or in a piece of an expression that is made by a function,
is not heard: it is idle or needed. Linux only.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import re
import sys
import time
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ablating.alone import alone
from ablating.entries import Entry
from ablating.hearing import Recorder
from ablating.loading import Package
from ablating.search import needed
from ablating.trials import Id, Runner
from labelled import load
from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parent.parent
LEFT_OUT = {
    "adapters": "names of a trainer's columns and settings",
    "agreement": "words of a report",
    "backends": "protocols of engines",
    "cache": "tables of a store",
    "cli": "options and messages",
    "config": "names of settings",
    "demo": "example rows",
    "embedded": "features that a trained model expects",
    "pipeline": "names of outcomes",
    "policies": "names of settings",
    "presets": "prompts, whose words no row here shows at work",
    "redteam": "attacks and spellings, each of them a case for the rules",
    "records": "columns and file formats",
    "serving": "engines and logs",
    "workers": "processes",
}
"""Packages that read no response, or whose words have another proof; each with the reason."""
SERVERS = ("test_openai", "test_scorer", "test_vllm", "test_sglang", "test_transformers", "test_engines")
"""Beginnings of test files that wait for engines."""
STATES = ("needed", "used", "idle", "never used", "with its pattern")


NOT_LOADED = ("", "the package does not load", 0)


def main() -> None:
    options = arguments()
    package = Package(options.root, options.package)
    tests = [file for name in options.tests for file in test_files(options.root / name)]
    rows = (
        {path.stem: load(path, options.limit) for path in sorted(options.data.glob("*.jsonl"))}
        if options.data
        else {}
    )
    runner = Runner(package, tests, rows)
    modules = [name for name in package.files if wanted(name, options.module)]
    begin = time.perf_counter()
    preload()
    expected, texts = runner.first()
    say(f"{sum(bool(i[0]) for i in expected)} cases, {sum(not i[0] for i in expected)} rows", begin)
    recorder = runner.record(expected, modules)
    found = [entry for name in modules for entry in package.entries(name)] + recorder.entries
    say(f"{len(found)} entries in {len(modules)} modules", begin)
    if options.alone:
        found = [entry for entry in found if entry.kind in ("pattern", "alternative")]
        told = alone(runner, expected, modules, options.alone)
        states = {entry.id: told.get(entry.id, ("used", None))[0] for entry in found}
        reasons = {id: reason for id, (state, reason) in told.items() if reason and state == "needed"}
    else:
        states, reasons = decide(found, recorder, runner, expected, texts, options.unused)
    say(f"{runner.runs} runs", begin)
    show(found, states, options.list)
    if options.json:
        written = [
            {**asdict(entry), "id": entry.id, "state": states[entry.id], "needed_by": reasons.get(entry.id)}
            for entry in found
        ]
        options.json.write_text(json.dumps(written, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="labelled rows; without it the cases alone count"
    )
    parser.add_argument(
        "--module", action="append", default=[], metavar="GLOB", help="only these (may be repeated)"
    )
    parser.add_argument("--limit", type=int, default=0, metavar="N", help="at most N rows of a file (0: all)")
    parser.add_argument(
        "--tests",
        nargs="*",
        default=["tests/rules", "tests/maths", "tests/judges", "tests/redteam", "tests/test_docstrings.py"],
        metavar="FOLDER",
        help="folders or files of tests; the examples in docstrings are cases too",
    )
    parser.add_argument(
        "--unused", action="store_true", help="try only what is never used; a matter of minutes"
    )
    parser.add_argument(
        "--alone",
        type=float,
        metavar="SECONDS",
        help="try each expression and alternative alone, for so long; a matter of minutes, without words",
    )
    parser.add_argument("--list", action="store_true", help="print every entry that nothing needs")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write each entry with its state")
    parser.add_argument("--package", default="hybridverify", help=argparse.SUPPRESS)
    parser.add_argument("--root", type=Path, default=ROOT, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.root = options.root.resolve()
    return options


def test_files(path: Path) -> list[Path]:
    """The file, or the files of a folder that wait for no engine."""
    if path.is_file():
        return [path]
    return [file for file in sorted(path.rglob("test_*.py")) if not file.name.startswith(SERVERS)]


def wanted(module: str, globs: Sequence[str]) -> bool:
    if globs:
        return any(fnmatch.fnmatchcase(module, glob) for glob in globs)
    return LEFT_OUT.keys().isdisjoint(module.split("."))


def preload() -> None:
    """What every process needs and is not ours, loaded once."""
    sys.setrecursionlimit(5000)
    for name in (
        "pytest",
        "hypothesis",
        "hypothesis.strategies",
        "pydantic",
        "sympy",
        "math_verify",
        "numpy",
    ):
        try:
            __import__(name)
        except ImportError:
            continue


def say(text: str, begin: float) -> None:
    print(f"{time.perf_counter() - begin:6.0f} s  {text}", file=sys.stderr, flush=True)


def decide(
    entries: Sequence[Entry],
    recorder: Recorder,
    runner: Runner,
    expected: dict[Id, Any],
    texts: dict[Id, str],
    only_unused: bool,
) -> tuple[dict[str, str], dict[str, Id]]:
    """The state of each entry, and what needs those that are needed."""
    used = recorder.used | recorder.unheard | Standing(entries).of("\n".join(texts.values()))

    def concerned(ids: Collection[Id]) -> dict[Id, set[str]]:
        heard = runner.heard(ids, recorder.modules)
        words = Standing([entry for entry in entries if entry.id in used and entry.kind in ("word", "item")])
        return {id: heard[id] | recorder.unheard | words.of(texts[id]) for id in ids}

    cases = {id: result for id, result in expected.items() if id[0]}
    reasons: dict[str, Id] = {}
    gone: list[str] = []
    untried = used if only_unused else set()
    waiting = [
        entry for entry in sorted(entries, key=lambda entry: entry.id in used) if entry.id not in untried
    ]

    def is_ready(entry: Entry) -> bool:
        return not entry.parent or entry.parent in reasons or entry.parent in untried

    while ready := [entry.id for entry in waiting if is_ready(entry)]:
        while ready:
            breaking = dict.fromkeys(runner.breaking(ready, gone), NOT_LOADED)
            reasons |= breaking
            ready = [id for id in ready if id not in breaking]
            reasons |= needed(ready, gone, cases, runner.changed, concerned)
            gone += [id for id in ready if id not in reasons]
            waiting = [entry for entry in waiting if entry.id not in ready and entry.id not in breaking]
            ready = [entry.id for entry in waiting if is_ready(entry)]
        reasons |= needed(gone, [], expected, runner.changed, concerned)
        gone = [id for id in gone if id not in reasons]
    states = {entry.id: "idle" if entry.id in used else "never used" for entry in entries}
    states |= {entry.id: "with its pattern" for entry in waiting} | dict.fromkeys(reasons, "needed")
    return states | dict.fromkeys(untried, "used"), reasons


class Standing:
    """Which words and elements stand in a text; records, which are no texts, may in any."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._whole: dict[str, list[str]] = {}
        self._inside: list[tuple[str, str]] = []
        self._records = {entry.id for entry in entries if entry.kind == "item" and entry.text[:1] in "(["}
        for entry in entries:
            text = folded(entry.text.replace("_", " ")).strip()
            if entry.kind in ("word", "item") and entry.id not in self._records:
                self._whole.setdefault(text, []).append(entry.id)
                if not (text.isascii() and text.isalpha()):
                    self._inside.append((text, entry.id))

    def of(self, text: str) -> set[str]:
        """The entries whose text stands there, or of a phrase all words."""
        text = folded(text)
        words = set(re.findall(r"\w+", text + "\n" + re.sub("['\u2018\u2019\u02bc`]", "", text)))
        found = {id for word in words for id in self._whole.get(word, ())}
        for inner, id in self._inside:
            if inner in text or (inner.isascii() and words.issuperset(re.findall(r"\w+", inner) or [inner])):
                found.add(id)
        return found | self._records


def folded(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).casefold().replace("\u0131", "i")
    return "".join(char for char in plain if not unicodedata.combining(char))


def show(entries: Sequence[Entry], states: dict[str, str], listed: bool) -> None:
    table = Table(title="What the rules and guards need")
    for column in ("module", "entries", *STATES):
        table.add_column(column, justify="left" if column == "module" else "right")
    total: Counter[str] = Counter()
    for module, counts in by_module(entries, states):
        total += counts
        table.add_row(module, str(counts.total()), *(str(counts[state]) for state in STATES))
    table.add_row("all", str(total.total()), *(str(total[state]) for state in STATES), style="bold")
    Console(width=max(120, Console().width)).print(table)
    for entry in entries if listed else ():
        if states[entry.id] in ("idle", "never used"):
            print(
                f"{entry.module}:{entry.line} {entry.name} {entry.kind} [{states[entry.id]}] {entry.text[:100]!r}"
            )


def by_module(entries: Collection[Entry], states: dict[str, str]) -> Iterator[tuple[str, Counter[str]]]:
    for module in sorted({entry.module for entry in entries}):
        yield module, Counter(states[entry.id] for entry in entries if entry.module == module)


if __name__ == "__main__":
    main()
