r"""Spellings that are told by the whole answer: `= 42`, `[1 2; 3 4]`, `2+3j`, `31-36`, "3 out of 8", "the year 1969".

Apart from spelling.py, whose rules hold for any part of an answer.
"""

from __future__ import annotations

from fractions import Fraction

from hybridverify.language import expressions as re
from hybridverify.language.number_words import read_words
from hybridverify.maths.notation.magnitudes import in_words
from hybridverify.maths.notation.parts import named_parts
from hybridverify.maths.notation.rewriting import rewritten, rules
from hybridverify.maths.notation.substances import with_counts
from hybridverify.maths.notation.unit_vectors import as_tuple

_CELL = r"-?\d+(?:[./]\d+)?"
_ROW = rf"{_CELL}(?: {{1,3}}{_CELL}){{1,9}}"
_PART = r"-?(?:\d[\d./]{0,12}|\\frac\{-?\d{1,6}\}\{\d{1,6}\}|[a-z]|\d{0,4}\\sqrt\{\d{1,6}\})"
_NEXT_NAME = (
    r"(?<!and\})(?<!or\})(?<!and\} )(?<!or\} )(?<![,;])(?<![,;] )\\q?quad\s?(?=[a-zA-Z](?:_\{?\w\}?)?\s?=)"
)
_BRACED_SYSTEM = (
    r"(?s)\\left\s?\\(?:\{|lbrace)\s?\\begin\{(?:array|matrix|aligned)\}(?:\{[lcr| ]*\})?"
    r"((?:(?!\\begin|\\end).){1,1000})\\end\{(?:array|matrix|aligned)\}\s?\\right(?:\s?\.|$)"
)
_SYSTEM = (
    r"(?s)^\\begin\{(aligned|align\*?|gathered|array|split)\}(?:\{[lcr]\})?"
    r"((?:(?!\\begin|\\end).){1,1000})\\end\{\1\}$"
)
_POINT = rf"^[A-Z]'{{0,2}}\s?=?\s?(\(\s?{_PART}(?:\s?[,;]\s?{_PART}){{1,3}}\s?\))$"
_YEAR = r"(?i)^(?:in )?(?:the )?(?:year )?(?:AD |A\.D\. )?([12]\d{3})(?: AD| A\.D\.| CE)?$"
_NAME_COLON = re.compile(r"(?<![A-Za-z])([a-z]): ")
_TWO_TERMS = re.compile(r"\d\s?[-+]\s?[\d(s]|[Ij]\s?[-+]\s?\d")


_GROUPED = r"^[-+]?(?:\\?\$)?\d{1,3}(?P<by>['_])\d{3}(?:(?P=by)\d{3})*(?:\.\d+)?$"
_DEGREE_IN_UNIT = r"(?<=[A-Za-z}(/*] )\^\\circ \s?(?:\\(?:text|mathrm)\{\s?C\s?\}|C(?![A-Za-z]))"
"""`J/(g °C)`: a degree that is part of a larger unit is as large as a kelvin."""
_MEASURE = (
    r"(?:\\,|~)?(?:\\(?:text|mathrm)\s?\{\s?)?[kcdmnMGµ]?(?:m|g|l|L|s|W|V|A|J|N|h|min|Pa|Hz|eV|mol|Wh)"
    r"(?:/[a-z]{1,2}|\s?\^\s?\{?[23]\}?)?\}?"
)
"""A unit behind one number: nobody lists `2,5 kg` for two."""
_POWER_OF_TEN = r"\\(?:times|cdot)\s{0,2}10\s?\^"
_COMPLEX = r"^[-+*/().\d\sIjsqrt]{1,80}$"
_ABOUT = r"(?:about|approximately|approx\.?|roughly|around|ca\.|circa|~)"


def _classes(found: re.Match[str]) -> str:
    """`congruent to 2 or 3 modulo 4` as congruences of a letter of our own."""
    return r"\text{ or }".join(rf"x\equiv {rest}\pmod{{{found[2]}}}" for rest in re.findall(r"\d+", found[1]))


def _residues(found: re.Match[str]) -> str:
    r"""`x \equiv 1, 3 \pmod 4` as one class of the smallest modulus, or as several congruences."""
    name, modulus = found[1] or "x", int(found[3])
    rests = {int(rest) % modulus for rest in re.findall(r"-?\d+", found[2])} if modulus else set()
    step = next((size for size in range(1, modulus) if modulus == size * len(rests)), 0)
    if step and len({rest % step for rest in rests}) == 1:
        return rf"{name}\equiv {min(rests)}\pmod{{{step}}}"
    return r"\text{ or }".join(rf"{name}\equiv {rest}\pmod{{{modulus}}}" for rest in sorted(rests))


