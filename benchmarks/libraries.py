"""What a library would give where the code is our own: SQLite through diskcache, polynomials, number words, dates.

    pip install python-flint num2words text2num python-dateutil dateparser
    python benchmarks/libraries.py [store|polynomials|words|dates ...]

None of these packages is a dependency; docs/architecture.md ("Libraries") says what follows from the figures.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from hybridverify import Sample
from hybridverify.cache import ScoreCache, key
from hybridverify.cache.commands import stats
from hybridverify.language.number_words import read_words
from hybridverify.maths.algebra import polynomials
from hybridverify.maths.parsing.times import date
from hybridverify.rules.prime_math import PrimeMath
from hybridverify.types import Outcome, Verdict

CASES = Path(__file__).resolve().parent.parent / "tests" / "cases"
ENTRIES = 20_000
NO_NUMBERS = (
    "ones", "one two", "seven and eight", "thirty twenty", "twenty twelve", "two hundred and", "hundreds",
    "one or two", "the first", "a second", "no one", "someone", "point five five six point", "five thousand thousand",
)  # fmt: skip
"""Texts that hold words of numbers and are no number."""


def main() -> None:
    parts: dict[str, Callable[[], None]] = {
        "store": store, "polynomials": algebra, "words": words, "dates": dates,
    }  # fmt: skip
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(parts)}; default: all")
    wanted = parser.parse_args().parts or list(parts)
    if not set(wanted) <= set(parts):
        parser.error(f"choose from {', '.join(parts)}")
    for name in wanted:
        print(f"== {name}")
        parts[name]()


def microseconds(work: Callable[[], object], items: int) -> float:
    """Processor time of one item, the best of three runs."""
    times = []
    for _ in range(3):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return 1e6 * min(times) / items


def store() -> None:
    """Our store on diskcache against the same table in plain sqlite3, and `cache stats` against its public methods."""
    import diskcache

    verdicts = {
        key("judge", {}, str(n)): Verdict(Outcome.CORRECT, 1.0, "judge:m", str(n)) for n in range(ENTRIES)
    }
    with tempfile.TemporaryDirectory() as folder:
        cache = ScoreCache(folder)
        write = microseconds(lambda: cache.put_many(verdicts, "judge"), ENTRIES)
        read = microseconds(lambda: cache.get_many(list(verdicts)), ENTRIES)
        cache.close()
        scan = microseconds(lambda: stats(folder), ENTRIES)
        public = diskcache.Cache(folder)
        walk = microseconds(lambda: [public.get(name, tag=True) for name in public.iterkeys()], ENTRIES)
        public.close()
    with tempfile.TemporaryDirectory() as folder:
        plain = sqlite3.connect(Path(folder) / "plain.db", isolation_level=None)
        plain.execute("PRAGMA journal_mode = wal")
        plain.execute("PRAGMA synchronous = NORMAL")
        plain.execute("CREATE TABLE verdict (key TEXT PRIMARY KEY, stage TEXT, value TEXT) WITHOUT ROWID")
        rows = [(name, "judge", "x" * 150) for name in verdicts]

        def put() -> None:
            plain.execute("BEGIN IMMEDIATE")
            plain.executemany("INSERT OR REPLACE INTO verdict VALUES (?, ?, ?)", rows)
            plain.execute("COMMIT")

        select = "SELECT value FROM verdict WHERE key = ?"
        plain_write = microseconds(put, ENTRIES)
        plain_read = microseconds(
            lambda: [plain.execute(select, (name,)).fetchone() for name in verdicts], ENTRIES
        )
        plain.close()
    print(
        f"write   ours {write:6.1f} us an entry, encoding included; plain sqlite3 {plain_write:6.1f}, texts ready"
    )
    print(
        f"read    ours {read:6.1f} us an entry, decoding included; plain sqlite3 {plain_read:6.1f}, texts raw"
    )
    print(f"stats   our SQL {scan:6.2f} us an entry; through diskcache's public methods {walk:6.1f}")


def algebra() -> None:
    """The share of polynomials in the rule's time, and the same products in python-flint."""
    from flint import Ordering, fmpq_mpoly_ctx

    samples = [
        Sample(row["response"], row["reference"], row.get("question", "")) for row in cases("response")
    ]
    rule, clock = PrimeMath(), Clock(polynomials.Algebra.multiply)

    def multiply(
        self: polynomials.Algebra, left: polynomials.Poly, right: polynomials.Poly
    ) -> polynomials.Poly:
        product: polynomials.Poly = clock(self, left, right)
        return product

    polynomials.Algebra.multiply = multiply  # type: ignore[method-assign]
    begin = time.process_time()
    for sample in samples:
        rule.check(sample)
    total = time.process_time() - begin
    polynomials.Algebra.multiply = clock.work  # type: ignore[method-assign]
    print(f"{len(samples)} responses: {total:.2f} s; products {clock.spent:.3f} s, {clock.spent / total:.1%}")
    context = fmpq_mpoly_ctx.get(["x", "y"], Ordering.lex)
    x, y = context.gens()
    ours: polynomials.Poly = {(("x", 1),): 1, (("y", 1),): 1, (): 1}
    for exponent in (2, 4, 8):
        mine = microseconds(
            partial(repeated, lambda e: polynomials.Algebra().power(ours, e), [exponent] * 50), 50
        )
        flint = microseconds(partial(repeated, lambda e: (x + y + 1) ** e, [exponent] * 50), 50)
        print(f"(x+y+1)^{exponent}: ours {mine:7.1f} us, python-flint {flint:6.1f} us")


