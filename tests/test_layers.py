"""The architecture, as imports show it: packages in layers, no cycles, and the paths that users type."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

import hybridverify

PACKAGE = Path(hybridverify.__file__).parent
LAYERS = (
    ("_version", "errors", "scalars"),
    ("sample", "conventions"),
    ("types", "objects"),
    ("workers", "policies"),
    ("cache", "language", "records"),
    ("maths.limits", "maths.rounding", "maths.written_number"),
    ("maths.approximation",),
    ("maths.scales",),
    ("maths.likeness",),
    ("maths.notation", "maths.numerals"),
    ("maths.algebra",),
    ("maths.values",),
    ("maths.units",),
    ("maths.parsing",),
    ("maths.comparing",),
    ("maths",),
    ("maths.symbolic",),
    ("answers",),
    ("gate",),
    ("rules",),
    ("judges",),
    ("guards",),
    ("pipeline",),
    ("config",),
    ("verifier",),
    ("one_pair", "testing"),
    ("service", "serving"),
    ("agreement", "comparison"),
    ("redteam", "report"),
    ("cli",),
    ("demo", "__main__"),
)
"""From the ground up. A layer imports from those before it; beside each other nobody does. What stands here by a longer
name is no part of the shorter one."""
HEIGHTS = {name: number for number, layer in enumerate(LAYERS) for name in layer}
EXCEPTIONS = {("workers", "rules")}
"""The process that forks workers has to import what their jobs need, before it knows a job."""
PATHS = (
    "hybridverify.adapters.advantage",
    "hybridverify.adapters.areal:reward_function",
    "hybridverify.adapters.lm_eval:processor",
    "hybridverify.adapters.ms_swift:HybridORM",
    "hybridverify.adapters.ray_data:GradeBatch",
    "hybridverify.adapters.reward_function:compute_score",
    "hybridverify.adapters.reward_function:compute_score_async",
    "hybridverify.adapters.reward_function:compute_score_batch",
    "hybridverify.adapters.skyrl:HybridEnv",
    "hybridverify.adapters.trl:reward_function",
    "hybridverify.adapters.verifiers:group_reward",
    "hybridverify.adapters.verl_main",
    "hybridverify.adapters.verl_manager:HybridRewardManager",
    "hybridverify.adapters.verl_reward_loop:HybridRewardManager",
    "hybridverify.cli:main",
    "hybridverify.demo",
    "hybridverify.errors:HybridVerifyError",
    "hybridverify.redteam:attack",
    "hybridverify.service:Client",
    "hybridverify.serving:JudgeServer",
    "hybridverify.testing:ScriptedJudge",
    "hybridverify.types:Grade",
    "hybridverify:make_reward",
    "hybridverify:ScoreCache",
    "hybridverify:Verifier",
    "hybridverify:verify",
)
"""Import paths that stand in READMEs, configuration files and users' command lines."""


def modules() -> dict[str, Path]:
    """Every module by its name below hybridverify; a package by its own."""
    found = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def imports(path: Path) -> Iterator[str]:
    """What a module imports from hybridverify, at its top or within a function."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith("hybridverify."):
            module = (node.module or "")[len("hybridverify.") :]
            for alias in node.names:
                name = f"{module}.{alias.name}".strip(".")
                yield name if name in MODULES else module
        elif isinstance(node, ast.Import):
            yield from (
                a.name[len("hybridverify.") :] for a in node.names if a.name.startswith("hybridverify.")
            )


def unit(name: str) -> str:
    """What stands in LAYERS for a module: itself, or the nearest package around it."""
    while name and name not in HEIGHTS:
        name = name.rpartition(".")[0]
    return name


def test_every_module_has_a_layer() -> None:
    assert {unit(name) for name in MODULES if name} == set(HEIGHTS)


def test_imports_point_down() -> None:
    faults = set()
    for name, path in MODULES.items():
        own = unit(name)
        for imported in imports(path):
            other = unit(imported)
            if own and other and other != own and HEIGHTS[other] >= HEIGHTS[own]:
                faults.add((own, other))
    assert faults - EXCEPTIONS == set()


def test_no_cycle_of_modules() -> None:
    """Tarjan's strongly connected components, over all imports, those within functions included."""
    edges = {name: [other for other in imports(path) if other in MODULES] for name, path in MODULES.items()}
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    cycles = set()

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in edges[name]:
            if other not in index:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], index[other])
        if low[name] == index[name]:
            at = stack.index(name)
            component = frozenset(stack[at:])
            del stack[at:]
            if len(component) > 1:
                cycles.add(component)

    for name in MODULES:
        if name not in index:
            visit(name)
    assert cycles == set()


@pytest.mark.parametrize("path", PATHS)
def test_a_path_that_users_type_can_be_imported(path: str) -> None:
    module, _, name = path.partition(":")
    if module.endswith("verl_manager"):
        pytest.importorskip("torch")
    assert not name or hasattr(importlib.import_module(module), name)
