"""What must hold for every input: no exception, bounded work, self-equality, symmetry, and no false equality."""

from __future__ import annotations

import time
from fractions import Fraction
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from hybridverify.conventions import Conventions
from hybridverify.maths import Unreadable, compare, read
from hybridverify.maths.notation.vocabulary import word_list
from tests.maths.trees import POINTS, Tree, latex, program, trees, value

CONVENTIONS = Conventions()
RELAXED = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)
PIECES = word_list(
    r"\frac \sqrt \left( \right) \{ \} { } ( ) [ ] ^ _ + - * / ! | % $ , ; : = < > \le \cup \in \pm \text{ \\ & "
    r"\begin{pmatrix} \end{pmatrix} \pi \infty e i x y n k f A B 0 1 2 7 12 0.5 1,000 10^{9} \sin \ln \log \circ "
    r"^\circ cm and or \mathbb{R} \binom \overline{3} \boxed{ ... \ldots \approx \neq é 页 √ ½ π ° ± not the wins"
)
SECONDS = 1.0
"""A generous bound for a loaded machine: the work is bounded to some tens of milliseconds."""

noise = st.lists(st.sampled_from(PIECES), max_size=25).map(" ".join) | st.lists(
    st.sampled_from(PIECES), max_size=25
).map("".join)


@pytest.mark.load
@RELAXED
@given(noise, noise, st.sampled_from(("", "Find x in percent.", "Let n be positive, in the complex plane.")))
def test_any_text_is_compared_without_an_exception_and_in_time(left: str, right: str, question: str) -> None:
    start = time.process_time()
    result = compare(left, right, question, CONVENTIONS)
    assert time.process_time() - start < SECONDS
    assert result.outcome in ("equal", "different", "undecided")
    assert result.reason


@RELAXED
@given(st.text(max_size=200))
def test_arbitrary_unicode_is_read_without_an_exception(text: str) -> None:
    read(text, CONVENTIONS)


@RELAXED
@given(noise)
def test_a_readable_text_equals_itself(text: str) -> None:
    assume(not isinstance(read(text, CONVENTIONS), Unreadable))
    assert compare(text, text, "", CONVENTIONS).equal


@RELAXED
@given(trees())
def test_the_two_notations_of_an_expression_agree(tree: Tree) -> None:
    outcome = compare(latex(tree), program(tree), "", CONVENTIONS).outcome
    assert outcome != "different"
    if all(value(tree, point) is not None for point in POINTS):
        assert outcome == "equal"


@RELAXED
@given(trees(5), trees(5))
def test_equal_expressions_have_equal_values(left: Tree, right: Tree) -> None:
    if not compare(latex(left), program(right), "", CONVENTIONS).equal:
        return
    for point in POINTS:
        first, second = value(left, point), value(right, point)
        if first is not None and second is not None:
            assert abs(first - second) <= 1e-6 * max(1.0, abs(first), abs(second))


@RELAXED
@given(trees(4), trees(4), trees(4))
def test_laws_of_arithmetic_are_never_called_different(a: Tree, b: Tree, c: Tree) -> None:
    left, right = ("mul", a, ("add", b, c)), ("add", ("mul", a, b), ("mul", a, c))
    assert compare(latex(left), latex(right), "in x and y", CONVENTIONS).outcome != "different"


@RELAXED
@given(trees(6))
def test_a_shifted_expression_is_never_equal(tree: Tree) -> None:
    shifted = ("add", tree, ("num", 1))
    assert not compare(latex(tree), latex(shifted), "", CONVENTIONS).equal


@RELAXED
@given(trees(5), trees(5))
def test_comparison_of_exact_expressions_is_symmetric(left: Tree, right: Tree) -> None:
    forth = compare(latex(left), latex(right), "", CONVENTIONS).equal
    assert forth == compare(latex(right), latex(left), "", CONVENTIONS).equal


@RELAXED
@given(st.fractions(max_denominator=500), st.fractions(max_denominator=500))
def test_fractions_are_decided_exactly(first: Fraction, second: Fraction) -> None:
    outcome = compare(str(first), str(second), "", CONVENTIONS).outcome
    if first == second:
        assert outcome == "equal"
    elif second.denominator > 1 or first.denominator == 1:  # a whole number may be a rounding of a fraction
        assert outcome == "different"
    else:
        assert outcome != "equal"


@RELAXED
@given(st.lists(st.integers(-50, 50), min_size=2, max_size=6), st.randoms(use_true_random=False))
def test_bare_lists_are_equal_exactly_when_they_hold_the_same_numbers(
    numbers: list[int], random: Random
) -> None:
    shuffled = [*numbers]
    random.shuffle(shuffled)
    other = [*shuffled[:-1], shuffled[-1] + 1]
    text = "; ".join(map(str, numbers))
    assert compare(text, "; ".join(map(str, shuffled)), "", CONVENTIONS).equal
    assert not compare(text, "; ".join(map(str, other)), "", CONVENTIONS).equal
