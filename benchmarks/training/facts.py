"""Short facts with accepted alternatives, read from `facts.txt`: the part that needs a judge, or a list of names."""

from __future__ import annotations

import random
from pathlib import Path

from training.quantities import quantity
from training.truth import Truth

TABLE = Path(__file__).with_name("facts.txt")
WRAPPERS = ("{}", "A quick quiz question: {}", "{} A word or two is enough.", "From a school quiz: {}")


def facts(text: str) -> list[list[Truth]]:
    """All facts of a table; each is a list of its phrasings.

    >>> [truth.question for truth in facts("? Who is {}?\\nAda: Ada L. / Lovelace")[0]][:2]
    ['Who is Ada?', 'A quick quiz question: Who is Ada?']
    """
    found: list[list[Truth]] = []
    ways: list[str] = []
    fresh = True
    for line in map(str.strip, text.splitlines()):
        if not line or line.startswith("#"):
            fresh = True
        elif line.startswith("?"):
            ways = [*([] if fresh else ways), line[1:].strip()]
            fresh = False
        else:
            subject, _, names = line.partition(": ")
            forms = tuple(name.strip() for name in names.split(" / "))
            questions = [_capital(way.format(subject)) for way in ways]
            found.append(
                [_truth(wrapper.format(asked), forms) for asked in questions for wrapper in WRAPPERS]
            )
    return found


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _truth(question: str, forms: tuple[str, ...]) -> Truth:
    """A number in words is a number; everything else is a name."""
    read = quantity(forms[0])
    if read is not None and read.bare and not read.strange:
        return Truth(question, forms[0], read.value)
    return Truth(question, forms[0], forms=forms)


def split_facts(seed: int, held_out: float = 0.2) -> tuple[list[Truth], list[Truth]]:
    """Questions for training and for the test, in random order; no fact is in both."""
    draw = random.Random(f"facts {seed}")
    known = facts(TABLE.read_text(encoding="utf-8"))
    draw.shuffle(known)
    cut = round(len(known) * held_out)
    test = [truth for fact in known[:cut] for truth in fact]
    train = [truth for fact in known[cut:] for truth in fact]
    draw.shuffle(test)
    draw.shuffle(train)
    return train, test
