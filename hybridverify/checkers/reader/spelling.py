r"""One spelling for things that are written in several ways: `\root 3 \of 5`, `\pmatrix{..}`, `+/-`, `30^o`, `US\$5`.

Each rule is looked for only where its trigger stands in the text, so that plain answers pay a few searches of
substrings. A rule rewrites notation and nothing else: what carries meaning stays, or the text stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from hybridverify.checkers.reader.counting import counted
from hybridverify.checkers.reader.sexagesimal import angle_in_parts
from hybridverify.checkers.reader.spoken_relations import relation_in_words

_Replacement: TypeAlias = str | Callable[[re.Match[str]], str]

_CELL = r"-?\d+(?:[./]\d+)?"
_ROW = rf"{_CELL}(?: {{1,3}}{_CELL}){{1,9}}"
_COMMON: tuple[tuple[str, re.Pattern[str], _Replacement], ...] = (
    ("\\root", re.compile(r"\\root\s?\{?\s?(\d{1,2})\s?\}?\s?\\of(?![A-Za-z])"), r"\\sqrt[\1]"),
    ("\\sqrt[{", re.compile(r"\\sqrt\[\{(\d{1,2})\}\]"), r"\\sqrt[\1]"),
    ("\\cr", re.compile(r"\\cr(?![A-Za-z])"), r"\\\\"),
    ("\\\\[", re.compile(r"\\\\\[\s?-?\d[\d.]{0,5}\s?(?:pt|em|ex|mm|cm|in)\s?\]"), r"\\\\"),
    ("matrix*", re.compile(r"\\(begin|end)\{([pbvBV]?matrix)\*\}(?:\[[lcr]\])?"), r"\\\1{\2}"),
    ("matrix{", re.compile(r"\\([pb]?matrix)\s?\{([^{}]*)\}"), r"\\begin{\1}\2\\end{\1}"),
    ("+/-", re.compile(r"\+\s?/\s?-"), r"\\pm "),
    ("+/−", re.compile(r"\+/−"), r"\\pm "),
    ("or minus", re.compile(r"\bplus or minus\b", re.IGNORECASE), r"\\pm "),
    ("us-minus", re.compile(r"\bplus-minus\b", re.IGNORECASE), r"\\pm "),
    ("er cent", re.compile(r"(?<=\d)\s?(?:\\text\s?\{\s?)?per cent\b\}?", re.IGNORECASE), r"\\%"),
    ("~", re.compile(r"(?<=\d)~(?=\d{3}(?!\d))"), r"\\,"),
    ("\\;", re.compile(r"(?<=\d)\\;(?=\d{3}(?!\d))"), r"\\,"),
    ("\\:", re.compile(r"(?<=\d)\\:(?=\d{3}(?!\d))"), r"\\,"),
    ("\\ ", re.compile(r"(?<=\d)\\ (?=\d{3}(?!\d))"), r"\\,"),
    ("space", re.compile(r"\\[hv]space\*?\s?\{[^{}]{0,20}\}"), " "),
    ("phantom", re.compile(r"\\[hv]?phantom\s?\{[^{}]{0,80}\}"), " "),
    (":}", re.compile(r"\{\s?:\s?\}"), ":"),
    ("/}", re.compile(r"\{\s?/\s?\}"), "/"),
    ("\\colon", re.compile(r"\\colon(?![A-Za-z])"), ":"),
    ("US", re.compile(r"\bUSD?\s?\\?\$"), r"\\$"),
    ("\\text", re.compile(r"\\textdollar(?![A-Za-z])"), r"\\$"),
    ("\\text", re.compile(r"\\textdegree(?![A-Za-z])|\{\}\s?(?=\^\s?\{?\\circ)"), r"^\\circ "),
    ("{}^", re.compile(r"\{\}\s?(?=\^\s?\{?\s?\\circ)"), ""),
    ("\\ang{", re.compile(r"\\ang\{(-?[\d.]{1,20})\}"), r"\1^\\circ "),
    ("\\euro", re.compile(r"\\euro(?![A-Za-z])\s?"), "€"),
    ("\\pounds", re.compile(r"\\pounds(?![A-Za-z])\s?"), "£"),
    ("\\text", re.compile(r"\\texteuro(?![A-Za-z])\s?"), "€"),
    ("\\text", re.compile(r"\\textsterling(?![A-Za-z])\s?"), "£"),
    (
        "o",
        re.compile(
            r"(?<=\d)\s?\^\s?(?:\{\s?(?:\\(?:text|mathrm|rm|textrm)\s?\{?\s?o\s?\}?|o)\s?\}"
            r"|\\(?:text|mathrm|textrm)\s?\{\s?o\s?\}|o(?![a-z0-9_^(]))"
        ),
        r"^\\circ ",
    ),
    ("array(", re.compile(r"^(?:np|numpy|torch)\.array\((\[.*\])\)$"), r"\1"),
    ("Matrix(", re.compile(r"^(?:sp|sympy)\.Matrix\((\[.*\])\)$"), r"\1"),
)
_WHOLE: tuple[tuple[str, re.Pattern[str], _Replacement], ...] = (
    ("=", re.compile(r"^=\s?(?=[^=<>\s])"), ""),
    ("\\", re.compile(r"^\\(?:therefore|Rightarrow|implies|Longrightarrow)(?![A-Za-z])\s?"), ""),
    ("\\left", re.compile(r"^\\left\s?\.\s?([^|]*?)\s?\\right\s?\.$"), r"\1"),
    (
        "'",
        re.compile(r"^([-+]?(?:\\?\$)?\d{1,3}(?:'\d{3})+(?:\.\d+)?)$"),
        lambda found: found[1].replace("'", ""),
    ),
    ("_", re.compile(r"^([-+]?\d{1,3}(?:_\d{3})+)$"), lambda found: found[1].replace("_", "")),
    ("[", re.compile(rf"^\[\s?({_ROW}(?:\s?;\s?{_ROW}){{1,9}})\s?\]$"), lambda found: _rows(found[1])),
    ("I", re.compile(r"^[-+*/().\d\sIsqrt]{1,80}$"), lambda found: _imaginary(found[0], "I")),
    ("j", re.compile(r"^[-+*/().\d\sjsqrt]{1,80}$"), lambda found: _imaginary(found[0], "j")),
    ("USD", re.compile(r"^USD\s?(?=\d)"), r"\\$"),
    ("EUR", re.compile(r"^EUR\s?(?=\d)"), "€"),
    ("GBP", re.compile(r"^GBP\s?(?=\d)"), "£"),
    (
        ": ",
        re.compile(r"^[a-z]: -?[^:{}|<>=]{1,100}(?:[,;] [a-z]: -?[^:{}|<>=]{1,100})+$"),
        lambda found: _named(found[0]),
    ),
    ("'", re.compile(r"^(\d{1,3})'\s?(\d{1,2}(?:\.\d+)?)(?:\"|'')$"), r"\1 ft \2 in"),
    ("h", re.compile(r"^(\d{1,4})\s?h(?:rs?)?\s?(\d{1,2})\s?m(?:ins?)?$"), r"\1 h \2 min"),
)
_NAME_COLON = re.compile(r"(?<![A-Za-z])([a-z]): ")
_TWO_TERMS = re.compile(r"\d\s?[-+]\s?[\d(s]|[Ij]\s?[-+]\s?\d")


def respelled(text: str) -> str:
    r"""The text in the spelling that the tokenizer knows.

    >>> respelled("5 +/- 2"), respelled("30^{o}"), respelled("[1 2; 3 4]"), respelled("2+3I")
    ('5 \\pm  2', '30^\\circ ', '[[1,2],[3,4]]', '2+3i')
    """
    if text.isdigit():
        return text
    for trigger, pattern, replacement in _WHOLE:
        if trigger in text:
            text = pattern.sub(replacement, text)
    for trigger, pattern, replacement in _COMMON:
        if trigger in text:
            text = pattern.sub(replacement, text)
    return relation_in_words(angle_in_parts(counted(text)))


def _rows(inner: str) -> str:
    rows = [",".join(row.split()) for row in inner.split(";")]
    return "[" + ",".join(f"[{row}]" for row in rows) + "]"


def _imaginary(text: str, letter: str) -> str:
    """`2+3I` and `2+3j`, as programs write complex numbers; `3I` alone may be a matrix or a current."""
    letters = text.replace("sqrt", "")
    plain = not any(char.isalpha() and char != letter for char in letters)
    once = letters.count(letter) == 1
    return text.replace(letter, "i") if plain and once and _TWO_TERMS.search(text) else text


def _named(text: str) -> str:
    return _NAME_COLON.sub(r"\1=", text)
