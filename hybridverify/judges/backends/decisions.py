"""Backend `decisions`: servers that answer typed questions with a probability for each option, without prose.

All candidates of one question go into one body: question and reference once, each answer as a question of its own. A
server that has neither of the two endpoints is asked by chat, for log-probabilities: P(yes).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hybridverify.errors import ConfigError, did_you_mean
from hybridverify.judges.backends.decisions_wire import DIFFERENT, ENDPOINTS, P_YES, SAME, TYPED
from hybridverify.judges.backends.openai import OpenAIBackend
from hybridverify.judges.backends.openai_dialect import Form, forms
from hybridverify.judges.backends.openai_wire import Body
from hybridverify.judges.base import Failure, Message, Prompt, Reply, Sampling
from hybridverify.objects import arguments_of

if TYPE_CHECKING:
    from hybridverify.judges.backends.openai_session import Session

AUTO = "auto"
MOST_QUESTIONS = 64
"""vLLM's limit for one body. A server with a lower one refuses a body, which is then sent in halves."""
_REPLY = f"Reply with a single word: {SAME} or {DIFFERENT}."


class DecisionsBackend(OpenAIBackend):
    """Asks servers for typed decisions.

    endpoint: `auto` tries `/v1/decisions`, then `/v1/systemone`, then P(yes) by chat; `decisions`, `systemone` and
        `p_yes` fix one
    questions_per_request: candidates of one question in one body

    The others are those of `OpenAIBackend`.
    """

    name = "decisions"
    slice_size = 256

    def __init__(
        self,
        model: str,
        base_url: str | Sequence[str],
        revision: str = "",
        endpoint: str = AUTO,
        api_key_env: str = "",
        headers: Mapping[str, str] | None = None,
        rpm: float = 0,
        model_check: bool = True,
        timeout_s: float = 60.0,
        batch_deadline_s: float = 0.0,
        max_retries: int = 3,
        backoff_s: float = 0.5,
        max_in_flight: int = 64,
        questions_per_request: int = MOST_QUESTIONS,
        tokenizer: str = "",
        context_tokens: int = 0,
        extra_body: Mapping[str, Any] | None = None,
    ) -> None:
        given = arguments_of(locals())
        if endpoint not in (AUTO, *ENDPOINTS):
            raise ConfigError(
                f"backend.endpoint: no endpoint {endpoint!r}; {did_you_mean(str(endpoint), (AUTO, *ENDPOINTS))}"
            )
        self.endpoints = ENDPOINTS if endpoint == AUTO else (endpoint,)
        shared = {name: value for name, value in given.items() if name not in _OWN}
        super().__init__(**shared, request="chat", prompts_per_request=questions_per_request)
        self._options = given

    def __repr__(self) -> str:
        return f"DecisionsBackend(model={self.model!r}, host={self._settings.host!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake, (self._options,)

    def identity(self) -> dict[str, Any]:
        """As of `OpenAIBackend`, with the endpoint: each of them asks in its own words."""
        return {**super().identity(), "endpoint": self.form.endpoint}

    def forms(self) -> list[Form]:
        return list(forms(self.endpoints))

    def _usual_form(self) -> Form:
        return Form(endpoint=self.endpoints[0])

    async def _ask(
        self, session: Session, prompts: Sequence[Prompt], sampling: Sampling, form: Form
    ) -> list[Reply | Failure]:
        if form.endpoint == P_YES:
            return await super()._ask(session, [_as_chat(prompt) for prompt in prompts], sampling, form)
        bodies = _bodies(prompts, form.endpoint, self._settings.prompts_per_request)
        return await session.complete(bodies, len(prompts), sampling, form)


_OWN = ("endpoint", "questions_per_request")


def _bodies(prompts: Sequence[Prompt], endpoint: str, most: int) -> Iterator[Body]:
    """A body for the prompts that share all but their last message, or several of at most `most` questions."""
    groups: dict[tuple[Message, ...], list[int]] = {}
    for place, prompt in enumerate(prompts):
        groups.setdefault(prompt.messages[:-1], []).append(place)
    assert endpoint in TYPED
    kind: Any = endpoint
    for places in groups.values():
        for start in range(0, len(places), most):
            part = tuple(places[start : start + most])
            yield Body(kind, part, tuple(prompts[place] for place in part))


def _as_chat(prompt: Prompt) -> Prompt:
    system, *rest = prompt.messages
    text = "\n\n".join([*(message.content for message in rest), _REPLY])
    return Prompt((system, Message("user", text)))


def _remake(options: dict[str, Any]) -> DecisionsBackend:
    return DecisionsBackend(**options)
