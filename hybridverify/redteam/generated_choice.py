"""Choice questions. The reference is a letter, or in every third question the option's text."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

from hybridverify.redteam.facts import FACTS, RIVALS

_LETTERS = "ABCDE"


def _asked(r: random.Random, question: str, right: str, wrong: Sequence[str]) -> tuple[str, str]:
    texts = [right, *wrong]
    r.shuffle(texts)
    at = texts.index(right)
    shape = r.choice(("({}) {}", "{}. {}", "{}) {}"))
    between = "\n" if r.random() < 0.7 else " "
    options = between.join(shape.format(letter, text) for letter, text in zip(_LETTERS, texts, strict=False))
    return f"{question}\n{options}", right if r.random() < 0.33 else _LETTERS[at]


def _number(r: random.Random) -> tuple[str, str]:
    a, b = r.randint(12, 60), r.randint(3, 30)
    value = a * b
    wrong = r.sample([value + d for d in (-20, -11, -10, -2, 2, 7, 10, 12)], 3)
    return _asked(r, f"How much is {a} times {b}?", str(value), [str(each) for each in wrong])


def _fraction(r: random.Random) -> tuple[str, str]:
    a, b = r.randint(1, 7), r.randint(8, 15)
    right = Fraction(a, b)
    others = {Fraction(n, d) for n in range(1, 10) for d in range(2, 13)} - {right}
    rest = r.sample(sorted(others), 3)
    k = r.randint(2, 6)
    shown = rf"\(\frac{{{right.numerator * k}}}{{{right.denominator * k}}}\)"
    return _asked(r, f"Which of these equals {shown}?", str(right), [str(each) for each in rest])


def _prime(r: random.Random) -> tuple[str, str]:
    primes = [n for n in range(11, 400) if all(n % d for d in range(2, n))]
    others = [n for n in range(15, 400, 2) if n not in primes]
    wrong = r.sample(others, 4)
    return _asked(r, "Which of these numbers is prime?", str(r.choice(primes)), [str(n) for n in wrong])


def _fact(r: random.Random) -> tuple[str, str]:
    question, right = r.choice([fact for fact in FACTS if fact[1] in RIVALS])
    kind = RIVALS[right]
    wrong = r.sample([each for each in RIVALS if RIVALS[each] == kind and each != right], 3)
    return _asked(r, question, right, wrong)


def _larger(r: random.Random) -> tuple[str, str]:
    values = r.sample(range(100, 999), 4)
    return _asked(
        r, "Which of these is the largest?", str(max(values)), [str(v) for v in values if v != max(values)]
    )


CHOICE = (_number, _fraction, _prime, _fact, _larger)
