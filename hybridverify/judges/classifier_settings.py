"""Settings of a `classifier` judge: the text that is scored, and how class scores become a verdict."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from hybridverify.errors import ConfigError, Fault
from hybridverify.judges.conversation import conversation
from hybridverify.judges.presets.base import Preset
from hybridverify.judges.template import CRITIQUE
from hybridverify.types import Outcome, Verdict

ACTIVATIONS = ("sigmoid", "none")


@dataclass(frozen=True)
class ClassScore:
    """How the raw scores of a model become a verdict.

    A Bradley-Terry model has one raw score s, and P(right) = sigmoid(s) = 1 / (1 + exp(-s)) (Bradley and Terry,
    1952). With several classes s is the log-odds of the `positive` one, so that its sigmoid is that class's softmax.

    >>> round(ClassScore().verdict([0.0, 2.0]).score, 3), ClassScore("none").verdict([-3.5]).score
    (0.881, -3.5)
    """

    activation: str = "sigmoid"
    threshold: float | None = None
    positive: int = 1

    def __post_init__(self) -> None:
        if self.activation not in ACTIVATIONS:
            raise ConfigError(f"activation: expected sigmoid or none, got {self.activation!r}")
        if isinstance(self.positive, bool) or not isinstance(self.positive, int) or self.positive < 0:
            raise ConfigError(f"positive: expected the number of a class, from 0 on, got {self.positive!r}")
        if self.threshold is not None and not _is_number(self.threshold):
            raise ConfigError(f"threshold: expected a finite number, got {self.threshold!r}")
        if self.activation == "sigmoid" and not 0.0 <= self.limit <= 1.0:
            raise ConfigError(
                f"threshold: sigmoid scores lie within [0, 1], got {self.threshold!r}; for raw ones: activation: none"
            )

    @property
    def limit(self) -> float:
        """The score from which a row is correct."""
        if self.threshold is not None:
            return float(self.threshold)
        return 0.5 if self.activation == "sigmoid" else 0.0

    def identity(self) -> dict[str, Any]:
        """The settings, for the cache key."""
        return {**asdict(self), "threshold": self.limit}

    def verdict(self, logits: Sequence[float]) -> Verdict:
        """The verdict on one row, from its raw scores, one number for each class."""
        if not logits or not all(map(math.isfinite, logits)):
            return Verdict(Outcome.FAILED, reason="the reward model gave no finite score", fault=Fault.ROW)
        if len(logits) > 1 and self.positive >= len(logits):
            reason = f"positive is class {self.positive}, the model has {len(logits)}"
            return Verdict(Outcome.FAILED, reason=reason, fault=Fault.SETTINGS)
        raw = log_odds(logits, self.positive)
        if self.activation == "none":
            return Verdict(self._outcome(raw), raw, reason=f"score {raw:.3f}")
        share = sigmoid(raw)
        return Verdict(self._outcome(share), share, reason=f"score {share:.3f}", p_yes=share, p_mass=1.0)

    def _outcome(self, score: float) -> Outcome:
        return Outcome.CORRECT if score >= self.limit else Outcome.INCORRECT


def log_odds(logits: Sequence[float], positive: int) -> float:
    """The raw score of a model with one class, else the log-odds of the positive one.

    >>> log_odds([1.5], 1), log_odds([0.0, 2.0], 1), log_odds([0.0, 2.0], 0)
    (1.5, 2.0, -2.0)
    """
    if len(logits) == 1:
        return float(logits[0])
    others = [value for place, value in enumerate(logits) if place != positive]
    top = max(others)
    return float(logits[positive] - top - math.log(math.fsum(math.exp(value - top) for value in others)))


def sigmoid(value: float) -> float:
    """1 / (1 + exp(-value)), without overflow.

    >>> sigmoid(0.0), sigmoid(-1000.0), sigmoid(1000.0)
    (0.5, 0.0, 1.0)
    """
    if value >= 0.0:
        return 1.0 / (1.0 + math.exp(-value))
    odds = math.exp(value)
    return odds / (1.0 + odds)


def chosen_form(template_file: str | None, has_critic: bool) -> Preset:
    """The form of the scored text: a user's template, else the conversation. Raises ConfigError."""
    if template_file is None:
        return conversation(has_critic)
    from hybridverify.judges.template_file import load_template

    form = load_template(template_file)
    if has_critic and CRITIQUE not in form.fields:
        raise ConfigError(f"template_file {template_file}: the field {{critique}} is missing")
    if not has_critic and CRITIQUE in form.fields:
        raise ConfigError(f"template_file {template_file}: {{critique}} needs a critique: entry")
    return form


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
