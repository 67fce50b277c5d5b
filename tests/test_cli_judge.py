"""`hybridverify judge serve` as a process, with a package named vllm that holds a stand-in."""

from __future__ import annotations

import json
import os
import shlex
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from hybridverify.cli import main
from tests.waiting import GIVE_UP_S, soon

pytestmark = [pytest.mark.load, pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")]

ROOT = Path(__file__).resolve().parent.parent
FAKE_SCRIPT = Path(__file__).with_name("serving_fake.py")
SERVE = [sys.executable, "-m", "hybridverify", "judge", "serve"]
USUAL = ["--preset", "general_verifier", "--model", "some/judge"]


@pytest.fixture
def variables(tmp_path: Path) -> dict[str, str]:
    """An environment where `vllm` can be imported, and run as a server."""
    package = tmp_path / "vllm" / "entrypoints" / "openai"
    package.mkdir(parents=True)
    (tmp_path / "vllm" / "__init__.py").touch()
    (package / "api_server.py").write_text(FAKE_SCRIPT.read_text("utf-8"), "utf-8")
    path = os.pathsep.join((str(ROOT), str(tmp_path)))
    return {**os.environ, "PYTHONPATH": path, "HF_HUB_OFFLINE": "1"}


@pytest.fixture
def port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(variables: dict[str, str], *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*SERVE, *USUAL, *arguments], env=variables, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def ready_lines(process: subprocess.Popen[str]) -> list[str]:
    assert process.stdout is not None
    lines = [process.stdout.readline().rstrip("\n") for _ in range(2)]
    if not lines[0]:
        raise AssertionError(process.communicate())
    return lines


def listening(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1.0).close()
    except OSError:
        return False
    return True


def quiet(port: int, give_up_s: float = GIVE_UP_S) -> bool:
    return soon(lambda: not listening(port), give_up_s)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_tells_its_address_and_how_to_use_it_and_stops_on_a_signal(
    variables: dict[str, str], port: int, number: signal.Signals
) -> None:
    process = start(variables, "--port", str(port), "--served-model-name", "my judge", "--", "--say", "hello")
    url = f"http://127.0.0.1:{port}/v1"
    ready, usage = ready_lines(process)
    assert ready == f"ready at {url} (model my judge)"
    asked = ["--judge", "general_verifier", "--model", "my judge", "--base-url", url]
    assert shlex.split(usage) == ["hybridverify", "grade", "IN", "-o", "OUT", *asked]
    process.send_signal(number)
    output, errors = process.communicate(timeout=200)
    assert (process.returncode, output) == (0, "")
    assert not listening(port)
    lines = errors.splitlines()
    assert lines[0].startswith("starting: ")
    assert "hello" in lines
    assert lines[-1] == "stopped"
    assert "Traceback" not in errors


def test_the_engine_gets_the_presets_context_and_its_own_arguments_last(
    variables: dict[str, str], tmp_path: Path
) -> None:
    log = tmp_path / "engine.log"
    process = start(
        variables, "--port", "0", "--dtype", "half", "--log", str(log), "--", "--api-key", "secret"
    )
    ready_lines(process)
    process.terminate()
    _, errors = process.communicate(timeout=200)
    first = log.read_text("utf-8").splitlines()[0]
    words = json.loads(first.removeprefix("argv "))
    assert words[words.index("--max-model-len") + 1] == "6144"
    assert words[words.index("--dtype") + 1] == "half"
    assert words[-2:] == ["--api-key", "secret"]
    assert "secret" not in errors
    assert "argv" not in errors


def test_a_server_that_is_stopped_before_it_is_ready_stops_cleanly(
    variables: dict[str, str], port: int
) -> None:
    process = start(variables, "--port", str(port), "--", "--ready-after", "600")
    assert soon(lambda: listening(port))
    process.terminate()
    output, _ = process.communicate(timeout=200)
    assert (process.returncode, output) == (0, "")
    assert not listening(port)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (
            ["--", "--exit", "1", "--say", "torch.OutOfMemoryError: CUDA out of memory."],
            3,
            "out of GPU memory",
        ),
        (["--timeout-s", "0.5", "--", "--ready-after", "600"], 3, "was not ready after 0.5 s"),
        (["--", "--exit", "1", "--say", "[Errno 98] address already in use"], 2, "a port is taken"),
    ],
)
def test_a_server_that_fails_is_one_line_and_an_exit_code(
    variables: dict[str, str], arguments: list[str], code: int, words: str
) -> None:
    process = start(variables, "--port", "0", *arguments)
    output, errors = process.communicate(timeout=200)
    assert (process.returncode, output) == (code, "")
    last = errors.splitlines()[-1]
    assert last.startswith("error: vllm ")
    assert words in last
    assert "Traceback" not in errors


