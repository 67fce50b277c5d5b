"""The model in PyTorch: MiniLM (six BERT layers of width 384) with one output, for training and export."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from embedded.weights import HEADS, LAYERS, WIDTH

INNER, VOCABULARY, POSITIONS = 1536, 30522, 512
_EPSILON = 1e-12


class Layer(nn.Module):
    """Self-attention and a feed-forward part, each with its residual and norm."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.wide, self.narrow = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH, _EPSILON), nn.LayerNorm(WIDTH, _EPSILON)
        self.dropout = dropout

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        rows, length, _ = x.shape
        q, k, v = self.qkv(x).view(rows, length, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        drop = self.dropout if self.training else 0.0
        mixed = (
            F.scaled_dot_product_attention(q, k, v, mask, drop).transpose(1, 2).reshape(rows, length, WIDTH)
        )
        x = self.norm1(x + F.dropout(self.out(mixed), drop))
        return self.norm2(x + F.dropout(self.narrow(F.gelu(self.wide(x))), drop))


class CrossEncoder(nn.Module):
    """ids, token types and mask [rows, length] to one logit a row: first token and mean of all, one linear layer."""

    def __init__(self, dropout: float = 0.1, layers: int = LAYERS, vocabulary: int = VOCABULARY) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(vocabulary, WIDTH), nn.Embedding(POSITIONS, WIDTH)
        self.types, self.norm = nn.Embedding(2, WIDTH), nn.LayerNorm(WIDTH, _EPSILON)
        self.layers = nn.ModuleList(Layer(dropout) for _ in range(layers))
        self.head = nn.Linear(2 * WIDTH, 1)
        self.dropout = dropout

    def forward(self, ids: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        drop = self.dropout if self.training else 0.0
        x = self.words(ids) + self.types(types) + self.places.weight[: ids.shape[1]]
        x = F.dropout(self.norm(x), drop)
        for layer in self.layers:
            x = layer(x, mask[:, None, None, :])
        seen = mask[:, :, None].to(x.dtype)
        mean = (x * seen).sum(1) / seen.sum(1)
        return self.head(F.dropout(torch.cat([x[:, 0], mean], 1), drop)).squeeze(1)


def from_base(path: Path, dropout: float = 0.1, seed: int = 0, layers: int = LAYERS) -> CrossEncoder:
    """The base model's weights, its first `layers` layers, with a new head."""
    base = _base(path)
    torch.manual_seed(seed)
    model = CrossEncoder(dropout, layers, len(base["embeddings.word_embeddings.weight"]))
    nn.init.normal_(model.head.weight, std=0.02)
    nn.init.zeros_(model.head.bias)
    state = model.state_dict()
    state |= {own: base[theirs] for own, theirs in _NAMES.items()}
    for at in range(layers):
        for kind in ("weight", "bias"):
            there = f"encoder.layer.{at}"
            state |= {
                f"layers.{at}.{own}.{kind}": base[f"{there}.{theirs}.{kind}"]
                for own, theirs in _PARTS.items()
            }
            state[f"layers.{at}.qkv.{kind}"] = torch.cat(
                [base[f"{there}.attention.self.{name}.{kind}"] for name in ("query", "key", "value")]
            )
    model.load_state_dict(state)
    return model


def _base(path: Path) -> dict[str, Tensor]:
    """From a file of safetensors, one that torch wrote, or one of small steps with their scales (e5.py)."""
    if path.suffix == ".pt":
        return {
            name: value.float()
            for name, value in torch.load(path, map_location="cpu", weights_only=True).items()
        }
    if path.suffix == ".npz":
        return floats_of(path)
    from safetensors.torch import load_file

    found: dict[str, Tensor] = load_file(path)
    return found


def floats_of(path: Path) -> dict[str, Tensor]:
    """Arrays; `NAME.scale` holds the scale of each block of `NAME`, or of each of its last dimension."""
    found = np.load(path)
    state = {}
    for name in found.files:
        if not name.endswith(".scale"):
            values = found[name].astype(np.float32)
            if f"{name}.scale" in found.files:
                scale = found[f"{name}.scale"].astype(np.float32)
                blocks = values.reshape(scale.size, -1) * scale.reshape(-1, 1)
                values = blocks.reshape(values.shape)
            state[name] = torch.from_numpy(values)
    return state


_NAMES = {
    "words.weight": "embeddings.word_embeddings.weight",
    "places.weight": "embeddings.position_embeddings.weight",
    "types.weight": "embeddings.token_type_embeddings.weight",
    "norm.weight": "embeddings.LayerNorm.weight",
    "norm.bias": "embeddings.LayerNorm.bias",
}
_PARTS = {
    "out": "attention.output.dense",
    "norm1": "attention.output.LayerNorm",
    "wide": "intermediate.dense",
    "narrow": "output.dense",
    "norm2": "output.LayerNorm",
}
