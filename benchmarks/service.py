"""What does it cost to grade through a service, and does it lose anything? One run on one machine, ratios inside it.

    python benchmarks/service.py [--seconds 3] [--rounds 5] [--clients 200] [--requests 100000] [--only PARTS]
        [--json OUT]

1. Rows a second through `hybridverify serve` over loopback, 256 rows a request, against `Verifier.grade` in process.
   Both run in turn, so that a busy machine slows both. All rows are decided by rules.
2. The time of a single row beside a load of such batches, against the time that 64 rows take in that load: by the
   clock, and by the processor time that the service spends while the single row waits, which says the same on a
   machine that others use.
3. 200 clients, while a serving process, and then the process for open rows, is killed by SIGKILL, and the judge's
   server is silent for a while: every request must be answered once, with the grades that it should have.
4. 100,000 requests one after the other: the memory of the serving process, as a curve.

Ends 1 where a request is lost or answered wrongly.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import checkout  # noqa: F401 - for `tests`
import machine

import hybridverify as hv
from hybridverify.service import Client
from tests.service.service_process import running

BATCH = 256
STEPS = "Let us go step by step, and write down what each of them gives. " * 8


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3.0, help="of each measurement")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--only", help="some of: throughput,single,faults,memory")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--singles", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.singles:
        print("begin", flush=True)
        print(json.dumps(single_times(*given.singles, seconds=given.seconds)))
        return 0
    parts: dict[str, Callable[[], dict[str, Any]]] = {
        "throughput": lambda: throughput(given.seconds, given.rounds),
        "single": lambda: beside_load(given.seconds * given.rounds),
        "faults": lambda: faults(given.clients),
        "memory": lambda: memory(given.requests),
    }
    wanted = given.only.split(",") if given.only else parts
    found = {name: parts[name]() for name in wanted}
    if given.json:
        machine.write(given.json, found)
    told = found.get("faults", {"lost": 0, "wrong": 0})
    return int(told["lost"] + told["wrong"] > 0)


def rows(count: int, first: int = 0) -> list[hv.Sample]:
    """Rows that rules decide: a box, a mark, a sentence and a fraction in turn; a quarter of them is wrong."""
    made = []
    for n in range(first, first + count):
        total = 2 * n + 7
        said, reference = [
            (rf"\boxed{{{total}}}", str(total)),
            (f"#### {total}", str(total)),
            (f"The answer is {total + 1}.", str(total)),
            (rf"\boxed{{\frac{{{total}}}{{2}}}}", str(total / 2)),
        ][n % 4]
        text = f"{STEPS}We add {n} and {n + 7}. {said}"
        made.append(hv.Sample(text, reference, f"What is {n} plus {n + 7}?", "openai/gsm8k"))
    return made


@contextmanager
def serving(settings: Mapping[str, Any], *options: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A service in a process of its own: its address, and the process."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder), settings, *options) as service,
    ):
        yield service.base_url, service.process


def throughput(seconds: float, rounds: int) -> dict[str, Any]:
    """Rows a second in process and through the service, in turn."""
    samples = rows(2 * BATCH)
    # texts that neither side has seen, as in training, and enough of them for one measurement
    batches = [rows(BATCH, at * BATCH) for at in range(2, 120)]
    own, served, own_cpu, served_cpu = [], [], [], []
    with hv.Verifier() as verifier, serving({}) as (url, process), Client(url) as client:
        if client.grade(samples) != verifier.grade(samples):
            raise SystemExit("the grades of the service differ")
        for _ in range(rounds):
            begin, before = time.perf_counter(), time.process_time()
            own.append(rate(verifier.grade, batches, seconds, 1))
            graded = own[-1] * (time.perf_counter() - begin)
            own_cpu.append((time.process_time() - before) / graded)
            begin, before = time.perf_counter(), processor_s(process.pid)
            served.append(rate(client.grade, batches, seconds, 2))
            graded = served[-1] * (time.perf_counter() - begin)
            served_cpu.append((processor_s(process.pid) - before) / graded)
    ratios = [there / here for there, here in zip(served, own, strict=True)]
    share = statistics.median(ratios)
    print(f"in process   {statistics.median(own):8.0f} rows/s")
    print(f"served       {statistics.median(served):8.0f} rows/s, {BATCH} rows a request, 2 clients")
    print(f"share        {share:8.1%}  (rounds: {', '.join(f'{ratio:.1%}' for ratio in ratios)})", flush=True)
    here, there = statistics.median(own_cpu), statistics.median(served_cpu)
    print(
        f"processor    {1e6 * here:.0f} us a row in process, {1e6 * there:.0f} us in the service: {here / there:.1%}",
        flush=True,
    )
    return {"in_process": own, "served": served, "share": share, "processor_share": here / there}


def processor_s(process: int) -> float:
    """Seconds of processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def rate(grade: Any, batches: Sequence[Sequence[hv.Sample]], seconds: float, threads: int) -> float:
    """Rows a second of so many threads that call `grade` with batches."""
    counts = [0] * threads
    begin = time.perf_counter()

    def work(thread: int) -> None:
        at = thread
        while time.perf_counter() - begin < seconds:
            counts[thread] += len(grade(batches[at % len(batches)]))
            at += 1

    running = [threading.Thread(target=work, args=(thread,)) for thread in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    return sum(counts) / (time.perf_counter() - begin)


def beside_load(seconds: float) -> dict[str, Any]:
    """The time of single rows, asked from a process of their own, beside two clients that send batches."""
    batches = [rows(BATCH, at * BATCH) for at in range(120)]
    with serving({}) as (url, process), Client(url) as client:
        client.grade(batches[0])
        quiet = at_99([wall for wall, _ in single_times(url, str(process.pid), seconds=seconds / 2)])
        asking = subprocess.Popen(
            [sys.executable, __file__, "--singles", url, str(process.pid), "--seconds", str(seconds)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert asking.stdout is not None
        asking.stdout.readline()  # it begins
        begin, before = time.perf_counter(), running_s(str(process.pid))
        per_s = rate(client.grade, batches, seconds, 2)
        graded = per_s * (time.perf_counter() - begin)
        row_cpu = (running_s(str(process.pid)) - before) / graded
        told, _ = asking.communicate()
    walls, cpus = zip(*json.loads(told), strict=True)
    found = {
        "p50_s": statistics.median(walls),
        "p99_s": at_99(walls),
        "rows": len(walls),
        "load_rows_per_s": per_s,
        "of_64_s": 64 / per_s,
        "quiet_p99_s": quiet,
        "p99_cpu_s": at_99(cpus),
        "of_64_cpu_s": 64 * row_cpu,
    }
    show_single(found)
    return found


def show_single(found: Mapping[str, float]) -> None:
    """Prints what `beside_load` found."""
    ms = {name: 1e3 * value for name, value in found.items()}
    print(f"single row   p99 {ms['quiet_p99_s']:.1f} ms without any load")
    print(
        f"single row   p50 {ms['p50_s']:.1f} ms, p99 {ms['p99_s']:.1f} ms of {found['rows']:.0f}, "
        f"beside {found['load_rows_per_s']:.0f} rows/s"
    )
    if found["quiet_p99_s"] > found["of_64_s"]:
        print("this machine is too busy to tell by the clock: single rows are that slow without a load")
    for name, what in (("s", "by the clock"), ("cpu_s", "by processor time")):
        mine, load = ms[f"p99_{name}"], ms[f"of_64_{name}"]
        print(f"64 rows of that load take {load:.1f} ms {what}: p99 is {mine / load:.2f} of it", flush=True)


def at_99(values: Sequence[float]) -> float:
    """The 99th percentile."""
    return sorted(values)[int(len(values) * 0.99)]


def running_s(process: str) -> float:
    """Seconds that the thread which answers was on a processor, to the nanosecond."""
    return int(Path(f"/proc/{process}/schedstat").read_text().split()[0]) / 1e9


def single_times(url: str, process: str, *, seconds: float) -> list[tuple[float, float]]:
    """Of each single row: seconds by the clock, and seconds of the service's processor time meanwhile."""
    samples = rows(500)
    times: list[tuple[float, float]] = []
    with Client(url) as client:
        client.grade(samples[:1])
        begin = time.perf_counter()
        while time.perf_counter() - begin < seconds:
            sample = samples[len(times) % len(samples)]
            start, before = time.perf_counter(), running_s(process)
            client.grade([sample])
            times.append((time.perf_counter() - start, running_s(process) - before))
            time.sleep(0.01)
    return times


def faults(clients: int) -> dict[str, int]:
    """What many clients get while processes are killed and the judge is silent."""
    sure, asked = (
        rows(24),
        [hv.Sample(f"It lies near Ulm, {n} km off", "Ulm on the Danube") for n in range(8)],
    )
    judge = Judge()
    backend = {
        "name": "openai",
        "model": "m",
        "base_url": judge.base_url,
        "request": "chat",
        "max_retries": 1,
    }
    settings = {"policy": "addon", "judges": [{"preset": "generic", "backend": backend}]}
    with hv.Verifier() as verifier:
        expected = [grade.score for grade in verifier.grade(sure)]
    told = {"requests": 0, "answered": 0, "lost": 0, "wrong": 0, "ungraded": 0}
    lock, stop = threading.Lock(), threading.Event()

    def ask(url: str) -> None:
        with Client(url, retry_for_s=120) as client:
            while not stop.is_set():
                with lock:
                    told["requests"] += 1
                try:
                    grades = client.grade([*sure, *asked])
                except hv.HybridVerifyError as error:
                    print(f"lost: {error}")
                    with lock:
                        told["lost"] += 1
                    continue
                scores = [grade.score for grade in grades]
                open_ones = {(grade.graded, grade.score) for grade in grades[len(sure) :]}
                with lock:
                    told["answered"] += 1
                    told["wrong"] += scores[: len(sure)] != expected or not open_ones <= {
                        (True, 1.0),
                        (False, 0.0),
                    }
                    told["ungraded"] += sum(not grade.graded for grade in grades)

    with serving(settings, "--processes", "2") as (url, process):
        threads = [threading.Thread(target=ask, args=(url,)) for _ in range(clients)]
        for thread in threads:
            thread.start()
        opener, first, _ = sorted(map(int, children(process.pid)))
        events: list[Callable[[], None]] = [
            lambda: os.kill(first, signal.SIGKILL),
            lambda: os.kill(opener, signal.SIGKILL),
            judge.fall_silent,
            judge.come_back,
        ]
        for event in (*events, stop.set):
            seen = told["answered"]
            while told["answered"] < seen + clients:  # a round of all of them, however busy the machine is
                time.sleep(0.1)
            event()
        for thread in threads:
            thread.join()
    judge.close()
    print(
        f"{clients} clients, 2 processes killed, 1 judge outage: {told['requests']} requests, "
        f"{told['answered']} answered, {told['lost']} lost, {told['wrong']} wrong; "
        f"{told['ungraded']} rows without a grade in the outage",
        flush=True,
    )
    return told


def children(parent: int) -> list[str]:
    """The processes that a process started."""
    return Path(f"/proc/{parent}/task/{parent}/children").read_text().split()


def memory(requests: int) -> dict[str, Any]:
    """The memory of a service over many requests of single rows, batches, and faulty ones."""
    samples = rows(2000)
    curve: list[tuple[int, float]] = []
    with serving({}) as (url, process):

        def ask(thread: int) -> None:
            with Client(url) as client:
                for number in range(thread, requests, 4):
                    if number % 50 == 0:
                        client.grade([samples[(number + n) % len(samples)] for n in range(32)])
                    elif number % 51 == 0:
                        try:
                            client.grade(
                                [hv.Sample("7", "7", "", "", {f"key {number}": "x" * (number % 1000)})]
                            )
                        except hv.HybridVerifyError as error:
                            raise SystemExit(str(error)) from error
                    else:
                        client.grade([samples[number % len(samples)]])
                    if thread == 0 and number % max(4, requests // 20 // 4 * 4) == 0:
                        curve.append((number, resident_mb(process.pid)))

        threads = [threading.Thread(target=ask, args=(thread,)) for thread in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        curve.append((requests, resident_mb(process.pid)))
    half = curve[len(curve) // 2 :]
    slope = (half[-1][1] - half[0][1]) / max(1, half[-1][0] - half[0][0]) * 1e5
    print("memory       " + " ".join(f"{number // 1000}k:{mb:.0f}" for number, mb in curve) + " MiB")
    print(f"slope of the second half: {slope:+.1f} MiB in 100,000 requests", flush=True)
    return {"curve": curve, "slope_mb_per_100k": slope}


def resident_mb(process: int) -> float:
    """MiB of memory that a process holds."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
    return int(found.group(1)) / 1024 if found else 0.0


class Judge(ThreadingHTTPServer):
    """A judge's server that accepts everything, and breaks connections while it is silent."""

    daemon_threads = True
    request_queue_size = 256
    silent = False

    def __init__(self) -> None:
        judge = self
        reply = {
            "id": "1", "object": "chat.completion", "created": 1, "model": "m",
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "ACCEPT"}}],
        }  # fmt: skip

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self.answer({"object": "list", "data": [{"id": "m", "object": "model"}]})

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["content-length"]))
                self.answer(reply)

            def answer(self, told: Mapping[str, Any]) -> None:
                if judge.silent:
                    self.close_connection = True
                    return
                body = json.dumps(told).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that is killed hangs up."""

    @property
    def base_url(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def fall_silent(self) -> None:
        """Break every connection from now on."""
        self.silent = True

    def come_back(self) -> None:
        """Answer again."""
        self.silent = False

    def close(self) -> None:
        """End it."""
        self.shutdown()
        self.server_close()


if __name__ == "__main__":
    sys.exit(main())
