"""Scenes of time and place."""

from __future__ import annotations

import random

from embedded.phrases import rows
from embedded.scene_words import Scene, name, two

_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_EVENTS = rows("scenes", "events")
_WORKS = [
    "opera",
    "tower",
    "canal",
    "chapel",
    "statue",
    "novel",
    "railway",
    "symphony",
    "library",
    "fountain",
    "clock",
    "garden",
]
_SITES = (
    "valley",
    "port",
    "village",
    "fortress",
    "forest",
    "harbour",
    "district",
    "parish",
    "hamlet",
    "region",
)


def events(rng: random.Random) -> Scene:
    """Two events beside one another, one of them asked for."""
    one, other = rng.choice(_EVENTS)
    if rng.random() < 0.5:
        one, other = other, one
    work, place = rng.choice(_WORKS), name(rng)
    when = rng.random() < 0.5
    if when:
        year = rng.randint(1100, 2020)
        texts = (str(year), str(year + rng.choice((-9, -4, -3, -2, -1, 1, 2, 3, 4, 7, 10, 100))))
        if rng.random() < 0.4:
            day, month = (
                rng.randint(1, 28),
                rng.choice(["January", "March", "April", "June", "August", "October"]),
            )
            texts = (
                f"{day} {month} {year}",
                f"{rng.randint(1, 28)} {month} {year}"
                if rng.random() < 0.5
                else f"{day} {month} {year + 10}",
            )
    else:
        texts = (name(rng), name(rng))
    ref, foreign = texts
    ask, at = ("When", "in") if when else ("Where", "at")
    right = [
        f"{at} {ref}",
        f"It was {one} {at} {ref}",
        f"The {work} was {one} {at} {ref}.",
        f"It was {other} {at} {foreign} and {one} {at} {ref}",
        f"{ref}, when it was {one}" if when else f"{ref}, where it was {one}",
        f"{one} {at} {ref}, {other} {at} {foreign}",
        f"not {foreign} but {ref}",
        f"{ref} (it was {other} {at} {foreign})",
    ]
    wrong = [
        f"It was {one} {at} {foreign} and {other} {at} {ref}",
        f"It was {other} {at} {ref}",
        f"The {work} was {other} {at} {ref}.",
        f"{at} {ref} it was {other}, {at} {foreign} {one}",
        f"{at} {foreign}",
        foreign,
        f"It was {one} {at} {foreign}",
        f"{other} {at} {ref}, {one} {at} {foreign}",
        f"{ref} and {foreign}",
        f"It was {other} {at} {ref} but {one} {at} {foreign}",
        f"{ref} saw only its plans",
        f"{ref} saw it {other}, {foreign} saw it {one}",
        f"not {ref} but {foreign}",
        f"long after {ref}" if when else f"a day's walk from {ref}",
        f"It was never {one} {at} {ref}",
        f"{foreign} (it was {other} {at} {ref})",
        f"between {ref} and {foreign}",
        f"It moved from {ref} to {foreign}.",
    ]
    return f"{ask} was the {place} {work} {one}?", ref, right, wrong


def moved(rng: random.Random) -> Scene:
    """From where to where."""
    old, new, third = name(rng), name(rng), name(rng)
    subject = rng.choice(("family", "tribe", "order", "caravan", "guild", "herd", "circus"))
    to = rng.random() < 0.5
    ref, other = (new, old) if to else (old, new)
    right_way = [
        f"It went from {old} to {new}.",
        f"It left {old} for {new}",
        f"from {old} to {new}",
        f"out of {old}, into {new}",
    ]
    wrong_way = [
        f"It went from {new} to {old}.",
        f"It left {new} for {old}",
        f"from {new} to {old}",
        f"out of {new}, into {old}",
    ]
    right = [
        *right_way,
        ref,
        f"{'to' if to else 'from'} {ref}",
        f"The {subject} travelled {'to' if to else 'from'} {ref}",
    ]
    wrong = [
        *wrong_way,
        other,
        f"{'from' if to else 'to'} {ref}" if to else f"to {ref}",
        third,
        f"to {third}",
        "to another town",
        f"It left {ref}" if to else f"It settled in {ref}",
        f"near {ref}",
        f"a hill overlooking {ref}",
        f"It passed {ref} on the way to {third}",
    ]
    return f"Where did the {name(rng)} {subject} travel {'to' if to else 'from'}?", ref, right, wrong


def day(rng: random.Random) -> Scene:
    """A day or a month."""
    if rng.random() < 0.4:
        day, other = two(rng, _MONTHS)
        right = [
            f"in {day}",
            f"every {day}",
            f"It comes in {day}.",
            f"each {day}",
            f"in the month of {day}",
            f"in {day}, not in {other}",
        ]
        wrong = [
            other,
            f"in {other}",
            f"the month before {day}",
            f"the month after {day}",
            f"every month but {day}",
            f"formerly {day}, now {other}",
            f"{day} or {other}",
            f"not in {day}",
            f"between {day} and {other}",
            f"long before {day}",
        ]
        return f"In which month does the {name(rng)} bloom?", day, right, wrong
    day, other = two(rng, _DAYS)
    right = [
        f"{day}s",
        f"on {day}s",
        f"It sails on {day}s",
        f"every {day}",
        f"each {day}",
        f"on a {day}",
        f"{day} is the day",
        f"on {day}, not on {other}",
    ]
    wrong = [
        other,
        f"{other}s",
        f"the day before {day}",
        f"two days after {day}",
        f"any day but {day}",
        f"daily except {day}",
        f"{day} in the past, now {other}",
        f"{day} and {other}",
        f"not on {day}s",
        f"{day} was dropped in favour of {other}",
        "once a week",
        f"from {day} to {other}",
        f"It never sails on {day}",
        f"{other}, since {day} was taken",
    ]
    return f"On which day does the ferry to {name(rng)} sail?", day, right, wrong


def site(rng: random.Random) -> Scene:
    """A place."""
    site, ref, other = rng.choice(_SITES), name(rng), name(rng)
    said = f"{site.capitalize()} {ref}" if rng.random() < 0.2 else ref
    right = [
        f"the {site} of {ref}",
        f"in {ref}",
        f"in the {site} of {ref}",
        f"{ref} {site}",
        f"The {site} is {ref}.",
        f"It was in {ref}",
        f"{ref} is the {site}",
        f"{ref}, in the south",
        f"the {site} called {ref}",
        f"at {ref}",
        f"the {site} {ref}",
        f"{ref}, not {other}",
    ]
    wrong = [
        f"New {ref}",
        f"Lower {ref}",
        f"North {ref}",
        f"near {ref}",
        f"a {site} beyond {ref}",
        f"a {site}",
        f"the next {site} after {ref}",
        other,
        f"in the {site} of {other}",
        f"facing {ref}, in {other}",
        f"{ref} Minor",
        f"outside {ref}",
        f"not in {ref}",
        f"Lake {ref}",
        f"in {other}, named after {ref}",
        f"a day's ride from {ref}",
        f"The richest {site} is {ref}, but this was in {other}",
        f"either {ref} or {other}",
    ]
    return (
        f"In which {site} did the {name(rng)} {rng.choice(('rising', 'fever', 'quarrel', 'legend', 'school'))} begin?",
        said,
        right,
        wrong,
    )
