"""docs/service.md: what it says can be typed."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest
import yaml

from hybridverify.config import ServeEntry, load_serve
from tests.service.service_process import running
from tests.test_examples import ROOT, run

PAGE = (ROOT / "docs" / "service.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
def test_the_first_recipe_runs_as_typed(tmp_path: Path) -> None:
    (block,) = [block for block in blocks("bash") if "curl" in block]
    with running(tmp_path, {}) as service:  # a port that is free a moment later
        port = service.base_url.rpartition(":")[2]
    command = tmp_path / "hybridverify"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m hybridverify "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    printed = run("bash", "-c", "set -m\n" + block.replace("8100", port), folder=tmp_path)
    assert '"score": 1.0' in printed
    assert re.search(r"}0\.0\b", printed), printed
    assert f"serving at http://127.0.0.1:{port}" in (tmp_path / "serve.log").read_text()


def test_the_python_recipe_runs_as_typed(tmp_path: Path) -> None:
    (block,) = blocks("python")
    with running(tmp_path, {}) as service:
        script = tmp_path / "recipe.py"
        script.write_text(block.replace("http://127.0.0.1:8100", service.base_url), encoding="utf-8")
        assert run(sys.executable, str(script), folder=tmp_path) == "[1.0, 0.0]\n"


def test_its_settings_are_settings(tmp_path: Path) -> None:
    (block,) = blocks("yaml")
    entry = load_serve(yaml.safe_load(block))
    assert (entry.host, entry.token_env) == ("0.0.0.0", "HV_TOKEN")
    table = {
        name
        for line in PAGE.splitlines()
        if line.startswith("| `")
        for name in re.findall(r"`(\w+)`", line.split("|")[1])
    }
    assert set(ServeEntry.model_fields) <= table


def test_every_endpoint_is_told() -> None:
    from hybridverify import Verifier
    from hybridverify.service.app import Service
    from hybridverify.service.desk import Desk

    with Verifier() as verifier:
        service = Service(verifier, ServeEntry(), Desk(verifier))
        assert {path for path in service._paths if path not in PAGE} == set()
