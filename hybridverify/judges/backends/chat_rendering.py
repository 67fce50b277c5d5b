"""Renders many chats to their final strings. Their common part is rendered once, where the result is certain to be
equal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hybridverify.judges.backends.chat_shape import Shape
from hybridverify.judges.backends.openai_wire import sendable
from hybridverify.judges.backends.render import ChatTokenizer, TemplateRefusal
from hybridverify.judges.base import Message

_FEW = 4
"""With fewer chats than this, rendering each one is faster than making and checking a shape."""
_MOST_SHAPES = 16


def rendered(
    tokenizer: ChatTokenizer, chats: Sequence[Sequence[Message]], options: Mapping[str, Any]
) -> list[str | TemplateRefusal]:
    """The final string of each chat, or the template's refusal. Characters that cannot be sent are replaced."""
    shape_of = getattr(tokenizer, "shape", None) if len(chats) > _FEW else None
    shapes: dict[tuple[object, ...], Shape | None] = {}
    found = []
    for chat in chats:
        # The messages before the last one come from the preset: in every chat they are the same objects.
        kind = (*map(id, chat[:-1]), chat[-1].role)
        if shape_of is not None and kind not in shapes and len(shapes) < _MOST_SHAPES:
            shapes[kind] = shape_of(_sendable(chat), options)
        shape = shapes.get(kind)
        text = shape.filled(sendable(chat[-1].content)) if shape is not None else None
        found.append(_alone(tokenizer, chat, options) if text is None else text)
    return found


def _alone(
    tokenizer: ChatTokenizer, chat: Sequence[Message], options: Mapping[str, Any]
) -> str | TemplateRefusal:
    try:
        return tokenizer.render(_sendable(chat), options)
    except TemplateRefusal as error:
        return error


def _sendable(chat: Sequence[Message]) -> list[Message]:
    return [Message(message.role, sendable(message.content)) for message in chat]
