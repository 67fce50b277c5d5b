"""Scenes whose answer is a name, a date or a place."""

from __future__ import annotations

import random

from embedded.phrases import rows, texts
from embedded.scene_words import ANIMALS, STUFF, Scene, name, person
from hybridverify.judges.embedded.overlap import ORDINALS

_DEEDS = rows("scenes", "deeds")
_OTHER_DEEDS = texts("scenes", "other_deeds")
_KINGS = ("king", "pope", "emperor", "duke", "sultan", "engine", "rocket")
_ROMAN = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII"]
_ORDINAL = ORDINALS[: len(_ROMAN)]


def deed(rng: random.Random) -> Scene:
    """Who did it."""
    verb, thing = rng.choice(_DEEDS)
    ref, other = person(rng), person(rng)
    first, last = ref.split()
    deed, title = rng.choice(_OTHER_DEEDS), f"{thing} {name(rng)}"
    right = [
        f"{ref} {verb} it",
        f"{last} {verb} it",
        last,
        f"{first[0]}. {last}",
        f"{last}, {first}",
        f"It was {last} who {verb} {title}.",
        f"{title} was {verb} by {ref}" if verb not in ("wrote", "led") else f"{ref} {verb} {title}",
        f"{other} {deed} it, but {ref} {verb} it.",
        f"{first[0]}. {last} {verb} it",
        f"{ref}, not {other}",
        f"{ref}, a friend of {other}",
        f"{ref} did",
        f"{ref}, who also met {other}",
        f"The one who {verb} it was {last}.",
    ]
    wrong = [
        f"{ref} {deed} it, {other} {verb} it",
        f"{other} {verb} it",
        other.split()[1],
        f"{first} {other.split()[1]}",
        f"{other.split()[0]} {last}",
        f"{ref} only {deed} it.",
        f"{other}, a friend of {ref}",
        f"a pupil of {ref}",
        f"{ref}'s {rng.choice(('sister', 'father', 'rival', 'cook', 'wife', 'son'))}",
        f"{ref} and {other}",
        f"{other}, not {ref}",
        f"{ref} asked {other} to do it",
        f"{other} after {ref} had refused",
        f"{other} {verb} {ref}",
        f"{ref} {deed} {title}",
        first,
        f"{ref} was {verb} by {other}",
        f"{other}, whom {ref} taught",
        f"{last} Brothers",
    ]
    return f"Who {verb} {title}?", ref, right, wrong


def numbered(rng: random.Random) -> Scene:
    """A name with a number."""
    kind, at = rng.choice(_KINGS), rng.randint(2, 12)
    near = rng.choice([place for place in (at - 1, at + 1, at + 2, at + 4) if 1 <= place <= 13])
    who = name(rng)
    ref = f"{who} {_ROMAN[at - 1]}"
    right = [
        f"{who} {at}",
        f"{who} the {_ORDINAL[at - 1].capitalize()}",
        f"{kind} {ref}",
        f"the {kind} {ref}",
        f"It is {ref}.",
        f"{who} {_ORDINAL[at - 1]}",
        f"the {_ORDINAL[at - 1]} {kind} of that name, {ref}",
        f"{ref}, the {_ORDINAL[at - 1]} one",
    ]
    wrong = [
        f"{who} {near}",
        f"{who} {_ROMAN[near - 1]}",
        f"{who} the {_ORDINAL[near - 1].capitalize()}",
        who,
        f"{name(rng)} {_ROMAN[at - 1]}",
        f"every {kind} except {ref}",
        f"the {kind} after {ref}",
        f"the {_ORDINAL[near - 1]} {kind} of that name, {who} {_ROMAN[near - 1]}",
        f"all but {ref}",
        f"{ref} or {who} {_ROMAN[near - 1]}",
        _ROMAN[at - 1],
    ]
    return (
        f"Which {kind} of {name(rng)} "
        f"{rng.choice(('failed twice', 'was feared most', 'came last', 'was repaired in secret'))}?",
        ref,
        right,
        wrong,
    )


def pair(rng: random.Random) -> Scene:
    """Two things."""
    bank = rng.choice((STUFF, ANIMALS, [name(rng) for _ in range(5)]))
    one, other, third = rng.sample(list(bank), 3)
    right = [
        f"{other} and {one}",
        f"{one}, {other}",
        f"both {one} and {other}",
        f"{one} & {other}",
        f"{other}, {one}",
        f"It is {one} and {other}.",
        f"- {other}\n- {one}",
        f"{one} as well as {other}",
        f"{one} plus {other}",
    ]
    wrong = [
        one,
        other,
        f"{one} and {third}",
        f"{third} and {other}",
        f"{one} or {other}",
        f"{one}, {other} and {third}",
        f"{one} without {other}",
        f"neither {one} nor {other}",
        f"{one} but not {other}",
        f"{third}",
        f"{one} rather than {other}",
        f"{third}, {one}",
    ]
    return (
        f"Which two are on the {rng.choice(('arms', 'coin', 'banner', 'seal'))} of {name(rng)}?",
        f"{one} and {other}",
        right,
        wrong,
    )
