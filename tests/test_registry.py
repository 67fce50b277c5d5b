"""Names to classes, installed plugins, and what is said of a wrong name."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import metadata
from typing import Any, ClassVar

import pytest

import hybridverify as hv
from hybridverify.config.registry import BACKENDS, CHECKERS, DEFAULT_RULES, make_backend
from hybridverify.errors import ConfigError
from hybridverify.objects import load
from hybridverify.rules.base import Checker, decided


@dataclass(frozen=True)
class Shouts:
    """A plugin's checker: right where the response is in capitals."""

    name: ClassVar[str] = "shouts"
    version: ClassVar[int] = 1
    isolated: ClassVar[bool] = False
    meta_keys: ClassVar[tuple[str, ...]] = ()

    def check(self, sample: hv.Sample) -> hv.Verdict:
        return decided(self, correct=sample.response.isupper())


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    points = {
        "hybridverify.checkers": [
            metadata.EntryPoint("shouts", f"{__name__}:Shouts", "hybridverify.checkers"),
            metadata.EntryPoint("broken", "no_such_module:Thing", "hybridverify.checkers"),
        ]
    }
    monkeypatch.setattr(metadata, "entry_points", lambda group: points.get(group, []))


@pytest.mark.usefixtures("plugins")
def test_an_installed_plugin_is_a_rule_by_name() -> None:
    with hv.Verifier(rules=["shouts"]) as verifier:
        grades = verifier.grade([hv.Sample("LOUD", "x"), hv.Sample("soft", "x")])
    assert [grade.score for grade in grades] == [1.0, 0.0]
    assert "shouts@1" in grades[0].fingerprint


@pytest.mark.usefixtures("plugins")
def test_a_plugin_that_cannot_be_loaded_is_named() -> None:
    with pytest.raises(ConfigError, match=r"plugin rule 'broken' cannot be loaded: ModuleNotFoundError"):
        hv.Verifier(rules=["broken"])


@pytest.mark.usefixtures("plugins")
def test_a_near_plugin_name_is_offered() -> None:
    with pytest.raises(ConfigError, match="did you mean 'shouts'"):
        hv.Verifier(rules=["shout"])


@pytest.mark.parametrize("name", sorted(CHECKERS))
def test_every_checker_keeps_the_protocol_and_its_name(name: str) -> None:
    checker = load(CHECKERS[name])()
    assert isinstance(checker, Checker)
    assert checker.name == name
    assert set(DEFAULT_RULES) <= set(CHECKERS)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"name": "opnai"}, "no backend 'opnai'; did you mean 'openai'"),
        ({"model": "m"}, "needs a name"),
        ({"name": "openai"}, r"backend.model: openai needs it \(--model M\)"),
        ({"name": "openai", "model": "m", "base_urll": "x"}, "did you mean 'base_url'"),
    ],
)
def test_faulty_backends_are_refused(setting: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make_backend(setting)


@pytest.mark.parametrize("name", sorted(BACKENDS))
def test_every_backend_can_be_imported(name: str) -> None:
    assert load(BACKENDS[name]).__name__.endswith("Backend")
