"""`hybridverify agree`: what it prints and writes, exit codes, one line for every fault, no call twice."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from hybridverify.agreement import agreement  # noqa: E402
from hybridverify.agreement.cases import Case, Setup  # noqa: E402
from hybridverify.cli import main  # noqa: E402
from hybridverify.cli.agree_table import graders_table  # noqa: E402
from hybridverify.policies import make_policy  # noqa: E402
from hybridverify.types import Outcome, Verdict  # noqa: E402
from tests.judges.server import JudgeServer  # noqa: E402
from tests.waiting import soon  # noqa: E402

METRICS = {"accuracy", "precision", "recall", "f1", "fpr", "fnr", "kappa"}
ROWS: list[dict[str, Any]] = [
    {"question": "3+4?", "gold": "7", "response": "#### 7", "label": True, "kind": "sum"},
    {"question": "3+4?", "gold": "7", "response": "#### 8", "label": False, "kind": "sum"},
    {"question": "Born?", "gold": "Ulm", "response": "In a town on the Danube.", "label": True, "kind": "place"},
    {"question": "Died?", "gold": "Princeton", "response": "It was in Bern.", "label": False, "kind": "place"},
    {"question": "Born when?", "gold": "1879", "response": "", "label": 0, "kind": "[red]<script>"},
    {"question": "Died when?", "gold": "1955", "response": "unlabelled", "label": None, "kind": "date"},
]  # fmt: skip
JUDGE = """
policy: addon
cache: {path: store}
judges:
- preset: tinyv
  backend: {name: scripted, replies: {"Danube": "True", "Bern": "False", "8": "False", "7": "True"}}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write(tmp_path, ROWS)
    (tmp_path / "judge.yaml").write_text(JUDGE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, rows: list[dict[str, Any]]) -> None:
    (folder / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def figures(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "out.json").read_text("utf-8"))
    return found


