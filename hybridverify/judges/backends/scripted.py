"""A backend that answers from a script: for tests, and to try a configuration without a model. It records its
prompts."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hybridverify.errors import ConfigError, Fault
from hybridverify.judges.base import Failure, Prompt, Reply, Sampling
from hybridverify.judges.locked import Locked
from hybridverify.types import Outcome

Scripted = Any
"""One scripted answer: a text, a `Reply`, a `Failure`, an exception to raise, or, in a configuration file,
`{text: ..., finish_reason: length}` or `{outcome: timed_out, reason: ..., fault: engine|row|settings}`."""


class ScriptedBackend(Locked):
    """Answers prompts from `replies`.

    `replies` is one answer for all, a list taken in order (from the start again, unless `cycle` is false), a
    mapping from a part of the prompt to the answer, or a function of the prompt's text. What the script does
    not cover is `failed`.

    >>> backend = ScriptedBackend(replies={"2 + 2": "True"})
    >>> backend.complete([Prompt(text="2 + 2 = 4?"), Prompt(text="else?")], Sampling())[0].texts
    ('True',)
    >>> backend.prompts
    ['2 + 2 = 4?', 'else?']

    `prompts` holds the text of every prompt, `samplings` the sampling and `batch_sizes` the size of every
    call. `delay_s` is slept in every call. Tokens are counted as one for four bytes.
    """

    def __init__(
        self,
        replies: Scripted | Sequence[Scripted] | Mapping[str, Scripted] | Callable[[str], Scripted] = "",
        *,
        model: str = "scripted",
        revision: str = "",
        context_tokens: int = 0,
        cycle: bool = True,
        delay_s: float = 0.0,
    ) -> None:
        if isinstance(replies, (list, tuple)) and not replies:
            raise ConfigError("backend.replies: the list is empty")
        self.name = "scripted"
        self.model = model
        self.revision = revision
        self.prompts: list[str] = []
        self.batch_sizes: list[int] = []
        self.samplings: list[Sampling] = []
        self.closed = False
        self._replies = replies
        self._context_tokens = context_tokens
        self._cycle = cycle
        self._delay_s = delay_s
        self._taken = 0
        super().__init__()

    @property
    def calls(self) -> int:
        """How often `complete` was called."""
        return len(self.batch_sizes)

    def complete(self, prompts: Sequence[Prompt], sampling: Sampling) -> list[Reply | Failure]:
        """The scripted answers, in order. Raises the exceptions in the script."""
        time.sleep(self._delay_s)
        texts = [prompt_text(prompt) for prompt in prompts]
        with self._lock:
            self.prompts += texts
            self.batch_sizes.append(len(texts))
            self.samplings.append(sampling)
            return [self._answer(text, sampling) for text in texts]

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [(len(text.encode("utf-8", "replace")) + 3) // 4 for text in texts]

    def context_tokens(self) -> int:
        return self._context_tokens

    def close(self) -> None:
        self.closed = True

    def _answer(self, text: str, sampling: Sampling) -> Reply | Failure:
        answer = self._scripted(text)
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, (Reply, Failure)):
            return answer
        if isinstance(answer, str):
            return self._reply({"text": answer}, text, sampling)
        if isinstance(answer, Mapping) and "outcome" in answer:
            fault = Fault(answer.get("fault", Fault.ENGINE))
            return Failure(Outcome(answer["outcome"]), str(answer.get("reason", "scripted failure")), fault)
        if isinstance(answer, Mapping) and "text" in answer:
            return self._reply(answer, text, sampling)
        raise ConfigError(f"backend.replies: {answer!r} is no reply; give a text, a Reply or a Failure")

    def _scripted(self, text: str) -> Scripted:
        script = self._replies
        if callable(script):
            return script(text)
        if isinstance(script, (list, tuple)):
            return self._next(script)
        if isinstance(script, Mapping) and not {"outcome", "text"} & set(script):
            uncovered = Failure(Outcome.FAILED, "the script holds no reply for this prompt")
            return next((reply for part, reply in script.items() if part in text), uncovered)
        return script

    def _next(self, script: Sequence[Scripted]) -> Scripted:
        if self._taken >= len(script) and not self._cycle:
            return Failure(Outcome.FAILED, "the script is used up")
        self._taken += 1
        return script[(self._taken - 1) % len(script)]

    def _reply(self, answer: Mapping[str, Any], prompt: str, sampling: Sampling) -> Reply:
        text = str(answer["text"])
        return Reply(
            texts=(text,) * sampling.n,
            finish_reasons=(str(answer.get("finish_reason", "stop")),) * sampling.n,
            logprobs=tuple(answer.get("logprobs", ())) if sampling.logprobs else (),
            prompt_tokens=self.count_tokens([prompt])[0],
            output_tokens=self.count_tokens([text])[0] * sampling.n,
        )


def prompt_text(prompt: Prompt) -> str:
    """All text of a prompt."""
    return prompt.text or "\n\n".join([message.content for message in prompt.messages])
