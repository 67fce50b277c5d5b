"""Stopping `hybridverify grade` as a process: signals, exit codes, the line that says how to go on."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.waiting import soon

ROOT = Path(__file__).resolve().parent.parent
ROWS = 900
SLOW_RULE = """
import time

def check(sample):
    time.sleep(0.004)
    return float(sample.references[0] in sample.response)
"""

pytestmark = [pytest.mark.load, pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [{"response": f"it is {i}", "reference": str(i % 10), "id": i} for i in range(ROWS)]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    (tmp_path / "slow_rule.py").write_text(SLOW_RULE)
    (tmp_path / "conf.yaml").write_text("rules: ['slow_rule:check']\ncache: null\n")
    return tmp_path


def start(folder: Path, command: list[str]) -> subprocess.Popen[str]:
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(folder)))}
    return subprocess.Popen(
        [sys.executable, "-m", "hybridverify", *command],
        cwd=folder,
        env=variables,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def finish(folder: Path, command: list[str]) -> str:
    process = start(folder, command)
    output, errors = process.communicate(timeout=200)
    assert process.returncode == 0, errors
    return output


def wait_for_rows(process: subprocess.Popen[str], journal: Path, rows: int = 1) -> None:
    def there() -> bool:
        return journal.exists() and journal.read_bytes().count(b"\n") >= rows

    if not soon(lambda: there() or process.poll() is not None) or not there():
        process.kill()
        raise AssertionError(f"no {rows} rows in {journal}: {process.communicate()}")


@pytest.mark.parametrize(
    ("name", "number", "code"),
    [("out.jsonl", signal.SIGTERM, 143), ("out.parquet", signal.SIGINT, 130)],
)
def test_a_stopped_run_says_how_to_go_on_and_going_on_gives_equal_bytes(
    folder: Path, name: str, number: signal.Signals, code: int
) -> None:
    command = ["grade", "in.jsonl", "-o", name, "-c", "conf.yaml"]
    process = start(folder, command)
    wait_for_rows(process, folder / f"{name}.partial")
    process.send_signal(number)
    output, errors = process.communicate(timeout=200)
    assert (process.returncode, output) == (code, "")
    (line,) = errors.splitlines()
    assert line.startswith("stopped: ")
    assert f"rows are in {name}.partial; to go on: hybridverify" in line
    kept = int(line.split()[1])
    assert 0 < kept < ROWS
    assert (folder / f"{name}.partial").read_bytes().count(b"\n") == kept
    assert not (folder / name).exists()

    (folder / "slow_rule.py").write_text(SLOW_RULE.replace("0.004", "0"))
    again = shlex.split(line.partition("to go on: hybridverify ")[2])
    assert again == [*command, "--resume"]
    assert f"{ROWS} rows ({kept} of them from before): " in finish(folder, again)
    finish(folder, ["grade", "in.jsonl", "-o", f"whole-{name}", "-c", "conf.yaml"])
    assert (folder / name).read_bytes() == (folder / f"whole-{name}").read_bytes()
    assert not (folder / f"{name}.partial").exists()


def test_a_killed_process_is_resumed_without_asking_a_finished_row_again(folder: Path) -> None:
    command = ["grade", "in.jsonl", "-o", "out.jsonl", "-c", "conf.yaml"]
    process = start(folder, command)
    wait_for_rows(process, folder / "out.jsonl.partial", 300)
    process.kill()
    process.communicate()
    kept = (folder / "out.jsonl.partial").read_bytes().count(b"\n")
    counting = SLOW_RULE.replace("time.sleep(0.004)", "open('asked', 'a').write(sample.response + '\\n')")
    (folder / "slow_rule.py").write_text(counting)
    finish(folder, [*command, "--resume"])
    asked = (folder / "asked").read_text().split("\n")
    assert sorted(filter(None, asked)) == sorted(f"it is {i}" for i in range(kept, ROWS))


def test_a_run_that_is_stopped_before_its_first_row_leaves_quietly(folder: Path) -> None:
    process = start(folder, ["grade", "in.jsonl", "-o", "out.jsonl", "-c", "conf.yaml"])
    assert soon((folder / "out.jsonl.partial").exists)
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=200)
    assert process.returncode == 143
    assert "Traceback" not in errors
