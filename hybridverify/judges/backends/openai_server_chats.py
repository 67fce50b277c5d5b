"""Chats as texts when no tokenizer is at hand: the server itself shows how it writes a chat.

A chat request holds one prompt, a body of texts holds many. vLLM's servers tokenise a chat (`/tokenize`) and write
tokens out (`/detokenize`), so the text around the last message can be read off once. It is used only if the server
makes the same tokens of the filled text as of the chat.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from hybridverify.judges.backends.chat_shape import Shape
from hybridverify.judges.backends.openai_servers import Server
from hybridverify.judges.backends.openai_wire import chat_messages
from hybridverify.judges.backends.render import TemplateRefusal
from hybridverify.judges.base import Message, Prompt

LEAST = 16
"""Chats. For fewer the questions to the server cost more than they save."""
_TIMEOUT_S = 10.0
_CHECKED = 3
"""Chats of the batch that are compared token by token, the longest ones."""


class ServerChats:
    """Renders the chats of one form as their server does. It cannot make token ids."""

    has_template = True

    def __init__(self, shape: Shape) -> None:
        self._shape = shape

    def render(self, messages: Sequence[Message], options: Mapping[str, Any]) -> str:
        text = self._shape.filled(messages[-1].content)
        if text is None:
            raise TemplateRefusal("the server writes this chat in another form")
        return text

    def encode(self, texts: Sequence[str], add_special_tokens: bool) -> list[list[int]]:
        raise NotImplementedError("a server's chats are sent as texts")


class ServerForms:
    """What is known of a session's servers: by the form of a chat, how it is written."""

    def __init__(self) -> None:
        self._known: dict[str, ServerChats | None] = {}
        self._lock = asyncio.Lock()

    async def chats(
        self, server: Server, prompts: Sequence[Prompt], options: Mapping[str, Any]
    ) -> ServerChats | None:
        """The renderer of these prompts; None unless all are chats that differ in their last text only, and the server
        can show how it writes them."""
        chats = [prompt.messages for prompt in prompts]
        if len(chats) < LEAST or not server.context_tokens or not all(chats):
            return None
        form = _form(chats[0], options)
        if any(_form(chat, options) != form for chat in chats):
            return None
        async with self._lock:
            if form not in self._known:
                longest = sorted(chats, key=lambda chat: -len(chat[-1].content))[:_CHECKED]
                self._known[form] = await _asked(server, longest, options)
            return self._known[form]


def _form(chat: Sequence[Message], options: Mapping[str, Any]) -> str:
    before = [[message.role, message.content] for message in chat[:-1]]
    return json.dumps([before, chat[-1].role, dict(options)], sort_keys=True, default=str)


async def _asked(
    server: Server, chats: Sequence[Sequence[Message]], options: Mapping[str, Any]
) -> ServerChats | None:
    # With blanks around: a template that strips the text would not be seen otherwise.
    mark = f" \n{secrets.token_hex(16)}\n "
    try:
        tokens = await _tokens(server, [*chats[0][:-1], Message(chats[0][-1].role, mark)], options)
        pieces = (await _written(server, tokens)).split(mark)
        if len(pieces) != 2:
            return None
        found = ServerChats(Shape((pieces[0], pieces[1])))
        for chat in chats:
            text = {"prompt": found.render(chat, options), "add_special_tokens": False}
            if await _tokens(server, chat, options) != await _numbers(server, text):
                return None
    except (
        Exception
    ):  # the server has no such addresses, or answers in another form: chats are sent one by one
        return None
    return found


async def _tokens(server: Server, chat: Sequence[Message], options: Mapping[str, Any]) -> list[int]:
    fields: dict[str, Any] = {"messages": chat_messages(chat), "add_generation_prompt": True}
    return await _numbers(server, {**fields, **({"chat_template_kwargs": dict(options)} if options else {})})


async def _numbers(server: Server, fields: Mapping[str, Any]) -> list[int]:
    reply = await _post(server, "/tokenize", fields)
    tokens = reply["tokens"]
    if not isinstance(tokens, list) or not all(isinstance(token, int) for token in tokens):
        raise ValueError("no list of tokens")
    return tokens


async def _written(server: Server, tokens: Sequence[int]) -> str:
    text = (await _post(server, "/detokenize", {"tokens": list(tokens)}))["prompt"]
    if not isinstance(text, str):
        raise ValueError("no text")
    return text


async def _post(server: Server, path: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    address = server.url.rstrip("/").removesuffix("/v1") + path
    reply = json.loads(await server.post(address, {"model": server.settings.model, **fields}, _TIMEOUT_S))
    if not isinstance(reply, dict):
        raise ValueError("no object")
    return reply
