"""Cut a response down to what was said to the user: after the thinking part, before any further turn.

Separate from extract.py because judges and checkers need the same cut, and the tags are a user's setting.
"""

from __future__ import annotations

from hybridverify.language import expressions as re

THINKING_TAGS = ("<think>", "</think>")
"""Around the thinking part, unless a user sets others."""
# What follows such a token is another turn that the model made up, or an attempt to speak to a judge.
_END_OF_TURN = re.compile(
    r"<(?:\|(?:im_end|im_start|eot_id|start_header_id|end_of_text|endoftext|return|end)\|"
    r"|｜end▁of▁sentence｜|end_of_turn|/s)>"
)
_CHANNEL, _MESSAGE = "<|channel|>", "<|message|>"
_MAX_HEADER = 100
_OWN_TURN = "<|im_start|>assistant"
_OTHER_TAGS = ("◁think▷", "◁/think▷")
"""Around the thinking part of models with signs of their own."""
_TURNS = ("<|", "</s>", "<end_of_turn>", "<｜")
_MAX_STRUCK = 400


def may_be_cut(response: str) -> bool:
    """A quick look for the usual tags, for the end of a turn and for comments: `<<4*5=20>>` and `x < 3` are none."""
    if "<|" in response or "</" in response or "<!--" in response or "<end_of_turn>" in response:
        return True
    return "<think>" in response or "<｜" in response


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
    if "<|" in response and _CHANNEL in response:
        final = _final_message(response)
        if final < 0:
            return "", False
        response = response[final:]
    opening, closing = tags if response.isascii() else _tags_of(response, tags)
    at = response.rfind(closing) if closing else -1
    begin = at + len(closing) if at >= 0 else 0
    reopened = response.find(opening, begin) if opening else -1
    end = reopened if reopened >= 0 else len(response)
    text = response[begin:end]
    return (_own_turn(text) if _may_hold_turns(text) else text), reopened < 0


def _may_hold_turns(text: str) -> bool:
    """A quick look for the signs between turns."""
    return "<" in text and any(map(text.__contains__, _TURNS))


def _tags_of(response: str, tags: tuple[str, str]) -> tuple[str, str]:
    return _OTHER_TAGS if any(map(response.__contains__, _OTHER_TAGS)) else tags


def _final_message(response: str) -> int:
    """Where the last message of the channel "final" begins, -1 where there is none."""
    at = len(response)
    while (at := response.rfind(_CHANNEL, 0, at)) >= 0:
        begin = at + len(_CHANNEL)
        end = response.find(_MESSAGE, begin, begin + _MAX_HEADER)
        header = response[begin:end] if end >= 0 else ""
        if header.split()[:1] == ["final"] and "<" not in header and "\n" not in header:
            return end + len(_MESSAGE)
    return -1


def _own_turn(text: str) -> str:
    first, line_end, rest = text.lstrip().partition("\n")
    if line_end and "".join(first.split()) == _OWN_TURN:
        text = rest
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
