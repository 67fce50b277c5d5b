"""The right text with one thing other: another word of its class, its opposite, roles turned, a word more or less; and
the twins that keep what is said: synonyms, other order of a list, active and passive."""

from __future__ import annotations

import re

from embedded.banks import KIN, OPPOSITES, SPELLINGS, SYNONYMS
from embedded.draws import Draws, Kind, asks, content_words, framed, is_name
from embedded.listed import other_item, relisted, two_lists
from embedded.near import near_number
from embedded.rows import Row
from hybridverify.judges.embedded.alternatives import alternatives
from hybridverify.judges.embedded.overlap import overlap

_WORD = re.compile(r"[^\W\d_]+")
_QUALIFIERS = (
    "not",
    "never",
    "hardly",
    "no longer",
    "half",
    "non-",
    "former",
    "fake",
    "other",
    "wrong",
    "un-",
    "so-called",
    "second",
)


def _text(draws: Draws, row: Row) -> str:
    """The reference, or a short right response that holds it."""
    short = [mine.response for mine in draws.by_question[row.question] if len(mine.response) < 160]
    return draws.pick(short) if short and draws.rng.random() < 0.4 else draws.short(row)


def _put(text: str, place: re.Match[str], new: str) -> str:
    new = new.capitalize() if place.group()[:1].isupper() else new
    return text[: place.start()] + new + text[place.end() :]


def _banked(text: str, bank: dict[str, tuple[str, ...]], draws: Draws) -> str | None:
    places = [
        place for place in _WORD.finditer(text) if place.group() in bank or place.group().lower() in bank
    ]
    if not places:
        return None
    place = draws.pick(places)
    return _put(text, place, draws.pick(bank.get(place.group()) or bank[place.group().lower()]))


def _held(row: Row, text: str) -> float:
    return max(overlap(one, text, row.question).nearness for one in alternatives(row.references))


def _spoiled(draws: Draws, row: Row, bank: dict[str, tuple[str, ...]], text: str | None = None) -> str | None:
    """One word of the part that answers put out by another; nothing where the reference still stands there."""
    if text is None:
        text = draws.short(row)
    changed = _banked(text, bank, draws)
    if changed is None or _held(row, changed) >= 2.0:
        return None
    return framed(changed, draws) if len(changed) < 80 else changed


def _kin(draws: Draws, row: Row) -> str | None:
    return _spoiled(draws, row, KIN)


def _opposite(draws: Draws, row: Row) -> str | None:
    return _spoiled(draws, row, OPPOSITES)


def _foreign_word(draws: Draws, row: Row) -> str | None:
    """One content word of several put out by one of another answer, written alike."""
    text = draws.short(row)
    words = content_words(text)
    if len(words) < 2:
        return None
    old = draws.pick(words)
    for _ in range(8):
        new = draws.pick(content_words(draws.short(draws.other(row))) or ["Torquay"])
        if (
            new[:1].isupper() == old[:1].isupper()
            and new[:1].isdigit() == old[:1].isdigit()
            and new.casefold() not in text.casefold()
        ):
            changed = text.replace(old, new, 1)
            return framed(changed, draws) if _held(row, changed) < 2.0 else None
    return None


def _foreign_in_reference(draws: Draws, row: Row) -> Row | None:
    """The same from the other side: the reference has the other word, the answer is what was right."""
    changed = _foreign_word(draws, row)
    if (
        changed is None
        or len(alternatives(row.references)) > 3
        or not re.fullmatch(r"[^\\#<*:]{3,80}", changed)
    ):
        return None
    return Row(
        row.question, (changed.rstrip("."),), framed(draws.short(row), draws), False, row.origin, row.fold
    )


def _near_letters(draws: Draws, row: Row) -> str | None:
    """Another name that looks alike: a vowel or consonant inside is another one, or two letters are turned."""
    text = draws.short(row)
    words = [word for word in content_words(text) if len(word) > 3 and word.isalpha() and word[0].isupper()]
    if not words or len(text) > 40:
        return None
    word = draws.pick(words)
    at = draws.rng.randrange(1, len(word) - 1)
    new = draws.pick(
        [letter for letter in ("aeiou" if word[at] in "aeiou" else "bdfglmnprstvk") if letter != word[at]]
    )
    twice = draws.rng.randrange(1, len(word) - 1)
    changed = word[:at] + new + word[at + 1 :]
    if draws.rng.random() < 0.5:
        changed = changed[:twice] + draws.pick(tuple("aeiounrst")) + changed[twice + 1 :]
    return framed(text.replace(word, changed, 1), draws) if changed != word else None


