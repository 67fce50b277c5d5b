r"""An answer read as the references want it: the yes of "Yes, 7 is prime.", a name without its years of life.

Separate from extract.py because the references say here what to look for: a word that settles the question, or a name.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from hybridverify.answers import retraction
from hybridverify.answers.extraction import Extraction, Mark
from hybridverify.answers.labelled_clauses import clauses
from hybridverify.language import claims
from hybridverify.language import expressions as re
from hybridverify.language.lexicon import entries
from hybridverify.language.names import without_name
from hybridverify.language.number_words import read_words
from hybridverify.language.patterns import LONG_WORD, WORD
from hybridverify.language.scripts import is_in_word
from hybridverify.language.text import flat_words, same_text
from hybridverify.maths import numerals

_MAX_ANSWER = 300
_YES_NO = frozenset(("yes", "no"))
_REASONS = frozenset(entries("english", "reason"))
_TURNS = claims.kinds("contrast unsure supposed or reopened asked")
_YEAR = frozenset((3, 4))
"""So many digits a year has."""
_DASHES = str.maketrans("–—", "--")
_PAUSES = tuple(",.;:!—–-")
_MAX_OPENING = 8
_MAX_BRACKETED, _MAX_NOTE = 12, 2
_NAMED = re.compile(
    r"(?P<name>[A-Z][^\W\d_]{1,19})(?:\s?[:=]\s?|\s(?:is|was|has|gets|got|had|earns|paid|pays)\s|\s)"
    r"(?P<value>\\?\$?-?\d[\d,]*(?:\.\d+)?(?:/\d+)?%?)(?:\s[a-z]{1,14}){0,3}"
)
_BETWEEN = " \t\n,;.&"
_LEAST_NAMED = 2


def suited(found: Extraction, references: Sequence[str]) -> Extraction:
    """The answer, as far as the references say what sort of answer is sought.

    >>> from hybridverify.answers.extract import extract
    >>> suited(extract("Yes, 7 is prime."), ["yes"]).answer
    'Yes'
    >>> suited(extract("Ada Lovelace (1815-1852)"), ["Ada Lovelace"]).answer
    'Ada Lovelace'
    """
    if found.problem or not 0 < len(found.answer) <= _MAX_ANSWER:
        return found
    if are_yes_or_no(tuple(references)):
        return _settling(found)
    bare = _without_bracket(found.answer, references)
    return found._replace(answer=bare) if bare else found


@lru_cache(maxsize=4096)  # a group shares its references
def are_yes_or_no(references: tuple[str, ...]) -> bool:
    """Whether a yes or a no is sought."""
    return all(reference.strip(". ").lower() in _YES_NO for reference in references)


def _without_bracket(answer: str, references: Sequence[str]) -> str:
    """The answer without years of life, with its unit out of brackets, or a word out of all brackets; else ""."""
    before, opening, inside = answer.removesuffix(")").rpartition("(")
    if opening and answer.endswith(")") and _are_years(inside):
        return "" if any(map(str.isdigit, before)) else before.rstrip()
    if (
        answer[0] == "("
        and answer[1:-1].isalpha()
        and answer.isascii()
        and 1 < len(answer) - 2 <= _MAX_BRACKETED
    ):
        return "" if "(" in "".join(references) else answer[1:-1]
    return _with_note(flat_words(answer))


def _with_note(answer: str) -> str:
    """A number and what stands in brackets after it, as its unit; "" for all else."""
    value, _, note = answer.partition("(")
    words = note.removesuffix(")").split(" ")
    noted = note.endswith(")") and len(words) <= _MAX_NOTE and all(map(str.isalpha, words)) and note.isascii()
    if not noted or read_words(words[0]) or claims.holds(note, claims.CHANGED):
        return ""
    if numerals.read(without_name(value).strip()) is None:
        return ""
    return f"{value.rstrip()} {note.removesuffix(')')}"


def _are_years(text: str) -> bool:
    """Years of life: "1815-1852", "c. 1815 – present"."""
    born, dash, died = text.translate(_DASHES).replace("--", "-").partition("-")
    born, died = (year.strip().removeprefix("ca.").removeprefix("c.").lstrip() for year in (born, died))
    living = died in ("", "present") or (died.isdecimal() and len(died) in _YEAR | {2})
    return bool(dash) and born.isdecimal() and len(born) in _YEAR and living


def _settling(found: Extraction) -> Extraction:
    """The yes or no on which a sentence opens, where the rest of it does not turn."""
    said = found.body if found.mark is Mark.CONCLUSION and "\n" not in found.body else found.answer
    word, rest = _opening(said)
    if not rest:
        return found
    if (
        len(rest) > _MAX_ANSWER
        or not _YES_NO.isdisjoint(WORD.findall(rest.lower()))
        or claims.holds(rest, _TURNS)
    ):
        return found
    if retraction.reopened(rest.lower()) >= 0:
        return found
    if not _goes_with(word, rest):
        return found
    mark = Mark.BARE if found.mark is Mark.CONCLUSION else found.mark
    return found._replace(answer=word, mark=mark)


def _opening(text: str) -> tuple[str, str]:
    """The yes or no on which a text opens and what follows its stop; nothing for any other text."""
    first = WORD.search(text[:_MAX_OPENING])
    word = first[0] if first and not any(map(is_in_word, text[: first.start()])) else ""
    rest = text[first.end() :].lstrip() if first else ""
    return (word, rest[1:].lstrip()) if word.lower() in _YES_NO and rest[:1] in _PAUSES else ("", "")


def _goes_with(word: str, rest: str) -> bool:
    """Whether the rest agrees with the word: after a yes nothing may be denied; after a no something must be, unless
    a reason follows."""
    denies = claims.is_denial(rest)
    if word.lower() == "yes":
        return not denies
    first = WORD.match(rest.lower())
    return denies or (first is not None and first[0] in _REASONS)


def named_values_agree(found: Extraction, references: Sequence[str], question: str) -> bool:
    """Whether "Bo: 4, Al: 9" gives the numbers of a reference in the order in which the question names them.

    >>> from hybridverify.answers.extract import extract
    >>> told = extract("Bo: 4, Al: 9"), extract("Bo: 9, Al: 4")
    >>> [named_values_agree(one, ["9, 4"], "How old are Al and Bo?") for one in told]
    [True, False]
    """
    answer = found.body if found.mark is Mark.CONCLUSION and "\n" not in found.body else found.answer
    if found.problem or not question or len(answer) > _MAX_ANSWER or not answer.lstrip("$")[:1].isalpha():
        return False
    values = _as_asked(_pairs(answer), question) or _as_asked(clauses(answer), question.lower())
    if not values:
        return False
    return any(_are_the_same(values, _items(reference)) for reference in references)


def _as_asked(pairs: dict[str, str], question: str) -> list[str]:
    """The values in the order of their names in the question; none where it does not tell an order."""
    places = {name: question.rfind(name) for name in pairs}
    if len(pairs) < _LEAST_NAMED or min(places.values()) < 0 or len(set(places.values())) < len(pairs):
        return []
    return [pairs[name] for name in sorted(pairs, key=lambda name: places[name])]


def _pairs(answer: str) -> dict[str, str]:
    """Names and numbers, where the answer is nothing else."""
    pairs: dict[str, str] = {}
    at = 0
    text = answer.strip(" .")
    while at < len(text):
        found = _NAMED.match(text, at)
        if found is None or found["name"] in pairs:
            return {}
        pairs[found["name"]] = found["value"]
        rest = text[found.end() :]
        text, at = rest.lstrip(_BETWEEN), 0
        text = text.removeprefix("and").lstrip(_BETWEEN) if text[:4].rstrip(", ") == "and" else text
        if text == rest and text:
            return {}
    return pairs


def _items(reference: str) -> list[str]:
    """What a list holds that commas, semicolons or an "and" set apart."""
    plain = reference.strip("()[] $").replace(";", ",").replace(" and ", ",")
    return [item.strip() for item in plain.split(",")]


def _are_the_same(values: Sequence[str], told: Sequence[str]) -> bool:
    if len(values) != len(told) or any(LONG_WORD.search(one) for one in told):
        return False
    return all(_is_the_same(mine, theirs) for mine, theirs in zip(values, told, strict=True))


def _is_the_same(mine: str, theirs: str) -> bool:
    one, other = numerals.read(mine), numerals.read(theirs)
    if one is None or other is None:
        return same_text(mine, theirs)
    return one.value == other.value
