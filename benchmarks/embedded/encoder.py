"""The model in PyTorch: MiniLM (six BERT layers of width 384) with one output, for training and export."""

from __future__ import annotations

from pathlib import Path

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

    def __init__(self, dropout: float = 0.1) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(POSITIONS, WIDTH)
        self.types, self.norm = nn.Embedding(2, WIDTH), nn.LayerNorm(WIDTH, _EPSILON)
        self.layers = nn.ModuleList(Layer(dropout) for _ in range(LAYERS))
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


def from_base(path: Path, dropout: float = 0.1, seed: int = 0) -> CrossEncoder:
    """The base model's weights with a new head."""
    from safetensors.torch import load_file

    base = load_file(path)
    torch.manual_seed(seed)
    model = CrossEncoder(dropout)
    nn.init.normal_(model.head.weight, std=0.02)
    nn.init.zeros_(model.head.bias)
    names = {
        "words.weight": "embeddings.word_embeddings.weight",
        "places.weight": "embeddings.position_embeddings.weight",
        "types.weight": "embeddings.token_type_embeddings.weight",
        "norm.weight": "embeddings.LayerNorm.weight",
        "norm.bias": "embeddings.LayerNorm.bias",
    }
    parts = {
        "out": "attention.output.dense",
        "norm1": "attention.output.LayerNorm",
        "wide": "intermediate.dense",
        "narrow": "output.dense",
        "norm2": "output.LayerNorm",
    }
    state = model.state_dict()
    state |= {own: base[theirs] for own, theirs in names.items()}
    for at in range(LAYERS):
        for kind in ("weight", "bias"):
            there = f"encoder.layer.{at}"
            state |= {
                f"layers.{at}.{own}.{kind}": base[f"{there}.{theirs}.{kind}"] for own, theirs in parts.items()
            }
            state[f"layers.{at}.qkv.{kind}"] = torch.cat(
                [base[f"{there}.attention.self.{name}.{kind}"] for name in ("query", "key", "value")]
            )
    model.load_state_dict(state)
    return model
