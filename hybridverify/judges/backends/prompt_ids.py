"""Token ids of prompts as a chat server would make them, for engines in this process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hybridverify.errors import Fault
from hybridverify.judges.backends.chat_rendering import rendered
from hybridverify.judges.backends.openai_wire import sendable
from hybridverify.judges.backends.render import ChatTokenizer, TemplateRefusal
from hybridverify.judges.base import Failure, Prompt
from hybridverify.types import Outcome

NO_TEMPLATE = Failure(
    Outcome.FAILED,
    "the model has no chat template, which this preset needs; name a tokenizer that has one",
    Fault.SETTINGS,
)


def prompt_ids(
    tokenizer: ChatTokenizer, prompts: Sequence[Prompt], template_options: Mapping[str, Any]
) -> list[list[int] | Failure]:
    """The ids of each prompt, or the failure. Chats are rendered, and all prompts are encoded in two calls.

    A rendered chat holds every special token already. To a raw text the tokenizer adds its own, as servers do.
    """
    texts = _texts(tokenizer, prompts, template_options)
    found: list[list[int] | Failure] = [text if isinstance(text, Failure) else [] for text in texts]
    for adds in (True, False):
        places = [
            place
            for place, text in enumerate(texts)
            if isinstance(text, str) and adds is not bool(prompts[place].messages)
        ]
        ids = tokenizer.encode([str(texts[place]) for place in places], adds) if places else []
        for place, one in zip(places, ids, strict=True):
            found[place] = one
    return found


def _texts(
    tokenizer: ChatTokenizer, prompts: Sequence[Prompt], options: Mapping[str, Any]
) -> list[str | Failure]:
    chats = [prompt.messages for prompt in prompts if prompt.messages]
    if not tokenizer.has_template:
        return [NO_TEMPLATE if prompt.messages else sendable(prompt.text) for prompt in prompts]
    ready = iter(rendered(tokenizer, chats, options))
    texts = [next(ready) if prompt.messages else sendable(prompt.text) for prompt in prompts]
    return [
        Failure(Outcome.FAILED, str(text), Fault.ROW) if isinstance(text, TemplateRefusal) else text
        for text in texts
    ]


def can_encode(tokenizer: ChatTokenizer, prompts: Sequence[Prompt]) -> bool:
    """Whether the tokenizer can encode all prompts: chats need its template."""
    return tokenizer.has_template or not any(prompt.messages for prompt in prompts)


def ids_by_place(
    tokenizer: ChatTokenizer, prompts: Sequence[Prompt], template_options: Mapping[str, Any]
) -> tuple[dict[int, list[int]], dict[int, Failure]]:
    """The ids of prompts by their places, and the failures of the others."""
    ids: dict[int, list[int]] = {}
    failures: dict[int, Failure] = {}
    for place, one in enumerate(prompt_ids(tokenizer, prompts, template_options)):
        if isinstance(one, Failure):
            failures[place] = one
        else:
            ids[place] = one
    return ids, failures
