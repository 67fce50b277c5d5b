"""Comparing matrices, and a matrix of one row or column with a list."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from hybridverify.maths.comparing.label_rules import (
    by_name,
    label_of,
)
from hybridverify.maths.comparing.list_rules import are_exact, tuple_form
from hybridverify.maths.comparing.rules import (
    Case,
    Comparison,
    different,
    in_order,
    undecided,
)
from hybridverify.maths.values.kinds import (
    Listing,
    Matrix,
    Tuple,
    Value,
)


def matrices(left: Matrix, right: Matrix, case: Case) -> Comparison:
    """Same shape, entry by entry; a determinant is no matrix."""
    if left.determinant != right.determinant:
        return undecided("matrix")
    if _shape(left) != _shape(right):
        return different("another shape") if _have_shapes(left, right) else undecided("matrix")
    mine, theirs = [*chain(*left.rows)], [*chain(*right.rows)]
    result = in_order(mine, theirs, case, "same value")
    sure = are_exact(mine) and are_exact(theirs) and not left.determinant
    return result if result.outcome != "different" or sure else undecided()


def _shape(matrix: Matrix) -> tuple[int, int]:
    return len(matrix.rows), len(matrix.rows[0])


def _have_shapes(left: Matrix, right: Matrix) -> bool:
    """Are neither of them a row, a column or a determinant, nor one the other with its rows as columns?"""
    return (
        min(*_shape(left), *_shape(right)) > 1
        and not left.determinant
        and _shape(left) != _shape(right)[::-1]
    )


def matrix_and_tuple(left: Matrix, right: Tuple, case: Case) -> Comparison:
    """A column is the tuple of its entries."""
    return tuple_form(right, column(left), right.items, case)


def tuple_and_matrix(left: Tuple, right: Matrix, case: Case) -> Comparison:
    """As above."""
    return tuple_form(left, left.items, column(right), case)


def listing_and_matrix(left: Listing, right: Matrix, case: Case) -> Comparison:
    """`a, b, c` and the column of a, b, c: in its order."""
    if not left.separators <= {","} or any(label_of(item) for item in left.items):
        return undecided("tuple_form")
    return tuple_form(Tuple(left.items, "(", ")"), left.items, column(right), case)


def matrix_and_listing(left: Matrix, right: Listing, case: Case) -> Comparison:
    """As above, or with the name of each entry."""
    return tuple_form(Tuple(tuple(column(left)), "(", ")"), column(left), by_name(right, case), case)


def column(matrix: Matrix) -> Sequence[Value]:
    """The entries of a column, nothing for any other matrix."""
    if matrix.determinant or any(len(row) != 1 for row in matrix.rows):
        return ()
    return [row[0] for row in matrix.rows]
