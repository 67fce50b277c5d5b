"""The words for "and" and "or", in every language that we know. They stand in `lexicon/joining.toml`."""

from __future__ import annotations

from hybridverify.language.lexicon import entries
from hybridverify.language.lexicon.phrases import CUE, cues

AND = frozenset(entries("joining", "and_word", "and_letter", "and_script"))
OR = frozenset(entries("joining", "or_word", "or_letter", "or_script"))
"""In lower case. What "and" joins counts together; of what "or" joins, one may be meant."""
CLAUSES = frozenset(entries("joining", "clause"))
"""Words that set clauses apart."""
EITHER = OR.union(entries("joining", "instead"))
"""Those for "or", and words that name what holds where the thing before them does not: "otherwise"."""
EXCEPTING, AGAINST = entries("joining", "exception"), entries("joining", "versus")
"""Words such as "unless", and those such as "versus"."""
AND_IN_SCRIPTS, OR_IN_SCRIPTS = entries("joining", "and_script"), entries("joining", "or_script")
"""Those in scripts whose words are no letters of mathematics."""
_SECOND = entries("joining", "second")
CUES = cues("joining", "second", "fallback").union(
    word[:CUE] for word in (*AND, *EITHER, *EXCEPTING, *AGAINST)
)
"""How the words begin by which another answer is joined to one."""
_LEAST_PHRASE, _MAX_TEXT = min(map(len, _SECOND)), 10_000


def adds_another(text: str) -> bool:
    """Whether words of a short text say that what stands beside them is one more answer.

    >>> adds_another("Ulm, with Bonn as a runner-up"), adds_another("Ulm is a second home")
    (True, False)
    """
    if not _LEAST_PHRASE <= len(text) <= _MAX_TEXT:
        return False
    low = text.lower()
    return any(map(low.__contains__, _SECOND))
