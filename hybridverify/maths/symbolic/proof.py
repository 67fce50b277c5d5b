"""The reader's comparison of two answers, with a second opinion where it met expressions it could not decide.

`possible` is bounded and runs anywhere: would the answers be equal if every open pair of expressions were?
`proved` asks sympy about each open pair, which may take any time: only for workers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from hybridverify.conventions import Conventions
from hybridverify.maths.algebra.equality import Same, same_expression
from hybridverify.maths.algebra.nodes import Add, Node, negative, symbols
from hybridverify.maths.algebra.numeric import NoValue, evaluate, point_for
from hybridverify.maths.algebra.operators import has_operator
from hybridverify.maths.algebra.products import other_product, reordered
from hybridverify.maths.comparing.compare import with_forms
from hybridverify.maths.comparing.doubts import mean_others, rearranged
from hybridverify.maths.comparing.kind_rules import compare_values
from hybridverify.maths.comparing.rules import Case, Comparison, equal, undecided
from hybridverify.maths.comparing.setting import setting_of
from hybridverify.maths.limits import Limit, Unread
from hybridverify.maths.parsing.reading import answer_reading, reference_reading
from hybridverify.maths.symbolic.bounds import check_bounds
from hybridverify.maths.symbolic.latex import alike, operators_of, parsed, plain_latex
from hybridverify.maths.values.kinds import TURNED, Relation, Scalar, Unreadable, Value

Opinion = Callable[[Value, Value, Case], bool]
"""What to think of a pair that the reader left undecided: True for equal."""
_REFUSED = (ValueError, TypeError, ArithmeticError, AttributeError, NotImplementedError)
"""What sympy raises about expressions that it was not made for."""
MAX_PARSED_TOKENS = 50
"""Of a reference and an answer that go to math-verify's parser: ten terms under an integral take it a second."""


@lru_cache(maxsize=512)  # of the responses to one question many say the same
def possible(reference: str, answer: str, question: str, conventions: Conventions) -> Comparison:
    """`equal` where a proof by sympy could make the two equal; else why not. Bounded, raises nothing."""
    if operators_of(reference) or operators_of(answer):
        return _possible_latex(reference, answer)
    return _compare(reference, answer, question, conventions, _open)


def proved(reference: str, answer: str, question: str, conventions: Conventions) -> bool:
    """True when the two are equal, with sympy's proofs. Takes any time. What sympy refuses is not proved: an answer
    such as the larger of two complex numbers must not leave its row without a grade."""
    try:
        return _proved(reference, answer, question, conventions)
    except _REFUSED:
        return False


def _proved(reference: str, answer: str, question: str, conventions: Conventions) -> bool:
    if not possible(reference, answer, question, conventions).equal:
        return False
    if operators_of(reference):
        from hybridverify.maths.symbolic import equality

        try:
            return equality.equal(*alike(parsed(plain_latex(reference)), parsed(plain_latex(answer))))
        except Unread:
            return False
    return _compare(reference, answer, question, conventions, _equal_by_sympy).equal


def _possible_latex(reference: str, answer: str) -> Comparison:
    if not set(operators_of(answer)) <= set(operators_of(reference)):
        return undecided("a sum, integral or limit in the answer alone")
    try:
        tokens = plain_latex(reference).split() + plain_latex(answer).split()
    except Unread as error:
        return undecided("limit" if isinstance(error, Limit) else "unreadable")
    return undecided("limit") if len(tokens) > MAX_PARSED_TOKENS else equal()


def _compare(
    reference: str, answer: str, question: str, conventions: Conventions, opinion: Opinion
) -> Comparison:
    def compare(left: Value, right: Value, case: Case) -> Comparison:
        found = compare_values(left, right, case)
        if found.outcome == "undecided" and opinion(left, right, case):
            return equal("proved equal")
        return found

    mine, theirs = reference_reading(reference, conventions), answer_reading(answer, conventions)
    for side in (mine, theirs):
        if isinstance(side.value, Unreadable):
            return undecided("limit" if side.value.reason == "limit" else "unreadable")
    if rearranged(mine.tokens, theirs.tokens):
        return undecided("words or products")
    if other_product(mine.text, theirs.text, question):
        return undecided("order of a product")
    if mean_others(mine, theirs, (reference, answer), question):
        return undecided("two readings")
    case = Case(question, conventions, setting_of(mine, theirs, question, conventions), compare)
    try:
        found = compare(mine.value, theirs.value, case)
    except Unread as error:
        return undecided("limit" if isinstance(error, Limit) else "unreadable")
    except (RecursionError, OverflowError):
        return undecided("limit")
    return with_forms(mine, theirs, found, question, conventions)


def _open(left: Value, right: Value, case: Case) -> bool:
    """True where numbers at test points do not tell the two apart. Raises Limit for what sympy must not see."""
    if reordered(_sides(left), _sides(right), case.setting.capitals, case.setting.vectors):
        return False  # sympy's symbols commute
    if isinstance(left, Scalar) and isinstance(right, Scalar):
        if has_operator(left.node) is not has_operator(right.node):
            return False  # what is not evaluated here is opaque there
        check_bounds(left.node)
        check_bounds(right.node)
        return same_expression(left.node, right.node, case.setting) is Same.UNKNOWN
    if (
        isinstance(left, Relation)
        and isinstance(right, Relation)
        and case.conventions.equation_scale == "any"
    ):
        for side in (*left.sides, *right.sides):
            check_bounds(side)
        return any(_in_proportion(left, other) for other in (right, _turned(right)))
    return False


def _sides(value: Value) -> tuple[Node, ...]:
    if isinstance(value, Relation):
        return value.sides
    return (value.node,) if isinstance(value, Scalar) else ()


def _in_proportion(left: Relation, right: Relation) -> bool:
    if left.operators != right.operators or len(left.sides) != 2:
        return False
    names = symbols(_gap(left))
    if names != symbols(_gap(right)):
        return False
    try:
        points = [point_for(names, number) for number in range(2)]
        first, second = (evaluate(_gap(left), p) / evaluate(_gap(right), p) for p in points)
    except (NoValue, ZeroDivisionError):
        return True  # cannot tell
    return abs(first - second) <= 1e-8 * abs(first)


def _equal_by_sympy(left: Value, right: Value, case: Case) -> bool:
    from hybridverify.maths.symbolic import equality

    if not _open(left, right, case):
        return False
    if isinstance(left, Scalar) and isinstance(right, Scalar):
        first, second = (equality.expression(side.node, case.setting.imaginary) for side in (left, right))
        return equality.equal(first, second)
    if isinstance(left, Relation) and isinstance(right, Relation):
        gap = equality.expression(_gap(left), case.setting.imaginary)
        others = (_gap(other) for other in (right, _turned(right)) if other.operators == left.operators)
        return any(
            equality.scaled(gap, equality.expression(other, case.setting.imaginary)) for other in others
        )
    return False


def _turned(relation: Relation) -> Relation:
    operators = tuple(TURNED.get(operator, operator) for operator in reversed(relation.operators))
    return Relation(relation.sides[::-1], operators)


def _gap(relation: Relation) -> Node:
    return Add((relation.sides[0], negative(relation.sides[1])))
