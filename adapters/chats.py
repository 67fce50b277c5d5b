"""Chats as text: what a model answered, and what it was asked. Trainers hand over texts, dicts or message objects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hybridverify.adapters.cells import MAPPINGS

from hybridverify.errors import SampleError


def last_texts(chats: Sequence[Any], role: str) -> list[str] | None:
    """The texts of the last turns, if all are texts of this role: the usual case, at a tenth of the time.

    >>> last_texts([[{"role": "user", "content": "2+2?"}]], "user")
    ['2+2?']
    """
    texts = []
    try:
        for chat in chats:
            turn = chat[-1]
            text = turn["content"]
            if turn["role"] != role or type(text) is not str:
                return None
            texts.append(text)
    except (TypeError, KeyError, IndexError):  # texts, objects, or no turn at all
        return None
    return texts


def response_of(completion: Any) -> str:
    """The text of a completion: itself, or the last turn of the model in a chat. Text of tools, and of earlier turns,
    is no answer. Raises SampleError for what is neither.

    >>> response_of([{"role": "assistant", "content": "7"}, {"role": "tool", "content": "8"}])
    '7'
    """
    if isinstance(completion, str):
        return completion
    turns = _turns(completion)
    if turns is None:
        raise SampleError(f"a completion must be text or a list of messages, not {type(completion).__name__}")
    for turn in reversed(turns):
        if _part(turn, "role") in ("assistant", None, ""):
            return content_text(_part(turn, "content"))
    return ""


def asked_in(prompt: Any) -> str:
    """The question of a prompt: itself, or the last turn of the user in a chat; "" if there is none.

    >>> asked_in([{"role": "user", "content": [{"type": "text", "text": "2+2?"}]}])
    '2+2?'
    """
    if isinstance(prompt, str):
        return prompt
    for turn in reversed(_turns(prompt) or ()):
        if _part(turn, "role") == "user":
            return content_text(_part(turn, "content"))
    return ""


def content_text(content: Any) -> str:
    """The content of a message as text. Of parts only the texts count: no images, no reasoning."""
    if isinstance(content, str):
        return content
    if not isinstance(content, Sequence):
        return ""
    texts = [part if isinstance(part, str) else _part(part, "text") for part in content]
    return "\n".join(text for text in texts if isinstance(text, str))


def _turns(chat: Any) -> Sequence[Any] | None:
    if hasattr(chat, "tolist"):
        chat = chat.tolist()
    if isinstance(chat, MAPPINGS) or hasattr(chat, "content"):
        return [chat]
    return chat if isinstance(chat, (list, tuple)) else None


def _part(thing: Any, name: str) -> Any:
    return thing.get(name) if isinstance(thing, Mapping) else getattr(thing, name, None)
