"""Another value in the place of the reference: "1887, also known as 1891", "begun in 1887 and opened in 1891", "yes,
but also no".

A judge finds the reference in the answer and says yes. A year, a day and a yes have no second name, so another one
beside it is a rival, unless its clause tells of something else ("born in 1887, died in 1950").
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import dropwhile
from typing import NamedTuple

from hybridverify.gate.fold import folded
from hybridverify.guards.other_date import DATE, may_be_day, only_day
from hybridverify.judges.embedded.alternatives import alternatives
from hybridverify.language import expressions as re
from hybridverify.language.joining import CLAUSES
from hybridverify.language.languages import FUNCTION_WORDS, PRONOUNS
from hybridverify.language.lexicon import entries
from hybridverify.language.pieces import pieces
from hybridverify.maths.parsing.times import date
from hybridverify.maths.values.kinds import Date

_MAX_TEXT = 2_000
_SIGNS = ",;:.!?()\n"
_GOING_ON = frozenset(("to", "until", "till", "through"))
_YEAR = re.compile(r"(?<![\d.,/–-])(?:1\d|20)\d\d(?![\d/–-]|[.,]\d)")
_CONDITIONS = frozenset(entries("joining", "condition", "instead"))
_LEADS = frozenset(("also", "well", "both", "then", *entries("joining", "perhaps")))
_NAMING = frozenset(entries("naming", "second_name"))
"""Words that give a name or a rank: of a value they tell nothing."""
_VALUE = "\0"


class Clause(NamedTuple):
    """A clause with values of the reference's kind."""

    told: bool
    """Whether one of them is the reference."""
    other: bool
    """Whether one of them is neither the reference nor in the question."""
    words: frozenset[str]
    between: frozenset[str]
    """The words between its first and its last value."""


def gives_a_rival(answer: str, references: Sequence[str], question: str = "") -> bool:
    """Whether the answer gives another year, day or yes/no in the place of the reference.

    >>> gives_a_rival("1887, also known as 1891", ["1887"]), gives_a_rival("Yes, but also no", ["no"])
    (True, True)
    >>> gives_a_rival("It was begun in 1887 and opened in 1891", ["1887"], "When was it opened?")
    True
    >>> gives_a_rival("It was begun in 1883 and opened in 1887", ["1887"], "When was it opened?")
    False
    """
    wanted = alternatives(references)
    if len(answer) > _MAX_TEXT or not wanted:
        return False
    if all(text.strip(" .").lower() in ("yes", "no") for text in wanted):
        return len({"yes", "no"} & set(map(_polarity, _cut(answer, _CONDITIONS)))) > 1
    for clauses in (_with_years(answer, wanted, question), _with_days(answer, wanted, question)):
        if clauses:
            return _has_rival(clauses, frozenset(folded(question)))
    return False


def _cut(text: str, words: frozenset[str] = frozenset()) -> list[str]:
    """The clauses, cut at `words` as well. A comma cuts nothing before a value, or before a word that leads on to one:
    "1887, until 1891"."""
    first, *rest = text.split(",")
    return pieces(
        first + "".join(part if _goes_on(part) else f",{part}" for part in rest), _SIGNS, CLAUSES | words
    )


def _goes_on(part: str) -> bool:
    first = part.split(maxsplit=1)[:1]
    return first != [] and (first[0][0] == _VALUE or first[0].lower() in _GOING_ON)


def _polarity(clause: str) -> str:
    """The yes or no of a clause that says nothing else, or goes on to say of whom: "yes it did"."""
    words = [*dropwhile(_leads, clause.lower().split())]
    return words[0] if words and (len(words) == 1 or words[1] in PRONOUNS) else ""


def _leads(word: str) -> bool:
    return word in _LEADS or word.endswith("ly")


def _with_years(answer: str, wanted: Sequence[str], question: str) -> list[Clause]:
    years = {text.strip() for text in wanted}
    if len(years) > 1 or not all(map(_YEAR.fullmatch, years)):
        return []
    return _clauses(_YEAR, answer, years, set(_YEAR.findall(question)))


def _with_days(answer: str, wanted: Sequence[str], question: str) -> list[Clause]:
    wanted_day = _single_day(wanted)
    if wanted_day is None:
        return []
    said = {found[0] for found in DATE.finditer(answer)}
    read = {text: date(text.rstrip(",")) for text in said}
    told = {text for text, day in read.items() if day and may_be_day(day, wanted_day)}
    return _clauses(DATE, answer, told, {text for text in said if not read[text] or text in question})


def _single_day(references: Sequence[str]) -> Date | None:
    """The day, if each reference is this day and nothing else."""
    days = {only_day(text) for text in references}
    return days.pop() if len(days) == 1 else None


def _clauses(values: re.Pattern[str], answer: str, told: set[str], known: set[str]) -> list[Clause]:
    """The clauses that hold values. A comma within a date cuts nothing."""
    found = values.findall(answer)
    pieces = iter(found)
    clauses = []
    for clause in _cut(values.sub(_VALUE, answer)):
        here = {next(pieces) for _ in range(clause.count(_VALUE))}
        if here:
            between = clause[clause.index(_VALUE) : clause.rindex(_VALUE)]
            clauses.append(
                Clause(bool(here & told), bool(here - told - known), _content(clause), _content(between))
            )
    return clauses


def _content(text: str) -> frozenset[str]:
    return frozenset(folded(text.replace(_VALUE, " "))) - FUNCTION_WORDS


def _has_rival(clauses: Sequence[Clause], asked: frozenset[str]) -> bool:
    """Whether the clause of another value answers the question at least as well as that of the reference."""
    own = [clause.words for clause in clauses if clause.told]
    if not own:
        return False
    closest = max(len(words & asked) for words in own)
    return any(clause.other and _stands_for(clause, asked, closest) for clause in clauses)


def _stands_for(clause: Clause, asked: frozenset[str], closest: int) -> bool:
    if clause.told:  # both in one clause: "1887 aka 1891", but not "from 1887 to 1891"
        return bool(clause.between) and clause.between <= _NAMING
    return clause.words <= asked | _NAMING and len(clause.words & asked) >= closest
