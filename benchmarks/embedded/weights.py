"""Weights as the graph holds them: 8-bit steps of seven bits, and what a file of the ONNX format holds, read without
the `onnx` package, so that tests and a machine that only judges can look into it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

WIDTH, HEADS, LAYERS = 384, 12, 6
TOP = 63
"""Largest weight in steps. Processors without VNNI add two products of an 8-bit input and a weight in 16 bits:
2 x 255 x 64 fits, 2 x 255 x 65 would be cut off."""
_KINDS = {1: np.float32, 2: np.uint8, 3: np.int8, 6: np.int32, 7: np.int64, 11: np.float64}


class Node(NamedTuple):
    """One step of a graph."""

    kind: str
    inputs: list[str]
    outputs: list[str]


class Held(NamedTuple):
    """Nodes in order, and weights by name."""

    nodes: list[Node]
    weights: dict[str, np.ndarray]


def quantized(matrix: np.ndarray, top: int = TOP) -> tuple[np.ndarray, np.ndarray]:
    """Steps and the scale of each column."""
    scale = np.maximum(np.abs(matrix).max(0), 1e-8) / top
    return np.rint(matrix / scale).astype(np.int8), scale.astype(np.float32)


def held(path: Path) -> Held:
    """What this file holds."""
    graph = next(value for field, value in _fields(path.read_bytes()) if field == 7)
    nodes = [_node(value) for field, value in _fields(graph) if field == 1]
    return Held(nodes, dict(_weight(value) for field, value in _fields(graph) if field == 5))


def state_of(path: Path) -> dict[str, np.ndarray]:
    """Float weights by the names of training, from a file of the first version (`hybridverify-embedded-1`). Steps and
    scales come back the same when these are exported again; the calibration is in the head already."""
    found = held(path).weights
    state = {name: array for name, array in found.items() if name.endswith((".weight", ".bias"))}
    state["words.weight"] = found["words"] * found["words_scale"]
    for name in found:
        if name.startswith("layers.") and f"{name}_scale" in found:
            state[f"{name}.weight"] = (found[name].astype(np.float64) * found[f"{name}_scale"]).T
    return state | {"head.weight": found["head"].T, "head.bias": found["bias"]}


def _node(data: bytes) -> Node:
    parts = list(_fields(data))
    return Node(
        next(value.decode() for field, value in parts if field == 4),
        [value.decode() for field, value in parts if field == 1],
        [value.decode() for field, value in parts if field == 2],
    )


def _weight(data: bytes) -> tuple[str, np.ndarray]:
    dims: list[int] = []
    kind, name, raw = 0, "", b""
    for field, value in _fields(data):
        if field == 1:
            dims += _numbers(value)
        elif field == 2:
            kind = _numbers(value)[0]
        elif field == 8:
            name = value.decode()
        elif field == 9:
            raw = value
    return name, np.frombuffer(raw, _KINDS[kind]).reshape(dims)


def _fields(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Numbers and contents of a message's fields; a plain number as the bytes it is written in."""
    at = 0
    while at < len(data):
        (key, begin) = _number(data, at)
        if key & 7 == 0:
            at = _number(data, begin)[1]
        elif key & 7 == 2:
            length, begin = _number(data, begin)
            at = begin + length
        else:
            at = begin + {1: 8, 5: 4}[key & 7]
        yield key >> 3, data[begin:at]


def _numbers(data: bytes) -> list[int]:
    found, at = [], 0
    while at < len(data):
        value, at = _number(data, at)
        found.append(value)
    return found


def _number(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value, shift, at = value | (byte & 127) << shift, shift + 7, at + 1
        if byte < 128:
            return value, at


def too_wide(found: Held) -> list[str]:
    """Weights of products in which two neighbours may overflow 16 bits on a processor without VNNI."""
    factors = {name for node in found.nodes if node.kind not in ("Gather", "Reshape") for name in node.inputs}
    return [
        name
        for name, array in found.weights.items()
        if name in factors
        and array.dtype == np.int8
        and array.size
        and int(np.abs(array.astype(int)).max()) > 64
    ]
