"""Cut a response down to what was said to the user: after the thinking part, before any further turn.

Separate from extract.py because judges and checkers need the same cut, and the tags are a user's setting.
"""

from __future__ import annotations

from collections import deque

from hybridverify.language import expressions as re

THINKING_TAGS = ("<think>", "</think>")
"""Around the thinking part, unless a user sets others."""
_LEADING_TURN = re.compile(r"\s*<\|im_start\|>\s*assistant\s*\n")
# What follows such a token is another turn that the model made up, or an attempt to speak to a judge.
_END_OF_TURN = re.compile(
    r"<(?:\|(?:im_end|im_start|eot_id|start_header_id|end_of_text|endoftext|return|end)\|"
    r"|｜end▁of▁sentence｜|end_of_turn|/s)>"
)
_FINAL = re.compile(r"<\|channel\|>\s?final\b[^<\n]{0,80}<\|message\|>")
_CHANNEL = "<|channel|>"
_OTHER_TAGS = ("◁think▷", "◁/think▷")
"""Around the thinking part of models with signs of their own."""
_MAX_STRUCK = 400


def without_thinking(response: str, tags: tuple[str, str]) -> tuple[str, bool]:
    """The part after the last closing tag, and whether thinking was finished.

    A response may hold the closing tag alone: the opening one stood in the prompt. A part that was opened and
    not closed is dropped.

    >>> without_thinking("<think>4?</think>5", ("<think>", "</think>"))
    ('5', True)
    >>> without_thinking("Well. <think>it is 5", ("<think>", "</think>"))
    ('Well. ', False)
    >>> without_thinking("<|channel|>analysis<|message|>4?<|end|><|channel|>final<|message|>5", ("<think>", "</think>"))
    ('5', True)
    """
    if _CHANNEL in response:
        final = deque(_FINAL.finditer(response), maxlen=1)
        if not final:
            return "", False
        response = response[final[0].end() :]
    opening, closing = _OTHER_TAGS if any(map(response.__contains__, _OTHER_TAGS)) else tags
    begin = 0
    if closing:
        at = response.rfind(closing)
        begin = at + len(closing) if at >= 0 else 0
    reopened = response.find(opening, begin) if opening else -1
    end = reopened if reopened >= 0 else len(response)
    text = response[begin:end]
    if "<|" in text or "<｜" in text or "</s>" in text or "<end_of_turn>" in text:
        text = _own_turn(text)
    return text, reopened < 0


def _own_turn(text: str) -> str:
    leading = _LEADING_TURN.match(text)
    if leading:
        text = text[leading.end() :]
    for end in _END_OF_TURN.finditer(text):
        if end.group() != "</s>" or not _strikes(text, end.start(), end.end()):
            return text[: end.start()]
    return text


def _strikes(text: str, at: int, end: int) -> bool:
    """Whether `</s>` closes struck text and not the turn: it was opened, and more follows or precedes."""
    opened = text.rfind("<s>", max(0, at - _MAX_STRUCK), at)
    return opened >= 0 and bool(
        text[max(0, opened - _MAX_STRUCK) : opened].strip() or text[end : end + _MAX_STRUCK].strip()
    )
