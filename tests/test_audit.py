"""The sampled audit file."""

from __future__ import annotations

import json
import logging
import multiprocessing
from pathlib import Path
from typing import Any

import pytest

import hybridverify as hv
from hybridverify.errors import ConfigError
from hybridverify.testing import ScriptedJudge

TOWNS = [hv.Sample(f"He lived in town {i}, they say.", f"Ulm {i}", f"Where? {i}") for i in range(200)]


def run(file: Path, samples: list[hv.Sample], judge: Any = None, **audit: Any) -> list[hv.Grade]:
    judges = [judge or ScriptedJudge(True)]
    settings = {"path": str(file), **audit}
    with hv.Verifier(policy="judge_only", judges=judges, audit=settings) as verifier:
        return verifier.grade(samples)


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("ascii").splitlines()]


def test_a_line_holds_what_was_asked_said_and_decided(tmp_path: Path) -> None:
    file = tmp_path / "below" / "audit.jsonl"
    judge = ScriptedJudge(0.9, score="p_yes", model="m")
    with hv.Verifier(
        policy="addon", judges=[judge], audit={"path": str(file), "share": 1.0}, guards={"swap_check": True}
    ) as verifier:
        verifier.grade(TOWNS[:1])
    (line,) = lines(file)
    assert "town 0" in line["prompt"]
    assert "Ulm 0" in line["prompt"]
    assert line["reply"] == "ACCEPT"
    assert line["verdict"]["outcome"] == "correct"
    assert line["verdict"]["p_yes"] == pytest.approx(0.9)
    assert line["rule"]["outcome"] == "undecided"
    assert line["grade"] == {"score": pytest.approx(0.9), "graded": True, "outcome": "correct"}
    assert [check["source"] for check in line["checks"]] == ["swap:scripted"]
    assert (line["question"], line["references"], line["judge"]) == ("Where? 0", ["Ulm 0"], "judge:scripted")


def test_only_judged_rows_are_sampled(tmp_path: Path) -> None:
    file = tmp_path / "audit.jsonl"
    with hv.Verifier(
        policy="addon", judges=[ScriptedJudge(True)], audit={"path": str(file), "share": 1.0}
    ) as verifier:
        verifier.grade([hv.Sample("#### 12", "12"), hv.Sample("", "12"), TOWNS[0]])
    assert [line["question"] for line in lines(file)] == ["Where? 0"]


def test_the_sample_depends_on_texts_and_seed_alone(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("there", "back", "seeded")]
    run(files[0], TOWNS, share=0.2)
    run(files[1], TOWNS[::-1], share=0.2)
    run(files[2], TOWNS, share=0.2, seed=1)
    there, back, seeded = ({line["question"] for line in lines(file)} for file in files)
    assert there == back != seeded
    assert 20 < len(there) < 60


def test_a_share_of_nothing_writes_nothing(tmp_path: Path) -> None:
    run(tmp_path / "audit.jsonl", TOWNS, share=0.0)
    assert not (tmp_path / "audit.jsonl").exists()


def test_equal_rows_are_written_once_and_a_panel_gets_a_line_a_judge(tmp_path: Path) -> None:
    file = tmp_path / "audit.jsonl"
    judges = [ScriptedJudge(True, name="one"), ScriptedJudge(False, name="other")]
    with hv.Verifier(policy="judge_only", judges=judges, audit={"path": str(file), "share": 1}) as verifier:
        verifier.grade([TOWNS[0]] * 3)
        verifier.grade([TOWNS[0]])
    assert [(line["judge"], line["verdict"]["outcome"]) for line in lines(file)] == [
        ("judge:one", "correct"),
        ("judge:other", "incorrect"),
    ]


def test_the_file_is_bounded_and_says_so_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "audit.jsonl"
    with (
        caplog.at_level(logging.WARNING, "hybridverify"),
        hv.Verifier(
            policy="judge_only",
            judges=[ScriptedJudge(True)],
            audit={"path": str(file), "share": 1, "max_mb": 0.02},
        ) as verifier,
    ):
        verifier.grade(TOWNS[:100])
        verifier.grade(TOWNS[100:])
    assert 10_000 < file.stat().st_size <= 20_000
    assert len(lines(file)) > 3
    assert len(caplog.records) == 1


