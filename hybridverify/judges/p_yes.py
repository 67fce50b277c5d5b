"""P(yes): the share of the positive label in the probability of all labels, at the place of the label."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from hybridverify.errors import ConfigError
from hybridverify.judges.parse import Menu

_MIN_FRAGMENT = 2
"""Tokens such as " Cor" begin a single label; one letter could begin any word."""
_BLANKS = " \t\r\n▁Ġ"
_AROUND = _BLANKS + "\"'`*_.([{"
_MAX_KNOWN = 4096
"""The most tokens that a reader remembers: a judge's replies begin with the same few again and again."""


class LabelProbability(NamedTuple):
    """`p_yes` = yes / (yes + no), and `mass` = yes + no, where yes and no are the probabilities of the labels that
    the engine listed. `invalid` is that of labels such as CompassVerifier's C."""

    p_yes: float
    mass: float
    invalid: float = 0.0


def require_labels(menu: Menu | None, preset: str) -> None:
    """Raise ConfigError for a family whose P(yes) cannot be measured."""
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
    """P(yes) of a reply, or None if the place of its label is not found.

    The place is the first output token in label-only form, else the first label after the last `heading`. The
    probabilities of all spellings (capitals, leading space) are summed. A label outside the returned list counts as
    the smallest value of the list, or as the rest that the list leaves to 1 if that is less.

    >>> menu = Menu(correct=("True",), incorrect=("False",))
    >>> label_probability("True", [{"True": math.log(0.6), " true": math.log(0.2), "False": math.log(0.2)}], menu)
    LabelProbability(p_yes=0.8, mass=1.0, invalid=0.0)
    """
    return label_reader(menu, heading).probability(text, logprobs)


class LabelReader:
    """`label_probability` for one family. Looks up only once which label each token begins."""

    def __init__(self, menu: Menu, heading: str) -> None:
        self._kinds = (menu.correct, menu.incorrect, menu.invalid)
        self._heading = heading
        self._known: dict[str, tuple[int, ...]] = {}

    def probability(self, text: str, logprobs: Sequence[Mapping[str, float]]) -> LabelProbability | None:
        """See `label_probability`."""
        position = self._position(text, logprobs)
        if position is None:
            return None
        top = logprobs[position]
        values, (yes, no, invalid) = self._masses(top)
        seen = min(1.0, yes + no)
        if not (yes and no):
            unseen = min(min(values), max(0.0, 1.0 - math.fsum(values)))
            yes, no = yes or unseen, no or unseen
        p_yes = yes / (yes + no) if yes + no > 0.0 else 0.5
        return LabelProbability(round(p_yes, 12), round(seen, 12), round(invalid, 12) if invalid else 0.0)

    def _masses(self, top: Mapping[str, float]) -> tuple[list[float], tuple[float, ...]]:
        """The probability of each token, and of all that begin a positive, a negative and an invalid label."""
        values: list[float] = []
        masses: tuple[list[float], list[float], list[float]] = ([], [], [])
        for token, logprob in top.items():
            value = math.exp(logprob) if logprob < 0.0 else 1.0
            values.append(value)
            kinds = self._known.get(token)
            for kind in self._opened(token) if kinds is None else kinds:
                masses[kind].append(value)
        return values, tuple([math.fsum(mass) if len(mass) > 1 else sum(mass) for mass in masses])

    def _position(self, text: str, logprobs: Sequence[Mapping[str, float]]) -> int | None:
        at = text.casefold().rfind(self._heading.casefold()) if self._heading else -1
        if at < 0 and _begins_at_once(text, logprobs):
            return 0
        start = at + len(self._heading) if at >= 0 else 0
        for position, token in _tokens_from(text, logprobs, start):
            if not token.strip(_BLANKS):
                continue  # a line end before the label
            if at < 0 or self._opens_any(token):
                return position
        return None

    def _opens_any(self, token: str) -> bool:
        return _opens(token, [label for labels in self._kinds for label in labels], ())

    def _opened(self, token: str) -> tuple[int, ...]:
        """The indices in `_kinds` of the labels that the token begins."""
        found = []
        for kind, labels in enumerate(self._kinds):
            others = [label for other in range(3) if other != kind for label in self._kinds[other]]
            if _opens(token, labels, others):
                found.append(kind)
        if len(self._known) < _MAX_KNOWN:
            self._known[token] = tuple(found)
        return tuple(found)


@lru_cache(maxsize=64)
def label_reader(menu: Menu, heading: str) -> LabelReader:
    """The reader of a family. Its only state is what it has looked up."""
    return LabelReader(menu, heading)


def _begins_at_once(text: str, logprobs: Sequence[Mapping[str, float]]) -> bool:
    """Whether the first token is no blank. Any listed token with this text will do."""
    if not logprobs or not text[:1].strip(_BLANKS):
        return False
    return any(map(text.startswith, filter(None, logprobs[0])))


def _tokens_from(text: str, logprobs: Sequence[Mapping[str, float]], start: int) -> Iterator[tuple[int, str]]:
    """The output positions that end after the character `start`, each with its token in the text. A sequence that
    knows what was `written` is not read at every position."""
    written: Callable[[int], str] | None = getattr(logprobs, "written", None)
    offset = 0
    for position in range(len(logprobs)):
        token = written(position) if written is not None else ""
        if not token or not text.startswith(token, offset):
            token = _token_at(text, offset, logprobs[position])
        if not token:
            break
        if offset + len(token) > start:
            yield position, token[max(0, start - offset) :]
        offset += len(token)


def _token_at(text: str, offset: int, top: Mapping[str, float]) -> str:
    """The token by which the text goes on: the likeliest that fits. Engines may strip leading blanks."""
    likeliest = max(top, key=top.__getitem__, default="")
    if likeliest and text.startswith(likeliest, offset):
        return likeliest  # nearly always true, so no need to sort
    for token in sorted(top, key=lambda token: -top[token]):
        if token and text.startswith(token, offset):
            return token
        if offset == 0 and token.strip() and text.startswith(token.lstrip()):
            return token.lstrip()
    return ""


def _opens(token: str, labels: Sequence[str], others: Sequence[str]) -> bool:
    """Whether the token is one of the labels, or the beginning of exactly one."""
    word = token.strip(_AROUND).casefold()
    if word in (label.casefold() for label in labels):
        return True
    if len(word) < _MIN_FRAGMENT or any(other.casefold().startswith(word) for other in others):
        return False
    return any(label.casefold().startswith(word) for label in labels)
