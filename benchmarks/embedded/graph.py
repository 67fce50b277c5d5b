"""The ONNX graph, written node by node. Its scores are the same on every processor.

Layers that take 8-bit steps of what they are given turn a difference in the last digit of a float into a whole step,
and six of them turn that into the second digit of the score. So nothing before the last such layer may depend on the
processor: no sum of floats in an order of its own, no exponential or error function of a library, no product and sum
in one rounding. What is left is exact in whole numbers, or one operation of IEEE arithmetic at a time:

- products with weights are integers (seven bits, so that nothing saturates), scaled apart from the bias;
- what is summed in floats lies on a grid (`snap`), fine enough to lose nothing and coarse enough that every partial
  sum is exact: queries times keys, chances times values, means; squares are summed in 64 bits;
- softmax is (1 + (1 - t/16)^2)^16, which is e^-t up to a factor and .001; Gelu is x times a sigmoid from a table of
  256 places. Both cost less agreement than 8-bit steps do.

`full` writes the same model in 32-bit floats with ONNX Runtime's fused operators, to compare with.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from embedded.weights import HEADS, LAYERS, WIDTH, quantized

_EPSILON = 1e-12
_CONTRIB = "com.microsoft"
_DEPTH = WIDTH // HEADS
_ROUNDER = 1.5 * 2.0**23
"""A float beside it has no digits after the point: adding and taking it away rounds."""
_GRID, _EMBEDDED_GRID = 2.0**-6, 2.0**-12
"""What flows between layers, and the embeddings, which are smaller. Sums of a row stay under 2^24 steps."""
_SHARPNESS = 13
_QUERY_GRID = float(np.sqrt(np.sqrt(_DEPTH) * 2.0**-_SHARPNESS))
"""Of queries and keys: their product, divided by the root of a head's width, comes in steps of 2^-13."""
_VALUE_GRID, _CHANCE_GRID, _POWER_GRID = 2.0**-7, 2.0**-12, 2.0
_GELU, _GELU_STEP = 1.702, 6.0 / 127.0
"""x sigmoid(1.702 x) is within .02 of Gelu; the table reaches to 6, beyond which the sigmoid is 0 or 1."""


