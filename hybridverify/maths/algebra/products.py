"""Products in which the order counts: matrices and operators do not commute, and vectors have two products."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hybridverify.language import expressions as re
from hybridverify.maths.algebra.nodes import Add, Call, Mul, Node, Num, Pow, Sym, symbols

_MATRIX_WORDS = (
    "matrix",
    "matrices",
    "operator",
    "quaternion",
    "commut",
    "linear map",
    "linear transformation",
)
_VECTOR_WORDS = ("vector", "cross product", "torque")
_INVERSE = re.compile(
    r"[A-Z)]\s?\^\s?(?:T(?![\w.])|\{\s?(?:-\s?1|T|\\top|\\dagger|\\(?:mathrm|text)\s?\{\s?T\s?\})\s?\}|\\top|\\dagger)"
)
_VECTOR_MARKS = ("\\vec", "\\hat", "\\mathbf", "\\bm", "\\boldsymbol", "\\overrightarrow")
VECTOR_PRODUCTS = {"times": "cross", "cdot": "dot"}
"""What the signs of a product mean between vectors."""
_MARKED = ("vec ", "hat ")
_MAX_POWER = 8
_TRANSPOSED = "^T"

Word = tuple[tuple[str, int], ...]
"""Letters of a product with their exponents, in order."""


def speaks_of_matrices(question: str) -> bool:
    """Does the question, in small letters, have things whose products do not commute?"""
    return any(word in question for word in _MATRIX_WORDS)


def speaks_of_vectors(question: str) -> bool:
    """Does the question, in small letters, have vectors?"""
    return any(word in question for word in _VECTOR_WORDS)


def inverts_capitals(text: str) -> bool:
    """`A^{-1}` and `P^T` are written of matrices: other things are divided."""
    return "^" in text and _INVERSE.search(text) is not None


def other_product(one: str, other: str, question: str) -> bool:
    """Is there a cross product of vectors on one side alone? Of numbers both signs mean the same."""
    if one.count("\\times") == other.count("\\times"):
        return False
    return speaks_of_vectors(question.casefold()) or (
        all(any(mark in text for mark in _VECTOR_MARKS) for text in (one, other))
    )


def is_vector(node: Node) -> bool:
    """A letter with an arrow or hat, a multiple or sum of such, a cross product."""
    if type(node) is Sym:
        return node.name.startswith(_MARKED)
    if type(node) is Mul:
        return any(map(is_vector, node.factors))
    if type(node) is Add:
        return any(map(is_vector, node.terms))
    return type(node) is Call and node.name == "cross"


def reordered(left: Iterable[Node], right: Iterable[Node], capitals: bool, letters: bool = False) -> bool:
    """Do the two multiply the same things in another order, where the order may count?

    That holds for letters with hats and arrows; for capitals, or all letters, where the caller says so.
    """
    mine, theirs = [*left], [*right]
    names = frozenset().union(*map(symbols, (*mine, *theirs)))
    counted = frozenset(name for name in names if letters or _counts(name, capitals))
    if len(counted) < 2 or mine == theirs:
        return False
    first, second = _orders(mine, counted), _orders(theirs, counted)
    return first != second or len({frozenset(word) for word in first}) < len(first)


def _counts(name: str, capitals: bool) -> bool:
    return name.startswith(_MARKED) or (capitals and name[0].isupper())


def _orders(nodes: list[Node], counted: frozenset[str]) -> set[Word]:
    """The products of two or more letters in the sums."""
    words = (_word(term, counted.__contains__) for node in nodes for term in _terms(node, counted))
    return {word for word in words if len(word) > 1}


def _terms(node: Node, counted: frozenset[str]) -> list[Node]:
    """The terms of a sum, also of one with a number before it."""
    if type(node) is Add:
        return [term for part in node.terms for term in _terms(part, counted)]
    if type(node) is Mul:
        holding = [factor for factor in node.factors if symbols(factor) & counted]
        return _terms(holding[0], counted) if len(holding) == 1 else [node]
    return [node]


def _word(node: Node, counts: Callable[[str], bool]) -> Word:
    if type(node) is Sym:
        return ((node.name, 1),) if counts(node.name) else ()
    if type(node) is Mul:
        return _joined(_word(factor, counts) for factor in node.factors)
    if type(node) is Add:
        return _joined(_word(term, counts) for term in node.terms)
    if type(node) is Pow:
        return _raised(_word(node.base, counts), node.exponent)
    return ()


def _joined(words: Iterable[Word]) -> Word:
    """One after the other; powers of one letter that meet add up."""
    found: list[tuple[str, int]] = []
    for word in words:
        for name, count in word:
            if found and found[-1][0] == name:
                count += found.pop()[1]
            if count:
                found.append((name, count))
    return tuple(found)


def _raised(word: Word, exponent: Node) -> Word:
    count = _whole(exponent)
    if count is not None and len(word) == 1:
        return ((word[0][0], word[0][1] * count),) if count else ()
    if exponent == Sym("T"):
        return tuple((name.removesuffix(_TRANSPOSED) + _TRANSPOSED, power) for name, power in reversed(word))
    if count is None or abs(count) > _MAX_POWER:
        return (("power", 1), *word)
    if count < 0:
        word = tuple((name, -power) for name, power in reversed(word))
    return _joined([word] * abs(count))


def _whole(exponent: Node) -> int | None:
    """The exponent where it is an integer."""
    if type(exponent) is not Num or exponent.value.denominator != 1:
        return None
    return int(exponent.value)
