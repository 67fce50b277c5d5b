"""The words for "and" and "or", in every language that we know. They stand in `lexicon/joining.toml`."""

from __future__ import annotations

from hybridverify.language.lexicon import entries

AND = frozenset(entries("joining", "and_word", "and_letter", "and_script"))
OR = frozenset(entries("joining", "or_word", "or_letter", "or_script"))
"""In lower case. What "and" joins counts together; of what "or" joins, one may be meant."""
EITHER = OR.union(entries("joining", "instead"))
"""Those for "or", and words that name what holds where the thing before them does not: "otherwise"."""
AND_IN_SCRIPTS, OR_IN_SCRIPTS = entries("joining", "and_script"), entries("joining", "or_script")
"""Those in scripts whose words are no letters of mathematics."""
