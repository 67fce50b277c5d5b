"""Reward models on one or several servers: vLLM (`--runner pooling`) or SGLang (`--is-embedding`)."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal
from urllib.parse import urlsplit, urlunsplit

from hybridverify.errors import ConfigError, Fault, JudgeUnavailable, did_you_mean
from hybridverify.judges.backends.openai_errors import Trouble, trouble
from hybridverify.judges.backends.openai_settings import Settings, addresses
from hybridverify.judges.backends.openai_wire import UnreadableReply, chat_messages, sendable
from hybridverify.judges.backends.prompt_ids import can_encode, ids_by_place
from hybridverify.judges.backends.render import (
    ChatTokenizer,
    load_tokenizer,
    require_tokenizer,
    token_counts,
)
from hybridverify.judges.backends.scorer import AS_WRITTEN, Logits
from hybridverify.judges.backends.scorer_wire import APIS, ScoreBody, read_scores, request_json
from hybridverify.judges.base import Failure, Prompt
from hybridverify.types import Outcome

NEEDS_TOKENIZER = Failure(
    Outcome.FAILED,
    "SGLang takes no chats here: name backend.tokenizer, a folder with the model's chat template",
    Fault.SETTINGS,
)


CHECK_TIMEOUT_S = 5.0


class HttpScorer:
    """Scores through servers of reward models.

    model: the name under which the servers serve it
    base_url: an address or several
    api: `vllm` (/classify), `vllm_pooling` (/pooling), `sglang` (/classify in its own form)
    tokenizer: a folder, or a model in the local Hugging Face cache, by default that of `model`, if it is there;
        without one chats go to vLLM one by one, which renders them
    revision, api_key_env, timeout_s, max_retries, backoff_s, max_in_flight, prompts_per_request, context_tokens,
        extra_body: as of backend `openai`
    """

    name = "http"
    concurrent = True
    slice_size = 512

    def __init__(
        self,
        model: str,
        base_url: str | Sequence[str],
        api: str = "vllm",
        revision: str = "",
        tokenizer: str = "",
        api_key_env: str = "",
        timeout_s: float = 60.0,
        max_retries: int = 3,
        backoff_s: float = 0.5,
        max_in_flight: int = 16,
        prompts_per_request: int = 64,
        context_tokens: int = 0,
        extra_body: Mapping[str, Any] | None = None,
    ) -> None:
        self._options = {name: value for name, value in locals().items() if name != "self"}
        if api not in APIS:
            raise ConfigError(f"backend.api: no api {api!r}; {did_you_mean(str(api), APIS)}")
        self.model, self.revision, self._api = model, revision, api
        self._settings = Settings(
            model=model,
            urls=tuple(_root(url) for url in addresses(base_url)),
            api_key_env=api_key_env,
            timeout_s=timeout_s,
            max_retries=max_retries,
            backoff_s=backoff_s,
            max_in_flight=max_in_flight,
            prompts_per_request=prompts_per_request,
            context_tokens=context_tokens,
            extra_body=extra_body or {},
        )
        self._named = bool(tokenizer)
        self._tokenizer = require_tokenizer(tokenizer) if tokenizer else None
        self._turns = itertools.count()
        self._clients: dict[str, Any] = {}
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its settings, without connections."""
        return _remake, (self._options,)

    def score(self, prompts: Sequence[Prompt]) -> list[Logits | Failure]:
        """The raw class scores of each prompt, in order. A prompt that a server does not answer is a failure."""
        results: list[Logits | Failure] = [NEEDS_TOKENIZER] * len(prompts)
        bodies = list(self._bodies(prompts, results))
        with ThreadPoolExecutor(max(1, min(len(bodies), int(self._settings.max_in_flight)))) as threads:
            for body, scores in zip(bodies, threads.map(self._asked, bodies), strict=True):
                for place, score in zip(body.places, scores, strict=True):
                    results[place] = score
        return results

    def ensure_ready(self, timeout_s: float = 60.0) -> None:
        """Wait until a server answers. Raises JudgeUnavailable after at most `timeout_s`."""
        deadline = time.monotonic() + timeout_s
        while not any(map(self._answers, self._settings.urls)):
            if time.monotonic() >= deadline:
                raise JudgeUnavailable(f"judge unreachable at {self._settings.places}: no server answers")
            time.sleep(min(1.0, max(0.0, deadline - time.monotonic())))

    def identity(self) -> dict[str, Any]:
        """The user's request fields that may change a score. They enter the cache key."""
        return {"extra_body": dict(self._settings.extra_body)} if self._settings.extra_body else {}

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text by the model's tokenizer, else an estimate, rather too high."""
        return token_counts(self._chat_tokenizer(), texts)

    def context_tokens(self) -> int:
        """The setting; 0 if it is not given. The server then refuses a prompt that is too long."""
        return int(self._settings.context_tokens)

    def close(self) -> None:
        """Close the connections. A later call opens new ones."""
        with self._lock:
            clients, self._clients = self._clients, {}
        for client in clients.values():
            client.close()

    def _chat_tokenizer(self) -> ChatTokenizer | None:
        if self._tokenizer is None and not self._named:
            self._named = True  # searched only once
            try:
                self._tokenizer = load_tokenizer(self.model, self.revision)
            except ValueError:
                self._tokenizer = None
        return self._tokenizer

    def _bodies(self, prompts: Sequence[Prompt], results: list[Logits | Failure]) -> Iterator[ScoreBody]:
        """Prompts in the form of the request. A prompt that cannot be sent gets its failure here."""
        tokenizer = self._chat_tokenizer()
        if tokenizer is not None and can_encode(tokenizer, prompts):
            ids, failures = ids_by_place(tokenizer, prompts, AS_WRITTEN)
            for place, failure in failures.items():
                results[place] = failure
            yield from self._cut("ids", ids)
        else:
            yield from self._written(prompts)

    def _written(self, prompts: Sequence[Prompt]) -> Iterator[ScoreBody]:
        """Chats one by one, then plain texts. SGLang scores no chats."""
        for place, prompt in enumerate(prompts):
            if prompt.messages and self._api != "sglang":
                yield ScoreBody("chat", (place,), (chat_messages(prompt.messages),))
        yield from self._cut("text", {n: sendable(p.text) for n, p in enumerate(prompts) if not p.messages})

    def _cut(self, kind: Literal["ids", "text"], sent: Mapping[int, Any]) -> Iterator[ScoreBody]:
        """The prompts in bodies of at most this many."""
        places, size = list(sent), int(self._settings.prompts_per_request)
        for at in range(0, len(places), size):
            some = tuple(places[at : at + size])
            yield ScoreBody(kind, some, tuple(sent[n] for n in some))

    def _asked(self, body: ScoreBody) -> Sequence[Logits | Failure]:
        """The scores of one body. A body that is refused is halved until the prompt to blame is alone."""
        found = self._tried(body)
        if not isinstance(found, Trouble):
            return found
        if not found.splits or len(body.places) < 2:
            return [found.failure()] * len(body.places)
        middle = len(body.places) // 2
        return [*self._asked(body.half(0, middle)), *self._asked(body.half(middle, len(body.places)))]

    def _tried(self, body: ScoreBody) -> list[Logits] | Trouble:
        settings = self._settings
        cause = Trouble(Outcome.FAILED, "the judge was not asked")
        for attempt in range(int(settings.max_retries) + 1):
            url = settings.urls[next(self._turns) % len(settings.urls)]
            found = self._sent(url, body)
            if not isinstance(found, Trouble):
                return found
            cause = found
            if not cause.retryable:
                break
            if attempt < settings.max_retries:
                time.sleep(cause.retry_after_s or settings.backoff_s * 2**attempt)
        return cause

    def _sent(self, url: str, body: ScoreBody) -> list[Logits] | Trouble:
        import openai

        fields = request_json(body, self._api, self.model, self._settings.extra_body)
        try:
            answer = self._sdk(url).post(APIS[self._api], body=fields, cast_to=object)
            return read_scores(answer, self._api, len(body.places))
        except (openai.APIError, UnreadableReply) as error:
            return trouble(error)
        except ValueError:  # cut JSON
            return trouble(UnreadableReply("the server's answer is no JSON"))

    def _answers(self, url: str) -> bool:
        import openai

        try:
            self._sdk(url).with_options(timeout=CHECK_TIMEOUT_S).get("/health", cast_to=object)
        except openai.APIStatusError as error:
            return error.status_code < 500  # there is a server, even if it does not know this path
        except openai.APIError:
            return False
        except ValueError:
            return True  # no JSON: vLLM's answer is empty
        return True

    def _sdk(self, url: str) -> Any:
        """The SDK's client of one address. Its own retries are off: they stay with that address."""
        import openai

        with self._lock:
            if url not in self._clients:
                timeout = openai.Timeout(
                    self._settings.timeout_s, connect=min(self._settings.timeout_s, CHECK_TIMEOUT_S)
                )
                self._clients[url] = openai.OpenAI(
                    base_url=url,
                    api_key=self._settings.api_key(),
                    max_retries=0,
                    http_client=openai.DefaultHttpxClient(timeout=timeout),
                )
            return self._clients[url]


def _root(url: str) -> str:
    """An address without `/v1`: the paths of reward models are beside it, not below.

    >>> _root("http://localhost:8000/v1"), _root("https://judge.example/rm")
    ('http://localhost:8000', 'https://judge.example/rm')
    """
    parts = urlsplit(url)
    return urlunsplit(parts._replace(path=parts.path.rstrip("/").removesuffix("/v1")))


def _remake(options: dict[str, Any]) -> HttpScorer:
    return HttpScorer(**options)
