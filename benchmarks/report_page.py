"""How fast a report opens: first paint, and until its filters can be used, in a headless Chromium.

    python benchmarks/report_page.py [--rows 10000] [--times 5]

Needs chromium, chromedriver and selenium. Prints the size of the page, the medians, and the time of a first search.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

import checkout  # noqa: F401 - for `tests`

from hybridverify.types import Grade, Sample
from tests.report import report_rows
from tests.report.chromium import browser, run_page

TEXT = "We look at the terms of the sum and find $x_{%d} = \\frac{%d}{7}$, which is less than before. "
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1"
USABLE = "performance.getEntriesByName('usable')[0].startTime"
SEARCH = (
    "const done = arguments[0], begin = performance.now(), said = document.getElementById('count'); "
    "new MutationObserver(() => done(performance.now() - begin)).observe(said, {childList: true}); "
    "const q = document.getElementById('q'); q.value = 'garden word7'; q.dispatchEvent(new Event('input'))"
)


def pair(number: int) -> tuple[Sample, Grade]:
    """One row with a response of about 600 characters."""
    text = "".join(TEXT % (number, step) for step in range(6))
    return Sample(
        text + f"word{number} \\boxed{{12}}", "12", f"Question {number} about a garden?", f"s{number % 7}"
    ), report_rows.grade(number)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--times", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, browser() as driver:
        page = run_page(Path(folder), [pair(number) for number in range(1, given.rows + 1)])
        print(f"{given.rows} rows, {page.stat().st_size / 1e6:.1f} MB")
        told = [opened(driver, page) for _ in range(given.times)]
        for at, name in enumerate(("first paint", "usable filter", "first search")):
            values = sorted(each[at] for each in told)
            print(f"{name}: median {median(values):.0f} ms (from {values[0]:.0f} to {values[-1]:.0f})")


def opened(driver: Any, page: Path) -> tuple[float, float, float]:
    """Milliseconds from the start of the navigation; the search from its key, with its wait of 90 ms."""
    driver.get("about:blank")
    driver.get(page.as_uri())
    told = [float(driver.execute_script(f"return {expression}")) for expression in (PAINT, USABLE)]
    return told[0], told[1], float(driver.execute_async_script(SEARCH))


if __name__ == "__main__":
    main()
