"""Chats as text: what a model answered, and what it was asked. Trainers hand over texts, dicts or message objects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from hybridverify.adapters.cells import MAPPINGS

from hybridverify.errors import SampleError
from hybridverify.sample import field_of, text_of_part
from hybridverify.scalars import plain


def last_texts(chats: Sequence[Any], role: str) -> list[str] | None:
    """The texts of the last turns, if all are texts of this role, or the chats if all are texts: the usual case, at a
    tenth of the time.

    >>> last_texts([[{"role": "user", "content": "2+2?"}]], "user")
    ['2+2?']
    """
    if chats and type(chats[0]) is str:
        return list(chats) if set(map(type, chats)) == {str} else None
    try:
        texts = [turn["content"] for chat in chats if (turn := chat[-1])["role"] == role]
    except (TypeError, KeyError, IndexError, ValueError):  # objects, no turn at all, or an array for a role
        return None
    return texts if len(texts) == len(chats) and set(map(type, texts)) == {str} else None


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
        if _role_of(turn) in ("assistant", None, ""):
            return content_text(field_of(turn, "content"))
    if turns:
        roles = ", ".join(sorted({str(_role_of(turn))[:40] for turn in turns}))
        raise SampleError(f"a completion has no message of the role assistant, only of {roles}")
    return ""


def _role_of(turn: Any) -> Any:
    """The role of a message; None where a text of its own has none. Raises SampleError for what is no message."""
    role = field_of(turn, "role")
    if role is None and field_of(turn, "content") is None:
        raise SampleError(f"a message needs role and content, got {_keys(turn)}")
    return role


def _keys(turn: Any) -> str:
    """What a message has in their place."""
    if not isinstance(turn, Mapping):
        return type(turn).__name__
    return ", ".join(str(name)[:40] for name in list(turn)[:8]) or "nothing"


def asked_in(prompt: Any) -> str:
    """The question of a prompt: itself, or the last turn of the user in a chat; "" if there is none.

    >>> asked_in([{"role": "user", "content": [{"type": "text", "text": "2+2?"}]}])
    '2+2?'
    """
    if isinstance(prompt, str):
        return prompt
    for turn in reversed(_turns(prompt) or ()):
        if field_of(turn, "role") == "user":
            with suppress(SampleError):  # a question helps, and is not needed
                return content_text(field_of(turn, "content"))
    return ""


def content_text(content: Any) -> str:
    """The content of a message as text; "" for none, as beside a call of a tool. Of parts only the texts count: no
    images, no reasoning. Raises SampleError for what is neither text nor parts."""
    if isinstance(content, str):
        return content
    if content is None:
        return ""
    parts = plain(content)
    if isinstance(parts, MAPPINGS) or hasattr(parts, "text"):
        parts = [parts]
    if not isinstance(parts, (list, tuple)):
        raise SampleError(
            f"a message's content must be text or a list of parts, not {type(content).__name__}"
        )
    texts = [part if isinstance(part, str) else text_of_part(part) for part in parts]
    return "\n".join(text for text in texts if isinstance(text, str))


def _turns(chat: Any) -> Sequence[Any] | None:
    chat = plain(chat)
    if isinstance(chat, MAPPINGS) or hasattr(chat, "content"):
        return [chat]
    return chat if isinstance(chat, (list, tuple)) else None
