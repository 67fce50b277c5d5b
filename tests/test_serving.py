"""JudgeServer with a stand-in engine: ready, late, never, dying, clinging; nothing of it may be left."""

from __future__ import annotations

import io
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hybridverify.errors import ConfigError, HybridVerifyError, JudgeUnavailable
from hybridverify.judges.presets import PRESETS
from hybridverify.serving import ENGINES, Engine, JudgeServer, ServeSettings
from hybridverify.serving.context import context_need, model_limit
from hybridverify.serving.death import death
from hybridverify.serving.engines import choose_engine, sglang_command, vllm_command
from hybridverify.serving.log import EngineLog
from tests.waiting import GIVE_UP_S, soon

pytestmark = [pytest.mark.load, pytest.mark.skipif(sys.platform == "win32", reason="process groups of Unix")]

ROOT = Path(__file__).resolve().parent.parent
FAKE_SCRIPT = Path(__file__).with_name("serving_fake.py")


def fake_command(settings: ServeSettings) -> list[str]:
    address = ["--port", str(settings.port), "--served-model-name", settings.name]
    return [sys.executable, "-I", str(FAKE_SCRIPT), *address, *settings.extra]


FAKE = {"fake": Engine("fake", "", fake_command)}


def server(*extra: str, **given: Any) -> JudgeServer:
    options = {"timeout_s": GIVE_UP_S, "grace_s": 5.0, "port": 0, **given}
    return JudgeServer("tinyv", "some/judge", engines=FAKE, extra=extra, **options)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return sys.platform != "linux"
    except ProcessLookupError:
        return False


def listening(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1.0).close()
    except OSError:
        return False
    return True


def test_a_server_is_ready_inside_and_gone_after() -> None:
    with server(served_model_name="judge") as running:
        assert running.model == "judge"
        assert running.base_url == f"http://127.0.0.1:{running.settings.port}/v1"
        assert listening(running.settings.port)
    assert not listening(running.settings.port)
    running.stop()  # again, without harm


def test_a_late_server_is_waited_for() -> None:
    begin = time.monotonic()
    with server("--ready-after", "0.6"):
        assert time.monotonic() - begin >= 0.6


def test_a_server_that_is_never_ready_is_stopped_and_says_its_last_word() -> None:
    never = server("--ready-after", "600", "--say", "loading weights", timeout_s=8.0)
    with pytest.raises(JudgeUnavailable, match=r"not ready after 8 s .*said last: loading weights"):
        never.start()
    assert not listening(never.settings.port)


@pytest.mark.parametrize(
    ("said", "code", "expected", "words"),
    [
        ("OSError: [Errno 98] Address already in use", 1, ConfigError, "a port is taken"),
        (
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate",
            1,
            JudgeUnavailable,
            "out of GPU memory",
        ),
        ("something else", 3, JudgeUnavailable, r"\(exit 3\); it said: something else"),
    ],
)
def test_a_death_at_the_start_is_explained(
    said: str, code: int, expected: type[HybridVerifyError], words: str
) -> None:
    with pytest.raises(expected, match=f"fake died before it was ready.*{words}"):
        server("--say", said, "--exit", str(code)).start()


def test_a_death_in_service_is_explained() -> None:
    with server("--die-after", "0.7", "--say", "RuntimeError: the card fell off") as running:
        with pytest.raises(JudgeUnavailable, match=r"fake died \(exit 1\); it said: RuntimeError: the card"):
            running.wait()
        assert not listening(running.settings.port)


def test_a_command_that_cannot_be_run_is_explained() -> None:
    engines = {"none": Engine("none", "", lambda settings: ["/no/such/program"])}
    with pytest.raises(JudgeUnavailable, match="No such file"):
        JudgeServer("tinyv", "some/judge", engines=engines, port=0).start()


@pytest.mark.skipif(sys.platform != "linux", reason="orphans are adopted on Linux alone")
def test_what_ignores_sigterm_or_hides_in_a_session_of_its_own_is_killed(tmp_path: Path) -> None:
    with server("--deaf", "--pids", str(tmp_path / "pids"), grace_s=0.3):
        engine, child = map(int, (tmp_path / "pids").read_text().split())
        assert alive(engine)
        assert alive(child)
    assert not alive(engine)
    assert not alive(child)


