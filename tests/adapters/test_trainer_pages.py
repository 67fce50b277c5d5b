"""The pages of docs/trainers: their lines run as typed, with stand-ins for what is not installed here."""

from __future__ import annotations

import importlib.util
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest
import yaml

ROOT = Path(__file__).parent.parent.parent
PAGES = {path.stem: path for path in sorted((ROOT / "docs" / "trainers").glob("*.md"))}
NAMES = (
    "GRPOTrainer",
    "RLVRWorkflow",
    "Task",
    "args",
    "dataset",
    "gconfig",
    "generate",
    "model",
    "rows",
    "tokenizer",
    "vf",
)
"""What stands on the pages for things of the user's."""
FOREIGN = ("swift.rewards", "skyrl_gym.envs", "rllm.rewards.reward_types")
ELSEWHERE = {"nemo_gym", "openrlhf"}
"""Start a server: one in its own test, the other by a command."""
NEEDED = {"inspect_ai": "inspect_ai", "lighteval": "lighteval"}


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGES[page].read_text(encoding="utf-8"), re.DOTALL)


@dataclass
class RewardOutput:
    """rllm's."""

    reward: float
    metadata: dict[str, Any]
    is_correct: bool


@pytest.fixture(autouse=True)
def stand_ins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HYBRIDVERIFY_CACHE", str(tmp_path))
    for name in FOREIGN:
        parts = name.split(".")
        for end in range(1, len(parts) + 1):
            monkeypatch.setitem(sys.modules, ".".join(parts[:end]), MagicMock())
    sys.modules["swift.rewards"].orms = {}  # type: ignore[attr-defined]
    sys.modules["rllm.rewards.reward_types"].RewardOutput = RewardOutput  # type: ignore[attr-defined]


def executed(page: str) -> dict[str, Any]:
    if importlib.util.find_spec(NEEDED.get(page, "sys")) is None:
        pytest.skip(f"needs {NEEDED[page]}; its own test runs the page")
    space: dict[str, Any] = {"__name__": "page", **{name: MagicMock() for name in NAMES}}
    for block in blocks(page, "python"):
        exec(compile(block, page, "exec"), space)  # noqa: S102 - our own page
    return space


@pytest.mark.parametrize("page", sorted(PAGES.keys() - ELSEWHERE))
def test_the_lines_of_a_page_run(page: str) -> None:
    assert blocks(page, "python")
    executed(page)


def test_the_lines_for_rllm() -> None:
    reward_fn = executed("rllm")["reward_fn"]
    task = {"question": "What is 6*7?", "ground_truth": "42"}
    assert reward_fn(task, r"\boxed{42}") == RewardOutput(1.0, {}, True)
    assert reward_fn(task, r"\boxed{41}") == RewardOutput(0.0, {}, False)


def test_the_lines_for_rllm_read_the_text_inside_an_action() -> None:
    """Its workflows hand over an `Action`, whose own text is `action='...'`."""
    reward_fn = executed("rllm")["reward_fn"]
    task = {"question": "What is the capital of France?", "ground_truth": "Paris"}
    assert reward_fn(task, SimpleNamespace(action="Paris")).is_correct
    assert not reward_fn(task, SimpleNamespace(action=None)).is_correct


def test_the_lines_for_ms_swift() -> None:
    executed("ms_swift")
    made = sys.modules["swift.rewards"].orms["hybridverify"](args=None)
    assert made(completions=[r"\boxed{42}"], solution=["42"], query=["What is 6*7?"]) == [1.0]


def test_the_yaml_for_lm_eval() -> None:
    class Loader(yaml.SafeLoader):
        pass

    Loader.add_constructor("!function", lambda _, node: str(node.value))
    (block,) = blocks("lm_eval", "yaml")
    task = yaml.load(block, Loader)
    assert task["process_results"] == "utils.process_results"
    assert [metric["metric"] for metric in task["metric_list"]] == ["hv_correct", "hv_unscored"]


def test_links_of_the_pages_lead_somewhere() -> None:
    for path in PAGES.values():
        for link in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
            assert (path.parent / link).exists(), (path.name, link)


def test_the_table_names_every_page_and_tests_that_exist() -> None:
    text = PAGES["index"].read_text(encoding="utf-8")
    assert [name for name in PAGES if name != "index" and f"({name}.md)" not in text] == []
    for name in re.findall(r"`(tests/[\w/]+\.py)`", text):
        assert (ROOT / name).exists(), name
    written = "".join(
        path.read_text(encoding="utf-8")
        for path in (ROOT / "tests").rglob("test_*.py")
        if path != Path(__file__)
    )
    for name in re.findall(r"`(test_\w+)`", text):
        assert f"def {name}(" in written, name
