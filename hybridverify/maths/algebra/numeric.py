"""Values of nodes in floating point at chosen points: a sound "no", never alone a "yes".

Real arithmetic with real odd roots; complex arithmetic where a caller asks for it. Where digits cancel, or a
function is undefined, there is no value rather than a doubtful one.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Mapping
from zlib import crc32

from hybridverify.maths.algebra.nodes import Add, Call, Const, Mul, Node, Num, Pow, Sym, symbols
from hybridverify.maths.algebra.operators import INNERMOST, OPERATORS, has_operator
from hybridverify.maths.algebra.remembered import remembered

Value = float | complex
_CONSTANTS = {"pi": math.pi, "e": math.e, "deg": math.pi / 180}
_MAX_ARGUMENT = 1e5
"""Beyond this a sine has lost the digits that the comparison needs."""
_MAX_LOSS = 1e6
"""How much relative precision the sums of one evaluation may cancel away, all together."""
_MAX_WHOLE = 1e9
_MAX_TERMS = 500
"""How many terms the sums and products of one evaluation may have, all together."""
_TINY = 1e-8
"""A sine or logarithm this small may be a rounded zero."""


class NoValue(Exception):
    """No trustworthy number at this point."""


def constant(node: Node) -> float | None:
    """The real value of a node without variables, where there is a trustworthy one."""
    value = None if symbols(node) else at_no_point(node)
    return value if isinstance(value, float) else None


@remembered
def at_no_point(node: Node) -> Value | None:
    """The value of a node without variables, None where it has no trustworthy one."""
    try:
        return evaluate(node, {})
    except NoValue:
        return None


def evaluate(
    node: Node,
    point: Mapping[str, float],
    complex_plane: bool = False,
    imaginary: bool = False,
    log_factor: float = 1.0,
) -> Value:
    """The value at a point. Raises NoValue."""
    try:
        value = _Evaluator(point, complex_plane, imaginary, log_factor).of(node)
    except (KeyError, ValueError, OverflowError, ZeroDivisionError, RecursionError) as error:
        raise NoValue(str(error)) from error
    if not cmath.isfinite(value):
        raise NoValue("not finite")
    return value


def point_for(names: frozenset[str], number: int, signs: int = 0) -> dict[str, float]:
    """The numbered test point: fixed pseudo-random values between 0.3 and 2.3, negative where `signs` has a bit."""
    point = {}
    for place, name in enumerate(sorted(names)):
        share = crc32(f"{name}/{number}".encode()) / 2**32
        value = 0.3 + 2 * share
        point[name] = -value if signs >> place & 1 else value
    return point


class _Evaluator:
    def __init__(
        self, point: Mapping[str, float], complex_plane: bool, imaginary: bool, log_factor: float
    ) -> None:
        self.point = point
        self.log_factor = log_factor
        self.complex_plane = complex_plane
        self.imaginary = imaginary
        self.loss = 1.0
        self.terms = 0

    def of(self, node: Node) -> Value:
        if type(node) is Num:
            return float(node.value)
        if type(node) is Sym:
            if self.imaginary and node.name == "i":
                return 1j
            return self.point[node.name]
        if type(node) is Add:
            return self._sum(node)
        if type(node) is Mul:
            return self._product(node)
        if type(node) is Pow:
            return self._power(node)
        if type(node) is Const:
            return _constant(node.name)
        return self._call(node) if type(node) is Call else 0.0

    def _sum(self, node: Add) -> Value:
        total: Value = 0.0
        size = 0.0
        for term in node.terms:
            value = self.of(term)
            total += value
            size = max(size, abs(value))
        if total != 0:
            self.loss *= size / abs(total)
        elif len({type(term) for term in node.terms} - {Num}):
            raise NoValue("cancelled digits")
        if self.loss > _MAX_LOSS:
            raise NoValue("cancelled digits")
        return total

    def _product(self, node: Mul) -> Value:
        product: Value = 1.0
        zero = False
        for factor in node.factors:
            value = self.of(factor)
            zero = zero or value == 0
            product *= value
        if product == 0 and not zero:
            raise NoValue("underflow")
        return product

    def _power(self, node: Pow) -> Value:
        base, exponent = self.of(node.base), self.of(node.exponent)
        if isinstance(base, complex) or isinstance(exponent, complex):
            return complex(base) ** exponent
        if base >= 0 or exponent == int(exponent):
            return self._plain_power(base, exponent)
        share = node.exponent
        if type(share) is Num and share.value.denominator % 2:
            root = math.pow(-base, exponent)
            return -root if share.value.numerator % 2 else root
        if self.complex_plane:
            return complex(base) ** exponent
        raise NoValue("even root of a negative number")

    def _plain_power(self, base: float, exponent: float) -> float:
        if (base == 0 and exponent <= 0) or abs(exponent) > 1000:
            raise NoValue("power")
        value = math.pow(base, exponent)
        if value == 0 and base != 0:
            raise NoValue("underflow")
        return value

    def _call(self, node: Call) -> Value:
        if node.name in OPERATORS:
            return self._repeated(node)
        values = [self.of(arg) for arg in node.args]
        if any(isinstance(value, complex) for value in values):
            return self._complex_call(node.name, values)
        numbers = [float(value.real) for value in values]
        if node.name == "log":
            return self._log(numbers)
        if node.name == "binom":
            return _binomial(*numbers)
        if node.name in ("max", "min"):
            return _extreme(node.name, numbers)
        if node.name in ("gcd", "lcm"):
            return _whole_call(node.name, numbers)
        return _real_call(node.name, numbers)

    def _repeated(self, node: Call) -> Value:
        """A sum or product over a few numbers."""
        body, *bounds = node.args
        if node.name not in ("sum", "prod") or has_operator(body):
            raise NoValue("an operator that is not evaluated")
        low, high = (_whole_bound(self.of(bound)) for bound in bounds)
        self.terms += max(high - low, 0) + 1
        if self.terms > _MAX_TERMS:
            raise NoValue("too many terms")
        outer, values = self.point, []
        for index in range(low, high + 1):
            self.point = {**outer, INNERMOST: float(index)}
            values.append(self.of(body))
        self.point = outer
        return sum(values, 0.0) if node.name == "sum" else math.prod(values, start=1.0)

    def _log(self, numbers: list[float]) -> float:
        """Without a base, times the factor of the base that the caller tries."""
        if len(numbers) == 1:
            return _safe("ln", numbers[0], math.log(numbers[0])) * self.log_factor
        return math.log(numbers[0]) / math.log(numbers[1])

    def _complex_call(self, name: str, values: list[Value]) -> Value:
        function = _COMPLEX.get(name)
        if function is None or len(values) != 1 or abs(values[0]) > _MAX_ARGUMENT:
            raise NoValue("unknown function")
        return function(complex(values[0]))


def _whole_bound(value: Value) -> int:
    if isinstance(value, complex) or not value.is_integer() or abs(value) > _MAX_WHOLE:
        raise NoValue("a bound that is no whole number")
    return int(value)


def _extreme(name: str, numbers: list[float]) -> float:
    return max(numbers) if name == "max" else min(numbers)


def _constant(name: str) -> float:
    if name == "inf":
        raise NoValue("infinity")
    return _CONSTANTS[name]


def _real_call(name: str, numbers: list[float]) -> float:
    function = _REAL.get(name)
    if function is None or len(numbers) != 1 or abs(numbers[0]) > _MAX_ARGUMENT:
        raise NoValue("unknown function")
    return _safe(name, numbers[0], function(numbers[0]))


def _safe(name: str, argument: float, value: float) -> float:
    """The value, unless rounding of the argument may have made it."""
    if name in ("arcsin", "arccos"):
        if abs(argument) > 1 - _TINY * 10:
            raise NoValue("end of the domain")
    elif (
        name not in ("abs", "floor", "ceil")
        and argument not in (0.0, 1.0)
        and not _TINY < abs(value) < 1 / _TINY
    ):
        raise NoValue("rounded zero or pole")
    return value


def _whole_call(name: str, numbers: list[float]) -> float:
    if any(number != int(number) or abs(number) > _MAX_WHOLE for number in numbers):
        raise NoValue("no whole numbers")
    whole = [int(number) for number in numbers]
    return float(math.gcd(*whole) if name == "gcd" else math.lcm(*whole))


def _step(turned: Callable[[float], int]) -> Callable[[float], float]:
    """The next whole number, unless rounding of the argument may have moved it."""

    def value(argument: float) -> float:
        off = abs(argument - round(argument))
        if argument != round(argument) and off < _TINY * max(1.0, abs(argument)):
            raise NoValue("near a step")
        return float(turned(argument))

    return value


def _binomial(top: float, bottom: float) -> float:
    if 0 <= top < bottom and top.is_integer() and bottom.is_integer():
        return 0.0  # nobody can choose ten of three
    return _gamma(top) / (_gamma(bottom) * _gamma(top - bottom))


def _gamma(value: float) -> float:
    return math.gamma(value + 1)


_REAL: dict[str, Callable[[float], float]] = {
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "cot": lambda x: math.cos(x) / math.sin(x),
    "sec": lambda x: 1 / math.cos(x),
    "csc": lambda x: 1 / math.sin(x),
    "sinh": math.sinh,
    "cosh": math.cosh,
    "tanh": math.tanh,
    "coth": lambda x: 1 / math.tanh(x),
    "arcsin": math.asin,
    "arccos": math.acos,
    "arctan": math.atan,
    "arcsinh": math.asinh,
    "arccosh": math.acosh,
    "arctanh": math.atanh,
    "ln": math.log,
    "abs": abs,
    "floor": _step(math.floor),
    "ceil": _step(math.ceil),
    "factorial": _gamma,
}

_COMPLEX: dict[str, Callable[[complex], complex]] = {
    "sin": cmath.sin,
    "cos": cmath.cos,
    "tan": cmath.tan,
    "sinh": cmath.sinh,
    "cosh": cmath.cosh,
    "ln": cmath.log,
    "abs": lambda z: complex(abs(z)),
}
