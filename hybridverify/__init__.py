"""Decide whether an answer is right: rule checkers first, an LLM judge where rules cannot tell, a cache under both.

    >>> import hybridverify as hv
    >>> hv.verify(r"so the sum is \\boxed{\\frac{1}{2}}", "0.5").outcome.value
    'correct'

Importing this package loads no engine, trainer or schema library; those are imported where they are used.
"""

from __future__ import annotations

from pathlib import Path as _Path

_root = _Path(__file__).resolve().parent.parent
if (_root / "pyproject.toml").is_file() and (_root / "adapters" / "reward_function.py").is_file():
    __path__.append(
        str(_root)
    )  # a source checkout: `hybridverify.adapters` is the top-level folder `adapters/`

from hybridverify._version import __version__ as __version__
from hybridverify.errors import HybridVerifyError as HybridVerifyError
