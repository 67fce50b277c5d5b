"""`hybridverify judge serve`, a judge server for a run to ask, and `judge try`, which shows how a judge answers."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hybridverify.cli import judge_options, options
from hybridverify.cli.messages import note, say, warn
from hybridverify.errors import ConfigError

if TYPE_CHECKING:
    from hybridverify.serving import JudgeServer

judge_app = typer.Typer(help="Start a server for a judge, or try one.", no_args_is_help=True)

_PARENT_POLL_S = 0.5


@judge_app.command("try", short_help="Ask a judge about eight pairs, and show what happens.")
def try_(
    preset: Annotated[str, typer.Option(metavar="P", help="judge preset; see: presets list")] = "",
    base_url: options.BaseUrl = "",
    model: Annotated[
        str, typer.Option(metavar="M", help="the judge's model; default: the only one that the server lists")
    ] = "",
    backend: options.BackendName = "",
    config: options.ConfigFile = None,
    api_key_env: judge_options.ApiKeyEnv = "",
    header: judge_options.Headers = None,
    no_model_check: judge_options.NoModelCheck = False,
    full: Annotated[
        bool, typer.Option("--full", help="show the whole prompt and reply of every pair")
    ] = False,
) -> int:
    """Ask a judge about eight built-in pairs: what is sent, what comes, how it is read, and how long it takes.

    Exit 0: replies were read; 1: none could be read; 2: wrong settings; 3: the judge cannot be asked.
    """
    from hybridverify.cli.settings import tried_judges
    from hybridverify.cli.trial import try_judge
    from hybridverify.cli.waiting import engines_announced
    from hybridverify.config.registry import make_judge

    server = judge_options.ServerOptions.given(api_key_env, header, 0.0, no_model_check)
    readable = True
    for entry in tried_judges(config, preset, backend, model, base_url, server):
        judge = make_judge(entry)
        try:
            with engines_announced(lines=True):
                readable = try_judge(judge, full) and readable
        finally:
            judge.close()
    return 0 if readable else 1


@judge_app.command(short_help="Start a server for a judge, and stop it cleanly.")
def serve(
    context: typer.Context,
    preset: Annotated[str, typer.Option(metavar="P", help="judge preset; see: presets list")],
    model: Annotated[str, typer.Option(metavar="M", help="model on the Hugging Face hub, or its folder")],
    extra: Annotated[
        list[str] | None,
        typer.Argument(metavar="[-- EXTRA...]", help="arguments that are passed on to the engine"),
    ] = None,
    engine: Annotated[
        str, typer.Option(metavar="NAME", help="vllm, sglang, or auto: whichever is installed")
    ] = "auto",
    host: Annotated[str, typer.Option(metavar="HOST", help="address to listen on")] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="PORT", help="port to listen on; 0 takes a free one")] = 8000,
    tensor_parallel_size: Annotated[
        int, typer.Option(metavar="N", help="number of GPUs; 0 means the engine's default, here and below")
    ] = 0,
    gpu_memory_utilization: Annotated[
        float, typer.Option(metavar="F", help="share of the GPU's memory to use")
    ] = 0.0,
    dtype: Annotated[str, typer.Option(metavar="D", help="auto, bfloat16, half, ...")] = "",
    quantization: Annotated[str, typer.Option(metavar="Q", help="fp8, awq, gptq, ...")] = "",
    max_model_len: Annotated[
        int, typer.Option(metavar="N", help="tokens of prompt and reply; default: what the preset needs")
    ] = 0,
    revision: Annotated[str, typer.Option(metavar="R", help="branch, tag or commit of the model")] = "",
    served_model_name: Annotated[
        str, typer.Option(metavar="S", help="model name that requests use; default: M")
    ] = "",
    timeout_s: Annotated[
        float, typer.Option(min=0.0, metavar="S", help="how long to wait for the start")
    ] = 600.0,
    log: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="append the engine's output to this file; default: standard error"),
    ] = None,
) -> int:
    """Start a vLLM or SGLang server for a judge. Ctrl-C, SIGTERM, or the end of its parent stop it.

    Under nohup it lives on when its parent ends. Exit 0: stopped; 2: wrong settings; 3: it died or was not ready.
    """
    from hybridverify.cli.stop import Stopped, stoppable
    from hybridverify.serving import JudgeServer

    server = JudgeServer(
        preset,
        model,
        engine=engine,
        timeout_s=timeout_s,
        log=log or sys.stderr,
        host=host,
        port=port,
        tensor_parallel_size=tensor_parallel_size,
        gpu_memory_utilization=gpu_memory_utilization,
        dtype=dtype,
        quantization=quantization,
        max_model_len=max_model_len,
        revision=revision,
        served_model_name=served_model_name,
        extra=_extra(context, extra or []),
    )
    try:
        with stoppable(), _stopped_with_parent():
            _serve(server)
    except Stopped:
        note("stopped")
    return 0


def _extra(context: typer.Context, extra: list[str]) -> tuple[str, ...]:
    given = context.obj if isinstance(context.obj, list) else []
    if extra and "--" not in given:
        raise ConfigError(f"{extra[0]!r} is no option; arguments for the engine itself come after --")
    return tuple(extra)


def _serve(server: JudgeServer) -> None:
    note(f"starting: {_shown(server.command)}")
    if not server.on_loopback:
        warn(
            f"everybody who reaches {server.settings.host} on port {server.settings.port} can use this server"
        )
    with server:
        grade = ("grade", "IN", "-o", "OUT", "--judge", server.preset.name, "--model", server.model)
        say(
            f"ready at {server.base_url} (model {server.model})\n"  # one write: a script may read only one line
            f"hybridverify {shlex.join((*grade, '--base-url', server.base_url))}"
        )
        server.wait()


def _shown(command: Sequence[str]) -> str:
    """The command line without a key that it may hold.

    >>> _shown(["python", "--api-key", "abc", "--api-key=abc", "--port", "1"])
    'python --api-key ... --api-key=... --port 1'
    """
    after_option = zip(command, ["", *command], strict=False)
    words = ["..." if before == "--api-key" else word for word, before in after_option]
    return shlex.join("--api-key=..." if word.startswith("--api-key=") else word for word in words)


@contextmanager
def _stopped_with_parent() -> Iterator[None]:
    """Inside the block, SIGTERM reaches this process when its parent is gone, so that a script that ends or is killed
    leaves no server on its GPUs. `nohup`, which ignores hang-ups, asks for the opposite."""
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        yield
        return
    done = threading.Event()
    parent = os.getppid()

    def watch() -> None:
        while not done.wait(_PARENT_POLL_S):
            if os.getppid() != parent:
                os.kill(os.getpid(), signal.SIGTERM)
                return

    threading.Thread(target=watch, name="parent watch", daemon=True).start()
    try:
        yield
    finally:
        done.set()
