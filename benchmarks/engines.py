"""Pairs a second of the judge stage with the `vllm` backend, beside what the engine itself does, in one run.

    python benchmarks/engines.py --model DIR [--load-format dummy] [--no-sleep] [--no-texts] [--copy] [--json OUT]
    python benchmarks/engines.py --model DIR --questions 8 --dtype bfloat16 --enforce-eager     # on a CPU

DIR is a folder with config.json and a tokenizer; with `--load-format dummy` it needs no weights. The stage is
`Verifier.grade` under `judge_only`, cache off: samples in, grades out. The raw rows are `LLM.generate` with the very
same prompts, already rendered: as token ids, one batched call of the tokenizer counted in, and as texts. Every row is
the median of its repeats, and the ways take turns, each with questions that no engine has seen. `--no-texts` leaves
out the slowest row, `--no-sleep` the sleep levels, for which an engine keeps its memory in another way. `--copy` adds
the stage with `engines: 1`, on a second engine beside the first: `--gpu-memory-utilization` holds for each of them.
`--trace FILE` lets py-spy, which has to be on the path, write what holds the interpreter in the stage by label.
"""

from __future__ import annotations

import argparse
import itertools
import os
import shutil
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import machine

from hybridverify import Sample, Verifier
from hybridverify.answers.extract import extract
from hybridverify.judges.backends.render import load_tokenizer
from hybridverify.judges.backends.vllm import VLLMBackend
from hybridverify.judges.base import Backend, Request, Subject
from hybridverify.judges.llm import LLMJudge

ALLOWED = 0.10
"""The share of the engine's own speed that the stage may cost."""
WARM_UP = 8
"""The part of the pairs that each way is warmed up with."""
GIB = 1 << 30
TRACE_S = 20
Rows = tuple[Sequence[Sample], Sequence[str]]
"""Samples, and the prompts that the stage makes of them."""
Way = Callable[[Rows], int]
"""Asks about all pairs and says how many were asked about."""


