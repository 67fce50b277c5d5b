"""The command line: what it writes and prints, its exit codes, and one plain line for every fault."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from hybridverify.cli import main  # noqa: E402
from hybridverify.cli.settings import JudgeOptions, verifier_settings  # noqa: E402
from hybridverify.types import GRADE_KEYS  # noqa: E402
from tests.judges.server import UNKNOWN_MODEL_404, JudgeServer  # noqa: E402

ROWS: list[dict[str, Any]] = [
    {"question": "3+4?", "reference": "7", "response": "3 + 4 = 7\n#### 7"},
    {"question": "3+4?", "reference": "7", "response": "\\boxed{8}"},
    {
        "question": "Where was he born?",
        "reference": "Ulm",
        "response": "A town on the Danube is where he came from.",
    },
    {"question": "3+4?", "reference": "7", "response": ""},
    {"question": "3+4?", "reference": None, "response": "7"},
]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), "utf-8")
    return path


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def run(*arguments: str | Path) -> int:
    return main([str(argument) for argument in arguments])


# ---- grade


def test_grade_writes_the_rows_with_their_grades_and_ends_with_a_summary(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    assert run("grade", source, "-o", out, "--no-cache") == 0
    rows = read(out)
    assert [list(row) for row in rows] == [[*ROWS[0], *("hv_" + key for key in GRADE_KEYS)]] * 5
    assert [row["hv_outcome"] for row in rows] == [
        "correct",
        "incorrect",
        "undecided",
        "incorrect",
        "bad_reference",
    ]
    output, errors = capsys.readouterr()
    assert output.splitlines()[-1] == (
        "5 rows: 1 correct, 2 incorrect, 1 undecided, 1 bad_reference; judge asked for 0, 0 from cache;"
        f" 1 not graded; written to {out}"
    )
    assert errors.splitlines() == [
        f"warning: 1 row (row 5 of {source}) without a reference: not graded (bad_reference)"
    ]


def test_too_many_ungraded_rows_end_with_1_and_the_output_is_written(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    assert run("grade", source, "-o", out, "--no-cache", "--max-ungraded", "0.2") == 0
    assert run("grade", source, "-o", out, "--no-cache", "--max-ungraded", "0.19") == 1
    assert "error: 1 of 5 rows are not graded, more than --max-ungraded allows" in capsys.readouterr().err
    assert len(read(out)) == 5


def test_a_row_that_cannot_be_written_is_reported_and_the_others_are_kept(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with open(source, "a", encoding="utf-8") as lines:
        lines.write('{"response": "1", "reference": "1", "loss": NaN}\n')
        lines.write('{"response": "1", "reference": "1", "size": 123456789012345678901234567890}\n')
    assert run("grade", source, "-o", tmp_path / "out.parquet", "--no-cache") == 2
    output, errors = capsys.readouterr()
    assert f"error: 1 row (row 7 of {source}: column 'size' holds" in errors
    assert output.splitlines()[-1].startswith("6 rows: ")
    assert run("grade", source, "-o", tmp_path / "out.jsonl", "--no-cache") == 0
    assert len(read(tmp_path / "out.jsonl")) == 7
    assert (
        f"warning: 1 row (row 6 of {source}): NaN or infinity is written as null" in capsys.readouterr().err
    )


def test_columns_and_meta_are_named_on_the_command_line(tmp_path: Path) -> None:
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    path.write_text(
        json.dumps({"a": {"gold": "7"}, "text": "8", "form": "boxed", "task": "t"}) + "\n", "utf-8"
    )
    columns = ["--reference-column", "a.gold", "--response-column", "text", "--data-source-column", "task"]
    assert run("grade", path, "-o", out, "--no-cache", *columns, "--meta", "form=form") == 0
    assert read(out)[0]["hv_outcome"] in ("incorrect", "undecided")
    assert run("grade", path, "-o", out, "--no-cache", *columns, "--meta", "form=absent") == 2


FAULTS = [
    (["grade"], "Missing argument 'IN...'"),
    (["grade", "{in}"], "Missing option '--output' / '-o'"),
    (["grade", "{in}", "-o", "{dir}/out.jsonl", "--polcy", "x"], "No such option: --polcy"),
    (["grde"], "No such command 'grde'"),
    (["grade", "{dir}/absent.jsonl", "-o", "{dir}/out.jsonl"], "absent.jsonl: no such file or folder"),
    (["grade", "{in}", "-o", "{dir}/out.txt"], "unknown kind of output"),
    (["grade", "{in}", "-o", "{in}"], "is an input too"),
    (["grade", "{in}", "-o", "{dir}/out.jsonl", "--policy", "adon"], "did you mean 'addon'?"),
    (["grade", "{in}", "-o", "{dir}/out.jsonl", "--policy", "addon"], "asks a judge, and none is configured"),
    (["grade", "{in}", "-o", "{dir}/out.jsonl", "--response-column", "x"], "no column 'x' (--response-column)"),
    (["grade", "{in}", "-o", "{dir}/out.jsonl", "--meta", "x"], "--meta x: expected KEY=COLUMN"),
    (["grade", "{in}", "-o", "{dir}/out.jsonl", "--config", "{dir}/no.yaml"], "no.yaml: cannot be read"),
    (["grade", "{in}", "-o", "{dir}/out.jsonl", "--config", "{dir}/bad.yaml"], "did you mean 'policy'?"),
    (["grade", "{in}", "-o", "{dir}/out.jsonl", "--judge", "tinv", "--base-url", "http://h/v1", "--model", "m"],
     "no judge preset 'tinv'; did you mean 'tinyv'?"),
    (["grade", "{in}", "-o", "{dir}/out.jsonl", "--judge", "tinyv"], "--judge needs an engine: --backend vllm"),
    (["grade", "{in}", "-o", "{dir}/out.jsonl", "--model", "m"], "need one judge, and no judge is configured"),
    (["grade", "{in}", "-o", "{dir}/out.jsonl", "--workers", "0"], "workers: expected a whole number from 1"),
    (["grade", "{in}", "-o", "{dir}/out.jsonl", "--workers", "two"], "'--workers'"),
    (["grade", "{in}", "-o", "{dir}/out.jsonl", "--max-ungraded", "2"], "'--max-ungraded'"),
    (["grade", "{in}", "-o", "{dir}/out.jsonl", "--engine", "spark"], "'spark' is not one of local, ray"),
    (["grade", "{in}", "-o", "{dir}/out.jsonl", "--cache", "c", "--no-cache"], "exclude each other"),
    (["grade", "{in}", "-o", "{dir}/out.jsonl", "--failed-only"], "no such output of an earlier run"),
    (["grade", "{dir}/broken.jsonl", "-o", "{dir}/out.jsonl"], "line 2 of {dir}/broken.jsonl is not JSON"),
    (["grade", "{dir}/broken.jsonl", "-o", "{dir}/out.jsonl"], "; --skip-bad-lines leaves out lines that cannot be"),
    (["grade", "{dir}/list.jsonl", "-o", "{dir}/out.jsonl"], "line 2 of {dir}/list.jsonl holds a number, not an object "
     "with columns; --skip-bad-lines"),
    (["grade", "{dir}/ragged.csv", "-o", "{dir}/out.jsonl"], "has 1 fields, the header has 2; --skip-bad-lines"),
    (["prepare", "{dir}/broken.jsonl", "--dry-run"], "; --skip-bad-lines leaves out lines that cannot be read"),
    (["grade", "{in}", "-o", "{dir}/out.jsonl", "--judge", "embeded"], "did you mean 'embedded'?"),
    (["explain", "a", "b", "--judge", "tinyv"], "(--judge embedded needs none)"),
    (["judge", "try", "--preset", "generc", "--base-url", "http://127.0.0.1:9/v1"], "did you mean 'generic"),
    (["grade", "{dir}/semicolons.csv", "-o", "{dir}/out.jsonl"], "are parted by ';'; write it with commas"),
    (["grade", "{dir}/latin.csv", "-o", "{dir}/out.jsonl"], "latin.csv is not UTF-8"),
    (["grade", "{dir}/zipped.jsonl", "-o", "{dir}/out.jsonl"], "ends in .gz, or unpack it first"),
    (["grade", "{dir}/rows.txt", "-o", "{dir}/out.jsonl"], "JSON lines may also come through a pipe, as -"),
    (["agree", "{dir}/nulls.jsonl", "--label-column", "label"], "column 'label' (--label-column) is empty"),
    (["cache", "clear", "--cache", "{dir}/c", "--stage", "rul", "-y"], "no stage 'rul'; did you mean 'rule'?"),
    (["compare", "{in}", "default", "math_verify"], "the rows come last: compare default math_verify {in}"),
    (["grade", "{dir}/wrapped.json", "-o", "{dir}/out.jsonl"], "its rows stand in the list 'data'"),
    (["cache", "merge", "--cache", "{dir}/c", "{in}"], "no line of it is an entry of a cache"),
    (["cache", "export", "--cache", "{dir}/c", "{dir}/no/x"], "x cannot be written: No such file or directory"),
    (["redteam", "textwrap:nothing", "{in}"], "textwrap has no 'nothing'; known: TextWrapper"),
    (["presets", "show", "tinv"], "no judge preset 'tinv'; did you mean 'tinyv'?"),
    (["config", "check", "{dir}/bad.yaml"], "bad.yaml: polcy: no such setting"),
    (["explain", "only one"], "Missing argument 'REFERENCE'"),
    (["cache", "prune", "--cache", "{dir}/c"], "say what to remove"),
    (["cache", "clear", "--cache", "{dir}/c"], "nothing removed; --yes removes without asking"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "message"), FAULTS, ids=[f"{f[0][0]}: {f[1][:40]}" for f in FAULTS])
def test_every_mistake_is_one_plain_line_and_exit_2(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    (tmp_path / "bad.yaml").write_text("polcy: addon\n")
    (tmp_path / "broken.jsonl").write_text('{"response": "1", "reference": "1"}\n{"response"\n')
    (tmp_path / "ragged.csv").write_text("response,reference\n7\n")
    (tmp_path / "semicolons.csv").write_text("response;reference\n7;7\n")
    (tmp_path / "latin.csv").write_bytes("response,reference\nné,né\n".encode("latin-1"))
    (tmp_path / "zipped.jsonl").write_bytes(gzip.compress(b"{}"))
    (tmp_path / "wrapped.json").write_text('{"version": 2, "data": [{"response": "7", "reference": "7"}]}')
    (tmp_path / "rows.txt").write_text("{}")
    (tmp_path / "nulls.jsonl").write_text('{"response": "1", "reference": "1", "label": null}\n')
    (tmp_path / "list.jsonl").write_text('{"response": "1", "reference": "1"}\n5\n')
    places = {"in": str(source), "dir": str(tmp_path)}
    assert run(*(argument.format(**places) for argument in arguments)) == 2
    lines = [line for line in capsys.readouterr().err.splitlines() if not line.startswith("warning: ")]
    assert len(lines) == 1
    assert lines[0].startswith("error: ")
    assert message.format(**places) in lines[0]
    assert not (tmp_path / "out.jsonl").exists()


# ---- judges


def test_a_judge_named_on_the_command_line_is_asked_about_what_rules_leave_open(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, cache = tmp_path / "out.jsonl", tmp_path / "cache"
    with JudgeServer(reply=lambda prompt: "True") as server:
        judge: list[str | Path] = [
            "--judge",
            "tinyv",
            "--model",
            "m",
            "--base-url",
            server.url,
            "--cache",
            cache,
        ]
        assert run("grade", source, "-o", out, *judge) == 0
        assert run("grade", source, "-o", tmp_path / "again.jsonl", *judge) == 0
        assert len(server.prompts()) == 1
    assert "Where was he born?" in server.prompts()[0]
    assert [row["hv_judge_asked"] for row in read(out)] == [False, False, True, False, False]
    assert read(out)[2]["hv_score"] == 1.0
    assert (tmp_path / "again.jsonl").read_bytes() == out.read_bytes()
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("5 rows: ")]
    assert "judge asked for 1, 0 from cache" in lines[0]
    assert "judge asked for 1, 1 from cache" in lines[1]


@pytest.mark.parametrize(
    ("configured", "options"),
    [
        (
            "preset: tinyv, backend: {name: openai, model: m}, retry_unparseable: false",
            ["--judge", "embedded"],
        ),
        ("preset: embedded, kinds: all", ["--judge", "tinyv", "--backend", "scripted"]),
        ("backend: {name: embedded, threads: 2}", ["--judge", "tinyv", "--backend", "scripted"]),
    ],
)
def test_the_embedded_judge_and_one_of_a_model_replace_each_other(
    configured: str, options: list[str], tmp_path: Path
) -> None:
    config = tmp_path / "conf.yaml"
    config.write_text(f"judges: [{{{configured}}}]\n")
    given: dict[str, Any] = dict(zip(("preset", "backend"), options[1::2], strict=False))
    (judge,) = verifier_settings(config, judge=JudgeOptions(**given))["judges"]
    assert judge == {"preset": options[1], "backend": {"name": options[-1]}}


def test_options_go_over_the_configuration_file(source: Path, tmp_path: Path) -> None:
    config, out = tmp_path / "conf.yaml", tmp_path / "out.jsonl"
    with JudgeServer(reply=lambda prompt: "False") as server:
        config.write_text(
            "policy: {name: mixed, judge_weight: 0.25}\ncache: null\n"
            "judges:\n- preset: tinyv\n  backend: {name: openai, model: other, base_url: 'http://127.0.0.1:9/v1'}\n"
        )
        assert run("grade", source, "-o", out, "-c", config, "--model", "m", "--base-url", server.url) == 0
        assert [row["hv_score"] for row in read(out)][:2] == [0.75, 0.0]
        assert run("grade", source, "-o", out, "-c", config, "--model", "m", "--base-url", server.url,
                   "--policy", "addon") == 0  # fmt: skip
        assert read(out)[0]["hv_score"] == 1.0


def test_an_unreachable_judge_ends_with_3_in_one_line_and_leaves_nothing_behind(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    with JudgeServer(api_key="secret") as server:
        judge: list[str | Path] = ["--judge", "tinyv", "--model", "m", "--base-url", server.url, "--no-cache"]
        assert run("grade", source, "-o", out, *judge) == 3
    errors = capsys.readouterr().err
    told = [
        line for line in errors.splitlines() if not line.startswith("waiting for the judge")
    ]  # a busy machine
    assert [line.split(":")[0] for line in told] == ["warning", "error"]
    assert "Traceback" not in errors
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]


class Picky(JudgeServer):
    """Refuses whatever holds the word poison, and answers the rest."""

    def _completion(self, asked: Any, behaviour: Any) -> tuple[int, str]:
        if "poison" in str(asked.prompts()):
            return 400, '{"error": {"message": "invalid character"}}'
        return super()._completion(asked, behaviour)


def test_a_file_with_bad_rows_is_no_dead_judge(tmp_path: Path) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    words = ["river", *["poison"] * 24, "lake"]
    rows = [{"response": f"The {word} of town {n}.", "reference": "Ulm"} for n, word in enumerate(words)]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    with Picky() as server:
        judge: list[str | Path] = ["--judge", "tinyv", "--model", "m", "--base-url", server.url, "--no-cache"]
        assert run("grade", source, "-o", out, *judge) == 0
        assert run("grade", source, "-o", out, *judge, "--max-ungraded", "0.5") == 1
    assert [row["hv_graded"] for row in read(out)] == [True, *[False] * 24, True]
    assert {row["hv_outcome"] for row in read(out)[1:25]} == {"failed"}


def test_rows_without_criteria_are_no_dead_judge(tmp_path: Path) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    rows = [{"response": f"Town {n}.", "reference": "", "criteria": "be clear" * (n % 2)} for n in range(20)]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    with JudgeServer(reply=lambda prompt: "Total Score: 5/10") as server:
        judge: list[str | Path] = [
            "--judge",
            "rubric",
            "--model",
            "m",
            "--base-url",
            server.url,
            "--no-cache",
        ]
        more = ["--policy", "judge_only", "--meta", "criteria=criteria"]
        assert run("grade", source, "-o", out, *judge, *more) == 0
    assert [row["hv_graded"] for row in read(out)] == [False, True] * 10


def test_a_model_that_only_the_first_request_finds_missing_ends_with_3_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    rows = [{"response": f"A town named {n}.", "reference": "Ulm"} for n in range(2)]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    with JudgeServer(models=None, always=UNKNOWN_MODEL_404) as server:
        judge: list[str | Path] = ["--judge", "tinyv", "--model", "m", "--base-url", server.url, "--no-cache"]
        assert run("grade", source, "-o", out, *judge) == 3
        assert len(server.asked) == 2
    assert "judge tinyv: the judge knows neither this model nor this path (404)" in capsys.readouterr().err


def test_a_judge_that_dies_on_the_way_leaves_the_finished_rows_and_says_how_to_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out, config = tmp_path / "in.jsonl", tmp_path / "out.jsonl", tmp_path / "conf.yaml"
    rows = [{"response": "#### 7", "reference": "7"}] * 600 + [
        {"response": "Hm, a city.", "reference": "Ulm"}
    ]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    entry = "policy: addon\non_judge_error: raise\ncache: null\njudges: [{{preset: tinyv, backend: {}}}]\n"
    config.write_text(entry.format("{name: scripted, replies: {outcome: failed, reason: gone}}"))
    assert run("grade", source, "-o", out, "-c", config) == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1] == (
        f"kept: 512 rows are in {out}.partial; to go on: hybridverify grade {source} -o {out} -c {config} --resume"
    )
    config.write_text(entry.format("{name: scripted, replies: 'True'}"))
    assert run("grade", source, "-o", out, "-c", config, "--resume") == 0
    assert [row["hv_score"] for row in read(out)] == [1.0] * 601


def test_a_dead_judge_is_no_matter_where_every_row_is_finished(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with JudgeServer() as server:
        judge: list[str | Path] = [
            "--judge",
            "tinyv",
            "--model",
            "m",
            "--base-url",
            server.url,
            "--cache",
            tmp_path / "c",
        ]
        assert run("grade", source, "-o", out, *judge) == 0
        before = out.read_bytes()
    assert run("grade", source, "-o", out, *judge, "--resume") == 0
    assert out.read_bytes() == before


def test_failed_rows_alone_are_asked_again(source: Path, tmp_path: Path) -> None:
    script, out = tmp_path / "conf.yaml", tmp_path / "out.jsonl"
    entry = (
        "policy: addon\ncache: null\njudges:\n- preset: tinyv\n  backend: {{name: scripted, replies: {}}}\n"
    )
    script.write_text(entry.format("{outcome: timed_out, reason: slow}"))
    assert run("grade", source, "-o", out, "-c", script, "--max-ungraded", "0.3") == 1
    before = out.read_text("utf-8").splitlines()
    assert [row["hv_graded"] for row in read(out)] == [True, True, False, True, False]
    script.write_text(entry.format("'True'"))
    assert run("grade", source, "-o", out, "-c", script, "--failed-only", "--max-ungraded", "0.3") == 0
    after = out.read_text("utf-8").splitlines()
    assert [i for i in range(5) if before[i] != after[i]] == [2]
    assert read(out)[2]["hv_score"] == 1.0


def test_a_policy_that_asks_no_judge_is_pointed_out(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "conf.yaml"
    config.write_text("cache: null\njudges: [{preset: tinyv, backend: {name: scripted, replies: 'True'}}]\n")
    assert run("grade", source, "-o", tmp_path / "out.jsonl", "-c", config) == 0
    assert "warning: the policy asks no judge" in capsys.readouterr().err


# ---- the other commands


def test_explain_shows_every_tier_and_takes_texts_that_look_like_options(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run("explain", "-5", "-5.0", "--question", "What is -2 - 3?") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["extract", "bare", "-5"]
    assert lines[-1].split() == ["grade", "correct", "score", "1,", "policy", "rule_only"]
    assert {"rule:exact", "rule:choice", "rule:gsm8k"} <= {line.split()[0] for line in lines}


def test_explain_shows_a_long_response_on_one_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("explain", "word\n" * 500 + "\\boxed{" + "9" * 999 + "}", "7") == 0
    assert all(len(line) < 600 for line in capsys.readouterr().out.splitlines())


def test_presets_are_listed_and_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("presets", "list") == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert {"tinyv", "general_verifier", "generic"} <= set(names)
    for name in names:
        assert run("presets", "show", name) == 0
        assert capsys.readouterr().out.startswith(f"name: {name}\n")


def test_a_good_configuration_is_told_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "conf.toml"
    config.write_text('policy = "addon"\n[[judges]]\npreset = "tinyv"\nbackend = {name = "scripted"}\n')
    assert run("config", "check", config) == 0
    assert "conf.toml: fine; default route: hybridverify=" in capsys.readouterr().out


def test_the_cache_is_counted_exported_merged_pruned_and_cleared(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config, one, two = tmp_path / "conf.yaml", tmp_path / "one", tmp_path / "two"
    config.write_text(
        "policy: addon\njudges: [{preset: tinyv, backend: {name: scripted, replies: 'True'}}]\n"
    )
    run("grade", source, "-o", tmp_path / "out.jsonl", "-c", config, "--cache", one)
    capsys.readouterr()
    assert run("cache", "stats", "--cache", one) == 0
    assert "judge   1 entries" in capsys.readouterr().out
    assert run("cache", "export", tmp_path / "dump.jsonl", "--cache", one) == 0
    assert run("cache", "merge", tmp_path / "dump.jsonl", one, "--cache", two) == 0
    assert run("cache", "prune", "--stage", "rule", "--cache", two) == 0
    assert run("cache", "stats", "--cache", two) == 0
    assert "all     1 entries" in capsys.readouterr().out
    assert run("cache", "clear", "--yes", "--cache", two) == 0
    assert "1 entries removed, 0 left" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [[], ["cache"], ["presets"]])
def test_no_command_shows_the_help(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*arguments) in (0, 2)  # depends on the release of typer
    shown = "".join(capsys.readouterr())
    assert shown.startswith("Usage: hybridverify")
    assert "error" not in shown


# ---- as a process


def process(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hybridverify", *map(str, arguments)]
    variables = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run(command, capture_output=True, text=True, env=variables, timeout=400, check=False)


def test_help_loads_nothing_heavy(tmp_path: Path) -> None:
    heavy = (
        "sympy math_verify pyarrow openai diskcache numpy rich"  # pydantic comes with newer releases of typer
    )
    code = (
        "import sys; from hybridverify.cli import main; main(['grade', '--help'])\n"
        f"sys.exit(', '.join(set('{heavy}'.split()) & set(sys.modules)) or 0)"
    )
    variables = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=variables, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("command", [["presets", "list"], ["grade", "--help"], ["explain", "7", "7"]])
def test_a_reader_that_has_seen_enough_is_no_fault(command: list[str]) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "hybridverify", *command],
        stdout=write,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


def test_closed_standard_input_is_told(tmp_path: Path) -> None:
    command = 'exec "$0" -m hybridverify grade - -o "$1" <&-'
    done = subprocess.run(
        ["sh", "-c", command, sys.executable, str(tmp_path / "out.jsonl")],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert (done.returncode, done.stderr) == (2, "error: -: standard input is closed\n")


def test_the_module_runs_as_a_program_and_exit_codes_leave_it(source: Path, tmp_path: Path) -> None:
    done = process(
        "grade", source, "-o", tmp_path / "out.jsonl", "--progress", HYBRIDVERIFY_CACHE=str(tmp_path / "c")
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "5/5" in done.stderr
    assert done.stdout.splitlines()[-1].startswith("5 rows: ")
    assert process("grade", tmp_path / "absent", "-o", tmp_path / "out.jsonl").returncode == 2
    shown = process("cache", "stats", HYBRIDVERIFY_CACHE=str(tmp_path / "c")).stdout
    assert shown.startswith(f"folder  {tmp_path / 'c'}")


def test_without_a_terminal_there_is_no_bar(source: Path, tmp_path: Path) -> None:
    done = process("grade", source, "-o", tmp_path / "out.jsonl", "--no-cache")
    assert done.stderr.splitlines() == [
        f"warning: 1 row (row 5 of {source}) without a reference: not graded (bad_reference)"
    ]


@pytest.mark.parametrize(
    "command", [[], ["grade"], ["cache"], ["cache", "stats"], ["judge"], ["presets"], ["explain"]]
)
def test_help_is_there_in_short_and_no_line_of_it_is_cut(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*command, "-h") == 0
    shown = capsys.readouterr().out
    assert run(*command, "--help") == 0
    assert shown == capsys.readouterr().out
    commands = shown.partition("\nCommands:\n")[2].splitlines()
    assert [line for line in commands if line.endswith("...")] == []
