r"""The least that an answer must hold before a judge may accept it: words without any number cannot be the number of
the reference, and a bare number cannot be a name.

No model is asked. Where the answer could still say it (number words, options, an empty set), it passes: "no solution"
may be "∅". Separate from the content gate, which looks at the answer alone.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from enum import Enum
from functools import cache, lru_cache

from hybridverify.gate.fold import folded, table
from hybridverify.gate.signs import MARKUP
from hybridverify.guards import number_names
from hybridverify.guards.hedge import without_variable
from hybridverify.guards.own_words import adds_nothing, only_describes
from hybridverify.judges.embedded.alternatives import alternatives
from hybridverify.language import expressions as re
from hybridverify.language.asked import read_question
from hybridverify.language.languages import FUNCTION_WORDS, PREDICATES
from hybridverify.language.lexicon import entries
from hybridverify.language.number_words import naming_words
from hybridverify.language.patterns import COMMAND, WORD
from hybridverify.language.pieces import pieces, runs
from hybridverify.language.word_forms import MONTHS, WEEKDAYS
from hybridverify.language.wrapping import visible
from hybridverify.maths import numerals
from hybridverify.maths.notation import vocabulary

_JOINTS = FUNCTION_WORDS - PREDICATES
_MAX_FUNCTION = 60
_COMMANDS = vocabulary.words(
    "left right boxed frac dfrac tfrac cfrac sqrt displaystyle quad qquad times cdot circ degree percent pm mp"
)
_FONTS, _ESCAPED = ("text", "math"), ",;:!% $"
"""How the names of commands for type begin, and the signs that a backslash escapes."""
_MAX_LOOKED_AT = 2_000
"""Longer texts are not examined: among so many words one will name a number."""
_LEAST_STEMMED = 5
"""Shorter words are only looked up as a whole."""
_LEAST_REPEATED = 3
"""A question of two words ("Heads, tails?") may hold its answer."""
_BEGINNING, _BEFORE_WORDS = 2, "\"'`*_([{$“‘«"
_LEAST_PIECE = 5
"""The least words of a piece of the question that is no answer."""
_LETTERS = frozenset("BCDEFGHJKLMNOPQRSTUVWXYZ")
"""Of options: A and I are words as well."""
_ROMAN, _LEAST_ROMAN = frozenset("ivxlcdm"), 3
_LONGEST_TUPLE = 122
"""A colour or a place may be given in numbers."""
_JOINING = frozenset(entries("joining", "and_word", "or_word", "either"))
_VERDICTS = frozenset(
    ("true", "false", "yes", "no", "correct", "incorrect", "right", "wrong", "valid", "invalid")
)
_ASKS_FOR_A_THING = frozenset(("why", "find", "name", *entries("english", "asking")))
_STATES_A_CLAIM = _VERDICTS.union(("whether", "not", "agree", "prove", "claim", "statement"))
_SIGNS = frozenset("∅%°")


class Content(Enum):
    """What kinds of characters and words a text has."""

    NOTHING = "nothing"
    DIGITS = "digits"
    """Digits and signs, no letter."""
    WORDS = "words"
    """Letters, and no word that names a number in a known language."""
    ANY = "any"
    """Digits and letters, number words, or signs that have a meaning: it could say anything."""


def shares_content(answer: str, references: Sequence[str], question: str = "") -> bool:
    """Whether the answer could say what a reference says.

    False in these cases: every reference is a number in digits and the answer is words without a number; the
    references are words and the answer is digits; the answer is empty or repeats the question; the answer is "Yes"
    where somebody is asked for. True where there is no reference to compare with.

    >>> shares_content("forty-two", ["42"]), shares_content("It follows at once.", ["42"])
    (True, False)
    >>> shares_content("no solution", ["∅"]), shares_content("...", ["x + 1"]), shares_content("42", ["Paris"])
    (True, False, False)
    """
    wanted = set(map(content, references)) - {Content.NOTHING}
    if not wanted:
        return True
    given = content(_without_variables(answer))
    if given is Content.NOTHING or _says_nothing(answer, references, question):
        return False
    if given is Content.WORDS and wanted == {Content.DIGITS}:
        return _names_an_option(answer) or _may_be_said_in_words(answer, references)
    if given is Content.DIGITS and wanted == {Content.WORDS}:
        return _is_tuple(answer) or _may_number_an_option(answer, question)
    return True


def _says_nothing(answer: str, references: Sequence[str], question: str) -> bool:
    """Whether the words of the answer answer nothing here."""
    return (
        _is_verdict_on_no_claim(answer, references, question)
        or _repeats(answer, question, references)
        or _names_nothing(answer, references)
        or (_holds_none(answer, references) and only_describes(answer, references, question))
        or (_may_be_of_question(answer, question) and adds_nothing(answer, references, question))
    )


def _holds_none(answer: str, references: Sequence[str]) -> bool:
    """A quick look: an answer that holds the text of a reference says more than that it is the answer."""
    said = _spaced(answer)
    return not any(_spaced(one) in said for one in references)


def _spaced(text: str) -> str:
    return f" {' '.join(WORD.findall(text.lower()))} "


def _may_be_of_question(answer: str, question: str) -> bool:
    """A quick look whether each word of the answer begins as something in the question does."""
    low = question.lower()
    words = (word.lstrip(_BEFORE_WORDS) for word in answer[:_MAX_LOOKED_AT].lower().split())
    return all(word[:_BEGINNING] in low for word in words if word not in FUNCTION_WORDS)


def _is_tuple(text: str) -> bool:
    told = text.strip()
    inner = told[1:-1]
    if told[:1] != "(" or told[-1:] != ")" or "(" in inner or ")" in inner:
        return False
    return len(inner) < _LONGEST_TUPLE and all(inner.partition(","))


@lru_cache(maxsize=4096)
def content(text: str) -> Content:
    """The kind of a text.

    >>> [content(text).value for text in ("3.5", "Paris", "fifteenth", "5 cm", "...")]
    ['digits', 'words', 'any', 'any', 'nothing']
    """
    plain = _typeset(text) if len(text) <= _MAX_LOOKED_AT else "\\"
    if "\\" in plain:
        return Content.ANY
    kinds = set(map(_kind, set(plain)))
    if "sign" in kinds and not kinds & {"digit", "letter"}:
        return Content.ANY  # "∅", "<" and "∞" have names
    if not kinds & {"letter", "other"}:
        return Content.DIGITS if "digit" in kinds else Content.NOTHING
    if "digit" in kinds or "other" in kinds or _names_a_number(folded(plain)):
        return Content.ANY
    return Content.WORDS


def _typeset(text: str) -> str:
    """What a reader sees; a backslash is left of each command that is not known."""
    shown = visible(text)
    if "\\" not in shown:
        return shown
    shown = COMMAND.sub(_without_known, shown)
    for sign in _ESCAPED:
        shown = shown.replace(f"\\{sign}", " ")
    return shown


def _without_known(command: re.Match[str]) -> str:
    name = command[0][1:]
    return " " if name in _COMMANDS or name.startswith(_FONTS) else command[0]


@lru_cache(maxsize=4096)
def _kind(char: str) -> str:
    category = unicodedata.category(char)
    if category[0] == "N" or unicodedata.numeric(char, None) is not None or char in number_names.CHINESE:
        return "digit"
    if category[0] == "L":
        known = unicodedata.name(char, "").startswith(number_names.SCRIPTS)
        return "letter" if known else "other"
    return "sign" if category == "Sm" or char in _SIGNS else ""


def _names_a_number(words: Sequence[str]) -> bool:
    common = _table("COMMON") if len(words) > number_names.FEW else frozenset()
    named = [word for word in words if _is_a_number(word) and word not in common]
    return bool(named) and not (named == ["once"] and "at once" in " ".join(words))


@lru_cache(maxsize=8192)
def _is_a_number(word: str) -> bool:
    if word in _naming() or (len(word) >= _LEAST_ROMAN and _ROMAN.issuperset(word)):
        return True
    return len(word) >= _LEAST_STEMMED and any(map(word.__contains__, _table("STEMS")))


@lru_cache(maxsize=4)
def _table(name: str) -> frozenset[str]:
    return _folded(getattr(number_names, name).split())


@cache
def _naming() -> frozenset[str]:
    return _table("WORDS") | _folded((*naming_words(), *WEEKDAYS, *MONTHS))


def _folded(words: Iterable[str]) -> frozenset[str]:
    return frozenset(" ".join(folded(word)) for word in words)


def _without_variables(answer: str) -> str:
    """The answer without "x =" and "or": "either x = 1 or x = 2" is digits. Where nothing would be left, the whole
    answer."""
    if "=" not in answer or len(answer) >= _MAX_LOOKED_AT:
        return answer
    bare = " ".join(map(without_variable, pieces(answer, ",;", _JOINING)))
    return answer if content(bare) is Content.NOTHING else bare


def _names_nothing(answer: str, references: Sequence[str]) -> bool:
    """Whether the answer has only articles, prepositions and the like ("of", "in the") while every reference names
    something."""
    words = folded(answer) if len(answer) <= _MAX_FUNCTION else ()
    if not words or not _JOINTS.issuperset(words) or any(len(word) == 1 for word in words):
        return False
    return not any(_JOINTS.issuperset(folded(text)) for text in alternatives(references))


def _repeats(answer: str, question: str, references: Sequence[str]) -> bool:
    """Whether the answer is the question, or a long piece of a question without options, and no reference is that
    text."""
    if not question or len(answer) > len(question) + _MAX_LOOKED_AT:
        return False
    said, asked = folded(answer[:_MAX_LOOKED_AT]), folded(question[:_MAX_LOOKED_AT])
    piece = (
        len(said) >= _LEAST_PIECE and "or" not in asked and f" {' '.join(said)} " in f" {' '.join(asked)} "
    )
    if len(said) < _LEAST_REPEATED or not (said == asked or piece):
        return False
    return all(" ".join(said) not in " ".join(folded(reference[:_MAX_LOOKED_AT])) for reference in references)


def _is_verdict_on_no_claim(answer: str, references: Sequence[str], question: str) -> bool:
    """Whether the answer is "True" or "Yes" where a person or thing is asked for and no reference speaks of truth."""
    said = {word for word in folded(MARKUP.sub(" ", answer[:_MAX_LOOKED_AT])) if len(word) > 1}
    if not said or not said <= _VERDICTS or not _asks_for_a_thing(question):
        return False
    return all(_VERDICTS.isdisjoint(folded(reference[:_MAX_LOOKED_AT])) for reference in references)


def _asks_for_a_thing(question: str) -> bool:
    """Whether the question has a word such as "who", and asks nothing that yes or no would answer."""
    words = set(WORD.findall(question.lower()))
    if _ASKS_FOR_A_THING.isdisjoint(words) or not _STATES_A_CLAIM.isdisjoint(words):
        return False
    asked = read_question(question)
    return not asked.yes_no and "if" not in asked.openings


def _names_an_option(answer: str) -> bool:
    return not _LETTERS.isdisjoint(runs(answer)) or len(folded(answer)) == len("".join(folded(answer))) == 1


def _may_be_said_in_words(answer: str, references: Sequence[str]) -> bool:
    """ "There are no such integers" is right where the reference is 0, and a colour may be a tuple."""
    if any(map(_is_tuple, references)):
        return True
    numbers = [numerals.read(reference) for reference in references]
    return any(n is not None and n.value == 0 for n in numbers) and not table("NOTHING_CUES").isdisjoint(
        folded(answer)
    )


def _may_number_an_option(answer: str, question: str) -> bool:
    """ "2" may be the second option of a question that numbers its options."""
    digits = re.search(r"\d{1,4}", answer)
    return digits is not None and digits.group() in question