PARENT = """
import json, signal, subprocess, sys, time
command, hang_ups = json.loads(sys.argv[1]), sys.argv[2]
signal.signal(signal.SIGHUP, signal.SIG_IGN if hang_ups == "ignored" else signal.SIG_DFL)  # whatever nohup set
child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
child.stdout.readline()
print(child.pid, flush=True)
time.sleep(600)
"""


@pytest.fixture
def orphaned(request: pytest.FixtureRequest, variables: dict[str, str], port: int) -> tuple[int, int]:
    """Port and pid of `judge serve` whose parent was killed."""
    command = json.dumps([*SERVE, *USUAL, "--port", str(port)])
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, command, request.param],
        env=variables,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert listening(port)
        parent.kill()
    return port, pid


@pytest.mark.parametrize("orphaned", ["heeded"], indirect=True)
def test_a_server_whose_parent_is_killed_is_gone_soon(orphaned: tuple[int, int]) -> None:
    assert quiet(orphaned[0])


@pytest.mark.parametrize("orphaned", ["ignored"], indirect=True)
def test_a_server_under_nohup_outlives_its_parent(orphaned: tuple[int, int]) -> None:
    port, pid = orphaned
    assert not quiet(port, 1.5)
    os.kill(pid, signal.SIGTERM)
    assert quiet(port)


@pytest.mark.skipif(sys.platform != "linux", reason="a killed owner is noticed everywhere, tested on Linux")
def test_a_server_whose_command_is_killed_is_gone_soon(variables: dict[str, str], port: int) -> None:
    process = start(variables, "--port", str(port))
    ready_lines(process)
    process.kill()
    process.communicate(timeout=200)  # ends when nobody holds its pipes
    assert quiet(port)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--preset", "tinyw", "--model", "m"], "did you mean 'tinyv'"),
        (["--preset", "tinyv"], "--model"),
        (["--preset", "tinyv", "--model", "m", "--engine", "vlm"], "no engine 'vlm'"),
        (["--preset", "tinyv", "--model", "m", "--port", "x"], "--port"),
        (["--preset", "tinyv", "--model", "m", "stray"], "'stray' is no option"),
        (["--preset", "tinyv", "--model", "m", "--", "--port", "9"], "--port: comes before"),
    ],
)
def test_faults_of_usage_are_one_line_and_exit_2(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["judge", "serve", *arguments]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: ")
    assert words in line


def test_an_engine_that_is_not_installed_is_named_with_its_extra(
    tmp_path: Path, variables: dict[str, str]
) -> None:
    (tmp_path / "vllm" / "__init__.py").unlink()
    process = start(variables, "--engine", "vllm", "--port", "0")
    _, errors = process.communicate(timeout=200)
    assert process.returncode == 2
    assert errors == 'error: the engine vllm is not installed: pip install "hybridverify[vllm]"\n'


def test_a_taken_port_is_one_line_and_exit_2(variables: dict[str, str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        process = start(variables, "--port", str(taken.getsockname()[1]))
        _, errors = process.communicate(timeout=200)
    assert process.returncode == 2
    assert "is taken" in errors
    assert len(errors.splitlines()) == 1
