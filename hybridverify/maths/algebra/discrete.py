"""The normal forms of functions that count, compare or round, and the names under which others are filed."""

from __future__ import annotations

import math
from fractions import Fraction

from hybridverify.maths.algebra import numeric
from hybridverify.maths.algebra.nodes import Call, Exact, Node, Num, Pow, is_infinite, quotient
from hybridverify.maths.algebra.operators import has_branches
from hybridverify.maths.algebra.polynomials import ONE, UNIT, key
from hybridverify.maths.algebra.ratios import NormalForms, Ratio, constant
from hybridverify.maths.limits import MAX_FACTORIAL, MAX_KEY, Limit, Unread

_SHIFT = 20  # n! and (n + c)! are brought together for |c| up to this
_MAX_MODULUS_BITS = 2_048
_CLEAR = 1e-9
"""How far a value must be from a border to be seen on one side of it."""


def opaque(normal: NormalForms, node: Call, args: list[str] | None = None) -> Ratio:
    """A generator named by the function and its arguments."""
    names = args if args is not None else [name_of(normal.of(arg)) for arg in node.args]
    return normal.generator(f"F{node.name}{';'.join(names)}")


def name_of_part(normal: NormalForms, arg: Node) -> str:
    """The body or a bound of an operator, by value; as it is written where its value hangs on the signs of letters."""
    if is_infinite(arg):
        return "inf" if is_infinite(arg) > 0 else "-inf"
    if not has_branches(arg):
        return name_of(normal.of(arg))
    written = repr(arg)
    if len(written) > MAX_KEY:
        raise Limit("limit")
    return "=" + written


def name_of(ratio: Ratio) -> str:
    """A canonical name of a ratio."""
    return key(ratio.num) + ("" if ratio.den == ONE else "/" + key(ratio.den))


def symmetric(normal: NormalForms, node: Call) -> Ratio:
    """max and the like: a number for numbers, else named by its arguments in any order."""
    ratios = [normal.of(arg) for arg in node.args]
    if len(ratios) == 1 and node.name in ("max", "min"):
        return ratios[0]
    values = [value for ratio in ratios if (value := constant(ratio)) is not None]
    found = _of_numbers(node.name, values) if len(values) == len(ratios) else None
    if found is not None:
        return normal.number(found)
    place = _extreme_place(node) if node.name in ("max", "min") else None
    if place is not None:
        return ratios[place]
    return opaque(normal, node, sorted(set(map(name_of, ratios))))


def _extreme_place(node: Call) -> int | None:
    """Which of several numbers is the greatest or least, where all are known and it stands clear of the others."""
    values = [numeric.constant(arg) for arg in node.args]
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None
    end = max(known) if node.name == "max" else min(known)
    others = [value for value in known if abs(value - end) <= _CLEAR * max(1.0, abs(end))]
    return known.index(end) if len(others) == 1 else None


def _of_numbers(name: str, values: list[Exact]) -> Exact | None:
    """max, min, gcd or lcm; None for a divisor of what is not whole."""
    if name in ("max", "min"):
        return max(values) if name == "max" else min(values)
    if any(value.denominator != 1 for value in values):
        return None
    whole = [int(value) for value in values]
    return math.gcd(*whole) if name == "gcd" else math.lcm(*whole)


def remainder(normal: NormalForms, node: Call) -> Ratio:
    """What is left of a number by a positive modulus; of letters, a name."""
    modular = _modular_power(node)
    if modular is not None:
        return normal.number(modular)
    value, modulus = (normal.of(arg) for arg in node.args)
    size = numeric.constant(node.args[1])
    if size is not None and size <= 0:
        raise Unread("a negative modulus")
    number, divisor = constant(value), constant(modulus)
    if number is not None and divisor:
        return normal.number(number - divisor * math.floor(Fraction(number) / divisor))
    turns = numeric.constant(quotient(*node.args))
    if turns is None or abs(turns - round(turns)) < _CLEAR:
        return opaque(normal, node)
    return normal.add(value, normal.scale(modulus, -math.floor(turns)))


def _modular_power(node: Call) -> int | None:
    """`7^{2023} \\bmod 100`, whose power nobody writes out."""
    power, modulus = node.args
    if type(power) is not Pow:
        return None
    values = [_small_integer(part) for part in (power.base, power.exponent, modulus)]
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None
    base, exponent, size = known
    return pow(base, exponent, size) if exponent > 0 and size > 0 else None


def _small_integer(node: Node) -> int | None:
    """The value of an integer that is written out and not too long."""
    if type(node) is not Num or node.value.denominator != 1:
        return None
    return int(node.value) if node.value.numerator.bit_length() <= _MAX_MODULUS_BITS else None


def factorial_of(normal: NormalForms, node: Call) -> Ratio:
    """`factorial` of the argument."""
    return factorial(normal, normal.of(node.args[0]))


def factorial(normal: NormalForms, ratio: Ratio) -> Ratio:
    """n!, with (n + c)! written through n! for small whole c."""
    value = constant(ratio)
    if value is not None:
        if value.denominator != 1 or value < 0:
            raise Unread("factorial of no natural number")
        if value > MAX_FACTORIAL:
            raise Limit("limit")
        return normal.number(math.factorial(int(value)))
    if ratio.den != ONE:
        raise Unread("factorial of a quotient")
    shift = math.floor(ratio.num.get(UNIT, 0))
    if abs(shift) > _SHIFT:
        raise Limit("limit")
    base = normal.add(ratio, normal.number(-shift))
    result = normal.generator("Pfactorial" + name_of(base))
    for step in range(1, abs(shift) + 1):
        factor = normal.add(base, normal.number(step if shift > 0 else 1 - step))
        result = normal.multiply(result, factor if shift > 0 else normal.invert(factor))
    return result


def double_factorial(normal: NormalForms, node: Call) -> Ratio:
    """5!! = 5 * 3 * 1."""
    value = constant(normal.of(node.args[0]))
    if value is None:
        return opaque(normal, node)
    if value.denominator != 1 or value < 0:
        raise Unread("factorial of no natural number")
    if value > MAX_FACTORIAL:
        raise Limit("limit")
    return normal.number(math.prod(range(int(value), 0, -2)))


def binomial(normal: NormalForms, node: Call) -> Ratio:
    """A number for numbers, else through factorials."""
    top, bottom = normal.of(node.args[0]), normal.of(node.args[1])
    value, chosen = constant(top), constant(bottom)
    if value is not None and chosen is not None:
        if value.denominator != 1 or chosen.denominator != 1 or value < 0 or chosen < 0:
            raise Unread("binomial of no natural numbers")
        if value > MAX_FACTORIAL:
            raise Limit("limit")
        return normal.number(math.comb(int(value), int(chosen)))
    rest = normal.add(top, normal.scale(bottom, -1))
    below = normal.multiply(factorial(normal, bottom), factorial(normal, rest))
    return normal.multiply(factorial(normal, top), normal.invert(below))


def rounded(normal: NormalForms, node: Call) -> Ratio:
    """Floor and ceiling of a rational number."""
    value = constant(normal.of(node.args[0]))
    if value is None:
        return opaque(normal, node)
    return normal.number(math.floor(value) if node.name == "floor" else math.ceil(value))
