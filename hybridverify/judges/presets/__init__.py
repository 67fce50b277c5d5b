"""The judge families that come with the library: one file each, with prompt and parser."""

from __future__ import annotations

from hybridverify.errors import ConfigError, did_you_mean
from hybridverify.judges.presets.base import Preset
from hybridverify.judges.presets.compass_verifier import COMPASS_VERIFIER, COMPASS_VERIFIER_COT
from hybridverify.judges.presets.general_verifier import GENERAL_VERIFIER
from hybridverify.judges.presets.generic import GENERIC, GENERIC_COT
from hybridverify.judges.presets.generic_small import GENERIC_SMALL
from hybridverify.judges.presets.master_rm import MASTER_RM
from hybridverify.judges.presets.rubric import RUBRIC
from hybridverify.judges.presets.tinyv import TINYV, TINYV_QWEN3, TINYV_QWEN3_THINK, TINYV_THINK
from hybridverify.judges.presets.xverify import XVERIFY

__all__ = ["PRESETS", "Preset", "preset"]

PRESETS: dict[str, Preset] = {
    family.name: family
    for family in (
        TINYV,
        TINYV_THINK,
        TINYV_QWEN3,
        TINYV_QWEN3_THINK,
        GENERAL_VERIFIER,
        COMPASS_VERIFIER,
        COMPASS_VERIFIER_COT,
        XVERIFY,
        MASTER_RM,
        RUBRIC,
        GENERIC,
        GENERIC_COT,
        GENERIC_SMALL,
    )
}
_MADE_ELSEWHERE = ("decisions", "translate", "embedded")
"""Presets of other kinds of judges, which have no prompt and parser here."""


def preset(name: str) -> Preset:
    """The preset of that name.

    >>> preset("tinyv").fields
    ('question', 'reference', 'answer')

    Raises ConfigError with the nearest name.
    """
    if name not in PRESETS:
        known = PRESETS if name in _MADE_ELSEWHERE else (*PRESETS, *_MADE_ELSEWHERE)
        raise ConfigError(f"no judge preset {name!r}; {did_you_mean(name, known)}")
    return PRESETS[name]
