"""Problems whose reference and natural answer are one value in two spellings: the part that has to be read."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

from training.measures import decimal, spelled, spelled_part
from training.problems import ITEMS, NAMES, problem
from training.truth import Truth

SAY_UNIT = " Give the number and its unit."
COLOURS = ("red", "blue", "green", "yellow", "white", "black")
SHARES = [
    Fraction(n, d)
    for n, d in ((1, 2), (1, 4), (3, 4), (1, 3), (2, 3), (1, 5), (2, 5), (3, 5), (4, 5), (3, 10))
]

_STORIES = {
    "time": (
        "One lesson takes {a} minutes. How long do {n} lessons take together?",
        "{name} walks {a} minutes to school and the same way back home, {n2} times a week. How long is that in a week?",
        "A film lasts {a} minutes and is shown {n} times. How long does that take altogether?",
    ),
    "length": (
        "A ribbon is {a} centimeters long. How long are {n} such ribbons laid end to end?",
        "A shelf needs {n} boards of {a} centimeters each. How long are the boards together?",
    ),
    "mass": (
        "A bag of rice weighs {a} grams. How heavy are {n} bags?",
        "{name} carries {n} books of {a} grams each. How much do the books weigh together?",
    ),
    "volume": (
        "A glass holds {a} milliliters. How much juice fills {n} glasses?",
        "{name} drinks {a} milliliters of tea {n} times a day. How much tea is that in a day?",
    ),
    "money": (
        "A roll costs {a} cents. How much do {n} rolls cost?",
        "{name} puts {a} cents in a box every day for {n} days. How much money is in the box?",
    ),
}
_SMALL: dict[
    str, tuple[Fraction, Fraction, str, tuple[int, ...]]
] = {  # the unit in the question, the unit of the reference, amounts of the first
    "time": (Fraction(60), Fraction(3600), "hour", (15, 20, 30, 40, 45, 50, 75, 90)),
    "length": (Fraction(1, 100), Fraction(1), "meter", (25, 40, 50, 60, 75, 80, 120, 150)),
    "mass": (Fraction(1), Fraction(1000), "kilogram", (125, 200, 250, 300, 400, 500, 750, 800)),
    "volume": (Fraction(1), Fraction(1000), "liter", (100, 150, 200, 250, 300, 330, 400, 500)),
    "money": (Fraction(1, 100), Fraction(1), "dollar", (15, 25, 30, 40, 45, 60, 75, 80)),
}


def reading_truth(draw: random.Random) -> Truth:
    """A question of one of the kinds below."""
    return draw.choice((in_words, in_units, in_units, share, mixed, rounded, within))(draw)


def in_words(draw: random.Random) -> Truth:
    """The reference is spelled out, or the answer may be."""
    question, value, kind, bare = problem(draw)
    truth = Truth(question, spelled(value), value * bare, kind, bare)
    if draw.random() < 0.3:
        return replace(truth, question=f"{question} Write the number as a word.", reference=str(value))
    return replace(truth, reference=f"{spelled(value // 12)} dozen") if value % 12 == 0 else truth


def in_units(draw: random.Random) -> Truth:
    """The reference has a larger unit than the question's numbers."""
    kind = draw.choice(tuple(_STORIES))
    small, large, unit, amounts = _SMALL[kind]
    story, a, n = draw.choice(_STORIES[kind]), draw.choice(amounts), draw.randint(2, 12)
    twice = "{n2}" in story  # there and back
    question = story.format(a=a, n=n, n2=n, name=draw.choice(NAMES)) + SAY_UNIT
    value = Fraction(a * n * (2 if twice else 1)) * small
    return Truth(question, _measured(draw, value / large, unit, large / small), value, kind, Fraction(0))


