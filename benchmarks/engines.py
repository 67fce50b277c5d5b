"""Pairs a second of the judge stage with the `vllm` backend, beside what the engine itself does, in one run.

    python benchmarks/engines.py --model DIR [--load-format dummy] [--no-sleep] [--no-texts] [--json OUT]
    python benchmarks/engines.py --model DIR --questions 8 --dtype bfloat16 --enforce-eager     # on a CPU

DIR is a folder with config.json and a tokenizer; with `--load-format dummy` it needs no weights. The stage is
`Verifier.grade` under `judge_only`, cache off: samples in, grades out. The raw rows are `LLM.generate` with the very
same prompts, already rendered: as token ids, one batched call of the tokenizer counted in, and as texts. Every row is
the median of its repeats, and the prefix cache is emptied before each. `--no-texts` leaves out the slowest row,
`--no-sleep` the sleep levels, for which an engine keeps its memory in another way.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hybridverify import Sample, Verifier
from hybridverify.answers.extract import extract
from hybridverify.judges.backends.render import load_tokenizer
from hybridverify.judges.backends.vllm import VLLMBackend
from hybridverify.judges.base import Request, Subject
from hybridverify.judges.llm import LLMJudge

ALLOWED = 0.10
"""The share of the engine's own speed that the stage may cost."""
WARM_UP = 8
"""The part of the pairs that each way is warmed up with."""
GIB = 1 << 30
Way = Callable[[int], int]
"""Asks about the first so many pairs and says how many were asked about."""


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
    parser.add_argument("--json", type=Path, default=None)
    arguments = parser.parse_args()
    samples = made_samples(arguments.questions, arguments.candidates)
    backend = VLLMBackend(
        arguments.model,
        dtype=arguments.dtype,
        load_format=arguments.load_format,
        max_model_len=arguments.max_model_len,
        max_num_seqs=arguments.max_num_seqs,
        gpu_memory_utilization=arguments.gpu_memory_utilization,
        enforce_eager=arguments.enforce_eager,
        sleep_level=0 if arguments.no_sleep else 1,
    )
    figures = measured(backend, samples, arguments.repeats, not arguments.no_texts)
    show(figures)
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def measured(
    backend: VLLMBackend, samples: Sequence[Sample], repeats: int, with_texts: bool = True
) -> dict[str, Any]:
    """All figures, ready for JSON."""
    begin = time.perf_counter()
    backend.wake()
    backend.start()
    started = time.perf_counter() - begin
    prompts = rendered(backend, samples)
    with backend.engine().running(0.0) as llm:
        ways = {**raw_ways(backend, llm, prompts), **stage_ways(backend, samples)}
        if not with_texts:
            del ways["raw, texts"]
        rows = timed(ways, len(samples), repeats, llm)
    sleeping = slept(backend, samples[:8])
    tokens = [len(ids) for ids in encoder(backend)(prompts)]
    return {
        "pairs": len(samples),
        "prompt_tokens": round(statistics.mean(tokens), 1),
        "start_s": round(started, 1),
        "rows": [
            {
                "name": row.name,
                "pairs_per_s": round(row.rate, 1),
                "seconds": [round(s, 3) for s in row.seconds],
            }
            for row in rows
        ],
        "cost_of_the_stage": {
            "label": round(cost(rows, "stage, label", "raw, token ids"), 3),
            "p_yes": round(cost(rows, "stage, P(yes)", "raw, token ids, logprobs=5"), 3),
        },
        "sleep": sleeping,
        **machine(),
    }


def made_samples(questions: int, candidates: int) -> list[Sample]:
    """Candidates of one question share all but the answer; every pair is another prompt."""
    samples = []
    for number in range(questions):
        question = (
            f"Pipe A fills a tank in {number % 97 + 3} hours, pipe B in {number % 89 + 5} hours. "
            "After how many minutes do both together fill it?"
        )
        for candidate in range(candidates):
            response = f"The answer is \\boxed{{{number + candidate}.{candidate}}}"
            samples.append(Sample(response, f"{number}.0", question))
    return samples


def judge_of(backend: VLLMBackend, score: str = "label") -> LLMJudge:
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


def raw_ways(backend: VLLMBackend, llm: Any, prompts: Sequence[str]) -> dict[str, Way]:
    """`LLM.generate` with nothing of ours but the tokenizer."""
    from vllm import SamplingParams

    encode = encoder(backend)

    def ids(pairs: int, **options: Any) -> int:
        params = SamplingParams(temperature=0.0, max_tokens=1, **options)
        given = [{"prompt_token_ids": one} for one in encode(prompts[:pairs])]
        return len(llm.generate(given, params, use_tqdm=False))

    def texts(pairs: int) -> int:
        params = SamplingParams(temperature=0.0, max_tokens=1)
        return len(llm.generate(list(prompts[:pairs]), params, use_tqdm=False))

    return {
        "raw, token ids": lambda pairs: ids(pairs, detokenize=False),
        "raw, token ids, logprobs=5": lambda pairs: ids(pairs, detokenize=False, logprobs=5),
        "raw, texts": texts,
    }


def stage_ways(backend: VLLMBackend, samples: Sequence[Sample]) -> dict[str, Way]:
    """Samples in, grades out."""

    def stage(score: str) -> Way:
        verifier = Verifier(rules=["exact"], judges=[judge_of(backend, score)], policy="judge_only")
        return lambda pairs: sum(grade.judge_asked for grade in verifier.grade(samples[:pairs]))

    return {"stage, label": stage("label"), "stage, P(yes)": stage("p_yes")}


def timed(ways: Mapping[str, Way], pairs: int, repeats: int, llm: Any) -> list[Row]:
    """Every way once with a part of the pairs to warm up, then all of them in turn, so that a slow minute of the
    machine hits all alike."""
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(repeats + 1):
        asked = pairs if turn else max(1, pairs // WARM_UP)
        for name, work in ways.items():
            llm.reset_prefix_cache()
            begin = time.perf_counter()
            done = work(asked)
            if done != asked:
                raise SystemExit(f"{name}: {done} of {asked} pairs")
            if turn:
                seconds[name].append(time.perf_counter() - begin)
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


def machine() -> dict[str, str]:
    import torch
    import vllm

    gpu = torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu"
    return {"device": gpu, "vllm": str(vllm.__version__), "torch": str(torch.__version__)}


def show(figures: dict[str, Any]) -> None:
    print(
        f"\n{figures['device']}, vLLM {figures['vllm']}: {figures['pairs']:,} pairs of "
        f"{figures['prompt_tokens']:g} tokens, engine started in {figures['start_s']:g} s"
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
