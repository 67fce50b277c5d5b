"""`hybridverify serve`: what it refuses, in one line and with which code."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from hybridverify.cli import main
from hybridverify.config import load_serve, load_settings
from hybridverify.errors import ConfigError


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["serve", *arguments]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    return told.err


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("serv: {}", "serv: no such setting; did you mean 'serve'?"),
        ("serve: {prot: 1}", "serve.prot: no such setting; did you mean 'port'?"),
        ("serve: 5", "serve: "),
        ("serve: {port: x}", "serve.port: "),
        ("serve: {processes: 0}", "serve.processes: "),
        ("serve: {max_body_mb: 0}", "serve.max_body_mb: "),
        (
            "serve: {host: 0.0.0.0}",
            "serve.host: 0.0.0.0 is open to others; name a token's variable by --token-env",
        ),
        ("serve: {token_env: HV_NO_SUCH_VARIABLE}", "the variable HV_NO_SUCH_VARIABLE is not set, or empty"),
        ("policy: addon", "policy addon asks a judge, and none is configured"),
        ("policy: addon\nserve: {processes: 2}", "policy addon asks a judge, and none is configured"),
    ],
)
def test_wrong_settings_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, fault: str
) -> None:
    conf = tmp_path / "conf.yaml"
    conf.write_text(text)
    assert fault in refused(capsys, str(conf), "--port", "0")


def test_a_missing_file_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert "no_such.yaml: cannot be read" in refused(capsys, "no_such.yaml")


def test_a_taken_port_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        told = refused(capsys, "--port", str(taken.getsockname()[1]))
    assert "cannot listen on 127.0.0.1 port" in told
    assert "--port N names another, and 0 takes a free one" in told


def test_options_win_over_the_file_and_the_section_is_no_verifiers() -> None:
    source = {"policy": "rule_only", "serve": {"port": 1, "processes": 3}}
    entry = load_serve(source, {"port": 2})
    assert (entry.port, entry.processes) == (2, 3)
    assert "serve" not in load_settings(source)
    with pytest.raises(ConfigError, match=r"serve\.port"):
        load_serve(source, {"port": -1})
    assert load_serve({}).host == "127.0.0.1"


def test_help_names_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--help"]) == 0
    told = capsys.readouterr().out
    for option in ("--host", "--port", "--processes", "--token-env", "--deadline-s", "/get_reward"):
        assert option in told
