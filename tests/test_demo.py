"""The demo: rollouts of many kinds, graded without a model; what it prints is true and its command works."""

from __future__ import annotations

import json
import os
import resource
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from hybridverify.cli import main  # noqa: E402
from hybridverify.demo import ROLLOUTS, Demo, run_demo  # noqa: E402
from hybridverify.demo.__main__ import main as show  # noqa: E402
from hybridverify.judges.embedded import model  # noqa: E402
from tests.judges.server import JudgeServer  # noqa: E402


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    return run_demo(tmp_path_factory.mktemp("demo"))


def processor_s() -> float:
    """Processor time of the children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def rollouts() -> list[dict[str, Any]]:
    return [json.loads(line) for line in ROLLOUTS.read_text("utf-8").splitlines()]


def test_there_are_enough_rollouts_of_enough_kinds_and_each_is_complete() -> None:
    rows = rollouts()
    assert len(rows) >= 60
    assert len({row["kind"] for row in rows}) >= 12
    keys = {"question", "reference", "response", "data_source", "kind", "label"}
    assert all(set(row) == keys and isinstance(row["label"], bool) for row in rows)
    assert 0.3 < sum(row["label"] for row in rows) / len(rows) < 0.8
    assert any(row["response"] == "" for row in rows)
    assert any(len(row["response"]) > 700 for row in rows)
    assert any("__import__" in row["response"] for row in rows)


def test_no_rollout_is_there_twice() -> None:
    pairs = [(row["question"], row["response"]) for row in rollouts()]
    assert len(set(pairs)) == len(pairs)


def test_every_sure_outcome_agrees_with_its_label(demo: Demo) -> None:
    wrong = [row for row in demo.decided() if (row["hv_outcome"] == "correct") != row["label"]]
    assert wrong == []
    assert len(demo.decided()) >= 40
    assert demo.agreeing() == len(demo.decided())


def test_nothing_hostile_is_taken_for_right_or_run(demo: Demo) -> None:
    hostile = [row for row in demo.rows if row["kind"] == "hostile" and not row["label"]]
    assert len(hostile) >= 3
    assert all(row["hv_score"] == 0.0 for row in hostile)
    assert not Path("owned").exists()


def test_some_rows_are_left_for_a_judge_and_none_that_is_empty(demo: Demo) -> None:
    asked = demo.for_a_judge()
    assert any(row["kind"] == "text" for row in asked)
    assert not any(row["kind"] == "empty" for row in asked)
    assert len(demo.left_open()) + len(demo.decided()) == len(demo.rows)


def test_the_embedded_judge_decides_answers_in_words_and_leaves_mathematics_open(demo: Demo) -> None:
    assert demo.judged
    judged = demo.by_the_judge()
    assert {row["label"] for row in judged if row["kind"] == "text"} == {True, False}
    assert not any(row["kind"] == "text" for row in demo.left_open())
    assert len(judged) >= 7
    assert [row for row in judged if (row["hv_outcome"] == "correct") != row["label"]] == []


def test_without_the_judge_s_packages_the_demo_shows_the_rules_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(model, "_NEEDED", ("no_such_package",))
    assert show(["--folder", str(tmp_path)]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "What the rules say" in shown
    assert "hybridverify[embedded]" in shown


def test_the_command_that_is_shown_asks_exactly_the_rows_that_are_listed(demo: Demo) -> None:
    words = shlex.split(demo.command())
    words = words[words.index("grade") - 1 :]
    assert Path(words[0]).name == "hybridverify"
    with JudgeServer(reply=lambda prompt: "REJECT", models=None) as server:
        words[words.index("--base-url") + 1] = server.url
        assert main(words[1:]) == 0
        asked = len(server.prompts())
    judged = [json.loads(line) for line in demo.out.with_name("judged.jsonl").read_text("utf-8").splitlines()]
    listed = {(row["question"], row["response"]) for row in demo.for_a_judge()}
    assert {(row["question"], row["response"]) for row in judged if row["hv_judge_asked"]} == listed
    assert asked == len(listed)


def test_a_second_run_takes_the_slow_checks_from_the_cache(demo: Demo) -> None:
    again = run_demo(demo.out.parent)
    assert (again.from_cache, again.rows) == (again.checked, demo.rows)
    assert again.checked == demo.checked > 0


def test_the_tables_hold_every_kind_and_the_true_counts(
    tmp_path: Path, demo: Demo, capsys: pytest.CaptureFixture[str]
) -> None:
    assert show(["--folder", str(tmp_path / "new")]) == 0
    shown = capsys.readouterr().out
    assert all(kind in shown for kind in {row["kind"] for row in demo.rows})
    assert f"Sure about {len(demo.decided())}, of which {demo.agreeing()} agree" in " ".join(shown.split())
    assert "hybridverify grade " in shown
    assert "--base-url http" in shown


@pytest.mark.load
def test_the_demo_runs_as_a_program_well_under_a_minute(tmp_path: Path) -> None:
    before = processor_s()
    variables = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "hybridverify.demo"]
    done = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert processor_s() - before < 40
    assert (tmp_path / "demo-output" / "graded.jsonl").is_file()
