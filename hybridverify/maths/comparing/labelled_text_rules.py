"""Comparing lists of values with a label each."""

from __future__ import annotations

from collections.abc import Callable

from hybridverify.maths.comparing.rules import Comparison, all_of, different
from hybridverify.maths.parsing.labelled_texts import labelled_texts


def labelled(
    reference: str, answer: str, _question: str, same: Callable[[str, str], Comparison]
) -> Comparison | None:
    """Label by label. The same values under other labels are another answer, even where they are words."""
    mine, theirs = labelled_texts(reference), labelled_texts(answer)
    if mine is None or theirs is None or mine.keys() != theirs.keys():
        return None
    result = all_of((same(mine[label], theirs[label]) for label in mine), "labels")
    told, said = sorted(map(str.casefold, mine.values())), sorted(map(str.casefold, theirs.values()))
    exchanged = result.outcome == "undecided" and told == said and len(set(told)) == len(told)
    return different("other labels") if exchanged else result
