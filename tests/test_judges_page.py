"""docs/judges.md: its commands run as typed, against a server of ours, and its settings make a verifier."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import hybridverify as hv

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from tests.judges.decisions_server import DecisionsServer  # noqa: E402

PAGE = (ROOT / "docs" / "judges.md").read_text(encoding="utf-8")
ROWS = [
    {"question": "Which river?", "reference": "Danube", "response": f"I believe that it is river {n}."}
    for n in range(3)
]


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("number", range(len(blocks("bash"))))
def test_the_commands_run_as_typed(number: int, tmp_path: Path) -> None:
    block = blocks("bash")[number]
    command = tmp_path / "hybridverify"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m hybridverify "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), "utf-8")
    with DecisionsServer(reply=lambda prompt: "REJECT") as server:
        path = os.pathsep.join((str(tmp_path), os.environ["PATH"]))
        variables = {"PYTHONPATH": str(ROOT), "PATH": path, "HOME": str(tmp_path), "TEAM": "checks"}
        variables |= {"JUDGE_URL": server.url, "JUDGE_MODEL": "m", "JUDGE_KEY": "key-of-the-page"}
        variables |= {"HYBRIDVERIFY_CACHE": str(tmp_path / "cache"), "HF_HUB_OFFLINE": "1"}
        done = subprocess.run(
            ["bash", "-e", "-c", block],
            cwd=tmp_path,
            env={**os.environ, **variables},
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert server.asked
        for asked in server.asked:
            sent = (asked.headers.get("authorization"), asked.headers.get("api-key"))
            assert sent in (("Bearer key-of-the-page", None), (None, "key-of-the-page"))
    told = done.stdout + done.stderr
    assert "8 of 8 replies read" in told if "judge try" in block else "3 rows: " in told
    assert "key-of-the-page" not in told


@pytest.mark.parametrize("block", blocks("yaml"))
def test_its_settings_make_a_verifier(block: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_KEY", "k")
    with hv.Verifier.from_config({**yaml.safe_load(block), "cache": None}) as verifier:
        assert "judges=" in verifier.fingerprint()


def test_every_option_of_a_server_stands_on_the_page() -> None:
    names = (
        "--api-key-env",
        "--header",
        "--rpm",
        "--no-model-check",
        "--no-probe",
        "judge try",
        "reasoning_content",
    )
    assert [name for name in names if name not in PAGE] == []