class Graph:
    """Nodes and weights as they are added; every method returns the name of what it computes."""

    def __init__(self, state: dict[str, np.ndarray]) -> None:
        self.state = state
        self.nodes: list[Any] = []
        self.weights: dict[str, Any] = {}

    def node(
        self, kind: str, inputs: list[str], domain: str = "", outputs: int = 1, **attributes: Any
    ) -> str:
        name = f"{kind}_{len(self.nodes)}"
        names = [name, *(f"{name}_{place}" for place in range(1, outputs))]
        self.nodes.append(helper.make_node(kind, inputs, names, name, domain=domain, **attributes))
        return name

    def weight(self, name: str, array: np.ndarray) -> str:
        self.weights[name] = numpy_helper.from_array(np.array(array, order="C"), name)
        return name

    def own(self, name: str) -> str:
        """A weight of the model as it is."""
        return self.weight(name, self.state[name].astype(np.float32))

    def number(self, value: float, kind: type = np.float32) -> str:
        return self.weight(f"{np.dtype(kind).name}:{value!r}", np.array(value, kind))

    def floats(self, x: str) -> str:
        return self.node("Cast", [x], to=TensorProto.FLOAT)

    def words(self, ids: str) -> str:
        steps, scale = quantized(self.state["words.weight"].T, 127)
        rows = self.node("Gather", [self.weight("words", steps.T), ids])
        return self.node(
            "Mul", [self.floats(rows), self.node("Gather", [self.weight("words_scale", scale[:, None]), ids])]
        )

    def linear(self, x: str, name: str, factor: Any = 1.0) -> str:
        """x W in steps, times the scales of both and `factor`."""
        steps, scale = quantized(self.state[f"{name}.weight"].T)
        small = self.node("DynamicQuantizeLinear", [x], outputs=3)
        parts = [
            small,
            self.weight(name, steps),
            f"{small}_1",
            self.weight(f"{name}_scale", (scale * factor).astype(np.float32)),
            f"{small}_2",
            self.weight(f"{name}_zero", np.zeros(len(scale), np.int8)),
        ]
        return self.node("MatMulIntegerToFloat", parts, _CONTRIB)

    def snap(self, x: str, grid: float, bias: str = "", factor: Any = 1.0) -> str:
        """The nearest point of the grid, moved by a bias that lies on the grid too."""
        rounder = self.number(_ROUNDER * grid)
        added = rounder
        if bias:
            shift = np.rint(self.state[bias] * factor / grid) * grid
            added = self.weight(bias, (_ROUNDER * grid + shift).astype(np.float32))
        return self.node("Sub", [self.node("Add", [x, added]), rounder])

    def total(self, x: str) -> str:
        return self.node("ReduceSum", [x, self.weight("last", np.array([-1], np.int64))], keepdims=1)

    def attention(self, x: str, name: str) -> str:
        """All heads over the row; in units of the value grid."""
        factor = np.repeat([1.0 / _QUERY_GRID, 1.0 / _VALUE_GRID], [2 * WIDTH, WIDTH])
        mixed = self.snap(self.linear(x, name, factor), 1.0, f"{name}.bias", factor)
        heads = self.weight("heads", np.array([-1, 3 * HEADS, _DEPTH], np.int64))
        query = self.node(
            "Split",
            [self.node("Transpose", [self.node("Reshape", [mixed, heads])], perm=[1, 0, 2])],
            outputs=3,
            axis=0,
        )
        near = self.node("FusedMatMul", [query, f"{query}_1"], _CONTRIB, transB=1)
        gap = self.node("Sub", [near, self.node("ReduceMax", [near], axes=[-1], keepdims=1)])
        chances = self.softmax(gap)
        joined = self.node("Transpose", [self.node("MatMul", [chances, f"{query}_2"])], perm=[1, 0, 2])
        return self.node("Reshape", [joined, self.weight("rows", np.array([1, -1, WIDTH], np.int64))])

    def softmax(self, gap: str) -> str:
        """Of steps below the largest, on the grid of chances."""
        base = self.node("HardSigmoid", [gap], alpha=2.0 ** -(_SHARPNESS + 4), beta=1.0)
        power = self.node("Add", [self.node("Mul", [base, base]), self.number(1.0)])
        for _ in range(4):
            power = self.node("Mul", [power, power])
        power = self.snap(power, _POWER_GRID)
        share = self.node("Div", [self.number(1.0), self.total(power)])
        return self.snap(self.node("Mul", [power, share]), _CHANCE_GRID)

    def gelu(self, x: str) -> str:
        """x times 255 sigmoid(1.702 x), the sigmoid from a table."""
        middle = self.number(128, np.uint8)
        small = self.node("QuantizeLinear", [x, self.number(_GELU_STEP), middle])
        parts = [small, self.number(_GELU_STEP * _GELU), middle, self.number(1.0 / 255.0)]
        gate = self.node("QLinearSigmoid", [*parts, self.number(0, np.uint8)], _CONTRIB)
        return self.node("Mul", [x, self.floats(gate)])

    def norm(self, x: str, name: str, grid: float = _GRID) -> str:
        """Layer norm of a row on a grid, again on one."""
        mean = self.node("Mul", [self.total(x), self.number(1.0 / WIDTH)])
        centred = self.node("Sub", [x, self.snap(mean, grid)])
        wide = self.node("Cast", [centred], to=TensorProto.DOUBLE)
        length = self.node("Sqrt", [self.node("ReduceSumSquare", [wide], axes=[-1], keepdims=1)])
        share = self.floats(self.node("Div", [self.number(1.0, np.float64), length]))
        scale = self.weight(
            f"{name}.weight", (self.state[f"{name}.weight"] * np.sqrt(WIDTH)).astype(np.float32)
        )
        scaled = self.node("Mul", [self.node("Mul", [centred, share]), scale])
        return self.snap(scaled, _GRID, f"{name}.bias")

    def layer(self, x: str, name: str) -> str:
        mixed = self.linear(self.attention(x, f"{name}.qkv"), f"{name}.out", _VALUE_GRID)
        x = self.norm(self.node("Add", [self.snap(mixed, _GRID, f"{name}.out.bias"), x]), f"{name}.norm1")
        wide = self.node("Add", [self.linear(x, f"{name}.wide"), self.own(f"{name}.wide.bias")])
        narrow = self.linear(self.gelu(wide), f"{name}.narrow", 1.0 / 255.0)
        return self.norm(
            self.node("Add", [self.snap(narrow, _GRID, f"{name}.narrow.bias"), x]), f"{name}.norm2"
        )

    def embedded(self, words: str) -> str:
        length = self.node(
            "Gather", [self.node("Shape", ["ids"]), self.weight("one", np.array([1], np.int64))]
        )
        begin = self.weight("zero", np.array([0], np.int64))
        places = self.node("Slice", [self.own("places.weight"), begin, length, begin])
        typed = self.node("Add", [words, self.node("Gather", [self.own("types.weight"), "types"])])
        return self.node("Add", [typed, places])

    def begin(self) -> str:
        return self.norm(self.snap(self.embedded(self.words("ids")), _EMBEDDED_GRID), "norm", _EMBEDDED_GRID)


