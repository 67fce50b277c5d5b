"""Questions to be answered with yes or no, and short answers to them: "Never", "She did not". The sets have few. Names
and places come from the rows of one fold, the frames are our own."""

from __future__ import annotations

import re

from embedded.draws import Draws, Kind, framed, is_name
from embedded.phrases import rows, table, texts
from embedded.rows import Row

_FRAMES = rows("yesno", "frames")
_NOT = table("yesno", "not")
_NO = texts("yesno", "no")
_YES = texts("yesno", "yes")
_BOTH = texts("yesno", "both")
_NO_REFERENCES = (
    "no",
    "No",
    "no, never",
    "not at all",
    "false",
    "never",
    "No, {p} did not",
    "no, that is a legend",
)
_YES_REFERENCES = ("yes", "Yes", "yes, often", "indeed", "true", "Yes, {p} did", "yes, all of it")


def _row(draws: Draws, row: Row) -> Row:
    """A question of these, its reference, and an answer, right or wrong."""
    frame, verb, behind = draws.pick(_FRAMES)
    one, other = draws.short(row), draws.short(draws.other(row, False))
    pronoun = draws.pick(("he", "she")) if is_name(one) else draws.pick(("it", "they"))
    question, behind = frame.format(a=one, b=other), behind.format(b=other)
    yes = draws.rng.random() < 0.5
    reference = draws.pick(_YES_REFERENCES if yes else _NO_REFERENCES).format(p=pronoun)
    if draws.rng.random() < 0.12:
        return Row(question, (reference,), draws.pick(_BOTH), False, row.origin, row.fold)
    right = draws.rng.random() < 0.5
    said = _said(draws, yes == right, one, pronoun, verb, behind)
    if not right and re.search(r"\w{4}", reference) and draws.rng.random() < 0.1:
        said = f"{pronoun} {verb}, and {pronoun} {_NOT[verb]}"
    return Row(question, (reference,), said, right, row.origin, row.fold)


def _said(draws: Draws, yes: bool, name: str, pronoun: str, verb: str, behind: str) -> str:
    auxiliary = draws.pick((verb, verb) if yes else (f"{verb} not", _NOT[verb], f"never {verb}"))
    plain = {"did": "did", "does": "does", "do": "do"}.get(verb)
    whole = (
        f"{name} {behind}"
        if yes
        else f"It is not true that {name} {behind}"
        if plain or verb == "is"
        else f"{name} {auxiliary} so"
    )
    forms = (
        *([draws.pick(_YES if yes else _NO)] * 3),
        f"{pronoun.capitalize()} {auxiliary}",
        f"{pronoun} {auxiliary}.",
        f"{'Yes' if yes else 'No'}, {pronoun} {auxiliary}.",
        f"{whole}.",
        f"{'Yes' if yes else 'No'}, {name} {auxiliary}.",
        f"{pronoun.capitalize()} certainly {auxiliary}",
        f"{pronoun} {auxiliary}, as far as is known",
    )
    text = draws.pick(forms)
    return framed(text, draws) if draws.rng.random() < 0.15 else text


KINDS = (Kind("yes_no", False, 2.0, _row),)
"""The row says itself whether it is right."""