@pytest.mark.skipif(sys.platform != "linux", reason="orphans are adopted on Linux alone")
def test_what_an_engine_that_died_leaves_behind_is_killed(tmp_path: Path) -> None:
    with pytest.raises(JudgeUnavailable):
        server("--exit", "1", "--pids", str(tmp_path / "pids"), grace_s=0.3).start()
    _, child = map(int, (tmp_path / "pids").read_text().split())
    assert not alive(child)


OWNER = """
import sys, time
sys.path.insert(0, {root!r})
from tests.test_serving import server
running = server("--deaf", "--pids", {pids!r}, grace_s=0.3)
running.start()
print(running.settings.port, flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="orphans are adopted on Linux alone")
def test_nothing_outlives_an_owner_that_is_killed(tmp_path: Path) -> None:
    code = OWNER.format(root=str(ROOT), pids=str(tmp_path / "pids"))
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        port = int(owner.stdout.readline())
        assert listening(port)
        owner.kill()
    engine, child = map(int, (tmp_path / "pids").read_text().split())
    assert soon(lambda: not alive(engine) and not alive(child))
    assert not listening(port)


@pytest.mark.skipif(sys.platform != "linux", reason="tied to its guard on Linux alone")
def test_an_engine_whose_guard_is_killed_leaves_too() -> None:
    with server() as running:
        assert running._guard is not None
        running._guard.kill()
        with pytest.raises(JudgeUnavailable, match=r"fake died \(killed by SIGKILL"):
            running.wait()
        assert soon(lambda: not listening(running.settings.port))


def test_a_server_is_started_once() -> None:
    with server() as running, pytest.raises(ConfigError, match="started once"):
        running.start()


def test_a_log_that_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"--log: .*No such file"):
        server(log=tmp_path / "no" / "folder").start()


def test_a_fork_of_the_owner_does_not_stop_the_server() -> None:
    with server() as running:
        running._owner += 1  # as a forked child sees it: a pid that is not its own
        running.stop()
        assert listening(running.settings.port)
        running._owner -= 1


def test_a_server_that_asks_for_a_key_is_believed() -> None:
    with server("--key") as running:
        assert running.model == "some/judge"


def test_a_stranger_on_the_port_is_named() -> None:
    with pytest.raises(JudgeUnavailable, match="another server: it serves other/model"):
        server("--lists", "other/model").start()


def test_a_taken_port_is_refused_before_anything_starts() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ConfigError, match=f"--port: {port} is taken"):
            server(port=port)


def test_output_goes_to_a_text_file_and_is_appended_to_a_path(tmp_path: Path) -> None:
    text = io.StringIO()
    with server("--say", "half ½ done", log=text):
        pass
    assert "half ½ done" in text.getvalue()
    path = tmp_path / "engine.log"
    path.write_text("before\n")
    with server("--say", "half ½ done", log=path):
        pass
    assert path.read_text("utf-8").startswith("before\n")
    assert "half ½ done" in path.read_text("utf-8")


def test_a_log_that_can_no_longer_be_written_stops_nothing() -> None:
    closed = io.StringIO()
    closed.close()
    with server("--noise", "300000", log=closed) as running:  # more than a pipe holds
        assert listening(running.settings.port)


def test_the_tail_of_a_log_keeps_progress_bars_apart_and_its_size() -> None:
    log = EngineLog(None)
    read, write = os.pipe()
    log.drain(os.fdopen(read, "rb"))
    with os.fdopen(write, "wb") as pipe:
        pipe.write(b"0%\r50%\r\n\n" + b"line\n" * 3000 + b"the \xff end")
    tail = log.tail()
    assert len(tail) <= 1001
    assert tail[-2:] == ["line", "the \N{REPLACEMENT CHARACTER} end"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"preset": "tinyw"}, "did you mean 'tinyv'"),
        ({"preset": "embedded"}, "runs in process"),
        ({"model": " "}, "--model: name a model"),
        ({"model": "./no/such/folder"}, "there is no folder"),
        ({"engine": "vlm"}, "no engine 'vlm'"),
        ({"port": 70_000}, "--port: 70000 is not"),
        ({"gpu_memory_utilization": 1.5}, "is no share"),
        ({"tensor_parallel_size": -1}, "--tensor-parallel-size: -1"),
        ({"extra": ("--port=9",)}, "comes before the --"),
        ({"host": "no such host"}, "has no address"),
        ({"max_model_length": 5}, "did you mean 'max_model_len'"),
    ],
)
def test_settings_that_cannot_be_meant_are_refused(given: dict[str, Any], message: str) -> None:
    settings = {"preset": "tinyv", "model": "some/judge", "port": 0, "engines": FAKE, **given}
    with pytest.raises(ConfigError, match=message):
        JudgeServer(**settings)


def test_an_engine_is_found_by_import_and_a_bare_folder_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    engines = {name: Engine(name, f"{name}_for_test", fake_command) for name in ("first", "second")}
    with pytest.raises(ConfigError, match=r'no engine is installed: pip install "hybridverify\[first\]" or'):
        choose_engine("auto", engines)
    (tmp_path / "first_for_test").mkdir()
    (tmp_path / "second_for_test.py").write_text("raise SystemExit('imported')")
    assert choose_engine("auto", engines).name == "second"
    with pytest.raises(ConfigError, match="the engine first is not installed"):
        choose_engine("first", engines)
    (tmp_path / "first_for_test" / "__init__.py").touch()
    assert choose_engine("auto", engines).name == "first"


SETTINGS = ServeSettings(
    "some/judge",
    port=1234,
    tensor_parallel_size=2,
    gpu_memory_utilization=0.4,
    dtype="half",
    quantization="fp8",
    max_model_len=4096,
    revision="v1",
    extra=("--swap", "1"),
)


@pytest.mark.parametrize(
    ("command", "module", "options"),
    [
        (
            vllm_command,
            "vllm.entrypoints.openai.api_server",
            "--model some/judge --max-model-len 4096 --gpu-memory-utilization 0.4 --seed 0 --enable-prefix-caching "
            "--generation-config vllm",
        ),
        (
            sglang_command,
            "sglang.launch_server",
            "--model-path some/judge --context-length 4096 --mem-fraction-static 0.4 --random-seed 0 "
            "--sampling-defaults openai",
        ),
    ],
)
def test_settings_become_the_engines_own_options(
    command: Callable[[ServeSettings], list[str]], module: str, options: str
) -> None:
    words = command(SETTINGS)
    assert words[:3] == [sys.executable, "-m", module]
    shared = (
        "--host 127.0.0.1 --port 1234 --served-model-name some/judge --tensor-parallel-size 2 --dtype half"
    )
    for text in (shared, "--quantization fp8 --revision v1", options):
        pairs = text.replace(" --", "\n--").split("\n")
        assert [pair for pair in pairs if f" {pair} " not in f" {' '.join(words)} "] == []
    assert words[-2:] == ["--swap", "1"]


def test_what_is_not_given_is_left_to_the_engine() -> None:
    words = vllm_command(ServeSettings("some/judge"))
    assert not {"--dtype", "--quantization", "--revision", "--gpu-memory-utilization"} & set(words)


def test_both_engines_are_known() -> None:
    assert list(ENGINES) == ["vllm", "sglang"]


@pytest.mark.parametrize("name", list(PRESETS))
def test_every_preset_gets_room_for_its_prompt_beside_its_reply(name: str) -> None:
    need = context_need(PRESETS[name])
    assert need - PRESETS[name].sampling.max_tokens >= 2048
    assert need >= 4096


def model_folder(folder: Path, **files: object) -> str:
    for name, content in files.items():
        (folder / f"{name}.json").write_text(json.dumps(content))
    return str(folder)


@pytest.mark.parametrize(
    ("files", "limit"),
    [
        ({"config": {"max_position_embeddings": 2048}}, 2048),
        ({"config": {"text_config": {"max_position_embeddings": 8192}}}, 8192),
        (
            {"config": {"max_position_embeddings": 8192}, "tokenizer_config": {"model_max_length": 1024}},
            1024,
        ),
        (
            {"config": {"max_position_embeddings": 8192}, "tokenizer_config": {"model_max_length": 1e30}},
            8192,
        ),
        ({"config": {"max_position_embeddings": True}}, 0),
        ({"config": ["no", "mapping"]}, 0),
        ({}, 0),
    ],
)
def test_a_models_limit_is_read_from_its_folder(tmp_path: Path, files: dict[str, object], limit: int) -> None:
    assert model_limit(model_folder(tmp_path, **files)) == limit


def test_a_models_limit_is_read_from_the_hubs_cache_without_asking_the_hub(tmp_path: Path) -> None:
    pytest.importorskip("huggingface_hub")
    repo = tmp_path / "hub" / "models--some--judge"
    (repo / "refs").mkdir(parents=True)
    (repo / "refs" / "main").write_text("abc")
    (repo / "snapshots" / "abc").mkdir(parents=True)
    model_folder(repo / "snapshots" / "abc", config={"max_position_embeddings": 2048})
    code = (
        "from hybridverify.serving.context import model_limit as m;"
        "print(m('some/judge'), m('some/judge', 'v2'), m('other/judge'), m('no name of the hub'))"
    )
    variables = {**os.environ, "HF_HOME": str(tmp_path), "HF_ENDPOINT": "http://127.0.0.1:9"}
    variables.pop("HF_HUB_CACHE", None)
    done = subprocess.run(
        [sys.executable, "-c", code], env=variables, cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["2048", "0", "0", "0"]


def test_the_context_is_the_presets_need_within_the_models_limit(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def context(limit: int, **given: Any) -> int:
        folder = model_folder(tmp_path, config={"max_position_embeddings": limit})
        return JudgeServer("tinyv", folder, engines=FAKE, port=0, **given).settings.max_model_len

    assert context(32_768) == 4096
    assert context(32_768, max_model_len=512) == 512
    assert caplog.records == []
    assert context(2048) == 2048
    assert "takes 2048 tokens, and the preset tinyv asks for 4096" in caplog.text


DEATHS = [
    ("fake.py: error: unrecognized arguments: --foo", "does not know an argument", 2),
    ("ValueError: Free memory on device (3/80 GiB) on startup is less than desired GPU memory utilization (0.9,",
     "others hold the GPU's memory", 3),
    ("ValueError: No available memory for the cache blocks. Try increasing", "raise --gpu-memory-utilization", 3),
    ("RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.", "raise --gpu-memory", 3),
    ("Value error, User-specified max_model_len (9) is greater than the derived max_model_len (4", "fewer tokens", 3),
    ("huggingface_hub.errors.GatedRepoError: 401 Client Error.", "some/judge is gated", 3),
    ("OSError: You are trying to access a gated repo.", "some/judge is gated", 3),
    ("OSError: some/judge is not a local folder and is not a valid model identifier", "no model some/judge", 3),
    ("OSError: We couldn't connect to 'https://huggingface.co' to load the files", "cannot be loaded", 3),
    ("OSError: v9 is not a valid git identifier (branch name, tag name or commit id)", "no revision 'v1'", 3),
    ("ValueError: The repository x contains custom code which must be executed", "--trust-remote-code", 3),
    ("RuntimeError: Failed to infer device type", "finds no GPU", 3),
    ("ValueError: Model architectures ['X'] are not supported for now.", "model's architecture", 3),
    ("/usr/bin/python: No module named vllm.entrypoints", 'pip install "hybridverify[vllm]"', 2),
    ("ModuleNotFoundError: No module named 'uvloop'", "it lacks the module uvloop", 2),
]  # fmt: skip


@pytest.mark.parametrize(("line", "words", "exit_code"), DEATHS)
def test_the_usual_deaths_are_known_in_the_midst_of_a_log(line: str, words: str, exit_code: int) -> None:
    prefix = "(EngineCore pid=77) ERROR 11-02 10:11:12 [core.py:866] "
    tail = [f"{prefix}Traceback (most recent call last):", prefix + line, "RuntimeError: Engine core failed."]
    error = death("vllm", SETTINGS, tail, 1, ready=False)
    assert words in str(error)
    assert error.exit_code == exit_code
    assert "\n" not in str(error)
    if "module" not in words and "pip" not in words:
        assert str(error).endswith(f"it said: {line}")


def test_a_module_that_an_engine_did_without_is_not_why_it_died() -> None:
    tail = ["WARNING: No module named 'vllm._C'", *("step",) * 9, "RuntimeError: boom", "bye"]
    error = death("vllm", SETTINGS, tail, 1, ready=True)
    assert str(error) == "vllm died (exit 1); it said: RuntimeError: boom"


@pytest.mark.parametrize(
    ("code", "words"), [(137, "killed by SIGKILL, as happens"), (139, "killed by SIGSEGV"), (255, "exit 255")]
)
def test_an_engine_that_says_nothing_is_told_by_its_exit_code(code: int, words: str) -> None:
    assert words in str(death("vllm", SETTINGS, [], code, ready=True))
