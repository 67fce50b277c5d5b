"""One spelling for the signs, numbers and units of a text, before it is cut into pieces."""

from __future__ import annotations

import unicodedata

from hybridverify.language import expressions as re
from hybridverify.language.symbols import SIGNS
from hybridverify.language.word_forms import singular
from hybridverify.language.wrapping import visible
from hybridverify.maths.notation.clean import with_raised_parts
from hybridverify.maths.units.table import CASED, UNITS

_TABLE = str.maketrans({sign: f" {text} " for sign, text in SIGNS.items() if sign not in "−‐‑–﹣·⋅、。′"}) | {
    ord(sign): "-" for sign in "−‐‑–﹣"
}
_SUPER = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_PER_CENT = re.compile(r"\bper cent\b", re.IGNORECASE)
_TWO_DIGITS = re.compile(r"(\\(?:[dtc]?frac|[dt]?binom)\s*\d)(\d)(?!\d)")
_DECIMAL_COMMA = re.compile(r"(?<![\d.,])(\d+),(\d{1,2})(?!\d)(?=\s?([^\W\d_]{1,12}))")


def plain_text(text: str) -> str:
    """Signs as commands, superscripts as powers, decimal commas before units as points, the two digits that a fraction
    takes without braces apart.

    >>> plain_text("4,5 m²"), plain_text("x ≥ −3")
    ('4.5 m^2', 'x  \\\\ge   -3')
    """
    shown = with_raised_parts(visible(text))
    plain = _SUPER.sub(lambda found: "^" + unicodedata.normalize("NFKC", found[0]), shown)
    plain = unicodedata.normalize("NFKC", plain.translate(_TABLE)).translate(_TABLE)
    plain = _TWO_DIGITS.sub(r"\1 \2", plain)
    return _DECIMAL_COMMA.sub(with_point, _PER_CENT.sub("percent", plain))


def with_point(found: re.Match[str]) -> str:
    """`4,5 Meter`: a decimal comma where a unit follows."""
    word = found[3]
    measured = word in CASED or word.lower() in UNITS or singular(word) in UNITS
    return f"{found[1]}.{found[2]}" if measured else found[0]


def plain_number(digits: str) -> str:
    whole, _, share = digits.partition(".")
    whole, share = whole.lstrip("0") or "0", share.rstrip("0")
    return f"{whole}.{share}" if share else whole


def greek(letter: str) -> str:
    name = unicodedata.name(letter, "")
    if not name.startswith("GREEK "):
        return ""
    lower = name.rpartition(" ")[2].lower()
    return lower.capitalize() if "CAPITAL" in name else lower


def unit_name(piece: str) -> str:
    """One name for the spellings of a unit: its kind and size."""
    kind, size = CASED.get(piece) or UNITS.get(piece.lower()) or UNITS[singular(piece)]
    same = [name for name, told in UNITS.items() if told == (kind, size)]
    return same[0] if same else piece
