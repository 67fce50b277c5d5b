"""P(yes): how much of the probability at the label's place lies on the positive label."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from hybridverify.errors import ConfigError
from hybridverify.judges.parse import Menu

_MIN_FRAGMENT = 2
"""Tokens such as " Cor" open one label only; a single letter could open any word."""
_BLANKS = " \t\r\n▁Ġ"
_AROUND = _BLANKS + "\"'`*_.([{"


@dataclass(frozen=True)
class LabelProbability:
    """`p_yes` = yes mass / (yes + no mass); `mass` = yes + no mass that was seen; `invalid` = that of labels
    such as CompassVerifier's C."""

    p_yes: float
    mass: float
    invalid: float = 0.0


def require_labels(menu: Menu | None, preset: str) -> None:
    """Refuse a family that P(yes) cannot be measured for. Raises ConfigError."""
    if menu is None:
        raise ConfigError(f"score: preset {preset!r} has no label at a fixed place, so it has no p_yes")
    for label in menu.correct:
        for other in menu.incorrect:
            if label.casefold().startswith(other.casefold()) or other.casefold().startswith(label.casefold()):
                raise ConfigError(
                    f"score: labels {label!r} and {other!r} begin alike, so p_yes cannot tell them apart"
                )


def label_probability(
    text: str, logprobs: Sequence[Mapping[str, float]], menu: Menu, heading: str = ""
) -> LabelProbability | None:
    """P(yes) of a reply, or None where its label's place cannot be found.

    The place is the first output token in label-only form, else the first label after the last `heading`.
    Spellings (capitals, leading space) are summed. A label outside the returned list counts as the smallest
    value of the list, or as what the list leaves over if that is less.

    >>> menu = Menu(correct=("True",), incorrect=("False",))
    >>> label_probability("True", [{"True": math.log(0.6), " true": math.log(0.2), "False": math.log(0.2)}], menu)
    LabelProbability(p_yes=0.8, mass=1.0, invalid=0.0)
    """
    position = _label_position(text, logprobs, menu, heading)
    if position is None:
        return None
    values = {token: math.exp(min(0.0, value)) for token, value in logprobs[position].items()}
    yes = _mass(values, menu.correct, (*menu.incorrect, *menu.invalid))
    no = _mass(values, menu.incorrect, (*menu.correct, *menu.invalid))
    invalid = _mass(values, menu.invalid, (*menu.correct, *menu.incorrect))
    seen = min(1.0, yes + no)
    unseen = min(min(values.values()), max(0.0, 1.0 - math.fsum(values.values())))
    yes, no = yes or unseen, no or unseen
    p_yes = yes / (yes + no) if yes + no > 0.0 else 0.5
    return LabelProbability(round(p_yes, 12), round(seen, 12), round(invalid, 12))


def _label_position(
    text: str, logprobs: Sequence[Mapping[str, float]], menu: Menu, heading: str
) -> int | None:
    at = text.casefold().rfind(heading.casefold()) if heading else -1
    start = at + len(heading) if at >= 0 else 0
    labels = (*menu.correct, *menu.incorrect, *menu.invalid)
    for position, token in _tokens_from(text, logprobs, start):
        if not token.strip(_BLANKS):
            continue  # a line end before the label
        if at < 0 or _opens(token, labels, ()):
            return position
    return None


def _tokens_from(text: str, logprobs: Sequence[Mapping[str, float]], start: int) -> list[tuple[int, str]]:
    """Output positions that end after the character `start`, each with the token that the text shows there."""
    offset, found = 0, []
    for position, top in enumerate(logprobs):
        token = _token_at(text, offset, top)
        if not token:
            break
        if offset + len(token) > start:
            found.append((position, token[max(0, start - offset) :]))
        offset += len(token)
    return found


def _token_at(text: str, offset: int, top: Mapping[str, float]) -> str:
    """The token that the text goes on with: the likeliest that matches. Engines may strip leading blanks."""
    for token in sorted(top, key=lambda token: -top[token]):
        if token and text.startswith(token, offset):
            return token
        if offset == 0 and token.strip() and text.startswith(token.lstrip()):
            return token.lstrip()
    return ""


def _mass(values: Mapping[str, float], labels: Sequence[str], others: Sequence[str]) -> float:
    return math.fsum(value for token, value in values.items() if _opens(token, labels, others))


@lru_cache(maxsize=4096)  # a judge's replies begin with the same few tokens again and again
def _opens(token: str, labels: Sequence[str], others: Sequence[str]) -> bool:
    """True when this token is one of the labels, or the beginning of one and of no other."""
    word = token.strip(_AROUND).casefold()
    if word in (label.casefold() for label in labels):
        return True
    if len(word) < _MIN_FRAGMENT or any(other.casefold().startswith(word) for other in others):
        return False
    return any(label.casefold().startswith(word) for label in labels)
