"""What a question and two answers say about letters: is i imaginary, are capitals matrices, is x positive?"""

from __future__ import annotations

from functools import lru_cache

from hybridverify.conventions import Conventions
from hybridverify.maths.algebra.equality import PLAIN, Setting
from hybridverify.maths.algebra.nodes import Const, Node, Num, Pow, Sym, symbols, walk
from hybridverify.maths.algebra.products import inverts_capitals, speaks_of_matrices, speaks_of_vectors
from hybridverify.maths.parsing.reading import Reading
from hybridverify.maths.values.kinds import FiniteSet, Listing, Named, Qualified, Scalar, Tuple, Value

_COMPLEX_WORDS = ("complex", "imaginary", "i^2", "i^{2}", "\\mathbb{c}")
_POSITIVE_WORDS = ("positive", ">0", "> 0", "natural number")


@lru_cache(maxsize=512)
def _question_says(question: str) -> tuple[bool, bool, bool, bool]:
    """Does the question speak of complex numbers; does it restrict variables to positive values; has it matrices,
    has it vectors?"""
    low = question.casefold()
    return (
        any(word in low for word in _COMPLEX_WORDS),
        any(word in low for word in _POSITIVE_WORDS),
        speaks_of_matrices(low),
        speaks_of_vectors(low),
    )


def setting_of(mine: Reading, theirs: Reading, question: str, conventions: Conventions) -> Setting:
    """What question and answers say about letters."""
    complex_numbers, positive, matrices, vectors = _question_says(question)
    shown = complex_numbers or "i" in _letters(mine.value) or _turns(theirs)
    imaginary = conventions.imaginary_unit == "always" or (
        conventions.imaginary_unit == "when_shown" and shown
    )
    capitals = matrices or inverts_capitals(mine.text) or inverts_capitals(theirs.text)
    crossed = vectors and ("\\times" in mine.text or "\\times" in theirs.text)
    said = (imaginary, positive, capitals, crossed)
    return Setting(*said) if any(said) else PLAIN


def _turns(reading: Reading) -> bool:
    """`e^{i\\pi}`: beside a letter or pi in an exponent of e, i is the imaginary unit."""
    if not ("^" in reading.text and "i" in reading.text and "e" in reading.text):
        return False
    value = reading.value.value if isinstance(reading.value, Named) else reading.value
    return isinstance(value, Scalar) and any(
        type(part) is Pow and part.base == Const("e") and _holds_turn(part.exponent)
        for part in walk(value.node)
    )


def _holds_turn(exponent: Node) -> bool:
    parts = [*walk(exponent)]
    return Sym("i") in parts and any(
        type(part) is Const or (type(part) is Sym and part.name != "i") for part in parts
    )


def _letters(value: Value) -> frozenset[str]:
    if isinstance(value, Scalar):
        return frozenset() if type(value.node) is Num else symbols(value.node)
    if isinstance(value, (Named, Qualified)):
        return _letters(value.value)
    if isinstance(value, (Tuple, Listing, FiniteSet)):
        return frozenset().union(*(_letters(item) for item in value.items))
    return frozenset()
