"""What the first row of a process loads: expressions are compiled when they are used, and no schema, loop or judge is
brought by a row that the rules decide."""

from __future__ import annotations

import ast
import copy
import importlib
import pickle
import subprocess
import sys
from pathlib import Path

import hybridverify
from hybridverify.language import expressions

PACKAGE = Path(hybridverify.__file__).parent
BELOW = {"errors", "sample", "conventions", "types", "objects", "workers", "policies", "cache"}
"""What may not import from `language`."""
ALONE = {"cli", "records", "agreement", "comparison", "redteam", "serving", "demo"}
"""What no row of a library user comes through."""
_ONE_ROW = """
import sys
import hybridverify as hv
grade = hv.verify(sys.argv[1], sys.argv[2])
told = [name for name in sys.argv[3].split() if name in sys.modules]
print(grade.outcome.value, *told)
"""
NOT_NEEDED = (
    "pydantic asyncio sympy numpy diskcache typer rich httpx openai math_verify"
    " hybridverify.judges.embedded.judge hybridverify.config.settings"
)


def row(response: str, reference: str) -> str:
    command = [sys.executable, "-c", _ONE_ROW, response, reference, NOT_NEEDED]
    return subprocess.check_output(command, text=True, cwd=PACKAGE.parent).strip()


def test_the_first_row_brings_no_schema_no_loop_and_no_judge() -> None:
    assert row("All in all that makes\n#### 42", "42") == "correct"
    assert row(r"So it is \boxed{\frac12}.", "0.5") == "correct"
    assert row(r"So it is \boxed{x^2+1}.", "1+x^{2}") == "correct"


def test_expressions_are_compiled_when_they_are_used() -> None:
    found = expressions.compile("[a-c]+", expressions.IGNORECASE)
    assert "search" not in vars(found)
    assert found.findall("Abd cab") == ["Ab", "cab"]
    assert "search" in vars(found)
    assert found.pattern == "[a-c]+"


def test_expressions_can_be_copied_and_pickled() -> None:
    for again in (
        pickle.loads(pickle.dumps(expressions.compile("a+"))),  # noqa: S301
        copy.deepcopy(expressions.compile("a+")),
    ):
        assert again.sub("b", "caat") == "cbt"


def test_every_expression_of_the_package_compiles() -> None:
    """Each is compiled late, so that a fault in one would show late."""
    count = 0
    for module in using_expressions():
        for value in vars(importlib.import_module(module)).values():
            if type(value).__name__ in ("_Expression", "_Phrases"):
                assert isinstance(value.pattern, str)
                count += 1
    assert count > 300


def test_modules_on_the_way_of_a_row_compile_nothing_when_they_are_imported() -> None:
    at_once = [
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if path.relative_to(PACKAGE).parts[0].removesuffix(".py") not in BELOW | ALONE
        and path.name != "expressions.py"
        and imports_re(path)
        and "re.compile(" in path.read_text(encoding="utf-8")
    ]
    assert at_once == [], "write: from hybridverify.language import expressions as re"


def imports_re(path: Path) -> bool:
    return any(
        isinstance(node, ast.Import) and any(alias.name == "re" for alias in node.names)
        for node in ast.parse(path.read_text(encoding="utf-8")).body
    )


def using_expressions() -> list[str]:
    return [
        ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        for path in PACKAGE.rglob("*.py")
        if "\nfrom hybridverify.language import expressions as re\n" in path.read_text(encoding="utf-8")
    ]
