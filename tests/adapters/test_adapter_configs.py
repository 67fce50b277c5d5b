"""The configurations we ship for users of earlier systems."""

from __future__ import annotations

from pathlib import Path

import hybridverify.adapters.configs as configs
import pytest
from hybridverify.adapters.options import engine_of, parse_options

from hybridverify import Sample, Verifier
from hybridverify.config.registry import make_judge
from hybridverify.judges.backends.scripted import ScriptedBackend

FOLDER = Path(str(configs.__file__)).parent
FILES = sorted(FOLDER.glob("*.yaml"))


def test_there_is_one_for_each_system() -> None:
    names = ["general_verifier", "general_verifier_worker", "multi_grm", "rubric", "tinyv"]
    assert [file.stem for file in FILES] == names


def test_the_worker_of_the_general_verifier_holds_its_own_engine() -> None:
    (judge,) = parse_options({"config": str(FOLDER / "general_verifier_worker.yaml")}).settings["judges"]
    assert engine_of(judge) == "vllm"


@pytest.mark.parametrize("name", ["general_verifier", "general_verifier_worker"])
def test_the_general_verifier_may_write_as_much_as_in_its_original(name: str) -> None:
    file = parse_options({"config": str(FOLDER / f"{name}.yaml")}).settings
    typed = parse_options({"strategy": "verifier", "model": {"path": "/m/gv"}}).settings
    written = [
        make_judge({**judge, "backend": ScriptedBackend("")}) for judge in (*file["judges"], *typed["judges"])
    ]
    assert [judge.identity()["sampling"]["max_tokens"] for judge in written] == [2048, 2048]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_makes_a_verifier_without_asking_any_server(file: Path, tmp_path: Path) -> None:
    with Verifier.from_config(file, cache=str(tmp_path)) as verifier:
        assert verifier.stats["judge"]["called"] == 0


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_can_be_moved_to_another_server(file: Path) -> None:
    options = parse_options({"config": str(file), "base_url": "http://elsewhere:1/v1"})
    assert {judge["backend"]["base_url"] for judge in options.settings["judges"]} == {"http://elsewhere:1/v1"}
    with Verifier.from_config(
        {**options.settings, "cache": None}
    ) as verifier:  # no option of an engine is left
        assert verifier.stats["judge"]["called"] == 0


def test_the_rubric_file_asks_about_the_criteria_of_a_row(tmp_path: Path) -> None:
    settings = parse_options({"config": str(FOLDER / "rubric.yaml")}).settings
    replies = {"Show both steps.": "Total Score: 7/10", "": "Total Score: 0/10"}
    judge = {**settings["judges"][0], "backend": {"name": "scripted", "replies": replies}}
    samples = [
        Sample("Both steps, then 8", "9", "Why?", source, {"criteria": "Show both steps."})
        for source in ("x_rubric", "x_rrm", "x_tinyv", "x")
    ]
    with Verifier.from_config({**settings, "judges": [judge], "cache": None}) as verifier:
        assert [grade.score for grade in verifier.grade(samples)] == pytest.approx([0.7, 0.7, 0.7, 0.0])


def test_the_tinyv_file_says_what_its_command_line_says() -> None:
    file = parse_options({"config": str(FOLDER / "tinyv.yaml")}).settings
    typed = parse_options({"tinyv_setup": "addon", "tinyv_weight": 1.0}).settings
    assert file["policy"] == typed["policy"]
    assert {name: route["policy"] for name, route in file["routes"].items() if route["policy"]} == {
        "*_tinyv*": typed["routes"]["*_tinyv*"]["policy"]
    }
