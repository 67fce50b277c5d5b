"""Pairs a second of the judge stage with the `openai` backend, beside plain bodies of token ids to the same servers.

    vllm serve DIR --load-format dummy --served-model-name judge --port 8001
    python benchmarks/servers.py --tokenizer DIR --base-url http://localhost:8001/v1 [more addresses] [--json OUT]

DIR is a folder with config.json and a tokenizer. The stage is `Verifier.grade` under `judge_only`, cache off: samples
in, grades out. The plain rows send the same prompts, tokenised in one call that is counted in, in bodies of 64, 16
bodies in flight for each server, and read the text of every choice. `chats` is the stage without a tokenizer
at hand. Each row is the median of its repeats; the rows take turns, each with questions that no server has seen. With
several addresses the rows are measured with one server, two, four, and all.
"""

from __future__ import annotations

import argparse
import http.client
import json
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from hybridverify.judges.backends.render import require_tokenizer
from hybridverify.judges.base import Request, Subject
from hybridverify.judges.llm import LLMJudge

BODY = 64
"""Prompts in a body."""
IN_FLIGHT = 16
"""Bodies that wait at one server at a time."""
Rows = tuple[Sequence[Sample], Sequence[str]]
"""Samples, and the prompts that the stage makes of them."""
Way = Callable[[Rows], int]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--tokenizer", required=True, help="a folder with the tokenizer of the servers' model"
    )
    parser.add_argument("--base-url", nargs="+", required=True)
    parser.add_argument("--model", default="judge")
    parser.add_argument("--questions", type=int, default=512)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument(
        "--chats", type=int, default=512, help="pairs of the row without a tokenizer; 0 leaves it out"
    )
    parser.add_argument("--json", type=Path, default=None)
    arguments = parser.parse_args()
    sizes = sorted(
        {1, *(size for size in (2, 4, 8) if size <= len(arguments.base_url)), len(arguments.base_url)}
    )
    groups = [arguments.base_url[:size] for size in sizes]
    first = count(10_000, arguments.questions)
    figures = [measured(urls, arguments, first) for urls in groups]
    for found in figures:
        show(found)
    if arguments.json:
        machine.write(arguments.json, figures)


def measured(urls: Sequence[str], arguments: argparse.Namespace, first: Iterator[int]) -> dict[str, Any]:
    """All rows for these servers, ready for JSON."""
    pairs, folder = arguments.questions * 8, arguments.tokenizer
    ways: dict[str, tuple[Way, int]] = {
        "bodies of ids": (plain(urls, arguments, 0), pairs),
        "bodies of ids, logprobs=5": (plain(urls, arguments, 5), pairs),
        "stage, label": (stage(urls, arguments, "label", folder), pairs),
        "stage, P(yes)": (stage(urls, arguments, "p_yes", folder), pairs),
    }
    if arguments.chats:
        few = min(pairs, arguments.chats)
        ways["stage, label, no tokenizer"] = (stage(urls, arguments, "label", ""), few)
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(arguments.repeats + 1):
        for name, (work, size) in ways.items():
            samples = engines.made_samples(arguments.questions, 8, next(first))[:size]
            rows = (samples, rendered(folder, samples))
            begin = time.perf_counter()
            if work(rows) != size:
                raise SystemExit(f"{name}: not every pair was answered")
            if turn:  # the first turn warms up
                seconds[name].append(time.perf_counter() - begin)
                print(f"{name}: {size / seconds[name][-1]:,.0f} pairs/s", flush=True)
    rates = {name: ways[name][1] / statistics.median(spent) for name, spent in seconds.items()}
    return {
        "servers": len(urls),
        "pairs": pairs,
        "pairs_per_s": {name: round(rate, 1) for name, rate in rates.items()},
        "seconds": {name: [round(one, 3) for one in spent] for name, spent in seconds.items()},
        "of plain": {
            "label": round(rates["stage, label"] / rates["bodies of ids"], 3),
            "p_yes": round(rates["stage, P(yes)"] / rates["bodies of ids, logprobs=5"], 3),
        },
    }


def rendered(folder: str, samples: Sequence[Sample]) -> list[str]:
    """The final strings that the stage asks with."""
    backend = OpenAIBackend("judge", "http://127.0.0.1:1", tokenizer=folder)
    subjects = [Subject(sample, extract(sample.response).shown, reply=sample.response) for sample in samples]
    requests = LLMJudge("tinyv", backend, context_tokens=2048).prepare(subjects)
    tokenizer = require_tokenizer(folder)
    return [tokenizer.render(one.prompt.messages, {}) for one in requests if isinstance(one, Request)]


def plain(urls: Sequence[str], arguments: argparse.Namespace, logprobs: int) -> Way:
    """Bodies of ids, sent as fast as the servers take them. Gives the number of choices that came back."""
    tokenizer = require_tokenizer(arguments.tokenizer)
    own = fields(arguments.model, logprobs)

    def work(rows: Rows) -> int:
        ids = tokenizer.encode(rows[1], False)
        bodies = iter([ids[at : at + BODY] for at in range(0, len(ids), BODY)])
        connections = [
            http.client.HTTPConnection(urlsplit(url).netloc, timeout=120) for url in [*urls] * IN_FLIGHT
        ]
        with ThreadPoolExecutor(len(connections)) as threads:
            return sum(threads.map(lambda one: sent(one, own, bodies), connections))

    return work


def fields(model: str, logprobs: int) -> dict[str, Any]:
    """What every body holds besides its prompts."""
    own: dict[str, Any] = {"model": model, "max_tokens": 1, "temperature": 0.0}
    return {**own, "logprobs": logprobs} if logprobs else own


def sent(
    connection: http.client.HTTPConnection, own: Mapping[str, Any], bodies: Iterator[list[list[int]]]
) -> int:
    """Sends one body after another."""
    answered = 0
    for body in bodies:
        text = json.dumps({**own, "prompt": body}).encode()
        connection.request("POST", "/v1/completions", text, {"Content-Type": "application/json"})
        reply = connection.getresponse()
        answered += sum([isinstance(choice["text"], str) for choice in json.loads(reply.read())["choices"]])
    return answered


def stage(urls: Sequence[str], arguments: argparse.Namespace, score: str, tokenizer: str) -> Way:
    """Samples in, grades out."""
    backend = OpenAIBackend(
        arguments.model, list(urls), tokenizer=tokenizer, max_in_flight=64 * len(urls), context_tokens=2048
    )
    judge = LLMJudge("tinyv", backend, sampling={"max_tokens": 1}, score=score, retry_unparseable=False)
    verifier = Verifier(rules=["exact"], judges=[judge], policy="judge_only")
    return lambda rows: sum(grade.judge_asked for grade in verifier.grade(rows[0]))


def show(found: Mapping[str, Any]) -> None:
    print(f"\n{found['servers']} server(s), {found['pairs']:,} pairs")
    for name, rate in found["pairs_per_s"].items():
        spent = found["seconds"][name]
        print(f"  {name:<28} {rate:>9,.1f} pairs/s   {min(spent):.2f}-{max(spent):.2f} s")
    for name, share in found["of plain"].items():
        print(f"  stage of plain, {name}: {share:.3f}")


if __name__ == "__main__":
    main()
