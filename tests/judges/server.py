"""An OpenAI-compatible judge server on the loopback that misbehaves on demand.

`JudgeServer(reply=...)` answers well; `script` lists what it does instead, one `Behaviour` for each completion
request in order of arrival; `always` is what it does when the script is used up.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

VLLM_TOO_LONG = (
    "This model's maximum context length is {limit} tokens. However, your request has {size} input tokens. "
    "Please reduce the length of the input messages. (parameter=input_tokens, value={size})"
)


@dataclass(frozen=True)
class Behaviour:
    """What happens to one request: a delay, then an answer of some kind. The default answers well."""

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    text: str | None = None
    """The body as it stands, in place of a reply."""
    delay_s: float = 0.0
    drip_s: float = 0.0
    """The pause between two bytes of the body."""
    cut: bool = False
    """The connection ends in the middle of the body."""
    edit: Callable[[dict[str, Any]], object] | None = None
    """Changes a good reply before it is sent."""


OK = Behaviour()
ERROR_500 = Behaviour(500, text='{"error": {"message": "internal error", "type": "server_error"}}')
BUSY_429 = Behaviour(429, (("Retry-After", "0.2"),), '{"error": {"message": "slow down"}}')
HANG = Behaviour(delay_s=60.0)
DRIP = Behaviour(drip_s=0.05)
CUT = Behaviour(cut=True)
GARBAGE = Behaviour(text="<html>502 upstream</html>")
HALF_JSON = Behaviour(text='{"choices": [{"index": 0, "text": "Tr')
NO_CHOICES = Behaviour(edit=lambda reply: {**reply, "choices": []})
SHUFFLED = Behaviour(edit=lambda reply: {**reply, "choices": reply["choices"][::-1]})
UNKNOWN_MODEL_404 = Behaviour(
    404, text='{"error": {"message": "The model `m` does not exist.", "code": 404}}'
)
BAD_REQUEST_400 = Behaviour(400, text='{"error": {"message": "bad field", "type": "BadRequestError"}}')


@dataclass(frozen=True)
class Asked:
    """One request as it arrived."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    def prompts(self) -> list[Any]:
        if "messages" in self.body:
            return ["\n".join(message["content"] for message in self.body["messages"])]
        prompt = self.body["prompt"]
        return (
            prompt if isinstance(prompt, list) and not (prompt and isinstance(prompt[0], int)) else [prompt]
        )


