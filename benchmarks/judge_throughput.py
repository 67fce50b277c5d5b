"""Pairs a second through the `openai` backend, beside one request a pair from 64 threads, in one run.

    python benchmarks/judge_throughput.py [--pairs 4096] [--tokenizer DIR] [--json OUT]
    python benchmarks/judge_throughput.py --base-url http://localhost:8000/v1 --model NAME    # a real judge

Without `--base-url` a server on the loopback, in a process of its own, answers every prompt at once: what is
measured then is the cost of asking alone, which a fast judge waits for.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import openai
from rich.console import Console
from rich.table import Table

from hybridverify.judges.backends.openai import OpenAIBackend
from hybridverify.judges.base import Message, Prompt, Reply, Sampling

THREADS = 64
TARGET = 4.0
"""How many times faster than one request a pair the backend shall be."""
CANDIDATES = 8
SAMPLING = Sampling(max_tokens=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pairs", type=int, default=4096)
    parser.add_argument("--base-url", default="")
    parser.add_argument("--model", default="judge")
    parser.add_argument("--tokenizer", default="", help="a model folder: adds the rows of token ids")
    parser.add_argument("--json", type=Path, default=None)
    arguments = parser.parse_args()
    with echo_server(arguments.base_url) as url:
        rates = measure(url, arguments.model, arguments.tokenizer, arguments.pairs)
    show(rates, arguments.pairs)
    if arguments.json:
        figures = {"pairs": arguments.pairs, "pairs_per_second": rates, "ratio": best(rates) / slowest(rates)}
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def measure(url: str, model: str, tokenizer: str, pairs: int) -> dict[str, float]:
    """Pairs a second of each way of asking; the first is the way to compare with."""
    texts = [text(number) for number in range(pairs)]
    chats = [Prompt(messages=(Message("user", one),)) for one in texts]
    raws = [Prompt(text=f"User: {one} Assistant:") for one in texts]
    with openai.OpenAI(base_url=url, api_key="EMPTY", max_retries=0) as client:
        rates = {
            f"one request a pair, {THREADS} threads": rate(lambda: one_by_one(client, model, texts), pairs)
        }
    ways: list[tuple[str, Sequence[Prompt], dict[str, Any]]] = [
        ("backend, one chat a request", chats, {"request": "chat"}),
        ("backend, 64 texts a request", raws, {"request": "completions_text"}),
    ]
    if tokenizer:
        ways += [
            ("backend, 64 chats a request, as token ids", chats, {"tokenizer": tokenizer}),
            ("backend, 64 texts a request, as token ids", raws, {"tokenizer": tokenizer}),
        ]
    for name, prompts, options in ways:
        backend = OpenAIBackend(model, url, **options)
        backend.ensure_ready()
        rates[name] = rate(lambda backend=backend, prompts=prompts: ask(backend, prompts), pairs)  # type: ignore[misc]
        backend.close()
    return rates


def text(number: int) -> str:
    """About 170 tokens; the candidates of a question share all but the answer."""
    question, candidate = divmod(number, CANDIDATES)
    story = (
        f"A train leaves at {question % 24} o'clock and travels {question + 40} km at constant speed. " * 4
    )
    return (
        f"Decide whether the answer agrees with the reference.\n\n<question>\n{story}\n</question>\n\n"
        f"<reference>\n\\frac{{{question}}}{{7}}\n</reference>\n\n<answer>\n{candidate}.5\n</answer>\n\nTrue or False?"
    )


def one_by_one(client: openai.OpenAI, model: str, texts: Sequence[str]) -> int:
    """How scripts usually ask: each thread waits for its own chat request."""

    def one(content: str) -> bool:
        reply = client.chat.completions.create(
            model=model,
            messages=[{"role": "user", "content": content}],
            temperature=0.0,
            max_tokens=SAMPLING.max_tokens,
        )
        return bool(reply.choices[0].message.content is not None)

    with ThreadPoolExecutor(THREADS) as pool:
        return sum(pool.map(one, texts))


def ask(backend: OpenAIBackend, prompts: Sequence[Prompt]) -> int:
    return sum(isinstance(reply, Reply) for reply in backend.complete(prompts, SAMPLING))


def rate(work: Callable[[], int], pairs: int) -> float:
    started = time.perf_counter()
    answered = work()
    seconds = time.perf_counter() - started
    if answered != pairs:
        raise SystemExit(f"only {answered} of {pairs} pairs were answered")
    return round(pairs / seconds, 1)


def slowest(rates: dict[str, float]) -> float:
    return next(iter(rates.values()))


def best(rates: dict[str, float]) -> float:
    return max(rates.values())


def show(rates: dict[str, float], pairs: int) -> None:
    table = Table(title=f"{pairs:,} pairs; target: {TARGET:g} times one request a pair")
    table.add_column("way of asking")
    table.add_column("pairs/s", justify="right")
    table.add_column("times", justify="right")
    for name, value in rates.items():
        table.add_row(name, f"{value:,.0f}", f"{value / slowest(rates):.1f}")
    Console().print(table)


@contextmanager
def echo_server(given: str) -> Iterator[str]:
    """The address of the judge: the one given, else of a server started for the purpose."""
    if given:
        yield given
        return
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs,), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{ours.recv()}/v1"
    finally:
        process.terminate()
        process.join()


def serve(pipe: Connection) -> None:
    asyncio.run(_serve(pipe))


async def _serve(pipe: Connection) -> None:
    server = await asyncio.get_running_loop().create_server(Echo, "127.0.0.1", 0, backlog=2048)
    pipe.send(server.sockets[0].getsockname()[1])
    await server.serve_forever()


class Echo(asyncio.Protocol):
    """Just enough HTTP to answer True to every prompt, with little work of its own."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: Any = transport
        self.received = b""

    def data_received(self, data: bytes) -> None:
        self.received += data
        while (end := self.received.find(b"\r\n\r\n")) >= 0:
            head = self.received[:end].lower()
            _, _, length = head.partition(b"content-length:")
            size = int(length.split(b"\r\n", 1)[0]) if length else 0
            if len(self.received) < end + 4 + size:
                return
            body, self.received = self.received[end + 4 : end + 4 + size], self.received[end + 4 + size :]
            content = json.dumps(reply(json.loads(body)) if body else MODELS).encode()
            headers = (
                f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
            )
            self.transport.write(headers.encode() + content)


MODELS = {"object": "list", "data": [{"id": "judge", "object": "model", "max_model_len": 4096}]}


def reply(request: dict[str, Any]) -> dict[str, Any]:
    if "messages" in request:
        choices: list[dict[str, Any]] = [
            {"index": 0, "message": {"role": "assistant", "content": "True"}, "finish_reason": "length"}
        ]
    else:
        count = len(request["prompt"])
        choices = [{"index": index, "text": "True", "finish_reason": "length"} for index in range(count)]
    usage = {"prompt_tokens": 170 * len(choices), "completion_tokens": len(choices), "total_tokens": 0}
    kind = "chat.completion" if "messages" in request else "text_completion"
    return {"id": "x", "object": kind, "created": 0, "model": "judge", "choices": choices, "usage": usage}


if __name__ == "__main__":
    main()
