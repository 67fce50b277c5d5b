"""Prompts on their way to another process, as few objects: pickling some for each prompt takes five times as long."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hybridverify.judges.base import Message, Prompt

_Before = tuple[Message, ...]


class Parcel:
    """Prompts that arrive in another process as a list. The messages that all of them begin with are sent once.

    >>> import pickle
    >>> chats = [Prompt((Message("system", "Judge."), Message("user", text))) for text in ("a", "b")]
    >>> pickle.loads(pickle.dumps(Parcel(chats))) == chats
    True
    """

    def __init__(self, prompts: Sequence[Prompt]) -> None:
        self._prompts = list(prompts)

    def __reduce__(self) -> tuple[Callable[..., list[Prompt]], tuple[Any, ...]]:
        parts = list(map(_parts, self._prompts))
        before, role, _ = parts[0] if parts else ((), None, "")
        texts = [text for own, said_by, text in parts if said_by == role and own == before]
        return (_prompts, (before, role, texts)) if len(texts) == len(parts) else (list, (self._prompts,))


def _parts(prompt: Prompt) -> tuple[_Before, str | None, str]:
    """The messages before the last one, and its role and text; no role for a raw text."""
    if not prompt.messages:
        return (), None, prompt.text
    last = prompt.messages[-1]
    return prompt.messages[:-1], last.role, last.content


def _prompts(before: _Before, role: str | None, texts: Sequence[str]) -> list[Prompt]:
    if role is None:
        return [Prompt(text=text) for text in texts]
    return [Prompt((*before, Message(role, text))) for text in texts]
