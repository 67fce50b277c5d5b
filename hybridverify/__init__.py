r"""Decide whether an answer is right: rule checkers first, an LLM judge where rules cannot tell, a cache under both.

    >>> import hybridverify as hv
    >>> hv.verify(r"so the sum is \boxed{\frac{1}{2}}", "0.5").outcome.value
    'correct'

Importing this package loads no engine, trainer or schema library; those are imported where they are used, and
the batch flow itself when it is first named.
"""

from __future__ import annotations

import importlib as _importlib
from pathlib import Path as _Path
from typing import TYPE_CHECKING

from hybridverify._version import __version__
from hybridverify.errors import HybridVerifyError
from hybridverify.policies import Addon, JudgeOnly, Mixed, Policy, RuleOnly, Sum, TinyvOnly, Veto
from hybridverify.types import Grade, Outcome, Sample, Verdict

if TYPE_CHECKING:
    from hybridverify.adapters.any_trainer import make_reward
    from hybridverify.cache import ScoreCache
    from hybridverify.one_pair import verify
    from hybridverify.verifier import Verifier

__all__ = [
    "__version__",
    "Addon",
    "Grade",
    "HybridVerifyError",
    "JudgeOnly",
    "make_reward",
    "Mixed",
    "Outcome",
    "Policy",
    "RuleOnly",
    "Sample",
    "ScoreCache",
    "Sum",
    "TinyvOnly",
    "Verdict",
    "Verifier",
    "verify",
    "Veto",
]

_LAZY = {
    "make_reward": "adapters.any_trainer",
    "ScoreCache": "cache",
    "Verifier": "verifier",
    "verify": "one_pair",
}


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(_importlib.import_module(f"hybridverify.{_LAZY[name]}"), name)
    globals()[name] = found
    return found


_root = _Path(__file__).resolve().parent.parent
if (_root / "pyproject.toml").is_file() and (_root / "adapters" / "reward_function.py").is_file():
    # A source checkout: `hybridverify.adapters` is the top-level folder `adapters/`.
    __path__.append(str(_root))
