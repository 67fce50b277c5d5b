"""Labels as general models give them who were asked for one word: with a reason behind it, after a heading, in JSON.

A label counts only where a verdict stands: as the whole reply, at its very beginning, after the heading, or under the
key of a JSON object. What names both labels there is no verdict.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

from hybridverify.judges.json_reply import json_objects, json_reading, key_spots
from hybridverify.judges.parse import Menu, Reading, unparseable
from hybridverify.language import expressions as re

KEYS = ("verdict", "label", "decision", "judgment", "judgement")
"""The keys under which models put a verdict that nobody told them to name."""


def read_label(text: str, menu: Menu, heading: str) -> Reading:
    """The verdict of a reply.

    >>> menu = Menu(correct=("ACCEPT",), incorrect=("REJECT",))
    >>> read_label("REJECT. The units differ.", menu, "Verdict:").outcome
    <Outcome.INCORRECT: 'incorrect'>
    >>> read_label('```json\\n{"verdict": "ACCEPT"}\\n```', menu, "Verdict:").outcome
    <Outcome.CORRECT: 'correct'>
    >>> read_label("I would not ACCEPT it.", menu, "Verdict:").outcome
    <Outcome.UNPARSEABLE: 'unparseable'>
    """
    outcome = menu.outcome(text)
    if outcome is not None:
        return menu.reading(outcome)
    found = [
        reading for reading in (_in_json(text, menu), _after(text, menu, heading)) if reading is not None
    ]
    if found:
        return Menu.agree(found)
    return _leading(text, menu) or menu.whole(text)


def label_spots(text: str) -> Iterator[int]:
    """The places of a key that holds a verdict, in a text that a judge is shown."""
    return chain.from_iterable(key_spots(text, key) for key in KEYS)


def _in_json(text: str, menu: Menu) -> Reading | None:
    values = [
        value
        for found in json_objects(text)
        for name, value in found.items()
        if isinstance(name, str) and name.casefold() in KEYS
    ]
    return Menu.agree([json_reading(value, menu) for value in values]) if values else None


def _after(text: str, menu: Menu, heading: str) -> Reading | None:
    return menu.after(text, heading) if heading.casefold() in text.casefold() else None


def _leading(text: str, menu: Menu) -> Reading | None:
    """The label that the reply begins with, before its reason. The reason may not name the other label."""
    match = _leading_label(menu).match(text)
    outcome = menu.outcome(match[1]) if match else None
    if outcome is None:
        return None
    if menu.named(text) - {outcome}:
        return unparseable("two different verdicts")
    return menu.reading(outcome)


@lru_cache(maxsize=16)
def _leading_label(menu: Menu) -> re.Pattern[str]:
    words = "|".join(map(re.escape, (*menu.correct, *menu.incorrect, *menu.invalid)))
    return re.compile(
        rf"[\s*_`\"'(\[#>-]{{0,12}}({words})[*_`\"')\]]{{0,4}}"
        r"(?:[.,:;!]+\s|\s*[–—]|\s+-\s|[ \t]*\n|\s+(?:because|since|as)\b)",
        re.IGNORECASE,
    )
