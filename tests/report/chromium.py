"""A real Chromium without a window, and pages for it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from hybridverify.agreement.run_figures import RunFigures
from hybridverify.records import Entry, Layout
from hybridverify.records.columns import NO_LAYOUT
from hybridverify.records.grade_columns import grade_columns
from hybridverify.records.rows import Place
from hybridverify.report import RunReport
from hybridverify.types import Grade, Sample

REQUIRED = "HYBRIDVERIFY_CHROMIUM"
"""Set to 1 where these tests must not be left out."""
_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--window-size=1400,1000",
)  # fmt: skip


def missing() -> str:
    """Why no browser can be started, or ""."""
    try:
        import selenium  # noqa: F401
    except ImportError:
        return "selenium is not installed: pip install selenium"
    if not (shutil.which("chromium") and shutil.which("chromedriver")):
        return "no Chromium here: apt-get install chromium chromium-driver"
    return ""


@contextmanager
def browser(emulated: Mapping[str, Any] | None = None) -> Iterator[Any]:
    """A driver with a new, empty profile. Skips the test where there is none, unless it is required."""
    lacking = missing()
    if lacking and os.environ.get(REQUIRED) != "1":
        pytest.skip(lacking)
    assert not lacking, lacking
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        for flag in (*_FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        if emulated:
            options.add_experimental_option("mobileEmulation", dict(emulated))
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        driver = webdriver.Chrome(options=options, service=Service(str(shutil.which("chromedriver"))))
        driver.set_script_timeout(60)
        try:
            yield driver
        finally:
            driver.quit()


def run_page(folder: Path, pairs: Sequence[tuple[Sample, Grade]], name: str = "page") -> Path:
    """The page of a run over these rows."""
    report, figures = RunReport(), RunFigures(["data_source"])
    report.opened(len(pairs))
    layout: Layout = NO_LAYOUT
    for number, (sample, grade) in enumerate(pairs, 1):
        columns = grade_columns(grade, False)
        figures.add(columns, {"data_source": sample.data_source}, "")
        report.add(Entry(number, Place("in.jsonl", number, number), {}, sample, layout), columns, grade)
    path = folder / f"{name}.html"
    report.write(path, figures, {"called": 0}, folder / "out.jsonl", {"inputs": "in.jsonl"})
    return path
