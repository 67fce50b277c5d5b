"""Two-step word problems with whole answers and small numbers: the part that rules decide."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

from training.measures import words
from training.truth import Truth

NAMES = words(
    "Ada Ben Carla Dan Eva Finn Greta Hugo Ida Jonas Kira Leo Mara Nils Olga Paul Rosa Sam Tina Uwe"
)
ITEMS = words("apples pears pencils marbles stickers stamps coins cards shells buttons books candles")

Problem = tuple[str, int, str, Fraction]
"""A question, its answer, the dimension of the answer, and the size of the unit that the question names."""


def rules_truth(draw: random.Random) -> Truth:
    """A question whose reference is the number itself."""
    question, value, kind, bare = problem(draw)
    return Truth(question, str(value), value * bare, kind, bare)


def problem(draw: random.Random) -> Problem:
    """One of the stories below, with new numbers."""
    one, other = draw.sample(NAMES, 2)
    return draw.choice(STORIES)(draw, one, other, draw.choice(ITEMS))


def _together(draw: random.Random, one: str, other: str, items: str) -> Problem:
    a, k = draw.randint(3, 20), draw.randint(2, 5)
    return _count(
        f"{one} has {a} {items}. {other} has {k} times as many. How many {items} do they have together?",
        a + a * k,
    )


def _given_away(draw: random.Random, one: str, other: str, items: str) -> Problem:
    n, m = draw.randint(3, 9), draw.randint(4, 12)
    g = draw.randint(2, n * m - 2)
    return _count(
        f"{one} buys {n} boxes with {m} {items} in each and gives {g} {items} to {other}. How many {items} are left?",
        n * m - g,
    )


def _pages(draw: random.Random, one: str, other: str, items: str) -> Problem:
    a, b = draw.randint(8, 40), draw.randint(3, 15)
    return _count(
        f"{one} reads {a} pages on Monday. On Tuesday {one} reads {b} pages more than on Monday. "
        "How many pages is that in total?",
        a + a + b,
    )


def _sold(draw: random.Random, one: str, other: str, items: str) -> Problem:
    b, c, left = draw.randint(5, 40), draw.randint(5, 40), draw.randint(3, 50)
    return _count(
        f"A shop has {b + c + left} {items}. It sells {b} in the morning and {c} in the afternoon. "
        f"How many {items} remain?",
        left,
    )


def _rows(draw: random.Random, one: str, other: str, items: str) -> Problem:
    r, m = draw.randint(3, 12), draw.randint(4, 12)
    d = draw.randint(2, r * m // 2)
    return _count(
        f"{one} plants {r} rows of {m} tulips, but {d} tulips do not grow. How many tulips grow?", r * m - d
    )


def _bus(draw: random.Random, one: str, other: str, items: str) -> Problem:
    a, b, c = draw.randint(20, 60), draw.randint(3, 19), draw.randint(3, 25)
    return _count(
        f"A bus carries {a} people. At a stop {b} people get off and {c} people get on. "
        "How many people are on the bus now?",
        a - b + c,
    )


def _shared(draw: random.Random, one: str, other: str, items: str) -> Problem:
    n, m = draw.randint(3, 9), draw.randint(5, 12)
    e = draw.randint(1, m - 1)
    return _count(
        f"{n} children share {n * m} sweets equally. Then each child eats {e} sweets. "
        "How many sweets does each child still have?",
        m - e,
    )


def _tickets(draw: random.Random, one: str, other: str, items: str) -> Problem:
    p, q, x, y = draw.randint(6, 15), draw.randint(2, 5), draw.randint(2, 5), draw.randint(2, 6)
    return (
        f"A ticket costs {p} dollars for an adult and {q} dollars for a child. "
        f"How many dollars do {x} adults and {y} children pay in all?",
        p * x + q * y,
        "money",
        Fraction(1),
    )


def _saved(draw: random.Random, one: str, other: str, items: str) -> Problem:
    a, w = draw.randint(4, 15), draw.randint(3, 10)
    s = draw.randint(3, a * w - 3)
    return (
        f"{one} saves {a} dollars every week for {w} weeks and then spends {s} dollars on a present for {other}. "
        "How many dollars are left?",
        a * w - s,
        "money",
        Fraction(1),
    )


def _ages(draw: random.Random, one: str, other: str, items: str) -> Problem:
    a, d, t = draw.randint(6, 40), draw.randint(2, 9), draw.randint(2, 12)
    return _count(
        f"{one} is {a} years old. {other} is {d} years older than {one}. How many years old will {other} be "
        f"in {t} years?",
        a + d + t,
    )


def _legs(draw: random.Random, one: str, other: str, items: str) -> Problem:
    c, h = draw.randint(3, 12), draw.randint(3, 15)
    return _count(
        f"{one} keeps {c} cows and {h} hens. How many legs do these animals have in all?", 4 * c + 2 * h
    )


def _bags(draw: random.Random, one: str, other: str, items: str) -> Problem:
    b, bags, t = draw.choice((2, 4, 5, 6)), draw.randint(2, 10), draw.choice((2, 3, 4))
    return _count(
        f"A baker fills {t} trays with {b * bags} rolls each and packs all the rolls in bags of {b}. "
        "How many bags does the baker need?",
        t * bags,
    )


def _tank(draw: random.Random, one: str, other: str, items: str) -> Problem:
    b, d, left = draw.randint(3, 15), draw.randint(2, 8), draw.randint(5, 60)
    return (
        f"A tank holds {b * d + left} liters of water. {one} uses {b} liters a day for {d} days. "
        "How many liters are left?",
        left,
        "volume",
        Fraction(1000),
    )


def _road(draw: random.Random, one: str, other: str, items: str) -> Problem:
    b, d, left = draw.randint(4, 20), draw.randint(2, 6), draw.randint(3, 40)
    return (
        f"A trail is {b * d + left} kilometers long. {one} walks {b} kilometers a day for {d} days. "
        "How many kilometers are still to go?",
        left,
        "length",
        Fraction(1000),
    )


def _count(question: str, value: int) -> Problem:
    return question, value, "", Fraction(1)


STORIES: tuple[Callable[[random.Random, str, str, str], Problem], ...] = (
    _together,
    _given_away,
    _pages,
    _sold,
    _rows,
    _bus,
    _shared,
    _tickets,
    _saved,
    _ages,
    _legs,
    _bags,
    _tank,
    _road,
)
