r"""One spelling for things that are written in several ways: `\root 3 \of 5`, `\pmatrix{..}`, `+/-`, `30^o`, `US\$5`.

Each rule is looked for only where its trigger stands in the text, so that plain answers pay a few searches of
substrings. A rule rewrites notation and nothing else: what carries meaning stays, or the text stays as it is.
"""

from __future__ import annotations

from hybridverify.language import expressions as re
from hybridverify.maths.notation.counting import counted
from hybridverify.maths.notation.parts import named_points
from hybridverify.maths.notation.rewriting import rewritten, rules
from hybridverify.maths.notation.sexagesimal import angle_in_parts
from hybridverify.maths.notation.spoken_relations import extremes, relation_in_words
from hybridverify.maths.notation.whole_spelling import respelled_whole

_UNIT = r"(?:[kcm]?m|mi|miles?|ft|feet|[km]?g|m?L|meters?|metres?|kilometers?|dollars?)"
_PER = r"(?:h|hr|hour|s|sec|second|min|minute|day|m|cm|L|mL|kg|year)"
_WORD = r"\{\s?(?:\\(?:text|mathrm)\s?\{\s?(%s)\s?\}|(%s))"
_UNIT_FRACTION = (
    rf"(?<=\d)(?:\s|\\[,;: ])?\\[dt]?frac\s?{_WORD % (_UNIT, _UNIT)}\s?\}}"
    rf"\s?{_WORD % (_PER, _PER)}\s?(\^(?:[23]|\{{[23]\}}))?\s?\}}(?=\s?$)"
)
_FRENCH = re.compile(r"([\[\]])\s?([^\[\]]{1,60}[,;][^\[\]]{1,60}?)\s?([\[\]])")
_IS_FRENCH = re.compile(r"[\[]\s?(?:$|\\cup)|(?:^|\\cup|\\in)\s?\]")
_NAMED = {
    **dict.fromkeys(("checkmark", "blacksquare", "square", "qed", "Box", "nonumber", "notag"), " "),
    "lparen": "(",
    "rparen": ")",
    "colon": ":",
    "cr": "\\\\",
    "textdegree": "^\\circ ",
    "euro": "€",
    "texteuro": "€",
    "pounds": "£",
    "textsterling": "£",
    "mathdollar": "\\$",
    "textdollar": "\\$",
}
"""Commands that are another spelling of a sign, and ornaments that say nothing."""
_ORNAMENT = (
    rf"\\({'|'.join(_NAMED)})(?![A-Za-z])(?:\{{\}})?\s?|\\(?:label|tag\*?)\s?\{{[^{{}}]{{0,40}}\}}"
    r"|\\text\s?\{\s?\(exact(?:ly)?\)\s?\}|\\[hv]space\*?\s?\{[^{}]{0,80}\}|\\[hv]?phantom\s?\{[^{}1-9A-Za-z]{0,80}\}"
)
_PLUS_MINUS = r"(?i)\+\s?/\s?[-−]|\bplus(?: or |-)minus\b"
_THIN_BLANK = r"(?<=\d)(?:~|\\[;: ])(?=\d{3}(?!\d))"
_BRACED_SIGN = r"\{\s?([:/])\s?\}"
_RECURRING = r"(?<![\d.])(\d{0,9})\.(\d{3,60})(?:\.\.\.|\s?\\[lc]?dots[bco]?(?![A-Za-z]))"
_PROGRAM = r"(?s)^(?:(?:np|numpy|torch)\.array|(?:(?:sp|sympy)\.)?Matrix)\((\[.*\])\)$"


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


