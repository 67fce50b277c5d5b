"""The ablation benchmark on a small package of its own: what is needed, what is idle, what is never used."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LISTS = """
from pathlib import Path


def read(name):
    return Path(__file__).with_name(name + ".toml").read_text(encoding="utf-8")


def entries(name):
    return read(name).split("'''")[1].split()
"""
DRINKS = "drinks = '''\ntea juice\nl'eau milk\n'''\n"
WORDS = r'''
"""A reader of greetings."""
import re

from toy.lists import entries

DRINKS = frozenset(entries("drinks"))
GREETINGS = frozenset("moin ahoi servus".split())
RANKS = {"first": 1, "second": 2, "third": 3}
_TAIL = r"\s(?:friend|captain|stranger)"
_GREETED = re.compile(rf"(?:oh|ah|(so))?\s?(\w+)(?:{_TAIL}|!)(?!\?|#)")
_SHOUTED = re.compile(r"[A-Z]{5,}")


def greets(text):
    found = _GREETED.match(text)
    return bool(found) and found[2] in GREETINGS


def rank(text):
    return RANKS.get(text, 0)


def is_drink(text):
    return text in DRINKS
'''
TESTS = """
import pytest
from toy.words import greets, is_drink, rank


@pytest.mark.parametrize(
    ("text", "expected"),
    [("oh moin captain", True), ("moin!", True), ("ahoi ahoi friend", False), ("moin captain?", False)],
)
def test_greetings(text, expected):
    assert greets(text) is expected


def test_drinks():
    assert is_drink("tea") and is_drink("l'eau")


def test_ranks():
    assert rank("first") + rank("second") == 3


@pytest.fixture(scope="module")
def reader():
    yield greets


@pytest.mark.parametrize("text", ["servus!"])
def test_a_fixture_of_the_module_is_made(reader, text):
    assert reader(text)


def test_what_needs_another_fixture_is_no_case(tmp_path):
    assert rank("third") == 3
"""
ALONE = {
    "oh": "needed",
    "ah": "never used",
    r"\?": "needed",
    "#": "idle",
    'r"[A-Z]{5,}"': "never used",
    "captain": "used",
}
EXPECTED = {
    "moin": "needed",
    "ahoi": "idle",
    "servus": "needed",
    "first": "needed",
    "second": "needed",
    "third": "never used",
    "tea": "needed",
    "l'eau": "needed",
    "juice": "never used",
    "captain": "needed",
    "friend": "never used",
    "stranger": "never used",
    "oh": "needed",
    "ah": "never used",
    "(so)": "never used",
    "!": "needed",
    r"\?": "needed",
    "#": "idle",
    'r"[A-Z]{5,}"': "never used",
}


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("toy")
    (root / "toy" / "lists").mkdir(parents=True)
    (root / "toy" / "lists" / "__init__.py").write_text(LISTS, encoding="utf-8")
    (root / "toy" / "lists" / "drinks.toml").write_text(DRINKS, encoding="utf-8")
    (root / "tests").mkdir()
    (root / "toy" / "__init__.py").touch()
    (root / "toy" / "words.py").write_text(WORDS, encoding="utf-8")
    (root / "tests" / "test_words.py").write_text(TESTS, encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def states(toy: Path) -> dict[str, str]:
    return states_of(toy)


def states_of(root: Path, *options: str) -> dict[str, str]:
    script = str(ROOT / "benchmarks" / "ablation.py")
    told = ["--package", "toy", "--root", str(root), "--tests", "tests", "--json", str(root / "out.json")]
    done = subprocess.run([sys.executable, script, *told, *options], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return {entry["text"]: entry["state"] for entry in json.loads((root / "out.json").read_text("utf-8"))}


@pytest.mark.parametrize(("text", "state"), EXPECTED.items())
def test_an_entry_is_needed_idle_or_never_used(states: dict[str, str], text: str, state: str) -> None:
    assert states[text] == state


def test_alone_each_expression_and_alternative_has_its_state(toy: Path) -> None:
    states = states_of(toy, "--alone", "60")
    assert {text: states[text] for text in ALONE} == ALONE
    assert "moin" not in states
