"""Lists: the same in another order, with one item other, one more or one less."""

from __future__ import annotations

import re

from embedded.draws import Draws, framed
from embedded.rows import Row
from hybridverify.judges.embedded.alternatives import alternatives

_AND = re.compile(r"\s*(?:,\s*and|,|\band\b|&)\s+", re.IGNORECASE)


def relisted(draws: Draws, row: Row) -> str | None:
    """The items of a list in another order or form."""
    items = _items(draws, row)
    if not items:
        return None
    draws.rng.shuffle(items)
    return framed(
        draws.pick((" and ", ", ", " & ", "\n", "; ", ", and ", " and also ", " as well as ")).join(items),
        draws,
    )


def other_item(draws: Draws, row: Row) -> str | None:
    """A list with one item other, one more, or one less."""
    items = _items(draws, row)
    if not items:
        return None
    way = draws.rng.randrange(3)
    if way == 0:
        items[draws.rng.randrange(len(items))] = draws.foreign(row)
    elif way == 1:
        items.insert(draws.rng.randrange(len(items) + 1), draws.foreign(row))
    else:
        items.pop(draws.rng.randrange(len(items)))
    return framed(draws.pick((" and ", ", ", " & ", "\n")).join(items), draws)


def _items(draws: Draws, row: Row) -> list[str]:
    texts = [
        text
        for text in alternatives(row.references)
        if re.search(r"\band\b|&", text) and not re.search(r"\d", text)
    ]
    items = [item for item in _AND.split(draws.pick(texts)) if item.strip()] if texts else []
    return items if 2 <= len(items) <= 6 and all(len(item) < 40 for item in items) else []


def two_lists(draws: Draws, row: Row) -> Row:
    """A reference of two or three things of a class, the answer in another order: right; or with another one: wrong."""
    texts = list(
        dict.fromkeys(
            [draws.short(row), *(draws.short(draws.other(row)) for _ in range(draws.pick((1, 1, 2))))]
        )
    )
    reference = " and ".join(texts) if len(texts) < 3 else f"{', '.join(texts[:-1])} and {texts[-1]}"
    draws.rng.shuffle(texts)
    right = draws.rng.random() < 0.5
    if not right:
        if draws.rng.random() < 0.6 or len(texts) < 2:
            texts[draws.rng.randrange(len(texts))] = draws.foreign(row)
        else:
            texts.pop()
    said = draws.pick((" and ", ", ", " & ", "\n", ", and ")).join(texts)
    return Row(row.question, (reference,), framed(said, draws), right, row.origin, row.fold)
