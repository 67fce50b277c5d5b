"""Names in short forms, and answers with a remark beside them that says nothing against them."""

from __future__ import annotations

import re

from embedded.draws import Draws, asks, framed, is_name, predicate_of
from embedded.phrases import texts
from embedded.rows import Row
from hybridverify.judges.embedded.alternatives import alternatives

_TITLES = ("Mr. {}", "Ms. {}", "{} himself", "the great {}", "Dr. {}", "Sir {}")
_TITLED = re.compile(
    r"\b(?:president|king|queen|doctor|professor|captain|general|sir|lord|saint|pope|the)\b", re.IGNORECASE
)
_WHO_REMARKS = texts("forms", "who_remarks")
_WHERE_REMARKS = texts("forms", "where_remarks")
_REMARKS = texts("forms", "remarks")
_WITH_NUMBER = texts("forms", "with_number")
_ASIDES = texts("forms", "asides")


def apposition(draws: Draws, row: Row) -> str | None:
    """With a remark beside it that says nothing against it."""
    kind = asks(row)
    text = (person(draws, row) if kind == "who" and draws.rng.random() < 0.5 else None) or draws.short(row)
    if re.search(r"\d", text):
        return draws.pick(_WITH_NUMBER).format(text)
    remarks = {"who": _WHO_REMARKS, "where": _WHERE_REMARKS}.get(kind, _REMARKS)
    said = draws.pick(
        ("{0}, {1}", "{0} ({1})", "It was {0}, {1}.", "{0}, {1}.", "The answer is {0}, {1}.", "{0} – {1}")
    ).format(text, draws.pick(remarks))
    behind = predicate_of(row.question)
    if behind and draws.rng.random() < 0.4:
        return draws.pick(
            (
                f"{text} {behind}, {draws.pick(_ASIDES)}.",
                f"{text}, {draws.pick(remarks)}, {behind}.",
                f"{draws.pick(_ASIDES).capitalize()}, {text} {behind}",
            )
        )
    return said.format(text)


def person(draws: Draws, row: Row) -> str | None:
    """Surname, initials, title, turned round."""
    names = [text for text in alternatives(row.references) if is_name(text) and len(text) < 40]
    if asks(row) != "who" or not names or _TITLED.search(names[0]):
        return None
    words = draws.pick(names).split()
    if (
        not words[0][0].isalpha()
        or len(words[-1]) < 3
        or not all(word.replace("-", "").isalpha() for word in words)
    ):
        return None
    last, initials = words[-1], [f"{word[0]}." for word in words[:-1]]
    forms = (
        f"{' '.join(initials)} {last}",
        f"{''.join(initials)} {last}",
        last,
        f"{initials[0]} {last}",
        f"{initials[0][0]} {last}",
        f"{last}, {words[0]}",
        f"{last} {initials[0]}",
        draws.pick(_TITLES).format(last),
        f"{words[0]} {last}",
        f"{last}, {initials[0]}",
    )
    return draws.pick(forms)


def person_framed(draws: Draws, row: Row) -> str | None:
    text = person(draws, row)
    return framed(text, draws) if text else None
