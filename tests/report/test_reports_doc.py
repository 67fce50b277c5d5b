"""The page about reports: its commands run as typed, and what it says of the page is so."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest

from hybridverify.report.page import ASSETS
from hybridverify.report.run_report import MAX_EXPLAINED
from hybridverify.report.sample import MAX_ROWS
from tests.test_examples import ROOT, run

PAGE = (ROOT / "docs" / "reports.md").read_text(encoding="utf-8")


def test_its_commands_run_as_typed(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    shutil.copy(ROOT / "hybridverify" / "demo" / "rollouts.jsonl", tmp_path)
    command = tmp_path / "hybridverify"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m hybridverify "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    (block,) = re.findall(r"```bash\n(.*?)```", PAGE, re.DOTALL)
    printed = run("bash", "-e", "-c", block, folder=tmp_path)
    assert "84 rows" in printed
    for name in ("graded.html", "agreement.html"):
        assert "</html>" in (tmp_path / name).read_text("utf-8")


def test_its_keys_are_those_of_the_page() -> None:
    listed = set(re.findall(r"^\| (.+?) \|", PAGE.partition("| key |")[2].partition("\n\n")[0], re.MULTILINE))
    told = {key for cell in listed for key in re.findall(r"`(.+?)`", cell)} - {"Enter", "Esc"}
    script = (ASSETS / "main.js").read_text("utf-8").partition("const KEYS = {")[2].partition("};")[0]
    assert told == {key.strip('"') for key in re.findall(r'^  ("?.{1}"?):', script, re.MULTILINE)}
    shown = set(re.findall("<kbd>(.)</kbd>", (ASSETS / "page.html").read_text("utf-8")))
    assert told <= shown


def test_its_numbers_are_those_of_the_code() -> None:
    assert f"{MAX_ROWS:,} rows" in PAGE
    assert f"first {MAX_EXPLAINED} rows" in PAGE
