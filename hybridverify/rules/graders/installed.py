"""The string graders of an installed verl, called as they are: its file alone is loaded, in a worker, never verl.

Only those that compare texts. `prime_math` is not among them: it evaluates the model's text.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import importlib.util
import io
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

from hybridverify.rules.base import decided
from hybridverify.rules.graders.told import PREFIX
from hybridverify.types import Sample, Verdict

_FILES = {
    "gsm8k_strict": (("gsm8k.py",), {"method": "strict"}),
    "gsm8k_flexible": (("gsm8k.py",), {"method": "flexible"}),
    "hendrycks": (("math_reward.py", "math.py"), {}),
    "math_dapo": (("math_dapo.py",), {}),
}
"""By grader: the file's names over the releases, and arguments of its `compute_score`."""


@dataclass(frozen=True)
class InstalledGrader:
    """One of them. Right is what it pays more than nothing."""

    grader: str

    version: ClassVar[int] = 1
    isolated: ClassVar[bool] = True
    meta_keys: ClassVar[tuple[str, ...]] = ()

    @property
    def name(self) -> str:
        return PREFIX + self.grader

    def libraries(self) -> dict[str, str]:
        """The release, which may change a verdict: part of the cache key."""
        return {"verl": importlib.metadata.version("verl")}

    def check(self, sample: Sample) -> Verdict:
        """In a worker: correct with any of the references."""
        score, answer = 0.0, ""
        for reference in sample.references:
            with contextlib.redirect_stdout(io.StringIO()):  # they print what they trip over
                paid = _function(str(file_of(self.grader)))(
                    sample.response, reference, **_FILES[self.grader][1]
                )
            told = paid if isinstance(paid, dict) else {"score": paid}
            score, answer = float(told["score"]), str(told.get("pred") or "")
            if score > 0:
                break
        return decided(self, correct=score > 0, answer=answer, reason="verl's own grader")


@lru_cache(maxsize=8)
def file_of(grader: str) -> Path | None:
    """Its file in the installed verl, None without one. verl itself is not imported."""
    try:
        spec = importlib.util.find_spec("verl")
    except (ImportError, ValueError):
        return None
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        for name in _FILES[grader][0]:
            file = Path(folder) / "utils" / "reward_score" / name
            if file.is_file():
                return file
    return None


@lru_cache(maxsize=8)
def _function(file: str) -> Callable[..., Any]:
    spec = importlib.util.spec_from_file_location(f"verl_grader_{Path(file).stem}", file)
    if spec is None or spec.loader is None:
        raise ImportError(file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: Callable[..., Any] = module.compute_score
    return found
