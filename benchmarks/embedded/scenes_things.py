"""Scenes about things: what a word means, what a book is called, what is worshipped, what a plant does."""

from __future__ import annotations

import random

from embedded.phrases import rows
from embedded.scene_words import ANIMALS, STUFF, Scene, name, person, two

_TOOLS = ("knife", "basket", "hook", "needle", "bowl", "rake", "cart", "drum", "lamp", "net")
_USES = rows("scenes", "uses")
_ADJECTIVES = [
    "silent",
    "golden",
    "broken",
    "distant",
    "burning",
    "hollow",
    "crooked",
    "frozen",
    "crimson",
    "forgotten",
]
_NOUNS = ["gate", "orchard", "mirror", "lantern", "staircase", "winter", "river", "crown", "garden", "letter"]
_PLANTS = rows("scenes", "plants")
_LOADS = ("cart", "basket", "sack", "shipload", "bundle", "barrel", "crate", "handful", "heap", "chest")


def definition(rng: random.Random) -> Scene:
    """What a word means."""
    (tool, tool2), (stuff, stuff2) = two(rng, _TOOLS), two(rng, STUFF)
    (use, plain), (use2, plain2) = rng.sample(_USES, 2)
    reference = f"a {tool} used for {use} {stuff}"
    right = [
        f"a {tool} for {use} {stuff}",
        f"a {tool} to {plain} {stuff}",
        f"It is a {tool} used to {plain} {stuff}.",
        f"the {tool} with which people {plain} {stuff}",
        f"{tool} used for {use} {stuff}",
        f"a kind of {tool}, made for {use} {stuff}",
        f"a {tool} that serves to {plain} {stuff}",
    ]
    wrong = [
        f"a {tool2} used for {use} {stuff}",
        f"a {tool} used for {use} {stuff2}",
        f"a {tool} used for {use2} {stuff}",
        f"a {tool}",
        stuff,
        f"{stuff} used for {use} a {tool}",
        f"a {tool2} to {plain2} {stuff2}",
        f"a {tool} never used for {use} {stuff}",
        f"a {stuff} merchant",
        f"a {tool} made of {stuff}",
        f"a heap of {stuff}",
        f"a {tool} for {use} {stuff2}, not {stuff}",
        "a tool",
        f"a {tool2} for {stuff}",
        f"a {tool} used for {use2} {stuff2}",
        f"a shop that sells {tool}s for {use} {stuff}",
    ]
    return f'What is a "{name(rng).lower()}"?', reference, right, wrong


def title(rng: random.Random) -> Scene:
    """What a book is called."""
    (one, one2), (noun, noun2) = two(rng, _ADJECTIVES), two(rng, _NOUNS)
    ref = f"The {one.capitalize()} {noun.capitalize()} and the {noun2.capitalize()}"
    right = [
        f'"{ref}"',
        f"{ref}.",
        f"Its title is {ref}",
        ref.lower(),
        ref.replace("The ", "", 1),
        f"It was called {ref}",
    ]
    wrong = [
        f"The {one.capitalize()} {noun2.capitalize()} and the {noun.capitalize()}",
        noun,
        f"The {noun2.capitalize()}",
        f"The {one2.capitalize()} {noun.capitalize()} and the {noun2.capitalize()}",
        f"The {one.capitalize()} {noun.capitalize()}",
        f"The {one.capitalize()} {noun.capitalize()} or the {noun2.capitalize()}",
        f"The {one.capitalize()} {noun.capitalize()} without the {noun2.capitalize()}",
        f"a parody of {ref}",
        f"{one2} {noun2}",
        f"the sequel to {ref}",
    ]
    return (
        f"What is {person(rng)}'s first {rng.choice(('novel', 'play', 'opera'))} called?",
        ref,
        right,
        wrong,
    )


