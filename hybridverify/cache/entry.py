"""Which verdicts are stored, and how one is written: a checksum and a JSON object, as one short JSON text.

`decode` trusts nothing: only an entry that `encode` wrote under the same key gives a verdict. A damaged entry is
asked again and never guessed at.
"""

from __future__ import annotations

import json
import math
import zlib
from typing import Any, NoReturn

from hybridverify.types import Outcome, Verdict

RULE_STAGE = "rule"
JUDGE_STAGE = "judge"
TRANSLATION_STAGE = "translation"

MAX_ENTRY_CHARS = 1_000_000
"""In characters. Longer entries are neither stored nor read; a usual one has about 150."""

FINAL = frozenset({Outcome.CORRECT, Outcome.INCORRECT, Outcome.PARTIAL, Outcome.INVALID})

CLOCK_WORDS = ("time", "deadline", "worker", "memory", "unavailable")
"""A rule's `undecided` with one of these words in its reason may be decided on an idle machine. If a word is there by
chance, that costs one computation; a verdict stored by mistake would be used for ever."""

_TEXTS = ("source", "answer", "reason")
_NUMBERS = ("score", "p_yes", "p_mass")
_FIELDS = frozenset({"outcome", *_TEXTS, *_NUMBERS})
_DUMP = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
_DUMP_ASCII = json.JSONEncoder(allow_nan=False, separators=(",", ":")).encode


def storable(verdict: Verdict, stage: str) -> bool:
    """Whether the verdict would be the same if it were asked again, or was paid for and read.

    Stored: correct, incorrect, partial, invalid; a rule's undecided, unless time or the machine was the cause; a
    judge's undecided with a P(yes), which lies in the abstain band; an undecided that holds a translation. Not
    stored: failed, timed_out, unparseable, too_long (another server or a longer context may answer), a panel's tie,
    bad_reference, skipped.

    >>> storable(Verdict(Outcome.CORRECT, 1.0), "judge"), storable(Verdict(Outcome.FAILED), "judge")
    (True, False)
    """
    if verdict.outcome in FINAL:
        return True
    if verdict.outcome is not Outcome.UNDECIDED:
        return False
    if stage == TRANSLATION_STAGE:
        return True
    if stage == RULE_STAGE:
        return not any(word in verdict.reason.lower() for word in CLOCK_WORDS)
    return verdict.p_yes >= 0.0


def encode(key: str, verdict: Verdict) -> str:
    """The stored text, or "" if the verdict could not be read back unchanged.

    `cached` and `seconds` belong to one run and are left out.
    """
    try:
        body = _body(to_record(verdict))
    except (TypeError, ValueError):  # a NumPy scalar as score, NaN as p_yes, half of a surrogate pair
        return ""
    entry = f'["{_checksum(key, body)}",{body}]'
    return entry if len(entry) <= MAX_ENTRY_CHARS else ""


def decode(key: str, entry: object) -> Verdict | None:
    """The verdict stored under `key`, or None (a miss) if `encode` did not write this `entry` there."""
    if not isinstance(entry, str) or not 15 < len(entry) <= MAX_ENTRY_CHARS:
        return None
    checksum, body = entry[2:10], entry[12:-1]
    if entry[:2] != '["' or entry[10:12] != '",' or entry[-1] != "]" or checksum != _checksum(key, body):
        return None
    try:
        return from_record(json.loads(body, parse_constant=_refuse))
    except (ValueError, TypeError, OverflowError, RecursionError):
        return None


def to_record(verdict: Verdict) -> dict[str, Any]:
    """The stored fields, in the form of an export.

    >>> to_record(Verdict(Outcome.INCORRECT, 0.0, "rule:exact", "7"))["answer"]
    '7'
    """
    return {
        "outcome": verdict.outcome.value,
        "score": verdict.score,
        "source": verdict.source,
        "answer": verdict.answer,
        "reason": verdict.reason,
        "p_yes": verdict.p_yes,
        "p_mass": verdict.p_mass,
    }


def from_record(record: object) -> Verdict:
    """The verdict of a record, marked `cached`. Raises ValueError or TypeError if a field is missing or wrong."""
    if not isinstance(record, dict) or record.keys() != _FIELDS:
        raise ValueError("not the fields of a verdict")
    if not all(isinstance(record[name], str) for name in _TEXTS):
        raise TypeError("a text field holds no text")
    if not all(type(record[name]) in (int, float) and math.isfinite(record[name]) for name in _NUMBERS):
        raise TypeError("a number field holds no finite number")
    return Verdict(**{**record, "outcome": Outcome(record["outcome"])}, cached=True)


def _body(record: dict[str, Any]) -> str:
    if isinstance(record["score"], bool):
        raise TypeError("a truth value is no score")
    body = _DUMP(record)
    try:
        body.encode("utf-8")
    except UnicodeEncodeError:  # SQLite holds no lone surrogates; JSON can escape them
        body = _DUMP_ASCII(record)
        if json.loads(body) != record:  # two halves side by side would be read back as one character
            raise ValueError("surrogates that JSON would join") from None
    return body


def _checksum(key: str, body: str) -> str:
    return f"{zlib.crc32(f'{key} {body}'.encode('utf-8', 'surrogatepass')):08x}"


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")
