"""Requests and replies in the form of an OpenAI-compatible server: prompts to a body, JSON to `Reply` objects.

Pure functions without clock and network, so that each odd reply of a server is one line in a test.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from hybridverify.errors import Fault
from hybridverify.judges.backends.openai_dialect import USUAL, Form
from hybridverify.judges.backends.openai_message import message_text
from hybridverify.judges.base import Failure, Message, Reply, Sampling
from hybridverify.types import Outcome

_Told = tuple[tuple[str, ...], tuple[str, ...], tuple[Mapping[str, float], ...]]
"""Texts, finish reasons and log-probabilities of a reply."""
CHAT_ONLY_FIELDS = ("chat_template", "chat_template_kwargs", "add_generation_prompt", "tools", "documents")
"""Fields of `extra_body` that the completions form does not have."""


class UnreadableReply(Exception):
    """The server answered 200 with something that is no reply: cut JSON, a web page, a list. Worth a retry."""


@dataclass(frozen=True)
class Body:
    """The prompts of one request. `positions` are their places in the caller's batch.

    A prompt is a text, a list of token ids, or a list of chat messages (then it is the only one). For typed decisions
    it is a `Prompt` whose last message is the question.
    """

    kind: Literal["chat", "text", "ids", "decisions", "systemone"]
    positions: tuple[int, ...]
    prompts: tuple[Any, ...]
    add_special_tokens: bool = True
    """Whether the server adds special tokens. False if the chat template has already written the begin-of-text token.
    """

    @property
    def path(self) -> str:
        return _PATHS.get(self.kind, "/completions")

    def halves(self) -> tuple[Body, Body]:
        """The same prompts in two bodies, to find the one that a server refuses."""
        middle = len(self.prompts) // 2
        return self._part(slice(0, middle)), self._part(slice(middle, None))

    def _part(self, which: slice) -> Body:
        return Body(self.kind, self.positions[which], self.prompts[which], self.add_special_tokens)


_PATHS = {"chat": "/chat/completions", "decisions": "/decisions", "systemone": "/systemone"}


def chat_messages(messages: Sequence[Message]) -> list[dict[str, str]]:
    return [{"role": message.role, "content": sendable(message.content)} for message in messages]


def sendable(text: str) -> str:
    """The text with lone surrogates replaced. They have no UTF-8 form, and one would make a whole body fail."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
    return text


def request_fields(
    body: Body, model: str, sampling: Sampling, extra: Mapping[str, Any], form: Form = USUAL
) -> dict[str, Any]:
    """The JSON of one request. A field that is None in `extra` is left out."""
    fields = form.apply(_sampling_fields(model, sampling))
    if body.kind == "chat":
        fields |= _chat_fields(body, sampling) | dict(extra)
    else:
        fields |= _completion_fields(body, sampling)
        fields |= {name: value for name, value in extra.items() if name not in CHAT_ONLY_FIELDS}
    return {name: value for name, value in fields.items() if value is not None}


def _sampling_fields(model: str, sampling: Sampling) -> dict[str, Any]:
    fields: dict[str, Any] = {"model": model, "temperature": sampling.temperature}
    fields["max_tokens"] = sampling.max_tokens
    if sampling.top_p != 1.0:
        fields["top_p"] = sampling.top_p
    if sampling.n > 1:
        fields["n"] = sampling.n
    if sampling.temperature > 0:
        fields["seed"] = sampling.seed
    if sampling.stop:
        fields["stop"] = list(sampling.stop)
    return fields


def _chat_fields(body: Body, sampling: Sampling) -> dict[str, Any]:
    fields: dict[str, Any] = {"messages": body.prompts[0]}
    if sampling.logprobs:
        fields |= {"logprobs": True, "top_logprobs": sampling.logprobs}
    return fields


def _completion_fields(body: Body, sampling: Sampling) -> dict[str, Any]:
    fields: dict[str, Any] = {"prompt": list(body.prompts)}
    if sampling.logprobs:
        fields["logprobs"] = sampling.logprobs
    if not body.add_special_tokens:
        fields["add_special_tokens"] = False
    return fields


def read_replies(body: Body, text: str, sampling: Sampling, seconds: float) -> list[Reply | Failure]:
    """One result for each prompt of `body`, sorted by the choices' `index`.

    Raises UnreadableReply if the text is no JSON object at all.
    """
    reply = json_object(text)
    choices = _by_index(reply.get("choices"), len(body.prompts) * sampling.n)
    prompt_tokens, output_tokens = _usage(reply.get("usage"))
    told: list[_Told | Failure] = []
    for number in range(len(body.prompts)):
        own = [choices.get(number * sampling.n + draw) for draw in range(sampling.n)]
        told.append(_told(own, body.kind == "chat", sampling))
    among, share = sum([not isinstance(one, Failure) for one in told]), 0
    results: list[Reply | Failure] = []
    for place, one in enumerate(told):
        if isinstance(one, Failure):
            results.append(one)
            continue
        prompt = _prompt_tokens(body, place) or even_share(prompt_tokens, among, share)
        results.append(Reply(*one, prompt, even_share(output_tokens, among, share), seconds / among))
        share += 1
    return results


