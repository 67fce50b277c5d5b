"""The spellings in a reference, and those that are nearest to an answer.

Question sets list dozens of spellings in one reference, divided by "/". A small model reads a few dozen tokens well
and hundreds badly, so it is shown only the nearest spellings.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile

from hybridverify.judges.embedded.overlap import Overlap, overlap, plain_words
from hybridverify.language import expressions as re

MAX_ALTERNATIVES = 4
MAX_SCANNED = 200
"""The most spellings of one reference that are compared."""
MAX_REFERENCE = 20_000
MAX_CHARACTERS = 160
"""The most characters of a spelling that are shown."""
_REMARKS = ("(disambiguation)", "(surname)", "(given name)")
"""Of an encyclopedia's titles."""
_SLASH = re.compile(r" ?/ ?")


def alternatives(references: Sequence[str]) -> list[str]:
    """All spellings, each once, in their order.

    >>> alternatives(["Avocet/Avocets/Avocet", "Recurvirostra"])
    ['Avocet', 'Avocets', 'Recurvirostra']
    >>> alternatives(["90 km/h"]), alternatives(["1/2"]), alternatives(["AC/DC"])
    (['90 km/h'], ['1/2'], ['AC/DC'])
    """
    return list(_distinct(tuple(references[:MAX_SCANNED])))


@lru_cache(maxsize=512)
def _distinct(references: tuple[str, ...]) -> tuple[str, ...]:
    """Cached: the guards ask for the spellings of a sample several times, and a group shares its references."""
    pieces = [_without_remark(piece) for reference in references for piece in _pieces(reference)]
    distinct: dict[str, str] = {}
    for piece in filter(None, pieces):
        distinct.setdefault(" ".join(plain_words(piece)) or piece, piece)
    return tuple(distinct.values())[:MAX_SCANNED]


def _without_remark(title: str) -> str:
    if title[-1:] != ")":
        return title
    remark = next((one for one in _REMARKS if title.lower().endswith(one)), "")
    return title[: len(title) - len(remark)].removesuffix(" ") if remark else title


def _pieces(reference: str) -> list[str]:
    """The reference cut at every slash that divides."""
    text = " ".join(reference[:MAX_REFERENCE].split())
    start, pieces = 0, []
    for slash in _SLASH.finditer(text):
        if len(slash.group()) > 1 or _divides(text, slash.start(), slash.end()):
            pieces.append(text[start : slash.start()].strip())
            start = slash.end()
    return [*pieces, text[start:].strip()]


def _divides(text: str, start: int, end: int) -> bool:
    """Whether a slash without blanks divides two spellings. In 1/2, km/h, N/A and AC/DC it does not."""
    before = "".join(takewhile(str.isalnum, reversed(text[max(0, start - 20) : start])))
    after = "".join(takewhile(str.isalnum, text[end:]))
    if not before or not after:
        return True  # a bracket or a stop on one side
    shorter, longer = sorted((len(before), len(after)))
    numbers = before.isdigit() and after.isdigit()
    return shorter > 1 and longer > 2 and not (numbers and shorter <= 2)


def nearest(references: Sequence[str], answer: str, question: str) -> tuple[list[str], Overlap]:
    """The few spellings nearest to the answer, nearest first, and the overlap of the nearest.

    >>> nearest(["Lawyer bird/Avocet/Recurvirostra"], "It is the avocet.", "")[0][0]
    'Avocet'
    >>> nearest(["Lawyer bird/Avocet"], "The lawyer bird is a gull.", "Which bird is called lawyer bird?")[0]
    ['Avocet']
    """
    found = [(overlap(text, answer, question), text) for text in alternatives(references)]
    found = _telling(found, question) or found
    if not found:
        return [], overlap("", answer, question)
    ranked = sorted(found, key=lambda pair: -pair[0].nearness)  # stable: ties keep their order
    return [text[:MAX_CHARACTERS] for _, text in ranked[:MAX_ALTERNATIVES]], ranked[0][0]


def _telling(found: list[tuple[Overlap, str]], question: str) -> list[tuple[Overlap, str]]:
    """Without the spellings that stand in the question: any answer may repeat those. A spelling that is the whole
    answer is kept, and all are kept if the question offers a choice."""
    asked = plain_words(question)
    if "or" in asked:
        return found
    line = f" {' '.join(asked)} "
    return [
        (near, text)
        for near, text in found
        if near.placed == "same" or f" {' '.join(plain_words(text))} " not in line
    ]
