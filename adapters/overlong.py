"""DAPO's penalty for responses that come near their longest length, as verl's own `dapo` managers subtract it (soft
overlong punishment; Yu et al., 2025, arXiv 2503.14476).

    overlong_buffer_cfg={enable: true, len: 4096, penalty_factor: 1.0, log: true}  max_resp_len=20480

Nothing is subtracted up to `max_resp_len - len` tokens. From there it grows linearly to `penalty_factor` at
`max_resp_len`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hybridverify.errors import ConfigError, did_you_mean
from hybridverify.types import Grade

NAME = "overlong_buffer_cfg"
KEYS = ("enable", "len", "penalty_factor", "log")


@dataclass(frozen=True)
class Overlong:
    """`log` adds two columns to every row, as in verl: `overlong_reward` and `overlong`."""

    buffer_tokens: int
    max_tokens: int
    factor: float = 1.0
    log: bool = False

    def penalty(self, tokens: int) -> float:
        """The penalty for a response of that many tokens, 0 or less. Computed in the 32 bits of verl's tensors, in
        the same steps, so that the last digit is the same.

        >>> Overlong(4, 10).penalty(8), Overlong(4, 10).penalty(6)
        (-0.5, 0.0)
        """
        exceeding = tokens - (self.max_tokens - self.buffer_tokens)
        if exceeding <= 0:
            return 0.0
        share = np.float32(-exceeding) / np.float32(self.buffer_tokens)
        return min(float(share * np.float32(self.factor)), 0.0)

    def penalties(self, tokens: Sequence[int], grades: Sequence[Grade]) -> list[float]:
        """One penalty for each row. A row without a grade has none."""
        return [
            self.penalty(count) if grade.graded else 0.0 for count, grade in zip(tokens, grades, strict=True)
        ]

    def columns(self, penalties: Sequence[float]) -> dict[str, list[Any]]:
        """The columns of `log`, with verl's names."""
        if not self.log:
            return {}
        return {"overlong_reward": list(penalties), "overlong": [penalty < 0 for penalty in penalties]}


def less(score: float, penalty: float) -> float:
    """A score with its penalty, added as verl's tensors are.

    >>> less(1.0, -0.5), less(0.1, 0.0)
    (0.5, 0.1)
    """
    return float(np.float32(score) + np.float32(penalty)) if penalty else score


def make_overlong(settings: Mapping[str, Any] | None, max_tokens: Any) -> Overlong | None:
    """The penalty from options with verl's names; None if it is off. Raises ConfigError."""
    if settings is None or settings == {}:
        return None
    _check_keys(settings)
    log = settings.get("log") or False
    for key, value in (("enable", settings.get("enable")), ("log", log)):
        if not isinstance(value, bool):
            raise ConfigError(f"{NAME}.{key}: expected true or false, got {value!r}")
    if not settings["enable"]:
        return None
    factor = settings.get("penalty_factor", 1.0)
    if isinstance(factor, bool) or not isinstance(factor, (int, float)) or not 0 <= factor < float("inf"):
        raise ConfigError(f"{NAME}.penalty_factor: expected a number from 0, got {factor!r}")
    length = _tokens(f"{NAME}.len", settings.get("len"))
    if _tokens("max_resp_len", max_tokens) < length:
        raise ConfigError(f"max_resp_len: {max_tokens} is less than {NAME}.len, {length}")
    return Overlong(length, int(max_tokens), float(factor), log)


def _check_keys(settings: object) -> None:
    if not isinstance(settings, Mapping):
        raise ConfigError(f"{NAME}: expected {', '.join(KEYS)}, got {settings!r}")
    for key in settings:
        if key not in KEYS:
            raise ConfigError(f"{NAME}.{key}: no such key; {did_you_mean(str(key), KEYS)}")


def completed(given: Mapping[str, Any], data: Any, *sections: Any) -> dict[str, Any]:
    """The options, with values from other sections of verl's configuration: in DAPO's recipe `overlong_buffer` stands
    in the `reward_model` section, and the longest response in the `data` section."""
    options = dict(given)
    typed = [section.get("overlong_buffer") for section in sections if section.get("overlong_buffer")]
    if NAME not in options and typed:
        options[NAME] = typed[0]
    if options.get(NAME) and options.get("max_resp_len") is None and data.get("max_response_length"):
        options["max_resp_len"] = data.get("max_response_length")
    return options


def _tokens(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ConfigError(f"{name}: expected a number of tokens from 1, got {value!r}")
    return value
