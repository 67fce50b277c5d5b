"""The page for those who come from another grader: what it says can be typed, and prints what it says."""

from __future__ import annotations

import doctest
import re
import shutil
import sys
from pathlib import Path

import pytest
import yaml

import hybridverify as hv
from hybridverify.config.graders import GRADERS
from tests.test_examples import ROOT, need_embedded, run

PAGE = (ROOT / "docs" / "coming_from.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_what_both_say_of_the_examples_holds() -> None:
    """One name space for the page: its first block defines what the others use."""
    whole = doctest.DocTestParser().get_doctest("\n".join(blocks("python")), {}, "page", "coming_from.md", 0)
    runner = doctest.DocTestRunner()
    runner.run(whole)
    assert (runner.failures, len(whole.examples) > 10) == (0, True)


@pytest.mark.parametrize("block", blocks("bash"), ids=lambda block: block.split("--grader ")[1].split()[0])
def test_the_lines_to_write_run_as_typed(block: str, tmp_path: Path) -> None:
    if "embedded" in block:
        need_embedded()
    shutil.copy(ROOT / "hybridverify" / "demo" / "rollouts.jsonl", tmp_path)
    command = tmp_path / "hybridverify"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m hybridverify "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    printed = run("bash", "-e", "-c", block, folder=tmp_path)
    assert re.search(r"84 rows: \d+ change, \d+ now right, \d+ no longer right", printed), printed
    assert printed.count("written to") == (3 if "--out" in block else 2)


@pytest.mark.parametrize("block", blocks("yaml"))
def test_its_settings_make_a_verifier(block: str) -> None:
    with hv.Verifier.from_config({**yaml.safe_load(block), "cache": None}) as verifier:
        assert verifier.fingerprint("openai/gsm8k") != verifier.fingerprint("other")


def test_every_grader_stands_on_the_page() -> None:
    assert [name for name in GRADERS if f"`{name}`" not in PAGE] == []
