"""Pages of the site: what stands on them can be typed."""

from __future__ import annotations

import doctest
import os
import re
import sys
from pathlib import Path

import pytest

from tests.test_examples import ROOT, run

PAGES = [ROOT / "docs" / "tutorial.md", *sorted((ROOT / "docs" / "how_to").glob("*.md"))]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_examples_print_what_the_page_says(page: Path) -> None:
    whole = doctest.DocTestParser().get_doctest(
        "\n".join(blocks(page, "python")), {}, page.stem, str(page), 0
    )
    runner = doctest.DocTestRunner()
    runner.run(whole)
    assert runner.failures == 0


@pytest.mark.parametrize(
    ("page", "said"),
    [("tutorial.md", "1 correct, 1 incorrect"), ("how_to/rejection_sampling.md", "2 of 3 kept")],
)
def test_commands_run_as_typed(page: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, words in (("hybridverify", "-m hybridverify "), ("python", "")):
        command = tmp_path / name
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words}"$@"\n', encoding="utf-8")
        command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    printed = "".join(
        run("bash", "-e", "-c", block, folder=tmp_path) for block in blocks(ROOT / "docs" / page, "bash")
    )
    assert said in printed, printed
    assert (tmp_path / "graded.jsonl").exists()


def test_every_page_stands_in_the_sites_contents() -> None:
    contents = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert sorted(page for page in pages if f" {page}\n" not in contents) == []
