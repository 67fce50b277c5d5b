"""Which replies are asked for once more, and how. Only unreadable replies are: after a failure the engine itself
retries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hybridverify.judges.base import Failure, Reply, Sampling
from hybridverify.judges.parse import final_part
from hybridverify.judges.presets import Preset
from hybridverify.judges.verdicts import Scoring
from hybridverify.types import Outcome, Verdict

_TEMPERATURE = 0.3


def second_calls(
    preset: Preset,
    scoring: Scoring,
    sampling: Sampling,
    replies: Sequence[Reply | Failure],
    verdicts: Sequence[Verdict],
) -> list[tuple[Sampling, list[int]]]:
    """The rows to ask again, with their sampling. Reasoning that was cut gets twice the tokens; any other unreadable
    reply is drawn at a higher temperature."""
    unread = [
        row
        for row, (reply, verdict) in enumerate(zip(replies, verdicts, strict=True))
        if verdict.outcome is Outcome.UNPARSEABLE and _may_change(preset, scoring, reply)
    ]
    cut = [row for row in unread if _was_cut(preset, replies[row])]
    longer = replace(sampling, max_tokens=2 * sampling.max_tokens)
    warmer = replace(sampling, temperature=max(sampling.temperature, _TEMPERATURE))
    plans = ((longer, cut), (warmer, sorted(set(unread) - set(cut))))
    return [(how, rows) for how, rows in plans if rows]


def _was_cut(preset: Preset, reply: Reply | Failure) -> bool:
    """Whether reasoning ended at the most tokens."""
    thought = any(final_part(text) is None for text in getattr(reply, "texts", ()))
    reasons = bool(preset.heading) or preset.thinks or preset.says == "score" or thought
    return reasons and "length" in getattr(reply, "finish_reasons", ())


def _may_change(preset: Preset, scoring: Scoring, reply: Reply | Failure) -> bool:
    """False if a second reply would be like the first: P(yes) at a first token does not depend on the temperature,
    and an engine that gave no log-probabilities will give none."""
    if scoring.score == "label":
        return True
    return bool(preset.heading) and bool(getattr(reply, "logprobs", ()))
