"""Small banks of words: opposites, kin, synonyms, what people would guess. Our own; none is from a test."""

from __future__ import annotations

from embedded.phrases import texts


def _pairs(groups: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for group in groups:
        words = tuple(word.strip().replace("_", " ") for word in group.split(","))
        for word in words:
            found[word] = (*found.get(word, ()), *(other for other in words if other != word))
    return found


OPPOSITES = _pairs(texts("banks", "opposites"))
"""Words that turn a statement round."""

KIN = _pairs(texts("banks", "kin"))
"""Words of one class: one for the other is another fact."""

SYNONYMS = _pairs(texts("banks", "synonyms"))
"""Words that may stand for each other in most sentences."""

SPELLINGS = _pairs(texts("banks", "spellings"))

COMMON = texts("banks", "common")
"""What a guess would be, whatever is asked."""