def _measured(draw: random.Random, amount: Fraction, unit: str, parts: Fraction) -> str:
    """`1.5 hours`, `an hour and a half`, `1 hour 30 minutes`, `$3.50`."""
    whole, rest = divmod(amount, 1)
    plural = unit if amount == 1 else f"{unit}s"
    small = {"hour": "minutes", "meter": "centimeters", "kilogram": "grams", "liter": "milliliters"}.get(
        unit, "cents"
    )
    choices = [f"{decimal(amount)} {plural}"] if (amount * 1000).denominator == 1 else []
    if rest and whole:
        choices.append(f"{whole} {unit}{'s' if whole > 1 else ''} and {decimal(rest * parts)} {small}")
    if rest == Fraction(1, 2) and whole:
        choices.append(f"{spelled(int(whole))} and a half {unit}s")
    if amount in (Fraction(1, 2), Fraction(3, 4)):
        choices.append(f"{spelled_part(amount)} of {'an' if unit == 'hour' else 'a'} {unit}")
    if unit == "dollar":
        choices = [f"${float(amount):.2f}", *choices]
    return draw.choice(choices or [f"{decimal(amount * parts)} {small}"])


def share(draw: random.Random) -> Truth:
    """A share, as a percentage, a decimal, a fraction or in words."""
    part = draw.choice(SHARES)
    total = part.denominator * draw.randint(2 if part.denominator > 2 else 4, 8)
    rest = int(total * (1 - part))
    first = draw.randint(2, rest - 2) if rest >= 4 else rest
    one, two, three = draw.sample(COLOURS, 3)
    items, name = draw.choice(ITEMS), draw.choice(NAMES)
    counted = f"{first} are {one} and {rest - first} are {two}" if first < rest else f"{rest} are {one}"
    question = (
        f"{name} has {total} {items}: {counted}, and all the others are {three}. What share of the {items} is {three}? "
        "A fraction, a decimal or a percentage will do."
    )
    written = [spelled_part(part), f"{part.numerator}/{part.denominator}"]
    if part.denominator != 3:
        written += [decimal(part), f"{decimal(part * 100)}%", f"{decimal(part * 100)} percent"]
    return Truth(question, draw.choice(written), part, "share")


def mixed(draw: random.Random) -> Truth:
    """A number with a fraction: `two and a half`, `2 1/2`, `2.5`."""
    part = draw.choice([part for part in SHARES if part.denominator in (2, 4)])
    cakes = draw.choice([n for n in range(3, 16) if (part * n).denominator > 1])
    extra = draw.randint(2, 6)
    value = part * cakes + extra
    whole, rest = divmod(value, 1)
    question = (
        f"One cake needs {spelled_part(part)} of a cup of sugar. {draw.choice(NAMES)} bakes {cakes} cakes and needs "
        f"{extra} more cups of sugar for the icing. How many cups of sugar is that?"
    )
    tail = "a half" if rest == Fraction(1, 2) else spelled_part(rest)
    written = [
        f"{spelled(int(whole))} and {tail}",
        f"{whole} {rest.numerator}/{rest.denominator}",
        decimal(value),
    ]
    return Truth(question, draw.choice([*written, f"{value.numerator}/{value.denominator}"]), value)


def rounded(draw: random.Random) -> Truth:
    """About how many, to the nearest ten."""
    question, value, kind, bare = problem(draw)
    while value % 10 in (0, 5) or value < 10:
        question, value, kind, bare = problem(draw)
    near = (value + 5) // 10 * 10
    question += " Round the result to the nearest ten."
    return Truth(question, draw.choice((str(near), spelled(near), f"about {near}")), near * bare, kind, bare)


def within(draw: random.Random) -> Truth:
    """About how many, give or take what the question says."""
    question, value, kind, bare = problem(draw)
    while value < 20:
        question, value, kind, bare = problem(draw)
    question += " A rough figure is fine: anything that is off by at most 2 counts as right."
    return Truth(question, draw.choice((f"about {value}", str(value))), value * bare, kind, bare, 2 * bare)
