"""`hybridverify grade` with the engine in the command's own process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROWS = [
    {
        "question": f"What is {n} + {n}?",
        "reference": str(2 * n),
        "response": f"It is \\boxed{{{2 * n + n % 2}}}",
    }
    for n in range(10)
]


def grade(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hybridverify", "grade", *arguments, "--no-progress"]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)


def test_rows_that_rules_refuse_are_judged_and_a_second_run_asks_nothing(
    model: str, small: dict[str, Any], tmp_path: Path
) -> None:
    rows, out, again = (tmp_path / name for name in ("rows.jsonl", "out.jsonl", "again.jsonl"))
    rows.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    backend = {"name": "vllm", "model": model, "dtype": "bfloat16", "choice": ["True", "False"], **small}
    policy = {"name": "addon", "trust_reject": False}
    settings = {"policy": policy, "judges": [{"preset": "tinyv", "backend": backend}]}
    config = tmp_path / "config.json"
    config.write_text(json.dumps({**settings, "cache": str(tmp_path / "cache")}))

    first = grade(str(rows), "-o", str(out), "--config", str(config))
    assert first.returncode == 0, first.stderr[-2000:]
    found = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["hv_judge_asked"] for row in found] == [n % 2 == 1 for n in range(10)]
    assert all(row["hv_graded"] for row in found)
    assert "10 rows" in first.stdout + first.stderr

    second = grade(str(rows), "-o", str(again), "--config", str(config))
    assert second.returncode == 0, second.stderr[-2000:]
    assert again.read_bytes() == out.read_bytes()
    assert "Loading" not in second.stderr  # no engine was started for what the cache holds


def test_an_unknown_model_ends_the_command_with_one_line(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps(ROWS[1]) + "\n")
    chosen = ["--policy", "judge_only", "--judge", "tinyv", "--backend", "vllm", "--model", "nobody/nothing"]
    ended = grade(str(rows), "-o", str(tmp_path / "out.jsonl"), "--no-cache", *chosen)
    assert ended.returncode == 3
    last = ended.stderr.strip().splitlines()[-1]
    assert "vllm cannot start 'nobody/nothing': no such model here" in last
    assert "Traceback" not in ended.stderr
