"""Every file of `examples/` runs as it stands and prints what its reader is told."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
MAX_LINES = 50
"""An example is there to be read at once."""

PRINTED = {
    "grade_rows.py": """
        row 1: correct   score 1  rule:exact
        row 2: correct   score 1  rule:exact
        row 3: incorrect score 0  rule:exact
        row 4: undecided score 0  rule:prime_math
        row 5: undecided score 0  rule:prime_math
        row 6: incorrect score 0  rule:exact
        row 7: correct   score 1  rule:prime_math
        3 correct, 2 incorrect, 2 undecided
        """,
    "reward_function.py": """
        TRL:  [1.0, 0.0, 0.0]
        verl: 1.0
        """,
    "own_rule.py": r"""
        'Warm and bright.\nColour: #F80'   correct   rule:same_colour
        'Colour: #ff0000'                  incorrect rule:same_colour
        'It is not #ff8800.'               undecided rule:prime_math
        """,
    "own_judge.py": """
        'It was the work of Lovelace, Ada.'  correct   asked: True
        'It was the work of Babbage.'        incorrect asked: True
        ''                                   incorrect asked: False
        """,
    "own_prompt.py": """
        Table salt   correct     graded: True
        Baking soda  incorrect   graded: True
        Rock salt    unparseable graded: False
        You compare answers to questions about chemistry.

        Question: What is left when sea water dries?
        Reference: NaCl
        Answer: Table salt
        A formula and a name of one substance are the same. End with a line "Grade: SAME" or "Grade: DIFFERENT".
        """,
    "judge_against_rules.py": """
        rule correct    judge correct    2 rows
        rule correct    judge incorrect  1 rows
        rule incorrect  judge incorrect  1 rows
        rule incorrect  judge skipped    1 rows
        rule undecided  judge correct    1 rows
        rule undecided  judge incorrect  1 rows
        they differ on 'How many subsets does a set of ten elements have?'; the label says correct
        """,
}
"""What each script prints, without the indentation here."""

SHELL = (
    "7 rows: 3 correct, 2 incorrect, 2 undecided; judge asked for 0, 0 from cache; 0 not graded; .*/rules.jsonl",
    "7 rows: 4 correct, 3 incorrect; judge asked for 2, 0 from cache; 0 not graded; .*/hybrid.jsonl",
    r"7 rows \(7 of them from before\): 4 correct, 3 incorrect; .*/hybrid.jsonl",
    "7 rows: 4 correct, 3 incorrect; judge asked for 2, 2 from cache; 0 not graded; .*/half.jsonl",
    "judge +2 entries",
    r"rule:exact +incorrect +8 \(number 8\) +different number",
    "grade +incorrect +score 0, policy rule_only",
)
"""Lines of regrade.sh, in order, as patterns."""


def run(*command: str | Path, folder: Path) -> str:
    """What a command prints, run as a user of this checkout would in a folder of their own."""
    own = {"PYTHONPATH": str(ROOT), "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    environment = {**os.environ, **own, "HYBRIDVERIFY_CACHE": str(folder / "cache")}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def need_embedded() -> None:
    pytest.importorskip("onnxruntime")
    pytest.importorskip("tokenizers")


@pytest.mark.parametrize("name", PRINTED)
def test_a_script_prints_what_it_promises(name: str, tmp_path: Path) -> None:
    if name == "judge_against_rules.py":
        need_embedded()
    printed = run(sys.executable, EXAMPLES / name, folder=tmp_path)
    expected = [line[8:].rstrip() for line in PRINTED[name].strip("\n").splitlines()]
    assert [line.rstrip() for line in printed.splitlines()] == expected[:-1]


def test_the_shell_script_grades_and_explains(tmp_path: Path) -> None:
    need_embedded()
    command = tmp_path / "hybridverify"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m hybridverify "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    printed = run(
        "bash", EXAMPLES / "regrade.sh", EXAMPLES / "rollouts.jsonl", tmp_path / "out", folder=tmp_path
    )
    assert re.search(".*\n(?:.*\n)*?".join(SHELL), printed), printed


def test_the_example_of_tests_passes(tmp_path: Path) -> None:
    tests = EXAMPLES / "test_with_mocked_judge.py"
    settings = ("-c", os.devnull, "--rootdir", tmp_path, "-p", "no:cacheprovider", "-q")
    assert "3 passed" in run(sys.executable, "-m", "pytest", *settings, tests, folder=tmp_path)


def test_every_example_is_listed_run_and_short() -> None:
    scripts = {path.name for path in EXAMPLES.iterdir() if path.suffix in (".py", ".sh")}
    assert scripts == {*PRINTED, "regrade.sh", "test_with_mocked_judge.py"}
    page = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert [name for name in scripts if f"]({name})" not in page] == []
    lines = {name: len((EXAMPLES / name).read_text(encoding="utf-8").splitlines()) for name in scripts}
    assert [name for name, count in lines.items() if count > MAX_LINES] == []