def _system(body: str, otherwise: str = "") -> str:
    """Equations one below the other, a single line by itself; `otherwise` where it is no system."""
    lines = body.replace("&=", "=").replace("& =", "=")
    if otherwise and "&" not in lines and "\\\\" not in lines:
        return lines.strip()
    if otherwise and ("&" in lines or lines.count("=") < 2):
        return otherwise
    return rf"\begin{{cases}}{lines}\end{{cases}}"


def _percent(found: re.Match[str]) -> str:
    value = read_words(found[1])
    return rf"{value}\%" if value else found[0]


def _chance(found: re.Match[str]) -> str:
    """`3 out of 8`."""
    return f"{found[1]}/{found[2]}" if int(found[1]) < int(found[2]) else found[0]


def _range(found: re.Match[str]) -> str:
    """`59-64` is a range; a difference that is left open is no answer."""
    return f"{found[1]} to {found[2]}" if Fraction(found[1]) < Fraction(found[2]) else found[0]


def _spoken_sign(found: re.Match[str]) -> str:
    return "" if found[1].lower() == "plus" else "-"


def _joined(found: re.Match[str]) -> str:
    return found[0].replace(found["by"], "")


def _dotted_groups(found: re.Match[str]) -> str:
    """`1.234.567,8`: two points in one number can only set thousands apart."""
    return found[0].replace(".", "").replace(",", ".")


def _temperature(found: re.Match[str]) -> str:
    unit = found[1].upper()
    return " K" if unit == "K" else rf"^\circ \text{{{unit}}}"


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


def _yuan(found: re.Match[str]) -> str:
    """`12元5角` as 12.5 yuan."""
    tenths, hundredths = found[2], found[3]
    return f"{found[1]}.{tenths or 0}{hundredths or ''}元" if tenths or hundredths else found[0]