def test_long_texts_are_cut_and_hostile_ones_stay_in_their_line(tmp_path: Path) -> None:
    file = tmp_path / "audit.jsonl"
    hostile = "a\u2028b\x85c\r\nd \ud800 " + "word " * 20_000
    run(file, [hv.Sample(hostile + "the end", "Ulm", "q" * 50_000)], share=1.0)
    (line,) = lines(file)
    assert file.read_bytes().count(b"\n") == 1
    assert "characters left out" in line["prompt"]
    assert len(line["question"]) < 21_000


def test_a_file_that_cannot_be_written_warns_once_and_stops_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "hybridverify"):
        grades = run(tmp_path, TOWNS[:3], share=1.0)  # a folder
    assert [grade.score for grade in grades] == [1.0] * 3
    assert len(caplog.records) == 1


def test_a_cached_verdict_has_no_reply_and_says_so(tmp_path: Path) -> None:
    file = tmp_path / "audit.jsonl"
    for _ in range(2):
        with hv.Verifier(
            policy="judge_only",
            judges=[ScriptedJudge(True)],
            cache=tmp_path / "cache",
            audit={"path": str(file), "share": 1},
        ) as verifier:
            verifier.grade(TOWNS[:1])
    assert [(line["reply"], line["verdict"]["cached"]) for line in lines(file)] == [
        ("ACCEPT", False),
        ("", True),
    ]


def test_the_second_reply_is_the_one_that_was_read(tmp_path: Path) -> None:
    file = tmp_path / "audit.jsonl"
    run(file, TOWNS[:1], ScriptedJudge(["mumble", "REJECT"]), share=1.0)
    assert [line["reply"] for line in lines(file)] == ["REJECT"]


def test_no_key_and_no_address_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", "sk-secret")
    file = tmp_path / "audit.jsonl"
    backend = {"name": "openai", "model": "m", "base_url": "http://127.0.0.1:9/v1", "api_key_env": "SOME_KEY"}
    judge = {"preset": "generic", "backend": {**backend, "context_tokens": 4096, "timeout_s": 50.0}}
    run(file, TOWNS[:1], judge, share=1.0)
    (line,) = lines(file)
    assert line["verdict"]["outcome"] == "failed"
    text = file.read_text()
    assert "sk-secret" not in text
    assert "api_key" not in text


def _write(file: Path, number: int) -> None:
    run(file, [hv.Sample(f"From {number}, town {i}.", f"Ulm {i}", "Where?") for i in range(100)], share=1.0)


@pytest.mark.load
@pytest.mark.slow
def test_several_processes_write_whole_lines_into_one_file(tmp_path: Path) -> None:
    file = tmp_path / "audit.jsonl"
    spawn = multiprocessing.get_context("spawn")
    processes = [spawn.Process(target=_write, args=(file, number)) for number in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert len(lines(file)) == 300


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"path": "x", "shar": 1}, "audit.shar: no such setting; did you mean 'share'"),
        ({"share": 1}, "audit.path: an audit needs the file"),
        ({"path": "x", "share": 2}, r"audit.share: expected a number in \[0, 1\]"),
        ({"path": ""}, "audit.path"),
        (3, "audit: expected a path or a mapping"),
    ],
)
def test_a_wrong_setting_is_refused_by_name(setting: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        hv.Verifier(audit=setting)


def test_an_audit_comes_from_a_configuration_and_changes_no_fingerprint(tmp_path: Path) -> None:
    settings = {"policy": "judge_only", "judges": [ScriptedJudge(True)], "cache": None}
    audit = {"path": str(tmp_path / "a.jsonl"), "share": 1.0}
    with (
        hv.Verifier.from_config({**settings, "audit": audit}) as verifier,
        hv.Verifier.from_config(settings) as plain,
    ):
        verifier.grade(TOWNS[:1])
        assert verifier.fingerprint() == plain.fingerprint()
    assert len(lines(tmp_path / "a.jsonl")) == 1
    with pytest.raises(ConfigError, match=r"audit\.shar: no such setting; did you mean 'share'"):
        hv.Verifier.from_config({"audit": {"path": "x", "shar": 1}})
