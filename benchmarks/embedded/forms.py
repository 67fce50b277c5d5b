"""Right answers in short or other forms: initials, surnames, plurals, number words, what the question asks for beside
the name, a preposition, the question's own sentence."""

from __future__ import annotations

import re

from embedded.draws import Draws, Kind, asks, framed, noun_of, predicate_of
from embedded.persons import apposition, person, person_framed
from embedded.phrases import texts
from embedded.reworded import reworded
from embedded.rows import Row
from hybridverify.judges.embedded.alternatives import alternatives

_ROMAN = dict(
    zip(
        ["II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV", "XVI"],
        range(2, 17),
        strict=True,
    )
)
_DIGITS = {str(value): roman for roman, value in _ROMAN.items()}
_PLACES = texts("forms", "places")
_TIMES = (
    "In {}",
    "On {}",
    "It was in {}",
    "It happened in {}.",
    "in {}",
    "Back in {}",
    "It took place on {}",
    "during {}",
    "That was {}",
    "It came in {}",
)
_PLAIN = texts("forms", "plain")
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_CENTURY = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th) century(?! b)", re.IGNORECASE)
_ORDINALS = texts("forms", "ordinals")
_GENERIC = re.compile(
    r"^(?:the |a |an )?(?:city|town|village|island|state|kingdom|province|country|county|planet|river|cargo|load|"
    r"piece|kind|type|game|art|sport|language|metal|art|band|group|company|cup|bag|bowl|sort|form|month|year|use|act|"
    r"practice|process) of ((?:the )?[^\W_][^,;]{2,40})$",
    re.IGNORECASE,
)


def _with_noun(draws: Draws, row: Row) -> str | None:
    """With the kind of thing that the question names."""
    noun, text = noun_of(row.question), draws.short(row)
    if not noun:
        return None
    bare = re.sub(r"^(?:the|a|an) ", "", text, flags=re.IGNORECASE)
    forms = (
        f"The {noun} {bare}",
        f"The {noun} is {text}.",
        f"{text} is the {noun}.",
        f"The {noun} was {text}",
        *(
            (f"the {noun} of {bare}",)
            if re.search(r"city|town|state|country|island|village|county|province", noun)
            else ()
        ),
        f"the {noun}: {text}",
        f"{text}, the {noun}",
        f"The {noun} called {bare}",
    )
    return draws.pick(forms)


def _in_question(draws: Draws, row: Row) -> str | None:
    """The question's own sentence with the answer in it."""
    text = person(draws, row) if draws.rng.random() < 0.3 else None
    text = text or draws.short(row)
    behind = predicate_of(row.question)
    if behind:
        verb = behind.split()[0]
        forms = (
            f"{text} {behind}.",
            f"It was {text} who {behind}.",
            f"{text} {verb} it",
            f"{text} {verb} it.",
            f"The one who {behind} is {text}.",
            f"{text} was the one who {behind}",
        )
        return draws.pick(forms)
    found = re.match(
        r"\s*(?:who|what|where|when) (is|was|are|were) (.{3,80}?)\s*\??$", row.question, re.IGNORECASE
    )
    if found:
        return draws.pick(
            (
                f"{found.group(2)} {found.group(1)} {text}",
                f"{text} {found.group(1)} {found.group(2)}",
                f"{found.group(2)}: {text}",
            )
        )
    found = re.match(
        r"\s*(?:which|what) [\w'-]+ ((?!is\b|was\b|are\b|were\b|did\b|does\b|do\b)\w+(?:s|ed) .{3,80}?)\s*\??$",
        row.question,
        re.IGNORECASE,
    )
    return f"{text} {found.group(1)}" if found else None


def _placed(draws: Draws, row: Row) -> str | None:
    kind = asks(row)
    forms = {"where": _PLACES, "when": _TIMES}.get(kind, _PLAIN)
    return draws.pick(forms if draws.rng.random() < 0.7 else _PLAIN).format(draws.short(row))


def _number_form(draws: Draws, row: Row) -> str | Row | None:
    """Roman and other digits, ordinals, centuries."""
    text = draws.short(row)
    for word in text.split():
        if word in _ROMAN and text != word:
            return framed(
                text.replace(
                    word, draws.pick((str(_ROMAN[word]), f"the {_ORDINALS[_ROMAN[word] - 1].capitalize()}"))
                ),
                draws,
            )
        if word in _DIGITS and text != word and asks(row) in ("who", "what") and draws.rng.random() < 0.5:
            return text.replace(word, _DIGITS[word], 1)
    century = _CENTURY.search(text)
    if century and 1 <= int(century.group(1)) <= 20:
        value = int(century.group(1))
        ordinal = _ORDINALS[value - 1]
        return draws.pick(
            (
                f"the {ordinal} century",
                f"in the {ordinal} century",
                f"the {value - 1}00s",
                f"{ordinal} century",
                f"in the {value - 1}00s",
            )
        )
    return None


