"""Two serving processes behind one port, and a service whose queue is full.

    python benchmarks/service_processes.py [--seconds 2] [--rounds 3] [--clients 32] [--only PARTS] [--json OUT]

1. processes: rows a second of one and of two serving processes, in turn. All rows are decided by rules. The clients
   take a share of the machine's cores, so that two gain only where cores are free. The processor time of a row tells
   what a second process costs, however busy the machine is.
2. full: clients with twice as many rows as the queue takes come again as Retry-After says: how often it was full, and
   whether every request was answered in the end, rightly.

Ends 1 where a request is lost or answered wrongly.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import statistics
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from service import BATCH, children, processor_s, rate, rows, serving

import hybridverify as hv
from hybridverify.service import Client

CLIENTS = 4
SMALL, TURNS = 64, 5
"""Rows of a request, and requests of a client, where the queue is full."""


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="of each measurement")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--only", help="some of: processes,full")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    parts: dict[str, Callable[[], dict[str, Any]]] = {
        "processes": lambda: processes(given.seconds, given.rounds),
        "full": lambda: full(given.clients),
    }
    found = {name: parts[name]() for name in (given.only.split(",") if given.only else parts)}
    if given.json:
        given.json.write_text(json.dumps(found, indent=1))
    told = found.get("full", {"lost": 0, "wrong": 0})
    return int(told["lost"] + told["wrong"] > 0)


def processes(seconds: float, rounds: int) -> dict[str, Any]:
    """Rows a second of one and of two serving processes, and the processor time of a row."""
    batches = [rows(BATCH, at * BATCH) for at in range(120)]
    rates: dict[int, list[float]] = {1: [], 2: []}
    costs: dict[int, list[float]] = {1: [], 2: []}
    with (
        serving({}) as (single, alone),
        serving({}, "--processes", "2") as (double, parent),
        Client(single) as one,
        Client(double) as two,
    ):
        for _ in range(rounds + 1):
            for count, client, process in ((1, one, alone), (2, two, parent)):
                begin, before = time.perf_counter(), family_s(process.pid)
                rates[count].append(rate(client.grade, batches, seconds, CLIENTS))
                graded = rates[count][-1] * (time.perf_counter() - begin)
                costs[count].append((family_s(process.pid) - before) / graded)
    kept = {count: found[1:] for count, found in rates.items()}  # the first round imports
    share = statistics.median(two / one for one, two in zip(kept[1], kept[2], strict=True))
    for count, found in kept.items():
        print(
            f"{count} serving    {statistics.median(found):8.0f} rows/s, "
            f"{1e6 * statistics.median(costs[count][1:]):.0f} us of processor time a row, "
            f"{BATCH} rows a request, {CLIENTS} clients"
        )
    print(f"two to one   {share:8.2f} on {os.cpu_count()} cores", flush=True)
    return {"one": kept[1], "two": kept[2], "ratio": share, "row_cpu_s": costs}


def family_s(process: int) -> float:
    """Seconds of processor time of a service and of the processes that it started."""
    return sum(map(processor_s, (process, *map(int, children(process)))))


def full(clients: int) -> dict[str, int]:
    """What clients get of a service whose queue takes the rows of half of them."""
    samples = rows(SMALL)
    told = [
        {"response": one.response, "reference": one.reference, "question": one.question} for one in samples
    ]
    body = json.dumps({"rows": told}).encode()
    with hv.Verifier() as verifier:
        expected = [grade.score for grade in verifier.grade(samples)]
    counts = {"answered": 0, "refused": 0, "lost": 0, "wrong": 0}
    lock = threading.Lock()

    def ask(url: str) -> None:
        for _ in range(TURNS):
            status, refused, scores = asked_until_answered(url, body)
            with lock:
                counts["refused"] += refused
                counts["answered"] += status == 200
                counts["lost"] += status != 200
                counts["wrong"] += status == 200 and scores != expected

    begin, settings = time.perf_counter(), {"serve": {"queue_rows": clients * SMALL // 2}}
    with serving(settings) as (url, _):
        threads = [threading.Thread(target=ask, args=(url,)) for _ in range(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    print(
        f"{clients} clients, queue of {settings['serve']['queue_rows']} rows: {counts['answered']} requests answered, "
        f"{counts['refused']} times 429, {counts['lost']} lost, {counts['wrong']} wrong, "
        f"{time.perf_counter() - begin:.0f} s",
        flush=True,
    )
    return counts


def asked_until_answered(url: str, body: bytes) -> tuple[int, int, list[float]]:
    """The last status, how often the service was full before, and the scores."""
    place, refused = urlsplit(url), 0
    while True:
        connection = http.client.HTTPConnection(str(place.hostname), place.port, timeout=300)
        try:
            connection.request("POST", "/grade", body, {"Content-Type": "application/json"})
            reply = connection.getresponse()
            told = json.loads(reply.read())
        finally:
            connection.close()
        if reply.status != 429:
            return reply.status, refused, [grade["score"] for grade in told.get("grades", ())]
        refused += 1
        time.sleep(int(reply.headers["Retry-After"]))


if __name__ == "__main__":
    sys.exit(main())
