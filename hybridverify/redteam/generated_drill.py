"""Tasks that state a formula or quantity and ask for its value or another form."""

from __future__ import annotations

import math
import random
from fractions import Fraction

_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
_UNITS = (
    ("km", "m", 1000), ("m", "cm", 100), ("kg", "g", 1000), ("hours", "minutes", 60), ("days", "hours", 24),
    ("minutes", "seconds", 60), ("cm", "mm", 10), ("litres", "millilitres", 1000), ("weeks", "days", 7),
)  # fmt: skip


def _fraction(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value.numerator)
    sign = "-" if value < 0 else ""
    return rf"{sign}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"


def _product(r: random.Random) -> tuple[str, str]:
    a, b = r.randint(12, 99), r.randint(12, 99)
    return rf"Compute ${a}\cdot {b}$.", str(a * b)


def _mixed(r: random.Random) -> tuple[str, str]:
    a, b, c = r.randint(11, 90), r.randint(3, 30), r.randint(3, 20)
    return f"What is {a} + {b} * {c}?", str(a + b * c)


def _power(r: random.Random) -> tuple[str, str]:
    a, n, c = r.randint(2, 9), r.randint(2, 5), r.randint(2, 60)
    return f"Evaluate ${a}^{n} - {c}$.", str(a**n - c)


def _in_words(r: random.Random) -> tuple[str, str]:
    a, b = r.randint(2, 20), r.randint(2, 20)
    word, value = r.choice((("times", a * b), ("plus", a + b), ("minus", a - b)))
    return f"What is {_ONES[a]} {word} {_ONES[b]}?", str(value)


def _sum_in_words(r: random.Random) -> tuple[str, str]:
    a, b = r.randint(20, 400), r.randint(20, 400)
    return f"Find the sum of {a} and {b}.", str(a + b)


def _percent(r: random.Random) -> tuple[str, str]:
    p, n = r.choice((5, 10, 20, 25, 40, 50, 75)), 20 * r.randint(2, 60)
    return f"Calculate {p}% of {n}.", _fraction(Fraction(p * n, 100))


def _fractions(r: random.Random) -> tuple[str, str]:
    a, b, c, d = (r.randint(1, 9), r.randint(2, 12), r.randint(1, 9), r.randint(2, 12))
    return rf"Compute $\frac{{{a}}}{{{b}}} + \frac{{{c}}}{{{d}}}$.", _fraction(
        Fraction(a, b) + Fraction(c, d)
    )


def _reduce(r: random.Random) -> tuple[str, str]:
    k, a, b = r.randint(2, 12), r.randint(2, 15), r.randint(2, 15)
    value = Fraction(a, b)
    return rf"Reduce $\frac{{{a * k}}}{{{b * k}}}$ to lowest terms.", _fraction(value)


def _root(r: random.Random) -> tuple[str, str]:
    a, b = r.randint(2, 12), r.choice((2, 3, 5, 6, 7, 10))
    return rf"Simplify $\sqrt{{{a * a * b}}}$.", rf"{a}\sqrt{{{b}}}"


def _linear(r: random.Random) -> tuple[str, str]:
    a, x, b = r.randint(2, 12), r.randint(-12, 15), r.randint(1, 40)
    return f"Solve ${a}x + {b} = {a * x + b}$ for $x$.", str(x)


def _plain_linear(r: random.Random) -> tuple[str, str]:
    a, x, b = r.randint(2, 12), r.randint(2, 15), r.randint(1, 40)
    return f"Solve {a}y - {b} = {a * x - b}.", str(x)


def _quadratic(r: random.Random) -> tuple[str, str]:
    p, q = sorted(r.sample(range(1, 14), 2))
    return f"Solve $x^2 - {p + q}x + {p * q} = 0$.", f"{p}, {q}"


def _factor(r: random.Random) -> tuple[str, str]:
    p, q = sorted(r.sample(range(1, 14), 2))
    return f"Factor $x^2 + {p + q}x + {p * q}$.", f"(x+{p})(x+{q})"


def _expand(r: random.Random) -> tuple[str, str]:
    p, q = sorted(r.sample(range(1, 14), 2))
    return f"Expand $(x+{p})(x+{q})$.", f"x^2+{p + q}x+{p * q}"


def _convert(r: random.Random) -> tuple[str, str]:
    (one, other, times), n = r.choice(_UNITS), r.randint(2, 60)
    return f"Convert {n} {one} to {other}.", f"{n * times} {other}"


def _logarithm(r: random.Random) -> tuple[str, str]:
    a, n = r.randint(2, 9), r.randint(2, 6)
    return rf"Evaluate $\log_{{{a}}} {a**n}$.", str(n)


def _derivative(r: random.Random) -> tuple[str, str]:
    a, n, b = r.randint(2, 9), r.randint(2, 6), r.randint(2, 20)
    power = f"^{n - 1}" if n > 2 else ""
    return rf"Find $\frac{{d}}{{dx}}({a}x^{n} + {b}x)$.", f"{a * n}x{power}+{b}"