@dataclass
class JudgeServer:
    """`with JudgeServer() as server: ... server.url`. `reply` sees each prompt: a text, or token ids."""

    reply: Callable[[Any], str] = lambda prompt: "True"
    models: tuple[str, ...] | None = ("m",)
    """None: there is no list of models (404)."""
    max_model_len: int = 0
    """Words (or ids) a prompt may have; 0 is no bound."""
    at_a_time: int = 0
    """Requests served side by side, the others wait; 0 is no bound."""
    seconds: float = 0.0
    api_key: str = ""
    writes: Callable[[list[dict[str, str]]], str] | None = None
    """How it writes a chat; its tokens are the characters. None: it has neither /tokenize nor /detokenize."""
    script: Iterable[Behaviour] = ()
    always: Behaviour = OK
    judging: Callable[[Asked], Behaviour | None] = lambda asked: None
    """What happens to a request because of what it holds; None leaves it to the script."""
    models_script: Iterable[Behaviour] = ()
    host: str = "127.0.0.1"
    asked: list[Asked] = field(default_factory=list)
    """Completion requests alone; the next two count the others."""
    models_asked: int = 0
    tokens_asked: int = 0
    in_flight: int = 0
    most_in_flight: int = 0
    port: int = 0

    def __enter__(self) -> JudgeServer:
        self._script, self._models_script = iter(self.script), iter(self.models_script)
        self._loop = asyncio.new_event_loop()
        self._writers: set[asyncio.StreamWriter] = set()
        started = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(started,), daemon=True)
        self._thread.start()
        started.wait(10)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/v1"

    def stop(self) -> None:
        """Drop every connection and stop listening; the port then refuses."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(10)

    def prompts(self) -> list[Any]:
        """Every prompt that arrived, in order."""
        return [prompt for asked in self.asked for prompt in asked.prompts()]

    def _run(self, started: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        self._slots = asyncio.Semaphore(self.at_a_time or 1_000_000)
        listener = self._loop.run_until_complete(
            asyncio.start_server(self._serve, self.host, self.port, backlog=2048)
        )
        self.port = listener.sockets[0].getsockname()[1]
        started.set()
        self._loop.run_forever()
        self._loop.run_until_complete(self._end(listener))
        self._loop.close()

    async def _end(self, listener: asyncio.Server) -> None:
        listener.close()
        for writer in self._writers:
            writer.transport.abort()
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            while (asked := await _read(reader)) is not None:
                await self._answer(asked, writer)
                if writer.is_closing():
                    break
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self._writers.discard(writer)
            writer.close()

    async def _answer(self, asked: Asked, writer: asyncio.StreamWriter) -> None:
        if asked.path.partition("?")[0].endswith("/models"):
            self.models_asked += 1
            behaviour = next(self._models_script, OK)
            status, text = self._models(asked)
        elif asked.path in ("/tokenize", "/detokenize"):
            self.tokens_asked += 1
            behaviour = OK
            status, text = self._tokens(asked.body)
        else:
            self.asked.append(asked)
            behaviour = self.judging(asked) or next(self._script, self.always)
            status, text = await self._complete(asked, behaviour)
        if behaviour.text is not None or behaviour.status != 200:
            status, text = behaviour.status, behaviour.text or ""
        if asked.path.endswith("/models") and behaviour.delay_s:
            await asyncio.sleep(behaviour.delay_s)
        await _write(writer, status, text, behaviour)

    async def _complete(self, asked: Asked, behaviour: Behaviour) -> tuple[int, str]:
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            async with self._slots:
                await asyncio.sleep(self.seconds + behaviour.delay_s)
                return self._completion(asked, behaviour)
        finally:
            self.in_flight -= 1

    def _models(self, asked: Asked) -> tuple[int, str]:
        if self._refuses(asked):
            return 401, '{"error": {"message": "Unauthorized"}}'
        if self.models is None:
            return 404, '{"detail": "Not Found"}'
        card = {"object": "model", "max_model_len": self.max_model_len or None}
        return 200, json.dumps({"object": "list", "data": [{"id": name, **card} for name in self.models]})

    def _tokens(self, body: dict[str, Any]) -> tuple[int, str]:
        if self.writes is None:
            return 404, '{"detail": "Not Found"}'
        if "tokens" in body:
            return 200, json.dumps({"prompt": "".join(map(chr, body["tokens"]))})
        text = self.writes(body["messages"]) if "messages" in body else body["prompt"]
        return 200, json.dumps({"tokens": [ord(letter) for letter in text], "count": len(text)})

    def _completion(self, asked: Asked, behaviour: Behaviour) -> tuple[int, str]:
        if self._refuses(asked):
            return 401, '{"error": {"message": "Unauthorized"}}'
        prompts = asked.prompts()
        sizes = [len(p.split()) if isinstance(p, str) else len(p) for p in prompts]
        if self.max_model_len and max(sizes) > self.max_model_len:
            message = VLLM_TOO_LONG.format(limit=self.max_model_len, size=max(sizes))
            return 400, json.dumps({"error": {"message": message, "type": "BadRequestError", "code": 400}})
        reply = self._reply(asked, prompts, sizes)
        edited = behaviour.edit(reply) if behaviour.edit else reply
        return 200, json.dumps(edited)

    def _reply(self, asked: Asked, prompts: list[Any], sizes: list[int]) -> dict[str, Any]:
        chat, draws = "messages" in asked.body, asked.body.get("n", 1)
        texts = [self.reply(prompt) for prompt in prompts for _ in range(draws)]
        choices = [_choice(chat, index, text, asked.body) for index, text in enumerate(texts)]
        usage = {"prompt_tokens": sum(sizes), "completion_tokens": len(texts)}
        return {"id": "x", "object": "completion", "choices": choices, "usage": usage}

    def _refuses(self, asked: Asked) -> bool:
        return bool(self.api_key) and asked.headers.get("authorization") != f"Bearer {self.api_key}"


def _choice(chat: bool, index: int, text: str, body: dict[str, Any]) -> dict[str, Any]:
    choice: dict[str, Any] = {"index": index, "finish_reason": "stop", "logprobs": None}
    top = {text: -0.1, "other": -2.5}
    if chat:
        choice["message"] = {"role": "assistant", "content": text}
        if body.get("logprobs"):
            listed = [{"token": token, "logprob": value} for token, value in top.items()]
            choice["logprobs"] = {"content": [{"token": text, "logprob": -0.1, "top_logprobs": listed}]}
    else:
        choice["text"] = text
        if body.get("logprobs"):
            choice["logprobs"] = {"tokens": [text], "token_logprobs": [-0.1], "top_logprobs": [top]}
    return choice


async def _read(reader: asyncio.StreamReader) -> Asked | None:
    line = await reader.readline()
    if not line:
        return None
    path = line.decode().split(" ")[1]
    headers: dict[str, str] = {}
    while (line := await reader.readline()) not in (b"\r\n", b""):
        name, _, value = line.decode().partition(":")
        headers[name.strip().lower()] = value.strip()
    content = await reader.readexactly(int(headers.get("content-length", "0")))
    return Asked(path, headers, json.loads(content) if content else {})


async def _write(writer: asyncio.StreamWriter, status: int, text: str, behaviour: Behaviour) -> None:
    content = text.encode()
    head = [f"HTTP/1.1 {status} X", "Content-Type: application/json", f"Content-Length: {len(content)}"]
    head += [f"{name}: {value}" for name, value in behaviour.headers]
    writer.write(("\r\n".join(head) + "\r\n\r\n").encode())
    if behaviour.cut:
        writer.write(content[: len(content) // 2])
        await writer.drain()
        writer.transport.abort()
    elif behaviour.drip_s:
        for byte in content:
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(behaviour.drip_s)
    else:
        writer.write(content)
    if not writer.is_closing():
        await writer.drain()
