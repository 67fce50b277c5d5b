"""Configuration files: three formats, one schema, one clear line for each fault."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import hybridverify as hv
from hybridverify.cli import main
from hybridverify.config import load_settings
from hybridverify.config.yaml_files import parsed_yaml
from hybridverify.errors import ConfigError

YAML = """
policy: {name: addon, judge_weight: 0.5}
rules: [exact, gsm8k]
conventions: {rounding: none}
routes:
  "openai/gsm8k": {rules: [gsm8k], form: hash}
judges:
  - preset: tinyv
    backend: {name: scripted, replies: ["True"]}
    sampling: {temperature: 0.0, max_tokens: 4}
cache: null
reward: {correct: 1.0, incorrect: -1.0}
on_judge_error: {failed: zero, invalid: mask}
"""
TOML = """
policy = "rule_only"
rules = ["exact"]
[reward]
correct = 2.0
[cache]
path = "store"
"""


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_yaml_file_makes_a_working_verifier(tmp_path: Path) -> None:
    path = write(tmp_path, "conf.yaml", YAML)
    with hv.Verifier.from_config(path) as verifier:
        grades = verifier.grade(
            [hv.Sample("#### 4", "4"), hv.Sample("#### 5", "4"), hv.Sample("a town on a river", "Ulm")]
        )
    assert [grade.score for grade in grades] == [1.0, -1.0, 0.0]
    assert grades[2].judge.source == "judge:tinyv"
    assert "conventions=rounding:none" in grades[0].fingerprint


ORDER = ["polaris*", "*_tinyv", "*", "a", "A*"]
IN_ORDER = {
    "conf.yaml": "routes:\n" + "".join(f"  '{name}': {{form: boxed}}\n" for name in ORDER),
    "conf.toml": "".join(f"[routes.'{name}']\nform = 'boxed'\n" for name in ORDER),
    "conf.json": json.dumps({"routes": {name: {"form": "boxed"} for name in ORDER}}),
}


@pytest.mark.parametrize("name", IN_ORDER)
def test_routes_keep_the_order_of_the_file(name: str, tmp_path: Path) -> None:
    assert list(load_settings(write(tmp_path, name, IN_ORDER[name]))["routes"]) == ORDER


def test_toml_and_json_and_mappings_say_the_same(tmp_path: Path) -> None:
    toml = load_settings(write(tmp_path, "conf.toml", TOML))
    settings: dict[str, Any] = {
        "policy": "rule_only",
        "rules": ["exact"],
        "reward": {"correct": 2.0},
        "cache": {"path": "store"},
    }
    assert (
        toml == load_settings(write(tmp_path, "conf.json", json.dumps(settings))) == load_settings(settings)
    )
    assert toml["reward"] == {"correct": 2.0, "incorrect": 0.0}


def test_overrides_replace_top_level_keys(tmp_path: Path) -> None:
    path = write(tmp_path, "conf.yaml", YAML)
    with hv.Verifier.from_config(path, policy="judge_only", reward={}) as verifier:
        assert [grade.score for grade in verifier.grade([hv.Sample("#### 5", "4")])] == [1.0]


def test_without_a_cache_key_the_default_store_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HYBRIDVERIFY_CACHE", str(tmp_path / "store"))
    judges = [{"preset": "tinyv", "backend": {"name": "scripted", "replies": ["True"]}}]
    for asked in (1, 0):
        with hv.Verifier.from_config({"policy": "judge_only", "judges": judges}) as verifier:
            verifier.grade([hv.Sample("a town on a river", "Ulm")])
            assert verifier.stats["judge"]["called"] == asked
    with hv.Verifier.from_config({"policy": "judge_only", "judges": judges, "cache": None}) as verifier:
        verifier.grade([hv.Sample("a town on a river", "Ulm")])
        assert verifier.stats["judge"]["called"] == 1


def test_a_template_file_is_looked_for_beside_the_configuration(tmp_path: Path) -> None:
    write(
        tmp_path,
        "mine.txt",
        '---\nheading: "Grade:"\nlabels: {correct: [C], incorrect: [I]}\n---\n'
        "{question} {reference} {answer}\nEnd with Grade: C or Grade: I\n",
    )
    settings = {
        "policy": "judge_only",
        "cache": None,
        "judges": [{"template_file": "mine.txt", "backend": {"name": "scripted", "replies": ["Grade: C"]}}],
    }
    path = write(tmp_path, "conf.json", json.dumps(settings))
    with hv.Verifier.from_config(path) as verifier:
        assert verifier.grade([hv.Sample("a town on a river", "Ulm")])[0].score == 1.0


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("conf.yaml", "polcy: addon", "polcy: no such setting; did you mean 'policy'"),
        ("conf.yaml", "routes: {a: {rulez: []}}", "did you mean 'rules'"),
        ("conf.yaml", "cache: {pth: x}", "did you mean 'path'"),
        ("conf.yaml", "panel: {quorum: 2}", "panel.quorum"),
        ("conf.yaml", "reward: {correct: many}", "reward.correct"),
        ("conf.yaml", "max_calls: -1", "max_calls"),
        ("conf.yaml", "probe: maybe", "probe: expected true or false, got 'maybe'"),
        ("conf.yaml", "serve: 8100", "serve: expected keys and values, got '8100'"),
        ("conf.yaml", "policy: rule_only\nrules: [exact]\npolicy: veto", "line 3: 'policy' stands twice"),
        ("conf.json", '{"workers": 1, "workers": 2}', "'workers' stands twice"),
        ("conf.yaml", "rules: [exact", "conf.yaml"),
        ("conf.yaml", "- a\n- b", "expected keys and values"),
        ("conf.toml", "rules = [", "conf.toml"),
        ("conf.json", "{", "conf.json"),
        ("conf.ini", "a=1", "ends in .yaml"),
    ],
)
def test_faults_are_one_line_with_file_and_key(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = write(tmp_path, name, text)
    with pytest.raises(ConfigError) as caught:
        hv.Verifier.from_config(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_judge_without_an_engine_is_refused_and_the_check_names_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, "conf.yaml", "policy: addon\njudges: [{preset: generic}]")
    with pytest.raises(ConfigError, match=r"^judges: backend: is missing$"):
        hv.Verifier.from_config(path)
    assert main(["config", "check", str(path)]) == 2
    assert capsys.readouterr().err == f"error: {path}: judges: backend: is missing\n"
    path = write(tmp_path, "conf.yaml", "polcy: addon")
    assert main(["config", "check", str(path)]) == 2
    assert capsys.readouterr().err.count("conf.yaml") == 1


def test_a_merged_key_may_be_overridden() -> None:
    text = "base: &b {x: 1}\nouter: {inner: &i {<<: *b, x: 2}}\nother: {<<: *i, x: 3}"
    assert parsed_yaml(text)["other"] == {"x": 3}


def test_an_absent_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"absent\.yaml: cannot be read: No such file"):
        hv.Verifier.from_config(tmp_path / "absent.yaml")


def test_yaml_tags_build_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, "conf.yaml", "rules: !!python/object/apply:os.getcwd []")
    with pytest.raises(ConfigError, match=r"conf\.yaml"):
        hv.Verifier.from_config(path)


@pytest.mark.parametrize(
    ("judge", "told"),
    [
        ("embedded", 'write {"preset": "embedded"}'),
        ("tinyv", 'write {"preset": "tinyv", "backend": {"name": "openai", "model": ..., "base_url": ...}}'),
        ("tinvy", "did you mean 'tinyv'?"),
    ],
)
def test_a_judge_given_by_its_name_is_told_how_it_is_written(judge: str, told: str) -> None:
    with pytest.raises(ConfigError) as caught:
        hv.Verifier(judges=[judge])  # type: ignore[list-item]
    assert str(caught.value) == f"judges: expected an entry with preset and backend, got {judge!r}; {told}"
