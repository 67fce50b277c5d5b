r"""One spelling for things that are written in several ways: `\root 3 \of 5`, `\pmatrix{..}`, `+/-`, `30^o`, `US\$5`.

Each rule is looked for only where its trigger stands in the text, so that plain answers pay a few searches of
substrings. A rule rewrites notation and nothing else: what carries meaning stays, or the text stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

from hybridverify.checkers.reader.counting import counted
from hybridverify.checkers.reader.sexagesimal import angle_in_parts
from hybridverify.checkers.reader.spoken_relations import relation_in_words

_Replacement: TypeAlias = str | Callable[[re.Match[str]], str]

_CELL = r"-?\d+(?:[./]\d+)?"
_ROW = rf"{_CELL}(?: {{1,3}}{_CELL}){{1,9}}"
_UNIT = r"(?:[kcm]?m|mi|miles?|ft|feet|[km]?g|m?L|meters?|metres?|kilometers?|dollars?)"
_PER = r"(?:h|hr|hour|s|sec|second|min|minute|day|m|cm|L|mL|kg|year)"
_WORD = r"\{\s?(?:\\(?:text|mathrm)\s?\{\s?(%s)\s?\}|(%s))"
_UNIT_FRACTION = re.compile(
    rf"(?<=\d)(?:\s|\\[,;: ])?\\[dt]?frac\s?{_WORD % (_UNIT, _UNIT)}\s?\}}"
    rf"\s?{_WORD % (_PER, _PER)}\s?(\^(?:[23]|\{{[23]\}}))?\s?\}}(?=\s?$)"
)
_FRENCH = re.compile(r"([\[\]])\s?([^\[\]]{1,60}[,;][^\[\]]{1,60}?)\s?([\[\]])")
_IS_FRENCH = re.compile(r"[\[]\s?(?:$|\\cup)|(?:^|\\cup|\\in)\s?\]")
_DECIMAL = r"(?<![\d.])(\d{0,9})\.(\d{3,60})"
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
    ("/sec", re.compile(r"(?<=[a-z}])/sec(?![a-zA-Z(])"), "/s"),
    (
        "name{",
        re.compile(r"(?<=\d)(?:\s|\\[,;: ])?\\operatorname\s?\{([a-zA-Z]{1,10})\}(?=\s?(?:\^|$))"),
        r" \\text{\1}",
    ),
    ("frac", _UNIT_FRACTION, lambda found: _unit_fraction(*found.groups())),
    ("...", re.compile(_DECIMAL + r"\.\.\."), lambda found: _recurring(found)),
    ("dots", re.compile(_DECIMAL + r"\s?\\[lc]?dots[bco]?(?![A-Za-z])"), lambda found: _recurring(found)),
    ("(", re.compile(r"(?<![\d.)])(\d{0,9}\.\d{0,20})\((\d{1,20})\)(?![\d(^])"), r"\1\\overline{\2}"),
    (
        "\\dot",
        re.compile(r"(\d*\.\d*)\\dot\s?\{?(\d)\}?(?:(\d{0,20})\\dot\s?\{?(\d)\}?)?(?!\d)"),
        lambda found: _dotted(found),
    ),
    ("l", re.compile(r"(?<=\d)(?:(?:\\[,;: ]|\s)?\\ell|\sl)\s?$"), " L"),
    ("array(", re.compile(r"^(?:np|numpy|torch)\.array\((\[.*\])\)$"), r"\1"),
    ("Matrix(", re.compile(r"^(?:sp|sympy)\.Matrix\((\[.*\])\)$"), r"\1"),
)
_ABOUT = r"(?:about|approximately|approx\.?|roughly|around|ca\.|circa|~)"
_WHOLE: tuple[tuple[str, re.Pattern[str], _Replacement], ...] = (
    ("mod", re.compile(r"\(\s?(?:\\text\s?\{\s?)?\\?mod\s?\}?\s*(\d{1,6})\s?\)"), r"\\pmod{\1}"),
    ("mod", re.compile(r"^(-?\d{1,9})\s?\\pmod\s?\{(\d{1,6})\}$"), r"x\\equiv \1\\pmod{\2}"),
    ("mapsto", re.compile(r"^([a-z])\s?:\s?([a-z])\s?\\(?:long)?mapsto(?![a-z])\s?"), r"\1(\2)="),
    ("\\mathb", re.compile(r"\\(?:mathbf|bold)\s?\{\s?([RZQN])\s?\}$"), r"\\mathbb{\1}"),
    (
        "\\in",
        re.compile(r"^\\\{(.{2,200}?)\s?(?:\\mid|\\vert|:|\|)\s?([a-z])\s?\\in\s?\\mathbb\s?\{?Z\}?\s?\\\}$"),
        r"\1, \2\\in\\mathbb{Z}",
    ),
    (
        "\\in",
        re.compile(r"^\\\{\s?[a-z]\s?(?:\\mid|:|\|)\s?[a-z]\s?\\in\s?\\mathbb\s?\{?R\}?\s?\\\}$"),
        r"\\mathbb{R}",
    ),
    (
        "\\in",
        re.compile(
            r"(\+\s?([CcK])(?![A-Za-z]).{0,60}?)[,;]?\s?\(?\s?\2\s?\\in\s?\\mathbb\s?\{?\s?R\s?\}?\)?$"
        ),
        r"\1",
    ),
    (
        "us ",
        re.compile(r"^(?:minus|plus) (?=\d)", re.IGNORECASE),
        lambda found: "-" if found[0][0] in "mM" else "",
    ),
    ("egative ", re.compile(r"^negative (?=\d)", re.IGNORECASE), "-"),
    ("o", re.compile(rf"^(?:\\text\s?\{{\s?)?{_ABOUT}\s?\}}?\s?(?=[\d$\\-])", re.IGNORECASE), r"\\approx "),
    (
        "p",
        re.compile(r"^(-?[\d.,]{1,20}) ?\(?(?:\\text\s?\{\s?)?\(?(?:approximately|approx\.?)\)?\}?$"),
        r"\\approx \1",
    ),
    (
        "-",
        re.compile(r"^(\d{1,9}(?:\.\d{1,9})?)\s?-{1,2}\s?(\d{1,9}(?:\.\d{1,9})?)$"),
        lambda found: _range(found),
    ),
    (" ", re.compile(r"^(?:from|between) (\d{1,9}) (?:to|and) (\d{1,9})$", re.IGNORECASE), r"\1 to \2"),
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
    if "[" in text and _IS_FRENCH.search(text):
        text = _FRENCH.sub(_french, text)
    return relation_in_words(angle_in_parts(counted(text)))


def _range(found: re.Match[str]) -> str:
    """`59-64` is a range; a difference that is left open is no answer."""
    return f"{found[1]} to {found[2]}" if Fraction(found[1]) < Fraction(found[2]) else found[0]


def _recurring(found: re.Match[str]) -> str:
    """`0.1666...` with its cycle marked, where one cycle fills the digits: three times, a longer one twice."""
    digits = found[2]
    for size in range(1, len(digits) // 2 + 1):
        for fixed in range(len(digits) - 2 * size + 1):
            tail = digits[fixed:]
            if len(tail) < (3 if size < 3 else 2) * size or fixed > 12:
                break
            cycle = tail[:size]
            if (cycle * (len(tail) // size + 1)).startswith(tail) and int(cycle):
                return rf"{found[1]}.{digits[:fixed]}\overline{{{cycle}}}"
    return found[0]


def _dotted(found: re.Match[str]) -> str:
    return rf"{found[1]}\overline{{{found[2]}{found[3] or ''}{found[4] or ''}}}"


def _unit_fraction(
    word: str | None, top: str | None, below: str | None, bottom: str | None, power: str | None
) -> str:
    return rf" \text{{{word or top}/{below or bottom}}}{power or ''}"


def _french(found: re.Match[str]) -> str:
    opening, closing = ("(" if found[1] == "]" else "["), (")" if found[3] == "[" else "]")
    return opening + found[2] + closing


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
