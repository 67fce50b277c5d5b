"""The embedded judge: a cross-encoder with 22 million parameters, run by ONNX Runtime. Its weights are in this
folder.

MODEL_CARD.md says how it was made and what it can do. benchmarks/embedded makes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hybridverify.judges.embedded.judge import EmbeddedJudge

__all__ = ["EmbeddedJudge"]


def __getattr__(name: str) -> object:
    """The judge is loaded when it is first named: the guards only need the spellings of a reference."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from hybridverify.judges.embedded.judge import EmbeddedJudge

    return EmbeddedJudge
