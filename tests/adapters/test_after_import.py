"""A function is called with somebody else's module, whether that is loaded before or after."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import ModuleType

import pytest
from hybridverify.adapters.after_import import after_import


@pytest.fixture
def foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package `foreign_trainer`, whose second module takes a function of the first into its own."""
    package = tmp_path / "foreign_trainer"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "first.py").write_text("def price():\n    return 1\n")
    (package / "second.py").write_text("from foreign_trainer.first import price\n\nTOLD = price()\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    finders = list(sys.meta_path)
    yield package
    sys.meta_path[:] = finders
    for name in [name for name in sys.modules if name.startswith("foreign_trainer")]:
        del sys.modules[name]


def dearer(module: ModuleType) -> None:
    setattr(module, "price", lambda: 2)  # noqa: B010 - a module has no such attribute by its type


def test_a_module_loaded_later_is_changed_before_others_take_from_it(foreign: Path) -> None:
    after_import(["foreign_trainer.first"], dearer)
    assert "foreign_trainer" not in sys.modules
    second = importlib.import_module("foreign_trainer.second")
    assert second.TOLD == 2
    assert "def price" in inspect.getsource(importlib.import_module("foreign_trainer.first"))


def _noted(seen: list[int], number: int, _: ModuleType) -> None:
    seen.append(number)


def test_several_may_wait_for_one_module(foreign: Path) -> None:
    seen: list[int] = []
    for number in (1, 2, 3):
        after_import(["foreign_trainer.first"], partial(_noted, seen, number))
    importlib.import_module("foreign_trainer.second")
    assert seen == [1, 2, 3]


def test_a_module_that_is_loaded_is_changed_at_once(foreign: Path) -> None:
    first = importlib.import_module("foreign_trainer.first")
    after_import(["foreign_trainer.first", "foreign_trainer.third"], dearer)
    assert first.price() == 2
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("foreign_trainer.third")


def test_other_modules_are_found_as_ever(foreign: Path) -> None:
    seen: list[str] = []
    after_import(["foreign_trainer.first"], lambda module: seen.append(module.__name__))
    second = importlib.import_module("foreign_trainer.second")
    assert seen == ["foreign_trainer.first"]
    assert second.TOLD == 1


def test_the_estimators_need_no_trainer_to_be_loaded() -> None:
    code = (
        "import sys, hybridverify.adapters.advantage as a; print(sorted(a.ESTIMATORS));"
        "print({'verl', 'torch', 'ray', 'transformers'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["['hv_grpo', 'hv_rloo']", "set()"]
