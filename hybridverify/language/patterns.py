r"""What many readers look for in a text: runs of letters, a digit, a command of LaTeX, a dollar that is no amount."""

from __future__ import annotations

from hybridverify.language import expressions as re

WORD = re.compile(r"[^\W\d_]+")
LONG_WORD = re.compile(r"[^\W\d_]{2,}")
TELLING_WORD = re.compile(r"(?<![\\A-Za-z])[^\W\d_]{3,}")
"""A word that is neither a symbol nor a command."""
DIGIT = re.compile(r"\d")
COMMAND = re.compile(r"\\[A-Za-z]+")
DOLLAR = re.compile(r"(?<!\\)\$")
NO_ELEMENTS = re.compile(r"\\\{\s*\\\}")
OPTION_LETTER = re.compile(r"[(\[]?[A-J][)\].]?")
"""The letter of an option by itself."""
