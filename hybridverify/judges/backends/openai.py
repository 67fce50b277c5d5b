"""Backend `openai`: one or several OpenAI-compatible judge servers (vLLM, SGLang, a router, a hosted one).

One implementation: an async client on a private event loop. `complete` waits for it and `acomplete` awaits it, from
any thread or loop. Nothing starts before the first use.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import CancelledError, Future, wait
from typing import TYPE_CHECKING, Any

from hybridverify.errors import JudgeUnavailable
from hybridverify.judges.backends.openai_connections import Connections
from hybridverify.judges.backends.openai_counters import Counters
from hybridverify.judges.backends.openai_dialect import Dialect, Form, forms
from hybridverify.judges.backends.openai_errors import no_judge
from hybridverify.judges.backends.openai_plan import Planner
from hybridverify.judges.backends.openai_settings import Settings, addresses
from hybridverify.judges.backends.render import (
    ChatTokenizer,
    load_tokenizer,
    require_tokenizer,
    token_counts,
)
from hybridverify.judges.base import Failure, Prompt, Reply, Sampling
from hybridverify.judges.call import current_call
from hybridverify.types import Outcome

if TYPE_CHECKING:
    from hybridverify.judges.backends.openai_session import Session

log = logging.getLogger("hybridverify")

CLOSED = Failure(Outcome.FAILED, "the judge backend was closed")
POLL_S = 1.0


class OpenAIBackend:
    """Asks OpenAI-compatible servers.

    model: the name under which the servers serve the judge; checked against their list at first use
    base_url: an address or several; `http://` and `/v1` are added where missing
    revision: enters the cache key, and picks the tokenizer's version
    request: `auto` sends raw prompts, and chats that can be rendered here, many in a body; other chats one by
        one. `chat`, `completions_text` and `completions_ids` fix the form
    api_key_env: the variable that holds the key
    headers: further headers; `${NAME}` in a value stands for a variable, so that no key has to be written down
    rpm: the most requests a minute; 0 is no limit
    model_check: whether the servers' list of models is asked for before the first question
    timeout_s: for one request, from the moment it is sent; retries share half as much again
    batch_deadline_s: for a whole call of `complete`; 0 sets none
    max_retries, backoff_s: for timeouts, connections, 429 and 5xx; the pause doubles each time
    max_in_flight: requests at one time, all servers and all callers together
    prompts_per_request: prompts in one completions body
    tokenizer: a folder, or a model in the local Hugging Face cache; by default that of `model`, if it is there
    context_tokens: prompt + output that the judge takes; 0 asks the server
    extra_body: more fields of the request, such as chat_template_kwargs; a field set to null is left out
    """

    name = "openai"

    def __init__(
        self,
        model: str,
        base_url: str | Sequence[str],
        revision: str = "",
        request: str = "auto",
        api_key_env: str = "",
        headers: Mapping[str, str] | None = None,
        rpm: float = 0,
        model_check: bool = True,
        timeout_s: float = 60.0,
        batch_deadline_s: float = 0.0,
        max_retries: int = 3,
        backoff_s: float = 0.5,
        max_in_flight: int = 64,
        prompts_per_request: int = 64,
        tokenizer: str = "",
        context_tokens: int = 0,
        extra_body: Mapping[str, Any] | None = None,
    ) -> None:
        self._options = {name: value for name, value in locals().items() if name != "self"}
        self.model = model
        self.revision = revision
        self._settings = Settings(
            model=model,
            urls=addresses(base_url),
            request=request,
            api_key_env=api_key_env,
            headers=headers if headers is not None else {},
            rpm=rpm,
            model_check=model_check,
            timeout_s=timeout_s,
            batch_deadline_s=batch_deadline_s,
            max_retries=max_retries,
            backoff_s=backoff_s,
            max_in_flight=max_in_flight,
            prompts_per_request=prompts_per_request,
            context_tokens=context_tokens,
            extra_body=extra_body or {},
        )
        named = tokenizer or (model if request == "completions_ids" else "")
        self._tokenizer = require_tokenizer(named, revision) if named else None
        self._tokenizer_sought = bool(named)
        self._counters = Counters()
        endpoints = getattr(self, "endpoints", ())
        self._dialect = Dialect(self._settings.host, self._usual_form(), self._settings.extra_body, endpoints)
        self._connections = Connections(self._settings, self._counters, self._dialect)

    def __repr__(self) -> str:
        return f"OpenAIBackend(model={self.model!r}, host={self._settings.host!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its settings, without connections."""
        return _remake, (self._options,)

    def complete(self, prompts: Sequence[Prompt], sampling: Sampling) -> list[Reply | Failure]:
        """One result for each prompt, in order. Raises JudgeUnavailable when the servers serve other models."""
        future = self._start(prompts, sampling)
        try:
            wait([future])
        finally:
            future.cancel()  # where it was interrupted: prompts that were not sent yet must not be paid for
        return _results(future, len(prompts))

    async def acomplete(self, prompts: Sequence[Prompt], sampling: Sampling) -> list[Reply | Failure]:
        """`complete` for callers in an event loop. Cancelling it cancels its requests."""
        future = self._start(prompts, sampling)
        try:
            # Waited for, not awaited: `close` cancels it, and that must not look like a cancelled caller.
            await asyncio.wait([asyncio.wrap_future(future)])
        except asyncio.CancelledError:
            future.cancel()
            raise
        return _results(future, len(prompts))

    def ensure_ready(self, timeout_s: float = 60.0) -> None:
        """Wait until a server answers and has the model. Raises JudgeUnavailable after at most `timeout_s`."""
        deadline = time.monotonic() + timeout_s
        while cause := self._connections.submit(lambda session: session.ensure_ready(tries=1)).result():
            left_s = deadline - time.monotonic()
            if not cause.retryable or left_s <= 0:
                raise no_judge(self._settings, cause)
            time.sleep(min(POLL_S, left_s))

    slice_size = 64
    """A batch is asked in slices of so many prompts. The answers of a slice are stored at once."""

    @property
    def batches_at_once(self) -> int:
        """Batches that keep every server busy, two at each, while one is prepared and one is read."""
        return 2 + 2 * len(self._settings.urls)

    def identity(self) -> dict[str, Any]:
        """What was sent otherwise than the sampling says: the user's request fields, and what the server's refusals
        told. Enters the cache key."""
        extra = self._settings.extra_body
        sent = self._dialect.form.identity()
        return {**({"extra_body": dict(extra)} if extra else {}), **({"sent": sent} if sent else {})}

    @property
    def form(self) -> Form:
        """The form of the requests. It changes when a server's refusal tells so."""
        return self._dialect.form

    @form.setter
    def form(self, form: Form) -> None:
        self._dialect.form = form

    def forms(self) -> list[Form]:
        """Every form that servers can bring about, the usual one first."""
        return list(forms())

    def _usual_form(self) -> Form:
        return Form()

    @property
    def outage(self) -> str:
        """Why nothing can be asked at present, in one line; "" if no fault is known."""
        session = self._connections.session
        known = session.outage if session is not None else ""
        return known or self._counters.silence

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text by the judge's tokenizer, else by an estimate that is rather too high."""
        return token_counts(self.chat_tokenizer(), texts)

    def context_tokens(self) -> int:
        """The setting, else the figure in the servers' list of models (asked for once, without retries), else 0."""
        if self._settings.context_tokens:
            return self._settings.context_tokens
        try:
            return self._connections.submit(_context_tokens).result()
        except JudgeUnavailable:
            return 0  # `complete` tells those who ask for verdicts

    def usage(self) -> Mapping[str, float]:
        """Counters since the backend was made: requests, retries, prompts, tokens, seconds."""
        return self._counters.usage()

    def close(self) -> None:
        """End the loop and its connections. Calls in progress get a failure; a later call starts afresh."""
        self._connections.close()

    def chat_tokenizer(self) -> ChatTokenizer | None:
        """The judge's tokenizer, if one was named or is in the local Hugging Face cache."""
        if not self._tokenizer_sought:
            try:
                self._tokenizer = load_tokenizer(self.model, self.revision)
            except ValueError as error:
                log.warning("the tokenizer of %r cannot be read and is not used: %s", self.model, error)
            self._tokenizer_sought = True
        return self._tokenizer

    def _start(self, prompts: Sequence[Prompt], sampling: Sampling) -> Future[list[Reply | Failure]]:
        asked, form = list(prompts), current_call().form or self.form
        return self._connections.submit(lambda session: self._ask(session, asked, sampling, form))

    async def _ask(
        self, session: Session, prompts: Sequence[Prompt], sampling: Sampling, form: Form
    ) -> list[Reply | Failure]:
        settings = self._settings
        sought = self._tokenizer_sought  # else its file is read, which would delay every reply
        tokenizer = self._tokenizer if sought else await asyncio.to_thread(self.chat_tokenizer)
        if tokenizer is None and settings.request == "auto":
            tokenizer = await session.server_chats(prompts)
        planner = Planner(settings.request, tokenizer, settings.prompts_per_request, settings.extra_body)
        refused: dict[int, Failure] = {}
        results = await session.complete(planner.bodies(prompts, refused), len(prompts), sampling, form)
        for place, failure in refused.items():
            results[place] = failure
        return results


def _results(future: Future[list[Reply | Failure]], size: int) -> list[Reply | Failure]:
    try:
        return future.result()
    except CancelledError:
        return [CLOSED] * size


async def _context_tokens(session: Session) -> int:
    await session.ensure_ready(tries=1)
    return session.context_tokens()


def _remake(options: dict[str, Any]) -> OpenAIBackend:
    return OpenAIBackend(**options)
