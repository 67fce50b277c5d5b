"""`grade --report` and `agree --report`: what they write, resumed runs, and faults in one line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from hybridverify.cli import main
from hybridverify.report.run_report import MAX_EXPLAINED

ROWS = [
    {"question": "3+4?", "reference": "7", "response": "#### 7", "data_source": "sums", "label": True},
    {"question": "3+4?", "reference": "7", "response": "#### 8", "data_source": "sums", "label": False},
    {"question": "Born?", "reference": "Ulm", "response": "Near the Danube.", "data_source": "towns", "label": 1},
    {"question": "Died?", "reference": "Princeton", "response": "In <b>Bern</b>.", "data_source": "towns", "label": 0},
]  # fmt: skip
JUDGE = """
policy: judge_only
judges:
- preset: tinyv
  backend: {name: scripted, replies: {"Danube": "True", "Bern": "False", "8": "True", "7": "True"}}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), "utf-8")
    (tmp_path / "judge.yaml").write_text(JUDGE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def data(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        path.read_text("utf-8").partition('id="data">')[2].partition("</script>")[0]
    )
    return found


def rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a page with names and shared texts put in."""
    told = data(path)["rows"]
    found = []
    for values in told["rows"]:
        row = dict(zip(told["fields"], values, strict=True))
        for name in ("source", "outcome", "tier", "judge", "policy"):
            row[name] = told["names"][row[name]]
        for name in ("question", "references"):
            row[name] = told["texts"][row[name]]
        row["said"] = [
            [told["names"][s[0]], told["names"][s[1]], *s[2:4], told["texts"][s[4]], *s[5:]]
            for s in row["said"]
        ]
        found.append(row)
    return found  # fmt: skip


def test_grade_writes_the_rows_it_graded() -> None:
    assert main(["grade", "in.jsonl", "-o", "out.jsonl", "--no-cache", "--report", "out.html"]) == 0
    page = Path("out.html")
    text = page.read_text("utf-8")
    assert "<strong>50.0%</strong> of 2 decided rows are correct" in text
    assert "Apart from these: 2 undecided and 0 not graded." in text
    assert "The page holds all 4 rows of out.jsonl." in text
    found = rows(page)
    assert [row["outcome"] for row in found] == ["correct", "incorrect", "undecided", "undecided"]
    assert [row["tier"] for row in found] == ["rule:exact", "rule:exact", "nobody", "nobody"]
    assert found[0]["references"] == ["7"]
    assert found[0]["place"] == [0, 5, 6]
    assert [said[0] for said in found[0]["said"]][:3] == ["rule:exact", "rule:choice", "rule:gsm8k"]
    assert all(said[4] or said[1] == "skipped" for said in found[0]["said"])


def test_of_every_row_it_says_what_each_rule_said_that_was_asked() -> None:
    count = MAX_EXPLAINED + 20
    made = [
        {"question": "Expand.", "reference": f"x^2 + {n}x", "response": f"\\boxed{{x(x + {n})}}"}
        for n in range(2, count + 2)
    ]
    Path("products.jsonl").write_text("".join(json.dumps(row) + "\n" for row in made), "utf-8")
    assert main(["grade", "products.jsonl", "-o", "out.jsonl", "--no-cache", "--report", "out.html"]) == 0
    said = [[one[0] for one in row["said"]] for row in rows(Path("out.html"))]
    assert len(said) == count
    every = ["rule:exact", "rule:choice", "rule:gsm8k", "rule:prime_math", "rule:absent", "rule:sympy"]
    assert sorted(said, key=len) == [["rule:prime_math"]] * 20 + [every] * MAX_EXPLAINED


def test_a_judged_run_tells_replies_and_disagreements() -> None:
    arguments = [
        "-o",
        "out.jsonl",
        "-c",
        "judge.yaml",
        "--policy",
        "mixed",
        "--no-cache",
        "--report",
        "out.html",
    ]
    assert main(["grade", "in.jsonl", *arguments]) == 0
    found = rows(Path("out.html"))
    assert [row["disagreement"] for row in found] == [0, 1, 0, 0]
    assert [row["judge"] for row in found] == ["correct", "correct", "correct", "incorrect"]
    replies = [said[-1] for row in found for said in row["said"] if said[0] == "judge:tinyv"]
    assert replies == ["True", "True", "True", "False"]
    assert "Rule beside judge" in Path("out.html").read_text("utf-8")
    assert "Judge calls" in Path("out.html").read_text("utf-8")


def test_a_resumed_run_shows_the_rows_of_both() -> None:
    arguments = ["grade", "in.jsonl", "-o", "out.jsonl", "--no-cache"]
    assert main([*arguments, "--report", "first.html"]) == 0
    lines = Path("out.jsonl").read_bytes().splitlines(keepends=True)
    Path("out.jsonl").write_bytes(b"".join(lines[:2]))
    assert main([*arguments, "--resume", "--report", "second.html"]) == 0
    first, second = rows(Path("first.html")), rows(Path("second.html"))
    kept = (
        "number",
        "source",
        "outcome",
        "tier",
        "judge",
        "score",
        "question",
        "response",
        "answer",
        "place",
    )
    assert [[row[name] for name in kept] for row in second] == [[row[name] for name in kept] for row in first]


def test_the_same_run_gives_the_same_bytes() -> None:
    for name in ("a", "b"):
        assert main(["grade", "in.jsonl", "-o", "out.jsonl", "--no-cache", "--report", f"{name}.html"]) == 0
    assert Path("a.html").read_bytes() == Path("b.html").read_bytes()


def test_agree_writes_labels_and_who_differs_from_them() -> None:
    arguments = ["agree", "in.jsonl", "-c", "judge.yaml", "--no-cache", "--report", "out.html"]
    assert main(arguments) == 0
    text = Path("out.html").read_text("utf-8")
    assert "judge_only agrees with the labels on <strong>75.0%</strong> of 4 rows" in text
    assert re.search(r"; J <strong>0\.500</strong>", text)
    found = rows(Path("out.html"))
    assert [row["label"] for row in found] == [1, 0, 1, 0]
    assert [row["disagreement"] for row in found] == [0, 1 | 8, 0, 0]
    assert found[0]["line"] == "row 1 of in.jsonl"
    graders = data(Path("out.html"))["settings"]["graders"]
    assert graders["judge_only"] == {"tp": 2, "fn": 0, "fp": 1, "tn": 1}


FAULTS = [
    ("no/out.html", "--report no/out.html: no such folder: no"),
    (".", "--report .: is a folder; name a file in it, such as report.html"),
    ("out.json", "--report out.json: is written as HTML; name a file that ends in .html"),
    ("in.html", "--report in.html: is an input too; name another file"),
    ("sum.html", "--report sum.html: is --summary too; name another file"),
]


@pytest.mark.parametrize(("path", "message"), FAULTS)
def test_a_fault_is_one_line_before_anything_is_graded(
    path: str, message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    inputs = ["in.html"] if path == "in.html" else ["in.jsonl"]
    before = sorted(each.name for each in folder.iterdir())
    arguments = ["-o", "out.jsonl", "--no-cache", "--summary", "sum.html", "--report", path]
    assert main(["grade", *inputs, *arguments]) == 2
    output, errors = capsys.readouterr()
    assert output == ""
    assert errors == f"error: {message}\n"
    assert sorted(each.name for each in folder.iterdir()) == before
