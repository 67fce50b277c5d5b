"""Fixtures for real verl on a CPU: no GPU, no engine, no network."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from fresh import Parent, parent

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault(
    "RAY_worker_niceness", "0"
)  # else Ray's workers starve beside anything that keeps the cores busy

sys.path.append(str(Path(__file__).parent.parent / "service"))
"""For service_process. Not by `tests.service`: an installed package of this name may come first."""

Write = Callable[[Mapping[str, Any]], str]


@pytest.fixture(scope="session")
def tokenizer_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from toy import save_tokenizer

    folder = tmp_path_factory.mktemp("tokenizer")
    save_tokenizer(folder)
    return folder


@pytest.fixture(scope="session")
def tokenizer(tokenizer_folder: Path) -> Any:
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(tokenizer_folder)


@pytest.fixture(scope="session")
def fresh() -> Iterator[Parent]:
    """Starts processes in which verl was never imported."""
    with parent() as started:
        yield started


@pytest.fixture
def config_file(tmp_path: Path) -> Write:
    """Writes a configuration and gives its path, for the option `config`."""

    def write(settings: Mapping[str, Any]) -> str:
        file = tmp_path / "verify.json"
        file.write_text(json.dumps({"cache": None, **settings}))
        return str(file)

    return write


def scripted(replies: Any, preset: str = "tinyv") -> dict[str, Any]:
    """A judge that answers from a script."""
    return {"preset": preset, "backend": {"name": "scripted", "replies": replies}}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Ray starts workers by a shell line without quotes: from a path with a space it waits for them for ever."""
    if " " not in sys.executable:
        return
    for item in items:
        if "ray" in item.keywords:
            item.add_marker(pytest.mark.skip(reason=f"Ray cannot start workers from {sys.executable!r}"))


def pytest_configure() -> None:
    """Fail at once where another verl than the one asked for would be tested (matrix.py)."""
    import verl

    expected = os.environ.get("EXPECTED_VERL")
    if expected and not verl.__version__.startswith(expected):
        raise pytest.UsageError(f"expected verl {expected}, found {verl.__version__} at {verl.__file__}")


@pytest.fixture(autouse=True)
def no_module_of_an_earlier_test() -> None:
    """0.6.1 takes whatever file was loaded first in a process for every later custom function."""
    sys.modules.pop("custom_module", None)