def _integral(r: random.Random) -> tuple[str, str]:
    a, n = r.randint(1, 12), r.randint(1, 6)
    return rf"Evaluate $\int_0^{{{a}}} x^{n}\,dx$.", _fraction(Fraction(a ** (n + 1), n + 1))


def _factorial(r: random.Random) -> tuple[str, str]:
    n, k = r.randint(5, 15), r.randint(2, 4)
    return rf"Compute $\frac{{{n}!}}{{{n - k}!}}$.", str(math.perm(n, k))


def _gcd(r: random.Random) -> tuple[str, str]:
    k, a, b = r.randint(3, 30), r.randint(2, 15), r.randint(2, 15)
    return rf"Find $\gcd({k * a}, {k * b})$.", str(math.gcd(k * a, k * b))


def _remainder(r: random.Random) -> tuple[str, str]:
    a, m = r.randint(100, 2000), r.randint(5, 40)
    return rf"What is ${a} \bmod {m}$?", str(a % m)


def _plain_factorial(r: random.Random) -> tuple[str, str]:
    n = r.randint(3, 9)
    return f"Evaluate {n}!.", str(math.factorial(n))


def _as_decimal(r: random.Random) -> tuple[str, str]:
    value = Fraction(r.randint(1, 40), r.choice((4, 5, 8, 16, 20, 25)))
    return f"What is {value.numerator}/{value.denominator} as a decimal?", str(float(value))


def _as_fraction(r: random.Random) -> tuple[str, str]:
    value = Fraction(r.randint(1, 99), r.choice((4, 5, 8, 20, 25)))
    return f"Write {float(value)} as a fraction in lowest terms.", _fraction(value)


def _as_percent(r: random.Random) -> tuple[str, str]:
    n = r.randint(2, 98)
    return f"Write {n / 100} as a percent.", rf"{n}\%"


def _in_powers_of_ten(r: random.Random) -> tuple[str, str]:
    n, zeros = r.randint(11, 99), r.randint(2, 7)
    return f"Write {n * 10**zeros} in scientific notation.", rf"{n / 10} \times 10^{{{zeros + 1}}}"


def _prime_factors(r: random.Random) -> tuple[str, str]:
    p, q, n = r.choice((2, 3)), r.choice((5, 7, 11, 13)), r.randint(2, 4)
    return f"Find the prime factorization of {p**n * q}.", rf"{p}^{n} \cdot {q}"


def _mixed_number(r: random.Random) -> tuple[str, str]:
    whole, bottom = r.randint(1, 9), r.randint(2, 9)
    return f"Write {whole * bottom + 1}/{bottom} as a mixed number.", rf"{whole}\frac{{1}}{{{bottom}}}"


def _union(r: random.Random) -> tuple[str, str]:
    a, b, c = sorted(r.sample(range(1, 30), 3))
    return rf"Find the union of $\{{{a},{b}\}}$ and $\{{{c}\}}$.", rf"\{{{a},{b},{c}\}}"


def _completed_square(r: random.Random) -> tuple[str, str]:
    h, k = r.randint(2, 12), r.randint(2, 40)
    return f"Complete the square: $x^2+{2 * h}x+{h * h + k}$.", f"(x+{h})^2+{k}"


def _like_terms(r: random.Random) -> tuple[str, str]:
    a, b, c = r.randint(4, 12), r.randint(2, 12), r.randint(2, 12)
    return f"Combine like terms: ${a}a + {b}b + {c}a$.", f"{a + c}a+{b}b"


def _absolute_value(r: random.Random) -> tuple[str, str]:
    n = r.randint(2, 400)
    return f"What is the absolute value of -{n}?", str(n)


def _rationalized(r: random.Random) -> tuple[str, str]:
    a, b = r.randint(1, 9), r.choice((2, 3, 5, 7, 11, 13))
    top = "" if a == 1 else a
    return (
        rf"Rationalize the denominator of $\frac{{{a}}}{{\sqrt{{{b}}}}}$.",
        rf"\frac{{{top}\sqrt{{{b}}}}}{{{b}}}",
    )


def _polar(r: random.Random) -> tuple[str, str]:
    n = r.randint(2, 30)
    return f"Write ${n} + {n}i$ in polar form.", rf"{n}\sqrt{{2}}e^{{i\pi/4}}"


def _rounded(r: random.Random) -> tuple[str, str]:
    n = r.randint(10_000, 99_999)
    return f"Round {n / 10_000} to two decimal places.", f"{float(round(Fraction(n, 10_000), 2)):.2f}"


DRILL = (
    _product, _mixed, _power, _in_words, _sum_in_words, _percent, _fractions, _reduce, _root, _linear, _plain_linear,
    _quadratic, _factor, _expand, _convert, _logarithm, _derivative, _integral, _factorial, _gcd, _remainder,
    _plain_factorial, _as_decimal, _as_fraction, _as_percent, _in_powers_of_ten, _prime_factors, _mixed_number, _union,
    _completed_square, _like_terms, _absolute_value, _rationalized, _polar, _rounded,
)  # fmt: skip
