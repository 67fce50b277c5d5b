"""Mathematics in a story: nothing in the text is the value that is asked for."""

from __future__ import annotations

import math
import random
from fractions import Fraction

_NAMES = ("Ada", "Bela", "Chidi", "Dana", "Emre", "Fumi", "Greta", "Hugo", "Ines", "Jomo", "Kari", "Lev")
_THINGS = ("marbles", "stamps", "pencils", "apples", "shells", "coins", "cards", "buttons")


def _written(value: Fraction) -> str:
    return (
        str(value.numerator)
        if value.denominator == 1
        else rf"\frac{{{value.numerator}}}{{{value.denominator}}}"
    )


def _shop(r: random.Random) -> tuple[str, str]:
    name, thing, n, price, paid = r.choice(_NAMES), r.choice(_THINGS), r.randint(3, 15), r.randint(2, 12), 0
    paid = n * price + r.randint(1, 40)
    return (
        f"{name} buys {n} {thing} at {price} dollars each and pays with {paid} dollars. How many dollars does"
        f" {name} get back?",
        str(paid - n * price),
    )


def _share(r: random.Random) -> tuple[str, str]:
    name, thing, friends, each, left = (
        r.choice(_NAMES),
        r.choice(_THINGS),
        r.randint(3, 12),
        r.randint(3, 20),
        0,
    )
    left = r.randint(1, friends - 1)
    return (
        f"{name} has {friends * each + left} {thing} and gives each of {friends} friends as many as possible, all of"
        f" them the same number. How many {thing} are left over?",
        str(left),
    )


def _train(r: random.Random) -> tuple[str, str]:
    speed, hours, more = 10 * r.randint(4, 14), r.randint(2, 9), r.randint(5, 95)
    return (
        f"A train goes for {hours} hours at a steady {speed} kilometres an hour, then for another {more} kilometres."
        " How many kilometres does it go in all?",
        str(speed * hours + more),
    )


def _balls(r: random.Random) -> tuple[str, str]:
    red, blue = r.randint(2, 12), r.randint(2, 12)
    total = red + blue
    return (
        f"A bag holds {red} red and {blue} blue balls. Two are drawn at random without being put back. What is the"
        " probability that both are red?",
        _written(Fraction(red * (red - 1), total * (total - 1))),
    )


def _triangle(r: random.Random) -> tuple[str, str]:
    a, b = r.randint(2, 20), r.randint(2, 20)
    whole = math.isqrt(a * a + b * b)
    exact = str(whole) if whole * whole == a * a + b * b else rf"\sqrt{{{a * a + b * b}}}"
    return f"The legs of a right triangle are {a} and {b} long. How long is the hypotenuse?", exact


def _circle(r: random.Random) -> tuple[str, str]:
    n = r.randint(2, 30)
    return f"A circle has a circumference of ${2 * n}\\pi$. Tell its area.", rf"{n * n}\pi"


def _rectangle(r: random.Random) -> tuple[str, str]:
    w, more = r.randint(3, 25), r.randint(1, 15)
    return (
        f"A rectangle is {more} metres longer than it is wide, and its perimeter is {4 * w + 2 * more} metres. What is"
        " its area in square metres?",
        str(w * (w + more)),
    )


def _ages(r: random.Random) -> tuple[str, str]:
    one, other = r.sample(_NAMES, 2)
    x, gap = r.randint(4, 30), r.randint(2, 20)
    return (
        f"{one} is {gap} years older than {other}. Together they are {2 * x + gap} years old. How old is {other}?",
        str(x),
    )


def _committee(r: random.Random) -> tuple[str, str]:
    n, k = r.randint(6, 14), r.randint(2, 5)
    return f"A club has {n} members. In how many ways can it choose a committee of {k}?", str(math.comb(n, k))


def _divisors(r: random.Random) -> tuple[str, str]:
    n = r.randint(40, 900)
    return f"How many positive whole numbers divide {n} without a remainder?", str(
        sum(n % d == 0 for d in range(1, n + 1))
    )


def _arithmetic_row(r: random.Random) -> tuple[str, str]:
    a, d, n = r.randint(2, 20), r.randint(2, 9), r.randint(8, 40)
    return (
        f"The first row of a theatre has {a} seats, and each row has {d} seats more than the row before it. How many"
        f" seats are there in the first {n} rows?",
        str(n * (2 * a + (n - 1) * d) // 2),
    )


def _work(r: random.Random) -> tuple[str, str]:
    a, b = r.sample(range(2, 15), 2)
    return (
        f"One pump empties a pool in {a} hours, another in {b} hours. How many hours do they need together?",
        _written(Fraction(a * b, a + b)),
    )


def _discount(r: random.Random) -> tuple[str, str]:
    off, price = r.choice((10, 20, 25, 30, 40)), 20 * r.randint(2, 40)
    return (
        f"A coat costs {price} dollars before a discount of {off} percent. {r.choice(_NAMES)} has a voucher for 5"
        " dollars that is taken off afterwards. How many dollars are to be paid?",
        _written(Fraction(price * (100 - off), 100) - 5),
    )


def _function(r: random.Random) -> tuple[str, str]:
    a, b, c = r.randint(2, 9), r.randint(1, 20), r.randint(2, 9)
    return (
        f"Let $f(x) = {a}x - {b}$. A number $c$ satisfies $f(c) = f({c}) + {3 * a}$. Tell me $c$.",
        str(c + 3),
    )


def _line(r: random.Random) -> tuple[str, str]:
    x, y, m = r.randint(-6, 6), r.randint(-9, 9), r.randint(2, 7)
    b = y - m * x
    sign = f"+{b}" if b > 0 else str(b) if b else ""
    return (
        f"A line of slope {m} passes through the point $({x}, {y})$. Give its equation in the form $y = mx + b$.",
        (f"y={m}x{sign}"),
    )


def _range(r: random.Random) -> tuple[str, str]:
    a, b = r.randint(-9, 9), r.randint(2, 9)
    return (
        f"For which real numbers $x$ is the distance from $x$ to ${a}$ less than ${b}$?",
        f"({a - b}, {a + b})",
    )


def _digits(r: random.Random) -> tuple[str, str]:
    n = r.randint(2, 40)
    return f"What is the last digit of the number that has {n} sevens multiplied together?", str(
        pow(7, n, 10)
    )


def _dice(r: random.Random) -> tuple[str, str]:
    s = r.randint(3, 11)
    sides = r.choice((6, 8, 10))
    ways = sum(1 for i in range(1, sides + 1) for j in range(1, sides + 1) if i + j == s)
    return (
        f"Two fair dice with {sides} sides each are thrown. What is the probability that their sum is {s}?",
        _written(Fraction(ways, sides * sides)),
    )


STORIES = (
    _shop, _share, _train, _balls, _triangle, _circle, _rectangle, _ages, _committee, _divisors, _arithmetic_row, _work,
    _discount, _function, _line, _range, _digits, _dice,
)  # fmt: skip