class Clock:
    """Adds up the processor time of a function, calls from within itself counted once."""

    def __init__(self, work: Callable[..., Any]) -> None:
        self.work, self.spent, self._depth = work, 0.0, 0

    def __call__(self, *arguments: Any) -> Any:
        self._depth += 1
        begin = time.process_time()
        try:
            return self.work(*arguments)
        finally:
            self._depth -= 1
            if not self._depth:
                self.spent += time.process_time() - begin


def repeated(work: Callable[[Any], object], items: list[Any]) -> None:
    """Once for each item."""
    for item in items:
        work(item)


def words() -> None:
    """Numbers spelled by num2words, and texts that are no number, read by us and by text2num."""
    from num2words import num2words
    from text_to_num import text2num

    def theirs(text: str) -> str:
        try:
            return str(text2num(text, "en"))
        except ValueError:
            return ""

    numbers = [*range(1_000), *range(1_000, 1_000_000, 997)]
    spelled = {number: num2words(number).replace(",", "") for number in numbers}
    readers: dict[str, Callable[[str], str]] = {"ours": read_words, "text2num": theirs}
    for name, read in readers.items():
        right = sum(read(text) == str(number) for number, text in spelled.items())
        wrong = [text for text in NO_NUMBERS if read(text)]
        cost = microseconds(partial(repeated, read, [*spelled.values()]), len(spelled))
        print(f"{name:<9} {right} of {len(spelled)} read, {cost:.1f} us each; no numbers, but read: {wrong}")


def dates() -> None:
    """The texts of the case tables that we hold for no date and the others for one."""
    import dateparser
    from dateutil.parser import parse

    def by_dateutil(text: str) -> object:
        try:
            return parse(text)
        except (ValueError, OverflowError, TypeError):
            return None

    texts = sorted(
        {str(row[name]) for row in cases("reference") for name in ("reference", "answer") if name in row}
    )
    texts = [text for text in texts if len(text) <= 60]
    print(f"{len(texts)} texts; a date to us: {sum(date(text) is not None for text in texts)}")

    def by_dateparser(text: str) -> object:
        return dateparser.parse(text, languages=["en"])

    readers: dict[str, Callable[[str], object]] = {"dateutil": by_dateutil, "dateparser": by_dateparser}
    for name, read in readers.items():
        begin = time.process_time()
        found = [text for text in texts if read(text) and not date(text)]
        cost = 1e6 * (time.process_time() - begin) / len(texts)
        print(f"{name}: {len(found)} more, {cost:.0f} us each: {found[:: max(1, len(found) // 12)]}")


def cases(field: str) -> Iterator[dict[str, Any]]:
    """The rows of all case tables that have a field."""
    for path in sorted(CASES.glob("*.jsonl")):
        rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        yield from (
            row for row in rows if field in row and "reference" in row and isinstance(row["reference"], str)
        )


if __name__ == "__main__":
    main()
