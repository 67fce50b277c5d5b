"""P(yes): how much of the probability at the label's place lies on the positive label."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hybridverify.judges.parse import Menu

_MIN_FRAGMENT = 2
"""Tokens such as " Cor" open one label only; a single letter could open any word."""


@dataclass(frozen=True)
class LabelProbability:
    """`p_yes` = yes mass / (yes + no mass); `mass` = the share of all probability that was seen on labels."""

    p_yes: float
    mass: float


def label_probability(
    text: str, logprobs: Sequence[Mapping[str, float]], menu: Menu, heading: str = ""
) -> LabelProbability | None:
    """P(yes) of a reply, or None where its label's place cannot be found.

    The place is the first token with a letter after the last `heading`, else the first such token. Spellings
    (capitals, leading space) are summed. A label outside the returned list counts as the smallest value of
    the list, or as what the list leaves over if that is less.

    >>> menu = Menu(correct=("True",), incorrect=("False",))
    >>> label_probability("True", [{"True": math.log(0.6), " true": math.log(0.2), "False": math.log(0.2)}], menu)
    LabelProbability(p_yes=0.8, mass=1.0)
    """
    at = text.casefold().rfind(heading.casefold()) if heading else -1
    position = _position(text, logprobs, at + len(heading) if at >= 0 else 0)
    if position is None:
        return None
    top = logprobs[position]
    values = {token: math.exp(min(0.0, value)) for token, value in top.items()}
    yes, no = _mass(values, menu.correct, menu.incorrect), _mass(values, menu.incorrect, menu.correct)
    seen = yes + no
    unseen = min(min(values.values()), max(0.0, 1.0 - math.fsum(values.values())))
    yes, no = yes or unseen, no or unseen
    if yes + no <= 0.0:
        return LabelProbability(0.5, 0.0)
    return LabelProbability(round(yes / (yes + no), 12), round(min(1.0, seen), 12))


def _position(text: str, logprobs: Sequence[Mapping[str, float]], start: int) -> int | None:
    """The first output position at or after the character `start` whose token holds a letter."""
    offset = 0
    for position, top in enumerate(logprobs):
        if not top:
            return None
        token = _token_at(text, offset, top)
        if token is None:
            return None
        if offset + len(token) > start and any(map(str.isalnum, token[max(0, start - offset) :])):
            return position
        offset += len(token)
    return None


def _token_at(text: str, offset: int, top: Mapping[str, float]) -> str | None:
    """The token that the text goes on with: the likeliest that matches. Engines may strip leading blanks."""
    for token in sorted(top, key=lambda token: -top[token]):
        if token and text.startswith(token, offset):
            return token
        if offset == 0 and text.startswith(token.lstrip()):
            return token.lstrip()
    return None


def _mass(values: Mapping[str, float], labels: Sequence[str], others: Sequence[str]) -> float:
    return math.fsum(value for token, value in values.items() if _opens(token, labels, others))


def _opens(token: str, labels: Sequence[str], others: Sequence[str]) -> bool:
    """True when this token is one of the labels, or the beginning of one and of no other."""
    word = token.strip(" \t\r\n\"'`*_.([{▁Ġ").casefold()
    if word in (label.casefold() for label in labels):
        return True
    if len(word) < _MIN_FRAGMENT or any(other.casefold().startswith(word) for other in others):
        return False
    return any(label.casefold().startswith(word) for label in labels)
