"""The text of a chat message as servers write it: plain, in parts, or beside the reasoning that came before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

REASONING_FIELDS = ("reasoning_content", "reasoning")
"""Where servers put what a model thought before its answer."""


def message_text(message: object) -> str | None:
    """The content of a message. If a server leaves it out, the reasoning as a thinking part that was not closed, so
    that no word of it is taken for a label; "" if there is none (a refusal)."""
    if not isinstance(message, Mapping):
        return None
    content = message.get("content")
    if isinstance(content, list):
        content = _joined(content)
    if not isinstance(content, (str, type(None))):
        return None
    if content and content.strip():
        return content
    thought = next(filter(None, (message.get(name) for name in REASONING_FIELDS)), "")
    return f"<think>{thought}" if isinstance(thought, str) and thought.strip() else content or ""


def _joined(parts: Sequence[object]) -> str:
    """The texts of a content in parts."""
    texts = (part.get("text") for part in parts if isinstance(part, Mapping))
    return "".join(text for text in texts if isinstance(text, str))
