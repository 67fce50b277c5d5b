"""Right answers that say more than the reference: the day of a year, a middle name, the role beside who played it, the
work beside its winner; and one of several spellings that the reference joins itself. With their wrong twins."""

from __future__ import annotations

import re

from embedded.draws import Draws, Kind, asks, framed, is_name
from embedded.near import MONTHS
from embedded.rows import Row
from hybridverify.judges.embedded.alternatives import alternatives

_YEAR = re.compile(r"(?:in )?(1\d{3}|20\d\d)")
_MONTH_YEAR = re.compile(rf"(?:in )?({'|'.join(MONTHS)})(?: of)?,? (1\d{{3}}|20\d\d)")
_DATES = ("{1} {0}, {2}", "{0} {1} {2}", "{1} {0} {2}", "on {1} {0}, {2}", "the {0}th of {1} {2}", "{1} {2}")
_PLAYS = re.compile(r"\bwho (?:play|voice|portray|sing|star)", re.IGNORECASE)
_ROLES = ("{1} ({0})", "{0} as {1}", "{1} was played by {0}", "{0} ({1})", "{0}, as {1}", "{1}: {0}")
_WORKS = ("{0} for {1}", "{0} ({1})", "{0} for “{1}”", "{0}, for {1}", "{0} in {1}", "{0} from {1}")
_EPITHETS = (
    "the Elder",
    "the Younger",
    "the Great",
    "the Navigator",
    "the Bold",
    "the Wise",
    "the Third",
    "Jr.",
)
_JOINS = ("{} or {}", "{}/{}", "{} / {}", "{} ({})", "{}, or {}", "{} OR {}", "{}; {}")


def _dated(draws: Draws, row: Row) -> str | None:
    """A date within the year or the month that is asked for."""
    for text in alternatives(row.references):
        year, month = _YEAR.fullmatch(text), _MONTH_YEAR.fullmatch(text)
        if year or month:
            named = month.group(1) if month else draws.pick(MONTHS)
            told = draws.pick(_DATES[:5] if month else _DATES)
            day = draws.rng.randint(4, 20)
            return framed(told.format(day, named, month.group(2) if month else year.group(1)), draws)  # type: ignore[union-attr]
    return None


def _other_dated(draws: Draws, row: Row) -> str | None:
    """The twin: a date within another year, or within another month."""
    known = {word for text in alternatives(row.references) for word in re.findall(r"\w+", text)}
    for text in alternatives(row.references):
        year, month = _YEAR.fullmatch(text), _MONTH_YEAR.fullmatch(text)
        if year or month:
            told = int(month.group(2) if month else year.group(1))  # type: ignore[union-attr]
            other = str(told + draws.pick((-10, -3, -2, -1, 1, 2, 3, 10)))
            named = month.group(1) if month else draws.pick(MONTHS)
            if month and draws.rng.random() < 0.5:
                other, named = str(told), draws.pick([name for name in MONTHS if name != month.group(1)])
            if other in known and named in known:
                return None
            day = draws.rng.randint(4, 20)
            return framed(draws.pick(_DATES).format(day, named, other), draws)
    return None


def _names(row: Row) -> list[str]:
    return [text for text in alternatives(row.references) if is_name(text) and len(text) < 40]


def _middle(draws: Draws, row: Row) -> str | None:
    """A middle name or initial more, or one less."""
    names = _names(row)
    if asks(row) != "who" or not names:
        return None
    words = draws.pick(names).split()
    if any(not word.replace("-", "").isalpha() for word in words):
        return None
    if len(words) > 2:
        return framed(f"{words[0]} {words[-1]}", draws)
    other = draws.short(draws.other(row)).split()[0]
    if not other.isalpha() or not other[0].isupper() or other in words:
        return None
    middle = draws.pick((other, f"{other[0]}.", other[0], f"{other[0]}. {words[0][0]}."))
    return framed(f"{words[0]} {middle} {words[-1]}", draws)


def _epithet(draws: Draws, row: Row) -> str | None:
    names = _names(row)
    return (
        framed(f"{draws.pick(names)} {draws.pick(_EPITHETS)}", draws)
        if asks(row) == "who" and names
        else None
    )


def _role(draws: Draws, row: Row) -> str | None:
    """Who played it, and the part; with a work, where a question asks for somebody else."""
    if asks(row) != "who":
        return None
    other, text = draws.foreign(row), draws.short(row)
    if not other[:1].isupper() or len(other) > 40 or re.search(r"\d", other):
        return None
    return draws.pick(_ROLES if _PLAYS.search(row.question) else _WORKS).format(text, other)


def _one_of(draws: Draws, row: Row) -> Row | None:
    """One of two spellings that the reference joins, or both where it has one."""
    texts = [text for text in alternatives(row.references) if len(text) < 50]
    if len(texts) < 2:
        return None
    one, other = draws.rng.sample(texts, 2)
    joined = draws.pick(_JOINS).format(*draws.rng.sample([one, other], 2))
    return Row(row.question, (joined,), framed(one, draws), True, row.origin, row.fold)


KINDS = (
    Kind("dated", True, 25.0, _dated),
    Kind("other_dated", False, 14.0, _other_dated),
    Kind("middle", True, 2.5, _middle),
    Kind("epithet", True, 0.5, _epithet),
    Kind("role", True, 2.0, _role),
    Kind("one_of", True, 2.0, _one_of),
)
