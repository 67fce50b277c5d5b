"""How an answer is denied, in many languages. The words stand in `lexicon/denying.toml`, by their place."""

from __future__ import annotations

from hybridverify.language.lexicon import entries

NOT = frozenset(entries("denying", "not_before"))
"""A "not" that stands before the answer, with nothing but `BETWEEN` in between."""
NOT_JOINED = entries("denying", "not_before_joined")
"""The same where words are not set apart by blanks."""
BETWEEN = frozenset((*entries("denying", "between"), *entries("announcing", "copula")))
NOT_AFTER = entries("denying", "not_after", "not_after_joined")
"""What stands right after a denied answer and needs no copula."""
IF = entries("denying", "if")
IF_JOINED = entries("denying", "if_joined")
"""What makes the statement that follows a condition."""
SIGNS = "❌✗✘✖🚫👎"
"""Signs for "wrong"."""