def _turned(draws: Draws, row: Row) -> str | None:
    """Two names, or the two sides of "of", "from ... to", "by", "over", change places."""
    text = _text(draws, row)
    sides = re.search(
        r"^(.{3,60}?) (of|over|by|before|after|than|beat|beats|defeated|against|to|into|under|above|from) "
        r"(.{3,60}?)\.?$",
        text,
    )
    if sides and len(sides.group(3).split()) < 6 and len(sides.group(1).split()) < 6:
        return f"{sides.group(3)} {sides.group(2)} {sides.group(1)}"
    names = list(dict.fromkeys(re.findall(r"(?<![.!?] )\b[A-Z][a-z]{2,}(?: [A-Z][a-z]+)*", text)))
    if len(names) < 2 or text == draws.short(row) or len(text.split()) < 5:
        return None
    one, other = draws.rng.sample(names, 2)
    if one in other or other in one or _held(row, text) < 2:
        return None
    held = [name for name in (one, other) if _held(row, name) >= 1.5]
    if len(held) != 1:
        return None
    return text.replace(one, "\0").replace(other, one).replace("\0", other)


def _scrambled(draws: Draws, row: Row) -> str | None:
    """Content words of a longer text in another order."""
    text = draws.pick(alternatives(row.references)[:4] or [""])
    words = content_words(text)
    if len(words) < 3 or len(text) > 120 or "," in text or is_name(text):
        return None
    one, other = draws.rng.sample(words, 2)
    if one == other or re.search(
        rf"{re.escape(one)}[-\s]+and[-\s]+{re.escape(other)}|{re.escape(other)}[-\s]+and[-\s]+{re.escape(one)}",
        text,
    ):
        return None
    return re.sub(
        rf"\b{re.escape(one)}\b|\b{re.escape(other)}\b",
        lambda found: other if found.group() == one else one,
        text,
    )


def _qualified(draws: Draws, row: Row) -> str | None:
    """A word that changes it put before a content word."""
    text = _text(draws, row)
    words = content_words(text)
    if not words or len(text) > 120:
        return None
    word = draws.pick(words)
    mark = draws.pick(_QUALIFIERS)
    return text.replace(word, f"{mark}{'' if mark.endswith('-') else ' '}{word}", 1)


def _numbers(draws: Draws, row: Row) -> str | None:
    changed = near_number(_text(draws, row), draws.rng)
    return changed if changed and _held(row, changed) < 2.0 else None


def _synonym(draws: Draws, row: Row) -> str | Row | None:
    """A word put out by one of like meaning, in the answer or in the reference."""
    text = _text(draws, row)
    changed = _banked(text, {**SYNONYMS, **SPELLINGS}, draws)
    if changed is None:
        return None
    if draws.rng.random() < 0.3:
        return Row(row.question, (changed,), text, True, row.origin, row.fold)
    return changed


def _short_who(draws: Draws, row: Row) -> str | None:
    """Another bearer of the surname."""
    own = draws.short(row)
    if asks(row) != "who" or not is_name(own):
        return None
    other = draws.short(draws.other(row)).split()
    return framed(f"{other[0]} {own.split()[-1]}", draws) if len(other) > 1 and other[0] not in own else None


KINDS = (
    Kind("kin", False, 4.0, _kin),
    Kind("opposite", False, 4.0, _opposite),
    Kind("foreign_word", False, 2.0, _foreign_word),
    Kind("foreign_in_reference", False, 1.2, _foreign_in_reference),
    Kind("near_letters", False, 0.3, _near_letters),
    Kind("turned", False, 5.0, _turned),
    Kind("scrambled", False, 2.0, _scrambled),
    Kind("qualified", False, 0.8, _qualified),
    Kind("numbers", False, 3.0, _numbers),
    Kind("other_item", False, 4.0, other_item),
    Kind("other_bearer", False, 0.5, _short_who),
    Kind("synonym", True, 3.0, _synonym),
    Kind("relisted", True, 5.0, relisted),
    Kind("two_lists", False, 1.6, two_lists),
)
"""`two_lists` says itself whether its row is right."""
