"""The protocols of the judge side: `Judge`, `Backend`, and the objects that pass between them.

A `Judge` turns samples into requests and requests into verdicts. An `LLMJudge` (judges/llm.py) does so with a preset
(template and parser) and a `Backend`, the engine that completes prompts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, runtime_checkable

from hybridverify.conventions import DEFAULT, Conventions
from hybridverify.errors import Fault
from hybridverify.types import Outcome, Sample, Verdict


@dataclass(frozen=True, init=False)
class Message:
    """One chat message."""

    role: str
    content: str

    def __init__(self, role: str, content: str) -> None:
        told = self.__dict__  # as in Sample: one is made for every row
        told["role"] = role
        told["content"] = content


@dataclass(frozen=True, init=False)
class Prompt:
    """The input of an engine: chat `messages`, or the raw string `text` if there are none."""

    messages: tuple[Message, ...] = ()
    text: str = ""

    def __init__(self, messages: tuple[Message, ...] = (), text: str = "") -> None:
        told = self.__dict__  # as in Sample
        told["messages"] = messages
        told["text"] = text

    def payload(self) -> object:
        """The JSON-ready form that enters the cache key."""
        if self.messages:
            return [[message.role, message.content] for message in self.messages]
        return self.text


@dataclass(frozen=True)
class Sampling:
    """How an engine draws its replies: `n` for each prompt. `seed` counts only above temperature 0."""

    temperature: float = 0.0
    top_p: float = 1.0
    max_tokens: int = 16
    n: int = 1
    seed: int = 0
    stop: tuple[str, ...] = ()
    logprobs: int = 0
    """How many top log-probabilities to return at each output position. 0 asks for none."""


@dataclass(frozen=True)
class Reply:
    """An engine's answer to one prompt: `sampling.n` texts, each with its finish reason.

    `logprobs` holds, for the first text, one mapping for each output position, from token text to log-probability
    (nats). It is empty if it was not asked for or not given. Token counts are 0 if the engine does not give them.
    """

    texts: tuple[str, ...]
    finish_reasons: tuple[str, ...] = ()
    logprobs: Sequence[Mapping[str, float]] = ()
    prompt_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Failure:
    """No answer to one prompt. `outcome` is failed, timed_out or too_long; `reason` is one line that is the same in
    every run."""

    outcome: Outcome
    reason: str
    fault: Fault = field(default=Fault.ENGINE, compare=False)
    """Whose fault it is. Callers tell an outage by this, never by `reason`."""


@runtime_checkable
class Backend(Protocol):
    """An engine. Its one method, `complete`, never raises for a single prompt, and keeps length and order.

    It may raise `JudgeUnavailable` (nothing can be asked at all) and, when it is made, `ConfigError`. `model` and
    `revision` enter the cache key; addresses, timeouts and GPU settings do not.
    """

    name: str
    model: str
    revision: str

    def complete(self, prompts: Sequence[Prompt], sampling: Sampling) -> list[Reply | Failure]: ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text. Without a tokenizer an estimate."""
        ...

    def context_tokens(self) -> int:
        """The most tokens of prompt and output together; 0 if unknown."""
        ...

    def close(self) -> None: ...


@dataclass(frozen=True, init=False)
class Request:
    """A question to a judge, ready to be asked. `prompt` is the engine's input. `answer` is the text that is judged.
    `payload` (JSON-ready) and the judge's `identity()` make the cache key."""

    prompt: Prompt
    payload: object
    answer: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __init__(
        self, prompt: Prompt, payload: object, answer: str = "", extra: Mapping[str, Any] | None = None
    ) -> None:
        told = self.__dict__  # as in Sample: one is made for every row
        told["prompt"] = prompt
        told["payload"] = payload
        told["answer"] = answer
        told["extra"] = {} if extra is None else extra


class Answered(NamedTuple):
    """A verdict with its request (None if there was none) and the text of the reply.

    The reply is "" if the verdict comes from the cache or from an engine that gives no text.
    """

    verdict: Verdict
    request: Request | None = None
    reply: str = ""


@dataclass(frozen=True, init=False)
class Subject:
    """A sample as judges see it. `answer` is the text that is shown, see answers/extract.py."""

    sample: Sample
    answer: str
    marked: bool = False
    """Whether the answer had a mark or was stated. Otherwise it is a line or a paragraph of the response."""
    reply: str = ""
    """The response without its thinking part."""
    conventions: Conventions = DEFAULT
    """Those of the row's route, for guards and judges that compare by rules."""

    def __init__(
        self,
        sample: Sample,
        answer: str,
        marked: bool = False,
        reply: str = "",
        conventions: Conventions = DEFAULT,
    ) -> None:
        told = self.__dict__  # as in Sample
        told["sample"] = sample
        told["answer"] = answer
        told["marked"] = marked
        told["reply"] = reply
        told["conventions"] = conventions


@runtime_checkable
class Judge(Protocol):
    """Decides samples in batches. Names appear as `judge:<name>` in verdicts."""

    name: str
    weight: float

    def identity(self) -> Mapping[str, Any]:
        """Everything besides the request that may change a verdict: preset, versions, model, sampling, limits."""
        ...

    def prepare(self, subjects: Sequence[Subject]) -> list[Request | Verdict]:
        """A request for each subject, or a verdict if there can be no request (a row without criteria, say)."""
        ...

    def decide(self, requests: Sequence[Request]) -> list[Verdict]:
        """Ask. Same length and order. Raises only `JudgeUnavailable`."""
        ...

    def usage(self) -> Mapping[str, float]:
        """Counters since the judge was made: requests, prompt_tokens, output_tokens, retries, seconds."""
        ...

    def close(self) -> None: ...


@runtime_checkable
class Composed(Protocol):
    """A judge that asks several questions about a row. Each is asked and cached on its own."""

    asker: Judge
    """The judge that is asked these questions. Their cache keys are its own."""

    def parts(self, subjects: Sequence[Subject]) -> list[tuple[Request, ...] | Verdict]:
        """The questions about each subject, or a verdict if none can be asked."""
        ...

    def conclude(self, subject: Subject, answered: Sequence[Answered]) -> tuple[Verdict, tuple[Verdict, ...]]:
        """The verdict on a subject, and a verdict for each answer, for explanations."""
        ...
