"""The embedded judge: a cross-encoder with 22 million parameters, its weights in this folder, run by ONNX Runtime.

MODEL_CARD.md says what it was made from and what it can do; benchmarks/embedded makes it.
"""

from hybridverify.judges.embedded.judge import EmbeddedJudge

__all__ = ["EmbeddedJudge"]
