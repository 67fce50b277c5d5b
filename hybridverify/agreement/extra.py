"""The package that figures of agreement need beyond those of the library itself."""

from __future__ import annotations

from importlib.util import find_spec

from hybridverify.errors import ConfigError


def require_extra() -> None:
    """Raises ConfigError if scikit-learn is missing."""
    if find_spec("sklearn") is None:  # searched, not loaded: it takes a second
        raise ConfigError(
            'agreement needs scikit-learn, which is not installed: pip install "hybridverify[report]"'
        )
