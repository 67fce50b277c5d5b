"""`hybridverify serve`: the verifier as a service."""

from __future__ import annotations

import importlib.util
import signal
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hybridverify.cli.messages import note, say
from hybridverify.errors import ConfigError

if TYPE_CHECKING:
    from hybridverify.config import ServeEntry

_PACKAGES = ("starlette", "uvicorn", "prometheus_client")


def serve(
    config: Annotated[
        Path | None, typer.Argument(metavar="[CONFIG]", help="configuration file: .yaml, .toml or .json")
    ] = None,
    host: Annotated[
        str | None,
        typer.Option(metavar="HOST", help="address to listen on; others than loopback need --token-env"),
    ] = None,
    port: Annotated[
        int | None, typer.Option(metavar="PORT", help="port to listen on; 0 takes a free one")
    ] = None,
    processes: Annotated[
        int | None,
        typer.Option(metavar="N", help="serving processes behind the port; more where rules are slow"),
    ] = None,
    token_env: Annotated[
        str | None, typer.Option(metavar="NAME", help="environment variable that holds the token of clients")
    ] = None,
    deadline_s: Annotated[
        float | None,
        typer.Option(metavar="S", help="most seconds for a request that names no limit; 0: none"),
    ] = None,
) -> int:
    """Serve the verifier over HTTP: /grade, /get_reward (OpenRLHF, slime), /verify (NeMo Gym), /health, /metrics.

    Ctrl-C or SIGTERM stop it after the open requests are answered. Exit 0: stopped; 2: wrong settings.
    """
    from hybridverify.config import load_serve, load_settings

    given = {
        "host": host,
        "port": port,
        "processes": processes,
        "token_env": token_env,
        "deadline_s": deadline_s,
    }
    chosen = {name: value for name, value in given.items() if value is not None}
    source: Path | Mapping[str, Any] = config if config is not None else {}
    entry = load_serve(source, chosen)
    settings = _alone(load_settings(source))
    missing = [name for name in _PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        raise ConfigError(f"serve needs {', '.join(missing)}: pip install 'hybridverify[serve]'")
    if entry.processes > 1 and not hasattr(socket, "AF_UNIX"):
        raise ConfigError("serve.processes: several processes need Unix sockets, which this system lacks")
    from hybridverify.service.server import listening, token_of

    token = token_of(entry)
    with listening(entry) as sock:
        if entry.processes > 1:
            _serve_many(sock, settings, entry)
        else:
            _serve_one(sock, settings, entry, token)
    note("stopped")
    return 0


def _alone(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a service: no verdict depends on other rows, and no fault of an engine ends it."""
    monitor = settings.get("monitor")
    watched = {"monitor": {**monitor, "act": False}} if monitor else {}
    return {**settings, **watched, "stop_on_outage": False}


def _serve_one(sock: socket.socket, settings: Mapping[str, Any], entry: ServeEntry, token: str) -> None:
    from hybridverify.service.app import Service
    from hybridverify.service.desk import Desk
    from hybridverify.service.server import serve_here
    from hybridverify.verifier import Verifier

    verifier = Verifier.from_config(settings)
    service = Service(verifier, entry, Desk(verifier, entry.queue_rows), token)
    serve_here(service, [sock], lambda: _say_ready(sock, entry))


def _serve_many(sock: socket.socket, settings: Mapping[str, Any], entry: ServeEntry) -> None:
    from hybridverify.service.processes import Processes
    from hybridverify.verifier import Verifier

    Verifier.from_config(settings).close()  # a fault in the settings is told once, here
    family = Processes(sock, settings, entry, entry.processes)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, family.ask_to_stop)
    family.ensure_ready()
    _say_ready(sock, entry)
    family.run()


def _say_ready(sock: socket.socket, entry: ServeEntry) -> None:
    from hybridverify.service.server import address_of

    how = f"token in ${entry.token_env}" if entry.token_env else "no token"
    count = f"{entry.processes} processes" if entry.processes > 1 else "1 process"
    say(f"serving at {address_of(sock)} ({count}, {how})")
