"""From weights to the file that is shipped: `python -m embedded.export --weights F.pt --out model.onnx [--full]`.

The graph is written node by node with ONNX Runtime's own fused operators, so that nothing is left to a converter's
pattern matching. Weights are 8-bit integers with a scale for each column, of seven bits: processors without VNNI add
products in 16 bits, which eight would overflow, and the same text would score otherwise there. `--full` writes the
same graph in 32 bits, to compare with. `--calibration F.json` (from calibrate.py) is folded into
the last layer.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from embedded.encoder import HEADS, LAYERS

_EPSILON = 1e-12
_TOP = 63
"""Largest weight in steps."""
_CONTRIB = "com.microsoft"


class Graph:
    """Nodes and weights as they are added; every method returns the name of what it computes."""

    def __init__(self, state: dict[str, np.ndarray], full: bool) -> None:
        self.state, self.full = state, full
        self.nodes: list[Any] = []
        self.weights: list[Any] = []

    def node(
        self, kind: str, inputs: list[str], domain: str = "", outputs: int = 1, **attributes: Any
    ) -> str:
        name = f"{kind}_{len(self.nodes)}"
        names = [name, *(f"{name}_{place}" for place in range(1, outputs))]
        self.nodes.append(helper.make_node(kind, inputs, names, name, domain=domain, **attributes))
        return name

    def weight(self, name: str, array: np.ndarray) -> str:
        self.weights.append(numpy_helper.from_array(np.array(array, order="C"), name))
        return name

    def own(self, name: str) -> str:
        """A weight of the model as it is."""
        return self.weight(name, self.state[name].astype(np.float32))

    def words(self, ids: str) -> str:
        if self.full:
            return self.node("Gather", [self.own("words.weight"), ids])
        steps, scale = quantized(self.state["words.weight"].T, 127)
        rows = self.node("Gather", [self.weight("words", steps.T), ids])
        scales = self.node("Gather", [self.weight("words_scale", scale[:, None]), ids])
        return self.node("Mul", [self.node("Cast", [rows], to=TensorProto.FLOAT), scales])

    def linear(self, x: str, name: str) -> str:
        """x W + b."""
        matrix, bias = self.state[f"{name}.weight"].T, self.own(f"{name}.bias")
        if self.full:
            return self.node("Add", [self.node("MatMul", [x, self.weight(name, matrix)]), bias])
        steps, scale = quantized(matrix)
        parts = [
            self.weight(name, steps),
            self.weight(f"{name}_scale", scale),
            self.weight(f"{name}_zero", np.zeros(len(scale), np.int8)),
        ]
        return self.node("DynamicQuantizeMatMul", [x, *parts, bias], _CONTRIB)

    def attention(self, x: str, name: str) -> str:
        """All heads over the row."""
        matrix, bias = self.state[f"{name}.weight"].T, self.own(f"{name}.bias")
        if self.full:
            return self.node("Attention", [x, self.weight(name, matrix), bias], _CONTRIB, num_heads=HEADS)
        steps, scale = quantized(matrix)
        small = self.node("DynamicQuantizeLinear", [x], outputs=3)
        parts = [
            small,
            self.weight(name, steps),
            bias,
            f"{small}_1",
            self.weight(f"{name}_scale", scale),
            "",
            f"{small}_2",
        ]
        zeros = self.weight(f"{name}_zero", np.zeros(len(scale), np.int8))
        return self.node("QAttention", [*parts, zeros], _CONTRIB, num_heads=HEADS)

    def norm(self, x: str, added: str, name: str) -> str:
        """Apart, because ONNX Runtime's fused kernel for both takes five times as long as the two it stands for."""
        parts = [self.node("Add", [x, added]), self.own(f"{name}.weight"), self.own(f"{name}.bias")]
        return self.node("LayerNormalization", parts, epsilon=_EPSILON, axis=-1)


def quantized(matrix: np.ndarray, top: int = _TOP) -> tuple[np.ndarray, np.ndarray]:
    """Steps and the scale of each column."""
    scale = np.maximum(np.abs(matrix).max(0), 1e-8) / top
    return np.rint(matrix / scale).astype(np.int8), scale.astype(np.float32)


def graph_of(state: dict[str, np.ndarray], full: bool, temperature: float = 1.0, shift: float = 0.0) -> Any:
    """The model: ids and types [rows, length] without padding to P(correct) [rows]."""
    g = Graph(state, full)
    length = g.node("Gather", [g.node("Shape", ["ids"]), g.weight("one", np.array([1], np.int64))])
    places = g.node(
        "Slice", [g.own("places.weight"), g.weight("zero", np.array([0], np.int64)), length, "zero"]
    )
    x = g.node("Add", [g.words("ids"), g.node("Gather", [g.own("types.weight"), "types"])])
    x = g.node("Add", [x, places])
    x = g.node("LayerNormalization", [x, g.own("norm.weight"), g.own("norm.bias")], epsilon=_EPSILON, axis=-1)
    for at in range(LAYERS):
        name = f"layers.{at}"
        mixed = g.linear(g.attention(x, f"{name}.qkv"), f"{name}.out")
        x = g.norm(x, mixed, f"{name}.norm1")
        wide = g.node("Gelu", [g.linear(x, f"{name}.wide")], _CONTRIB)
        x = g.norm(x, g.linear(wide, f"{name}.narrow"), f"{name}.norm2")
    first = g.node("Gather", [x, g.weight("first", np.array(0, np.int64))], axis=1)
    mean = g.node("ReduceMean", [x], axes=[1], keepdims=0)
    both = g.node("Concat", [first, mean], axis=1)
    head = g.weight("head", (state["head.weight"].T / temperature).astype(np.float32))
    logit = g.node(
        "Gemm", [both, head, g.weight("bias", (state["head.bias"] / temperature).astype(np.float32))]
    )
    flat = g.node("Squeeze", [g.node("Sigmoid", [logit]), "one"])
    shape = ["rows", "length"]
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT32, shape) for name in ("ids", "types")]
    outputs = [helper.make_tensor_value_info(flat, TensorProto.FLOAT, ["rows"])]
    graph = helper.make_graph(g.nodes, "embedded_judge", inputs, outputs, g.weights)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(_CONTRIB, 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8, producer_name="hybridverify")


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--calibration", type=Path)
    parser.add_argument("--full", action="store_true")
    options = parser.parse_args()
    state = {
        k: v.float().numpy()
        for k, v in torch.load(options.weights, map_location="cpu", weights_only=True).items()
    }
    known = json.loads(options.calibration.read_text("utf-8")) if options.calibration else {}
    model = graph_of(state, options.full, known.get("temperature", 1.0), known.get("shift", 0.0))
    onnx.save(model, options.out)
    print(f"{options.out}: {options.out.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