class Full(Graph):
    """The same in 32-bit floats."""

    def linear(self, x: str, name: str, factor: Any = 1.0) -> str:
        matrix = self.weight(name, self.state[f"{name}.weight"].T.astype(np.float32))
        return self.node("Add", [self.node("MatMul", [x, matrix]), self.own(f"{name}.bias")])

    def attention(self, x: str, name: str) -> str:
        matrix = self.weight(name, self.state[f"{name}.weight"].T.astype(np.float32))
        return self.node("Attention", [x, matrix, self.own(f"{name}.bias")], _CONTRIB, num_heads=HEADS)

    def norm(self, x: str, name: str, grid: float = _GRID) -> str:
        parts = [x, self.own(f"{name}.weight"), self.own(f"{name}.bias")]
        return self.node("LayerNormalization", parts, epsilon=_EPSILON, axis=-1)

    def layer(self, x: str, name: str) -> str:
        mixed = self.linear(self.attention(x, f"{name}.qkv"), f"{name}.out")
        x = self.norm(self.node("Add", [x, mixed]), f"{name}.norm1")
        wide = self.node("Gelu", [self.linear(x, f"{name}.wide")], _CONTRIB)
        return self.norm(self.node("Add", [x, self.linear(wide, f"{name}.narrow")]), f"{name}.norm2")

    def begin(self) -> str:
        return self.norm(self.embedded(self.node("Gather", [self.own("words.weight"), "ids"])), "norm")


def graph_of(state: dict[str, np.ndarray], full: bool, temperature: float = 1.0, shift: float = 0.0) -> Any:
    """The model: ids and types [1, length] without padding to P(correct) [1]."""
    g = Full(state) if full else Graph(state)
    x = g.begin()
    for at in range(LAYERS):
        x = g.layer(x, f"layers.{at}")
    first = g.node("Gather", [x, g.weight("first", np.array(0, np.int64))], axis=1)
    mean = g.node("ReduceMean", [x], axes=[1], keepdims=0)
    both = g.node("Concat", [first, mean], axis=1)
    head = g.weight("head", (state["head.weight"].T / temperature).astype(np.float32))
    bias = g.weight("bias", (state["head.bias"] / temperature + shift).astype(np.float32))
    logit = g.node("Gemm", [both, head, bias])
    flat = g.node("Squeeze", [g.node("Sigmoid", [logit]), g.weight("one", np.array([1], np.int64))])
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT32, [1, "length"]) for name in ("ids", "types")
    ]
    outputs = [helper.make_tensor_value_info(flat, TensorProto.FLOAT, [1])]
    graph = helper.make_graph(g.nodes, "embedded_judge", inputs, outputs, list(g.weights.values()))
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(_CONTRIB, 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8, producer_name="hybridverify")