def test_rules_judge_and_policies_are_compared_and_the_last_line_counts_the_rows(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["-c", "judge.yaml", "--by", "kind", "--json", "out.json", "--report", "out.html"]
    assert main(["agree", "in.jsonl", *arguments]) == 0
    output, errors = capsys.readouterr()
    assert output.splitlines()[-1] == (
        "5 rows (2 right, 3 wrong): accuracy rule 0.800, judge 1.000, addon 1.000;"
        " judge asked for 4, 4 calls, 0 from cache; written to out.html and out.json"
    )
    assert errors == "warning: 1 row (row 6 of in.jsonl) without a label: left out\n"
    assert "addon *" in output
    assert "[red]<script>" in output
    found = figures(folder)
    assert list(found) == ["rule", "judge", "hybrid"]
    assert list(found["hybrid"]) == ["rule_only", "addon", "mixed", "judge_only", "veto", "sum"]
    for member in (found["rule"], found["judge"], *found["hybrid"].values()):
        assert METRICS | {"intervals", "counts", "undecided", "failed"} <= set(member)
        assert set(member["by"]) == {"answer_kind", "kind"}
    assert {name: member["asked"] for name, member in found["hybrid"].items()} == {
        "rule_only": 0, "addon": 2, "mixed": 4, "judge_only": 4, "veto": 1, "sum": 4,
    }  # fmt: skip
    assert found["hybrid"]["addon"]["rescues"] == {"right": 1, "wrong": 0}
    assert found["rule"]["disagreements"] == [3]
    page = (folder / "out.html").read_text("utf-8")
    assert "&lt;script&gt;" in page
    assert page.count("<script") == 3  # the data and the page's own two


def test_a_second_run_asks_nobody_and_gives_the_same_bytes(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "two"):
        outputs = ["--json", f"{name}.json", "--report", f"{name}.html"]
        assert main(["agree", "in.jsonl", "-c", "judge.yaml", *outputs]) == 0
    assert "judge asked for 4, 0 calls, 4 from cache" in capsys.readouterr().out.splitlines()[-1]
    first, second = (json.loads((folder / f"{name}.json").read_text()) for name in ("one", "two"))
    calls = first["judge"].pop("calls"), second["judge"].pop("calls")
    assert [(each["asked"], each["called"], each["cached"]) for each in calls] == [(4, 4, 0), (4, 0, 4)]
    assert first == second


def test_without_a_judge_the_rules_are_measured_and_the_judge_is_null(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["agree", "in.jsonl", "--no-cache", "--json", "out.json"]) == 0
    found = figures(folder)
    assert [found["judge"][name] for name in METRICS] == [None] * len(METRICS)
    assert list(found["hybrid"]) == ["rule_only"]
    assert (found["rule"]["undecided"], found["rule"]["accuracy_decided"]) == (2, 1.0)
    expected = "5 rows (2 right, 3 wrong): accuracy rule 0.800; written to out.json"
    assert capsys.readouterr().out.splitlines()[-1] == expected


def test_columns_of_csv_and_nested_rows_are_mapped_as_grade_maps_them(folder: Path) -> None:
    (folder / "in.csv").write_text("answer_text,truth,ok\n#### 7,7,True\n#### 8,7,false\n", "utf-8")
    columns = ["--response-column", "answer_text", "--reference-column", "truth", "--label-column", "ok"]
    assert main(["agree", "in.csv", "--no-cache", "--json", "out.json", *columns]) == 0
    assert figures(folder)["rule"]["accuracy"] == 1.0
    write(folder, [{"reward_model": {"ground_truth": "7"}, "response": "#### 7", "judged": {"right": "yes"}}])
    assert (
        main(["agree", "in.jsonl", "--no-cache", "--json", "out.json", "--label-column", "judged.right"]) == 0
    )
    assert figures(folder)["rule"]["counts"]["tp"] == 1


def test_the_same_rows_as_a_table_give_the_same_figures(folder: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = [{**row, "label": bool(row["label"])} for row in ROWS[:5]]
    write(folder, rows)
    assert main(["agree", "in.jsonl", "--no-cache", "--by", "kind", "--json", "out.json"]) == 0
    expected = figures(folder)
    pq.write_table(pa.Table.from_pylist(rows), folder / "in.parquet")
    assert main(["agree", "in.parquet", "--no-cache", "--by", "kind", "--json", "out.json"]) == 0
    assert figures(folder) == expected


FAULTS = [
    (["agree"], "Missing argument 'LABELLED...'"),
    (["agree", "absent.jsonl"], "absent.jsonl: no such file or folder"),
    (
        ["agree", "in.jsonl", "--label-column", "lable"],
        "no column 'lable' (--label-column); did you mean 'label'?",
    ),
    (["agree", "in.jsonl", "--by", "kin"], "no column 'kin' (--by); did you mean 'kind'?"),
    (
        ["agree", "in.jsonl", "--label-column", "kind"],
        "row 1 of in.jsonl: label 'sum' in column 'kind' is neither",
    ),
    (["agree", "in.jsonl", "--policy", "addon"], "policy addon asks a judge, and none is configured"),
    (["agree", "in.jsonl", "--policy", "adon"], "did you mean 'addon'?"),
    (["agree", "in.jsonl", "-c", "absent.yaml"], "absent.yaml: cannot be read"),
    (["agree", "in.jsonl", "--json", "no/out.json"], "no/out.json: there is no folder no"),
    (["agree", "in.jsonl", "--report", "."], ".: is a folder; name a file in it"),
    (["agree", "in.jsonl", "--report", "x.json"], "--report x.json: is written as HTML"),
    (["agree", "in.jsonl", "--report", "x.html", "--json", "x.html"], "--report x.html: is --json too"),
    (["agree", "in.jsonl", "--json", "in.jsonl"], "in.jsonl: is an input too; name another output"),
    (["agree", "in.jsonl", "--meta", "x"], "--meta x: expected KEY=COLUMN"),
    (["agree", "in.jsonl", "--judge", "tinyv"], "--judge needs an engine"),
]


@pytest.mark.parametrize(("arguments", "message"), FAULTS, ids=[" ".join(fault[0][2:]) for fault in FAULTS])
def test_faults_are_one_line_and_end_with_2(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    before = sorted(path.name for path in folder.iterdir())
    assert main(arguments) == 2
    output, errors = capsys.readouterr()
    assert output == ""
    assert message in errors.splitlines()[-1]
    assert errors.splitlines()[-1].startswith("error: ")
    assert sorted(path.name for path in folder.iterdir()) == before


@pytest.mark.parametrize(
    ("module", "arguments"), [("sklearn", ["--json", "o.json"]), ("sklearn", ["--report", "o.html"])]
)
def test_a_missing_extra_is_told_before_anything_is_asked(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    module: str,
    arguments: list[str],
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    assert main(["agree", "in.jsonl", "-c", "judge.yaml", *arguments]) == 2
    errors = capsys.readouterr().err
    assert errors.count("\n") == 1
    assert 'pip install "hybridverify[report]"' in errors
    assert not (folder / "store").exists()


def test_an_unreachable_judge_ends_with_3_and_a_cached_one_is_not_needed(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hybridverify.agreement.judges.READY_S", 1.0)
    with JudgeServer(reply=lambda prompt: "True") as server:
        judge = ["--judge", "tinyv", "--model", "m", "--base-url", server.url, "--cache", "kept"]
        assert main(["agree", "in.jsonl", "--json", "out.json", *judge]) == 0
        asked = figures(folder)["judge"]["calls"]["called"]
    assert asked == 4
    assert main(["agree", "in.jsonl", "--json", "out.json", *judge]) == 0
    assert figures(folder)["judge"]["calls"]["called"] == 0
    capsys.readouterr()
    assert main(["agree", "in.jsonl", *judge[:-2], "--no-cache"]) == 3
    output, errors = capsys.readouterr()
    assert output == ""
    assert errors.splitlines()[-1].startswith("error: ")
    assert "Traceback" not in errors


SLOW_RULE = """
import time
from pathlib import Path

def check(sample):
    Path("asked").touch()
    time.sleep(0.003)
    return 1.0
"""


@pytest.mark.load
@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_stopped_run_ends_quietly_and_writes_nothing(
    folder: Path, number: signal.Signals, code: int
) -> None:
    write(folder, [{"response": f"it is {i}", "reference": str(i), "label": 1} for i in range(3000)])
    (folder / "slow_rule.py").write_text(SLOW_RULE)
    (folder / "slow.yaml").write_text("rules: ['slow_rule:check']\ncache: null\n")
    command = [
        sys.executable,
        "-m",
        "hybridverify",
        "agree",
        "in.jsonl",
        "-c",
        "slow.yaml",
        "--json",
        "out.json",
    ]
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(folder)))}
    process = subprocess.Popen(
        command, env=variables, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert soon((folder / "asked").exists)
    process.send_signal(number)
    output, errors = process.communicate(timeout=200)
    assert (process.returncode, output) == (code, "")
    assert errors.startswith("stopped: ")
    assert errors.count("\n") == 1
    assert not (folder / "out.json").exists()


@pytest.mark.parametrize("width", [80, 110, 120])
def test_tables_fit_the_width_of_the_terminal(width: int) -> None:
    setup = Setup(make_policy("addon"), weights=(1.0,), judges=("j",))
    right = Verdict(Outcome.CORRECT, 1.0)
    table = graders_table(
        agreement([Case(True, right, (right,)), Case(False, right, (right,))], setup), width
    )
    stream = io.StringIO()
    Console(file=stream, width=width).print(table)
    assert "…" not in stream.getvalue()
    assert "judge_only" in stream.getvalue()
    assert ("0.000–1.000" in stream.getvalue()) == (width == 120)


def test_a_grader_with_routes_of_its_own_is_compared_as_it_runs(folder: Path) -> None:
    rows = [{**row, "data_source": "a_tinyv"} for row in ROWS[:2]] + ROWS[:2]
    write(folder, rows)
    (folder / "tinyv.yaml").write_text(JUDGE.replace("policy: addon", "grader: tinyv_addon"))
    arguments = ["agree", "in.jsonl", "-c", "tinyv.yaml", "--json", "out.json", "--no-cache"]
    assert main(arguments) == 0
    found = json.loads((folder / "out.json").read_text("utf-8"))
    assert found["rule"]["accuracy"] == 0.5
    assert found["hybrid"]["configured"]["accuracy"] == 0.75  # the judge is asked about `_tinyv` rows alone
