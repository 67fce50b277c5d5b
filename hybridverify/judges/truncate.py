"""Makes prompts fit a judge's context. Only the response is shortened, from its start, and the cut is marked.

Question, reference and instructions are never cut. The end of a response holds its answer, so the end is kept,
measured in the engine's own tokens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from hybridverify.judges.base import Prompt
from hybridverify.judges.presets.base import Preset
from hybridverify.types import Outcome, Verdict

CUT_MARK = "[... the beginning is left out ...]\n"
_MIN_TAIL_TOKENS = 32
"""In tokens. A shorter end would not show the answer, so there is no verdict then."""
_MESSAGE_TOKENS = 8
_DEFAULT_SYSTEM_TOKENS = 48
"""Tokens. Some chat templates add a system message of their own."""
_ROUNDS = 6


class Counts(Protocol):
    """An engine that can count its tokens."""

    def count_tokens(self, texts: Sequence[str]) -> list[int]: ...


@dataclass(frozen=True)
class Limits:
    """The limits of a prompt in tokens; 0 is no limit. `context_tokens` holds prompt and output together."""

    context_tokens: int = 0
    response_tokens: int = 0


@dataclass(frozen=True)
class _Job:
    index: int
    values: Mapping[str, str]
    shown: str
    room: int


def fit(
    preset: Preset,
    rows: Sequence[Mapping[str, str] | Verdict],
    backend: Counts,
    limits: Limits,
    max_tokens: int,
) -> list[Prompt | Verdict]:
    """A prompt for each row, or a verdict with the reason why none fits. A verdict among the rows stays."""
    asked = [row for row in rows if not isinstance(row, Verdict)]
    fitted = iter(_fitted(preset, asked, backend, limits, max_tokens))
    return [row if isinstance(row, Verdict) else _or_verdict(next(fitted)) for row in rows]


def _or_verdict(fitted: Prompt | str) -> Prompt | Verdict:
    return fitted if isinstance(fitted, Prompt) else Verdict(Outcome.TOO_LONG, reason=fitted)


def _fitted(
    preset: Preset, rows: Sequence[Mapping[str, str]], backend: Counts, limits: Limits, max_tokens: int
) -> list[Prompt | str]:
    """A prompt for each row, or the reason why none fits."""
    prompts: list[Prompt | str] = [preset.render(row) for row in rows]
    budget = _budget(preset, limits, max_tokens)
    jobs = _too_long(preset, rows, prompts, backend, limits, budget)
    for _ in range(3):  # the end is measured alone: inside the prompt it may have a few tokens more
        if not jobs:
            break
        jobs = _shorten(preset, jobs, prompts, backend, budget, limits)
    for job in jobs:
        prompts[job.index] = _refusal(limits)
    return prompts


def _budget(preset: Preset, limits: Limits, max_tokens: int) -> int:
    """The tokens left for the texts of a prompt; 0 if the context is unknown."""
    if not limits.context_tokens:
        return 0
    overhead = _MESSAGE_TOKENS
    if preset.form == "chat":
        overhead += _MESSAGE_TOKENS if preset.system else _DEFAULT_SYSTEM_TOKENS
        overhead += 2 * len(preset.examples) * _MESSAGE_TOKENS
    return max(1, limits.context_tokens - max_tokens - overhead)


def _too_long(
    preset: Preset,
    rows: Sequence[Mapping[str, str]],
    prompts: list[Prompt | str],
    backend: Counts,
    limits: Limits,
    budget: int,
) -> list[_Job]:
    """The rows to be shortened, each with the tokens left for its response."""
    name = _shown_field(preset)
    suspects = _suspects([row[name] for row in rows], prompts, limits, budget)
    if not suspects:
        return []
    wholes = [_text(prompts[index]) for index in suspects]
    sizes = _sizes(wholes, [rows[index] for index in suspects], preset, backend)
    jobs = []
    for index, (whole, frame, shown) in zip(suspects, sizes, strict=True):
        over = 0 < budget < whole
        room = _room(budget - frame if over else shown, shown, limits)
        if room < min(shown, _MIN_TAIL_TOKENS):
            prompts[index] = _refusal(limits)
        elif room < shown or over:
            jobs.append(_Job(index, rows[index], rows[index][name], room))
    return jobs


def _sizes(
    wholes: Sequence[str], rows: Sequence[Mapping[str, str]], preset: Preset, backend: Counts
) -> list[tuple[int, int, int]]:
    """The tokens of each prompt, of its frame, and of the response in it. All are counted at once."""
    name, number = _shown_field(preset), len(rows)
    frames = [_text(preset.render({**row, name: CUT_MARK})) for row in rows]
    counts = backend.count_tokens([*wholes, *frames, *(row[name] for row in rows)])
    return [(counts[at], counts[at + number], counts[at + 2 * number]) for at in range(number)]


def _room(left: int, shown: int, limits: Limits) -> int:
    """Tokens that a response may have."""
    limited = limits.response_tokens and shown > limits.response_tokens
    return min(left, limits.response_tokens) if limited else left


def _suspects(
    shown: Sequence[str], prompts: Sequence[Prompt | str], limits: Limits, budget: int
) -> list[int]:
    """The rows that may be too long. No tokenizer makes more tokens than bytes, so short texts need no counting."""
    return [
        index
        for index, (text, prompt) in enumerate(zip(shown, prompts, strict=True))
        if (budget and _bytes(_text(prompt)) > budget)
        or (limits.response_tokens and _bytes(text) > limits.response_tokens)
    ]


def _shorten(
    preset: Preset,
    jobs: Sequence[_Job],
    prompts: list[Prompt | str],
    backend: Counts,
    budget: int,
    limits: Limits,
) -> list[_Job]:
    """Put shortened prompts in place. Returns the jobs whose prompt is still too long, with fewer tokens."""
    name = _shown_field(preset)
    for job, tail in zip(
        jobs, tails([job.shown for job in jobs], [job.room for job in jobs], backend), strict=True
    ):
        prompts[job.index] = preset.render({**job.values, name: CUT_MARK + tail})
    counts = backend.count_tokens([_text(prompts[job.index]) for job in jobs])
    left = []
    for job, count in zip(jobs, counts, strict=True):
        if budget and count > budget:
            room = job.room - (count - budget) - _MESSAGE_TOKENS
            if room < _MIN_TAIL_TOKENS:
                prompts[job.index] = _refusal(limits)
            else:
                left.append(replace(job, room=room))
    return left


class _Search:
    """The search for the longest end of a text that fits."""

    def __init__(self, text: str, room: int) -> None:
        self.text, self.room = text, room
        self.fitting = 0
        """Characters known to fit."""
        self.excess = len(text)
        """Characters that do not fit, or are taken not to fit."""
        self.guess = min(len(text), 4 * room)

    def end(self, length: int) -> str:
        return self.text[len(self.text) - length :]

    def learn(self, tokens: int) -> bool:
        """Take in the tokens of the guess, and guess again. Whether the next guess is worth a count."""
        if tokens <= self.room:
            self.fitting = self.guess
        else:
            self.excess = self.guess
        better = (
            self.guess * self.room * 49 // (50 * max(tokens, 1))
        )  # a fiftieth less: counts are not linear
        self.guess = better if self._is_between(better) else (self.fitting + self.excess) // 2
        is_close = self.room * 9 <= tokens * 10 and tokens <= self.room
        return not is_close and self._is_between(self.guess)

    def _is_between(self, length: int) -> bool:
        return self.fitting < length < self.excess


def tails(texts: Sequence[str], rooms: Sequence[int], backend: Counts) -> list[str]:
    """The longest end of each text that takes at most this many tokens, to within a tenth."""
    searches = [_Search(text, room) for text, room in zip(texts, rooms, strict=True)]
    active = searches
    for _ in range(_ROUNDS):
        counts = backend.count_tokens([one.end(one.guess) for one in active])
        active = [one for one, count in zip(active, counts, strict=True) if one.learn(count)]
        if not active:
            break
    return [one.end(one.fitting) for one in searches]


def _shown_field(preset: Preset) -> str:
    return "response" if "response" in preset.fields else "answer"


def _text(prompt: Prompt | str) -> str:
    if isinstance(prompt, str):
        return prompt
    return prompt.text or "\n".join([message.content for message in prompt.messages])


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def _refusal(limits: Limits) -> str:
    return f"the prompt does not fit the judge's context of {limits.context_tokens} tokens"
