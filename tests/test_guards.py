"""Guards over the whole tree: exports, packaging, import direction, weight of the import, README, doctests."""

from __future__ import annotations

import ast
import doctest
import importlib
import json
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import hybridverify

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "hybridverify"
PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "adapters/README.md",
    "docs/architecture.md",
    "docs/coming_from.md",
    "docs/grading_files.md",
    "examples/README.md",
)
HEAVY = (
    "torch",
    "vllm",
    "verl",
    "ray",
    "transformers",
    "pydantic",
    "sympy",
    "math_verify",
    "openai",
    "pyarrow",
)


def test_exports_are_sorted_complete_and_real() -> None:
    names = hybridverify.__all__
    assert names == sorted(names, key=str.casefold)
    assert all(hasattr(hybridverify, name) for name in names)
    contract = {"Sample", "Verdict", "Grade", "Outcome", "Verifier", "Policy", "ScoreCache", "verify"}
    assert contract | {"HybridVerifyError", "__version__"} <= set(names)


def test_packages_list_equals_the_folders_on_disk() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    found = {
        ".".join(init.parent.relative_to(ROOT).parts)
        for folder in ("hybridverify", "adapters")
        for init in (ROOT / folder).rglob("__init__.py")
    }
    adapters = {f"hybridverify.{name}" for name in found if name.split(".")[0] == "adapters"}
    assert set(settings["packages"]) == {name for name in found if name.startswith("hybridverify")} | adapters


def test_every_folder_with_python_files_is_a_package() -> None:
    folders = {path.parent for path in (*PACKAGE.rglob("*.py"), *(ROOT / "adapters").rglob("*.py"))}
    assert [str(folder) for folder in folders if not (folder / "__init__.py").is_file()] == []


def test_no_test_or_module_needs_the_shared_folder_or_a_path_of_one_machine() -> None:
    marks = re.compile(r"\.\./shared|/(work|root|home)/")
    sources = [*PACKAGE.rglob("*.py"), *(ROOT / "adapters").rglob("*.py"), *(ROOT / "tests").rglob("*.py")]
    found = [
        str(path) for path in sources if path != Path(__file__) and marks.search(path.read_text("utf-8"))
    ]
    assert found == []


def test_nobody_imports_a_bare_adapters_package() -> None:
    sources = [*PACKAGE.rglob("*.py"), *(ROOT / "adapters").rglob("*.py"), *(ROOT / "tests").rglob("*.py")]
    bare = re.compile(r"^\s*(import adapters|from adapters\b)", re.MULTILINE)
    assert [str(path) for path in sources if bare.search(path.read_text(encoding="utf-8"))] == []


def in_child(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    return done.stdout.strip()


def test_import_loads_nothing_heavy_and_starts_no_thread() -> None:
    loaded, threads = json.loads(
        in_child(
            "import sys, threading, json, hybridverify;"
            "print(json.dumps([sorted({m.split('.')[0] for m in sys.modules}), threading.active_count()]))"
        )
    )
    assert set(HEAVY) & set(loaded) == set()
    assert threads == 1


@pytest.mark.load
def test_import_takes_less_than_a_fifth_of_a_second() -> None:
    code = "import time; b = time.process_time(); import hybridverify; print(time.process_time() - b)"
    assert min(float(in_child(code)) for _ in range(5)) < 0.2


def test_adapters_are_importable_from_a_checkout_and_need_no_trainer() -> None:
    out = in_child("import hybridverify.adapters.reward_function as r; print(r.compute_score.__name__)")
    assert out == "compute_score"


def modules() -> list[str]:
    found = [
        m.name for m in pkgutil.walk_packages([str(PACKAGE)], "hybridverify.") if "__main__" not in m.name
    ]
    optional = ("sglang", "vllm", "transformers")
    return ["hybridverify", *(name for name in found if name.rsplit(".", 1)[-1] not in optional)]


@pytest.mark.parametrize("name", modules())
def test_doctests_pass(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert result.failed == 0


def readme_blocks(language: str) -> list[str]:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


@pytest.mark.parametrize("block", readme_blocks("python"))
def test_readme_examples_run(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    example = doctest.DocTestParser().get_doctest(block, {}, "README", "README.md", 0)
    assert example.examples, "a README example without a >>> prompt is not run"
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(example)
    assert runner.failures == 0


def test_readme_commands_exist() -> None:
    commands = "\n".join(readme_blocks("bash"))
    targets = set(re.findall(r"^make ([\w-]+)", commands, re.MULTILINE))
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert {"demo", "test"} <= targets
    assert [target for target in targets if not re.search(rf"^{target}:", makefile, re.MULTILINE)] == []
    scripts = re.findall(r"python ((?:benchmarks|tests)/\S+\.py)", commands)
    assert [script for script in scripts if not (ROOT / script).is_file()] == []


def test_pre_commit_and_ci_run_the_same_checks() -> None:
    settings = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    hooks = [hook for repository in settings["repos"] for hook in repository["hooks"]]
    assert [(hook["entry"], hook["language"]) for hook in hooks] == [("make lint", "system")]
    assert re.search(
        r"^(?:step|together) .*\blint\b", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE
    )


def test_every_folder_with_python_files_is_type_checked() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]
    found = {path.relative_to(ROOT).parts[0] for path in ROOT.glob("*/**/*.py")}
    assert {name for name in found if not name.startswith(".") and name != "build"} == set(settings["files"])


@pytest.mark.parametrize("page", PAGES)
def test_paths_and_targets_that_a_page_names_exist(page: str) -> None:
    """Links, and between backticks what begins with a folder of ours: from the root or from the page's own folder."""
    text = (ROOT / page).read_text(encoding="utf-8")
    folders = (ROOT, (ROOT / page).parent)
    quoted = re.findall(r"`((?:[\w.-]+/)+[\w.-]*)`", text)
    paths = [path for path in quoted if any((folder / path.split("/")[0]).is_dir() for folder in folders)]
    paths += re.findall(r"\]\(([\w./-]+)\)", text)
    assert paths
    assert [path for path in paths if not any((folder / path).exists() for folder in folders)] == []
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"(?:^|`)make ([a-z-]+)", text, re.MULTILINE))
    assert [name for name in targets if not re.search(rf"^{name}:", makefile, re.MULTILINE)] == []


def test_every_package_has_a_first_page_and_a_paragraph() -> None:
    pages = {
        path.parent: ast.get_docstring(ast.parse(path.read_text("utf-8")))
        for path in PACKAGE.rglob("__init__.py")
    }
    assert [str(folder) for folder, page in pages.items() if not page] == []
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    top = [folder for folder in pages if folder.parent == PACKAGE and folder.name != "demo"]
    assert [folder.name for folder in top if f"**`hybridverify/{folder.name}/`**" not in text] == []


def test_no_code_runs_text_of_a_model() -> None:
    forbidden = {"eval", "exec", "sympify", "parse_expr", "compile"}
    faults = []
    for path in (*PACKAGE.rglob("*.py"), *(ROOT / "adapters").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
                owner = getattr(getattr(node.func, "value", None), "id", "")
                own_pipe = path.parent.name == "workers"
                unpickles = name == "loads" and owner == "pickle" and not own_pipe
                if (name in forbidden and owner != "re") or unpickles:
                    faults.append(f"{path}:{node.lineno} {name}")
    assert faults == []
