"""Which prompts are sent together and in which form: chat messages, texts or token ids.

Measured on one H100 with a 1.5B judge: one request for each pair gives 466 pairs/s, bodies of 64 texts 1,234, bodies
of 64 lists of token ids 2,003.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from hybridverify.errors import Fault
from hybridverify.judges.backends.chat_rendering import rendered
from hybridverify.judges.backends.openai_server_chats import ServerChats
from hybridverify.judges.backends.openai_wire import CHAT_ONLY_FIELDS, Body, chat_messages, sendable
from hybridverify.judges.backends.render import ChatTokenizer, TemplateRefusal
from hybridverify.judges.base import Failure, Message, Prompt
from hybridverify.types import Outcome

Kind = Literal["chat", "text", "ids"]
FORMS: Mapping[str, Kind] = {"chat": "chat", "completions_text": "text", "completions_ids": "ids"}
NO_TEMPLATE = Failure(
    Outcome.FAILED, "chat prompts as completions need a tokenizer with a chat template", Fault.SETTINGS
)


@dataclass(frozen=True)
class Planner:
    """Turns prompts into bodies. `request` is the user's setting, `tokenizer` the judge's own, the server's way to
    write a chat, or None."""

    request: str
    tokenizer: ChatTokenizer | None
    prompts_per_request: int
    extra_body: Mapping[str, Any]

    def bodies(self, prompts: Sequence[Prompt], refused: dict[int, Failure]) -> Iterator[Body]:
        """One body after another, rendered when it is asked for, so that the first is sent at once.

        Prompts that cannot be sent are put into `refused`.
        """
        yield from self._chat_bodies(prompts, refused)
        yield from self._text_bodies(prompts)

    def _chat_bodies(self, prompts: Sequence[Prompt], refused: dict[int, Failure]) -> Iterator[Body]:
        places = [place for place, prompt in enumerate(prompts) if prompt.messages]
        kind = self._chat_kind()
        if kind == "chat":
            for place in places:
                yield Body("chat", (place,), (chat_messages(prompts[place].messages),))
        elif self.tokenizer is None or not self.tokenizer.has_template:
            refused.update(dict.fromkeys(places, NO_TEMPLATE))
        else:
            for chunk in self._chunks(places):
                rendered = self._render(self.tokenizer, prompts, chunk, refused)
                if rendered:
                    yield self._bulk(kind, rendered, complete=True)

    def _text_bodies(self, prompts: Sequence[Prompt]) -> Iterator[Body]:
        places = [place for place, prompt in enumerate(prompts) if not prompt.messages]
        if self.request == "chat":
            for place in places:
                yield Body("chat", (place,), (chat_messages([Message("user", prompts[place].text)]),))
            return
        kind = self._text_kind() if places else "text"
        for chunk in self._chunks(places):
            yield self._bulk(kind, {place: sendable(prompts[place].text) for place in chunk}, complete=False)

    def _chat_kind(self) -> Kind:
        if self.request != "auto":
            return FORMS[self.request]
        foreign = any(name in self.extra_body for name in CHAT_ONLY_FIELDS if name != "chat_template_kwargs")
        can_render = self.tokenizer is not None and self.tokenizer.has_template and not foreign
        if not can_render:
            return "chat"
        return "text" if isinstance(self.tokenizer, ServerChats) else "ids"

    def _text_kind(self) -> Kind:
        """Ids of raw prompts, if the tokenizer adds no tokens of its own. Servers differ in which tokens they add
        (`add_bos_token` and the like), and for a text the server decides."""
        if self.request != "auto":
            return FORMS[self.request]
        if isinstance(self.tokenizer, ServerChats):
            return "text"
        adds_none = self.tokenizer is not None and self.tokenizer.encode([""], add_special_tokens=True) == [
            []
        ]
        return "ids" if adds_none else "text"

    def _render(
        self,
        tokenizer: ChatTokenizer,
        prompts: Sequence[Prompt],
        places: Sequence[int],
        refused: dict[int, Failure],
    ) -> dict[int, str]:
        options = self.extra_body.get("chat_template_kwargs") or {}
        texts: dict[int, str] = {}
        chats = [prompts[place].messages for place in places]
        for place, text in zip(places, rendered(tokenizer, chats, options), strict=True):
            if isinstance(text, TemplateRefusal):
                refused[place] = Failure(Outcome.FAILED, str(text), Fault.ROW)
            else:
                texts[place] = text
        return texts

    def _bulk(self, kind: Kind, texts: Mapping[int, str], complete: bool) -> Body:
        """`complete` texts hold every special token already, so none may be added."""
        contents: tuple[Any, ...] = tuple(texts.values())
        if kind == "ids" and self.tokenizer is not None:
            contents = tuple(self.tokenizer.encode(contents, add_special_tokens=not complete))
        return Body(kind, tuple(texts), contents, add_special_tokens=kind == "ids" or not complete)

    def _chunks(self, places: Sequence[int]) -> Iterator[Sequence[int]]:
        length = self.prompts_per_request
        return (places[start : start + length] for start in range(0, len(places), length))
