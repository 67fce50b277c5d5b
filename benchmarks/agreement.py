"""Rules against judge against policies on labelled answer pairs: accuracy, kappa, rates, with intervals.

    python benchmarks/agreement.py --data DIR_OR_FILE... [--config C] [--json OUT]

Rows are JSON objects with gold (or reference), response and label (or right, verdict), optional question and kind;
bare answers (form `answer`) get the usual mark. Without a configuration the rules are measured alone. With one, its
judge is asked once about every row that passes the content gate, and all policies are computed from that.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from labelled import load
from rich.progress import track

from hybridverify.agreement import agreement
from hybridverify.agreement.cases import Collector
from hybridverify.agreement.rows import LabelledRow, groups_of
from hybridverify.agreement.text import summary_line
from hybridverify.cli.agree_table import print_tables
from hybridverify.config import load_settings
from hybridverify.types import Sample


def main() -> None:
    options = arguments()
    rows = list(labelled_rows(wanted_files(options.data), options.limit))
    if not rows:
        raise SystemExit("no labelled rows found")
    settings: dict[str, Any] = load_settings(options.config) if options.config else {"cache": None}
    with Collector.of(settings) as collector:
        cases = list(track(collector.collect(rows), "grading", total=len(rows), disable=options.quiet))
        found = agreement(cases, collector.setup, collector.stats["judge"])
    print_tables(found)
    if options.json:
        options.json.write_text(json.dumps(found.to_dict(), indent=1) + "\n", encoding="utf-8")
    print(summary_line(found))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, nargs="+", required=True, metavar="DIR_OR_FILE")
    parser.add_argument("--config", type=Path, metavar="C", help="configuration with a judge")
    parser.add_argument("--limit", type=int, default=0, metavar="N", help="at most N rows of a file (0: all)")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write all figures")
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    return parser.parse_args()


def wanted_files(given: Sequence[Path]) -> list[Path]:
    return [file for path in given for file in (sorted(path.glob("*.jsonl")) if path.is_dir() else [path])]


def labelled_rows(files: Sequence[Path], limit: int) -> Iterator[LabelledRow]:
    """Every labelled pair, grouped by file and kind; rows whose verdict is free are left out."""
    number = 0
    for file in files:
        for pair in load(file, limit):
            if pair.free:
                continue
            number += 1
            sample = Sample(pair.response, pair.reference, pair.question)
            groups = {**groups_of(sample, {"kind": pair.kind}), "data_source": file.stem}
            yield LabelledRow(sample, pair.label, number, pair.name, groups)


if __name__ == "__main__":
    main()
