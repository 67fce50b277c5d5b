"""Graders of others for `same_numbers.py`: loaded from the files of a verl, one by one, without verl itself.

PRIME's grader evaluates the model's text. Here whatever would do so raises `Evaluates` instead, and nothing is run: the
row is then none that it decides by text alone.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Original = Callable[[str, str], bool]


class Evaluates(BaseException):
    """The grader came to the point where it evaluates text. No `Exception`, since it catches those."""


def original(grader: str, folder: Path) -> Original:
    """The grader's function from `folder`, a verl's `utils/reward_score`."""
    if grader == "prime_math":
        return _prime_math(folder)
    if grader == "math_verify_verl":
        return _math_verify(folder)
    names = {"hendrycks": ("math_reward.py", "math.py"), "math_dapo": ("math_dapo.py",)}
    files = [folder / name for name in names.get(grader, ("gsm8k.py",))]
    module = _loaded(next(file for file in files if file.is_file()))
    method = {"method": grader.removeprefix("gsm8k_")} if grader.startswith("gsm8k") else {}

    def grade(response: str, reference: str) -> bool:
        with contextlib.redirect_stdout(io.StringIO()):
            paid = module.compute_score(response, reference, **method)
        return bool((paid["score"] if isinstance(paid, dict) else paid) > 0)

    return grade


def _math_verify(folder: Path) -> Original:
    """What verl starts in a process of its own; math-verify's alarms want the main thread, which this is."""
    module = _loaded(folder / "math_verify.py")

    def grade(response: str, reference: str) -> bool:
        try:
            return bool(module._verify_in_subprocess(f"\\boxed{{{reference}}}", response) > 0)
        except Exception:  # as its caller has it
            return False

    return grade


def _prime_math(folder: Path) -> Original:
    with _no_limits():
        package = _loaded(folder / "prime_math" / "__init__.py")
    values = sys.modules[f"{package.__name__}.grader"]
    package._sympy_parse = _refuse  # type: ignore[attr-defined]
    for name in ("eval", "parse_expr", "parse_latex"):
        setattr(values, name, _refuse)

    def grade(response: str, reference: str) -> bool:
        with contextlib.redirect_stdout(io.StringIO()):
            return bool(package.compute_score(response, reference)[0])

    return grade


def _refuse(*_: Any) -> Any:
    raise Evaluates


@contextlib.contextmanager
def _no_limits() -> Iterator[None]:
    """Stands for the one module of verl that PRIME's grader imports: its limits start a process a call."""

    class Unlimited(contextlib.ContextDecorator):
        def __init__(self, seconds: float) -> None:
            pass

        def __enter__(self) -> None:
            pass

        def __exit__(self, *_: object) -> None:
            pass

    stand_in: Any = types.ModuleType("verl.utils.py_functional")
    stand_in.timeout_limit = Unlimited
    names = ("verl", "verl.utils", "verl.utils.py_functional")
    kept = {name: sys.modules.pop(name) for name in names if name in sys.modules}
    sys.modules.update({name: types.ModuleType(name) for name in names[:2]})
    sys.modules[names[2]] = stand_in
    try:
        yield
    finally:
        for name in names:
            del sys.modules[name]
        sys.modules.update(kept)


def _loaded(file: Path) -> types.ModuleType:
    package = file.name == "__init__.py"
    name = f"original_{file.parent.name if package else file.stem}"
    spec = importlib.util.spec_from_file_location(
        name, file, submodule_search_locations=[str(file.parent)] if package else None
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
