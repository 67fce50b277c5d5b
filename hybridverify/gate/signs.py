"""The signs of a text: markup that shows nothing by itself, and texts without any letter or digit."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from hybridverify.gate.fold import reference_words, table
from hybridverify.language import expressions as re
from hybridverify.language.patterns import NO_ELEMENTS
from hybridverify.language.symbols import TICKS
from hybridverify.language.wrapping import visible

MARKUP = re.compile(
    r"```[ \t]*[A-Za-z]*|<!--[^<>]{0,200}-->|</?[A-Za-z][\w-]*(?:\s[^<>]{0,80})?/?>|<[|｜][^<>\n]{0,60}[|｜]>"
    r"|&(?:nbsp|ensp|emsp|zwnj|lt|gt|amp|quot|#\d{1,6});?|\\[A-Za-z]{1,20}(?:\s?\{\s?\}){1,3}"
    r"|\\(?:begin|end)\s*\{[A-Za-z]{0,20}\*?\}"
    r"|\\(?:[hv]space|phantom|color|textcolor)\*?\{[^{}]{0,40}\}"
    r"|\\(?:boxed|fbox|framebox|text[a-z]{0,6}|math(?:rm|bf|it|sf|tt|normal)|mbox|operatorname|underline|overline|emph"
    r"|left|right|big[lrg]?|Big[lrg]?|quad|qquad|displaystyle|[lcvd]?dots|dotsc|cdot|times|checkmark|square"
    r"|blacksquare|Box|qed|star|ast|bullet|circ|hline|newline|limits|langle|rangle|lbrace|rbrace|emptyset|varnothing"
    r"|pm|mp|div|top|bot|to|rightarrow|implies|therefore|because|sim|approx|equiv|neq?|[lg]eq?)(?![A-Za-z])"
)
_FILLER_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
"""Letters by their Unicode class that show nothing on a screen."""
_SIGNIFICANT = frozenset("∞")
_VERDICTS = frozenset(
    ("true", "false", "yes", "no", "correct", "incorrect", *["对", "错", "正确", "错误", "不对", "不正确"])
)
_EMPTY_SETS = ("∅", "∄", "\\emptyset", "\\varnothing", "\\nexists")


def symbols_reason(seen: str, core: str, references: Sequence[str]) -> str:
    """The reason why a text without a letter or digit is no answer, or "" where it is one. `core` is `seen` without
    markup."""
    if any(map(_says_something, core)):
        return ""
    if not any(map(_is_symbol, seen)):
        return "empty"
    if _has_empty_set(seen) and any(map(speaks_of_nothing, references)):
        return ""
    if _is_one_sign(seen) and any(map(_speaks_of_a_sign, references)):
        return ""  # "Which sign stands between 3 and 5?"
    if seen.strip() in TICKS and any(map(_is_verdict, references)):
        return ""
    return "symbols_only"


def _says_something(char: str) -> bool:
    kind = unicodedata.category(char)
    if kind == "So":  # a letter in a circle is a letter
        return any(map(str.isalnum, unicodedata.normalize("NFKD", char)))
    return (kind[0] in "LN" and kind != "Lm" and char not in _FILLER_LETTERS) or char in _SIGNIFICANT


def _is_symbol(char: str) -> bool:
    return unicodedata.category(char)[0] in "PSL" and char not in _FILLER_LETTERS


def _is_one_sign(text: str) -> bool:
    sign = re.sub(r"[\s${}]|\\(?:text|boxed|mathrm)", "", visible(text))
    return (
        0 < len(sign) <= 3
        and not any(map(str.isalnum, sign))
        and any(char in "+-<>=≤≥≠±×÷*/%" for char in sign)
    )


def _speaks_of_a_sign(reference: str) -> bool:
    return _is_one_sign(reference) or any(word in table("SIGNS") for word in reference_words(reference))


def speaks_of_nothing(reference: str) -> bool:
    cues = table("NOTHING_CUES")
    return _has_empty_set(reference) or any(word in cues for word in reference_words(reference))


def _is_verdict(reference: str) -> bool:
    told = reference.strip(" .。").casefold()
    return told in TICKS or told in _VERDICTS


def _has_empty_set(text: str) -> bool:
    return any(map(text.__contains__, _EMPTY_SETS)) or NO_ELEMENTS.search(text) is not None
