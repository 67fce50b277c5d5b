"""`grade --engine ray`: equal bytes to a local run, faults in one line, and a clear word where Ray is missing."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hybridverify.cli import main
from hybridverify.cli.ray import RayGrader
from hybridverify.errors import ConfigError
from hybridverify.types import Sample


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.jsonl"
    rows = [
        {"response": f"#### {i}", "reference": str(i % 7), "data_source": f"s{i % 3}"} for i in range(700)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


@pytest.fixture
def ray() -> Iterator[None]:
    module = pytest.importorskip("ray")
    module.init(num_cpus=2, log_to_driver=False, logging_level="ERROR", include_dashboard=False)
    yield
    module.shutdown()


def test_a_missing_ray_is_told_with_the_command_that_installs_it(
    source: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert main(["grade", str(source), "-o", str(source.with_name("out.jsonl")), "--engine", "ray"]) == 2
    assert capsys.readouterr().err == 'error: --engine ray needs Ray: pip install "hybridverify[ray]"\n'


@pytest.mark.load
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_ray_run_gives_the_bytes_of_a_local_one_and_can_be_resumed(ray: None, source: Path) -> None:
    local, scaled = source.with_name("local.jsonl"), source.with_name("scaled.jsonl")
    assert main(["grade", str(source), "-o", str(local), "--no-cache"]) == 0
    scale = ["grade", str(source), "-o", str(scaled), "--no-cache", "--engine", "ray", "--workers", "2"]
    assert main(scale) == 0
    whole = local.read_bytes()
    assert scaled.read_bytes() == whole
    scaled.write_bytes(whole[: len(whole) // 3])
    assert main([*scale, "--resume"]) == 0
    assert scaled.read_bytes() == whole


@pytest.mark.load
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_every_actor_has_work_and_faults_come_back_as_they_were(ray: None) -> None:
    with RayGrader({"cache": None}, workers=2) as grader:
        samples = [Sample(f"#### {i}", "3") for i in range(10)]
        grades = list(grader.grade_iter(iter(samples), chunk_size=2))
        assert [grade.score for grade in grades] == [float(i == 3) for i in range(10)]
        assert len(grader._stats) == 2
        assert grader.stats["samples"]["graded"] >= 10
    with pytest.raises(ConfigError, match="no policy 'adon'"):
        RayGrader({"policy": "adon"}, workers=1)