_RULES = rules(
    ("元", r"^(\d{1,9})元(?:(\d)角)?(?:(\d)分)?$", _yuan),
    ("小时", r"(?<=小时)(\d{1,2})分$", r"\1分钟"),
    ("mathcal", r"\\mathcal\s?\{?\s?([ON])\s?\}?(?=\s?(?:\\left\s?)?\()", r"\1"),
    ("&", r"^([^&\\]{1,60}?) \\?& ([^&\\]{1,60})$", r"\1, \2"),
    ("oth ", r"^[Bb]oth (?=.{1,60} and )", ""),
    ("\\begin", _BRACED_SYSTEM, lambda found: _system(found[1])),
    ("\\begin", _SYSTEM, lambda found: _system(found[2], found[0])),
    ("\\\\", r"^([^&\\]{1,60}=[^&\\]{1,60})\s?\\\\\s([^&\\]{1,60}=[^&\\]{1,60})$", r"\1, \2"),
    ("percent", r"(?i)^([a-z][a-z -]{2,40}) percent$", _percent),
    ("quad", _NEXT_NAME, ", "),
    ("1", r"^([a-z])_\{?\(?1\s?[,/]\s?2\)?\}?\s?=", r"\1="),
    ("!=", r"(?<=\d)!=(?=\d)", "! ="),
    ("in", r"^(\d{1,6}) in (\d{1,6})$", _chance),
    (
        "out of",
        r"^(\d{1,6})\s?(?:\\text\s?\{\s?)?out of\s?\}?\s?(\d{1,6})$",
        _chance,
    ),
    ("oint", r"(?i)^(?:\\text\s?\{\s?)?(?:the )?points?\s?\}?\s?(?=[A-Z]?\s?\()", ""),
    (",", _POINT, r"\1"),
    (
        "atio",
        r"(?i)^(?:\\text\s?\{\s?)?(?:the )?ratio(?: is| of)?:?\s?\}?\s?(?=\d)",
        "",
    ),
    ("1", _YEAR, r"\1"),
    ("2", _YEAR, r"\1"),
    ("AD", r"^(?:in )?AD (\d{1,4})$|^(?:in )?(\d{1,4}) AD$", r"\1\2"),
    ("CE", r"^(?:in )?(\d{1,4}) CE$", r"\1"),
    ("\\in ", r"\\in\s{1,2}([RZQN])(?![A-Za-z_^(])", r"\\in \\mathbb{\1}"),
    ("\\in ", r"\\in\s{1,2}N\s?\^\s?\{?\s?(?:\*|\+|\\ast)\s?\}?", r"\\in \\mathbb{N}^*"),
    (
        "\\in",
        r"^([a-z])\s?\\in\s?\\mathbb\{R\}\s?(?:,|and|\\land|\\text\s?\{\s?and\s?\})\s?(?=\1\s?(?:\\neq?|[<>]|\\[lg]e))",
        "",
    ),
    (
        "mod",
        r"\(\s?(?:\\(?:text|mathrm)\s?\{\s?)?\\?b?mod\s?\}?(?:\\[ ,;:]|\s)*(\d{1,6})\s?\)",
        r"\\pmod{\1}",
    ),
    ("mod", r"(\\equiv.{1,40}?)\smod\s?(\d{1,6})$", r"\1\\pmod{\2}"),
    ("mod", r"^(\d{1,18}(?:\^\{?\d{1,9}\}?)?)\s(?:mod|%)\s(\d{1,18})(?=\s?=)", r"\1\\bmod \2"),
    (
        "mod",
        r"^(?:([a-z])\s?\\equiv\s?)?(-?\d{1,6}(?:\s?(?:,|and|or|,\s?and|,\s?or)\s?-?\d{1,6}){1,20})\s?\\pmod\s?\{?(\d{1,6})\}?$",
        _residues,
    ),
    ("mod", r"^(?:\\equiv\s?)?(-?\d{1,9})\s?\\pmod\s?\{?(\d{1,6})\}?$", r"x\\equiv \1\\pmod{\2}"),
    ("{", r"^\{\s?([a-z])\s?:\s?([^{}]{2,100})\}$", r"\\{\1:\2\\}"),
    ("CI", r"^\d{2}\s?(?:\\?%)?\s?CI(?: is|:|\s?=)?\s?(?=[(\[\d-])", ""),
    (" to ", r"^from (-?\d[\d.]{0,12}) to (-?\d[\d.]{0,12})$", r"\1 to \2"),
    (" old", r"(?<=\d)(\s?(?:years?|yrs?|months?|weeks?|days?)) old$", r"\1"),
    ("-value", r"^(?:the )?[pP]-value\s?(?=[=<>\\])", "p "),
    ("mapsto", r"^([a-z])\s?:\s?([a-z])\s?\\(?:long)?mapsto(?![a-z])\s?", r"\1(\2)="),
    (
        "\\in",
        r"^\\\{(.{2,200}?)\s?(?:\\mid|\\vert|:|\|)\s?([a-z])\s?\\in\s?\\mathbb\s?\{?Z\}?\s?\\\}$",
        r"\1, \2\\in\\mathbb{Z}",
    ),
    (
        "\\in",
        r"^\\\{\s?[a-z]\s?(?:\\mid|:|\|)\s?[a-z]\s?\\in\s?\\mathbb\s?\{?R\}?\s?\\\}$",
        r"\\mathbb{R}",
    ),
    (
        "\\in",
        r"(\+\s?([CcK])(?![A-Za-z]).{0,60}?)[,;]?\s?\(?\s?\2\s?\\in\s?\\mathbb\s?\{?\s?R\s?\}?\)?$",
        r"\1",
    ),
    (" ", r"(?i)^(plus|minus|negative) (?=\d)", _spoken_sign),
    ("o", rf"(?i)^(?:\\text\s?\{{\s?)?{_ABOUT}\s?\}}?\s?(?=[\d$\\-])", r"\\approx "),
    (
        "-",
        r"^(\d{1,9}(?:\.\d{1,9})?)\s?-{1,2}\s?(\d{1,9}(?:\.\d{1,9})?)$",
        _range,
    ),
    (" ", r"(?i)^(?:from|between) (\d{1,9}) (?:to|and) (\d{1,9})$", r"\1 to \2"),
    ("=", r"^=\s?(?=[^=<>\s])", ""),
    ("'", _GROUPED, _joined),
    ("_", _GROUPED, _joined),
    ("[", rf"^\[\s?({_ROW}(?:\s?;\s?{_ROW}){{1,9}})\s?\]$", lambda found: _rows(found[1])),
    (
        " root)",
        r"(?<=\S)\s?(?:\\text\s?\{\s?)?\((?:a |the )?(?:double|repeated) root\)\s?\}?$",
        "",
    ),
    (
        "ultiplicity",
        r"(?<=\S)\s?(?:\\text\s?\{\s?)?\((?:with |of )?multiplicity (?:\d|two|three)\)\s?\}?$",
        "",
    ),
    ("text", r"(?<=\d)(?:\s|\\[,;: ])?\\text\s?\{\s?\(([a-zA-Z]{2,20})\)\s?\}$", r" \\text{\1}"),
    ("**", r"(?<==)\s?\*\*([^*=]{1,40})\*\*$", r"\1"),
    ("\\left", r"\\left\s?\.([^|]{1,120}?)\\right\s?\|(?=\s?_)", r"\1|"),
    ("\\ce", r"\\ce\s?\{([^{}\\]{1,60})\}", r"\1"),
    ("^", r"^(\d{2,3})\s?\^\s?(?:\{\s?\})?$", r"\1^\\circ "),
    (
        "I",
        r"(?<![A-Za-z])((?:e\s?(?:\^|\*\*)|exp)\s?[({][-\d.\s*]{0,12})I(?=[\s*a-z\\)}])",
        r"\1i",
    ),
    (
        "congruent to",
        r"^(?:\\text\s?\{)?(?:all |those |the )?(?:integers |numbers |n )?(?:that are |which are )?"
        r"congruent to (\d{1,6}(?:(?:,| or|, or) \d{1,6}){0,6}) (?:modulo|mod) (\d{1,6})\}?$",
        _classes,
    ),
    ("I", _COMPLEX, lambda found: _imaginary(found[0], "I")),
    ("j", _COMPLEX, lambda found: _imaginary(found[0], "j")),
    (
        ": ",
        r"^[a-z]: -?[^:{}|<>=]{1,100}(?:[,;] [a-z]: -?[^:{}|<>=]{1,100})+$",
        lambda found: _named(found[0]),
    ),
    (".", r"^[-+]?\d{1,3}(?:(?:\.\d{3}){2,12}(?:,\d{1,9})?|\.\d{3},\d\d)$", _dotted_groups),
    (",", r"^(-?\d{1,9}),(\d{1,2})\s?(\\?%|€|EUR|[eE]uros?)$", r"\1.\2\3"),
    (",", rf"^(-?\d{{1,9}}),(\d{{1,2}}|\d{{4,9}})(?=\s?(?:{_MEASURE}$|{_POWER_OF_TEN}))", r"\1.\2"),
    (",0", r"^(-?\d{1,9}),(0\d|0\d{3,8})$", r"\1.\2"),
    (
        "eg",
        r"(?i)(?<=\d)\s?(?:\\text\s?\{\s?)?deg(?:rees?|\.)? (c|f|k)(?:elsius|entigrade|ahrenheit|elvins?)?\s?\}?$",
        _temperature,
    ),
    ("circ", _DEGREE_IN_UNIT, "K"),
    ("-", r"^(-?[\d.,]{1,20} [a-z]{3,12})-(hours?|met(?:er|re)s?|seconds?|pounds?)$", r"\1 \2"),
    ("0", r"^(?:the )?([12]\d{2}0)'?s$", r"\\text{\1s decade}"),
    (
        "ms",
        r"(?<=\d)(?:\s|\\[,;: ])?(?:\\(?:text|mathrm)\s?\{\s?)?ms\}?\s?\^\s?\{?\s?-\s?([12])\s?\}?$",
        r" \\text{m s}^{-\1}",
    ),
    ("Nm", r"(?<=\d)(?:\s|\\[,;: ])?(?:\\(?:text|mathrm)\s?\{\s?)?Nm\}?$", r" \\text{N m}"),
    ("B", r"^(?:in )?(\d{2,4}) B\.?C\.?(?:E\.?)?$", r"\\text{\1 BC}"),
    ("lectron", r"(?i)\belectron[ -]?volts?\b", "electronvolt"),
    ("'", r"^(\d{1,3})'\s?(\d{1,2}(?:\.\d+)?)(?:\"|'')$", r"\1 ft \2 in"),
    ("h", r"^(\d{1,4})\s?h(?:rs?)?\s?(\d{1,2})\s?m(?:ins?)?$", r"\1 h \2 min"),
)


def respelled_whole(text: str) -> str:
    r"""The text in the spelling that the tokenizer knows.

    >>> respelled_whole("31-36"), respelled_whole("= 42"), respelled_whole("[1 2; 3 4]"), respelled_whole("2+3I")
    ('31 to 36', '42', '[[1,2],[3,4]]', '2+3i')
    """
    return with_counts(as_tuple(rewritten(named_parts(in_words(text)), _RULES)))
