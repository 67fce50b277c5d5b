"""The seams of the judge side: what a judge is, what an engine is, and what passes between them.

A `Judge` turns samples into requests and requests into verdicts. An `LLMJudge` (judges/llm.py) does so with a
preset (template and parser) and a `Backend`, the engine that completes prompts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, runtime_checkable

from hybridverify.errors import Fault
from hybridverify.types import Outcome, Sample, Verdict


@dataclass(frozen=True)
class Message:
    """One chat message."""

    role: str
    content: str


@dataclass(frozen=True)
class Prompt:
    """What an engine is shown: chat `messages`, or where there are none the raw string `text`."""

    messages: tuple[Message, ...] = ()
    text: str = ""

    def payload(self) -> object:
        """The JSON-ready form that enters the cache key."""
        if self.messages:
            return [[message.role, message.content] for message in self.messages]
        return self.text


@dataclass(frozen=True)
class Sampling:
    """How an engine draws its reply. `seed` counts only above temperature 0; `n` replies are drawn."""

    temperature: float = 0.0
    top_p: float = 1.0
    max_tokens: int = 16
    n: int = 1
    seed: int = 0
    stop: tuple[str, ...] = ()
    logprobs: int = 0
    """How many top log-probabilities to return at each output position; 0 asks for none."""


@dataclass(frozen=True)
class Reply:
    """What an engine answered to one prompt: `sampling.n` texts, each with its finish reason.

    `logprobs` holds, for the first text, one mapping per output position from token text to log-probability
    (nats); empty where not asked for or not given. Token counts are 0 where the engine does not say.
    """

    texts: tuple[str, ...]
    finish_reasons: tuple[str, ...] = ()
    logprobs: tuple[Mapping[str, float], ...] = ()
    prompt_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Failure:
    """No answer to one prompt: `outcome` is failed, timed_out or too_long; `reason` is stable, one line."""

    outcome: Outcome
    reason: str
    fault: Fault = field(default=Fault.ENGINE, compare=False)
    """Whose fault it is; by this, and never by `reason`, callers tell an outage."""


@runtime_checkable
class Backend(Protocol):
    """An engine. One method does the work; it never raises for a single prompt, and keeps length and order.

    It may raise `JudgeUnavailable` (nothing can be asked at all) and, when made, `ConfigError`.
    `model` and `revision` enter the cache key; addresses, timeouts and GPU settings do not.
    """

    name: str
    model: str
    revision: str

    def complete(self, prompts: Sequence[Prompt], sampling: Sampling) -> list[Reply | Failure]: ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, estimated where no tokenizer is at hand."""
        ...

    def context_tokens(self) -> int:
        """Prompt + output tokens the engine takes; 0 where not known."""
        ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class Request:
    """One question to a judge, ready to be asked. `payload` (JSON-ready) with the judge's `identity()` makes
    the cache key; `prompt` is what an engine gets; `answer` is the text that is being judged."""

    prompt: Prompt
    payload: object
    answer: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)


class Answered(NamedTuple):
    """A verdict with the request behind it (None where none could be made) and the reply's text.

    The reply is "" where the verdict comes from the cache or from an engine that gives no text.
    """

    verdict: Verdict
    request: Request | None = None
    reply: str = ""


@dataclass(frozen=True)
class Subject:
    """A sample as judges see it: `answer` is the text shown, see answers/extract.py."""

    sample: Sample
    answer: str
    marked: bool = False
    """True when the answer carried a mark or was stated, false for a fall-back to a line or paragraph."""
    reply: str = ""
    """The response without its thinking part."""


@runtime_checkable
class Judge(Protocol):
    """Decides samples in batches. Names appear as `judge:<name>` in verdicts."""

    name: str
    weight: float

    def identity(self) -> Mapping[str, Any]:
        """All that may change a verdict besides the request: preset, versions, model, sampling, limits."""
        ...

    def prepare(self, subjects: Sequence[Subject]) -> list[Request | Verdict]:
        """A request for each subject, or the verdict where none can be made (a row without criteria, say)."""
        ...

    def decide(self, requests: Sequence[Request]) -> list[Verdict]:
        """Ask. Same length and order; raises only `JudgeUnavailable`."""
        ...

    def usage(self) -> Mapping[str, float]:
        """Counters since the judge was made: requests, prompt_tokens, output_tokens, retries, seconds."""
        ...

    def close(self) -> None: ...


@runtime_checkable
class Composed(Protocol):
    """A judge whose verdict on a row is made of the answers to several questions, each asked and kept on its own."""

    asker: Judge
    """Who is asked them; their keys in the cache are its own."""

    def parts(self, subjects: Sequence[Subject]) -> list[tuple[Request, ...] | Verdict]:
        """The questions about each subject, or the verdict where none can be asked."""
        ...

    def conclude(self, subject: Subject, answered: Sequence[Answered]) -> tuple[Verdict, tuple[Verdict, ...]]:
        """The verdict, and what was made of the answers, for whoever wants it explained."""
        ...
