"""The page about files: each of its commands runs as typed, and its examples print what they say."""

from __future__ import annotations

import doctest
import json
import re
import shutil
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.test_examples import ROOT, run

PAGE = (ROOT / "docs" / "grading_files.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_examples_print_what_they_say() -> None:
    whole = doctest.DocTestParser().get_doctest(
        "\n".join(blocks("python")), {}, "page", "grading_files.md", 0
    )
    runner = doctest.DocTestRunner()
    runner.run(whole)
    assert (runner.failures, len(whole.examples) > 7) == (0, True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("page")
    shutil.copy(ROOT / "hybridverify" / "demo" / "rollouts.jsonl", made)
    command = made / "hybridverify"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m hybridverify "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    return made


@pytest.mark.parametrize("number", range(len(blocks("bash"))))
def test_the_commands_run_as_typed(number: int, folder: Path) -> None:
    block = blocks("bash")[number]
    printed = run("bash", "-e", "-o", "pipefail", "-c", block, folder=folder)
    assert printed, block
    if "--summary" in block:
        assert json.loads((folder / "figures.json").read_text())["all"]["rows"] == 84
    if "'runs/*.jsonl'" in block or "--skip-bad-lines" in block:
        assert "84 rows: " in printed
    if "--keep-shape" in block:
        shaped = [json.loads(line) for line in (folder / "same_shape.jsonl").read_text().splitlines()]
        assert [row["hv_score"] for row in shaped] == [[1.0, 0.0, 1.0], [1.0]]
    if "train.parquet" in block:
        rows = pq.read_table(folder / "train.parquet").to_pylist()
        assert [row["reward_model"]["ground_truth"] for row in rows] == ["1080", "\\frac{1}{6}"]
    if "explain" in block:
        assert "rule:choice" in printed
        assert "correct" in printed.splitlines()[-1]
