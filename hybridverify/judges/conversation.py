"""The default input of a reward model: the conversation of question and response, with or without a critique.

It has the interface of a preset's prompt, so that limits, cutting and escaping are those of every other judge.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hybridverify.judges.base import Message, Prompt
from hybridverify.judges.parse import Reading, unparseable
from hybridverify.judges.presets.base import Preset
from hybridverify.judges.template import CRITIQUE, Template


@dataclass(frozen=True)
class Conversation(Preset):
    """The question as the user's turn, the response as the assistant's, and a critique after the response."""

    def render(self, values: Mapping[str, str]) -> Prompt:
        """See `Preset`."""
        safe = {name: self.safe(name, values[name]) for name in self.fields}
        said = safe["response"]
        if safe.get(CRITIQUE):
            said = f"{said}\n\n{safe[CRITIQUE]}"
        return Prompt(messages=(Message("user", safe["question"]), Message("assistant", said)))


def conversation(with_critique: bool) -> Conversation:
    """The default of a `classifier` judge."""
    slots = "{question}{response}" + (f"{{{CRITIQUE}}}" if with_critique else "")
    return Conversation(
        name="conversation",
        version=1,
        parser_version=1,
        summary="question and response by the reward model's own chat template",
        form="chat",
        template=Template.parse(slots),
        read=_unread,
    )


def _unread(text: str) -> Reading:
    return unparseable("a reward model gives scores, not texts")