def json_object(text: str) -> dict[str, Any]:
    """The object of a reply. Raises UnreadableReply."""
    try:
        reply = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableReply("the judge's reply is no JSON") from error
    if not isinstance(reply, dict):
        raise UnreadableReply("the judge's reply is no JSON object")
    return reply


def _by_index(choices: object, expected: int) -> dict[int, Mapping[str, Any]]:
    """Choices by their index. If a server leaves the index out everywhere and the count is right, their order is
    used.

    A choice whose index comes twice or lies outside is dropped: guessing would give a verdict to the wrong sample.
    """
    if not isinstance(choices, list):
        return {}
    known = [choice for choice in choices if isinstance(choice, Mapping)]
    if len(known) == expected and all(choice.get("index") is None for choice in known):
        return dict(enumerate(known))
    return _named_once(known, expected)


def _named_once(known: Sequence[Mapping[str, Any]], expected: int) -> dict[int, Mapping[str, Any]]:
    inside = [choice for choice in known if _is_place(choice.get("index"), expected)]
    times = Counter(choice["index"] for choice in inside)
    return {choice["index"]: choice for choice in inside if times[choice["index"]] == 1}


def _is_place(index: object, expected: int) -> bool:
    return isinstance(index, int) and not isinstance(index, bool) and 0 <= index < expected


def _told(choices: Sequence[Mapping[str, Any] | None], is_chat: bool, sampling: Sampling) -> _Told | Failure:
    texts: list[str] = []
    reasons: list[str] = []
    for choice in choices:
        if choice is None:
            return Failure(Outcome.FAILED, "the judge's reply has no choice for this prompt", Fault.ROW)
        text = message_text(choice.get("message")) if is_chat else choice.get("text")
        if not isinstance(text, str):
            return Failure(Outcome.FAILED, "the judge's reply has a choice without text", Fault.ROW)
        texts.append(text)
        reasons.append(str(choice.get("finish_reason") or ""))
    first = choices[0]
    given = first.get("logprobs") if first is not None and sampling.logprobs else None
    logprobs = _chat_logprobs(given) if is_chat else _completion_logprobs(given)
    return tuple(texts), tuple(reasons), logprobs


def _chat_logprobs(given: object) -> tuple[Mapping[str, float], ...]:
    content = given.get("content") if isinstance(given, Mapping) else None
    positions: list[Mapping[str, float]] = []
    for position in content if isinstance(content, list) else []:
        if not isinstance(position, Mapping):
            return ()
        top = position.get("top_logprobs")
        entries = [position, *(top if isinstance(top, list) else [])]
        pairs = [
            (entry.get("token"), entry.get("logprob")) for entry in entries if isinstance(entry, Mapping)
        ]
        positions.append(_finite(pairs))
    return tuple(positions)


def _completion_logprobs(given: object) -> tuple[Mapping[str, float], ...]:
    top = given.get("top_logprobs") if isinstance(given, Mapping) else None
    if not isinstance(given, Mapping) or not isinstance(top, list):
        return ()
    tokens, chosen = given.get("tokens"), given.get("token_logprobs")
    drawn: list[tuple[object, object]] = []
    if isinstance(tokens, list) and isinstance(chosen, list) and len(tokens) == len(chosen) == len(top):
        drawn = list(zip(tokens, chosen, strict=True))
    positions = []
    for place, entry in enumerate(top):
        pairs: list[tuple[object, object]] = list(entry.items()) if isinstance(entry, Mapping) else []
        positions.append(_finite(drawn[place : place + 1] + pairs))
    return tuple(positions)


def _finite(pairs: Sequence[tuple[object, object]]) -> Mapping[str, float]:
    """Token text to log-probability. If two tokens have one text (bytes of a character), the likelier one counts."""
    found: dict[str, float] = {}
    for token, value in pairs:
        if isinstance(token, str) and isinstance(value, (int, float)) and math.isfinite(value):
            known = found.get(token)
            if known is None or value > known:
                found[token] = float(value)
    return found


def _usage(usage: object) -> tuple[int, int]:
    if not isinstance(usage, Mapping):
        return 0, 0
    counts = (usage.get("prompt_tokens"), usage.get("completion_tokens"))
    prompt, output = (count if isinstance(count, int) and count > 0 else 0 for count in counts)
    return prompt, output


def _prompt_tokens(body: Body, place: int) -> int:
    return len(body.prompts[place]) if body.kind == "ids" else 0


def even_share(total: int, among: int, place: int) -> int:
    """A server reports tokens for a body, not for a prompt: equal shares whose sum is the total."""
    return total // among + (1 if place < total % among else 0)
