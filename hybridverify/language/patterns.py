r"""What many readers look for in a text: runs of letters, a digit, a command of LaTeX, a dollar that is no amount."""

from __future__ import annotations

from hybridverify.language import expressions as re

WORD = re.compile(r"[^\W\d_]+")
RUN = re.compile(r"[^\W_]+")
"""Letters and digits."""
LONG_WORD = re.compile(r"[^\W\d_]{2,}")
TELLING_WORD = re.compile(r"(?<![\\A-Za-z])[^\W\d_]{3,}")
"""A word that is neither a symbol nor a command."""
DIGIT = re.compile(r"\d")
COMMAND = re.compile(r"\\[A-Za-z]+")
DOLLAR = re.compile(r"(?<!\\)\$")
NO_ELEMENTS = re.compile(r"\\\{\s*\\\}|^\{\s*\}$")
"""The empty set in braces, also in those of a program where nothing else stands beside them."""
_TEXT = "text|textbf|textit|textrm|textsf|texttt|textup|textnormal|mbox|hbox|emph"
TEXT_COMMANDS = tuple(_TEXT.split("|"))
"""Commands of TeX that set words."""
TYPESETTING = re.compile(
    rf"\\(?:{_TEXT}|mathrm|mathbf|boldsymbol|bm|bf|rm|boxed|fbox|framebox|q?quad|displaystyle|[lc]?dots"
    r"|left|right)(?![A-Za-z])|\\[,;:! ()\[\]]|[{}$*~]"
)
"""Commands and signs that set type and say nothing."""
IN_TEXT = re.compile(rf"\\(?:{_TEXT}|mathrm)\s*\{{([^{{}}\\]*)\}}")
"""Words in a formula."""
FORMULA = re.compile(
    r"\$\$(.{1,400}?)\$\$|\$([^$\n]{1,400})\$|\\\((.{1,400}?)\\\)|\\\[(.{1,400}?)\\\]", re.DOTALL
)
"""What stands between the marks of a formula."""
ITEM = re.compile(r"\s*(?:[-*•–]|\(?\d{1,3}[.)])\s+(?=\S)")
"""The bullet or number before an item of a list."""
ENUMERATED = re.compile(r"\W*\d{1,2}[.)]\s+(?=\S)")
APOSTROPHED_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
SPELLED_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?(?:/\d+)?")
SEVERAL = re.compile(
    r"[,;:|<>=≤≥≠±∪∈…~&\n]|\.\.|\\(?:pm|mp|cup|in|[lg]t|[lg]eq?|neq?|mid|mathbb|[lc]?dots|begin|equiv)(?![A-Za-z])"
    r"|\\\{|\b(?:or|and)\b|或|和"
)
"""What a text may have that stands for several values."""
RELATION = re.compile(r"[<>≤≥≠≈~]|\\(?:ne|neq|le|leq|ge|geq|lt|gt|approx|sim|in|pm)(?![A-Za-z])")
OPTION_LETTER = re.compile(r"[(\[]?[A-J][)\].]?")
"""The letter of an option by itself."""
