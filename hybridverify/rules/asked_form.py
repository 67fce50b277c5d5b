r"""Answers in another form than the one that is asked for: `x(x+5)+6` is no factored form of `x^2+5x+6`.

A form counts where the question names it and every reference has it. `_FORMS` is the table: the kind of words in
`lexicon/questions.toml`, and what a reading in another form looks like.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from hybridverify.language.asked import Asked
from hybridverify.maths import Reading
from hybridverify.maths.algebra.forms import (
    factor_count,
    has_brackets,
    has_common_number,
    has_root_below,
    is_half_expanded,
    is_product,
    is_split,
    is_spread,
    is_turned,
)
from hybridverify.maths.algebra.nodes import Call, Node, symbols
from hybridverify.maths.values.kinds import FiniteSet, Named, Relation, Scalar


def has_other_form(asked: Asked, answer: Reading, references: Sequence[Reading]) -> bool:
    """Whether the question names a form of the table, every reference has it, and the answer has not.

    >>> from hybridverify.conventions import DEFAULT
    >>> from hybridverify.language.asked import read_question
    >>> from hybridverify.maths import reading_of
    >>> asked, told = read_question("Complete the square: x^2+2x."), reading_of("(x+1)^2-1", DEFAULT)
    >>> [has_other_form(asked, reading_of(text, DEFAULT), [told]) for text in ("x(x+2)", "-1+(1+x)^2")]
    [True, False]
    """
    if not asked.speaks_of(*_KINDS):
        return False
    return any(
        asked.speaks_of(kind) and misses(answer) and not any(map(misses, references))
        for kind, misses in _FORMS
    )


def is_undone(asked: Asked, answer: Reading, references: Sequence[Reading]) -> bool:
    """Whether the question tells to factor or to expand, every reference is in that form, and the answer is not.

    >>> from hybridverify.conventions import DEFAULT
    >>> from hybridverify.language.asked import read_question
    >>> from hybridverify.maths import reading_of
    >>> asked, told = read_question("Factor x^2+5x+6."), reading_of("(x+2)(x+3)", DEFAULT)
    >>> [is_undone(asked, reading_of(text, DEFAULT), [told]) for text in ("x(x+5)+6", "(3+x)(x+2)")]
    [True, False]
    """
    said, known = _node(answer), _nodes(references)
    if said is None or not known:
        return False
    if asked.speaks_of("factoring") and all(map(is_product, known)):
        return not is_product(said) or _is_half_factored(said, known)
    return asked.speaks_of("expanding") and not any(map(has_brackets, known)) and is_half_expanded(said)


def _nodes(references: Sequence[Reading]) -> list[Node]:
    """The expressions of all references; nothing where one of them is none."""
    known = [node for node in map(_node, references) if node is not None]
    return known if len(known) == len(references) else []


def _is_half_factored(said: Node, known: Sequence[Node]) -> bool:
    """`(x^2-4)(x^2+4)` for three factors, `x(6x+9)` where the number stands before the brackets."""
    if factor_count(said) < min(map(factor_count, known)):
        return True
    return has_common_number(said) and not any(map(has_common_number, known))


def is_in_polar_form(asked: Asked, answer: Reading) -> bool:
    """Whether a complex number is to be told by its angle, and the answer does so: its cosine stays as it is."""
    node = _node(answer)
    return asked.speaks_of("polar_form") and node is not None and is_turned(node)


def _node(reading: Reading) -> Node | None:
    """The expression that an answer is, that it names (`y = 2x + 1`) or that is alone in a set."""
    value = reading.value.value if isinstance(reading.value, Named) else reading.value
    if isinstance(value, FiniteSet) and len(value.items) == 1:
        value = value.items[0]
    return value.node if isinstance(value, Scalar) else None


def _of_node(looks: Callable[[Node], bool]) -> Callable[[Reading], bool]:
    """The same question about the expression of a reading."""

    def of_reading(reading: Reading) -> bool:
        node = _node(reading)
        return node is not None and looks(node)

    return of_reading


def _is_not_turned(node: Node) -> bool:
    return not is_turned(node)


def _is_not_split(node: Node) -> bool:
    return not is_split(node)


def _is_not_call(node: Node) -> bool:
    return not isinstance(node, Call)


def _is_not_solved(reading: Reading) -> bool:
    r"""`y-3 = 2(x-1)`, `y = 2(x-1)+3` for a line that is to be solved for y."""
    node = _node(reading)
    return isinstance(reading.value, Relation) if node is None else has_brackets(node)


def _has_letters_on_both_sides(reading: Reading) -> bool:
    value = reading.value
    if isinstance(value, Named):
        node = _node(reading)
        return node is not None and bool(symbols(node))
    return isinstance(value, Relation) and all(map(symbols, value.sides))


def _has_negative_power(reading: Reading) -> bool:
    signs = [sign for sign in _signs(reading) if sign != "{"]
    return any(pair == ("^", "-") for pair in pairwise(signs))


def _has_root(reading: Reading) -> bool:
    return "sqrt" in _signs(reading)


def _has_bar(reading: Reading) -> bool:
    return not {"frac", "/"}.isdisjoint(_signs(reading))


def _has_digit(reading: Reading) -> bool:
    return any(map(str.isdigit, reading.text))


def _signs(reading: Reading) -> list[str]:
    return [text for _, text in reading.tokens]


_FORMS: tuple[tuple[str, Callable[[Reading], bool]], ...] = (
    ("completed_square", _of_node(is_spread)),
    ("polar_form", _of_node(_is_not_turned)),
    ("rectangular_form", _of_node(is_turned)),
    ("rationalizing", _of_node(has_root_below)),
    ("partial_fractions", _of_node(_is_not_split)),
    ("single_logarithm", _of_node(_is_not_call)),
    ("slope_intercept", _is_not_solved),
    ("standard_form", _has_letters_on_both_sides),
    ("positive_exponent", _has_negative_power),
    ("rational_exponent", _has_root),
    ("negative_exponent", _has_bar),
    ("in_words", _has_digit),
)
"""The kind of words that names a form, and whether a reading has another."""
_KINDS = tuple(kind for kind, _ in _FORMS)
