"""What a serving process runs: `python -m hybridverify.service.child`, started by processes.py alone."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys

from hybridverify.config import ServeEntry
from hybridverify.errors import HybridVerifyError
from hybridverify.service.app import Service
from hybridverify.service.client import Client
from hybridverify.service.connections import UNIX
from hybridverify.service.desk import Desk
from hybridverify.service.server import serve_here, stopped_with, token_of
from hybridverify.verifier import Verifier

MANY = 1 << 20
"""Rows. The process that decides open rows refuses none: those before it have queues of their own."""
FOR_EVER_S = 86_400.0


def main() -> int:
    """Serve on the socket that was handed down, until a signal comes or the parent is gone."""
    told = json.loads(sys.stdin.readline())
    settings = ServeEntry(**told["serve"])
    sock = socket.socket(fileno=told["socket"])
    try:
        verifier = Verifier.from_config(told["settings"])
        if told["private"]:
            settings = settings.model_copy(update=_trusting(settings))
            service = Service(verifier, settings, Desk(verifier, MANY))
        else:
            client = Client(UNIX + told["open_rows"], retry_for_s=FOR_EVER_S, timeout_s=FOR_EVER_S)
            service = Service(
                verifier, settings, Desk(verifier, settings.queue_rows, client.grade), token_of(settings)
            )
    except HybridVerifyError as fault:
        sys.stderr.write(f"error: {fault}\n")
        return fault.exit_code
    stopped_with(sys.stdin, lambda: os.kill(os.getpid(), signal.SIGTERM))
    serve_here(service, [sock], _ready)
    return 0


def _trusting(settings: ServeEntry) -> dict[str, float]:
    """What the process for open rows takes: it hears of its own family alone, which has checked the requests, and in
    whose JSON a character may take six times the bytes."""
    return {
        "queue_rows": MANY,
        "deadline_s": 0.0,
        "max_body_mb": 6 * settings.max_body_mb + 1,
        "body_timeout_s": FOR_EVER_S,
    }


def _ready() -> None:
    sys.stdout.write("ready\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
