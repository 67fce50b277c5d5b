"""Scenes that are told: how it is made, why it ended, what it means."""

from __future__ import annotations

import random

from embedded.phrases import rows, texts
from embedded.scene_words import ANIMALS, STUFF, Scene, name, two

_AGENTS = texts("scenes", "agents")
_TASKS = rows("scenes", "tasks")
_THINGS = texts("scenes", "things")
_WAYS = texts("scenes", "ways")
_CRAFTS = ("dye", "glue", "ink", "soap", "paint", "medicine", "varnish", "perfume")
_CAUSES = rows("scenes", "causes")
_STOPPED = rows("scenes", "stopped")
_JOBS = [
    "sailor",
    "miller",
    "nun",
    "soldier",
    "weaver",
    "baker",
    "thief",
    "shepherd",
    "judge",
    "dancer",
    "widow",
    "hunter",
    "potter",
    "tailor",
]
_FEELINGS = (
    ("love", "hatred"),
    ("hatred", "love"),
    ("jealousy", "pity"),
    ("fear", "love"),
    ("gratitude", "anger"),
    ("grief", "joy"),
)


def craft(rng: random.Random) -> Scene:
    """How something is made, and by whom."""
    (agent, agent2), (thing, thing2), (way, way2) = two(rng, _AGENTS), two(rng, _THINGS), two(rng, _WAYS)
    verb, passive, like, against = rng.choice(_TASKS)
    right = [
        f"{thing} are {passive} by {agent} {way}"
        if thing != "goat hair"
        else f"{agent} {verb} it, goat hair, {way}",
        f"{agent} {like} {thing} {way}",
        f"{way}, {agent} {verb} {thing}",
        f"It is made when {agent} {verb} {thing} {way}.",
        f"{thing}, {passive} {way} by {agent}",
        f"They have {agent} {verb} {thing} {way}.",
    ]
    wrong = [
        f"{agent} {against} {thing} {way}",
        f"{agent2} {verb} {thing} {way}",
        f"{agent} {verb} {thing2} {way}",
        f"{agent} {verb} {thing} {way2}",
        f"{agent2} {against} {thing2} {way2}",
        thing,
        agent,
        way,
        f"{agent} never {verb} {thing} {way}",
        f"{thing} are {passive} by {agent2} {way2}",
        verb,
        thing.split()[-1],
        "by hand",
        "with great care",
        f"{agent} {verb} {thing} {way}, or {agent2} {against} {thing2}",
        f"{thing} {verb} {agent} {way}",
        f"{agent} {verb} {thing2} {way2}",
        f"{agent2} {like} {thing2} {way}",
        f"{agent} buy {thing} {way}",
        f"no longer as {agent} {verb} {thing} {way}, but in a factory",
    ]
    return (
        f"How do they make {rng.choice(_CRAFTS)} in {name(rng)}?",
        f"{agent} {verb} {thing} {way}",
        right,
        wrong,
    )


def cause(rng: random.Random) -> Scene:
    """Why something ended."""
    fill = {"s": rng.choice(STUFF), "a": rng.choice(ANIMALS)}
    (one, other) = rng.sample(_CAUSES, 2)
    said, like, against = (text.format(**fill) for text in one)
    foreign = other[0].format(**fill)
    question, noun = rng.choice(_STOPPED)
    reference = rng.choice((f"because {said}", said, f"That happened because {said}."))
    right = [
        f"because {said}",
        said,
        like,
        f"because {like}",
        f"It was because {said}.",
        f"The reason was that {said}.",
        f"{said.capitalize()}.",
        f"since {like}",
    ]
    word = rng.choice([word for word in said.split() if len(word) > 3] or said.split()[-1:])
    wrong = [
        against,
        f"because {against}",
        foreign,
        f"because {foreign}",
        word,
        " ".join(said.split()[:2]),
        f"although {said}",
        f"not because {said}",
        f"{said}; {foreign}",
        f"before {said}",
        noun,
        "because",
        f"because {said} or because {foreign}",
        f"{said} only later; the reason was that {foreign}",
        f"people say that {said}, but it was because {foreign}",
    ]
    return question.format(n=name(rng)), reference, right, wrong


def ballad(rng: random.Random) -> Scene:
    """What a song is about."""
    one, other, third = rng.sample(_JOBS, 3)
    feeling, feeling2 = rng.choice(_FEELINGS)
    place, place2 = name(rng), name(rng)
    reference = f"the {feeling} of a {one} for a {other} from {place}"
    right = [
        f"a {one}'s {feeling} for a {other} from {place}",
        f"the {feeling} that a {one} felt for a {other} of {place}",
        f"It is about the {feeling} of a {one} for a {place} {other}.",
        f"A {one} and the {feeling} he felt for a {other} from {place}",
        f"how a {one} felt {feeling} for a {other} from {place}",
    ]
    wrong = [
        f"the {feeling} of a {other} for a {one} from {place}",
        f"the {feeling2} of a {one} for a {other} from {place}",
        f"the {feeling} of a {third} for a {other} from {place}",
        f"the {feeling} of a {one} for a {third} from {place}",
        f"the {feeling} of a {one} for a {other} from {place2}",
        feeling,
        one,
        place,
        f"a {one}",
        f"a {other} from {place}",
        f"the {feeling2} of a {third} for a {other}",
        f"a {one} who never felt {feeling} for a {other} from {place}",
        f"the {feeling} of a {one}",
        f"a {third} from {place}",
        f"the wedding of a {one} and a {other} from {place}",
    ]
    return f"What is the ballad of {name(rng)} about?", reference, right, wrong
