"""Words for which a translation writes a sign: bounds, sets of numbers, operations, functions.

Number words, units, functions and relations are read with the tables of `language` and `maths`. Here are only words
that those tables lack. To add a word, add it to the row of its meaning.
"""

from __future__ import annotations

from collections.abc import Mapping

from hybridverify.language.denials import NOT
from hybridverify.language.languages import ANSWER_ROOTS, COPULAS, FUNCTION_WORDS
from hybridverify.maths.notation.vocabulary import words
from hybridverify.maths.units.words import LABELS

NEGATIONS = frozenset(NOT) | words(
    "none nothing nobody without except excluding unless outside other but neq ne notin"
)
"""Words that reverse a statement, or take something out of it."""
HEDGES = words("maybe perhaps possibly may might could can probably likely guess unsure")
"""Words of grammar elsewhere, but here they change the answer."""
FREE = (
    (FUNCTION_WORDS - HEDGES - NEGATIONS)
    | frozenset(COPULAS)
    | frozenset(ANSWER_ROOTS)
    | words(
        "such there exist exists since because let have has if when where for all any every else 입니다 이다 です だ"
    )
)
"""Words that hold a text together. A translation does not need them."""
ANNOUNCING = words(
    "answer answers result value values final equal equals number numbers solution solutions hold"
)
"""Words that announce values and say nothing about them."""
NAMING = LABELS | words("option choice letter right correct")
"""Words that name a single value. They may be left out: the question asks for a thing of that name."""
_ROWS: Mapping[tuple[str, str], str] = {
    ("set", "R"): "real reals",
    ("set", "Z"): "integer integers whole",
    ("set", "N"): "natural naturals",
    ("set", "Q"): "rational rationals",
    ("set", "C"): "complex",
    ("sign", "percent"): "percent percentage pct",
    ("sign", "minus"): "minus negative",
    ("sign", "plus"): "plus",
    ("sign", "power"): "squared cubed square cubic sq power",
    ("sign", "division"): "over per divided ratio quotient every each",
    ("sign", "mod"): "mod modulo remainder remainders leave leaves leaving congruent pmod bmod",
    ("sign", "pm"): "pm mp",
    ("sign", "degree"): "degree degrees circ",
    ("function", "sqrt"): "sqrt root",
    ("function", "binom"): "binomial binom choose",
    ("currency", "$"): "dollar dollars usd",
    ("currency", "€"): "euro euros eur",
    ("currency", "£"): "gbp",
    ("bound", "up"): "least greater more larger bigger above exceeding exceeds beyond upwards",
    ("bound", "down"): "most less smaller fewer below under",
    ("bound", "both"): "between within range interval from through",
    ("bound", "open"): "strictly exclusive",
    ("bound", "closed"): "inclusive included least most",
    ("const", "inf"): "infinity infinite infinitely infty",
}  # fmt: skip
CALLED = {
    **dict.fromkeys(("sum", "summation"), "sum"),
    **dict.fromkeys(("prod", "product"), "prod"),
    **dict.fromkeys(("int", "integral", "integrate"), "int"),
    **dict.fromkeys(("lim", "limit"), "lim"),
}
"""Names of operators if a bracket follows, or as commands. Elsewhere they are words."""
SENSES: dict[str, list[tuple[str, str]]] = {}
for _sense, _words in _ROWS.items():
    for _word in _words.split():
        SENSES.setdefault(_word, []).append(_sense)
CONNECTIVES = words("if when where for all any every otherwise or and mod otherwise with in is")
"""Words that a translation may write between values."""