@dataclass(frozen=True)
class Row:
    """One way of asking."""

    name: str
    seconds: tuple[float, ...]
    pairs: int

    @property
    def rate(self) -> float:
        """Pairs a second, of the median run."""
        return self.pairs / statistics.median(self.seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--model", required=True, help="a folder with config.json and tokenizer")
    parser.add_argument("--questions", type=int, default=512)
    parser.add_argument("--candidates", type=int, default=8)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--load-format", default="auto")
    parser.add_argument("--dtype", default="auto")
    parser.add_argument("--max-model-len", type=int, default=2048)
    parser.add_argument("--max-num-seqs", type=int, default=0)
    parser.add_argument("--gpu-memory-utilization", type=float, default=0.9)
    parser.add_argument("--enforce-eager", action="store_true")
    parser.add_argument("--no-sleep", action="store_true")
    parser.add_argument("--no-texts", action="store_true")
    parser.add_argument("--copy", action="store_true")
    parser.add_argument("--trace", type=Path, default=None)
    parser.add_argument("--json", type=Path, default=None)
    arguments = parser.parse_args()
    figures = measured(arguments)
    show(figures)
    if arguments.json:
        machine.write(arguments.json, figures)


def backend_of(arguments: argparse.Namespace, engines: int = 0) -> VLLMBackend:
    return VLLMBackend(
        arguments.model,
        dtype=arguments.dtype,
        load_format=arguments.load_format,
        max_model_len=arguments.max_model_len,
        max_num_seqs=arguments.max_num_seqs,
        gpu_memory_utilization=arguments.gpu_memory_utilization,
        enforce_eager=arguments.enforce_eager,
        sleep_level=0 if arguments.no_sleep else 1,
        engines=engines,
    )


def measured(arguments: argparse.Namespace) -> dict[str, Any]:
    """All figures, ready for JSON."""
    backend = backend_of(arguments)
    copies = [backend_of(arguments, 1)] if arguments.copy else []
    started = []
    for one in (backend, *copies):  # not side by side: each measures how much memory is free
        begin = time.perf_counter()
        one.wake()
        one.start()
        started.append(round(time.perf_counter() - begin, 1))
    make = rows_of(backend, arguments.questions, arguments.candidates)
    with backend.engine().running(0.0) as llm:
        ways = {**raw_ways(backend, llm), **stage_ways(backend)}
        ways |= {f"{name}, engines: 1": way for one in copies for name, way in stage_ways(one).items()}
        if arguments.no_texts:
            del ways["raw, texts"]
        rows = timed(ways, make, arguments.repeats)
        if arguments.trace:
            traced(lambda: ways["stage, label"](make(1)), arguments.trace)
    for one in copies:
        one.close()
    samples, prompts = make(1)
    tokens = [len(ids) for ids in encoder(backend)(prompts)]
    return {
        "pairs": len(samples),
        "prompt_tokens": round(statistics.mean(tokens), 1),
        "start_s": started,
        "rows": [
            {
                "name": row.name,
                "pairs_per_s": round(row.rate, 1),
                "seconds": [round(s, 3) for s in row.seconds],
            }
            for row in rows
        ],
        "cost_of_the_stage": costs(rows),
        "sleep": slept(backend, samples[:8]),
        **device_and_versions(),
    }


def costs(rows: Sequence[Row]) -> dict[str, float]:
    """The share of the engine's own rate that each row of the stage loses."""
    raw = {"label": "raw, token ids", "P(yes)": "raw, token ids, logprobs=5"}
    stages = [row.name for row in rows if row.name.startswith("stage, ")]
    return {
        name.removeprefix("stage, "): round(cost(rows, name, raw[name.split(", ")[1]]), 3) for name in stages
    }


def rows_of(backend: VLLMBackend, questions: int, candidates: int) -> Callable[[float], Rows]:
    """Makes rows, for a part of the questions, that no call before has made."""
    next_ = itertools.count(10_000, questions)

    def make(part: float) -> Rows:
        samples = made_samples(max(1, round(questions * part)), candidates, next(next_))
        return samples, rendered(backend, samples)

    return make


def traced(work: Callable[[], object], out: Path) -> None:
    """Do the work again and again while py-spy looks at who holds the interpreter."""
    if shutil.which("py-spy") is None:
        print("py-spy is not on the path: no trace")
        return
    command = ["py-spy", "record", "--gil", "-r", "200", "-d", str(TRACE_S), "-f", "raw", "-o", str(out)]
    with subprocess.Popen([*command, "-p", str(os.getpid())]) as spy:
        while spy.poll() is None:
            work()


def made_samples(questions: int, candidates: int, first: int = 10_000) -> list[Sample]:
    """Candidates of one question share all but the answer; every pair is another prompt."""
    samples = []
    for number in range(first, first + questions):
        question = (
            f"Pipe A fills tank {number} in {number % 97 + 3} hours, pipe B in {number % 89 + 5} hours. "
            "After how many minutes do both together fill it?"
        )
        for candidate in range(candidates):
            response = f"The answer is \\boxed{{{number + candidate}.{candidate}}}"
            samples.append(Sample(response, f"{number}.0", question))
    return samples


def judge_of(backend: Backend, score: str = "label") -> LLMJudge:
    """One output token, and no second question about what a model without training cannot say."""
    return LLMJudge("tinyv", backend, sampling={"max_tokens": 1}, score=score, retry_unparseable=False)


def rendered(backend: VLLMBackend, samples: Sequence[Sample]) -> list[str]:
    """The final strings that the stage asks with, chat template and all."""
    tokenizer = load_tokenizer(backend.model)
    assert tokenizer is not None
    subjects = [Subject(sample, extract(sample.response).shown, reply=sample.response) for sample in samples]
    requests = judge_of(backend).prepare(subjects)
    return [
        tokenizer.render(request.prompt.messages, {}) for request in requests if isinstance(request, Request)
    ]


def encoder(backend: VLLMBackend) -> Callable[[Sequence[str]], list[list[int]]]:
    tokenizer = load_tokenizer(backend.model)
    assert tokenizer is not None
    return lambda texts: tokenizer.encode(texts, False)


def raw_ways(backend: VLLMBackend, llm: Any) -> dict[str, Way]:
    """`LLM.generate` with nothing of ours but the tokenizer."""
    from vllm import SamplingParams

    encode = encoder(backend)

    def ids(rows: Rows, **options: Any) -> int:
        params = SamplingParams(temperature=0.0, max_tokens=1, **options)
        given = [{"prompt_token_ids": one} for one in encode(rows[1])]
        return len(llm.generate(given, params, use_tqdm=False))

    def texts(rows: Rows) -> int:
        params = SamplingParams(temperature=0.0, max_tokens=1)
        return len(llm.generate(list(rows[1]), params, use_tqdm=False))

    return {
        "raw, token ids": lambda rows: ids(rows, detokenize=False),
        "raw, token ids, logprobs=5": lambda rows: ids(rows, detokenize=False, logprobs=5),
        "raw, texts": texts,
    }


def stage_ways(backend: VLLMBackend) -> dict[str, Way]:
    """Samples in, grades out."""

    def stage(score: str) -> Way:
        verifier = Verifier(rules=["exact"], judges=[judge_of(backend, score)], policy="judge_only")
        return lambda rows: sum(grade.judge_asked for grade in verifier.grade(rows[0]))

    return {"stage, label": stage("label"), "stage, P(yes)": stage("p_yes")}


def timed(ways: Mapping[str, Way], make: Callable[[float], Rows], repeats: int) -> list[Row]:
    """Every way once with a part of the pairs to warm up, then all of them in turn, so that a slow minute of the
    machine hits all alike."""
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    pairs = 0
    for turn in range(repeats + 1):
        for name, work in ways.items():
            rows = make(1 if turn else 1 / WARM_UP)
            begin = time.perf_counter()
            done = work(rows)
            spent = time.perf_counter() - begin
            pairs = len(rows[0])
            if done != pairs:
                raise SystemExit(f"{name}: {done} of {pairs} pairs")
            if turn:
                seconds[name].append(spent)
                print(f"{name}: {pairs / spent:,.0f} pairs/s", flush=True)
    return [Row(name, tuple(spent), pairs) for name, spent in seconds.items()]


def cost(rows: Sequence[Row], ours: str, raw: str) -> float:
    """The share of the raw rate that is lost."""
    rates = {row.name: row.rate for row in rows}
    return 1.0 - rates[ours] / rates[raw]


def slept(backend: VLLMBackend, samples: Sequence[Sample]) -> dict[str, Any]:
    """Seconds down and up and GiB given back, at both levels; empty where engines cannot sleep."""
    if not backend.engine().can_sleep:
        return {}
    verifier = Verifier(rules=["exact"], judges=[judge_of(backend)], policy="judge_only")
    found: dict[str, Any] = {}
    before = free_gib()
    found["level 1 down_s"] = seconds_of(backend.sleep)
    found["level 1 GiB"] = round(free_gib() - before, 1)
    found["level 1 up_s"] = seconds_of(lambda: _woken(backend))
    verifier.grade(samples)
    with backend.engine().running(0.0) as llm:
        before = free_gib()
        found["level 2 down_s"] = seconds_of(lambda: llm.sleep(level=2))
        found["level 2 GiB"] = round(free_gib() - before, 1)
        found["level 2 up_s"] = seconds_of(lambda: llm.wake_up(tags=["weights"]))
        try:
            found["level 2 reload_s"] = seconds_of(lambda: llm.collective_rpc("reload_weights"))
        except Exception as error:  # a model without weights on the disk has none to read again
            found["level 2 reload"] = f"{type(error).__name__}: {str(error)[:120]}"
        found["level 2 cache_s"] = seconds_of(lambda: llm.wake_up(tags=["kv_cache"]))
    before = free_gib()
    found["close_s"] = seconds_of(backend.close)
    found["close GiB"] = round(free_gib() - before, 1)
    return found


def _woken(backend: VLLMBackend) -> None:
    backend.wake()
    with backend.engine().running(0.0):
        pass


def seconds_of(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return round(time.perf_counter() - begin, 2)


def free_gib() -> float:
    """Of the GPU, whoever holds the rest."""
    import torch

    return float(torch.cuda.mem_get_info()[0]) / GIB if torch.cuda.is_available() else 0.0


def device_and_versions() -> dict[str, str]:
    import torch
    import vllm

    gpu = torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu"
    return {"device": gpu, "vllm": str(vllm.__version__), "torch": str(torch.__version__)}


def show(figures: dict[str, Any]) -> None:
    print(
        f"\n{figures['device']}, vLLM {figures['vllm']}: {figures['pairs']:,} pairs of "
        f"{figures['prompt_tokens']:g} tokens, engines started in {figures['start_s']} s"
    )
    for row in figures["rows"]:
        spread = f"{min(row['seconds']):.2f}-{max(row['seconds']):.2f} s"
        print(f"  {row['name']:<28} {row['pairs_per_s']:>9,.1f} pairs/s   {spread}")
    for name, share in figures["cost_of_the_stage"].items():
        verdict = "within" if share <= ALLOWED else "beyond"
        print(f"  the stage costs {share:6.1%} ({name}), {verdict} the allowed {ALLOWED:.0%}")
    for name, value in figures["sleep"].items():
        print(f"  {name:<28} {value}")


if __name__ == "__main__":
    main()
