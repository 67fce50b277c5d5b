"""How an answer is denied, in many languages. The words stand in `lexicon/denying.toml`, by their place."""

from __future__ import annotations

from hybridverify.language.lexicon import entries

NOT = frozenset(entries("denying", "not_before"))
"""A "not" that stands before the answer, with nothing but `BETWEEN` in between."""
NOT_JOINED = entries("denying", "not_before_joined")
"""The same where words are not set apart by blanks."""
BETWEEN = frozenset(entries("denying", "between"))
NOT_AFTER = entries("denying", "not_after", "not_after_joined")
"""What stands right after a denied answer and needs no copula."""
WRONG = entries("denying", "wrong")
"""What is said of an answer that does not stand."""
COPULAS_AFTER = entries("denying", "copula_after")
"""What joins such a word to the answer before it."""
STATEMENT_DENIED = entries("denying", "statement_denied")
"""What denies the statement that follows; the English ones stand in frame.py."""
REPLACE = entries("denying", "replace")
"""What takes the value that follows away, to put another in its place."""
IF = entries("denying", "if")
IF_JOINED = entries("denying", "if_joined")
"""What makes the statement that follows a condition."""
DOUBTFUL = entries("denying", "doubtful")
"""Words of the patterns of frame.py that read what leads up to an answer: a quick look for them."""
FIRST = entries("denying", "first")
"""Words on which what denies or takes back an answer begins, besides `WRONG` and `COPULAS_AFTER`: the same."""
SIGNS = "❌✗✘✖🚫👎"
"""Signs for "wrong"."""
