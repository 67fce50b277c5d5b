r"""Answers in another form than the one that is asked for: `x(x+5)+6` is no factored form of `x^2+5x+6`."""

from __future__ import annotations

from collections.abc import Sequence

from hybridverify.language.asked import Asked
from hybridverify.maths import Reading
from hybridverify.maths.algebra.nodes import Add, Mul, Node, Pow, symbols, walk
from hybridverify.maths.values.kinds import Scalar


def has_other_form(asked: Asked, answer: Reading, references: Sequence[Reading]) -> bool:
    """Whether the question tells to factor or to expand, every reference is in that form, and the answer is not.

    >>> from hybridverify.conventions import DEFAULT
    >>> from hybridverify.language.asked import read_question
    >>> from hybridverify.maths import reading_of
    >>> asked, told = read_question("Factor x^2+5x+6."), reading_of("(x+2)(x+3)", DEFAULT)
    >>> [has_other_form(asked, reading_of(text, DEFAULT), [told]) for text in ("x(x+5)+6", "(3+x)(x+2)")]
    [True, False]
    """
    known = [one.value.node for one in references if isinstance(one.value, Scalar)]
    if not known or len(known) < len(references) or not isinstance(answer.value, Scalar):
        return False
    said = answer.value.node
    if asked.speaks_of("factoring") and all(map(_is_product, known)):
        return not _is_product(said) or min(map(_factors, known)) > 1 >= _factors(said)
    return asked.speaks_of("expanding") and not any(map(_has_brackets, known)) and _is_half_expanded(said)


def _is_product(node: Node) -> bool:
    """Whether the node is a product of which sums in letters are factors, none of them divided by what it holds."""
    return isinstance(node, (Mul, Pow)) and _has_brackets(node) and not any(map(_is_inverse, walk(node)))


def _is_half_expanded(node: Node) -> bool:
    """Whether the node is a sum with brackets left in its terms."""
    return isinstance(node, Add) and _has_brackets(node)


def _factors(node: Node) -> int:
    """How many factors with letters a product has; a power has several equal ones."""
    if isinstance(node, Mul):
        return sum(map(_factors, node.factors))
    return (2 if isinstance(node, Pow) else 1) if symbols(node) else 0


def _has_brackets(node: Node) -> bool:
    """Whether a sum in letters is multiplied or raised to a power."""
    return any(_holds_sum(part) for part in walk(node))


def _holds_sum(node: Node) -> bool:
    if isinstance(node, Pow):
        return isinstance(node.base, Add) and bool(symbols(node.base))
    return isinstance(node, Mul) and any(isinstance(one, Add) and symbols(one) for one in node.factors)


def _is_inverse(node: Node) -> bool:
    """Whether letters stand below a fraction bar."""
    return (
        isinstance(node, Pow)
        and not isinstance(node.base, Add)
        and _is_negative(node)
        and bool(symbols(node))
    )


def _is_negative(power: Pow) -> bool:
    return getattr(power.exponent, "value", 0) < 0
