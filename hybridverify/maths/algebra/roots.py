"""The real roots of a polynomial in one letter, where all are found exactly: rational ones, then a quadratic."""

from __future__ import annotations

from fractions import Fraction

from hybridverify.maths.algebra.nodes import Add, Exact, Mul, Node, Num, Pow, whole
from hybridverify.maths.algebra.normal import Normal
from hybridverify.maths.algebra.polynomials import ONE
from hybridverify.maths.limits import Unread

Coefficients = list[Fraction]
_MAX_DEGREE = 6
_MAX_END = 20_000
"""Largest first and last coefficient of which the divisors are tried."""
_MAX_TRIED = 400


def coefficients(node: Node, name: str) -> Coefficients | None:
    """Of a polynomial with rational coefficients, from the constant up; None for anything else."""
    try:
        ratio = Normal().of(node)
    except (Unread, RecursionError):
        return None
    if ratio.den != ONE:
        return None
    found: dict[int, Fraction] = {}
    for mono, value in ratio.num.items():
        powers = dict(mono)
        count = powers.pop("v" + name, 0)
        if powers or count.denominator != 1 or not 0 <= count <= _MAX_DEGREE:
            return None
        found[int(count)] = Fraction(value)
    return [found.get(place, Fraction(0)) for place in range(max(found, default=0) + 1)]


def value_at(poly: Coefficients, point: Fraction) -> Fraction:
    """The value by Horner's rule."""
    total = Fraction(0)
    for coefficient in reversed(poly):
        total = total * point + coefficient
    return total


def real_roots(poly: Coefficients) -> list[Node] | None:
    """The distinct real roots, None where not all of them are found.

    >>> real_roots([Fraction(-9), Fraction(0), Fraction(1)])
    [Num(value=-3, digits=-1), Num(value=3, digits=-1)]
    """
    rest = list(poly)
    roots: list[Exact] = []
    while len(rest) > 3:
        root = _rational_root(rest)
        if root is None:
            return None
        roots.append(root)
        rest = _divided(rest, root)
    found: list[Node] = [Num(whole(root)) for root in sorted(set(roots))]
    for node in _last_roots(rest):
        if node not in found:
            found.append(node)
    return found


def _last_roots(poly: Coefficients) -> list[Node]:
    """Of a polynomial of degree two at most."""
    if len(poly) == 1:
        return []
    if len(poly) == 2:
        return [Num(whole(-poly[0] / poly[1]))]
    constant, linear, square = poly
    gap = linear * linear - 4 * square * constant
    if gap < 0:
        return []
    middle, width = -linear / (2 * square), gap / (4 * square * square)
    if gap == 0:
        return [Num(whole(middle))]
    root = _square_root(width)
    if root is not None:
        return [Num(whole(middle - root)), Num(whole(middle + root))]
    node = Pow(Num(whole(width)), Num(Fraction(1, 2)))
    return [Add((Num(whole(middle)), Mul((Num(-1), node)))), Add((Num(whole(middle)), node))]


def _square_root(value: Fraction) -> Fraction | None:
    """Where it is rational."""
    top, bottom = _isqrt(value.numerator), _isqrt(value.denominator)
    return None if top is None or bottom is None else Fraction(top, bottom)


def _isqrt(value: int) -> int | None:
    root = int(value**0.5) if value < 1 << 50 else 0
    near = (found for found in (root - 1, root, root + 1) if found >= 0 and found * found == value)
    return next(near, None)


def _rational_root(poly: Coefficients) -> Fraction | None:
    if poly[0] == 0:
        return Fraction(0)
    scale = 1
    for coefficient in poly:
        scale = scale * coefficient.denominator
        if scale > _MAX_END:
            return None
    last, first = abs(int(poly[0] * scale)), abs(int(poly[-1] * scale))
    if max(first, last) > _MAX_END:
        return None
    tried = 0
    for bottom in _divisors(first):
        for top in _divisors(last):
            for root in (Fraction(top, bottom), Fraction(-top, bottom)):
                tried += 1
                if tried > _MAX_TRIED:
                    return None
                if value_at(poly, root) == 0:
                    return root
    return None


def _divisors(number: int) -> list[int]:
    return [divisor for divisor in range(1, min(number, 200) + 1) if number % divisor == 0]


def _divided(poly: Coefficients, root: Fraction) -> Coefficients:
    """By x - root."""
    out: Coefficients = []
    carry = Fraction(0)
    for coefficient in reversed(poly[1:]):
        carry = carry * root + coefficient
        out.append(carry)
    return out[::-1]