_COMMON = rules(
    ("\\", _ORNAMENT, lambda found: _NAMED.get(found[1], " ")),
    (
        "\\circ",
        r"\^\s?\{?\s?\^\s?\\circ\s?\}?|(?<=\d)\s?\\circ(?![A-Za-z\d])(?!\s?[(A-Za-z])",
        r"^\\circ ",
    ),
    (
        "\\text",
        r"\\text\s?\{\s?((?:arc)?(?:sin|cos|tan)|cis|ln|log|(?:max|min|gcd|lcm)(?=\}\s?\())\s?\}",
        r"\\\1 ",
    ),
    ("\\num", r"\\num\s?\{([-\d.,e+]{1,40})\}", r"\1"),
    ("\\root", r"\\root\s?\{?\s?(\d{1,2})\s?\}?\s?\\of(?![A-Za-z])", r"\\sqrt[\1]"),
    ("\\\\[", r"\\\\\[\s?-?\d[\d.]{0,5}\s?(?:pt|em|ex|mm|cm|in)\s?\]", r"\\\\"),
    ("matrix*", r"\\(begin|end)\{([pbvBV]?matrix)\*\}(?:\[[lcr]\])?", r"\\\1{\2}"),
    ("matrix{", r"\\([pb]?matrix)\s?\{([^{}]*)\}", r"\\begin{\1}\2\\end{\1}"),
    ("+/", _PLUS_MINUS, r"\\pm "),
    ("minus", _PLUS_MINUS, r"\\pm "),
    ("er cent", r"(?i)(?<=\d)\s?(?:\\text\s?\{\s?)?per cent\b\}?", r"\\%"),
    ("~", _THIN_BLANK, r"\\,"),
    ("\\", _THIN_BLANK, r"\\,"),
    (":}", _BRACED_SIGN, r"\1"),
    ("/}", _BRACED_SIGN, r"\1"),
    ("US", r"\bUSD?\s?\\?\$", r"\\$"),
    ("\\ang{", r"\\ang\{(-?[\d.]{1,20})\}", r"\1^\\circ "),
    (
        "o",
        r"(?<=\d)\s?\^\s?(?:\{\s?(?:\\(?:text|mathrm|rm|textrm)\s?\{?\s?o\s?\}?|o)\s?\}"
        r"|\\(?:text|mathrm|textrm)\s?\{\s?o\s?\}|o(?![a-z0-9_^(]))",
        r"^\\circ ",
    ),
    ("/sec", r"(?<=[a-z}])/sec(?![a-zA-Z(])", "/s"),
    (
        "name{",
        r"(?<=[\d}])(?:\s|\\[,;: ])?\\operatorname\s?\{([a-zA-Z]{1,10})\}(?=\s?(?:\^|$))",
        r" \\text{\1}",
    ),
    ("frac", _UNIT_FRACTION, lambda found: _unit_fraction(*found.groups())),
    ("...", _RECURRING, _recurring),
    ("dots", _RECURRING, _recurring),
    ("(", r"(?<![\d.)])(\d{0,9}\.\d{0,20})\((\d{1,20})\)(?![\d(^])", r"\1\\overline{\2}"),
    ("\\", r"(?<=\.)(\d{0,20})\\(?:bar|overline)\s?(\d)(?!\d)", r"\1\\overline{\2}"),
    ("{,}", r"(?<=\d)\{,\}(?=\d)(?!\d{3}(?!\d))", "."),
    ("\\angle", r"^([\d.]{1,12}|\d{0,4}\\sqrt\{\d{1,6}\})\s?\\angle\s?", r"\1\\cis "),
    (
        "\\dot",
        r"(\d*\.\d*)\\dot\s?\{?(\d)\}?(?:(\d{0,20})\\dot\s?\{?(\d)\}?)?(?!\d)",
        _dotted,
    ),
    ("l", r"(?<=\d)(?:(?:\\[,;: ]|\s)?\\ell|\sl)\s?$", " L"),
    ("([", _PROGRAM, r"\1"),
    ("factorial2", r"\bfactorial2(?=\()", "doublefactorial"),
)


def respelled(text: str) -> str:
    r"""The text in the spelling that the tokenizer knows.

    >>> respelled("5 +/- 2"), respelled("30^{o}"), respelled("[1 2; 3 4]"), respelled("2+3I")
    ('5 \\pm  2', '30^\\circ ', '[[1,2],[3,4]]', '2+3i')
    """
    if text.isdigit():
        return text
    text = rewritten(respelled_whole(extremes(counted(named_points(text)))), _COMMON)
    if ("[" in text or "]" in text) and _IS_FRENCH.search(text):
        text = _FRENCH.sub(_french, text)
    return relation_in_words(angle_in_parts(text))