def _wrong_number_form(draws: Draws, row: Row) -> str | None:
    """The twin: a neighbour in the other form."""
    text = draws.short(row)
    for word in text.split():
        if word in _ROMAN and text != word:
            other = draws.pick([roman for roman in _ROMAN if roman != word])
            return framed(text.replace(word, draws.pick((other, str(_ROMAN[other])))), draws)
    century = _CENTURY.search(text)
    if century and 2 <= int(century.group(1)) <= 19:
        value = int(century.group(1))
        return draws.pick(
            (
                f"the {_ORDINALS[value]} century",
                f"the {_ORDINALS[value - 2]} century",
                f"the {value}00s",
                f"in the {value}00s",
            )
        )
    return None


def _plural(draws: Draws, row: Row) -> str | None:
    """One more or one less "s"; "every Monday", "on Mondays"."""
    text = draws.short(row)
    if text in _WEEKDAYS:
        return draws.pick(
            (
                f"{text}s",
                f"on {text}s",
                f"every {text}",
                f"It is on {text}s.",
                f"each {text}",
                f"{text} it was",
            )
        )
    bare = re.sub(r"^(?:the|a|an) ", "", text, flags=re.IGNORECASE)
    if (
        not bare.replace(" ", "").isalpha()
        or len(bare.split()) > 2
        or asks(row) in ("who", "where", "when")
        or len(bare) < 4
    ):
        return None
    if not bare.islower():
        return None
    other = bare[:-1] if bare.endswith("s") and not bare.endswith(("ss", "us", "is")) else bare + "s"
    return framed(draws.pick((other, f"the {other}", f"{other[0].lower()}{other[1:]}")), draws)


def _head(draws: Draws, row: Row) -> str | None:
    """Of "the city of Ulm" or "a cup of tea" what is meant; with `of` before it the other way round."""
    found = next((found for text in alternatives(row.references) if (found := _GENERIC.match(text))), None)
    return framed(found.group(1), draws) if found else None


def _of_generic(draws: Draws, row: Row) -> Row | None:
    """The reference as "the ... of X", the answer X."""
    noun, text = noun_of(row.question), draws.short(row)
    if not noun or not text[:1].isupper() or len(noun.split()) > 1:
        return None
    return Row(
        row.question, (f"the {noun.lower()} of {text}",), framed(text, draws), True, row.origin, row.fold
    )


def _two_spellings(draws: Draws, row: Row) -> str | None:
    """Two spellings of the reference beside one another."""
    texts = [text for text in alternatives(row.references) if len(text) < 40]
    if len(texts) < 2:
        return None
    one, other = draws.rng.sample(texts, 2)
    return draws.pick(
        ("{} ({})", "{}, {}", "{} / {}", "{} or {}", "{}, also {}", "{}, in full {}", "{} – {}", "{}\n{}")
    ).format(one, other)


def _reworded(draws: Draws, row: Row) -> Row | str | None:
    texts = alternatives(row.references)
    if draws.rng.random() < 0.5:
        return framed(reworded(draws.short(row), row.question, draws.rng), draws)
    mine = draws.pick(draws.by_question[row.question])
    if len(mine.response) < 60 and len(texts) > 1:
        return Row(row.question, (draws.short(row),), mine.response, True, row.origin, row.fold)
    if len(texts) < 2:
        return None
    return Row(
        row.question, tuple(draws.rng.sample(texts, len(texts))), mine.response, True, row.origin, row.fold
    )


KINDS = (
    Kind("apposition", True, 3.0, apposition),
    Kind("with_noun", True, 3.4, _with_noun),
    Kind("in_question", True, 3.0, _in_question),
    Kind("placed", True, 3.6, _placed),
    Kind("person", True, 4.0, person_framed),
    Kind("number_form", True, 8.0, _number_form),
    Kind("wrong_number_form", False, 8.0, _wrong_number_form),
    Kind("plural", True, 2.6, _plural),
    Kind("head", True, 5.0, _head),
    Kind("of_generic", True, 1.6, _of_generic),
    Kind("two_spellings", True, 1.0, _two_spellings),
    Kind("reworded", True, 3.6, _reworded),
)
