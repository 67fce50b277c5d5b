"""Answers in words that offer several candidates: "Ulm? Bonn? Kiel?", "one of: Ulm, Bonn", "yes and no".

hedge.py does this for numbers and letters. In words a plain list may be one answer ("Ulm, Swabia, Germany"), so that
only forms count that cannot be: question marks behind each, "versus" between them, "one of" or "all of" before them,
both sides of yes or no.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from hybridverify.gate.fold import folded_words
from hybridverify.judges.embedded.alternatives import alternatives

_MAX_TEXT = 400
_MOST_WORDS = 6
"""Of one candidate."""
_LEAD = re.compile(
    r"^\W*(?:it(?: i|')s |the answer is )?(?:one|all|any|some) of(?: the following| these| them)?\s*[:,]?\s+",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[,;\n/]|\b(?:and|or|und|oder|et|ou|y|o)\b", re.IGNORECASE)
_AGAINST = re.compile(r"\s(?:vs\.?|versus)\s", re.IGNORECASE)
_OPPOSITES = (("yes", "no"), ("true", "false"), ("right", "wrong"), ("correct", "incorrect"))
_AROUND = frozenset((
    "or", "and", "both", "either", "maybe", "perhaps", "possibly", "it", "is", "could", "be", "the", "answer",
    "in", "part", "partly",
))  # fmt: skip


def offers_several(answer: str, references: Sequence[str]) -> bool:
    """Whether the answer lists candidates, one of which is a reference and one of which is none.

    >>> offers_several("Ulm? Bonn?", ["Ulm"]), offers_several("One of: Bonn, Ulm", ["Ulm"])
    (True, True)
    >>> offers_several("yes and no", ["yes"]), offers_several("Ulm, Swabia", ["Ulm"]), offers_several("Ulm?", ["Ulm"])
    (True, False, False)
    """
    if len(answer) > _MAX_TEXT:
        return False
    pair, parts = _both_sides(answer), _candidates(answer.strip())
    if not pair and not parts:
        return False
    wanted = {tuple(folded_words(text)) for text in (*references, *alternatives(references))} - {()}
    if not wanted or tuple(folded_words(answer)) in wanted:
        return False
    return wanted <= {(word,) for word in pair} if pair else _mixed(parts, wanted)


def _both_sides(answer: str) -> tuple[str, ...]:
    """The two words of a verdict, where the answer says both and nothing else."""
    said = set(folded_words(answer)) - _AROUND
    return next((pair for pair in _OPPOSITES if said == set(pair)), ())


def _candidates(text: str) -> list[str]:
    lead = _LEAD.match(text)
    if lead:
        return [part for part in _PARTS.split(text[lead.end() :]) if folded_words(part)]
    if _AGAINST.search(text):
        return _AGAINST.split(text)
    if text.endswith("?") and text.count("?") > 1:
        return [part for part in text.split("?") if folded_words(part)]
    return []


def _mixed(parts: list[str], wanted: set[tuple[str, ...]]) -> bool:
    said = [tuple(folded_words(part)) for part in parts]
    if any(len(words) > _MOST_WORDS for words in said):
        return False
    return any(words in wanted for words in said) and any(words not in wanted for words in said)
