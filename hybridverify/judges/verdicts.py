"""From an engine's answer to a verdict: pure, without engine and state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from hybridverify.errors import ConfigError
from hybridverify.judges.base import Failure, Reply
from hybridverify.judges.p_yes import LabelProbability, label_reader
from hybridverify.judges.parse import Reading, unparseable
from hybridverify.judges.presets.base import Preset
from hybridverify.judges.scores import scored
from hybridverify.types import CORRECT, INCORRECT, Outcome, Verdict

Said = tuple[tuple[str, ...], tuple[str, ...]]
"""Texts and finish reasons of a reply, on which its label depends."""
_HALF_REPLY = 1000
"""Characters kept of both ends of a reply: `agree` holds the verdicts of all rows in memory."""
_MIN_MASS = 0.5
"""Below this mass the engine was about to write something other than a label."""


@dataclass(frozen=True)
class Scoring:
    """How a judge's verdict is made: by its label, or by P(yes) and a threshold.

    With `score="p_yes"` the score is the probability itself. `abstain` is the band in which nothing is decided.
    """

    score: str = "label"
    threshold: float = 0.5
    abstain: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        if self.score not in ("label", "p_yes"):
            raise ConfigError(f"score: expected 'label' or 'p_yes', got {self.score!r}")
        if not 0.0 <= self.threshold <= 1.0:
            raise ConfigError(f"threshold: expected a number in [0, 1], got {self.threshold!r}")
        if self.abstain is not None:
            if len(self.abstain) != 2 or not 0.0 <= self.abstain[0] <= self.abstain[1] <= 1.0:
                raise ConfigError(f"abstain: expected [low, high] within [0, 1], got {list(self.abstain)!r}")
            if self.score != "p_yes":
                raise ConfigError("abstain: needs score: p_yes")


def verdict(preset: Preset, scoring: Scoring, source: str, reply: Reply | Failure) -> Verdict:
    """The verdict of one reply. The caller, who knows the question, fills `Verdict.answer`."""
    return verdicts(preset, scoring, source, [reply])[0]


def verdicts(
    preset: Preset, scoring: Scoring, source: str, replies: Sequence[Reply | Failure]
) -> list[Verdict]:
    """The verdict of each reply. Equal replies are read once and share one verdict."""
    reader = label_reader(preset.menu, preset.heading) if preset.menu is not None else None
    by_label = scoring.score == "label"
    readings: dict[Said, Reading] = {}
    made: dict[tuple[Said, float, LabelProbability | None], Verdict] = {}
    found = []
    for reply in replies:
        if isinstance(reply, Failure):
            found.append(Verdict(reply.outcome, 0.0, source, "", reply.reason, fault=reply.fault))
            continue
        probability = None
        if reader is not None and reply.logprobs and reply.texts:
            probability = reader.probability(reply.texts[0], reply.logprobs)
            if not by_label:
                reading = _by_probability(scoring, probability)
                found.append(_verdict(source, reading, reply, probability))
                continue
        said = (tuple(reply.texts), tuple(reply.finish_reasons))
        same = (said, reply.seconds, probability)
        if same not in made:
            if said not in readings:
                readings[said] = _by_label(preset, *said) if by_label else _by_probability(scoring, None)
            made[same] = _verdict(source, readings[said], reply, probability)
        found.append(made[same])
    return found


def _verdict(source: str, reading: Reading, reply: Reply, found: LabelProbability | None) -> Verdict:
    p_yes, mass = (found.p_yes, found.mass) if found else (-1.0, -1.0)
    return Verdict(
        reading.outcome,
        reading.score,
        source,
        "",
        reading.reason,
        False,
        reply.seconds,
        p_yes,
        mass,
        reply=_readable(reply.texts),
    )


def _readable(texts: Sequence[str]) -> str:
    """What the judge wrote, for people: several draws one below the other, cut in the middle."""
    text = "\n\n".join(texts)
    return text if len(text) <= 2 * _HALF_REPLY else f"{text[:_HALF_REPLY]} … {text[-_HALF_REPLY:]}"


def _by_label(preset: Preset, texts: tuple[str, ...], finish_reasons: tuple[str, ...]) -> Reading:
    reasons = [*finish_reasons, *[""] * len(texts)]
    readings = [
        preset.parse(text, cut=reason == "length") for text, reason in zip(texts, reasons, strict=False)
    ]
    if len(readings) == 1:
        return readings[0]
    return mean(readings) if preset.says == "score" else vote(readings)


def mean(readings: list[Reading]) -> Reading:
    """Several draws of one rubric as one reading: the mean of the readable ones."""
    scores = [reading.score for reading in readings if reading.outcome is not Outcome.UNPARSEABLE]
    return scored(sum(scores) / len(scores), f"mean of {len(scores)} draws") if scores else _none(readings)


def vote(readings: list[Reading]) -> Reading:
    """Several draws of one judge as one reading: the outcome that most of the readable ones share."""
    parsed = [reading for reading in readings if reading.outcome is not Outcome.UNPARSEABLE]
    if not parsed:
        return _none(readings)
    counts = Counter(reading.outcome for reading in parsed).most_common()
    share = f"{counts[0][1]} of {len(parsed)} draws"
    if len(counts) > 1 and counts[0][1] == counts[1][1]:
        return Reading(Outcome.UNDECIDED, 0.0, f"tie: {share} say {counts[0][0]}, as many {counts[1][0]}")
    return Reading(counts[0][0], float(counts[0][0] is Outcome.CORRECT), f"{share} say {counts[0][0]}")


def _none(readings: list[Reading]) -> Reading:
    return readings[0] if readings else unparseable("the engine gave no text")


def _by_probability(scoring: Scoring, found: LabelProbability | None) -> Reading:
    if found is None:
        return unparseable("no log-probabilities at the label's place")
    if found.invalid > max(found.mass, _MIN_MASS):
        return Reading(Outcome.INVALID, 0.0, f"P(no usable answer) = {found.invalid:.3f}")
    if found.mass < _MIN_MASS:
        return unparseable(f"only {found.mass:.2f} of the probability lies on the labels")
    reason = f"P(yes) = {found.p_yes:.3f}"
    if scoring.abstain is not None and scoring.abstain[0] <= found.p_yes <= scoring.abstain[1]:
        return Reading(Outcome.UNDECIDED, 0.0, f"{reason} lies in the band of no verdict")
    outcome = CORRECT if found.p_yes >= scoring.threshold else INCORRECT
    return Reading(outcome, found.p_yes, reason)
