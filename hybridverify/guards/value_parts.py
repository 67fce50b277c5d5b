r"""Cuts a short answer into the parts that may be values: "12 kg or 15 kg", `\overset{12}{15}`, "12 edo 15".

It is cut, outside of its brackets, where signs and words join values, where TeX or HTML sets things apart, and once
more at each word that we do not know. Which parts are values, and how they compare, is told in rival_parts.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain, dropwhile

from hybridverify.conventions import DEFAULT
from hybridverify.guards.seen import laid_out
from hybridverify.language import expressions as re
from hybridverify.language.languages import ARTICLES, FUNCTION_WORDS, PREDICATES
from hybridverify.language.lexicon import entries
from hybridverify.language.patterns import IN_TEXT
from hybridverify.language.pieces import outer_pieces
from hybridverify.maths import answer_reading
from hybridverify.maths.algebra.nodes import Num
from hybridverify.maths.values.kinds import Quantity, Scalar

_MAX_PARTS = 12
_MOST_BLANKS = 7
"""A longer part is prose, in which numbers may tell of anything."""
_JOINTS = frozenset(
    (
        *entries(
            "joining", "rival", "rival_sign", "or_word", "or_letter", "or_script", "and_script", "second"
        ),
        "\n",
        "\t",
    )
)
_CLAUSES = (", ", ";", "\n")
_IN_BRACKETS = re.compile(
    r"^(?:(.{1,120}?)(?:\s+|(?=\\\{))|(?=[(\\]))(?:[(\[]|\\\{)([^()\[\]]{1,120}?)(?:[)\]]|\\\})$"
)
_CASES = re.compile(r"\b(?:with probability [\d.]{1,9}%?|case \w\b)", re.IGNORECASE)
"""The names of cases."""
_MARKS = " #*_`'\".:&"
_LEADS = PREDICATES.union(
    FUNCTION_WORDS, entries("questions", "roughly"), entries("joining", "guessing", "either")
)
_TAILS = ARTICLES.union(("is", "as", "with"), entries("joining", "possible"))
_FEWEST_WORDS = 3
_OPENING = "(["
_KNOWN = FUNCTION_WORDS.union(
    PREDICATES,
    entries("announcing", "reason"),
    entries("questions", "operation", "roughly"),
    entries("joining", "not", "instead", "narrowing"),
)
"""Words that do not stand for "or" between two values."""


def cuts(answer: str, question: str, measured: bool) -> Iterator[list[str]]:
    """The parts of the answer, and the two beside each word that we do not know: it may be an "or". Where values are
    `measured`, a word in a formula may be a unit.

    >>> list(cuts("12 edo 15", "", measured=False))
    [[], ['12', '15']]
    """
    yield _short_parts(answer, measured)
    words = answer.split()
    if not _FEWEST_WORDS <= len(words) <= _MOST_BLANKS + 1:
        return
    for at in range(1, len(words) - 1):
        sides = [" ".join(words[:at]), " ".join(words[at + 1 :])]
        valued = all(any(map(str.isdigit, side)) for side in sides) and sides[1][0] not in _OPENING
        if valued and _is_unknown(words[at], question) and not _is_unit(f"{sides[0]} {words[at]}"):
            yield [_bare(side.strip(_MARKS)) for side in sides]


def _is_unknown(word: str, question: str) -> bool:
    low = word.lower()
    return word.isalpha() and len(word) > 1 and low not in _KNOWN and low not in question.lower()


def _is_unit(text: str) -> bool:
    """Whether the last word of a text counts or measures: "2 dozen", "1 week"."""
    value = answer_reading(text, DEFAULT).value
    if isinstance(value, Scalar):
        return isinstance(value.node, Num)
    return isinstance(value, Quantity) and value.unit.known


def _short_parts(answer: str, measured: bool) -> list[str]:
    """The parts of an answer that has several, and no prose among them; else none."""
    parts = list(_parts(answer, measured))
    few = 2 <= len(parts) <= _MAX_PARTS
    return parts if few and all(part.count(" ") <= _MOST_BLANKS for part in parts) else []


def _parts(answer: str, measured: bool) -> Iterator[str]:
    """The pieces between the joints, and what stands in brackets after one."""
    text = IN_TEXT.sub(partial(_spoken, measured), _CASES.sub(";", laid_out(answer, ";")))
    for piece in chain.from_iterable(map(_pieces, outer_pieces(text, _CLAUSES))):
        piece = piece.strip(_MARKS)
        beside = _IN_BRACKETS.match(piece)
        inner = _pieces(beside[2]) if beside else ()
        first = beside[1] if beside and beside[1] else piece
        for part in (first, *inner):
            if any(map(str.isalnum, part)):
                yield _bare(part.strip(_MARKS))


def _bare(part: str) -> str:
    """The value of "it is 13", "13 is" and "{13"."""
    if part.count("{") != part.count("}"):
        part = part.strip("{} ")
    words = part.split()
    if not words or not (_is_lead(words[0]) or words[-1] in _TAILS):
        return part
    kept = list(dropwhile(_is_lead, words))[::-1]
    return " ".join(list(dropwhile(_TAILS.__contains__, kept))[::-1])


def _is_lead(word: str) -> bool:
    return word == "I" or (len(word) > 1 and word.lower() in _LEADS)


def _spoken(measured: bool, words: re.Match[str]) -> str:
    """Words in a formula: what joins stays, and a unit if one is asked for; all else stands between values."""
    if words.string[: words.start()].endswith("{"):
        return words[0]
    said = words[1].lower().replace("(", " ").split()
    stays = not _JOINTS.isdisjoint(said) or (measured and len(said) == 1)
    return f" {words[1]} " if stays else ";"


def _pieces(clause: str) -> Iterator[str]:
    """A clause at its joints. An equals sign joins values, but after a letter it says of it what it is."""
    letter = next((at for at, char in enumerate(clause) if char.isalpha()), len(clause))
    *sides, last = outer_pieces(clause[:letter], "=")
    for side in (*sides, last + clause[letter:]):
        yield from outer_pieces(side, _JOINTS)
