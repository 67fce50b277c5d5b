"""The shipped graph in numpy, node by node: another order of sums, other functions, so another processor to compare
with. Equal scores show that the graph depends on neither."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from embedded.weights import HEADS, WIDTH, Held

_DEPTH = WIDTH // HEADS
Arrays = list[np.ndarray]


def chance(found: Held, ids: np.ndarray, types: np.ndarray) -> float:
    """P(correct) of one row, both inputs [1, length]."""
    known = {**found.weights, "ids": ids, "types": types}
    for node in found.nodes:
        results = _OPERATORS[node.kind]([known[name] for name in node.inputs])
        known |= dict(zip(node.outputs, results if isinstance(results, tuple) else (results,), strict=True))
    return float(known[found.nodes[-1].outputs[0]][0])


def _steps(x: Arrays) -> tuple[np.ndarray, np.floating[Any], np.ndarray]:
    low, high = np.minimum(x[0].min(), np.float32(0)), np.maximum(x[0].max(), np.float32(0))
    scale = np.float32((high - low) / np.float32(255))
    zero = np.clip(np.rint(np.float32(0) - low / scale), 0, 255).astype(np.uint8)
    return _small(x[0], scale, zero), scale, zero


def _small(x: np.ndarray, scale: np.ndarray | np.floating[Any], zero: np.ndarray) -> np.ndarray:
    return np.clip(np.rint(x / scale) + np.float32(zero), 0, 255).astype(np.uint8)


def _product(x: Arrays) -> np.ndarray:
    """Whole numbers, so that 64-bit floats are exact."""
    whole = (x[0].astype(float) - float(x[4])) @ x[1].astype(float)
    return whole.astype(np.float32) * (x[2] * x[3])


def _sigmoid_table(x: Arrays) -> np.ndarray:
    inputs = x[1] * (np.arange(256, dtype=np.float32) - np.float32(x[2]))
    table = _small(1.0 / (1.0 + np.exp(-inputs.astype(float))), x[3].astype(float), x[4])
    return table[x[0]]


def _gather(x: Arrays) -> np.ndarray:
    """Rows of a table; of a row's tokens [1, length, width] the first."""
    return x[0][:, int(x[1])] if x[0].ndim == 3 else x[0][x[1]]


def _backwards(x: np.ndarray) -> np.ndarray:
    """Sum of the last axis, the last first and one after the other."""
    return np.cumsum(x[..., ::-1], axis=-1, dtype=x.dtype)[..., -1:]


_OPERATORS: dict[str, Callable[[Arrays], Any]] = {
    "Add": lambda x: x[0] + x[1],
    "Sub": lambda x: x[0] - x[1],
    "Mul": lambda x: x[0] * x[1],
    "Div": lambda x: x[0] / x[1],
    "Sqrt": lambda x: np.sqrt(x[0]),
    "Cast": lambda x: x[0].astype(
        np.float64 if x[0].dtype == np.float32 and x[0].shape[-1] > 1 else np.float32
    ),
    "Shape": lambda x: np.array(x[0].shape, np.int64),
    "Gather": _gather,
    "Slice": lambda x: x[0][int(x[1][0]) : int(x[2][0])],
    "Reshape": lambda x: x[0].reshape(tuple(x[1])),
    "Transpose": lambda x: x[0].transpose(1, 0, 2),
    "Split": lambda x: tuple(np.split(x[0], 3)),
    "DynamicQuantizeLinear": _steps,
    "QuantizeLinear": lambda x: _small(*x),
    "MatMulIntegerToFloat": _product,
    "QLinearSigmoid": _sigmoid_table,
    "HardSigmoid": lambda x: np.clip(x[0] * np.float32(2.0**-17) + np.float32(1), 0, 1),
    "FusedMatMul": lambda x: x[0] @ x[1].transpose(0, 2, 1),
    "MatMul": lambda x: x[0] @ x[1],
    "ReduceMax": lambda x: x[0].max(-1, keepdims=True),
    "ReduceSum": lambda x: _backwards(x[0]),
    "ReduceSumSquare": lambda x: _backwards(x[0] * x[0]),
    "ReduceMean": lambda x: x[0].mean(1),
    "Concat": lambda x: np.concatenate(x, 1),
    "Gemm": lambda x: x[0] @ x[1] + x[2],
    "Sigmoid": lambda x: 1.0 / (1.0 + np.exp(-x[0])),
    "Squeeze": lambda x: x[0][:, 0],
}
