"""Two engines on one card that sleep in turn, as a policy and its judge do: seconds and memory over many cycles.

    python benchmarks/asleep.py --model DIR [--load-format dummy] [--cycles 50] [--minutes 6] [--json OUT]

DIR as for `engines.py`. In each cycle one engine answers 256 prompts and sleeps (level 1), then the other. The GPU's
and this machine's memory are read after each cycle. The file is written after each cycle, and after `--minutes` no
further one begins.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path
from typing import Any

import engines
import machine

from hybridverify import Sample, Verifier
from hybridverify.judges.backends.vllm import VLLMBackend

PAIRS = 256


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--model", required=True, help="a folder with config.json and tokenizer")
    parser.add_argument("--load-format", default="auto")
    parser.add_argument("--gpu-memory-utilization", type=float, default=0.4)
    parser.add_argument("--enforce-eager", action="store_true")
    parser.add_argument("--cycles", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--json", type=Path, default=None)
    arguments = parser.parse_args()
    until = time.monotonic() + 60 * arguments.minutes
    begin = time.perf_counter()
    backends = {name: backend_of(arguments, seed) for seed, name in enumerate(("policy", "judge"))}
    for one in backends.values():  # each starts while the other sleeps
        one.start()
    started = time.perf_counter() - begin
    cycles: list[dict[str, Any]] = []
    while len(cycles) < arguments.cycles and time.monotonic() < until:
        cycles.append(cycle(backends, len(cycles)))
        figures = {"start_s": round(started, 1), **summary(cycles), "cycles": cycles}
        if arguments.json:
            machine.write(arguments.json, figures)
        print(cycles[-1], flush=True)
    print(json.dumps(summary(cycles), indent=1))
    for one in backends.values():
        one.close()


def backend_of(arguments: argparse.Namespace, seed: int) -> VLLMBackend:
    """Engines of other settings are others."""
    return VLLMBackend(
        arguments.model,
        load_format=arguments.load_format,
        max_model_len=2048,
        gpu_memory_utilization=arguments.gpu_memory_utilization,
        enforce_eager=arguments.enforce_eager or None,
        sleep_level=1,
        seed=seed,
    )


def cycle(backends: dict[str, VLLMBackend], number: int) -> dict[str, Any]:
    """Each engine up, at work, and down."""
    found: dict[str, Any] = {"cycle": number}
    for place, (name, backend) in enumerate(backends.items()):
        samples = engines.made_samples(PAIRS // 8, 8, 10_000 + (2 * number + place) * PAIRS)
        backend.wake()
        found[f"{name} up_s"] = engines.seconds_of(lambda: up(backend))  # noqa: B023
        found[f"{name} work_s"] = engines.seconds_of(lambda: asked(backend, samples))  # noqa: B023
        found[f"{name} down_s"] = engines.seconds_of(backend.sleep)
    return {**found, "free GPU GiB": round(engines.free_gib(), 2), "host GiB": round(host_gib(), 2)}


def up(backend: VLLMBackend) -> None:
    with backend.engine().running(0.0):
        pass


def asked(backend: VLLMBackend, samples: list[Sample]) -> None:
    verifier = Verifier(rules=["exact"], judges=[engines.judge_of(backend)], policy="judge_only")
    if not all(grade.judge_asked for grade in verifier.grade(samples)):
        raise SystemExit("not every pair was asked about")


def host_gib() -> float:
    """Memory of this machine that is in use, the engines' processes and their weights included."""
    lines = Path("/proc/meminfo").read_text(encoding="utf-8").splitlines()
    kib = {line.split(":")[0]: int(line.split()[1]) for line in lines}
    return (kib["MemTotal"] - kib["MemAvailable"]) / (1 << 20)


def summary(cycles: list[dict[str, Any]]) -> dict[str, Any]:
    """Medians and longest times, and how the memory changed after the fifth cycle."""
    steady = cycles[min(5, len(cycles) - 1) :]
    times = [name for name in cycles[0] if name.endswith("_s")]
    return {
        "done": len(cycles),
        "median": {name: statistics.median(one[name] for one in cycles) for name in times},
        "longest": {name: max(one[name] for one in cycles) for name in times},
        "less free GPU GiB": round(steady[0]["free GPU GiB"] - steady[-1]["free GPU GiB"], 2),
        "more host GiB": round(steady[-1]["host GiB"] - steady[0]["host GiB"], 2),
    }


if __name__ == "__main__":
    main()
