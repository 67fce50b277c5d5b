"""The embedded judge: a cross-encoder with 22 million parameters, run by ONNX Runtime. Its weights are in this
folder.

MODEL_CARD.md says how it was made and what it can do. benchmarks/embedded makes it.
"""

from hybridverify.judges.embedded.judge import EmbeddedJudge

__all__ = ["EmbeddedJudge"]
