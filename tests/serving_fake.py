"""A stand-in for an engine's server: listens like one, and dies, hangs or clings like one.

A script on purpose: it runs as a process of its own, and knows the options of a real engine without heeding them.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

CLINGING = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
time.sleep(600)
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="fake")
    parser.add_argument("--port", type=int)
    parser.add_argument("--served-model-name")
    parser.add_argument("--lists", help="the model it says it serves")
    parser.add_argument("--say", default="")
    parser.add_argument("--noise", type=int, default=0, help="say so many letters more")
    parser.add_argument("--exit", type=int, default=-1, help="end at once with this code")
    parser.add_argument("--die-after", type=float, help="end with exit code 1 so long after it was ready")
    parser.add_argument("--ready-after", type=float, default=0.0)
    parser.add_argument("--deaf", action="store_true", help="take no notice of SIGTERM")
    parser.add_argument("--pids", type=Path, help="where to write own pid and that of a child that clings")
    parser.add_argument("--key", action="store_true", help="list no models to strangers")
    options, _ = parser.parse_known_args()
    sys.stderr.write("argv " + json.dumps(sys.argv[1:]) + "\n" + options.say + "\n")
    sys.stderr.write("x" * options.noise)
    if options.deaf:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if options.pids:
        child = subprocess.Popen([sys.executable, "-I", "-c", CLINGING], start_new_session=True)
        written = options.pids.with_suffix(".part")
        written.write_text(f"{os.getpid()} {child.pid}")
        written.rename(options.pids)
    if options.exit >= 0:
        sys.exit(options.exit)
    serve(options)


def serve(options: argparse.Namespace) -> None:
    ready_at = time.monotonic() + options.ready_after
    death = threading.Timer(options.die_after or 0.0, os._exit, (1,))

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if time.monotonic() < ready_at:
                return self.answer(503, {})
            if self.path == "/v1/models" and options.key:
                return self.answer(401, {})
            name = options.lists or options.served_model_name
            if self.path != "/v1/models":
                return self.answer(200, {})
            self.answer(200, {"data": [{"id": name}]})
            if options.die_after is not None and death.ident is None:
                death.start()
            return None

        def answer(self, status: int, content: object) -> None:
            body = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    ThreadingHTTPServer(("127.0.0.1", options.port), Handler).serve_forever()


if __name__ == "__main__":
    main()