def plant(rng: random.Random) -> Scene:
    """Whether a plant does it, and why."""
    verb, yes_why, no_why = rng.choice(_PLANTS)
    verb2, other_yes, other_no = rng.choice([row for row in _PLANTS if row[0] != verb])
    plant = f"{name(rng).lower()} {rng.choice(('reed', 'fern', 'thistle', 'vine', 'lily'))}"
    if rng.random() < 0.5:
        right = [
            "Yes",
            f"Yes, it does {verb}",
            "It does",
            f"yes, {yes_why}",
            f"It can {verb}, as {yes_why}",
            "yes, it does",
            "indeed it does",
        ]
        wrong = [
            "No",
            f"no, {no_why}",
            "It does not",
            f"It doesn't {verb}",
            "Never",
            f"yes, {other_yes}",
            f"It does {verb2}",
            f"no, {yes_why}",
            yes_why.split()[-1],
            "Yes and no",
            f"not unless {yes_why}",
            f"yes, {no_why}",
        ]
        return f"Does the {plant} {verb}?", f"yes, {yes_why}", right, wrong
    right = [
        "No",
        f"No, it does not {verb}",
        "It doesn't",
        f"no, {no_why}",
        f"It does not {verb}, because {no_why}",
        "Never",
        "no, it does not",
        "It is unable to",
    ]
    wrong = [
        "Yes",
        f"yes, {yes_why}",
        "It does",
        f"It can {verb}",
        f"no, {other_no}",
        f"It does {verb} well",
        no_why.split()[-1],
        "No and yes",
        f"yes, {no_why}",
        f"It can even {verb2}",
        f"No, it does {verb}",
    ]
    return f"Does the {plant} {verb}?", f"no, {no_why}", right, wrong


def measure(rng: random.Random) -> Scene:
    """A measure of something."""
    (load, load2), (stuff, stuff2) = two(rng, _LOADS), two(rng, STUFF)
    ref = f"a {load} of {stuff}"
    right = [
        stuff,
        stuff.capitalize(),
        f"a {load} full of {stuff}",
        f"one {load} of {stuff}",
        f"It was {stuff}.",
        f"the {load} of {stuff}",
        f"only {stuff}",
        f"some {stuff}",
    ]
    wrong = [
        f"a {load}",
        f"a {load} of {stuff2}",
        f"{stuff} dealers",
        load,
        f"an empty {load}",
        stuff2,
        f"a {load2} of {stuff2}",
        f"a {load} without {stuff}",
        f"{stuff} and {stuff2}",
        f"anything but {stuff}",
        f"a {stuff} seller",
        f"a list of {stuff} prices",
        f"{stuff2} instead of {stuff}",
    ]
    return f"What did the envoy of {name(rng)} bring?", ref, right, wrong


def thing(rng: random.Random) -> Scene:
    """A thing with a mark."""
    (stuff, stuff2), animal = two(rng, STUFF), rng.choice(ANIMALS)
    mark = rng.choice(
        ("red", "black", "white", "old", "wild", "raw", "dried", "mountain", "winter", "tame", "sour", "thin")
    )
    mark2 = rng.choice(("blue", "green", "new", "cooked", "wet", "sea", "summer", "soft", "sweet"))
    noun = rng.choice((stuff, animal))
    ref = f"{mark} {noun}"
    right = [
        f"the {ref}",
        f"It is {ref}",
        f"{ref}s" if noun == animal else f"{noun} ({mark})",
        f"a {ref}" if noun == animal else ref.capitalize(),
        f"It bears the {ref}",
        f"They choose {ref}.",
        f"{noun} that is {mark}" if mark not in ("mountain", "winter") else f"the {ref}",
    ]
    wrong = [
        noun,
        mark,
        f"{mark2} {noun}",
        f"{mark} {stuff2}",
        f"un{mark} {noun}",
        f"{ref} dealers",
        f"a box without {ref}",
        f"{mark2} {stuff2}",
        f"the {ref} collector",
        f"not {ref}",
        f"a picture beside the {ref}",
        f"anything but {ref}",
        f"the enemy of the {ref}",
        f"{ref} is forbidden there",
        f"a {rng.choice([one for one in ANIMALS if one != noun])} hunting a {ref}",
        f"{noun}-free {stuff2}",
        f"half {ref}, half {mark2} {stuff2}",
        f"It is a protest against {ref}",
        f"something else than {ref}",
    ]
    return (
        f"What is "
        f"{rng.choice(('the pride of', 'the main good of', 'given to guests in', 'worshipped in', 'traded in'))} "
        f"{name(rng)}?",
        ref,
        right,
        wrong,
    )
