"""How long a single row waits while the service reads one large body: by the clock, and by the processor time that the
service spends meanwhile.

    python benchmarks/large_bodies.py [--mb 15] [--only SHAPES]
"""

from __future__ import annotations

import argparse
import http.client
import json
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import checkout  # noqa: F401 - for `tests`

from tests.service.service_process import running

SMALL = json.dumps({"response": "#### 7", "reference": "7"}).encode()
ROW = b'{"response": "#### 7", "reference": "7", "meta": {"a": ['
STEPS = "We add things and see what comes of it. " * 50


def batch(size: int) -> bytes:
    """Rows of some 2 kB."""
    count = size // (len(STEPS) + 60)
    rows = [{"response": f"{STEPS}#### {n}", "reference": str(n)} for n in range(count)]
    return json.dumps({"rows": rows}).encode()


def filled(begin: bytes, piece: bytes, end: bytes) -> Callable[[int], bytes]:
    """Bodies of one piece again and again."""
    return lambda size: begin + b",".join([piece] * (size // (len(piece) + 1))) + end


SHAPES: dict[str, Callable[[int], bytes]] = {
    "rows": batch,
    "numbers": filled(ROW, b"1", b"]}}"),
    "lists": filled(ROW, b"[[]]", b"]}}"),
    "objects": filled(ROW, b'{"k":1}', b"]}}"),
    "references": filled(b'{"response": "#### 7", "reference": [', b"1", b"]}"),
    "empty rows": filled(b'{"rows": [', b'{"response":"","reference":""}', b"]}"),
    "long reference": filled(b'{"response": "#### 7", "reference": "', b"7 ", b'"}'),
}


def main() -> int:
    """Measures each shape in turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mb", type=int, default=15, help="size of the body")
    parser.add_argument("--only", default="", help="shapes, with commas between them")
    given = parser.parse_args()
    names = given.only.split(",") if given.only else list(SHAPES)
    settings = {"serve": {"max_body_mb": given.mb + 2}}
    with tempfile.TemporaryDirectory() as folder, running(Path(folder), settings) as service:
        posted(service.base_url, SMALL)
        print("body            status    s   cpu s | single rows: n   p50 ms   worst ms   worst cpu ms")
        for name in names:
            measure(name, service.base_url, service.process.pid, SHAPES[name](given.mb << 20))
    return 0


def measure(name: str, url: str, process: int, body: bytes) -> None:
    """Sends the body, and single rows until it is answered."""
    told: list[int] = []
    large = threading.Thread(target=lambda: told.append(posted(url, body)))
    begin, before = time.perf_counter(), running_s(process)
    large.start()
    walls, cpus = [], []
    while large.is_alive():
        start, used = time.perf_counter(), running_s(process)
        posted(url, SMALL)
        walls.append(1e3 * (time.perf_counter() - start))
        cpus.append(1e3 * (running_s(process) - used))
        time.sleep(0.002)
    large.join()
    seconds, cpu = time.perf_counter() - begin, running_s(process) - before
    print(
        f"{name:16} {told[0]:5} {seconds:6.2f} {cpu:6.2f} | {len(walls):14} {statistics.median(walls):8.1f}"
        f" {max(walls):10.1f} {max(cpus):14.1f}",
        flush=True,
    )


def posted(url: str, body: bytes) -> int:
    """The status of a request to grade this body."""
    address = urlsplit(url)
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=600)
    try:
        connection.request("POST", "/grade", body, {"Content-Type": "application/json"})
        reply = connection.getresponse()
        reply.read()
        return reply.status
    finally:
        connection.close()


def running_s(process: int) -> float:
    """Seconds that the thread which answers was on a processor."""
    return int(Path(f"/proc/{process}/schedstat").read_text().split()[0]) / 1e9


if __name__ == "__main__":
    sys.exit(main())
