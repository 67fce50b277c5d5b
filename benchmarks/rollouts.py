"""Seconds that a GRPO step spends on its rewards: 512 questions with 8 responses of 700 tokens, in one run.

    vllm serve DIR --load-format dummy --served-model-name judge --port 8001
    python benchmarks/rollouts.py --tokenizer DIR --base-url http://localhost:8001/v1 [--model DIR] [--json OUT]

DIR as for `engines.py`. The rules decide 60 % of the rows, and the answers to a question repeat. `addon` asks about
what the rules leave open, `judge_only` about every row, both as the stage does: prompts in bodies of ids, equal ones
once. `as TinyV` asks after every "no" of the rules, a chat a request from 64 threads. `--model` adds the first two on
the backend `vllm` with `engines: 1`, beside the server. Every way gets rows that none has seen; medians.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import statistics
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import engines
import machine

from hybridverify import Sample, Verifier
from hybridverify.answers.extract import extract
from hybridverify.judges.backends.openai import OpenAIBackend
from hybridverify.judges.backends.render import load_tokenizer
from hybridverify.judges.backends.vllm import VLLMBackend
from hybridverify.judges.base import Backend, Request, Subject

THREADS = 64
STEP_S = 60.0
"""A step of training, of which the share is given."""
LINES = 26
"""Of working, in a response: some 700 tokens."""
NAMES = ("heron", "otter", "badger", "falcon", "marten", "plover", "beaver", "lynx")
Way = Callable[[Sequence[Sample]], int]
"""Grades all rows and says how many the judge was asked about, equal ones included."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--tokenizer", required=True, help="a folder with the tokenizer of the server's model"
    )
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--served", default="judge", help="the server's name of its model")
    parser.add_argument("--model", default="", help="a folder, for an engine of this program's own")
    parser.add_argument("--load-format", default="auto")
    parser.add_argument("--gpu-memory-utilization", type=float, default=0.4)
    parser.add_argument("--questions", type=int, default=512)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", type=Path, default=None)
    arguments = parser.parse_args()
    figures = measured(arguments)
    for name, found in figures["ways"].items():
        print(
            f"{name:<22} {found['seconds']:>8.2f} s  {found['of a step']:6.1%} of a step  asked {found['asked']}"
        )
    if arguments.json:
        machine.write(arguments.json, figures)


def measured(arguments: argparse.Namespace) -> dict[str, Any]:
    served = OpenAIBackend(
        arguments.served, arguments.base_url, tokenizer=arguments.tokenizer, context_tokens=2048
    )
    ways = stage_ways("HTTP", served)
    ways["as TinyV"] = one_by_one(arguments)
    if arguments.model:
        own = VLLMBackend(
            arguments.model,
            load_format=arguments.load_format,
            gpu_memory_utilization=arguments.gpu_memory_utilization,
            max_model_len=2048,
            engines=1,
        )
        own.start()
        ways |= stage_ways("engines: 1", own)
    first, seconds, asked = count(0), dict[str, list[float]](), dict[str, int]()
    for turn in range(arguments.repeats + 1):
        for name, work in ways.items():
            samples = made_samples(arguments.questions, next(first))
            begin = time.perf_counter()
            asked[name] = work(samples)
            spent = time.perf_counter() - begin
            if turn:
                seconds.setdefault(name, []).append(spent)
                print(f"{name}: {spent:.2f} s", flush=True)
    if arguments.model:
        own.close()
    return {
        "rows": len(samples),
        "decided by rules": decided(samples),
        "response tokens": response_tokens(arguments.tokenizer, samples),
        "ways": {
            name: {
                "seconds": round(statistics.median(spent), 3),
                "of a step": round(statistics.median(spent) / STEP_S, 4),
                "asked": asked[name],
                "each": [round(one, 3) for one in spent],
            }
            for name, spent in seconds.items()
        },
    }


def made_samples(questions: int, batch: int) -> list[Sample]:
    """Six of ten questions have a number for answer, which rules decide; the others a name in other words."""
    random_ = random.Random(batch)
    samples = []
    for question in range(questions):
        number = batch * questions + question
        for _ in range(8):
            working = "\n".join(_line(random_, place) for place in range(LINES))
            if number % 5 < 3:
                told, reference = f"{number + random_.choice((0, 0, 1))}", f"{number}"
                asked = f"What is the sum in ledger {number}?"
            else:
                name = NAMES[(number + random_.choice((0, 0, 0, 1, 2))) % len(NAMES)]
                told = f"the one that is called the {name} of valley {number}"
                reference = f"{NAMES[number % len(NAMES)]} {number}"
                asked = f"Which animal is drawn on page {number}?"
            samples.append(Sample(f"{working}\nSo the answer is \\boxed{{{told}}}.", reference, asked))
    return samples


def _line(random_: random.Random, place: int) -> str:
    one, other = random_.randrange(100, 999), random_.randrange(100, 999)
    return f"Step {place}: we add {one} and {other} and write down {one + other} for later."


def stage_ways(where: str, backend: Backend) -> dict[str, Way]:
    return {f"{policy}, {where}": stage(policy, backend) for policy in ("addon", "judge_only")}


def stage(policy: str, backend: Backend) -> Way:
    verifier = Verifier(judges=[engines.judge_of(backend)], policy=policy)
    return lambda samples: sum(grade.judge_asked for grade in verifier.grade(samples))


def one_by_one(arguments: argparse.Namespace) -> Way:
    """Rules first; then every row that they do not accept is a chat request of its own."""
    rules = Verifier(policy="rule_only")
    offline = OpenAIBackend(arguments.served, "http://127.0.0.1:1", tokenizer=arguments.tokenizer)
    judge = engines.judge_of(offline)
    local = threading.local()

    def ask(request: Request) -> None:
        if not hasattr(local, "connection"):
            local.connection = http.client.HTTPConnection(urlsplit(arguments.base_url).netloc, timeout=120)
        messages = [{"role": one.role, "content": one.content} for one in request.prompt.messages]
        fields = {"model": arguments.served, "messages": messages, "max_tokens": 1, "temperature": 0.0}
        headers = {"Content-Type": "application/json"}
        local.connection.request("POST", "/v1/chat/completions", json.dumps(fields), headers)
        reply = json.loads(local.connection.getresponse().read())
        assert reply["choices"], reply

    def work(samples: Sequence[Sample]) -> int:
        grades = rules.grade(samples)
        refused = [one for one, grade in zip(samples, grades, strict=True) if not grade.score]
        subjects = [Subject(one, extract(one.response).shown, reply=one.response) for one in refused]
        requests = [one for one in judge.prepare(subjects) if isinstance(one, Request)]
        with ThreadPoolExecutor(THREADS) as threads:
            list(threads.map(ask, requests))
        return len(requests)

    return work


def decided(samples: Sequence[Sample]) -> float:
    """The share of the rows that the rules decide."""
    return round(
        sum(grade.rule.sure for grade in Verifier(policy="rule_only").grade(samples)) / len(samples), 3
    )


def response_tokens(folder: str, samples: Sequence[Sample]) -> float:
    tokenizer = load_tokenizer(folder)
    assert tokenizer is not None
    return statistics.mean(
        len(ids) for ids in tokenizer.encode([one.response for one in samples[:64]], False)
    )


if __name__ == "__main__":
    main()
